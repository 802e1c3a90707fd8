#include "viz/figures/parts/run_view.hpp"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

// The line with the word __global__: device functions stand before it.
int first_kernel_line(const std::string& code) {
  const std::size_t at = code.find("__global__");
  if (at == std::string::npos) return 1;
  return 1 + static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

SourcePlaces::SourcePlaces(const RunView& run)
    : function_(&run.kernel->function()),
      file_(report::kernel_file(*function_, run.kernel->program())),
      first_line_(first_kernel_line(run.spec->code)) {}

int SourcePlaces::line(std::uint32_t pc) const { return report::kernel_line(*function_, pc, file_); }

int SourcePlaces::kernel_line(std::uint32_t pc) const {
  for (int at = function_->code[pc].location; at >= 0;) {
    const ptx::SourceLocation& location = function_->locations[static_cast<std::size_t>(at)];
    if (location.file == file_ && location.line >= first_line_) return location.line;
    at = location.inlined_at;
  }
  return line(pc);
}

int line_of(const RunView& run, std::uint32_t pc) { return SourcePlaces(run).line(pc); }
int kernel_line_of(const RunView& run, std::uint32_t pc) { return SourcePlaces(run).kernel_line(pc); }

std::string place_of(const RunView& run, std::uint32_t pc) {
  const SourcePlaces places(run);
  return place_words(places.line(pc), places.kernel_line(pc));
}

std::string place_words(int line, int kernel_line) {
  return line == kernel_line ? fmt::format("line {}", line)
                             : fmt::format("line {} calls {}", kernel_line, line);
}

std::string recorded_words(const RunView& run) {
  return run.recorded_on.empty() ? "" : fmt::format(", recorded on {}", run.recorded_on);
}

std::string dimensions(const std::array<std::uint32_t, 3>& sizes) {
  std::string text = grouped(sizes[0]);
  if (sizes[1] > 1 || sizes[2] > 1) text += " × " + grouped(sizes[1]);
  if (sizes[2] > 1) text += " × " + grouped(sizes[2]);
  return text;
}

}  // namespace warplens::figures
