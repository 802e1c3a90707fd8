#include <cgif.h>

#include <cmath>
#include <memory>

#include "viz/paint/files/animation.hpp"
#include "viz/paint/files/palette.hpp"

namespace warplens::paint {
namespace {

int append(void* to, const std::uint8_t* data, const std::size_t length) {
  static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), data, data + length);
  return 0;
}

Error gif_error(int code) {
  return {"GIF: cgif answers " + std::to_string(code), "try a smaller scale, or .webp"};
}

// The colours of all frames, and that they are of one size.
Result<ColorCounts> count_colors(const Film& film, const theme::Theme& theme, const Fonts& fonts,
                                 double scale) {
  ColorCounts counts;
  int width = 0, height = 0;
  for (int i = 0; i < std::max(film.frames, 1); ++i) {
    const auto raster = draw_frame(film, i, 2, 0, theme, fonts, scale);
    if (!raster) return raster.error();
    if (i == 0) width = raster->width, height = raster->height;
    if (raster->width != width || raster->height != height)
      return Error{"a frame differs in size from the first", ""};
    counts.add(*raster);
  }
  return counts;
}

CGIF* open(Bytes& bytes, const scene::Raster& first, std::vector<std::uint8_t>& palette) {
  CGIF_Config config{};
  config.width = static_cast<std::uint16_t>(first.width);
  config.height = static_cast<std::uint16_t>(first.height);
  config.pGlobalPalette = palette.data();
  config.numGlobalPaletteEntries = static_cast<std::uint16_t>(palette.size() / 3);
  config.numLoops = 0;  // for ever
  config.attrFlags = CGIF_ATTR_IS_ANIMATED;
  config.genFlags = 0;
  config.pWriteFn = append;
  config.pContext = &bytes;
  return cgif_newgif(&config);
}

}  // namespace

Result<Bytes> to_gif(const Film& film, const theme::Theme& theme, const Fonts& fonts, double scale) {
  const auto counts = count_colors(film, theme, fonts, scale);
  if (!counts) return counts.error();
  const auto colors = counts->palette();
  std::vector<std::uint8_t> palette;
  for (const theme::Rgba c : colors) palette.insert(palette.end(), {c.r, c.g, c.b});
  PaletteIndex index(colors);
  Bytes bytes;
  std::unique_ptr<CGIF, int (*)(CGIF*)> gif(nullptr, cgif_close);
  double carried = 0;  // hundredths that rounding left over
  for (int i = 0; i < film.frames; ++i) {
    const auto raster = draw_frame(film, i, 2, 1, theme, fonts, scale);
    if (!raster) return raster.error();
    if (!gif) gif.reset(open(bytes, *raster, palette));
    if (!gif) return gif_error(CGIF_ERROR);
    auto pixels = index.indices(*raster);
    const double wanted = std::max(10, film.milliseconds(i)) / 10.0 + carried,
                 delay = std::max(1.0, std::round(wanted));
    carried = wanted - delay;
    CGIF_FrameConfig frame{};
    frame.pImageData = pixels.data();
    frame.delay = static_cast<std::uint16_t>(std::min(delay, 65535.0));
    frame.genFlags = CGIF_FRAME_GEN_USE_TRANSPARENCY | CGIF_FRAME_GEN_USE_DIFF_WINDOW;
    if (const int code = cgif_addframe(gif.get(), &frame); code != CGIF_OK) return gif_error(code);
  }
  if (const int code = cgif_close(gif.release()); code != CGIF_OK) return gif_error(code);
  return bytes;
}

}  // namespace warplens::paint
