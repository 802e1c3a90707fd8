// A colour of a scene: a token that the theme resolves when it is painted, or a fixed colour (heat maps),
// with an opacity.
#pragma once

#include <optional>

#include "viz/theme/colormap.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::scene {

using theme::Token;

struct Color {
  Color(Token t, double opacity = 1) : token(t), alpha(opacity) {}
  Color(theme::Rgba color) : fixed(color) {}
  static Color transparent() { return {Token::background, 0}; }

  Token token = Token::text;
  double alpha = 1;  // multiplies the colour's own
  std::optional<theme::Rgba> fixed = {};
  bool operator==(const Color&) const = default;
};

theme::Rgba resolve(const Color& color, const theme::Theme& theme);

}  // namespace warplens::scene
