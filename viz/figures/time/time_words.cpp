#include "viz/figures/time/time_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/made_of.hpp"
#include "engine/explain/payoff/idle_sms.hpp"
#include "engine/explain/payoff/longest_block.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/why/reason.hpp"
#include "engine/time/why/stalls_by_line.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::Quantity, explain::say;
using time::Prediction, time::Stall;

// A unit that is busy for less does not limit: warps wait then.
constexpr double kLimits = 0.65;
// From this share of idle SMs on the grid is what limits.
constexpr double kIdle = 0.4;
// From here on its last blocks do, where warps wait for less.
constexpr double kTail = 0.25;
// A grid of less than this share of what the device holds has few warps to hide waits behind.
constexpr double kFewWarps = 0.5;
// From here on a launch, idle SMs, or one kind of work or access, are most of all.
constexpr double kMost = 0.5;

// What is asked of a launch beside its prediction. least_bytes: that any kernel of the problem must move.
struct Launch {
  const device::Device& device;
  double least_bytes = 0;
  const explain::Payoffs* payoffs = nullptr;  // null: not known
};

struct UnitWords {
  std::string_view unit, name, short_name, why, fix;
};
constexpr UnitWords kUnits[] = {
    {"issue", "The warp schedulers", "issue slots",
     "",  // by the device: issue_words()
     "fewer instructions for the same work: more results a thread, wider loads, unrolled loops"},
    {"fma", "The multiply-add units", "multiply-add", "they do what the device can do",
     "fewer operations: a cycle has room for so many multiply-adds. Products of matrices have faster units, "
     "the tensor cores"},
    {"alu", "The integer units", "integer, logic",
     "integers, comparisons, address arithmetic and logic have their own units, slower than those of "
     "multiply-adds",
     "fewer of them: strides that are known when compiling, indices that are kept, narrow integers where "
     "wide ones are not needed"},
    {"fp64", "The double-precision units", "doubles",
     "doubles have units of their own, fewer than those of floats",
     "floats where their digits suffice; a constant without f makes doubles of what is around it"},
    {"sfu", "The special function units", "functions",
     "reciprocals, roots, sines, powers and conversions share a few units",
     "fewer of them: a product with a reciprocal that is kept, a table, a polynomial of multiply-adds"},
    {"tensor", "The tensor cores", "tensor cores",
     "they take one product after the other, for as long as its shape and type say",
     "a smaller type: half the bytes, twice the depth"},
    {"constant", "The constant cache", "constants",
     "a load takes as many turns as its lanes ask for different addresses",
     "one address for a whole warp; shared memory where lanes need different ones"},
    {"shared", "Shared memory", "shared memory", "an SM moves one wavefront a cycle",
     "more operations for a word that is read: results kept in registers, wider loads"},
    {"l1", "L1", "L1 lookups", "an access takes cycles of L1 for the lines and bytes that it touches",
     "neighbouring addresses in neighbouring lanes, and shared memory for what is read again"},
    {"l2", "L2", "L2", "the SMs share what L2 gives in a cycle", ""},  // by what passes: fix_of_bytes()
    {"dram", "Device memory", "memory", "the SMs share its bandwidth", ""}};

const UnitWords& words_of(std::string_view unit) {
  return *std::ranges::find(kUnits, unit, &UnitWords::unit);
}

Claim of_model(std::string words, Quantity quantity, double number, std::string_view of = {}) {
  return explain::claim::of(explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel),
                            std::string(of));
}
Claim share_claim(Quantity quantity, double share, std::string_view of = {}) {
  return of_model(share_text(share), quantity, share, of);
}
Claim most_busy_claim(const Prediction& p) {
  const double most = busiest(p.units).busy;
  return of_model(fmt::format("no unit is busy more than {}", share_text(most)), Quantity::most_busy, most);
}
explain::Said& operator+=(explain::Said& said, explain::Said more) {
  said.text += more.text;
  add(said.claims, std::move(more.claims));
  return said;
}

