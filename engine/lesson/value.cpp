#include "engine/lesson/value.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/text.hpp"

namespace warplens::lesson {

bool is_true(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? *number != 0 : !std::get<std::string>(value).empty();
}

std::string to_string(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  constexpr double kExact = 1e15;
  if (number == std::floor(number) && std::abs(number) < kExact)
    return (number < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(number)));
  return fmt::format("{:.4g}", number);
}

}  // namespace warplens::lesson
