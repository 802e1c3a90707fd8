#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/reuse.hpp"
#include "engine/explain/roles.hpp"
#include "engine/run/derived/block_order.hpp"

namespace warplens::explain {
namespace {

using emulator::AccessKind;

// What a step's text has that the one before it has not.
class News {
 public:
  News(const run::Run& run, std::string_view before) : run_(run), before_(before) {
    for (const std::string_view line : run::lines_of(before)) known_.insert(bare(line));
    lines_ = run::lines_of(run.plan().spec.code);
  }
  bool is_known() const { return !before_.empty(); }
  bool has_array(const std::string& name) const {
    return is_known() && before_.find(name + "[") == std::string_view::npos;
  }
  bool has_copies() const {
    return is_known() && before_.find("cp.async") == std::string_view::npos &&
           before_.find("memcpy_async") == std::string_view::npos;
  }
  bool has_line_of(std::uint32_t pc) const {
    const int line = run_.kernel_lines[pc];
    return is_known() && line > 0 && static_cast<std::size_t>(line) <= lines_.size() &&
           !known_.contains(bare(lines_[static_cast<std::size_t>(line) - 1]));
  }
  // Whether the idea speaks of global memory, and of shared memory later or not at all.
  bool is_about_global() const {
    const std::string& idea = run_.plan().spec.idea;
    return idea.find("global memory") < idea.find("shared memory");
  }

 private:
  // Without spaces and what is said of it.
  static std::string bare(std::string_view line) {
    std::string text(line.substr(0, line.find("//")));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return text;
  }

  const run::Run& run_;
  std::string_view before_;
  std::set<std::string> known_;
  run::Lines lines_;
};

// What the accesses of one kind to one array cost a warp.
struct Cost {
  double wasted = 0,
         asked = 0;  // sectors or wavefronts; idle lanes count as much as what they could have had
  double worst = 0;
  std::uint32_t worst_access = 0, worst_pc = 0;
  // By instruction and its sectors or wavefronts: how many accesses, and the first.
  std::map<std::pair<std::uint32_t, int>, std::pair<int, std::uint32_t>> alike;
  std::optional<std::uint32_t> artful;  // the first that a trick keeps free of conflicts
  bool is_shared = false;
  double fresh_asked = 0;  // of all that is asked for, in lines that are new
  std::uint32_t fresh = 0;
  double served = 0;  // multiply-adds for each element, of the first in a new line that is read for them
  std::uint32_t serving = 0;
};
using Costs = std::map<std::pair<std::string, AccessKind>, Cost>;

// A warp makes millions of accesses at worst: its first ones show what the others are like.
constexpr std::uint32_t kMostLooked = 512;

// Of all that the warp asks for: what accesses of one kind waste of it is the step's point from here on.
constexpr double kLeastShare = 0.05;

// Waste below this may be the edge of something that is fine otherwise: an array that starts between sectors.
constexpr double kLeastRatio = 1.3;
// Where the run as a whole wastes this much, a little more than the least of many accesses is no edge.
constexpr double kWastefulRun = 1.2, kLeastRatioOfMany = 1.1;
double least_ratio(const run::Run& run) {
  const emulator::Counters& all = run.emulation.outcome.counters;
  const auto sectors = static_cast<double>(all.global_load.sectors + all.global_store.sectors);
  const auto least = static_cast<double>(all.global_load.ideal_sectors + all.global_store.ideal_sectors);
  return least > 0 && sectors >= kWastefulRun * least ? kLeastRatioOfMany : kLeastRatio;
}

// Lanes that ask shared memory for 32 words out of order and still meet no other in a bank: padding or a
// swizzle is at work.
bool is_artful(const Facts& facts) {
  const bool whole = facts.pieces.is_shared && facts.lanes == 32 && facts.access.width == 4;
  if (!whole || facts.pieces.units > 1 || facts.access.kind != AccessKind::load) return false;
  std::set<std::uint64_t> words;
  bool in_order = true;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    words.insert(facts.access.address[lane] / 4);
    in_order &= lane == 0 || facts.access.address[lane] == facts.access.address[lane - 1] + 4;
  }
  return words.size() == 32 && !in_order;
}

// The worst one; where none is clearly worse than the others, the first that is as most turns of its
// instruction are: a first row may begin on a sector, and no other.
std::uint32_t speaking(const Cost& cost) {
  if (cost.worst >= kLeastRatio) return cost.worst_access;
  std::pair<int, std::uint32_t> most{0, cost.worst_access};
  for (const auto& [which, turns] : cost.alike)
    if (which.first == cost.worst_pc && turns.first > most.first) most = turns;
  return most.second;
}

// Multiply-adds for each element that such an access reads, where that is its point; else 0. What brings several
// elements at once is about that.
double served_in_registers(const Facts& facts, const Explanation& said) {
  if (facts.face == nullptr || facts.access.width > facts.element_bytes()) return 0;
  const RuleId rule = explain_use(facts, said).rule;
  if (rule != RuleId::register_reuse && rule != RuleId::register_tile) return 0;
  return multiply_adds_an_element(facts.run, facts.story, face_of(facts));
}

// The one of these costs that fulfils the condition and asks for most; null where none does.
template <class Condition, class Asked>
const Cost* most_of(const Costs& costs, Condition fits, Asked asked) {
  const Cost* most = nullptr;
  for (const auto& [place, cost] : costs)
    if (fits(place, cost) && (most == nullptr || asked(cost) > asked(*most))) most = &cost;
  return most;
}

// What is new in a step that wastes nothing; empty if that is not known or makes no access.
std::optional<std::uint32_t> new_access(const Costs& costs, const News& news) {
  const auto all = [](const Cost& cost) { return cost.asked; };
  const auto fresh = [](const Cost& cost) { return cost.fresh_asked; };
  const auto arrays = [&](const auto& place, const Cost& cost) {
    return place.second == AccessKind::load && cost.is_shared && news.has_array(place.first);
  };
  if (const Cost* cost = most_of(costs, arrays, all)) return speaking(*cost);
  // What serves more multiply-adds than one is kept in a register: of several arrays the one that serves
  // most.
  const auto served = [](const Cost& cost) { return cost.served; };
  const auto serves = [](const auto&, const Cost& cost) { return cost.served > 0; };
  if (const Cost* cost = most_of(costs, serves, served)) return cost->serving;
  const bool first_shared = !news.is_about_global();
  for (const bool shared : {first_shared, !first_shared}) {
    const auto lines = [&](const auto& place, const Cost& cost) {
      return place.second == AccessKind::load && cost.is_shared == shared && cost.fresh_asked > 0;
    };
    if (const Cost* cost = most_of(costs, lines, fresh)) return cost->fresh;
  }
  return std::nullopt;
}

// A step with the accesses of the one before it whose blocks take the tiles in an order of their own.
bool changes_order(const run::Run& run, const Costs& costs, const News& news) {
  return news.is_known() &&
         std::ranges::none_of(costs, [](const auto& each) { return each.second.fresh_asked > 0; }) &&
         run::block_order(run) != nullptr;
}

// Of the first accesses of the warp the one that takes most wavefronts beyond its least; nothing where none does.
std::optional<std::uint32_t> worst_conflict(const run::Run& run, std::size_t block, std::uint32_t warp) {
  const auto events = run.stories[block]->accesses().of_warp(warp);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(events.size(), kMostLooked));
  std::optional<std::uint32_t> worst;
  int most = 0;
  for (std::uint32_t access = 0; access < count; ++access) {
    if (run.trace->space(block, events[access]) != ptx::Space::shared) continue;
    const auto facts = facts_at(run, {block, warp, access});
    if (!facts) continue;
    if (const int more = facts->pieces.units - facts->pieces.ideal; more > most) most = more, worst = access;
  }
  return worst;
}

