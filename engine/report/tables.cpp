#include "engine/report/tables.hpp"

#include <algorithm>
#include <map>

#include "engine/ptx/print.hpp"

namespace warplens::report {
namespace {

using emulator::Counters, emulator::InstructionCounters;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double mean_lanes(const InstructionCounters& row) { return share(row.lanes, row.executed); }

void add(Traffic& traffic, const InstructionCounters& row) {
  if (row.requests_in_ptx == 0) return;
  switch (row.space) {
    case ptx::Space::global:
      traffic.global += row;
      return;
    case ptx::Space::shared:
      traffic.shared += row;
      return;
    case ptx::Space::local:
      traffic.local += row;
      return;
    case ptx::Space::generic:
      traffic.mixed += row;
      return;
    default:
      return;  // constants and parameters: no part of these memories' traffic
  }
}

void add(LineRow& line, std::uint32_t pc, const InstructionCounters& row) {
  line.executed += row.executed;
  line.thread_instructions += row.lanes;
  line.diverged += row.diverged;
  line.instructions.push_back(pc);
  add(line.traffic, row);
}

void set_shares(LineRow& row, const LineRow& total) {
  row.executed_share = share(row.executed, total.executed);
  row.sector_share = share(row.traffic.global.sectors, total.traffic.global.sectors);
  row.wavefront_share = share(row.traffic.shared.wavefronts, total.traffic.shared.wavefronts);
}

}  // namespace

int kernel_file(const ptx::Function& function, const ptx::Program& program) {
  std::vector<std::size_t> instructions(program.files.size(), 0);
  for (const ptx::Instruction& instruction : function.code) {
    // The outermost place of inlined code is in the kernel itself.
    int at = instruction.location;
    while (at >= 0 && function.locations[static_cast<std::size_t>(at)].inlined_at >= 0)
      at = function.locations[static_cast<std::size_t>(at)].inlined_at;
    if (at < 0) continue;
    const int file = function.locations[static_cast<std::size_t>(at)].file;
    if (file >= 0 && static_cast<std::size_t>(file) < instructions.size())
      ++instructions[static_cast<std::size_t>(file)];
  }
  const auto most = std::max_element(instructions.begin(), instructions.end());
  return most == instructions.end() || *most == 0 ? -1 : static_cast<int>(most - instructions.begin());
}

int kernel_line(const ptx::Function& function, std::size_t pc, int file, int first) {
  for (int at = function.code[pc].location; at >= 0;) {
    const ptx::SourceLocation& location = function.locations[static_cast<std::size_t>(at)];
    if (location.file == file && location.line >= first) return location.line;
    at = location.inlined_at;
  }
  return 0;
}

namespace {

// The line with the word __global__: device functions come before it.
int first_kernel_line(std::string_view code) {
  const std::size_t at = code.find("__global__");
  if (at == std::string_view::npos) return 1;
  return 1 + static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

std::vector<int> kernel_lines(const ptx::Function& function, const ptx::Program& program,
                              std::string_view code) {
  const int file = kernel_file(function, program), first = first_kernel_line(code);
  std::vector<int> lines;
  for (std::size_t pc = 0; pc < function.code.size(); ++pc) {
    const int line = kernel_line(function, pc, file, first);
    lines.push_back(line > 0 ? line : kernel_line(function, pc, file));
  }
  return lines;
}

std::vector<InstructionRow> instruction_table(const Counters& counters, const ptx::Function& function,
                                              const ptx::Program& program) {
  const int file = kernel_file(function, program);
  std::vector<InstructionRow> rows;
  for (std::uint32_t pc = 0; pc < function.code.size() && pc < counters.instructions.size(); ++pc) {
    const InstructionCounters& counted = counters.instructions[pc];
    rows.push_back({pc, kernel_line(function, pc, file), ptx::print(function.code[pc], function, program),
                    counted, mean_lanes(counted)});
  }
  return rows;
}

LineTable line_table(const Counters& counters, const ptx::Function& function, const ptx::Program& program) {
  LineTable table;
  const int file = kernel_file(function, program);
  if (file >= 0) table.file = program.files[static_cast<std::size_t>(file)];
  std::map<int, LineRow> lines;
  for (std::uint32_t pc = 0; pc < function.code.size() && pc < counters.instructions.size(); ++pc) {
    LineRow& line = lines[kernel_line(function, pc, file)];
    add(line, pc, counters.instructions[pc]);
    add(table.total, pc, counters.instructions[pc]);
  }
  for (auto& [number, line] : lines) {
    line.line = number;
    set_shares(line, table.total);
    table.rows.push_back(std::move(line));
  }
  set_shares(table.total, table.total);
  return table;
}

}  // namespace warplens::report