// How many instructions an SM of the device issues.
explain::Said issue_words(const device::Device& device) {
  const time::Parameters p = time::parameters_of(device);
  const Claim cycles =
      of_model(p.issue_interval > 1 ? fmt::format("in {} cycles", plot::plain(p.issue_interval)) : "a cycle",
               Quantity::cycles_an_issue, p.issue_interval);
  constexpr std::array<std::string_view, 5> kNumbers{"", "", "two", "three", "four"};
  const auto parts = static_cast<std::size_t>(p.parts);
  if (parts < 2 || parts >= kNumbers.size())
    return say("an SM issues one instruction {}, whatever it does", {cycles});
  const Claim each = explain::claim::every(fmt::format("each of the {} parts", kNumbers[parts]),
                                           Quantity::parts_of_sm, p.parts, explain::Scope::device);
  if (p.issue_together > 1)
    return say(
        "in the model {} of an SM issues one instruction {}; the chip may issue {} of a warp at once: "
        "the time is rough",
        {each, cycles,
         of_model(std::string(kNumbers[static_cast<std::size_t>(p.issue_together)]),
                  Quantity::issued_together, p.issue_together)});
  return say("{} of an SM issues one instruction {}, whatever it does", {each, cycles});
}

// Share of the warps' time that goes by with the longest kind of waiting.
double waited(const Prediction& p) {
  double most = 0;
  for (std::size_t s = 0; s < time::kStalls; ++s)
    if (const auto stall = static_cast<Stall>(s); stall != Stall::selected && stall != Stall::not_selected)
      most = std::max(most, p.stalls[s]);
  return most;
}

double share_of(const Prediction& p, Stall stall) { return p.stalls[static_cast<std::size_t>(stall)]; }

// What keeps a kernel from being quicker. Where SMs have no block and smaller blocks would save nothing, it
// is the chain that each warp waits for, if there is one.
enum class Holds { launch, longest_block, idle_sms, atomics, starts, unit, tail, wait };
Holds holds(const Prediction& p) {
  if (p.launch >= kMost) return Holds::launch;
  if (explain::waits_for_longest(p)) return Holds::longest_block;
  if (p.tail >= kIdle && (p.in_smaller_blocks >= kPays || waited(p) < kMost)) return Holds::idle_sms;
  const double busy = busiest(p.units).busy;
  if (p.same_address >= kLimits && p.same_address > busy) return Holds::atomics;
  if (p.starts >= kLimits && p.starts > busy) return Holds::starts;
  // Barriers are instructions as well: what they issue is not what holds warps that wait at them.
  const bool waits_at_barriers = busiest(p.units).name == "issue" && share_of(p, Stall::barrier) >= kMost;
  if (busy >= kLimits && !waits_at_barriers) return Holds::unit;
  return p.waves > 1 && p.tail >= kTail && p.tail > waited(p) ? Holds::tail : Holds::wait;
}

struct StallWords {
  Stall stall;
  std::string_view short_name, who, fix;
};
constexpr StallWords kStallWords[] = {
    {Stall::selected, "issues", "", ""},
    {Stall::wait, "previous instruction", "for the instruction before",
     "independent instructions in a thread: several results at a time"},
    {Stall::long_scoreboard, "global memory", "for global memory", ""},  // by the grid: fix_of_loads()
    {Stall::short_scoreboard, "shared memory", "for shared memory, functions or special registers",
     ""},  // by the counts: fix_of_shared()
    {Stall::barrier, "a barrier", "at barriers for the others of their block",
     "fewer barriers, smaller blocks, or work that does not need the others"},
    {Stall::pipe, "arithmetic", "for an arithmetic unit",
     "other instructions between those of the busy unit"},
    {Stall::memory_throttle, "load/store queue", "for the queue of the load/store unit",
     "fewer and wider accesses"},
    {Stall::dispatch, "register ports", "for the ports of the registers",
     ""},  // the compiler chooses registers
    {Stall::not_selected, "another warp’s turn", "", ""}};

const StallWords& words_of(Stall stall) { return *std::ranges::find(kStallWords, stall, &StallWords::stall); }

// What warps wait for most.
Stall longest_wait(const Prediction& p) {
  Stall longest = Stall::wait;
  for (const StallWords& row : kStallWords)
    if (!row.who.empty() &&
        p.stalls[static_cast<std::size_t>(row.stall)] > p.stalls[static_cast<std::size_t>(longest)])
      longest = row.stall;
  return longest;
}
std::string_view who_of(const Prediction& p, Stall stall) {
  return time::is_for_local_memory(p, stall) ? "for local memory"
         : time::is_for_constants(p, stall)  ? "for constant memory"
                                             : words_of(stall).who;
}