// Among those to this memory, of whatever array; memory: nothing: of any, to the array that is shown.
std::uint32_t opening_access_in(const run::Run& run, std::size_t block, std::uint32_t warp,
                                std::string_view before, std::optional<ptx::Space> memory) {
  const News news(run, before);
  const std::string show = memory ? "" : run.plan().spec.show;
  const auto events = run.stories[block]->accesses().of_warp(warp);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(events.size(), kMostLooked));
  Costs costs;
  const double least = least_ratio(run);
  double asked = 0;
  bool any_vector = false;  // then these are the point
  std::optional<std::uint32_t> first_global;
  std::optional<std::uint32_t> copied;  // the first that an asynchronous copy brings
  for (std::uint32_t access = 0; access < count; ++access) {
    if (memory && run.trace->space(block, events[access]) != *memory) continue;
    const auto facts = facts_at(run, {block, warp, access});
    if (!facts) continue;
    const bool arrives = facts->pieces.is_shared && facts->access.kind == AccessKind::async_copy;
    if (arrives && !copied) copied = access;
    if (facts->pieces.units == 0) continue;
    if (!show.empty() && facts->array != show) continue;
    const Explanation said = explain(*facts);
    const bool costly = said.verdict == Verdict::costly;
    const double found = std::max(facts->traffic_ratio(), facts->lane_ratio()),
                 ratio = costly && found >= (facts->pieces.is_shared ? kLeastRatio : least) ? found : 1;
    Cost& cost = costs[{facts->array, facts->access.kind}];
    cost.is_shared = facts->pieces.is_shared;
    if (!cost.is_shared && !first_global) first_global = access;
    if (news.has_line_of(facts->access.pc)) {
      if (cost.fresh_asked == 0) {
        cost.fresh = access;
        cost.serving = access, cost.served = served_in_registers(*facts, said);
      }
      cost.fresh_asked += facts->pieces.units;
    }
    cost.wasted += (1 - 1 / ratio) * facts->pieces.units, cost.asked += facts->pieces.units;
    asked += facts->pieces.units;
    any_vector |= !facts->pieces.is_shared && facts->access.width > facts->element_bytes();
    if (ratio > cost.worst) cost.worst = ratio, cost.worst_access = access, cost.worst_pc = facts->access.pc;
    ++cost.alike.try_emplace({facts->access.pc, facts->pieces.units}, 0, access).first->second.first;
    if (!cost.artful && is_artful(*facts)) cost.artful = access;
  }
  const auto wasted = [&](const Cost& cost) { return cost.wasted > kLeastShare * asked ? cost.wasted : 0; };
  if (copied && news.has_copies()) return *copied;
  // Where nothing is wasted, how that came about is the step's point.
  const bool clean =
      std::none_of(costs.begin(), costs.end(), [&](const auto& each) { return wasted(each.second) > 0; });
  if (clean && first_global && changes_order(run, costs, news)) return *first_global;
  for (const auto& [place, cost] : costs)
    if (clean && cost.artful && !any_vector) return *cost.artful;
  if (const auto fresh = clean ? new_access(costs, news) : std::nullopt) return *fresh;
  const auto costliest = std::max_element(costs.begin(), costs.end(), [&](const auto& a, const auto& b) {
    return std::pair(wasted(a.second), a.second.asked) < std::pair(wasted(b.second), b.second.asked);
  });
  return costliest == costs.end() ? 0 : speaking(costliest->second);
}

}  // namespace

