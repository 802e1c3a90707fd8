#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/explain.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {
namespace {

// How often warps read an element of an array, on average over its elements.
struct ArrayReads {
  std::string array;
  double times = 0, bytes = 0;  // bytes: that all warps ask for
};

// A whole run in the numbers that the rules ask for; 0 where there is nothing to divide by.
struct Step {
  const run::Run& run;
  double sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  double atomic_wavefronts = 0, ideal_atomic_wavefronts = 0;  // of shared memory
  double multiply_adds = 0, shared_loads = 0;                 // warp instructions; wavefronts of loads
  double shared_words = 0;                                    // that a lane loads, times warps
  double instructions = 0;                                    // of warps
  double branches = 0,
         diverged = 0;       // warps at branches that sent lanes different ways at least once; those split
  Explanation opening = {};  // of the access that a view of it opens on
  bool opens_shared = false;
  double mean_lanes = 32;       // active, over the warp instructions that at least one lane executes
  ArrayReads in_vain = {};      // see reads_in_vain()
  double reads_an_element = 0;  // loads of global memory in bytes over the bytes that there are to read
  std::uint64_t blocks = 0;     // of the grid
};

double over(double a, double b) { return b > 0 ? a / b : 0; }

// fma and mad, and the products of an addition by hand: those that do the work of a product.
bool is_multiply_add(std::string_view text) {
  return text.find("fma.") != std::string_view::npos || text.find("mad.f") != std::string_view::npos;
}

// Words of shared memory that a lane loads by this instruction.
double shared_words(const run::Run& run, std::size_t pc) {
  const ptx::Instruction& one = run.kernel->function().code[pc];
  const bool loads =
      one.opcode == ptx::Opcode::ld && run.instructions[pc].counters.space == ptx::Space::shared;
  return loads ? ptx::size_in_bytes(one.type) * one.vector / 4.0 : 0;
}

// The instructions of the recorded blocks that load from the arrays of global memory, by face.
// changed: where faces go that other accesses change; null: not asked.
std::vector<std::set<std::uint32_t>> loads_by_face(const run::Run& run,
                                                   std::set<std::size_t>* changed = nullptr) {
  constexpr std::uint32_t most = 200'000;
  const report::AccessStory& story = *run.stories.front();
  std::vector<std::set<std::uint32_t>> loads(story.faces().size());
  std::set<std::uint32_t> seen;
  const std::uint32_t events = std::min(run.trace->blocks().front().events, most);
  for (std::uint32_t event = 0; event < events; ++event) {
    const std::uint32_t pc = run.trace->pc(0, event);
    if (run.trace->space(0, event) != ptx::Space::global || !seen.insert(pc).second) continue;
    const auto face = story.touched_face(event);
    if (!face) continue;
    const auto kind = run.trace->access(0, event).kind;
    if (changed != nullptr && kind != emulator::AccessKind::load) changed->insert(*face);
    if (kind != emulator::AccessKind::store) loads[*face].insert(pc);
  }
  return loads;
}

// The arrays that warps ask for most, first.
std::vector<ArrayReads> reads_of_arrays(const run::Run& run) {
  std::vector<ArrayReads> arrays;
  const auto loads = loads_by_face(run);
  const auto& faces = run.stories.front()->faces();
  const emulator::Counters& counters = run.emulation.outcome.counters;
  const double grid = static_cast<double>(catalog::blocks_in_grid(run.plan().launch));
  const double scale = grid / static_cast<double>(std::max<std::uint64_t>(counters.blocks_run, 1));
  for (std::size_t face = 0; face < faces.size(); ++face) {
    double bytes = 0;
    for (const std::uint32_t pc : loads[face])
      bytes += scale * static_cast<double>(run.instructions[pc].counters.bytes_used);
    const auto held = static_cast<double>(faces[face].elements * faces[face].element_bytes);
    if (bytes > 0) arrays.push_back({faces[face].name, bytes / held, bytes});
  }
  std::ranges::stable_sort(arrays, std::greater{}, &ArrayReads::bytes);
  return arrays;
}

// The array of which warps ask for most by volatile loads alone, more than once for an element, and which no thread changes: there
// is nothing to be seen anew. times is 0 where there is none.
ArrayReads reads_in_vain(const run::Run& run) {
  constexpr double kAgain = 2;
  const auto is_volatile_load = [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::ld && i.space == ptx::Space::global && i.is_volatile;
  };
  if (run.stories.empty() || std::ranges::none_of(run.kernel->function().code, is_volatile_load)) return {};
  const report::AccessStory& story = *run.stories.front();
  std::set<std::size_t> changed;
  const auto loads = loads_by_face(run, &changed);
  const auto is_volatile = [&](std::uint32_t pc) { return run.kernel->function().code[pc].is_volatile; };
  for (const ArrayReads& one : reads_of_arrays(run))
    for (std::size_t face = 0; face < loads.size(); ++face)
      if (story.faces()[face].name == one.array && one.times >= kAgain && !changed.contains(face) &&
          std::ranges::all_of(loads[face], is_volatile))
        return one;
  return {};
}

Step step_of(const run::Run& run) {
  Step step{.run = run};
  const emulator::Counters& counters = run.emulation.outcome.counters;
  step.sectors = static_cast<double>(counters.global_load.sectors + counters.global_store.sectors);
  step.ideal_sectors =
      static_cast<double>(counters.global_load.ideal_sectors + counters.global_store.ideal_sectors);
  step.wavefronts = static_cast<double>(counters.shared_load.wavefronts + counters.shared_store.wavefronts);
  step.ideal_wavefronts =
      static_cast<double>(counters.shared_load.ideal_wavefronts + counters.shared_store.ideal_wavefronts);
  step.atomic_wavefronts = static_cast<double>(counters.shared_atomic.wavefronts);
  step.ideal_atomic_wavefronts = static_cast<double>(counters.shared_atomic.ideal_wavefronts);
  step.shared_loads = static_cast<double>(counters.shared_load.wavefronts);
  for (const report::InstructionRow& row : run.instructions) {
    step.shared_words += shared_words(run, row.pc) * static_cast<double>(row.counters.executed);
    if (is_multiply_add(row.text)) step.multiply_adds += static_cast<double>(row.counters.executed);
    if (row.counters.diverged == 0) continue;
    step.branches += static_cast<double>(row.counters.executed);
    step.diverged += static_cast<double>(row.counters.diverged);
  }
  const std::uint32_t warp = opening_warp(run, 0);
  if (const auto facts = facts_at(run, {0, warp, opening_access(run, 0, warp)}))
    step.opening = explain(*facts), step.opens_shared = facts->pieces.is_shared;
  step.instructions = static_cast<double>(counters.warp_instructions);
  step.mean_lanes = over(static_cast<double>(counters.thread_instructions),
                         static_cast<double>(counters.warp_instructions));
  double bytes = 0;
  for (const report::PlacedBuffer& placed : run.buffers)
    if (!placed.buffer.is_output && !placed.buffer.is_copy)
      bytes += static_cast<double>(placed.buffer.elements) *
               static_cast<double>(problem::size_in_bytes(placed.buffer.type));
  const double grid = static_cast<double>(catalog::blocks_in_grid(run.plan().launch));
  const double ran = static_cast<double>(std::max<std::uint64_t>(counters.blocks_run, 1));
  step.reads_an_element = over(static_cast<double>(counters.global_load.bytes_used) * grid / ran, bytes);
  step.blocks = static_cast<std::uint64_t>(grid);
  step.in_vain = reads_in_vain(run);
  return step;
}

std::string times(double ratio) {
  return ratio < 10 ? fmt::format("{:.2g}", ratio) : grouped(static_cast<std::uint64_t>(ratio + 0.5));
}
std::uint64_t sms(const Step& s) { return static_cast<std::uint64_t>(s.run.device().sm_count); }

struct Rule {
  RuleId id;
  Verdict verdict;
  bool (*holds)(const Step&);
  Said (*what)(const Step&);
  Said (*why)(const Step&);
  Said (*fix)(const Step&);
  CostKind cost = CostKind::none;
};

double sector_ratio(const Step& s) { return over(s.sectors, s.ideal_sectors); }
double wavefront_ratio(const Step& s) { return over(s.wavefronts, s.ideal_wavefronts); }

// A sentence of the access that makes the step's point, with what it claims, or else that of all.
Said of_opening(const Step& s, bool fits, const std::string& sentence, Said general) {
  if (!fits || s.opening.verdict != Verdict::costly || sentence.empty()) return general;
  Said said{sentence};
  for (const Claim& one : s.opening.claims)
    if (sentence.find(one.shown) != std::string::npos) said.claims.push_back(one);
  return said;
}

// Whether it reads shared memory already: no advice for a step that follows it.
bool has_tile(const Step& s) { return s.shared_loads > 0; }

Said why_spilled(const run::Run& run) {
  return say("{} are not enough for what a thread keeps",
             {claim::amount(Quantity::registers, run.report.registers, Scope::thread)});
}
// The compiler gives a thread fewer than it may have where the kernel says how many threads have to fit.
Said fix_of_spills(const run::Run& run) {
  return run.report.registers < run.device().max_registers_per_thread - 1
             ? say("fewer values at a time in a thread, or more registers for it, with fewer warps")
             : say("fewer values at a time in a thread");
}

Said idle_words(const Step& s) {
  // "32 of 32" is not what a few idle ones leave.
  int digits = 3;
  while (digits < 6 && s.mean_lanes < 32 && fmt::format("{:.{}g}", s.mean_lanes, digits) == "32") ++digits;
  return say("{} of {} are at work {}",
             {rounded(Quantity::mean_lanes, s.mean_lanes, digits, Scope::kernel),
              claim::amount(Quantity::warp_lanes, 32, Scope::warp),
              claim::average("on average", Quantity::mean_lanes, s.mean_lanes, Scope::kernel)});
}

Said why_idle(const Step& s) {
  const int line = line_of_most_idle(s.run);
  return line > 0
             ? say("most wait at line {}", {claim::number(Quantity::line_of_most_idle, line, Scope::line)})
             : say("lanes have no work, or wait for others of their warp");
}

// "warps read an element of B 512 times on average, of A 16"
Said reads_words(const Step& s) {
  const std::vector<ArrayReads> arrays = reads_of_arrays(s.run);
  if (arrays.empty()) return {};
  const auto of = [](const ArrayReads& one) {
    return claim::of(claim::words(times(one.times), Quantity::reads_an_element, one.times, Scope::kernel),
                     one.array);
  };
  const Claim first = of(arrays[0]);
  const Claim mean =
      claim::of(claim::average("on average", Quantity::reads_an_element, arrays[0].times, Scope::kernel),
                arrays[0].array);
  if (arrays.size() == 1)
    return say("warps read an element of {} {} times {}", {claim::name(arrays[0].array), first, mean});
  return say("warps read an element of {} {} times {}, of {} {}",
             {claim::name(arrays[0].array), first, mean, claim::name(arrays[1].array), of(arrays[1])});
}

// Whose every access is one too many.
bool has_local_memory(const Step& s) { return s.run.emulation.outcome.counters.local_load.requests > 0; }

// Loads of constant memory that take many more turns than one each, and much of all that is done.
bool takes_turns_for_constants(const Step& s) {
  constexpr double kManyTurns = 1.5, kMuch = 0.1;
  const emulator::AccessCounts& loads = s.run.emulation.outcome.counters.constant_load;
  const auto turns = static_cast<double>(loads.wavefronts), requests = static_cast<double>(loads.requests);
  return turns >= kManyTurns * requests && turns - requests >= kMuch * s.instructions && turns > 0;
}

bool wastes_nothing(const Step& s) {
  return s.sectors <= s.ideal_sectors && s.wavefronts <= s.ideal_wavefronts &&
         s.atomic_wavefronts <= s.ideal_atomic_wavefronts && s.mean_lanes >= 32;
}

// What is left of waste, where there is little of it.
Said little_waste(const Step& s) {
  if (s.sectors > s.ideal_sectors)
    return say("{} more sectors than its lanes need",
               {claim::words(fmt::format("{:.2g} %", 100 * (sector_ratio(s) - 1)), Quantity::more_sectors,
                             sector_ratio(s) - 1, Scope::kernel)});
  if (s.wavefronts > s.ideal_wavefronts)
    return say("{} more wavefronts than without bank conflicts",
               {claim::words(fmt::format("{:.2g} %", 100 * (wavefront_ratio(s) - 1)),
                             Quantity::more_wavefronts, wavefront_ratio(s) - 1, Scope::kernel)});
  return idle_words(s);
}

constexpr std::array kRules = {
    Rule{RuleId::spills, Verdict::costly, [](const Step& s) { return s.run.report.spill_bytes > 0; },
         [](const Step& s) { return spill_words(s.run); }, [](const Step& s) { return why_spilled(s.run); },
         [](const Step& s) { return fix_of_spills(s.run); }},
    Rule{RuleId::sectors, Verdict::costly,
         [](const Step& s) {
           return sector_ratio(s) >= (s.opening.verdict == Verdict::costly ? 1.2 : 1.5) &&
                  sector_ratio(s) >= wavefront_ratio(s);
         },
         [](const Step& s) {
           return say("{} times as many sectors as its lanes need",
                      {claim::words(times(sector_ratio(s)), Quantity::sectors_over_least, sector_ratio(s),
                                    Scope::kernel)});
         },
         [](const Step& s) {
           return of_opening(s, !s.opens_shared, s.opening.why,
                             say("lanes of a warp ask for bytes that lie apart"));
         },
         [](const Step& s) {
           return of_opening(s, !s.opens_shared, s.opening.fix,
                             say("let neighbouring lanes ask for neighbouring bytes"));
         },
         CostKind::wasted_sectors},
    Rule{RuleId::bank_conflicts, Verdict::costly, [](const Step& s) { return wavefront_ratio(s) >= 1.2; },
         [](const Step& s) {
           return say("{} times as many wavefronts as without bank conflicts",
                      {claim::words(times(wavefront_ratio(s)), Quantity::wavefronts_over_least,
                                    wavefront_ratio(s), Scope::kernel)});
         },
         [](const Step& s) {
           return of_opening(s, s.opens_shared, s.opening.why,
                             say("lanes of a warp ask one bank for different words"));
         },
         [](const Step& s) {
           return of_opening(s, s.opens_shared, s.opening.fix,
                             say("place words so that lanes of a warp use different banks"));
         },
         CostKind::wasted_wavefronts},
    Rule{RuleId::shared_atomics, Verdict::neutral,
         [](const Step& s) { return over(s.atomic_wavefronts, s.ideal_atomic_wavefronts) >= 1.2; },
         [](const Step& s) {
           const double ratio = over(s.atomic_wavefronts, s.ideal_atomic_wavefronts);
           return say(
               "atomics of shared memory take {} times as many wavefronts as they could",
               {claim::words(times(ratio), Quantity::atomic_wavefronts_over_least, ratio, Scope::kernel)});
         },
         [](const Step& s) {
           return of_opening(s, s.opens_shared, s.opening.why,
                             say("lanes ask one bank for different words, or for the same one"));
         },
         [](const Step&) { return Said{}; }},
    Rule{RuleId::divergent_branches, Verdict::costly,
         [](const Step& s) {
           return over(s.diverged, s.branches) >= 0.3 && s.diverged >= 0.03 * s.instructions;
         },
         [](const Step& s) {
           return say("{} of {} branches divide their warp",
                      {claim::number(Quantity::diverged_branches, s.diverged, Scope::kernel),
                       claim::number(Quantity::branches, s.branches, Scope::kernel)});
         },
         [](const Step& s) {
           return of_opening(s, s.opening.cost == CostKind::idle_lanes, s.opening.why,
                             say("lanes of one warp go different ways"));
         },
         [](const Step&) { return say("decide by warp, not by thread"); }, CostKind::idle_lanes},
    Rule{RuleId::idle_lanes, Verdict::costly,
         [](const Step& s) { return s.mean_lanes > 0 && s.mean_lanes < 20; }, idle_words,
         [](const Step& s) {
           return of_opening(s, s.opening.rule == RuleId::lanes_scattered, s.opening.why, why_idle(s));
         },
         [](const Step& s) {
           return of_opening(s, s.opening.cost == CostKind::idle_lanes, s.opening.fix,
                             say("decide by warp, not by thread"));
         },
         CostKind::idle_lanes},
    Rule{RuleId::constant_turns, Verdict::costly, takes_turns_for_constants,
         [](const Step&) { return say("constant memory serves the lanes of a warp one after another"); },
         [](const Step&) { return say("lanes of a warp ask for different words of it"); },
         [](const Step&) {
           return say(
               "let the whole warp ask for the same word; shared memory where lanes need different ones");
         }},
    Rule{RuleId::few_blocks, Verdict::costly, [](const Step& s) { return sms(s) > 0 && s.blocks < sms(s); },
         [](const Step& s) {
           return say(
               "{} of {} have {} to do",
               {claim::number(Quantity::idle_sms, static_cast<double>(sms(s) - s.blocks), Scope::device),
                claim::amount(Quantity::sms, static_cast<double>(sms(s)), Scope::device),
                claim::every("nothing", Quantity::idle_sms, static_cast<double>(sms(s) - s.blocks),
                             Scope::device)});
         },
         [](const Step& s) {
           return say("the grid has {}",
                      {claim::amount(Quantity::blocks, static_cast<double>(s.blocks), Scope::kernel)});
         },
         [](const Step&) { return Said{}; }},  // what pays is predicted: see payoff.hpp
    Rule{RuleId::reads_again, Verdict::costly, [](const Step& s) { return s.in_vain.times > 0; },
         [](const Step& s) {
           const auto of = [&](Claim claim) { return claim::of(std::move(claim), s.in_vain.array); };
           const double number = s.in_vain.times;
           return say("warps read an element of {} {} times {}",
                      {claim::name(s.in_vain.array),
                       of(claim::words(times(number), Quantity::reads_an_element, number, Scope::kernel)),
                       of(claim::average("on average", Quantity::reads_an_element, number, Scope::kernel))});
         },
         [](const Step&) {
           return say("its loads are volatile: L2 is asked again for what a register could keep");
         },
         [](const Step&) {
           return say("load it once into a variable: volatile is neither a fence nor an atomic");
         },
         CostKind::sectors},
    Rule{RuleId::reads_again, Verdict::costly, [](const Step& s) { return s.reads_an_element >= 64; },
         reads_words, [](const Step&) { return say("warps fetch what others have fetched before"); },
         [](const Step& s) {
           return has_tile(s) ? say("larger tiles: an element that was brought serves more")
                              : say("keep a tile in shared memory and read it there");
         },
         CostKind::sectors},
    Rule{RuleId::shared_loads, Verdict::costly,
         [](const Step& s) { return s.multiply_adds > 0 && over(s.shared_loads, s.multiply_adds) >= 0.75; },
         [](const Step& s) {
           const double each = over(s.shared_loads, s.multiply_adds);
           const std::string count = fmt::format("{:.2g}", each);
           return say("a warp needs {} for a multiply-add",
                      {claim::words(fmt::format("{} shared wavefront{}", count, count == "1" ? "" : "s"),
                                    Quantity::wavefronts_a_multiply_add, each, Scope::warp)});
         },
         [](const Step& s) {
           const double each = over(s.shared_words, s.multiply_adds);
           const std::string count = fmt::format("{:.2g}", each);
           return say("a lane loads {} of shared memory for a product",
                      {claim::words(fmt::format("{} word{}", count, count == "1" ? "" : "s"),
                                    Quantity::words_a_multiply_add, each, Scope::thread)});
         },
         [](const Step&) { return say("keep a tile of sums in registers"); }, CostKind::wavefronts},
    Rule{RuleId::clean, Verdict::good,
         [](const Step& s) {
           return s.sectors > 0 && sector_ratio(s) < 1.2 && wastes_nothing(s) && !has_local_memory(s);
         },
         [](const Step&) {
           return say("{} is wasted", {claim::every("no sector, wavefront or lane",
                                                    Quantity::wasted_of_kernel, 0, Scope::kernel)});
         },
         [](const Step&) { return say("warps ask for whole sectors, and for a bank once"); },
         [](const Step&) {
           return say("{} in its accesses",
                      {claim::every("nothing to fix", Quantity::wasted_of_kernel, 0, Scope::kernel)});
         }},
    Rule{RuleId::little_waste, Verdict::good,
         [](const Step& s) { return s.sectors > 0 && sector_ratio(s) < 1.2 && !has_local_memory(s); },
         little_waste, [](const Step&) { return Said{}; },
         [](const Step&) { return say("little to fix in its accesses"); }},
};

// The words about idle lanes name the ones that wait at a line: that of the access that the step opens on, or the one where most wait.
int line_of_cure(const Explanation& said, const Step& step) {
  if (said.cost != CostKind::idle_lanes) return 0;
  const auto named = std::ranges::find(said.claims, Quantity::line_of_most_idle, &Claim::quantity);
  if (named != said.claims.end()) return static_cast<int>(named->number);
  return said.why == step.opening.why || said.fix == step.opening.fix ? step.opening.line : 0;
}

constexpr auto kIds = [] {
  std::array<RuleId, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const RuleId> step_rules() { return kIds; }

// As ptxas has them: each place is stored and loaded, and the two are not one amount.
Said spill_words(const run::Run& run) {
  const std::int64_t stores = run.report.spill_stores, loads = run.report.spill_bytes - stores;
  return say("a thread stores {} and loads {} for spills",
             {claim::amount(Quantity::spill_stores, static_cast<double>(stores), Scope::thread),
              claim::amount(Quantity::spill_loads, static_cast<double>(loads), Scope::thread)});
}

Explanation explain_spills(const run::Run& run) {
  const Rule& rule = kRules.front();
  const Step step{.run = run};
  if (!rule.holds(step)) return {};
  return made_of(rule.id, rule.verdict, {rule.what(step), rule.why(step), rule.fix(step)});
}

Explanation explain(const run::Run& run) { return explain_step(run, instruction_cost(run)); }

Explanation explain_step(const run::Run& run, const InstructionCost& cost) {
  if (!run.complete || run.fault) return {};
  // Branches of a function of doubles are part of it: floats need none of it.
  if (Explanation said = explain(cost, run); said.rule == RuleId::double_by_accident)
    return without_praise(std::move(said), run);
  const Step step = step_of(run);
  for (const Rule& rule : kRules) {
    if (!rule.holds(step)) continue;
    // Accesses that waste nothing are not what a step costs that hardly makes any.
    if (Explanation said = explain(cost, run); rule.verdict == Verdict::good && !said.what.empty())
      return without_praise(std::move(said), run);
    Explanation said =
        made_of(rule.id, rule.verdict, {rule.what(step), rule.why(step), rule.fix(step)}, rule.cost);
    said.line = line_of_cure(said, step);
    return without_praise(std::move(said), run);
  }
  return without_praise(explain(cost, run), run);
}

}  // namespace warplens::explain
