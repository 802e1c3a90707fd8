// Numbers on the command line. They are checked before CLI11 converts them: it would wrap a negative one,
// take nan, and say little about letters.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

namespace warplens::app {

// Empty where `text` is a number from low to high, both included; else what it is not.
template <class Number>
std::string number_problem(const std::string& text, Number low, Number high) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, value);
  if (code == std::errc() && stopped == end && value >= low && value <= high) return "";
  return fmt::format("'{}' is not a {}number from {} to {}", text, std::is_integral_v<Number> ? "whole " : "",
                     low, high);
}

// A script's empty variable is no wish for the default.
inline std::string size_problem(const std::string& text) {
  return text.empty() ? "no size is given, write 512, or one for each as 35,79,19" : "";
}

template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& number, const std::string& meaning,
                        typename CLI::detail::wrapped_type<T, T>::type low,
                        typename CLI::detail::wrapped_type<T, T>::type high =
                            std::numeric_limits<typename CLI::detail::wrapped_type<T, T>::type>::max()) {
  const auto problem = [low, high](const std::string& text) { return number_problem(text, low, high); };
  return command.add_option(name, number, meaning)->check(problem)->type_name("NUMBER");
}

}  // namespace warplens::app
