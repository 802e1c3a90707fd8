#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/explain/instruction_cost.hpp"

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
std::string whole(double value) { return grouped(static_cast<std::uint64_t>(value + 0.5)); }
std::string a_thread(const Told& t, double amount) { return whole(t.cost.a_thread(amount)); }
std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
double each(const InstructionAmount& amount) { return amount.ptx > 0 ? amount.instructions / amount.ptx : 0; }
std::string share_of_all(const Told& t, Work work) {
  return percent(of(t.cost.total, work).instructions / t.cost.total.all.instructions);
}
// "64 divisions a thread: 84 % of all instructions"
std::string amount_words(const Told& t, Work work, std::string_view what) {
  return fmt::format("{} {} a thread: {} of all instructions", a_thread(t, of(t.cost.total, work).ptx), what,
                     share_of_all(t, work));
}

std::string_view text_of(const Told& t) {
  const auto at = static_cast<std::size_t>(t.line.line);
  return at >= 1 && at <= t.run.source_lines.size() ? t.run.source_lines[at - 1] : std::string_view();
}

// Functions of the library that have a quick form of fewer bits.
constexpr std::array<std::string_view, 9> kExact = {"sinf",  "cosf",   "tanf", "expf", "exp10f",
                                                    "log2f", "log10f", "logf", "powf"};
// The one that the costliest line calls; empty where it calls none.
std::string_view called(const Told& t) {
  const std::string_view text = text_of(t);
  for (const std::string_view name : kExact) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos || at + name.size() >= text.size() || text[at + name.size()] != '(')
      continue;
    const bool is_longer =
        at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_');
    if (!is_longer) return name;
  }
  return {};
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

// Of all cycles, those of the units for functions and conversions.
double special_share(const Told& t) {
  const double lanes = t.run.device().special_per_clock;
  return lanes > 0 ? t.cost.total.units[static_cast<std::size_t>(Unit::special)] * 32 / lanes /
                         t.cost.total.all.cycles
                   : 0;
}

// Warps of the grid for each SM; 0 where their number is not known.
double warps_an_sm(const Told& t) {
  const run::Plan& plan = t.run.plan();
  const double sms = t.run.device().sm_count;
  return sms > 0 ? static_cast<double>(catalog::warps_in_block(plan.launch)) *
                       static_cast<double>(catalog::blocks_in_grid(plan.launch)) / sms
                 : 0;
}
// A result comes 4 cycles after its operation, in each of 4 parts: fewer cannot keep them busy with chains.
constexpr double kFewWarps = 16;
bool is_multiplying(const Told& t) {
  return of(t.cost.total, Work::product).instructions >= 0.5 * t.cost.total.all.instructions;
}

// "integer"
struct UnitName {
  Unit unit;
  std::string_view name;
};
constexpr std::array kUnitNames = {UnitName{Unit::fma, "float"}, UnitName{Unit::alu, "integer"},
                                   UnitName{Unit::fma_heavy, "integer products"},
                                   UnitName{Unit::special, "special"}, UnitName{Unit::fp64, "double"}};

struct Rule {
  std::string_view id;
  Verdict verdict;
  bool (*holds)(const Told&);
  std::string (*what)(const Told&);
  std::string (*why)(const Told&);
  std::string (*fix)(const Told&);
};

