#include "engine/explain/payoff/payoff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/explain/access_traits.hpp"
#include "engine/explain/around_access.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/made_of.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/idle_sms.hpp"
#include "engine/explain/payoff/least_traffic.hpp"
#include "engine/explain/payoff/longest_block.hpp"
#include "engine/explain/payoff/other_launches.hpp"
#include "engine/explain/payoff/other_way.hpp"
#include "engine/explain/payoff/what_pays.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/plan.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/reason.hpp"
#include "engine/time/why/without.hpp"

namespace warplens::explain {
namespace {

constexpr double kMost = 0.5;          // of the time: what takes so much is what a step costs
constexpr double kHolds = 0.6;         // what fills less of the time is no reason that nothing else counts
constexpr double kLeastShare = 0.005;  // of the kernel's time: less is not worth a number
constexpr double kSlower = 0.02;       // what warps that run apart make of a time
constexpr double kMuch = 0.2;          // of all sectors or requests
constexpr double kManyTimes = 2;  // as much as one access alone: then what all of them gain is said as well
constexpr std::size_t kMostSites = 24;

// Instructions of a line that access memory alike, as copies of one in an unrolled loop do.
struct Site {
  time::AnchorKey at;
  std::vector<std::uint32_t> pcs = {};
  double units = 0, wasted = 0, requests = 0;  // sectors, or wavefronts
  bool is_shared = false;
  bool is_like(const Site& other) const {
    constexpr double kSame = 1e-3;  // blocks that stand for others round a little differently
    return at == other.at && std::abs(units / requests - other.units / other.requests) < kSame &&
           std::abs(wasted / requests - other.wasted / other.requests) < kSame;
  }
};

// Those whose words another one carries have none of their own.
std::vector<Site> sites_of(const run::Run& run) {
  const ptx::Function& function = run.kernel->function();
  const auto& counters = run.emulation.outcome.counters.instructions;
  std::vector<Site> sites;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const auto& counted = counters[pc];
    const auto anchor = time::anchor_of(function.code[pc]);
    const bool is_access =
        counted.requests > 0 && (counted.space == ptx::Space::global || counted.space == ptx::Space::shared);
    if (!is_access || anchor == time::Anchor::none) continue;
    Site site{{time::line_of(function, function.code[pc]), anchor}, {pc}};
    site.is_shared = counted.space == ptx::Space::shared;
    site.units = static_cast<double>(site.is_shared ? counted.wavefronts : counted.sectors);
    const auto least = static_cast<double>(site.is_shared ? counted.ideal_wavefronts : counted.ideal_sectors);
    site.wasted = std::max(0.0, site.units - least);
    site.requests = static_cast<double>(counted.requests);
    const auto alike = std::ranges::find_if(sites, [&](const Site& other) { return site.is_like(other); });
    if (alike == sites.end()) {
      sites.push_back(site);
      continue;
    }
    alike->units += site.units, alike->wasted += site.wasted, alike->requests += site.requests;
    alike->pcs.push_back(pc);
  }
  return sites;
}

// The model has one cost for all accesses of a kind in a line.
struct Line {
  double units = 0, requests = 0;
};
using Lines = std::map<time::AnchorKey, Line>;
Lines lines_of(const std::vector<Site>& sites) {
  Lines lines;
  for (const Site& site : sites) lines[site.at].units += site.units, lines[site.at].requests += site.requests;
  return lines;
}

// What is left of each line where these units and requests of its accesses are gone.
template <class Units>
std::vector<time::Left> left_of(const std::vector<Site>& sites, const Lines& lines, Units units) {
  std::map<time::AnchorKey, time::Left> left;
  for (const Site& site : sites) {
    time::Left& each = left.try_emplace(site.at, time::Left{site.at}).first->second;
    const double all = lines.at(site.at).units;
    if (all > 0) each.cost -= units(site) / all;
  }
  std::vector<time::Left> all;
  for (const auto& [at, each] : left)
    if (each.cost != 1) all.push_back(each);
  return all;
}

// That an SM may hold by its warps and blocks.
int most_blocks(const time::Model& model, const device::Device& device) {
  return std::min(device.max_warps_per_sm / std::max(model.work.warps_per_block, 1),
                  device.max_blocks_per_sm);
}

bool walks_down(const Facts& facts) { return facts.walks_down && !facts.pieces.is_shared; }

class Maker {
 public:
  Maker(const run::Run& run, const time::Modelled& known, const std::atomic<bool>& cancel)
      : run_(run),
        cancel_(cancel),
        known_(known),
        short_(time::in_short(known)),
        sites_(sites_of(run)),
        lines_(lines_of(sites_)) {}

