// Writes the table of measured_fonts.hpp to standard output.
#include <cstdio>

#include "viz/paint/fonts.hpp"
#include "viz/paint/measured_fonts.hpp"

int main() {
  const auto fonts = warplens::paint::Fonts::open();
  if (!fonts) return std::fprintf(stderr, "%s\n", warplens::to_line(fonts.error()).c_str()), 1;
  const std::string table = warplens::paint::font_widths(**fonts);
  return std::fwrite(table.data(), 1, table.size(), stdout) == table.size() ? 0 : 1;
}
