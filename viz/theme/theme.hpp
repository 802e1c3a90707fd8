// What colours mean, and what they look like in the dark and in the light theme. Scenes name tokens; a
// painter resolves them, so that one scene is drawn in either theme. Values: the design's table of tokens;
// the series colours after Okabe and Ito (2008), moved in lightness until each stands out from its panel by
// 3:1 (theme_test holds them to it).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warplens::theme {

// 8 bits a channel, not premultiplied.
struct Rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Rgba&) const = default;
};

constexpr Rgba rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

enum class Token : std::uint8_t {
  background,
  panel,
  raised,
  line,
  text,
  dim,
  accent,
  on_accent,  // a filled button, and the text on it
  first_thread,
  first_warp,
  first_block,
  good,
  costly,
  series_1,
  series_2,
  series_3,
  series_4,
  series_5,
  series_6,
  series_7,
  series_8,
};
inline constexpr int kTokenCount = 21;
inline constexpr int kSeriesCount = 8;

// The colour of the n-th series of a plot; starts again after eight.
constexpr Token series(int n) {
  return static_cast<Token>(static_cast<int>(Token::series_1) + n % kSeriesCount);
}

struct Theme {
  std::string_view name;
  std::array<Rgba, kTokenCount> colors;
  Rgba operator[](Token token) const { return colors[static_cast<std::size_t>(token)]; }
};

const Theme& dark();
const Theme& light();

// The token's name as state files and tests write it, "first_thread".
std::string_view name_of(Token token);

// Sizes that are the same in both themes, in pixels at scale 1.
namespace metric {
inline constexpr double kGrid = 8, kCorner = 6;
inline constexpr double kBody = 15, kCaption = 13, kCode = 14, kNumber = 24;
}  // namespace metric

// Contrast of two opaque colours, 1 to 21 (WCAG 2.1, relative luminance).
double contrast(Rgba a, Rgba b);

}  // namespace warplens::theme