  SharedPayoffs make(Sides* sides) {
    all_.now = known_.prediction;
    add_accesses();
    add_costs();
    all_.other_way = with_other_way();
    const std::uint32_t warp = opening_warp(run_, 0);
    const auto opening = facts_at(run_, {0, warp, opening_access(run_, 0, warp)});
    all_.opens_walking = opening && walks_down(*opening);
    all_.opens_on_rows = opening && has_row_of_thread(*opening);
    all_.opens_on_side = opening && has_other_side(*opening);
    all_.without_spills = gain(time::seconds_without_spills(short_));
    if (known_.model.blocks > known_.model.blocks_at_a_time())
      all_.with_more_warps = with_more_warps(sides), all_.with_most_warps = with_most_warps();
    all_.sms = known_.model.sms;
    if (sides != nullptr) try_turned(*sides), try_more_blocks(*sides);
    return std::make_shared<const Payoffs>(std::move(all_));
  }

 private:
  std::optional<double> gain(std::optional<double> seconds) const {
    return seconds ? std::optional(1 - *seconds / short_.prediction.seconds) : std::nullopt;
  }
  double gain(const time::Prediction& other) const { return 1 - other.seconds / known_.prediction.seconds; }
  // Accesses share their lines and what all waste is: each prediction is made once.
  std::optional<double> gain_with(const std::vector<time::Left>& left) {
    if (left.empty()) return std::nullopt;
    const auto [known, is_new] = gains_.try_emplace(left);
    if (is_new) known->second = gain(time::seconds_with(short_, left, least_sectors(run_)));
    return known->second;
  }

  // The costliest ones, each without itself and without its waste.
  void add_accesses() {
    std::vector<const Site*> most;
    for (const Site& site : sites_) most.push_back(&site);
    std::ranges::sort(most, std::greater(), &Site::units);
    most.resize(std::min(most.size(), kMostSites));
    for (const Site* site : most) {
      const Line& line = lines_.at(site->at);
      const auto share =
          gain_with({{site->at, 1 - site->units / line.units, 1 - site->requests / line.requests}});
      if (!share) continue;
      const bool tells = *share >= -kSlower && !(*share < kSlower && is_much_of_the_limit(*site));
      const AccessPayoff payoff{tells ? std::optional(std::max(0.0, *share)) : std::nullopt,
                                site->wasted > 0 ? gain_of_waste(*site) : 0};
      for (const std::uint32_t pc : site->pcs) all_.accesses[pc] = payoff;
    }
  }

  // Of the unit that limits the kernel.
  bool is_much_of_the_limit(const Site& site) const {
    const time::Prediction& now = known_.prediction;
    constexpr std::array<std::string_view, 3> global = {"l1", "l2", "dram"};
    const bool is_its_unit = site.is_shared ? now.limiter == "shared" || now.limiter == "l1"
                                            : std::ranges::find(global, now.limiter) != global.end();
    if (!is_its_unit || time::hold_of(now).busy < kHolds) return false;
    double units = 0, requests = 0;
    for (const Site& each : sites_)
      if (each.is_shared == site.is_shared) units += each.units, requests += each.requests;
    return std::max(site.units / units, site.requests / requests) >= kMuch;
  }

