#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "engine/catalog/launches.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {
namespace {

using time::Unit;

struct Told {
  const InstructionCost& cost;
  const run::Run& run;
  const LineInstructions& line;  // the costliest
};

const InstructionAmount& of(const LineInstructions& line, Work work) {
  return line.of[static_cast<std::size_t>(work)];
}
double share_of(const Told& t, Work work) {  // of all cycles
  return t.cost.total.all.cycles > 0 ? of(t.cost.total, work).cycles / t.cost.total.all.cycles : 0;
}
double each(const InstructionAmount& amount) { return amount.ptx > 0 ? amount.instructions / amount.ptx : 0; }

// ---- what is claimed

constexpr std::array<std::string_view, kWorks> kWorkNames = {
    "other",       "multiply-adds", "divisions", "integer divisions",
    "conversions", "doubles",       "functions", "integers of 64 bits"};
std::string name_of(Work work) { return std::string(kWorkNames[static_cast<std::size_t>(work)]); }

Claim a_thread(const Told& t, Quantity quantity, double amount) {
  return claim::number(quantity, t.cost.a_thread(amount), Scope::thread);
}
Claim of_work(const Told& t, Work work) {  // as written
  return claim::of(a_thread(t, Quantity::operations, of(t.cost.total, work).ptx), name_of(work));
}
Claim all_instructions(const Told& t) {
  return a_thread(t, Quantity::instructions, t.cost.total.all.instructions);
}
Claim share_of_all(Claim share) {
  share.shown += " of all instructions";
  return share;
}
Claim share_of_work(const Told& t, Work work) {
  return claim::of(
      percent(Quantity::share_of_work, of(t.cost.total, work).instructions / t.cost.total.all.instructions,
              Scope::kernel),
      name_of(work));
}
// "64 divisions a thread: 84 % of all instructions"
Said amount_words(const Told& t, Work work) {
  return say("{} {} a thread: {}",
             {of_work(t, work), claim::name(name_of(work)), share_of_all(share_of_work(t, work))});
}
Said stand_in(const Told& t, Work work) {
  return say(
      "a division becomes {} instructions",
      {claim::of(claim::number(Quantity::instructions_each, each(of(t.cost.total, work)), Scope::kernel),
                 name_of(work))});
}
Claim line_claim(const Told& t) { return claim::number(Quantity::line, t.line.line, Scope::line); }

std::string_view text_of(const Told& t) {
  const auto at = static_cast<std::size_t>(t.line.line);
  return at >= 1 && at <= t.run.source_lines.size() ? t.run.source_lines[at - 1] : std::string_view();
}

// Functions of the library that have a quick form of fewer bits, and their largest errors in units of the
// last place: CUDA C++ Programming Guide, mathematical functions (of its editions the larger one).
struct LibraryFunction {
  std::string_view name;
  int ulp;
};
constexpr std::array kExact = {
    LibraryFunction{"sinf", 2},   LibraryFunction{"cosf", 2},   LibraryFunction{"tanf", 4},
    LibraryFunction{"expf", 2},   LibraryFunction{"exp10f", 2}, LibraryFunction{"log2f", 1},
    LibraryFunction{"log10f", 2}, LibraryFunction{"logf", 1},   LibraryFunction{"powf", 8}};
// The one that the costliest line calls; null where it calls none.
const LibraryFunction* called(const Told& t) {
  const std::string_view text = text_of(t);
  for (const LibraryFunction& function : kExact) {
    const std::string_view name = function.name;
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos || at + name.size() >= text.size() || text[at + name.size()] != '(')
      continue;
    const bool is_longer =
        at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_');
    if (!is_longer) return &function;
  }
  return nullptr;
}

bool runs_loop(const Told& t) {
  const std::string_view text = text_of(t);
  const std::size_t at = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  // What stands behind its parentheses is its body.
  if (last == std::string_view::npos || (text[last] != ')' && text[last] != '{')) return false;
  return at != std::string_view::npos &&
         (text.substr(at).starts_with("for (") || text.substr(at).starts_with("while ("));
}
double line_share(const Told& t) { return t.line.all.instructions / t.cost.total.all.instructions; }
Claim line_share_claim(const Told& t) {
  return claim::of(percent(Quantity::share_of_line, line_share(t), Scope::kernel),
                   std::to_string(t.line.line));
}

