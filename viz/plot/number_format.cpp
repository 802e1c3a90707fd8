#include "viz/plot/number_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::plot {
namespace {

constexpr std::array<std::string_view, 10> kPrefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int kNoPrefix = 3;

std::string special(double value) {
  if (std::isnan(value)) return "–";  // no value
  return value < 0 ? "−∞" : "∞";
}

// Decimals that leave so many significant digits, never negative.
int decimals(double value, int digits) {
  if (value == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return std::clamp(digits - 1 - exponent, 0, 15);
}

std::string trimmed(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

void group_thousands(std::string& text) {
  const std::size_t end = std::min(text.find('.'), text.size()), start = text[0] == '-' ? 1 : 0;
  for (std::size_t at = end; at > start + 3;) text.insert(at -= 3, ",");
}

// A true minus sign, and no "-0".
std::string with_minus(std::string text) {
  if (text.empty() || text[0] != '-') return text;
  if (text.find_first_of("123456789") == std::string::npos) return text.substr(1);
  return "−" + text.substr(1);
}

std::string rounded(double value, int digits) {
  return trimmed(fmt::format("{:.{}f}", value, decimals(value, digits)));
}

}  // namespace

std::string plain(double value, int digits) {
  if (!std::isfinite(value)) return special(value);
  if (value != 0 && (std::abs(value) >= 1e15 || std::abs(value) < 1e-9))
    return with_minus(fmt::format("{:.{}g}", value, digits));
  std::string text = rounded(value, digits);
  group_thousands(text);
  return with_minus(text);
}

std::string si(double value, int digits, std::string_view space, std::string_view unit) {
  if (!std::isfinite(value)) return special(value);
  int prefix = kNoPrefix;
  double scaled = value;
  // Rounded first: 999.9996 is 1k, not 1000.
  const auto shown = [&] { return std::abs(std::stod(rounded(scaled, digits))); };
  while (shown() >= 1000 && prefix + 1 < static_cast<int>(kPrefixes.size())) scaled /= 1000, ++prefix;
  while (scaled != 0 && shown() < 1 && prefix > 0) scaled *= 1000, --prefix;
  const std::string name = std::string(kPrefixes[static_cast<std::size_t>(prefix)]) + std::string(unit);
  return with_minus(rounded(scaled, digits)) + (name.empty() ? "" : std::string(space) + name);
}

namespace {

std::string binary_bytes(double value, int digits) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  return plain(value, digits) + " " + kUnits[unit];
}

}  // namespace

std::string percent(double share, int digits) { return plain(share * 100, digits) + " %"; }

std::string formatted(double value, Notation notation, int digits) {
  if (notation == Notation::bytes) return binary_bytes(value, digits);
  if (notation == Notation::si) return si(value, digits);
  if (notation == Notation::percent) return percent(value, digits);
  return plain(value, std::max(digits, 6));
}

}  // namespace warplens::plot
