#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/explain.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"

namespace warplens::explain {
namespace {

// A whole run in the numbers that the rules ask for; 0 where there is nothing to divide by.
struct Step {
  const run::Run& run;
  double sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  double multiply_adds = 0, shared_loads = 0;  // warp instructions; wavefronts of loads
  double instructions = 0;                     // of warps
  double branches = 0,
         diverged = 0;       // warps at branches that sent lanes different ways at least once; those split
  Explanation opening = {};  // of the access that a view of it opens on
  bool opens_shared = false;
  double mean_lanes = 32;       // active, over the warp instructions that at least one lane executes
  double reads_an_element = 0;  // loads of global memory in bytes over the bytes that there are to read
  std::uint64_t blocks = 0;     // of the grid
};

double over(double a, double b) { return b > 0 ? a / b : 0; }

// fma and mad, and the products of an addition by hand: those that do the work of a product.
bool is_multiply_add(std::string_view text) {
  return text.find("fma.") != std::string_view::npos || text.find("mad.f") != std::string_view::npos;
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
  step.shared_loads = static_cast<double>(counters.shared_load.wavefronts);
  for (const report::InstructionRow& row : run.instructions) {
    if (is_multiply_add(row.text)) step.multiply_adds += static_cast<double>(row.counters.executed);
    if (row.counters.diverged == 0) continue;
    step.branches += static_cast<double>(row.counters.executed);
    step.diverged += static_cast<double>(row.counters.diverged);
  }
  if (const auto facts = facts_at(run, {0, 0, opening_access(run, 0, 0)}))
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
  return step;
}

std::string times(double ratio) {
  return ratio < 10 ? fmt::format("{:.2g}", ratio) : grouped(static_cast<std::uint64_t>(ratio + 0.5));
}
std::uint64_t sms(const Step& s) { return static_cast<std::uint64_t>(s.run.device().sm_count); }

struct Rule {
  std::string_view id;
  Verdict verdict;
  bool (*holds)(const Step&);
  std::string (*what)(const Step&);
  std::string (*why)(const Step&);
  std::string (*fix)(const Step&);
  CostKind cost = CostKind::none;
};

double sector_ratio(const Step& s) { return over(s.sectors, s.ideal_sectors); }
double wavefront_ratio(const Step& s) { return over(s.wavefronts, s.ideal_wavefronts); }

// The sentence of the access that makes the step's point, or else that of all.
std::string of_opening(const Step& s, bool fits, const std::string& sentence, const char* general) {
  return fits && s.opening.verdict == Verdict::costly && !sentence.empty() ? sentence : general;
}

// Whether it reads shared memory already: no advice for a step that follows it.
bool has_tile(const Step& s) { return s.shared_loads > 0; }

std::string spilled_words(const run::Run& run) {
  return fmt::format("{} bytes a thread go to memory and back", run.report.spill_bytes);
}
std::string why_spilled(const run::Run& run) {
  return fmt::format("{} registers are not enough for what a thread keeps", run.report.registers);
}
// The compiler gives a thread fewer than it may have where the kernel says how many threads have to fit.
std::string fix_of_spills(const run::Run& run) {
  return run.report.registers < run.device().max_registers_per_thread - 1
             ? "a smaller tile a thread, or more registers each, for fewer warps"
             : "a smaller tile a thread";
}

constexpr std::array kRules = {
    Rule{"spills", Verdict::costly, [](const Step& s) { return s.run.report.spill_bytes > 0; },
         [](const Step& s) { return spilled_words(s.run); }, [](const Step& s) { return why_spilled(s.run); },
         [](const Step& s) { return fix_of_spills(s.run); }},
    Rule{"sectors", Verdict::costly,
         [](const Step& s) {
           return sector_ratio(s) >= (s.opening.verdict == Verdict::costly ? 1.2 : 1.5) &&
                  sector_ratio(s) >= wavefront_ratio(s);
         },
         [](const Step& s) {
           return fmt::format("{} times as many sectors as its lanes need", times(sector_ratio(s)));
         },
         [](const Step& s) {
           return of_opening(s, !s.opens_shared, s.opening.why,
                             "lanes of a warp ask for bytes that lie apart");
         },
         [](const Step& s) {
           return of_opening(s, !s.opens_shared, s.opening.fix,
                             "let neighbouring lanes ask for neighbouring bytes");
         },
         CostKind::wasted_sectors},
    Rule{"bank conflicts", Verdict::costly, [](const Step& s) { return wavefront_ratio(s) >= 1.2; },
         [](const Step& s) {
           return fmt::format("{} times as many wavefronts as without bank conflicts",
                              times(wavefront_ratio(s)));
         },
         [](const Step& s) {
           return of_opening(s, s.opens_shared, s.opening.why,
                             "lanes of a warp ask one bank for different words");
         },
         [](const Step& s) {
           return of_opening(s, s.opens_shared, s.opening.fix, "pad the rows, or swizzle them");
         },
         CostKind::wasted_wavefronts},
    Rule{"divergent branches", Verdict::costly,
         [](const Step& s) {
           return over(s.diverged, s.branches) >= 0.3 && s.diverged >= 0.03 * s.instructions;
         },
         [](const Step& s) {
           return fmt::format("{} of {} branches divide their warp",
                              grouped(static_cast<std::uint64_t>(s.diverged)),
                              grouped(static_cast<std::uint64_t>(s.branches)));
         },
         [](const Step& s) {
           return of_opening(s, true, s.opening.why, "lanes of one warp go different ways");
         },
         [](const Step&) { return std::string("decide by warp, not by thread"); }, CostKind::idle_lanes},
    Rule{"idle lanes", Verdict::costly, [](const Step& s) { return s.mean_lanes > 0 && s.mean_lanes < 20; },
         [](const Step& s) { return fmt::format("{:.3g} of 32 lanes are at work on average", s.mean_lanes); },
         [](const Step& s) {
           const int line = line_of_most_idle(s.run);
           return of_opening(s, s.opening.rule == "lanes scattered", s.opening.why,
                             line > 0 ? fmt::format("most wait at line {}", line).c_str()
                                      : "lanes have nothing to do, or wait for others of their warp");
         },
         [](const Step& s) { return of_opening(s, true, s.opening.fix, "decide by warp, not by thread"); },
         CostKind::idle_lanes},
    Rule{"few blocks", Verdict::costly, [](const Step& s) { return sms(s) > 0 && s.blocks < sms(s); },
         [](const Step& s) {
           return fmt::format("{} of {} SMs have nothing to do", sms(s) - s.blocks, sms(s));
         },
         [](const Step& s) {
           return fmt::format("the grid has {} block{}", s.blocks, s.blocks == 1 ? "" : "s");
         },
         [](const Step&) { return std::string("a larger problem, or smaller tiles"); }},
    Rule{"reads again", Verdict::costly, [](const Step& s) { return s.reads_an_element >= 64; },
         [](const Step& s) {
           return fmt::format("each element is read {} times from global memory", times(s.reads_an_element));
         },
         [](const Step&) { return std::string("each warp fetches what others have fetched before"); },
         [](const Step& s) {
           return std::string(has_tile(s) ? "larger tiles: an element that was brought serves more"
                                          : "keep a tile in shared memory and read it there");
         },
         CostKind::sectors},
    Rule{"shared loads", Verdict::costly,
         [](const Step& s) { return s.multiply_adds > 0 && over(s.shared_loads, s.multiply_adds) >= 0.75; },
         [](const Step& s) {
           const std::string count = fmt::format("{:.2g}", over(s.shared_loads, s.multiply_adds));
           return fmt::format("{} shared wavefront{} for each multiply-add", count, count == "1" ? "" : "s");
         },
         [](const Step&) { return std::string("each product reads its factors from shared memory"); },
         [](const Step&) { return std::string("keep a tile of sums in registers"); }, CostKind::wavefronts},
    Rule{"clean", Verdict::good, [](const Step& s) { return s.sectors > 0 && sector_ratio(s) < 1.2; },
         [](const Step&) { return std::string("no sector, wavefront or lane is wasted"); },
         [](const Step&) { return std::string("warps ask for whole sectors, and for each bank once"); },
         [](const Step&) { return std::string("nothing to fix in its accesses"); }},
};

constexpr auto kIds = [] {
  std::array<std::string_view, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const std::string_view> step_rules() { return kIds; }

Explanation explain_spills(const run::Run& run) {
  const Rule& rule = kRules.front();
  const Step step{.run = run};
  if (!rule.holds(step)) return {};
  return {rule.id, rule.verdict, rule.what(step), rule.why(step), rule.fix(step)};
}

Explanation explain(const run::Run& run) { return explain_step(run, instruction_cost(run)); }

Explanation explain_step(const run::Run& run, const InstructionCost& cost) {
  if (!run.complete || run.fault) return {};
  const Step step = step_of(run);
  for (const Rule& rule : kRules) {
    if (!rule.holds(step)) continue;
    // Accesses that waste nothing are not what a step costs that hardly makes any.
    if (Explanation said = explain(cost, run); rule.verdict == Verdict::good && !said.what.empty())
      return without_praise(std::move(said), run);
    return without_praise({rule.id, rule.verdict, rule.what(step), rule.why(step), rule.fix(step), rule.cost},
                          run);
  }
  return without_praise(explain(cost, run), run);
}

}  // namespace warplens::explain
