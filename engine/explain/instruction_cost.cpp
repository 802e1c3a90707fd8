#include "engine/explain/instruction_cost.hpp"

#include <algorithm>
#include <map>

#include "engine/catalog/launches.hpp"
#include "engine/sass/executed.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/ptx_work.hpp"

namespace warplens::explain {
namespace {

using ptx::Opcode, ptx::Type, time::Unit;

// As many cycles as of accesses, times this, and nobody doubts what the step costs; where a thread executes
// fewer instructions than that, most of them lead to its accesses.
// But for doubles and conversions to them, of which no address is made.
constexpr double kDecides = 2, kLeastInstructions = 100, kMuchOfDoubles = 0.25;
constexpr double kFullLanes = 0.95;  // a rare way through a function is none of a line

bool is_of_64_bits(Type type) { return type == Type::b64 || type == Type::u64 || type == Type::s64; }
bool is_real(Type type) { return type == Type::f32 || type == Type::f64; }

Work work_for(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
      if (!ptx::is_float(i.type) && i.type != Type::f64) return Work::integer_division;
      return i.approximate ? Work::function : Work::division;
    case Opcode::cvt:
      return is_real(i.type) && is_real(i.source_type) && i.type != i.source_type ? Work::conversion
                                                                                  : Work::other;
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
      return Work::function;
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::mul:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
      if (i.type == Type::f64) return Work::doubles;
      if (is_of_64_bits(i.type)) return Work::wide;
      return i.type == Type::f32 && (i.opcode == Opcode::fma || i.opcode == Opcode::mad) ? Work::product
                                                                                         : Work::other;
    default:
      return Work::other;
  }
}

// Cycles of a multiprocessor that a warp's instruction of a unit takes, by the unit or by its issue.
class Rates {
 public:
  explicit Rates(const device::Device& device) {
    const time::Parameters p = time::parameters_of(device);
    issue_ = p.issue_interval / p.parts;
    cycles_.fill(issue_);
    const auto set = [&](Unit unit, double lanes) {
      if (lanes > 0) cycles_[static_cast<std::size_t>(unit)] = std::max(issue_, 32 / lanes);
    };
    set(Unit::fma, device.fp32_lanes_per_sm);
    set(Unit::fma_heavy, device.multiplies_per_clock);
    set(Unit::alu, device.integer_per_clock);
    set(Unit::special, device.special_per_clock);
    set(Unit::fp64, device.fp64_per_clock > 0 ? device.fp64_per_clock : device.fp32_lanes_per_sm);
  }
  double of(Unit unit) const { return cycles_[static_cast<std::size_t>(unit)]; }

 private:
  double issue_ = 0.25;
  std::array<double, time::kUnits> cycles_{};
};

// How often what the instruction divides by is written: ptxas takes the reciprocal of what stays the same out
// of a loop, where the last bit does not matter.
double times_divisor_changes(const run::Run& run, const ptx::Instruction& i, double executed) {
  if (!i.approximate || i.opcode != Opcode::div || i.operands.size() < 3) return executed;
  if (i.operands[2].kind != ptx::Operand::Kind::reg) return 0;
  const auto& code = run.kernel->function().code;
  double most = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    for (int d = 0; d < code[pc].destinations; ++d)
      if (const auto& to = code[pc].operands[static_cast<std::size_t>(d)];
          to.kind == ptx::Operand::Kind::reg && to.register_id == i.operands[2].register_id)
        most = std::max(most, static_cast<double>(run.instructions[pc].counters.executed));
  return std::min(most, executed);
}

void add(LineInstructions& line, Work work, const InstructionAmount& amount) {
  for (InstructionAmount* to : {&line.all, &line.of[static_cast<std::size_t>(work)]})
    to->ptx += amount.ptx, to->instructions += amount.instructions, to->cycles += amount.cycles;
}

double traffic_of(const run::Run& run) {
  const emulator::Counters& all = run.emulation.outcome.counters;
  const device::Device& device = run.device();
  const double sectors = static_cast<double>(all.global_load.sectors + all.global_store.sectors +
                                             all.global_atomic.sectors + all.local_load.sectors +
                                             all.local_store.sectors),
               wavefronts = static_cast<double>(all.shared_load.wavefronts + all.shared_store.wavefronts +
                                                all.shared_atomic.wavefronts);
  const time::Parameters p = time::parameters_of(device);
  const double l2 = device.sm_count > 0 ? sectors * device.sm_count / p.l2_sectors : 0;
  return std::max(l2, sectors / p.l1_sectors) +
         wavefronts / std::max(device.shared_wavefronts_per_clock, 0.25);
}

using LinesByNumber = std::map<int, LineInstructions>;

void add_piece(InstructionCost& cost, LineInstructions& line, Work work, Unit unit, double count,
               double cycles) {
  const InstructionAmount amount{.instructions = count, .cycles = count * cycles};
  for (LineInstructions* to : {&line, &cost.total})
    add(*to, work, amount), to->units[static_cast<std::size_t>(unit)] += count;
}

// What the PTX says: how often each kind of work is written.
void add_written(InstructionCost& cost, LinesByNumber& lines, const run::Run& run) {
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    const ptx::Instruction& one = run.kernel->function().code[pc];
    const auto executed = static_cast<double>(run.instructions[pc].counters.executed);
    if (executed == 0) continue;
    if (one.opcode == Opcode::div && one.approximate) cost.approximate_divisions += executed;
    for (LineInstructions* to : {&lines[run.kernel_lines[pc]], &cost.total})
      add(*to, work_for(one), {.ptx = executed});
  }
}

