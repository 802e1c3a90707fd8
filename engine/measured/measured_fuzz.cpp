// Any text is read as recorded speeds and as recorded copies without a crash, a leak or a hang. Seeds:
// assets/recorded.
#include <cstdint>
#include <cstdlib>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/measured/transfers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warplens::measured;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto speeds = RecordedSpeeds::parse(text, "fuzz.json");
  if (!speeds && speeds.error().message.empty()) std::abort();
  if (speeds)
    for (const RecordedSpeed& speed : speeds->results)
      if (!(rate_of(speed).value > 0)) std::abort();
  const auto copies = Transfers::parse(text, "fuzz.json");
  if (!copies && copies.error().message.empty()) std::abort();
  return 0;
}
