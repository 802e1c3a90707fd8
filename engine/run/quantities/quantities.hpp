// The numbers of a run, one row each. Lessons ask for them by their ids, `--json` has them at their places, and cards,
// comparison, copied tables, the gutter of the code and the glossary take title, meaning and value from here.
// Whoever needs more than one of them walks quantities(), so that a new row is in all of these.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/base/result.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/report/tables.hpp"
#include "engine/run/report.hpp"

namespace warplens::run {

using Amount = std::variant<double, std::string>;

enum class Better { neither, fewer, more };
// How it is written. count, bytes: whole numbers, which add up over the blocks; share: 0 to 1; truth: 0 or 1.
enum class Form { count, bytes, number, share, speed, truth, text };

// What was counted in a line of the source, an instruction, or a run.
struct Sums {
  std::uint64_t instructions = 0, thread_instructions = 0;  // of warps, and of their active lanes
  std::uint64_t diverged = 0;                               // warps that a branch sent two ways
  emulator::AccessCounts global = {}, shared = {};          // loads, stores and atomics
};
Sums sums_of(const Report& report);
Sums sums_of(const report::LineRow& line);
Sums sums_of(const emulator::InstructionCounters& instruction);

// Numbers of a block and a thread that are taken in place of the kernel's own.
struct ByHand {
  std::optional<int> threads = {}, registers = {};
  std::optional<std::int64_t> shared = {};  // bytes
  bool operator==(const ByHand&) const = default;
};
// On the device: the registers are those of its own machine code, 0 where they are not known.
device::ResourceUsage use_of(const Report& report, const ByHand& by_hand = {});

// Of what a row is computed: of sums, it can be asked of a line too; of counts, of a run alone; of a report, it is of the
// launch or the device (then by_hand counts) or of the result.
using OfSums = double (*)(const Sums& sums);
using OfCounts = double (*)(const emulator::Counts& counts);
using OfReport = Result<Amount> (*)(const Report& report, const ByHand& by_hand);

struct OnCard {
  std::string_view title, short_title;
};
struct Quantity {
  // Of one word: lessons have it. "global_load.sectors": only of this kind of access.
  std::string_view id;
  std::string_view json;  // its place in `--json`: "counts/warp_instructions"; empty: it is not there
  std::string_view title;
  std::string_view meaning;  // the formula behind the number, or what it is of; no full stop
  std::string_view unit;     // of one: "sector"; empty for shares, texts and bare numbers
  Form form = Form::count;
  Better better = Better::neither;
  std::variant<OfSums, OfCounts, OfReport> of;
  int compared = 0;  // its place among the rows of a comparison, from 1, behind those of the same; 0: none
  OnCard card = {};  // empty: it is on no card
  std::string_view forms = {};  // how texts write it, as in the glossary; empty: the glossary leaves it out

  bool is_of_lessons() const { return id.find('.') == std::string_view::npos; }
  // Counts of a sample are as many times more in the whole grid; shares and numbers for each of something are not.
  bool adds_up() const { return !std::holds_alternative<OfReport>(of) && form == Form::count; }
};
std::span<const Quantity> quantities();
// Null: there is none of this id.
const Quantity* find_quantity(std::string_view id);
// Those that two runs are compared by, in their order.
std::span<const Quantity* const> compared_quantities();

enum class Scope { grid, counted };  // the whole grid, or the blocks that were counted
// Errors: a number that the device, the engine or the compiler does not give.
Result<Amount> value(const Quantity& quantity, const Report& report, Scope scope = Scope::grid,
                     const ByHand& by_hand = {});
// "the grid has 1 block for 132 SMs that hold 8 each": why the occupancy is that of a full SM and not of the device. Empty where
// the grid has as many blocks as fit.
std::string why_not_full(const Report& report);
// The same where it is a number; nothing where it is not known. Precondition: there is a row of this id.
std::optional<double> number(std::string_view id, const Report& report, Scope scope = Scope::grid);
// Precondition: there is a row of this id, and it is computed of sums.
double number(std::string_view id, const Sums& sums);

// Blocks of the grid for each one that was counted: 1 where the counts are of all of them.
double grid_over_counted(const Report& report);

}  // namespace warplens::run