// Only where there are blocks that have to wait for their turn, room for their warps, and something to be gained by them.
bool can_hold_more(const Launch& launch, const Prediction& p) {
  if (launch.payoffs == nullptr || p.waves <= 1 || p.resident_warps >= launch.device.max_warps_per_sm)
    return false;
  const auto& most = launch.payoffs->with_most_warps;
  return explain::pays(most ? most : launch.payoffs->with_more_warps);
}

Claim more_warps(const device::Device& device, const Prediction& p) {
  return of_model("more warps", Quantity::warps_to_spare, device.max_warps_per_sm - p.resident_warps);
}

// Warps that wait for products of wgmma or for the tiles of these.
constexpr std::string_view kFixOfGroups =
    "several products or tiles under way before the first is waited for, or one more warp group that "
    "multiplies";

// As their own page judges: without them the kernel is clearly quicker.
bool conflicts_cost(const Launch& launch) {
  constexpr auto kAt = static_cast<std::size_t>(explain::CostKind::wasted_wavefronts);
  return launch.payoffs != nullptr && explain::pays(launch.payoffs->of_costs[kAt]);
}

explain::Said fix_of_shared(const Launch& launch, const Prediction& p) {
  if (p.has_group_products) return {std::string(kFixOfGroups)};
  const std::string first = conflicts_cost(launch) ? "fewer bank conflicts, " : "";
  if (!can_hold_more(launch, p))
    return {first + (first.empty() ? "" : "or ") + "loads into registers well before they are used"};
  return say(first + "{}, or loads into registers well before they are used", {more_warps(launch.device, p)});
}

explain::Said fix_of_loads(const Launch& launch, const Prediction& p) {
  if (time::is_for_local_memory(p, Stall::long_scoreboard))
    return {p.has_local_arrays
                ? "an array in registers: indices that the compiler knows, by loops that it unrolls; else "
                  "shared memory"
                : "fewer values at a time in a thread, or more registers for it"};
  constexpr std::string_view kMore = "several independent loads a thread before the first is used";
  if (!can_hold_more(launch, p)) return {fmt::format("more loads under way: {}", kMore)};
  return say(fmt::format("more loads under way: {{}} on the SM, or {}", kMore),
             {more_warps(launch.device, p)});
}

time::UnitShare next_busiest(const Prediction& p) {
  auto units = shares_of(p.units);
  std::ranges::sort(units, std::greater{}, &time::UnitShare::busy);
  return units[1];
}
explain::Said second_unit(const Prediction& p) {
  const time::UnitShare next = next_busiest(p);
  if (next.busy < kWorthAWord) return {};
  return say(fmt::format("; next {}, with {{}}", in_a_sentence(std::string(words_of(next.name).name))),
             {share_claim(Quantity::busy, next.busy, next.name)});
}

// Of a grid that does not fill the device, or not evenly.
explain::Said empty_words(const Prediction& p) {
  if (p.waits_for_longest >= kPays)
    return say("; for {} of the kernel's time the device waits for the longest block",
               {share_claim(Quantity::waits_for_longest, p.waits_for_longest)});
  if (p.waves < 0.85)
    return say("; the grid is {} of what the device holds at a time",
               {share_claim(Quantity::share_of_grid, p.waves)});
  if (p.tail >= kWorthAWord)
    return say("; its last blocks leave {} of the SMs' time idle",
               {share_claim(Quantity::busy, p.tail, "idle")});
  return {};
}

// From here on memory waits for one of its partitions rather than for bytes.
constexpr double kCrowded = 1.3;
bool is_crowded(const Prediction& p) { return busiest(p.units).name == "dram" && p.crowding >= kCrowded; }

// Where memory moves more than the problem needs.
double bytes_moved(const Launch& launch, const Prediction& p) {
  return p.units.dram * seconds_on_sms(p) * launch.device.memory_gb_per_s * 1e9 / std::max(p.crowding, 1.0);
}
explain::Said wasted_words(const Launch& launch, const Prediction& p) {
  constexpr double kWasteful = 1.3;
  const double least = launch.least_bytes, moved = bytes_moved(launch, p);
  if (least <= 0 || moved < kWasteful * least) return {};
  return say("{} pass, {} times what the problem needs",
             {of_model(plot::si(moved, 3, " ", "B"), Quantity::bytes_moved, moved),
              of_model(plot::plain(moved / least, 2), Quantity::times_needed, moved / least)});
}