// What PTX is known to become, where there is no machine code.
void add_by_rules(InstructionCost& cost, LinesByNumber& lines, const run::Run& run, const Rates& rates) {
  const bool old = run.device().compute_capability < 30;
  const auto& accesses = run.kernel->shared_accesses();
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc) {
    const ptx::Instruction& one = run.kernel->function().code[pc];
    const auto executed = static_cast<double>(run.instructions[pc].counters.executed);
    if (executed == 0) continue;
    const double changes = times_divisor_changes(run, one, executed);
    for (const auto& piece : time::work_at(run.kernel->function(), pc, accesses, old).pieces)
      add_piece(cost, lines[run.kernel_lines[pc]], work_for(one), piece.unit,
                piece.count * (piece.unit == Unit::special ? changes : executed), rates.of(piece.unit));
  }
}

void add_machine_code(InstructionCost& cost, LinesByNumber& lines, const run::Run& run, const Rates& rates,
                      const sass::ExecutedCode& machine) {
  for (std::size_t i = 0; i < machine.code.size(); ++i) {
    if (machine.executed[i] == 0) continue;
    const time::Instruction& one = machine.code[i];
    const int pc = sass::pc_of(one, run);
    const int line = pc < 0 ? one.line : run.kernel_lines[static_cast<std::size_t>(pc)];
    const Work work =
        pc < 0 ? Work::other : work_for(run.kernel->function().code[static_cast<std::size_t>(pc)]);
    add_piece(cost, lines[line], work, one.unit, machine.executed[i], rates.of(one.unit));
  }
}

void list_lines(InstructionCost& cost, LinesByNumber& lines) {
  for (auto& [number, line] : lines) line.line = number, cost.lines.push_back(line);
  std::ranges::stable_sort(cost.lines, std::greater{}, [](const auto& line) { return line.all.cycles; });
}

InstructionCost cost_with(const run::Run& run, const auto& add_instructions) {
  InstructionCost cost;
  cost.warps = static_cast<double>(catalog::warps_in_block(run.plan().launch)) *
               static_cast<double>(run.emulation.outcome.counters.blocks_run);
  cost.traffic_cycles = traffic_of(run);
  LinesByNumber lines;
  add_written(cost, lines, run);
  add_instructions(cost, lines);
  list_lines(cost, lines);
  return cost;
}

}  // namespace

double amount_of(const LineInstructions& line, const UnitKind& kind) {
  double sum = 0;
  for (std::size_t u = 0; u < time::kUnits; ++u)
    if (std::ranges::find(kind.units, static_cast<Unit>(u)) != kind.units.end()) sum += line.units[u];
  return sum;
}

bool InstructionCost::decides() const {
  const auto cycles_of = [&](Work work) { return total.of[static_cast<std::size_t>(work)].cycles; };
  const bool is_much =
      a_thread(total.all.instructions) >= kLeastInstructions ||
      cycles_of(Work::doubles) + cycles_of(Work::conversion) >= kMuchOfDoubles * total.all.cycles;
  return is_much && total.all.cycles >= kDecides * traffic_cycles;
}

InstructionCost instruction_cost(const run::Run& run) {
  if (!run.complete || run.kernel == nullptr) return {};
  const Rates rates(run.device());
  InstructionCost by_rules =
      cost_with(run, [&](auto& cost, auto& lines) { add_by_rules(cost, lines, run, rates); });
  // The machine code is read where it is spoken of.
  if (!by_rules.decides()) return by_rules;
  const sass::ExecutedCode machine = sass::executed_code(run);
  if (machine.code.empty()) return by_rules;
  return cost_with(run, [&](auto& cost, auto& lines) { add_machine_code(cost, lines, run, rates, machine); });
}

bool counts_instructions(const run::Run& run, const InstructionCost& cost, int line) {
  const auto rules = instruction_rules();
  if (!cost.decides()) return false;
  const RuleId whole = explain_step(run, cost).rule;
  if (std::ranges::find(rules, whole) == rules.end()) return false;
  // Branches of a function of doubles are part of what it costs.
  if (whole == RuleId::double_by_accident && cost.lines.front().line == line) return true;
  double executed = 0, lanes = 0;
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc)
    if (run.kernel_lines[pc] == line) {
      executed += static_cast<double>(run.instructions[pc].counters.executed);
      lanes += static_cast<double>(run.instructions[pc].counters.lanes);
    }
  return executed > 0 && lanes >= kFullLanes * 32 * executed;
}

}  // namespace warplens::explain
