#include "app/window/platform/picture_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/whole_file.hpp"
#include "viz/paint/files/png.hpp"

namespace warplens::app {

namespace {

// What one pixel of the smaller picture covers in a row or a column of the larger one.
struct Covered {
  int from = 0, to = 0;
  double first = 1, last = 1;  // shares of the outermost pixels
  double share(int at) const { return at == from ? first : at == to - 1 ? last : 1; }
};

Covered covered(int at, double step, int most) {
  const double low = at * step, high = std::min<double>(most, (at + 1) * step);
  const int from = static_cast<int>(low), to = static_cast<int>(std::ceil(high - 1e-9));
  return {from, to, to == from + 1 ? high - low : from + 1 - low, high - (to - 1)};
}

theme::Rgba average(const scene::Raster& raster, const Covered& across, const Covered& down) {
  std::array<double, 3> sum{};
  double weight = 0;
  for (int y = down.from; y < down.to; ++y) {
    for (int x = across.from; x < across.to; ++x) {
      const double share = across.share(x) * down.share(y);
      const theme::Rgba c = raster.pixels[static_cast<std::size_t>(y) * raster.width + x];
      sum[0] += share * c.r, sum[1] += share * c.g, sum[2] += share * c.b, weight += share;
    }
  }
  const auto channel = [&](std::size_t i) { return static_cast<std::uint8_t>(sum[i] / weight + 0.5); };
  return {channel(0), channel(1), channel(2), 255};
}

Status write(const Result<paint::Bytes>& bytes, const std::filesystem::path& file) {
  if (!bytes) return bytes.error();
  return write_whole_file(file, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace

Status write_png(const scene::Raster& raster, const std::filesystem::path& file) {
  return write(paint::encode_png(raster), file);
}

Status write_small_png(const scene::Raster& raster, const std::filesystem::path& file) {
  return write(paint::encode_palette_png(raster), file);
}

scene::Raster shrunk(const scene::Raster& raster, int width) {
  if (width >= raster.width || width < 1) return raster;
  const double step = static_cast<double>(raster.width) / width;
  scene::Raster small{width, std::max(1, static_cast<int>(std::lround(raster.height / step))), {}};
  small.pixels.reserve(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height));
  for (int y = 0; y < small.height; ++y) {
    const Covered down = covered(y, step, raster.height);
    for (int x = 0; x < small.width; ++x)
      small.pixels.push_back(average(raster, covered(x, step, raster.width), down));
  }
  return small;
}

}  // namespace warplens::app