std::uint32_t opening_warp(const run::Run& run, std::size_t block, std::uint32_t wished) {
  const report::AccessStory& story = *run.stories[block];
  const std::string& show = run.plan().spec.show;
  const auto shows = [&](std::uint32_t warp) {
    const auto events = story.accesses().of_warp(warp);
    const auto first = events.first(std::min<std::size_t>(events.size(), kMostLooked));
    return std::ranges::any_of(first, [&](std::uint32_t event) {
      const auto face = story.touched_face(event);
      return show.empty() || (face && story.faces()[*face].name == show);
    });
  };
  if (shows(wished)) return wished;
  for (std::uint32_t warp = 0; warp < story.accesses().warps(); ++warp)
    if (shows(warp)) return warp;
  return wished;
}

std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp) {
  return opening_access(run, block, warp, {});
}

std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp,
                             std::string_view before) {
  return opening_access_in(run, block, warp, before, {});
}

Opening opening_of(const run::Run& run, std::size_t block, std::uint32_t warp, std::string_view before) {
  const Opening access{opening_access(run, block, warp, before)};
  const auto facts = facts_at(run, {block, warp, access.access});
  if (!run.complete || !run.plan().spec.show.empty()) return access;
  // Roles are the point where threads have them, except beside accesses whose waste the step before had.
  const bool is_good = facts && facts->pieces.is_shared && explain(*facts).verdict != Verdict::costly;
  if (const auto roles = roles_of(run, block); roles && roles->line > 0 && !is_good)
    return {access.access, roles->line};
  if (facts && explain(*facts).verdict == Verdict::costly) return access;
  const InstructionCost cost = instruction_cost(run);
  const Explanation whole = explain_step(run, cost);
  if (whole.rule == RuleId::idle_lanes) return {access.access, line_of_most_idle(run)};
  const auto rules = instruction_rules();
  // What is in shared memory is there to be looked at, whatever else is said of the step.
  const bool shares = run.emulation.outcome.counters.shared_load.requests > 0;
  if (shares || std::ranges::find(rules, whole.rule) == rules.end()) return access;
  return {access.access, cost.lines.front().line};
}

Opening opening_of(const run::Run& run, std::size_t block, std::uint32_t warp,
                   const catalog::KernelSpec* judged_against, std::optional<ptx::Space> memory) {
  const std::string_view before =
      judged_against == nullptr ? std::string_view() : std::string_view(judged_against->code);
  Opening opening = opening_of(run, block, warp, before);
  if (!memory || !run.stories[block]->accesses().uses(warp, *memory)) return opening;
  if (const auto worst = *memory == ptx::Space::shared ? worst_conflict(run, block, warp) : std::nullopt)
    opening.access = *worst;
  else if (run.stories[block]->accesses().at(warp, opening.access)->space != *memory)
    opening.access = opening_access_in(run, block, warp, before, memory);
  return opening;
}

}  // namespace warplens::explain
