// Tells whether two frames of ImGui are the same picture.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>

namespace warplens::app {

// Of all that is drawn; textures: a number that changes with the pixels of any texture. Nothing for a frame
// with callbacks, which may draw anything.
std::optional<std::uint64_t> draw_hash(const ImDrawData& frame, std::uint64_t textures);

}  // namespace warplens::app
