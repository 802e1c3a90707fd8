#include "viz/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::theme {
namespace {

struct TokenRow {
  Token token;
  std::string_view name;
  std::uint32_t dark, light;
};

constexpr std::array<TokenRow, kTokenCount> kRows{{
    {Token::background, "background", 0x0f1217, 0xf3f5f8},
    {Token::panel, "panel", 0x161b22, 0xffffff},
    {Token::raised, "raised", 0x1e2630, 0xeef1f5},
    {Token::line, "line", 0x2b3542, 0xd5dce4},
    {Token::text, "text", 0xe6edf3, 0x17202b},
    {Token::dim, "dim", 0x93a1b0, 0x566373},
    {Token::accent, "accent", 0x4cc2ff, 0x0b6bcb},
    {Token::on_accent, "on_accent", 0x0f1217, 0xffffff},
    {Token::first_thread, "first_thread", 0xff9f1c, 0xa45a00},
    {Token::first_warp, "first_warp", 0x4c8dff, 0x1f5fd6},
    {Token::first_block, "first_block", 0xc7d0da, 0x17202b},
    {Token::good, "good", 0x2bb3a3, 0x0c7a6d},
    {Token::costly, "costly", 0xff5c7c, 0xb31840},
    {Token::series_1, "series_1", 0x4c8dff, 0x1f5fd6},  // blue
    {Token::series_2, "series_2", 0xff9f1c, 0xa85c00},  // orange
    {Token::series_3, "series_3", 0x2bb3a3, 0x0d7e70},  // bluish green
    {Token::series_4, "series_4", 0xf3b0d6, 0x8a0f6a},  // reddish purple
    {Token::series_5, "series_5", 0xf4e76b, 0x6e6200},  // yellow; olive on white
    {Token::series_6, "series_6", 0xff6a4d, 0xb3200c},  // vermilion
    {Token::series_7, "series_7", 0x8be0ff, 0x2a8fb9},  // sky
    {Token::series_8, "series_8", 0xb5bfca, 0x566373},  // grey
}};

constexpr bool in_order() {
  for (int i = 0; i < kTokenCount; ++i)
    if (static_cast<int>(kRows[i].token) != i) return false;
  return true;
}
static_assert(in_order(), "the rows stand in the order of the enumeration");

constexpr Theme make(std::string_view name, std::uint32_t TokenRow::*column) {
  Theme theme{name, {}};
  for (int i = 0; i < kTokenCount; ++i) theme.colors[i] = rgb(kRows[i].*column);
  return theme;
}

constexpr Theme kDarkTheme = make("dark", &TokenRow::dark);
constexpr Theme kLightTheme = make("light", &TokenRow::light);

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgba c) { return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b); }

}  // namespace

const Theme& dark() { return kDarkTheme; }
const Theme& light() { return kLightTheme; }

std::string_view name_of(Token token) { return kRows[static_cast<std::size_t>(token)].name; }

double contrast(Rgba a, Rgba b) {
  const double p = luminance(a), q = luminance(b);
  return (std::max(p, q) + 0.05) / (std::min(p, q) + 0.05);
}

}  // namespace warplens::theme
