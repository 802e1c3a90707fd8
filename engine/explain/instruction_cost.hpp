// What the instructions of a run cost, line by line: how many the machine executes for its PTX, of which
// units and for what; and whether they are what the run costs, or its accesses.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/explain/explain.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::explain {

// What PTX instructions are for, where the machine needs several for one, or a unit of few lanes.
enum class Work : std::uint8_t {
  other,
  product,           // multiply-adds of floats, one instruction each
  division,          // of floats, to the last bit
  integer_division,  // and remainders
  conversion,        // from float to double and back
  doubles,
  function,  // sines, powers of two, reciprocals: of the special units
  wide,      // integers of 64 bits, but not those that are addresses
};
inline constexpr std::size_t kWorks = 8;

// Instructions of warps and cycles of a multiprocessor, of all that ran.
struct InstructionAmount {
  double ptx = 0, instructions = 0, cycles = 0;
};
struct LineInstructions {
  int line = 0;  // of the kernel's own text; 0: unknown
  InstructionAmount all;
  std::array<InstructionAmount, kWorks> of{};  // by Work
  std::array<double, time::kUnits> units{};    // instructions, by time::Unit
};
// The units that a class knows as one.
struct UnitKind {
  std::string_view name;  // "integer"
  std::array<time::Unit, 3> units;
};
inline constexpr std::array kUnitKinds = {
    UnitKind{"float", {time::Unit::fma, time::Unit::fma, time::Unit::fma}},
    UnitKind{"integer", {time::Unit::alu, time::Unit::fma_heavy, time::Unit::uniform}},
    UnitKind{"special", {time::Unit::special, time::Unit::special, time::Unit::special}},
    UnitKind{"double", {time::Unit::fp64, time::Unit::fp64, time::Unit::fp64}},
    UnitKind{"memory", {time::Unit::memory, time::Unit::shuffle, time::Unit::tensor}},
    UnitKind{"jumps and moves", {time::Unit::none, time::Unit::none, time::Unit::none}}};
inline constexpr std::size_t kArithmeticKinds = 4;  // the first ones
// Instructions of the units of a kind.
double amount_of(const LineInstructions& line, const UnitKind& kind);

struct InstructionCost {
  std::vector<LineInstructions> lines;  // the costliest first
  LineInstructions total;
  double approximate_divisions = 0;  // as written
  double warps = 0;                  // that ran
  double traffic_cycles = 0;         // of L1, L2 and shared memory
  // Whether a multiprocessor is busy with instructions for much longer than with accesses.
  bool decides() const;
  double a_thread(double instructions) const { return warps > 0 ? instructions / warps : 0; }
};
// By the run's machine code where its instructions decide, else by what such PTX becomes (time::work_at).
InstructionCost instruction_cost(const run::Run& run);

// Whether what is said of a line is how many instructions it takes: where these are what
// the run as a whole costs, and its lanes all work.
bool counts_instructions(const run::Run& run, const InstructionCost& cost, int line);

// Explains the costliest line if instructions decide; else says nothing.
Explanation explain(const InstructionCost& cost, const run::Run& run);
std::span<const RuleId> instruction_rules();

// Does the same as explain(run) of explain.hpp, for callers that know the cost of its instructions.
Explanation explain_step(const run::Run& run, const InstructionCost& cost);

// The costliest line of a complete run whose instructions are what it costs as a whole; 0 where that is
// something else.
int line_of_instructions(const run::Run& run);

}  // namespace warplens::explain
