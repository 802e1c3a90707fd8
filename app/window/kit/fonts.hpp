// The window's type: Inter and JetBrains Mono, rasterised by FreeType at the sizes of the design.
#pragma once

#include <imgui.h>

#include <array>

#include "engine/base/result.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::app {

enum class Type { body, caption, strong, number, code, small_code };
inline constexpr std::size_t kTypeCount = 6;

// Pixels at text scale 1.
constexpr float size_of(Type type) {
  constexpr std::array<float, kTypeCount> sizes = {15, 13, 15, 24, 14, 12};
  return sizes[static_cast<std::size_t>(type)];
}

using FontSet = std::array<ImFont*, kTypeCount>;

// Fills the atlas of the current ImGui context anew; the backend must make its texture again. Error: no font
// was found.
Result<FontSet> load_fonts(const paint::Fonts& found, double scale);

#if IMGUI_VERSION_NUM < 19200
// Of the texture that ImGui's renderer made of the atlas: its characters stand on whole pixels, where the
// nearest texel is what four of them would be mixed to, and a software renderer takes half as long for it.
void sample_nearest();
#endif

}  // namespace warplens::app
