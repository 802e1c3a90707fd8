#include "viz/theme/colormap.hpp"

#include <array>
#include <cmath>
#include <span>

namespace warplens::theme {
namespace {

// Evenly spaced samples of the published maps (van der Walt and Smith 2015; Nunez, Anderton and Renslow
// 2018), as viridis(9) and cividis(10) of the R package viridisLite give them. Between two of them both maps
// are nearly straight.
constexpr std::array<std::uint32_t, 9> kViridis{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21908c,
                                                0x27ad81, 0x5dc863, 0xaadc32, 0xfde725};
constexpr std::array<std::uint32_t, 10> kCividis{0x00204d, 0x00336f, 0x39486b, 0x575c6d, 0x707173,
                                                 0x8a8779, 0xa69d75, 0xc4b56c, 0xe4cf5b, 0xffea46};

std::span<const std::uint32_t> stops_of(Colormap map) {
  if (map == Colormap::cividis) return kCividis;
  return kViridis;
}

}  // namespace

Rgba sample(Colormap map, double t) {
  const auto stops = stops_of(map);
  if (!(t > 0)) t = 0;
  if (t > 1) t = 1;
  const double at = t * static_cast<double>(stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double f = at - static_cast<double>(i);
  const Rgba a = rgb(stops[i]), b = rgb(stops[i + 1]);
  const auto mix = [f](int p, int q) { return static_cast<std::uint8_t>(std::lround(p + (q - p) * f)); };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 255};
}

std::vector<Rgba> ramp(Colormap map, int steps) {
  std::vector<Rgba> colors;
  for (int i = 0; i < steps; ++i)
    colors.push_back(sample(map, steps > 1 ? static_cast<double>(i) / (steps - 1) : 0));
  return colors;
}

}  // namespace warplens::theme