  // Before all other waste of its kind, and after it.
  double gain_of_waste(const Site& site) {
    const auto without = [&](bool this_one, bool others) {
      return gain_with(left_of(sites_, lines_,
                               [&](const Site& each) {
                                 const bool goes =
                                     &each == &site ? this_one : others && each.is_shared == site.is_shared;
                                 return goes ? each.wasted : 0;
                               }))
          .value_or(0);
    };
    return (without(true, false) + without(true, true) - without(false, true)) / 2;
  }

  std::optional<double> without_waste(bool is_shared) {
    return gain_with(left_of(
        sites_, lines_, [&](const Site& site) { return site.is_shared == is_shared ? site.wasted : 0; }));
  }

  void set(CostKind cost, std::optional<double> gained) {
    all_.of_costs[static_cast<std::size_t>(cost)] = gained;
  }

  void add_costs() {
    set(CostKind::wasted_sectors, without_waste(false));
    set(CostKind::wasted_wavefronts, without_waste(true));
    set(CostKind::sectors, gain(time::seconds_without_traffic(short_)));
    set(CostKind::wavefronts, gain(time::seconds_without_wavefronts(short_)));
    const auto& counters = run_.emulation.outcome.counters;
    const double lanes = static_cast<double>(counters.thread_instructions) /
                         std::max(32.0 * static_cast<double>(counters.warp_instructions), 1.0);
    set(CostKind::idle_lanes, gain(time::seconds_with_instructions(short_, lanes)));
    add_idle_lines();
    const InstructionCost cost = instruction_cost(run_);
    if (!cost.lines.empty()) set(CostKind::instructions, without_line(cost.lines.front().line));
  }

  void add_idle_lines() {
    const auto all = static_cast<double>(run_.emulation.outcome.counters.warp_instructions);
    for (const auto& [line, idle] : idle_instructions(run_))
      if (const auto gained = gain(time::seconds_with_instructions(short_, 1 - idle / std::max(all, 1.0))))
        all_.of_idle_lines[line] = *gained;
  }

  // line: of the kernel's own text.
  std::optional<double> without_line(int line) const {
    const ptx::Function& function = run_.kernel->function();
    for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
      if (run_.kernel_lines[pc] == line)
        return gain(time::seconds_without_line(short_, time::line_of(function, function.code[pc])));
    return std::nullopt;
  }

  std::optional<double> with_other_way() {
    const auto ratios = sectors_the_other_way(run_);
    if (!ratios) return std::nullopt;
    double now = 0, saved = 0;
    const auto saves = [&](const Site& site) {
      const auto found = ratios->find(site.pcs.front());
      return found == ratios->end() ? 0 : (1 - found->second) * site.units;
    };
    for (const Site& site : sites_)
      if (!site.is_shared) now += site.units, saved += saves(site);
    const auto gained = gain_with(left_of(sites_, lines_, saves));
    return gained && now > 0 ? std::optional(std::min(*gained, saved / now)) : std::nullopt;
  }

  // With some of a loop's turns alone blocks may happen to go together, or apart: what pays has to pay with all of them, too.
  std::optional<double> least_of(std::optional<double> in_short, int blocks) const {
    if (!pays(in_short)) return in_short;
    return std::min(*in_short, 1 - time::seconds_with_blocks(known_, blocks) / known_.prediction.seconds);
  }

  std::optional<double> with_more_warps(Sides* sides) const {
    const int wanted = known_.model.held + 1;
    if (wanted > most_blocks(known_.model, run_.device())) return std::nullopt;
    const auto freely = least_of(gain(time::seconds_with_blocks(short_, wanted)), wanted);
    if (!registers_limit(run_) || freely.value_or(0) < kLeastGain) return freely;
    // Registers are not saved for nothing: what finds none goes to memory.
    if (sides == nullptr) return std::nullopt;
    const auto fewer = predicted(*sides, with_blocks_on_sm(run_.plan(), wanted), run_.plan().parameters);
    return fewer && fewer->resident_warps > known_.prediction.resident_warps ? std::optional(gain(*fewer))
                                                                             : std::nullopt;
  }