constexpr std::array kRules = {
    Rule{
        "loop", Verdict::costly, [](const Told& t) { return runs_loop(t) && line_share(t) >= 0.5; },
        [](const Told& t) {
          return fmt::format("{} of all instructions only run the loop", percent(line_share(t)));
        },
        [](const Told& t) { return fmt::format("each round of line {} also counts and jumps", t.line.line); },
        [](const Told&) { return std::string("unroll it: several rounds for one jump"); }},
    Rule{"division", Verdict::costly, [](const Told& t) { return share_of(t, Work::division) >= 0.4; },
         [](const Told& t) { return amount_words(t, Work::division, "divisions"); },
         [](const Told& t) {
           return fmt::format("no unit divides: {} instructions stand in for a division",
                              whole(each(of(t.cost.total, Work::division))));
         },
         [](const Told&) {
           return std::string("multiply by the reciprocal, or __fdividef where the last bits do not matter");
         }},
    Rule{"integer division", Verdict::costly,
         [](const Told& t) { return share_of(t, Work::integer_division) >= 0.4; },
         [](const Told& t) { return amount_words(t, Work::integer_division, "integer divisions"); },
         [](const Told& t) {
           return fmt::format("no unit divides: {} instructions stand in for a division",
                              whole(each(of(t.cost.total, Work::integer_division))));
         },
         [](const Told&) { return std::string("shift and mask, or a divisor that the compiler knows"); }},
    Rule{"double by accident", Verdict::costly,
         [](const Told& t) { return share_of(t, Work::conversion) >= 0.3; },
         [](const Told& t) {
           return fmt::format("floats computed in double: {} conversions a thread",
                              a_thread(t, of(t.cost.total, Work::conversion).ptx));
         },
         [](const Told& t) {
           return fmt::format("each float of line {} goes to double and back", t.line.line);
         },
         [](const Told&) { return std::string("end its constants with f: 0.5f is a float, 0.5 a double"); }},
    Rule{"doubles", Verdict::neutral,
         [](const Told& t) { return t.run.device().fp64_per_clock > 0 && share_of(t, Work::doubles) >= 0.4; },
         [](const Told& t) {
           return fmt::format("{} operations in double a thread",
                              a_thread(t, of(t.cost.total, Work::doubles).ptx));
         },
         [](const Told& t) {
           return fmt::format("an SM does {:.0f} doubles a cycle, and {:.0f} floats",
                              t.run.device().fp64_per_clock, t.run.device().fp32_lanes_per_sm);
         },
         [](const Told&) { return std::string("float, where its 7 digits are enough"); }},
    Rule{"library function", Verdict::costly,
         [](const Told& t) { return !called(t).empty() && line_share(t) >= 0.5; },
         [](const Told& t) {
           return fmt::format("{} instructions a thread: {} of them for {}",
                              a_thread(t, t.cost.total.all.instructions), percent(line_share(t)), called(t));
         },
         [](const Told&) { return std::string("it is a long sequence, right to the last bits"); },
         [](const Told& t) { return fmt::format("__{} where fewer bits are enough", called(t)); }},
    Rule{"special units", Verdict::neutral, [](const Told& t) { return special_share(t) >= 0.4; },
         [](const Told& t) {
           return fmt::format("{} operations of the special units a thread",
                              a_thread(t, t.cost.total.units[static_cast<std::size_t>(Unit::special)]));
         },
         [](const Told& t) {
           return fmt::format("an SM does {:.0f} functions or conversions a cycle, and {:.0f} multiply-adds",
                              t.run.device().special_per_clock, t.run.device().fp32_lanes_per_sm);
         },
         [](const Told&) { return std::string(); }},
    Rule{"wide integers", Verdict::costly, [](const Told& t) { return share_of(t, Work::wide) >= 0.4; },
         [](const Told& t) {
           return fmt::format("{} instructions a thread for integers of 64 bits",
                              a_thread(t, of(t.cost.total, Work::wide).instructions));
         },
         [](const Told&) { return std::string("units have 32 bits: a product of 64 takes 4 instructions"); },
         [](const Told&) { return std::string("32 bits, where the numbers fit"); }},
    Rule{"few warps", Verdict::neutral,
         [](const Told& t) {
           const double warps = warps_an_sm(t);
           return is_multiplying(t) && warps > 0 && warps < kFewWarps;
         },
         [](const Told& t) { return amount_words(t, Work::product, "multiply-adds"); },
         [](const Told& t) {
           return fmt::format("{:.2g} warps for each SM: each waits for its own results", warps_an_sm(t));
         },
         [](const Told&) { return std::string("more warps, or several chains in a thread"); }},
    Rule{"multiply-adds", Verdict::good, is_multiplying,
         [](const Told& t) { return amount_words(t, Work::product, "multiply-adds"); },
         [](const Told& t) {
           return fmt::format(
               "only {} move data or loop",
               percent(1 - of(t.cost.total, Work::product).instructions / t.cost.total.all.instructions));
         },
         [](const Told&) { return std::string("nothing to fix"); }},
    Rule{"instructions", Verdict::neutral, [](const Told& t) { return t.line.line > 0; },
         [](const Told& t) {
           return fmt::format("{} instructions a thread, {} of them in line {}",
                              a_thread(t, t.cost.total.all.instructions), percent(line_share(t)),
                              t.line.line);
         },
         [](const Told& t) {
           const UnitName* most = nullptr;
           const auto amount = [&](const UnitName& unit) {
             return t.line.units[static_cast<std::size_t>(unit.unit)];
           };
           for (const UnitName& unit : kUnitNames)
             if (most == nullptr || amount(unit) > amount(*most)) most = &unit;
           return fmt::format("{} of line {} need the {} units",
                              percent(amount(*most) / std::max(t.line.all.instructions, 1.0)), t.line.line,
                              most->name);
         },
         [](const Told&) { return std::string(); }},
};

constexpr auto kIds = [] {
  std::array<std::string_view, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const std::string_view> instruction_rules() { return kIds; }

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
      return {rule.id, rule.verdict, rule.what(told), rule.why(told), rule.fix(told), CostKind::instructions};
  return {};
}

}  // namespace warplens::explain
