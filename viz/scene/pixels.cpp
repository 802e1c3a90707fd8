#include "viz/scene/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warplens::scene {
namespace {

// Eight bytes at a time (the mixing step of splitmix64): an 8192 x 8192 grid takes some ten milliseconds.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t h = mix(seed + size);
  for (; size >= 8; bytes += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    h = mix(h ^ word);
  }
  std::uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, bytes, size);
  return mix(h ^ rest);
}

std::uint64_t hash_palette(const std::vector<Color>& palette, std::uint64_t h) {
  for (const Color& c : palette) {
    const theme::Rgba fixed = c.fixed.value_or(theme::Rgba{});
    h = hash_bytes(&fixed, sizeof fixed, h + static_cast<std::uint64_t>(c.token) + (c.fixed ? 256 : 0));
    h = hash_bytes(&c.alpha, sizeof c.alpha, h);
  }
  return h;
}

bool matches(int width, int height, std::size_t count) {
  return width > 0 && height > 0 &&
         static_cast<std::size_t>(width) * static_cast<std::size_t>(height) == count;
}

SharedPixels finish(Pixels pixels) {
  std::uint64_t h =
      mix(static_cast<std::uint64_t>(pixels.width) << 32 | static_cast<std::uint64_t>(pixels.height));
  h = hash_bytes(pixels.indices.data(), pixels.indices.size(), h);
  pixels.fingerprint = hash_palette(pixels.palette, h);
  return std::make_shared<const Pixels>(std::move(pixels));
}

std::vector<theme::Rgba> resolved_palette(const Pixels& pixels, const theme::Theme& theme) {
  std::vector<theme::Rgba> palette(256, theme::Rgba{0, 0, 0, 0});
  for (std::size_t i = 0; i < std::min<std::size_t>(256, pixels.palette.size()); ++i)
    palette[i] = resolve(pixels.palette[i], theme);
  return palette;
}

// One colour for a block of pixels: the average, weighted by opacity.
struct Average {
  std::uint64_t r = 0, g = 0, b = 0, a = 0, count = 0;
  void add(theme::Rgba c) {
    r += c.r * std::uint64_t{c.a}, g += c.g * std::uint64_t{c.a}, b += c.b * std::uint64_t{c.a}, a += c.a,
        ++count;
  }
  theme::Rgba color() const {
    if (a == 0) return {0, 0, 0, 0};
    const auto channel = [&](std::uint64_t sum, std::uint64_t by) {
      return static_cast<std::uint8_t>((sum + by / 2) / by);
    };
    return {channel(r, a), channel(g, a), channel(b, a), channel(a, count)};
  }
};

}  // namespace

theme::Rgba resolve(const Color& color, const theme::Theme& theme) {
  theme::Rgba c = color.fixed.value_or(theme[color.token]);
  c.a = static_cast<std::uint8_t>(std::lround(c.a * std::clamp(color.alpha, 0.0, 1.0)));
  return c;
}

SharedPixels make_indexed_image(int width, int height, std::vector<std::uint8_t> indices,
                                std::vector<Color> palette) {
  if (!matches(width, height, indices.size()) || palette.size() > 256) return nullptr;
  return finish({width, height, std::move(indices), std::move(palette), 0});
}

Raster resolve(const Pixels& pixels, const theme::Theme& theme, int max_width, int max_height) {
  const auto palette = resolved_palette(pixels, theme);
  const auto blocks = [](int from, int most) { return std::max(1, (from + most - 1) / std::max(1, most)); };
  const int bx = blocks(pixels.width, max_width), by = blocks(pixels.height, max_height);
  Raster raster{(pixels.width + bx - 1) / bx, (pixels.height + by - 1) / by, {}};
  raster.pixels.reserve(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height));
  const auto color_at = [&](int x, int y) {
    const std::size_t i =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x);
    return palette[pixels.indices[i]];
  };
  for (int y = 0; y < pixels.height; y += by) {
    for (int x = 0; x < pixels.width; x += bx) {
      if (bx == 1 && by == 1) {
        raster.pixels.push_back(color_at(x, y));
        continue;
      }
      Average average;
      for (int v = y; v < std::min(y + by, pixels.height); ++v)
        for (int u = x; u < std::min(x + bx, pixels.width); ++u) average.add(color_at(u, v));
      raster.pixels.push_back(average.color());
    }
  }
  return raster;
}

}  // namespace warplens::scene
