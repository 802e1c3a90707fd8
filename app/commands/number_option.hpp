// Options that several commands have, and numbers on the command line. These are checked before CLI11
// converts them: it would wrap a negative one, take nan, and say little about letters.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#include "app/base/options.hpp"

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

// -D takes one value each time, so that "-D TILE=16 KERNEL" leaves KERNEL alone.
inline void add_defines(
    CLI::App& command, KernelOptions& options,
    const std::string& meaning = "a parameter of the kernel: -D TILE=16 (again for each)") {
  command.add_option("-D", options.defines, meaning)->type_name("NAME=VALUE")->allow_extra_args(false);
}
inline void add_device(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "device or compute capability: h100, cc8.6, 1.3")
      ->capture_default_str()
      ->type_name("DEVICE");
}
inline void add_kernel_options(CLI::App& command, KernelOptions& options) {
  add_defines(command, options);
  command.add_option("--size", options.size, "sizes of the problem: 512, or one for each: 35,79,19")
      ->check(size_problem)
      ->type_name("M,N,K");
  add_device(command, options.device);
}
// Of a block, where no kernel says them.
template <class Options>
void add_resources(CLI::App& command, Options& options, const std::string& before) {
  add_number(command, "--threads", options.threads, before + "threads a block", 1);
  add_number(command, "--registers", options.registers, before + "registers a thread", 0);
  add_number(command, "--shared", options.shared, before + "bytes of shared memory a block", 0);
}

}  // namespace warplens::app
