// Loops of the PTX found again in machine code by the lines that they are of. How often those of the PTX turn
// was counted; machine code may turn fewer times, with several rounds in one.
#pragma once

#include <map>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/anchors.hpp"
#include "engine/time/machine_loops.hpp"

namespace warplens::time {

// Of PTX: what its instructions come to in machine code, by source line.
struct WorkByLine {
  std::map<int, double> lines;
  double all = 0;
  void add(int line, double work) { lines[line] += work, all += work; }
};
struct CountedLoop {
  WorkByLine work;      // of one turn that takes every way through its body
  double executed = 0;  // of that, by a warp, on average
  double turns = 0;     // of a warp, on average
};
std::vector<CountedLoop> counted_loops(const ptx::Function& function, const emulator::Counters& counters,
                                       const std::vector<emulator::VectorizedAccess>& accesses, double warps);

// Equations for loops of the machine code that no anchor counts.
std::vector<Equation> equations_of_loops(const std::vector<CountedLoop>& counted,
                                         const std::vector<Instruction>& code,
                                         const std::vector<Block>& blocks, const std::vector<Loop>& loops,
                                         const Unknowns& unknowns, const Singles& singles);

// Of the loops that matter, the least share of the work on its lines that the machine code executes: well
// below 1 where a loop was lost. all: of the whole function, executed by a warp.
double least_kept(const std::vector<CountedLoop>& counted, const WorkByLine& all,
                  const std::vector<Instruction>& code, const MachineFlow& flow);
WorkByLine executed_work(const ptx::Function& function, const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps);

}  // namespace warplens::time