  // Nothing where that is one block more at most.
  std::optional<double> with_most_warps() const {
    const bool has_room = most_blocks(known_.model, run_.device()) > known_.model.held + 1;
    return has_room
               ? least_of(gain_of_most_warps(short_, run_.device()), most_blocks(known_.model, run_.device()))
               : std::nullopt;
  }

  // As many as the device holds at a time; nothing where the grid is no row of blocks, or more of them do not divide the work: the
  // kernel does not run with them, is wrong, or leaves the first block as much to do as before.
  void try_more_blocks(Sides& sides) {
    const run::Plan& plan = run_.plan();
    const bool is_row = plan.launch.grid[1] == 1 && plan.launch.grid[2] == 1;
    if (!is_row || known_.model.blocks >= known_.model.sms) return;
    const double most = known_.model.blocks_at_a_time();
    const catalog::KernelSpec spec = with_grid_of(plan, static_cast<std::uint64_t>(most));
    const auto more = predicted(sides, spec, plan.parameters);
    if (!more || (gain(*more) >= kLeastGain && !divides_work(sides, spec))) return;
    all_.with_more_blocks = gain(*more), all_.blocks_at_a_time = most;
  }

  // spec: with more blocks. What it does may depend on how many there are.
  bool divides_work(Sides& sides, const catalog::KernelSpec& spec) const {
    const auto job = sides.runner().job(request_of(spec, run_.plan().parameters), cancel_);
    if (!job) return false;
    const auto kernel = run::prepare(job->build, job->plan.device);
    if (!kernel) return false;
    const auto run_with = [&](const catalog::LaunchShape& launch, std::vector<std::uint64_t> blocks) {
      return run::emulate(**kernel, *job->instance, launch,
                          {.threads = 1, .cancel = &cancel_, .blocks = std::move(blocks)});
    };
    const auto before = run_with(run_.plan().launch, {0}), behind = run_with(job->plan.launch, {0});
    if (!before || !behind) return false;
    const auto instructions = [](const auto& ran) {
      return static_cast<double>(ran->outcome.counters.warp_instructions);
    };
    if (instructions(behind) > (1 - kLeastGain) * instructions(before)) return false;
    const auto ran = run_with(job->plan.launch, {});
    return ran && !ran->outcome.fault && ran->verification.verified;
  }

  run::Request request_of(const catalog::KernelSpec& spec, const catalog::Values& parameters) const {
    const run::Plan& plan = run_.plan();
    return {.spec = spec,
            .parameters = parameters,
            .sizes = plan.sizes,
            .device = plan.device,
            .threads = 1,
            .background = true};
  }

  std::optional<time::Prediction> predicted(Sides& sides, const catalog::KernelSpec& spec,
                                            const catalog::Values& parameters) const {
    const auto side = sides.of(request_of(spec, parameters), true, cancel_);
    return side && side->predicted() != nullptr ? std::optional(*side->predicted()) : std::nullopt;
  }

  // Another set of the file's parameters whose blocks are as wide as these are high.
  void try_turned(Sides& sides) {
    const run::Plan& plan = run_.plan();
    const auto& block = plan.launch.block;
    if (block[0] >= 32 || block[1] <= block[0]) return;
    for (const auto& [one, first] : plan.parameters)
      for (const auto& [two, second] : plan.parameters) {
        if (one >= two || first == second) continue;
        catalog::Values values = plan.parameters;
        std::swap(values[one], values[two]);
        const auto launch = catalog::Launches(plan.spec, plan.sizes).at(values);
        if (!launch || launch->block[0] != block[1] || launch->block[1] != block[0]) continue;
        const auto turned = predicted(sides, plan.spec, values);
        if (!turned) continue;
        all_.turned = gain(*turned), all_.turned_block = {block[1], block[0]};
        return;
      }
  }

