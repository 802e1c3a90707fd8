#include "viz/figures/run_view.hpp"

#include <fmt/format.h>

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

int line_of(const RunView& run, std::uint32_t pc) {
  const ptx::Function& function = run.kernel->function();
  return report::kernel_line(function, pc, report::kernel_file(function, run.kernel->program()));
}

std::string dimensions(const std::array<std::uint32_t, 3>& sizes) {
  if (sizes[2] > 1) return fmt::format("{} × {} × {}", sizes[0], sizes[1], sizes[2]);
  if (sizes[1] > 1) return fmt::format("{} × {}", sizes[0], sizes[1]);
  return fmt::format("{}", sizes[0]);
}

}  // namespace warplens::figures