// Of L2 or memory, by what passes there.
struct FixOfBytes {
  explain::Said fix;
  explain::Verdict verdict = explain::Verdict::costly;
};
FixOfBytes fix_of_bytes(const Launch& launch, const Prediction& p, bool is_l2) {
  using enum explain::Verdict;
  constexpr double kOnce = 1.1, kWhole = 0.95, kHalfUsed = 0.8, kSector = 32;
  const double least = launch.least_bytes;
  if (p.useful_sectors < kHalfUsed)
    return {
        say("whole sectors used: neighbouring lanes side by side, rows that start on a sector; where data "
            "decide the addresses, "
            "collect in shared memory first")};
  const bool is_once =
      is_l2 ? least > 0 && kSector * p.l2_sectors <= kOnce * least : wasted_words(launch, p).text.empty();
  // An array that is read and written passes twice, and nothing of it is read again.
  constexpr double kAgain = 2;
  if (is_l2 && !is_once && p.useful_sectors >= kWhole && least > 0 && kSector * p.l2_sectors < kAgain * least)
    return {};
  if (!is_once || p.useful_sectors < kWhole)
    return {is_l2 ? say("fewer sectors from it: larger tiles in shared memory, whole sectors used")
                  : say("fewer bytes: keep what is read again on the chip, use whole sectors")};
  const double most = time::parameters_of(launch.device).dram_efficiency;
  if (!is_l2 && p.units.dram < (1 - kPays) * most)
    return {say("more bytes under way: wider loads, or several elements a thread; {} can be reached",
                {share_claim(Quantity::reachable_bandwidth, most)}),
            neutral};
  const double passed = is_l2 ? kSector * p.l2_sectors / least : bytes_moved(launch, p) / least;
  const Claim each = of_model("each", Quantity::passes_once, passed, is_l2 ? "l2" : "dram"),
              full = of_model("full sectors", Quantity::useful_sectors, p.useful_sectors);
  if (is_l2)
    return {say("{} in its accesses: {} byte passes once, in {}",
                {of_model("none", Quantity::passes_once, passed, "l2"), each, full}),
            neutral};
  return {say("fewer bytes alone: smaller types; {} passes once, in {}", {each, full}), good};
}

// No line ends between a number and its unit.
void keep_together(std::string& text) {
  for (std::size_t at = 0; (at = text.find(" %", at)) != std::string::npos;) text.replace(at, 1, "\u00a0");
}

}  // namespace

std::string_view unit_name(std::string_view unit, bool is_short) {
  return is_short ? words_of(unit).short_name : words_of(unit).name;
}
std::string_view stall_name(const Prediction& p, Stall stall, bool is_short) {
  if (!is_short) return time::plain_words(p, stall);
  return time::is_for_local_memory(p, stall) ? "local memory"
         : time::is_for_constants(p, stall)  ? "constants"
                                             : words_of(stall).short_name;
}

bool has_limiter(const Prediction& p) { return holds(p) == Holds::unit; }

explain::Said headline_said(const Prediction& p) {
  const time::UnitShare most = busiest(p.units);
  const std::string name(words_of(most.name).name);
  switch (holds(p)) {
    case Holds::launch:
      return say("The launch itself takes {} of the kernel's time",
                 {share_claim(Quantity::busy, p.launch, "launch")});
    case Holds::longest_block: {
      explain::Said what = explain::longest_block_what(p);
      what.text.front() = 'T';
      return what;
    }
    case Holds::idle_sms:
      return say("Too few blocks: {} of the SMs' time is idle",
                 {share_claim(Quantity::busy, p.tail, "idle")});
    case Holds::atomics:
      return say("Atomics at one address limit this step: {} of the kernel's cycles",
                 {share_claim(Quantity::busy, p.same_address, "atomics")});
    case Holds::starts:
      return say("Handing blocks to the SMs limits this step: {} of the kernel's cycles",
                 {share_claim(Quantity::busy, p.starts, "starts")});
    case Holds::unit:
      return say(fmt::format("{} limit{} this step: busy {{}} of the kernel's cycles", name,
                             time::are_many(name) ? "" : "s"),
                 {share_claim(Quantity::limits, most.busy, most.name)});
    case Holds::tail:
      return say("The last blocks leave {} of the SMs' time idle",
                 {share_claim(Quantity::busy, p.tail, "idle")});
    case Holds::wait:
      break;
  }
  const Stall wait = longest_wait(p);
  if (share_of(p, wait) < kMost)
    return say(fmt::format("The longest wait is {}: {{}} of the warps' time", who_of(p, wait)),
               {share_claim(Quantity::share_of_wait, share_of(p, wait), time::name(wait))});
  return say(fmt::format("Warps wait {}: {{}}", who_of(p, wait)), {most_busy_claim(p)});
}
std::string headline(const Prediction& p) { return headline_said(p).text; }

