#include "viz/paint/files/palette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::paint {
namespace {

struct Counted {
  std::array<int, 3> rgb;
  std::uint64_t count;
};

std::uint32_t key_of(theme::Rgba c) { return std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b; }
std::array<int, 3> channels(std::uint32_t key) {
  return {static_cast<int>(key >> 16 & 255), static_cast<int>(key >> 8 & 255), static_cast<int>(key & 255)};
}

// A run of the colours: its widest channel, and how much there is to gain by cutting it.
struct Box {
  std::size_t from, to;
  int channel = 0;
  std::uint64_t weight = 0;

  Box(const std::vector<Counted>& colors, std::size_t f, std::size_t t) : from(f), to(t) {
    int widest = -1;
    std::uint64_t total = 0;
    for (std::size_t i = from; i < to; ++i) total += colors[i].count;
    for (std::size_t c = 0; c < 3; ++c) {
      int low = 255, high = 0;
      for (std::size_t i = from; i < to; ++i)
        low = std::min(low, colors[i].rgb[c]), high = std::max(high, colors[i].rgb[c]);
      if (high - low > widest) widest = high - low, channel = static_cast<int>(c);
    }
    // The square root keeps large plain areas from taking all cuts.
    weight = to - from < 2 ? 0
                           : static_cast<std::uint64_t>(widest) *
                                 (1 + static_cast<std::uint64_t>(std::sqrt(static_cast<double>(total))));
  }
};

theme::Rgba average(const std::vector<Counted>& colors, const Box& box) {
  std::uint64_t sum[3] = {}, count = 0;
  for (std::size_t i = box.from; i < box.to; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      sum[c] += static_cast<std::uint64_t>(colors[i].rgb[c]) * colors[i].count;
    count += colors[i].count;
  }
  const auto channel = [&](std::size_t c) { return static_cast<std::uint8_t>((sum[c] + count / 2) / count); };
  return {channel(0), channel(1), channel(2), 255};
}

std::size_t median(std::vector<Counted>& colors, const Box& box) {
  const auto begin = colors.begin() + static_cast<long>(box.from),
             end = colors.begin() + static_cast<long>(box.to);
  const std::size_t c = static_cast<std::size_t>(box.channel);
  std::sort(begin, end, [c](const Counted& a, const Counted& b) {
    return a.rgb[c] != b.rgb[c] ? a.rgb[c] < b.rgb[c] : a.rgb < b.rgb;
  });
  std::uint64_t total = 0, half = 0;
  for (auto it = begin; it != end; ++it) total += it->count;
  std::size_t at = box.from;
  while (at + 1 < box.to && (half += colors[at].count) * 2 < total) ++at;
  return std::clamp(at + 1, box.from + 1, box.to - 1);
}

}  // namespace

void ColorCounts::add(const scene::Raster& raster) {
  std::uint32_t last = 0;
  std::uint64_t run = 0;
  for (const theme::Rgba c : raster.pixels) {
    if (run > 0 && key_of(c) != last) counts_[last] += run, run = 0;
    last = key_of(c), ++run;
  }
  if (run > 0) counts_[last] += run;
}

std::vector<theme::Rgba> ColorCounts::palette(std::size_t most) const {
  std::vector<Counted> colors;
  for (const auto& [key, count] : counts_) colors.push_back({channels(key), count});
  std::sort(colors.begin(), colors.end(), [](const Counted& a, const Counted& b) { return a.rgb < b.rgb; });
  std::vector<theme::Rgba> found;
  if (colors.empty()) return found;
  std::vector<Box> boxes{Box(colors, 0, colors.size())};
  while (boxes.size() < std::min(most, colors.size())) {
    const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                         [](const Box& a, const Box& b) { return a.weight < b.weight; });
    if (widest->to - widest->from < 2) break;
    const Box box = *widest;
    const std::size_t cut = median(colors, box);
    *widest = Box(colors, box.from, cut);
    boxes.emplace_back(colors, cut, box.to);
  }
  for (const Box& box : boxes) found.push_back(average(colors, box));
  return found;
}

std::vector<std::uint8_t> PaletteIndex::indices(const scene::Raster& raster) {
  std::vector<std::uint8_t> found;
  found.reserve(raster.pixels.size());
  for (const theme::Rgba c : raster.pixels) {
    const auto [it, added] = known_.try_emplace(key_of(c), std::uint8_t{0});
    if (added) {
      int least = std::numeric_limits<int>::max();
      for (std::size_t i = 0; i < palette_.size(); ++i) {
        const int r = c.r - palette_[i].r, g = c.g - palette_[i].g, b = c.b - palette_[i].b;
        // Weights near those of luminance: an eye sees green best.
        if (const int d = 3 * r * r + 6 * g * g + b * b; d < least)
          least = d, it->second = static_cast<std::uint8_t>(i);
      }
    }
    found.push_back(it->second);
  }
  return found;
}

}  // namespace warplens::paint
