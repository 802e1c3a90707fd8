// Where the access was at which a check on the GPU stopped a thread, in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/instrument/access_guard.hpp"

namespace warplens::app {

struct BufferPlace {
  std::string name;
  std::uint64_t begin = 0, bytes = 0;
};

// "12 bytes past the end of in (384 bytes)", of the nearest buffer; "just past the end" is its next byte.
// in_clusters: AccessGuard's.
std::string stop_words(const instrument::GuardFinding& found, bool in_clusters,
                       std::span<const BufferPlace> buffers);

}  // namespace warplens::app
