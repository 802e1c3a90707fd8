// Instructions of the machine, by how often each ran; where there is no machine code, by what each line of PTX
// becomes (engine/time). Summed here by the text of the PTX that they are of.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/launches.hpp"
#include "engine/claims_check/found.hpp"
#include "engine/sass/executed.hpp"
#include "engine/time/ptx_work.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity, time::Unit;

// "fma.rn.f32", without the guard.
std::string_view opcode_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(text.find(' ') + 1);
  return text.substr(0, text.find_first_of(" \t;"));
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool is_one_of(std::string_view opcode, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    return opcode.starts_with(name) && opcode.size() > name.size() && opcode[name.size()] == '.';
  });
}

// What instructions are for, by what claims are of.
enum class Work : std::uint8_t { any, divide, approximate, integer, convert, real, product, wide };
constexpr std::array<std::pair<std::string_view, Work>, 8> kWorks = {
    {{"", Work::any},
     {"divisions", Work::divide},
     {"approximate divisions", Work::approximate},
     {"integer divisions", Work::integer},
     {"conversions", Work::convert},
     {"doubles", Work::real},
     {"multiply-adds", Work::product},
     {"integers of 64 bits", Work::wide}}};
// Nothing of another name.
template <class Value, std::size_t n>
std::optional<Value> named(const std::array<std::pair<std::string_view, Value>, n>& table,
                           std::string_view name) {
  const auto found = std::ranges::find(table, name, &std::pair<std::string_view, Value>::first);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

bool is_for(std::string_view opcode, Work work) {
  const bool divides = is_one_of(opcode, {"div", "rem"});
  const bool is_real = has(opcode, ".f32") || has(opcode, ".f64");
  switch (work) {
    case Work::any:
      break;
    case Work::divide:
      return divides && is_real && !has(opcode, ".approx");
    case Work::approximate:
      return divides && has(opcode, ".approx");
    case Work::integer:
      return divides && !is_real;
    case Work::convert:
      return is_one_of(opcode, {"cvt"}) && has(opcode, ".f32") && has(opcode, ".f64");
    case Work::real:
      return is_one_of(opcode, {"fma", "mad", "mul", "add", "sub"}) && opcode.ends_with(".f64");
    case Work::product:
      return is_one_of(opcode, {"fma", "mad"}) && opcode.ends_with(".f32");
    case Work::wide:
      return is_one_of(opcode, {"fma", "mad", "mul", "add", "sub", "shl", "shr", "and", "or", "xor"}) &&
             opcode.ends_with("64") && !opcode.ends_with(".f64");
  }
  return true;
}

// How often ptxas divides by what an approximate division divides by: as often as that is written.
double times_written(const Subject& s, std::string_view text, double executed) {
  if (!has(opcode_of(text), "div.") || !has(opcode_of(text), ".approx")) return executed;
  const std::size_t comma = text.rfind(',');
  const std::size_t from = text.find_first_not_of(" ,", comma), end = text.find_first_of(" ;,", from);
  const std::string divisor(text.substr(from, end - from));
  if (!divisor.starts_with('%')) return 0;
  double most = 0;
  for (const auto& row : s.run.instructions) {
    const std::size_t at = row.text.find(divisor + ",");
    const std::size_t first = row.text.find('%', row.text.starts_with('@') ? row.text.find(' ') : 0);
    if (at != std::string::npos && at == first)
      most = std::max(most, static_cast<double>(row.counters.executed));
  }
  return std::min(most, executed);
}

struct Sum {
  double written = 0, executed = 0;  // in PTX; of the machine
  std::array<double, time::kUnits> units{};
  void add(Unit unit, double count) { executed += count, units[static_cast<std::size_t>(unit)] += count; }
};
bool is_wanted(const Subject& s, int pc, int line, Work work) {
  if (pc < 0) return line == 0 && work == Work::any;
  const auto at = static_cast<std::size_t>(pc);
  return (line == 0 || s.run.kernel_lines[at] == line) &&
         is_for(opcode_of(s.run.instructions[at].text), work);
}
// By the rules of what PTX becomes.
void add_by_rules(Sum& sum, const Subject& s, int line, Work work) {
  const bool is_old = s.run.device().compute_capability < 30;
  for (std::uint32_t pc = 0; pc < s.run.instructions.size(); ++pc) {
    if (!is_wanted(s, static_cast<int>(pc), line, work)) continue;
    const auto& row = s.run.instructions[pc];
    const auto executed = static_cast<double>(row.counters.executed);
    for (const auto& piece :
         time::work_at(s.run.kernel->function(), pc, s.run.kernel->shared_accesses(), is_old).pieces)
      sum.add(piece.unit,
              piece.count * (piece.unit == Unit::special ? times_written(s, row.text, executed) : executed));
  }
}
// Of the instructions of this line (0: of all) that are for this work (empty: for any).
Sum sum_of(const Subject& s, int line, std::string_view work_name) {
  Sum sum;
  const auto work = named(kWorks, work_name);
  if (!work) return sum;
  for (std::size_t pc = 0; pc < s.run.instructions.size(); ++pc)
    if (is_wanted(s, static_cast<int>(pc), line, *work))
      sum.written += static_cast<double>(s.run.instructions[pc].counters.executed);
  const auto machine = once(s, "executed code", [&] { return sass::executed_code(s.run); });
  if (machine.code.empty()) add_by_rules(sum, s, line, *work);
  for (std::size_t i = 0; i < machine.code.size(); ++i) {
    const int pc = sass::pc_of(machine.code[i], s.run);
    const bool is_of_line = pc < 0 && *work == Work::any && machine.code[i].line == line;
    if (is_of_line || is_wanted(s, pc, line, *work)) sum.add(machine.code[i].unit, machine.executed[i]);
  }
  return sum;
}
double warps(const Subject& s) {
  return static_cast<double>(catalog::warps_in_block(s.run.plan().launch)) *
         static_cast<double>(s.run.emulation.outcome.counters.blocks_run);
}
Measured a_warp(const Subject& s, double amount) {
  return warps(s) > 0 ? Measured(one(amount / warps(s))) : std::nullopt;
}
Measured share(double part, double whole) { return whole > 0 ? Measured(one(part / whole)) : std::nullopt; }

Measured instructions(const Subject& s) { return a_warp(s, sum_of(s, 0, "").executed); }
Measured instructions_of_work(const Subject& s) { return a_warp(s, sum_of(s, 0, s.claim.of).executed); }
Measured share_of_line(const Subject& s) {
  const int line = std::atoi(s.claim.of.c_str());
  return line > 0 ? share(sum_of(s, line, "").executed, sum_of(s, 0, "").executed) : std::nullopt;
}
Measured share_of_work(const Subject& s) {
  return share(sum_of(s, 0, s.claim.of).executed, sum_of(s, 0, "").executed);
}
Measured share_of_the_rest(const Subject& s) {
  const auto share = share_of_work(s);
  return share ? Measured(one(1 - share->mean)) : std::nullopt;
}
using Units = std::array<Unit, 3>;
constexpr std::array<std::pair<std::string_view, Units>, 5> kUnits = {
    {{"float", {Unit::fma, Unit::fma, Unit::fma}},
     {"integer", {Unit::alu, Unit::fma_heavy, Unit::uniform}},
     {"special", {Unit::special, Unit::special, Unit::special}},
     {"special units", {Unit::special, Unit::special, Unit::special}},
     {"double", {Unit::fp64, Unit::fp64, Unit::fp64}}}};
std::optional<double> of_units_named(const Sum& sum, std::string_view name) {
  const auto units = named(kUnits, name);
  if (!units) return std::nullopt;
  double all = 0;
  for (std::size_t u = 0; u < time::kUnits; ++u)
    if (std::ranges::find(*units, static_cast<Unit>(u)) != units->end()) all += sum.units[u];
  return all;
}
Measured instructions_of_unit(const Subject& s) {
  const auto amount = of_units_named(sum_of(s, 0, ""), s.claim.of);
  return amount ? a_warp(s, *amount) : std::nullopt;
}
Measured operations(const Subject& s) {
  if (of_units_named({}, s.claim.of)) return instructions_of_unit(s);
  return a_warp(s, sum_of(s, 0, s.claim.of).written);
}
Measured instructions_each(const Subject& s) {
  const Sum sum = sum_of(s, 0, s.claim.of);
  return share(sum.executed, sum.written);
}
Measured units_a_cycle(const Subject& s) {
  const device::Device& device = s.run.device();
  if (s.claim.of == "double") return one(device.fp64_per_clock);
  if (s.claim.of.starts_with("special")) return one(device.special_per_clock);
  return s.claim.of == "float" ? one(device.fp32_lanes_per_sm) : Measured();
}
Measured warps_an_sm(const Subject& s) {
  const auto& size = s.run.report.grid;
  const auto& block = s.run.report.block;
  const double in_block = std::ceil(static_cast<double>(block[0]) * block[1] * block[2] / 32);
  return share(in_block * size[0] * size[1] * size[2], s.run.device().sm_count);
}
// CUDA C++ Programming Guide, mathematical functions, largest error over the whole range. Of powf its
// editions say 4 and 8: both are at most 8.
Measured error_in_ulp(const Subject& s) {
  static const std::map<std::string, double> errors = {{"sinf", 2}, {"cosf", 2},   {"tanf", 4},
                                                       {"expf", 2}, {"exp10f", 2}, {"log10f", 2},
                                                       {"logf", 1}, {"log2f", 1},  {"powf", 8}};
  const auto found = errors.find(s.claim.of);
  return found == errors.end() ? std::nullopt : Measured(one(found->second));
}
Measured digits_of_float(const Subject&) { return one(std::floor(24 * std::log10(2.0))); }

}  // namespace

std::vector<Row> instruction_measures() {
  return {{Quantity::instructions, instructions},
          {Quantity::instructions_of_work, instructions_of_work},
          {Quantity::share_of_line, share_of_line},
          {Quantity::share_of_work, share_of_work},
          {Quantity::share_of_the_rest, share_of_the_rest},
          {Quantity::instructions_of_unit, instructions_of_unit},
          {Quantity::operations, operations},
          {Quantity::instructions_each, instructions_each},
          {Quantity::units_a_cycle, units_a_cycle},
          {Quantity::warps_an_sm, warps_an_sm},
          {Quantity::error_in_ulp, error_in_ulp},
          {Quantity::digits_of_float, digits_of_float}};
}

}  // namespace warplens::claims_check