// Of all cycles, those of the units for functions and conversions.
double special_share(const Told& t) {
  const double lanes = t.run.device().special_per_clock;
  return lanes > 0 ? t.cost.total.units[static_cast<std::size_t>(Unit::special)] * 32 / lanes /
                         t.cost.total.all.cycles
                   : 0;
}

double special_operations(const Told& t) {
  return t.cost.total.units[static_cast<std::size_t>(Unit::special)];
}

// Warps of the grid for each SM; 0 where their number is not known.
double warps_an_sm(const Told& t) {
  const run::Plan& plan = t.run.plan();
  const double sms = t.run.device().sm_count;
  return sms > 0 ? static_cast<double>(catalog::warps_in_block(plan.launch)) *
                       static_cast<double>(catalog::blocks_in_grid(plan.launch)) / sms
                 : 0;
}
// A result comes 4 cycles after its operation, in each of 4 parts: so many keep them busy with chains. Where a twentieth is missing
// or less, there is nothing to be gained.
constexpr double kWarpsThatFill = 16, kFewWarps = 0.95 * kWarpsThatFill;
bool is_multiplying(const Told& t) {
  return of(t.cost.total, Work::product).instructions >= 0.5 * t.cost.total.all.instructions;
}

// The units of arithmetic that most instructions need.
const UnitKind& most_used(const Told& t) {
  return *std::ranges::max_element(std::span(kUnitKinds).first(kArithmeticKinds), {},
                                   [&](const UnitKind& kind) { return amount_of(t.cost.total, kind); });
}
Claim rate_of(const Told&, std::string_view unit, double lanes) {
  return claim::of(claim::number(Quantity::units_a_cycle, lanes, Scope::device), std::string(unit));
}

// Of all cycles, those of the units of doubles, and of conversions: functions of doubles are made of more than products.
double double_share(const Told& t) {
  const double lanes = t.run.device().fp64_per_clock;
  if (lanes <= 0 || t.cost.total.all.cycles <= 0) return 0;
  return t.cost.total.units[static_cast<std::size_t>(Unit::fp64)] * 32 / lanes / t.cost.total.all.cycles +
         share_of(t, Work::conversion);
}
// Nothing of 64 bits comes from an array or goes there, and the text does not speak of doubles: what is computed in
// double was a float before.
bool has_no_doubles(const run::Run& run) {
  constexpr std::string_view kDouble = "double";
  const auto& code = run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const ptx::Instruction& i = code[pc];
    const bool is_access = i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::st ||
                           i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red;
    const bool is_of_array = i.space != ptx::Space::param && i.space != ptx::Space::local;
    if (is_access && is_of_array && ptx::size_in_bytes(i.type) == 8) return false;
  }
  const std::string_view text = run.plan().spec.code;
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; (at = text.find(kDouble, at)) != std::string_view::npos; at += kDouble.size())
    if ((at == 0 || !is_of_word(text[at - 1])) &&
        (at + kDouble.size() >= text.size() || !is_of_word(text[at + kDouble.size()])))
      return false;
  return true;
}

struct Rule {
  RuleId id;
  Verdict verdict;
  bool (*holds)(const Told&);
  Said (*what)(const Told&);
  Said (*why)(const Told&);
  Said (*fix)(const Told&);
};