std::string bound_words(const Prediction& p) {
  const time::UnitShare most = busiest(p.units);
  return fmt::format("of {} predicted, the busiest unit ({}) needs {}", duration(p.seconds),
                     words_of(most.name).short_name, duration(seconds_on_sms(p) * most.busy));
}

namespace {

struct WhyAndFix {
  explain::Said why, fix;
  explain::Verdict verdict = explain::Verdict::costly;
};

std::string blocks_text(const Prediction& p) {
  return counted(static_cast<std::uint64_t>(p.blocks), "block");
}

Claim blocks_claim(const Prediction& p) { return of_model(blocks_text(p), Quantity::blocks, p.blocks); }

WhyAndFix of_idle_sms(const Launch& launch, const Prediction& p) {
  const int sms = launch.device.sm_count;
  explain::Said fix = explain::too_small_for_more(p);
  if (p.in_smaller_blocks >= kPays)
    fix = say(p.in_smaller_blocks < p.tail / 2
                  ? "more threads for the idle SMs; these in smaller blocks: {} less time by the model"
                  : "more and smaller blocks of the same threads: {} less time by the model",
              {share_claim(Quantity::saved_in_smaller_blocks, p.in_smaller_blocks)});
  return {.why = say("the grid has {} for {} SMs, and the others wait for the one that gets most",
                     {blocks_claim(p), of_model(std::to_string(sms), Quantity::sms, sms)}),
          .fix = std::move(fix)};
}

WhyAndFix of_longest_block(const Prediction& p) {
  return {.why = explain::longest_block_why(p), .fix = explain::longest_block_fix(p)};
}

WhyAndFix of_tail(const Prediction& p) {
  const double held = p.blocks / p.waves;
  return {.why = say("the grid has {}, and the device holds {} at a time",
                     {blocks_claim(p), of_model(grouped(static_cast<std::uint64_t>(held + 0.5)),
                                                Quantity::blocks_at_a_time, held)}),
          .fix = {"as many blocks as the device holds at a time, each of which does the work of several; or "
                  "smaller blocks"}};
}

WhyAndFix of_launch(const Prediction& p) {
  const double launch = p.launch * p.seconds;
  return {.why = say("{} of {} pass before its first block starts and after its last one ends",
                     {of_model(duration(launch), Quantity::seconds_of_launch, launch),
                      of_model(duration(p.seconds), Quantity::seconds, p.seconds)}),
          .fix = {"more work for a launch: a larger problem, or several kernels in one"}};
}

WhyAndFix of_atomics(const Prediction& p) {
  return {.why = say("{} meet at one address, and go there one after another",
                     {of_model(counted(static_cast<std::uint64_t>(p.meetings + 0.5), "atomic instruction"),
                               Quantity::meetings, p.meetings)}),
          .fix = {"fewer of them: more work for a block before its own, or a second launch that adds up"}};
}

WhyAndFix of_starts(const Prediction& p) {
  const double cycles = p.starts * p.cycles / p.blocks;
  return {.why = say("{} are started one after the other, one in {} cycles",
                     {blocks_claim(p), of_model(plot::plain(cycles, 2), Quantity::cycles_a_start, cycles)}),
          .fix = {"fewer blocks: several elements for a thread, one after another"}};
}

// Lanes of most instructions wait, and branches make them wait.
bool is_divided(const Prediction& p) {
  constexpr double kFew = 24;
  return p.divides_warps && p.mean_lanes < kFew;
}
explain::Said divided_words(const Prediction& p) {
  if (!is_divided(p)) return {};
  return say(
      "; branches divide warps: {} of {} are at work {}",
      {explain::rounded(Quantity::mean_lanes, p.mean_lanes, 3, explain::Scope::kernel),
       explain::claim::amount(Quantity::warp_lanes, 32, explain::Scope::warp),
       explain::claim::average("on average", Quantity::mean_lanes, p.mean_lanes, explain::Scope::kernel)});
}
constexpr std::string_view kFixOfDivision =
    "branches that whole warps take one way: decide by warp, not by thread";

// An instruction takes as long for a few lanes as for all.
bool counts_instructions(std::string_view unit) {
  constexpr std::array<std::string_view, 6> kOf{"issue", "fma", "alu", "fp64", "sfu", "tensor"};
  return std::ranges::find(kOf, unit) != kOf.end();
}

WhyAndFix of_unit(const Launch& launch, const Prediction& p) {
  const UnitWords& unit = words_of(busiest(p.units).name);
  explain::Said why = unit.unit == "dram" ? wasted_words(launch, p) : explain::Said{};
  const bool converts = unit.unit == "sfu" && p.of_doubles >= kMost;
  if (why.text.empty())
    why = unit.unit == "issue" ? issue_words(launch.device)
          : converts           ? explain::Said{"they convert floats to doubles and back"}
                               : explain::Said{std::string(unit.why)};
  const bool is_of_memory = unit.unit == "l2" || unit.unit == "dram";
  const bool is_local =
      (unit.unit == "l1" || is_of_memory) && time::is_for_local_memory(p, Stall::long_scoreboard);
  if (is_local) why += {"; most accesses are to local memory"};
  // Branches of functions of doubles are part of them: floats need neither.
  const bool is_for_few = unit.unit != "fp64" && !converts && counts_instructions(unit.unit) && is_divided(p);
  if (is_for_few) why += divided_words(p);
  why += second_unit(p);
  why += empty_words(p);
  if (is_of_memory && !is_local) {
    FixOfBytes of_bytes = fix_of_bytes(launch, p, unit.unit == "l2");
    return {.why = std::move(why), .fix = std::move(of_bytes.fix), .verdict = of_bytes.verdict};
  }
  constexpr double kAllUsed = 0.95, kConflicts = 0.7, kAlike = 0.85;
  const bool reads_again = unit.unit == "l1" && p.useful_sectors >= kAllUsed;
  const bool has_conflicts =
      unit.unit == "shared" && p.useful_wavefronts < kConflicts && conflicts_cost(launch);
  // Where nearly all instructions are multiply-adds, fewer of the others save nothing.
  const bool is_of_products = unit.unit == "issue" && p.units.fma >= kAlike * p.units.issue;
  return {.why = std::move(why),
          .fix = is_for_few ? explain::Said{std::string(kFixOfDivision)}
                 : converts
                     ? explain::Said{"floats alone: a constant without f makes doubles of what is around it"}
                 : is_local       ? fix_of_loads(launch, p)
                 : has_conflicts  ? explain::Said{"fewer bank conflicts: padded rows, or a swizzle"}
                 : is_of_products ? explain::Said{std::string(words_of("fma").fix)}
                 : unit.unit == "tensor" && !p.has_group_products
                     ? explain::Said{fmt::format("{}; on 9.0 wgmma in the place of mma", unit.fix)}
                 : reads_again ? explain::Said{"keep what is read again in shared memory, or in registers"}
                               : explain::Said{std::string(unit.fix)},
          .verdict = unit.unit == "fma" && !is_for_few ? explain::Verdict::good : explain::Verdict::costly};
}

WhyAndFix of_partitions(const Prediction& p) {
  explain::Said why =
      say("accesses crowd in few of memory’s partitions: it takes {} times as long as if they were spread",
          {of_model(plot::plain(p.crowding, 2), Quantity::crowding, p.crowding)});
  why += second_unit(p);
  return {.why = std::move(why),
          .fix = {"rows of another length, or blocks in another order, so that those at work spread over the "
                  "partitions"}};
}

explain::Said fix_of_wait(const Launch& launch, const Prediction& p, const StallWords& wait) {
  const bool is_for_few = is_divided(p) && (wait.stall == Stall::wait || wait.stall == Stall::pipe);
  explain::Said fix = is_for_few                              ? explain::Said{std::string(kFixOfDivision)}
                      : wait.stall == Stall::long_scoreboard  ? fix_of_loads(launch, p)
                      : wait.stall == Stall::short_scoreboard ? fix_of_shared(launch, p)
                      : wait.stall == Stall::pipe && p.has_group_products
                          ? explain::Said{std::string(kFixOfGroups)}
                          : explain::Said{std::string(wait.fix)};
  // What mends a wait of less than half of the time mends a part.
  if (share_of(p, wait.stall) < kMost && !fix.text.empty()) fix.text.insert(0, "against this wait, ");
  return fix;
}

WhyAndFix of_wait(const Launch& launch, const Prediction& p) {
  const StallWords& wait = words_of(longest_wait(p));
  const auto warps = static_cast<std::uint64_t>(p.resident_warps + 0.5);
  // The headline has the other number.
  explain::Said why =
      share_of(p, wait.stall) < kMost
          ? say("{}", {most_busy_claim(p)})
          : say(fmt::format("{{}} of the warps' whole time goes by with waiting {}", who_of(p, wait.stall)),
                {share_claim(Quantity::share_of_wait, share_of(p, wait.stall), time::name(wait.stall))});
  why += say(fmt::format("; {{}} issue{} in {{}} of {}", warps == 1 ? "s" : "",
                         p.tail >= kWorthAWord ? "the cycles, those of SMs without a block counted too"
                                               : "the cycles"),
             {of_model(counted(warps, "warp"), Quantity::warps_of_sm, p.resident_warps),
              share_claim(Quantity::busy, p.units.issue, "issue")});
  why += divided_words(p);
  why += empty_words(p);
  explain::Said cure = fix_of_wait(launch, p, wait), fix;
  if (p.tail >= kMost)
    fix = say("work for more blocks, as {} of the SMs' time is idle",
              {share_claim(Quantity::busy, p.tail, "idle")});
  else if (p.waves > 0 && p.waves < kFewWarps && !time::is_for_local_memory(p, wait.stall))
    fix = {"more threads, for a larger problem or with less work a thread"};
  if (!fix.text.empty() && !cure.text.empty()) fix.text += "; or ";
  fix += std::move(cure);
  return {.why = std::move(why), .fix = std::move(fix)};
}

WhyAndFix said_of(const Launch& launch, const Prediction& p) {
  switch (holds(p)) {
    case Holds::launch:
      return of_launch(p);
    case Holds::longest_block:
      return of_longest_block(p);
    case Holds::idle_sms:
      return of_idle_sms(launch, p);
    case Holds::atomics:
      return of_atomics(p);
    case Holds::starts:
      return of_starts(p);
    case Holds::unit:
      return is_crowded(p) ? of_partitions(p) : of_unit(launch, p);
    case Holds::tail:
      return of_tail(p);
    case Holds::wait:
      break;
  }
  return of_wait(launch, p);
}

}  // namespace

TimeSaid time_words(const run::Job& job, const Prediction& p, const explain::Payoffs* payoffs) {
  return time_words(job.plan.device, job.instance->least_bytes(), p, payoffs);
}

TimeSaid time_words(const device::Device& device, double least_bytes, const Prediction& p,
                    const explain::Payoffs* payoffs) {
  const Launch launch{device, least_bytes, payoffs};
  WhyAndFix found = said_of(launch, p);
  keep_together(found.why.text);
  for (Claim& claim : found.why.claims) keep_together(claim.shown);
  TimeSaid said;
  said.question = "What does an SM do all the time?";
  said.unit = fmt::format("warps of one SM of {} over its cycles", launch.device.name);
  said.explanation.rule = explain::RuleId::of_figure;
  said.explanation.verdict = found.verdict;
  explain::Said what = headline_said(p);
  said.explanation.what = std::move(what.text);
  said.explanation.why = found.why.text;
  said.explanation.fix = found.fix.text;
  said.explanation.claims = std::move(what.claims);
  add(said.explanation.claims, found.why.claims);
  add(said.explanation.claims, found.fix.claims);
  return said;
}

}  // namespace warplens::figures
