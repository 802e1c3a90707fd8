#include "viz/figures/run_view.hpp"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

// The line with the word __global__: device functions stand before it.
int first_kernel_line(const std::string& code) {
  const std::size_t at = code.find("__global__");
  if (at == std::string::npos) return 1;
  return 1 + static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

int kernel_line_of(const RunView& run, std::uint32_t pc) {
  const ptx::Function& function = run.kernel->function();
  const int file = report::kernel_file(function, run.kernel->program()),
            first = first_kernel_line(run.spec->code);
  for (int at = function.code[pc].location; at >= 0;) {
    const ptx::SourceLocation& location = function.locations[static_cast<std::size_t>(at)];
    if (location.file == file && location.line >= first) return location.line;
    at = location.inlined_at;
  }
  return report::kernel_line(function, pc, file);
}

std::string place_of(const RunView& run, std::uint32_t pc) {
  const int line = line_of(run, pc), caller = kernel_line_of(run, pc);
  return line == caller ? fmt::format("line {}", line) : fmt::format("line {} through {}", caller, line);
}

std::string dimensions(const std::array<std::uint32_t, 3>& sizes) {
  if (sizes[2] > 1) return fmt::format("{} × {} × {}", sizes[0], sizes[1], sizes[2]);
  if (sizes[1] > 1) return fmt::format("{} × {}", sizes[0], sizes[1]);
  return fmt::format("{}", sizes[0]);
}

}  // namespace warplens::figures
