#include "app/gpu/stop_words.hpp"

#include <fmt/format.h>

#include <limits>

#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

// A generic address is not where in shared memory it is.
std::string shared_words(const instrument::GuardFinding& found, bool in_clusters) {
  const bool generic = found.site.space == ptx::Space::generic;
  return fmt::format("beyond the shared memory of {}, at {}{:#x}",
                     in_clusters ? "every block of its cluster" : "its block",
                     generic ? "generic address " : "", found.address);
}

}  // namespace

std::string stop_words(const instrument::GuardFinding& found, bool in_clusters,
                       std::span<const BufferPlace> buffers) {
  if (found.is_shared) return shared_words(found, in_clusters);
  if (found.in_heap) return fmt::format("between what malloc() returned, at {:#x}", found.address);
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::string text = fmt::format("at {:#x}", found.address);
  for (const BufferPlace& buffer : buffers) {
    const std::uint64_t end = buffer.begin + buffer.bytes;
    const bool before = found.address < buffer.begin;
    const std::uint64_t far = before ? buffer.begin - found.address : found.address - end;
    if (!before && found.address < end)  // its end is not inside
      return fmt::format("across the end of {} ({} bytes)", buffer.name, grouped(buffer.bytes));
    if (far >= least) continue;
    least = far;
    const std::string distance = far == 0 ? "just" : grouped(far) + " bytes";
    text = fmt::format("{} {} {} ({} bytes)", distance, before ? "before" : "past the end of", buffer.name,
                       grouped(buffer.bytes));
  }
  return text;
}

}  // namespace warplens::app
