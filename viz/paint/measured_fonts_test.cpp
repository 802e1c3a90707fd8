#include "viz/paint/measured_fonts.hpp"

#include <gtest/gtest.h>

#include "viz/paint/fonts.hpp"

namespace warplens::paint {
namespace {

TEST(MeasuredFonts, AreAsWideAsTheFontsThemselves) {
  const auto fonts = Fonts::open();
  ASSERT_TRUE(fonts);
  const auto measured = MeasuredFonts::parse(font_widths(**fonts));
  ASSERT_TRUE(measured);
  for (scene::TextStyle style : measured_styles()) {
    style.size = 17;
    for (const std::string_view text :
         {"32 sectors where 4 would do", "C[row * N + column] += a × b; 97 %", "→ ≤ µs π"})
      EXPECT_NEAR((*measured)->width(text, style), (*fonts)->width(text, style), 1e-9) << text;
    EXPECT_NEAR((*measured)->metrics(style).line_height(), (*fonts)->metrics(style).line_height(), 1e-9);
  }
}

TEST(MeasuredFonts, RefusesWhatIsNoTable) { EXPECT_FALSE(MeasuredFonts::parse("1 2 3\n")); }

}  // namespace
}  // namespace warplens::paint