  const run::Run& run_;
  const std::atomic<bool>& cancel_;
  const time::Modelled& known_;
  const time::Modelled short_;
  std::vector<Site> sites_;
  Lines lines_;
  std::map<std::vector<time::Left>, std::optional<double>> gains_;
  Payoffs all_;
};

bool is_of_access(CostKind cost) {
  return cost == CostKind::wasted_load_sectors || cost == CostKind::wasted_store_sectors ||
         cost == CostKind::wasted_load_wavefronts || cost == CostKind::wasted_store_wavefronts;
}

std::optional<double> gain_of_access(const Payoffs& payoffs, const Facts& facts) {
  const auto found = payoffs.accesses.find(facts.access.pc);
  return found == payoffs.accesses.end() ? std::nullopt : std::optional(found->second.gain);
}

// Of mending all that is as this one.
std::optional<double> gain_of(const Explanation& said, const Payoffs& payoffs) {
  if (said.rule == RuleId::spills) return payoffs.without_spills;
  if (said.line > 0) {
    const auto found = payoffs.of_idle_lines.find(said.line);
    return found == payoffs.of_idle_lines.end() ? std::nullopt : std::optional(found->second);
  }
  CostKind cost = said.cost;
  if (cost == CostKind::wasted_load_sectors || cost == CostKind::wasted_store_sectors)
    cost = CostKind::wasted_sectors;
  if (cost == CostKind::wasted_load_wavefronts || cost == CostKind::wasted_store_wavefronts)
    cost = CostKind::wasted_wavefronts;
  return payoffs.of_costs[static_cast<std::size_t>(cost)];
}

// Whether executing instructions holds the kernel, alone or about as much as something else: lanes and warps that
// wait are a part of that, and the model, which thins them out evenly, does not know that they cost nothing.
bool is_of_instructions(const time::Prediction& now) {
  const auto& units = now.units;
  return time::hold_of(now).busy < kHolds ||
         std::max({units.issue, units.fma, units.alu, units.fp64, units.sfu}) >= kHolds;
}

// Lanes that walk down rows: to exchange the indices may only move that to another array, and where a block
// is not as wide as a warp its shape decides.
constexpr std::string_view kTile =
    "a tile in shared memory: it is read along rows on one side and down columns on the other";
constexpr std::string_view kWarpARow = "give each row a warp, whose lanes go along it";
Said turned_words(const Payoffs& payoffs) {
  const auto side = [&](std::size_t at) {
    return claim::of(claim::number(Quantity::block_threads, payoffs.turned_block[at], Scope::block),
                     at == 0 ? "y" : "x");
  };
  return say("blocks of {} × {} threads: then the lanes of a warp are in one row", {side(0), side(1)});
}

bool is_of_walking(const Explanation& said, const Payoffs& payoffs, const Facts* facts) {
  return facts != nullptr ? walks_down(*facts)
                          : said.cost == CostKind::wasted_sectors && payoffs.opens_walking;
}

}  // namespace

std::optional<double> gain_of_most_warps(const time::Modelled& of, const device::Device& device) {
  const int most = most_blocks(of.model, device);
  if (most <= of.model.held) return std::nullopt;
  return 1 - time::seconds_with_blocks(of, most) / of.prediction.seconds;
}

SharedPayoffs payoffs_of(const run::Run& run, Sides* sides, const std::atomic<bool>& cancel) {
  const auto known = time::modelled(run, cancel);
  return known && !cancel ? Maker(run, *known, cancel).make(sides) : nullptr;
}

namespace {

Claim of_time(std::string words, Quantity quantity, double number, std::string_view of) {
  return claim::of(claim::words(std::move(words), quantity, number, Scope::kernel), std::string(of));
}

}  // namespace

Said what_holds(const time::Prediction& now) {
  const time::Hold hold = time::hold_of(now);
  if (hold.busy < kHolds) return {};
  return {time::words_of(hold), {of_time(time::share_of(hold), Quantity::busy, hold.busy, hold.name)}};
}

