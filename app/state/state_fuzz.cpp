// Any text is read as a state without a crash, a leak or a hang; a state that was written is read as the
// same. Seeds: assets/tour.
#include <cstdint>
#include <cstdlib>

#include "app/state/state.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"

namespace {

using namespace warplens;

void read(std::string_view text, const app::KnownNames* known) {
  const auto state = app::parse_state(text, "fuzz.toml", known);
  if (!state) {
    if (state.error().message.empty()) std::abort();
    return;
  }
  const auto again = app::parse_state(app::to_toml(*state), "again.toml", known);
  if (!again || !(*again == *state)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kernels = catalog::Catalog::open(source_path("kernels"));
  static const auto devices =
      device::DeviceTable::parse(*read_whole_file(source_path("assets/devices.toml")), "devices.toml");
  static const app::KnownNames known{*kernels, *devices};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text, nullptr);
  read(text, &known);
  return 0;
}
