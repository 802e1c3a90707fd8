#include "app/window/model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "engine/base/text.hpp"

namespace warplens::app {

std::string short_count(double value) {
  constexpr std::array<std::pair<double, const char*>, 4> units = {
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [unit, name] : units) {
    if (value >= 9.9995 * unit || (value >= unit && unit > 1e3))
      return fmt::format("{:.{}f}{}", value / unit, value >= 99.95 * unit && unit == 1e3 ? 0 : 1, name);
  }
  return value == std::floor(value) ? grouped(static_cast<std::uint64_t>(value))
                                    : fmt::format("{:.1f}", value);
}

std::string file_part(const std::string& kernel) {
  const std::filesystem::path named = kernel;
  if (named.has_extension()) return named.stem().string();
  std::string part = kernel;
  std::ranges::replace(part, '/', '-');
  return part;
}

std::filesystem::path free_name(const std::filesystem::path& name, std::string_view ending) {
  std::error_code ignored;
  for (int number = 1;; ++number) {
    std::filesystem::path file = name;
    file += number == 1 ? std::string(ending) : fmt::format("-{}{}", number, ending);
    if (!std::filesystem::exists(file, ignored)) return file;
  }
}

std::string full_name(const std::filesystem::path& file) {
  std::error_code none;
  const auto whole = std::filesystem::absolute(file, none);
  return (none ? file : whole).string();
}

}  // namespace warplens::app
