// Any text is read as a kernel file without a crash, a leak or a hang: its front matter, or the one that is
// guessed for it, and what follows from both before anything is compiled. Seeds: kernels.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/problem/kind_texts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warplens;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto spec = catalog::parse_or_guess(text, "fuzz", "fuzz.cu", problem::guessed);
  if (!spec) {
    if (spec.error().message.empty()) std::abort();
    return 0;
  }
  const catalog::Values sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
  if (const auto values = catalog::resolve_values(*spec, {}, sizes))
    static_cast<void>(catalog::launch_shape(*spec, *values, sizes));
  return 0;
}
