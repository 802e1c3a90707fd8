#include "viz/figures/parts/places.hpp"

#include <fmt/format.h>

#include "engine/base/text.hpp"

namespace warplens::figures {

std::string source_line(const catalog::KernelSpec& spec, int line) {
  std::size_t start = 0;
  for (int l = 1; l < line && start != std::string::npos; ++l) {
    start = spec.code.find('\n', start);
    if (start != std::string::npos) ++start;
  }
  if (line < 1 || start == std::string::npos) return "";
  std::string text = spec.code.substr(start, spec.code.find('\n', start) - start);
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

std::string source_statement(const catalog::KernelSpec& spec, int line) {
  std::string text = source_line(spec, line);
  const std::size_t comment = text.find("//");
  if (comment == std::string::npos || comment == 0) return text;
  text.erase(comment);
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

std::string place_of(const run::Run& run, std::uint32_t pc) {
  const int line = line_of(run, pc), caller = kernel_line_of(run, pc);
  if (line == 0) return "unknown line";
  return line == caller ? fmt::format("line {}", line) : fmt::format("line {} calls {}", caller, line);
}

std::string recorded_words(const run::Run& run) {
  return run.recorded_on.empty() ? "" : fmt::format(", recorded on {}", run.recorded_on);
}

std::string dimensions(const std::array<std::uint32_t, 3>& sizes) {
  std::string text = grouped(sizes[0]);
  if (sizes[1] > 1 || sizes[2] > 1) text += " × " + grouped(sizes[1]);
  if (sizes[2] > 1) text += " × " + grouped(sizes[2]);
  return text;
}

}  // namespace warplens::figures