Said costs_little(const time::Prediction& now, double gain, std::string_view of) {
  if (gain >= kLeastSaid)
    return say("costs {} of the kernel's time here",
               {of_time(fmt::format("only {:.0f} %", 100 * gain), Quantity::gain, gain, of)});
  Said holds = what_holds(now);
  Said said{"costs nothing here: " +
            (holds.text.empty() ? std::string("without it the kernel would take as long") : holds.text)};
  said.claims = std::move(holds.claims);
  said.claims.push_back(of_time("costs nothing here", Quantity::no_gain, 0, of));
  return said;
}

namespace {

// Instead of a fix: what the waste costs.
void say_cost(Explanation& said, const time::Prediction& now, double gain, std::string_view of) {
  set_fix(said, costs_little(now, gain, of)), said.is_free = true;
}

// The fix as a claim.
void claim_gain(Explanation& said, double gain, std::string_view of) {
  Claim gained{.kind = ClaimKind::fix, .quantity = Quantity::gain, .number = gain, .scope = Scope::kernel};
  gained.shown = said.fix, gained.of = of;
  said.claims.push_back(std::move(gained));
}

// Warps that are done still go through the loop's tests and barriers. What that costs the gain of idle lanes does not
// say: all lanes of theirs are at work there. It is nothing where something else leaves no time for it.
bool leaves_no_time(const time::Prediction& now) {
  return !is_of_instructions(now) && time::hold_of(now).busy > 1 - kLeastGain;
}

Explanation with_idle_warps(Explanation said, const Payoffs* payoffs) {
  const std::string_view of = waste_of(CostKind::idle_lanes);
  const auto gain =
      payoffs == nullptr ? std::nullopt : payoffs->of_costs[static_cast<std::size_t>(CostKind::idle_lanes)];
  said.fix.clear();
  if (gain && !pays(gain) && leaves_no_time(payoffs->now)) say_cost(said, payoffs->now, *gain, of);
  drop_unsaid(said);
  return said;
}

// What a gain of mending all that is as this one is of.
std::string of_all(const Explanation& said) {
  if (said.line > 0) return std::to_string(said.line);
  return std::string(said.rule == RuleId::spills ? kOfSpills : waste_of(said.cost));
}

// Whether each thread has a row to itself: a warp for each makes more threads of the same work, too.
bool is_of_rows(const Payoffs& payoffs, const Facts* facts) {
  return facts != nullptr ? has_row_of_thread(*facts) : payoffs.opens_on_rows;
}
Said warp_a_row(const Payoffs& payoffs) {
  Said cure{std::string(kWarpARow), {}};
  return has_idle_sms(&payoffs) ? idle_sms_words(payoffs, std::move(cure)) : cure;
}

// What mending one access gains, where only mending all that waste as it does pays.
Said alone_and_all(double alone, double all, std::string_view of) {
  const Claim own = alone < kLeastSaid ? of_time("nothing", Quantity::no_gain, 0, kOfAccessAlone)
                                       : of_time(fmt::format("{:.0f} %", 100 * alone), Quantity::gain, alone,
                                                 kOfAccessAlone);
  return say("alone it saves {} of the kernel's time, all {} together {}",
             {own, claim::name(std::string(of)),
              of_time(fmt::format("{:.0f} %", 100 * all), Quantity::gain, all, of)});
}

}  // namespace

namespace {

// Fewer atomics gain no more than the share of the time in which they meet, and most of that where they hold all.
Explanation with_atomics(Explanation said, const Payoffs* payoffs) {
  if (payoffs == nullptr) {
    said.fix.clear();
  } else if (const double share = payoffs->now.same_address; share < kHolds) {
    said.verdict = Verdict::neutral, said.fix.clear();
  } else {
    Said more = say("; they take {} of the kernel's cycles",
                    {of_time(fmt::format("{:.0f} %", 100 * share), Quantity::busy, share, "atomics")});
    said.fix += more.text;
    add(said.claims, std::move(more.claims));
  }
  drop_unsaid(said);
  return said;
}

}  // namespace