constexpr std::array kRules = {
    Rule{RuleId::loop, Verdict::costly, [](const Told& t) { return runs_loop(t) && line_share(t) >= 0.5; },
         [](const Told& t) { return say("{} run the loop", {share_of_all(line_share_claim(t))}); },
         [](const Told& t) { return say("line {} also counts and jumps in its rounds", {line_claim(t)}); },
         [](const Told&) { return say("unroll it: several rounds for one jump"); }},
    Rule{RuleId::division, Verdict::costly, [](const Told& t) { return share_of(t, Work::division) >= 0.4; },
         [](const Told& t) { return amount_words(t, Work::division); },
         [](const Told& t) { return stand_in(t, Work::division); },
         [](const Told&) {
           return say("multiply by the reciprocal, or {} where the last bits do not matter",
                      {claim::of(claim::name("__fdividef"), "CUDA")});
         }},
    Rule{RuleId::integer_division, Verdict::costly,
         [](const Told& t) { return share_of(t, Work::integer_division) >= 0.4; },
         [](const Told& t) { return amount_words(t, Work::integer_division); },
         [](const Told& t) { return stand_in(t, Work::integer_division); },
         [](const Told&) { return say("shift and mask, or a divisor that the compiler knows"); }},
    Rule{RuleId::double_by_accident, Verdict::costly,
         [](const Told& t) { return share_of(t, Work::conversion) >= 0.3; },
         [](const Told& t) {
           return say("floats computed in double: {} conversions a thread", {of_work(t, Work::conversion)});
         },
         [](const Told& t) { return say("floats of line {} go to double and back", {line_claim(t)}); },
         [](const Told&) {
           return say("end its constants with f: {} is a float, {} a double",
                      {claim::of(claim::name("0.5f"), "CUDA"), claim::of(claim::name("0.5"), "CUDA")});
         }},
    Rule{RuleId::double_by_accident, Verdict::costly,
         [](const Told& t) { return double_share(t) >= 0.3 && has_no_doubles(t.run); },
         [](const Told& t) {
           return say("floats computed in double: {} operations in double a thread",
                      {of_work(t, Work::doubles)});
         },
         [](const Told& t) { return say("floats of line {} go to double and back", {line_claim(t)}); },
         [](const Told&) {
           return say("end its constants with f, and its functions: {} and {} are of doubles",
                      {claim::of(claim::name("0.5"), "CUDA"), claim::of(claim::name("tanh"), "CUDA")});
         }},
    Rule{RuleId::doubles, Verdict::neutral,
         [](const Told& t) { return t.run.device().fp64_per_clock > 0 && share_of(t, Work::doubles) >= 0.4; },
         [](const Told& t) { return say("{} operations in double a thread", {of_work(t, Work::doubles)}); },
         [](const Told& t) {
           return say("an SM does {} doubles a cycle, and {} floats",
                      {rate_of(t, "double", t.run.device().fp64_per_clock),
                       rate_of(t, "float", t.run.device().fp32_lanes_per_sm)});
         },
         [](const Told&) {
           return say("float, where its {} digits are enough",
                      {claim::number(Quantity::digits_of_float, 7, Scope::device)});
         }},
    Rule{RuleId::library_function, Verdict::costly,
         [](const Told& t) { return called(t) != nullptr && line_share(t) >= 0.5; },
         [](const Told& t) {
           return say("{} instructions a thread: {} of them for {}",
                      {all_instructions(t), line_share_claim(t), claim::name(called(t)->name)});
         },
         [](const Told& t) {
           return say("a long sequence of instructions: its error is at most {} ulp",
                      {claim::of(claim::number(Quantity::error_in_ulp, called(t)->ulp, Scope::device),
                                 std::string(called(t)->name))});
         },
         [](const Told& t) {
           return say("{} where fewer bits are enough",
                      {claim::of(claim::name(fmt::format("__{}", called(t)->name)), "CUDA")});
         }},
    Rule{RuleId::one_reciprocal, Verdict::neutral,
         [](const Told& t) {
           const double divisions = t.cost.approximate_divisions;
           return divisions > 0 && 2 * special_operations(t) <= divisions &&
                  share_of(t, Work::function) >= 0.2;
         },
         [](const Told& t) {
           const double taken = t.cost.a_thread(special_operations(t));
           return say(
               taken == 1 ? "{} divisions a thread, with {} operation of the special function units"
                          : "{} divisions a thread, with {} operations of the special function units",
               {claim::of(a_thread(t, Quantity::operations, t.cost.approximate_divisions),
                          "approximate divisions"),
                claim::of(claim::number(Quantity::operations, taken, Scope::thread), "special units")});
         },
         [](const Told&) {
           return say(
               "the divisor stays the same: its reciprocal is taken before the loop, and multiplied by");
         },
         [](const Told&) { return Said{}; }},
    Rule{RuleId::special_units, Verdict::neutral, [](const Told& t) { return special_share(t) >= 0.4; },
         [](const Told& t) {
           return say("{} operations of the special function units a thread",
                      {claim::of(a_thread(t, Quantity::operations,
                                          t.cost.total.units[static_cast<std::size_t>(Unit::special)]),
                                 "special units")});
         },
         [](const Told& t) {
           return say("an SM does {} functions or conversions a cycle, and {} multiply-adds",
                      {rate_of(t, "special", t.run.device().special_per_clock),
                       rate_of(t, "float", t.run.device().fp32_lanes_per_sm)});
         },
         [](const Told&) { return Said{}; }},
    Rule{RuleId::wide_integers, Verdict::costly, [](const Told& t) { return share_of(t, Work::wide) >= 0.4; },
         [](const Told& t) {
           return say("{} instructions a thread for {}",
                      {claim::of(a_thread(t, Quantity::instructions_of_work,
                                          of(t.cost.total, Work::wide).instructions),
                                 name_of(Work::wide)),
                       claim::of(claim::name(name_of(Work::wide)), "CUDA")});
         },
         [](const Told&) {
           return say("units have {}: a product of twice as many takes several instructions",
                      {claim::of(claim::name("32 bits"), "CUDA")});
         },
         [](const Told&) {
           return say("{}, where the numbers fit", {claim::of(claim::name("32 bits"), "CUDA")});
         }},
    Rule{RuleId::few_warps, Verdict::neutral,
         [](const Told& t) {
           const double warps = warps_an_sm(t);
           return is_multiplying(t) && warps > 0 && warps < kFewWarps;
         },
         [](const Told& t) { return amount_words(t, Work::product); },
         [](const Told& t) {
           Claim warps = rounded(Quantity::warps_an_sm, warps_an_sm(t), 3, Scope::device);
           warps.shown += warps.shown == "1" ? " warp" : " warps";
           return say("{} for an SM: too few to fill its units with one chain of products a thread",
                      {std::move(warps)});
         },
         [](const Told&) { return say("more warps, or several chains in a thread"); }},
    Rule{RuleId::multiply_adds, Verdict::good, is_multiplying,
         [](const Told& t) { return amount_words(t, Work::product); },
         [](const Told& t) {
           const double rest =
               1 - of(t.cost.total, Work::product).instructions / t.cost.total.all.instructions;
           return say("{} move data or loop",
                      {claim::of(percent(Quantity::share_of_the_rest, rest, Scope::kernel),
                                 name_of(Work::product))});
         },
         [](const Told&) { return Said{}; }},
    Rule{RuleId::instructions, Verdict::neutral, [](const Told& t) { return t.line.line > 0; },
         [](const Told& t) {
           const UnitKind& most = most_used(t);
           const double of_unit = amount_of(t.cost.total, most);
           return say(
               "{} of {} instructions a thread are {} instructions",
               {claim::of(a_thread(t, Quantity::instructions_of_unit, of_unit), std::string(most.name)),
                all_instructions(t), claim::name(most.name)});
         },
         [](const Told& t) {
           return say("{} are of line {}", {share_of_all(line_share_claim(t)), line_claim(t)});
         },
         [](const Told&) { return Said{}; }},
};

constexpr auto kIds = [] {
  std::array<RuleId, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const RuleId> instruction_rules() { return kIds; }

int line_of_instructions(const run::Run& run) {
  const InstructionCost cost = instruction_cost(run);
  const Explanation whole = explain_step(run, cost);
  if (std::ranges::find(kIds, whole.rule) == kIds.end()) return 0;
  return cost.lines.empty() ? 0 : cost.lines.front().line;
}

Explanation explain(const InstructionCost& cost, const run::Run& run) {
  if (!cost.decides() || cost.lines.empty()) return {};
  const Told told{cost, run, cost.lines.front()};
  for (const Rule& rule : kRules)
    if (rule.holds(told))
      return made_of(rule.id, rule.verdict, {rule.what(told), rule.why(told), rule.fix(told)},
                     CostKind::instructions);
  return {};
}

}  // namespace warplens::explain
