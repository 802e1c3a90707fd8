// Inside of the ImGui painter: keys of textures that are known by what they show.
#pragma once

#include <cstdint>

namespace warplens::paint {

// The key of what has one more part.
inline std::uint64_t key_with(std::uint64_t key, std::uint64_t part) {
  key = (key ^ part) * 0x9e3779b97f4a7c15ull;
  return key ^ key >> 29;
}

}  // namespace warplens::paint