Explanation that_pays(Explanation said, const Payoffs* payoffs, const Facts* facts) {
  if (facts == nullptr && payoffs != nullptr && payoffs->now.waits_for_longest >= kMost)
    return of_longest_block(payoffs->now);
  const bool is_atomic = said.rule == RuleId::atomics_at_one_address || said.rule == RuleId::combined_atomics;
  if (is_atomic && said.verdict == Verdict::costly) return with_atomics(std::move(said), payoffs);
  if (said.rule == RuleId::constant_turns && facts == nullptr)
    return with_constant_turns(std::move(said), payoffs);
  if (said.rule == RuleId::lanes_at_the_front) return with_idle_warps(std::move(said), payoffs);
  if (said.rule == RuleId::few_blocks) return with_work_for_idle_sms(std::move(said), payoffs);
  if (said.verdict != Verdict::costly || said.fix.empty())
    return beside_longest_block(
        facts != nullptr ? beside_idle_sms(std::move(said), payoffs) : std::move(said), payoffs);
  const bool is_one = facts != nullptr && is_of_access(said.cost);
  const auto own = payoffs != nullptr && is_one ? gain_of_access(*payoffs, *facts) : std::nullopt,
             all = payoffs != nullptr ? gain_of(said, *payoffs) : std::nullopt;
  const bool is_own = own && *own > all.value_or(0);
  const double most = std::max(own.value_or(0), all.value_or(0));
  const std::string of = is_own ? std::string(kOfAccessAlone) : of_all(said);
  const bool is_known = !(is_one && !own) && (own || all);
  const bool goes_down = is_known && is_of_walking(said, *payoffs, facts),
             walks = goes_down && !pays(payoffs->other_way);
  const bool needs_tile =
      walks || (goes_down && (facts != nullptr ? has_other_side(*facts) : payoffs->opens_on_side));
  if (!is_known) {
    said.fix.clear();
  } else if (!pays(own) && !pays(all) && said.cost == CostKind::idle_lanes &&
             is_of_instructions(payoffs->now)) {
    said.fix.clear();
  } else if (!pays(own) && !pays(all)) {
    say_cost(said, payoffs->now, most, of);
    said.verdict = Verdict::neutral;
  } else if (walks && pays(payoffs->turned)) {
    set_fix(said, turned_words(*payoffs));
    claim_gain(said, *payoffs->turned, kOfBlockShape);
  } else if (walks && is_of_rows(*payoffs, facts)) {
    set_fix(said, warp_a_row(*payoffs));
    claim_gain(said, most, of);
  } else if (needs_tile && has_mostly_idle_sms(*payoffs)) {
    set_fix(said, idle_sms_words(*payoffs, work_for_idle_sms(*payoffs)));
  } else {
    if (walks) said.fix = kTile;
    if (!walks && is_one && *all >= std::max(kManyTimes * *own, kLeastGain)) {
      Said amounts = alone_and_all(*own, *all, of);
      said.fix += "; " + amounts.text;
      add(said.claims, std::move(amounts.claims));
    }
    claim_gain(said, most, of);
  }
  drop_unsaid(said);
  return said;
}

Said share_words(const Payoffs* payoffs, const Facts& facts) {
  if (payoffs == nullptr) return {};
  const auto found = payoffs->accesses.find(facts.access.pc);
  if (found == payoffs->accesses.end() || !found->second.share) return {};
  const double share = *found->second.share;
  if (share < kLeastShare)
    return say("{}, by the model", {of_time("costs no time", Quantity::no_gain, 0, "an access")});
  return say("costs {} of the kernel's time, by the model",
             {of_time(share < kLeastSaid ? "1 %" : fmt::format("{:.0f} %", 100 * share),
                      Quantity::share_of_access, share, "")});
}

}  // namespace warplens::explain
