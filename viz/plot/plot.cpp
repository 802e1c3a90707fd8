#include "viz/plot/plot.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warplens::plot {
namespace {

double forward(double v, Scale scale) {
  return scale == Scale::log10 || scale == Scale::log2 ? std::log10(v) : v;
}
double backward(double t, Scale scale) {
  return scale == Scale::log10 || scale == Scale::log2 ? std::pow(10, t) : t;
}

// A field of a CSV row, quoted where RFC 4180 asks for it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string field(const std::vector<double>& values, std::size_t i) {
  return i < values.size() && !std::isnan(values[i]) ? fmt::format("{}", values[i]) : "";
}

std::string position(const Plot& plot, const Series& s, std::size_t i) {
  if (plot.x.scale != Scale::category || i >= s.x.size() || std::isnan(s.x[i])) return field(s.x, i);
  const long at = std::lround(s.x[i]);
  const bool known = at >= 0 && static_cast<std::size_t>(at) < plot.x.categories.size();
  return known ? field(plot.x.categories[static_cast<std::size_t>(at)]) : field(s.x, i);
}

}  // namespace

Look look_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::modelled:
      return {"modelled", 2, {9, 5}, Look::Marker::square_ring, 0.12, true, true};
    case Provenance::emulated:
      return {"emulated", 2, {2, 4}, Look::Marker::ring, 0.35, true, false};
    case Provenance::live:
      return {"live", 3.5, {}, Look::Marker::diamond, 1, true, false};
    case Provenance::recorded:
      break;
  }
  return {"recorded", 2, {}, Look::Marker::disc, 1, false, false};
}

scene::Color color_of(const Plot& plot, std::size_t i) {
  return plot.series[i].color.value_or(scene::Color(theme::series(static_cast<int>(i))));
}

std::string to_csv(const Plot& plot) {
  std::string out = "series,provenance,x,y,low,high,label\n";
  for (const Series& s : plot.series)
    for (std::size_t i = 0; i < s.x.size(); ++i)
      out += fmt::format("{},{},{},{},{},{},{}\n", field(s.name.empty() ? s.id : s.name),
                         look_of(s.provenance).word, position(plot, s, i), field(s.y, i), field(s.low, i),
                         field(s.high, i), i < s.labels.size() ? field(s.labels[i]) : "");
  return out;
}

Range zoomed(Range range, Scale scale, double factor, double around) {
  const double low = forward(range.low, scale), high = forward(range.high, scale),
               at = forward(around, scale);
  if (!(factor > 0) || !std::isfinite(at)) return range;
  return {backward(at + (low - at) / factor, scale), backward(at + (high - at) / factor, scale)};
}

Range panned(Range range, Scale scale, double share) {
  const double low = forward(range.low, scale), high = forward(range.high, scale), by = share * (high - low);
  return {backward(low + by, scale), backward(high + by, scale)};
}

}  // namespace warplens::plot
