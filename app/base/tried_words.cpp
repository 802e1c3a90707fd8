#include "app/base/tried_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace warplens::app {

std::string to_words(const run::NamedValues& values) {
  std::string words;
  for (const auto& [name, value] : values)
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value);
  return words;
}

std::string tried_words(const run::Tried& tried, std::size_t most) {
  std::vector<std::string> sizes, kernels;
  for (const run::NamedValues& one : tried.sizes) sizes.push_back(to_words(one));
  if (const std::size_t all = sizes.size(); all > most) {
    sizes.resize(most);
    sizes.back() += fmt::format(" and {} more", all - most);
  }
  for (const run::OtherKernel& kernel : tried.kernels)
    kernels.push_back(fmt::format("{} ({})", kernel.name, kernel.verdict));
  std::string words =
      sizes.empty() ? "other sizes were not tried" : fmt::format("{}", fmt::join(sizes, "; "));
  words += fmt::format("; data: {}", fmt::join(tried.data, ", "));
  if (!kernels.empty()) words += fmt::format("; run too: {}", fmt::join(kernels, ", "));
  if (tried.left_out.size() == 1)
    words += fmt::format("; {} was not looked at", tried.left_out.front());
  else if (!tried.left_out.empty())
    words += fmt::format("; {} were not looked at", fmt::join(tried.left_out, ", "));
  return words;
}

}  // namespace warplens::app
