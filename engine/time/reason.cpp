#include "engine/time/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/base/text.hpp"

namespace warplens::time {
namespace {

// What warps that do not run wait for; those ready to run wait for nothing.
constexpr std::array<std::pair<Stall, std::string_view>, 7> kWaits = {
    {{Stall::wait, "the instruction before"},
     {Stall::long_scoreboard, "global memory"},
     {Stall::short_scoreboard, "shared memory or L1"},
     {Stall::barrier, "the others of their block"},
     {Stall::pipe, "the arithmetic units"},
     {Stall::memory_throttle, "the queue to memory"},
     {Stall::dispatch, "the ports of the registers"}}};

// Less than this is no reason: shares of time, of instructions, and of what a unit has to do.
constexpr double kLeastShare = 0.03, kLeastMore = 0.05;
constexpr double kHeld = 0.75;      // a thing that is busy for less of the time does not hold a kernel
constexpr double kMoreWork = 1.04;  // times the work of a unit
constexpr double kMostlyBusy = 0.6, kAnyWork = 1.01;
constexpr double kFewer = 0.75;  // times the warps

double share_of(const Prediction& p, Stall stall) { return p.stalls[static_cast<std::size_t>(stall)]; }

// What a kernel waits for most: a unit, or atomics at one address.
struct Hold {
  std::string_view name;
  double busy = 0;
};
constexpr std::string_view kAtomics = "atomics";

Hold hold_of(const Prediction& p) {
  const UnitShare unit = busiest(p.units);
  return p.same_address > unit.busy ? Hold{kAtomics, p.same_address} : Hold{unit.name, unit.busy};
}

std::string_view words_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords = {
      {{"issue", "the issue of instructions"},
       {"fma", "the multiply-add units"},
       {"alu", "the integer units"},
       {"fp64", "the units for doubles"},
       {"sfu", "the units for functions"},
       {"shared", "shared memory"},
       {"l1", "L1"},
       {"l2", "L2"},
       {"dram", "memory"}}};
  const auto found = std::ranges::find(kWords, unit, &std::pair<std::string_view, std::string_view>::first);
  return found == kWords.end() ? unit : found->second;
}

double busy_of(const Prediction& p, std::string_view unit) {
  if (unit == kAtomics) return p.same_address;
  const auto all = shares_of(p.units);
  const auto found = std::ranges::find(all, unit, &UnitShare::name);
  return found == all.end() ? 0 : found->busy;
}

int percent(double share) { return static_cast<int>(100 * share + 0.5); }

ReasonWords work_words(const Hold& hold, double times, const std::string& other) {
  return {fmt::format("{} is busy {} % of the time and has {:.2f} times as much to do as in {}",
                      words_of(hold.name), percent(hold.busy), times, other),
          fmt::format("{:.2f} × the work for {}", times, words_of(hold.name))};
}

// The unit that holds the slower one has more to do there.
ReasonWords more_work(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const Hold hold = hold_of(slower);
  const double then = busy_of(quicker, hold.name) * quicker.seconds;
  if (hold.busy < kHeld || hold.name == kAtomics || hold.busy * slower.seconds < kMoreWork * then) return {};
  if (then <= 0 || hold.busy * slower.seconds > 10 * then)
    return {fmt::format("{} is busy {} % of the time, against {} % in {}", words_of(hold.name),
                        percent(hold.busy), percent(busy_of(quicker, hold.name)), other),
            fmt::format("{} {} % busy, not {} %", words_of(hold.name), percent(hold.busy),
                        percent(busy_of(quicker, hold.name)))};
  return work_words(hold, hold.busy * slower.seconds / then, other);
}

// The unit that is busiest in both has more to do, by at least as much as the time grew.
ReasonWords work_that_took_longer(const Prediction& slower, const Prediction& quicker,
                                  const std::string& other) {
  const Hold hold = hold_of(slower);
  if (hold.name == kAtomics || hold.name != hold_of(quicker).name || hold.busy < kMostlyBusy) return {};
  const double grew = slower.seconds / quicker.seconds;
  const double times = hold.busy / busy_of(quicker, hold.name) * grew;
  return grew > 1 && times >= std::max(grew, kAnyWork) ? work_words(hold, times, other) : ReasonWords{};
}

ReasonWords more_instructions(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const double times =
      quicker.warp_instructions > 0 ? slower.warp_instructions / quicker.warp_instructions : 0;
  if (times < 1 + kLeastMore) return {};
  if (times < 2)
    return {fmt::format("it executes {:.0f} % more instructions than {}", 100 * (times - 1), other),
            fmt::format("{:.0f} % more instructions", 100 * (times - 1))};
  const std::string many = fmt::format("{:.{}f}", times, times < 10 ? 1 : 0);
  return {fmt::format("it executes {} times as many instructions as {}", many, other),
          fmt::format("{} × the instructions", many)};
}

// Units that instructions keep busy.
bool is_arithmetic(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kUnits = {"issue", "fma", "alu", "fp64", "sfu"};
  return std::ranges::find(kUnits, unit) != kUnits.end();
}

// Too few warps to keep busy what holds the quicker one.
ReasonWords fewer_warps(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const Hold hold = hold_of(quicker);
  const double now = busy_of(slower, hold.name);
  if (hold.name == kAtomics || hold.busy < kHeld || hold.busy - now < kLeastShare ||
      slower.resident_warps > kFewer * quicker.resident_warps)
    return {};
  return {
      fmt::format("{:.0f} warps of an SM wait at a time, {:.0f} in {}: {} is busy {} % of the time, not {} %",
                  slower.resident_warps, quicker.resident_warps, other, words_of(hold.name), percent(now),
                  percent(hold.busy)),
      fmt::format("{:.0f} warps an SM, not {:.0f}", slower.resident_warps, quicker.resident_warps)};
}

}  // namespace

ReasonWords what_holds_both(const Prediction& one, const Prediction& other) {
  const Hold hold = hold_of(one);
  if (hold.name != hold_of(other).name || std::min(hold.busy, busy_of(other, hold.name)) < kHeld) return {};
  if (hold.name == kAtomics) {
    const auto many = grouped(static_cast<std::uint64_t>(std::max(one.meetings, other.meetings) + 0.5));
    return {fmt::format("both wait for {} atomics at one address, which go one after another", many),
            fmt::format("both wait for {} atomics", many)};
  }
  const int now = percent(hold.busy), then = percent(busy_of(other, hold.name));
  return {fmt::format("{} is busy {} % of the time in both", words_of(hold.name), std::min(now, then)),
          fmt::format("{} {} % busy in both", words_of(hold.name), std::min(now, then))};
}

ReasonWords why_slower(const Prediction& slower, const Prediction& quicker, const std::string& other) {
  const Hold hold = hold_of(slower);
  const ReasonWords more = more_instructions(slower, quicker, other);
  if (is_arithmetic(hold.name) && !more.empty()) return more;
  if (ReasonWords work = more_work(slower, quicker, other); !work.empty()) return work;
  // What holds both alike is no reason that one of them is slower.
  if (ReasonWords warps = fewer_warps(slower, quicker, other); !warps.empty()) return warps;
  if (!more.empty()) return more;
  if (slower.tail - quicker.tail >= kLeastShare)
    return {
        fmt::format("its last blocks leave {:.0f} % of the device idle, against {:.0f} % in {}",
                    100 * slower.tail, 100 * quicker.tail, other),
        fmt::format("last blocks leave {:.0f} % idle, not {:.0f} %", 100 * slower.tail, 100 * quicker.tail)};
  // Waits only change places where a unit has more to do.
  if (ReasonWords work = work_that_took_longer(slower, quicker, other); !work.empty()) return work;
  const auto added = [&](const auto& wait) {
    return share_of(slower, wait.first) - share_of(quicker, wait.first);
  };
  const auto& most = *std::ranges::max_element(kWaits, {}, added);
  if (added(most) < kLeastShare) return {};
  const double now = 100 * share_of(slower, most.first), then = 100 * share_of(quicker, most.first);
  return {fmt::format("its warps wait {:.0f} % of their time for {}, against {:.0f} % in {}", now,
                      most.second, then, other),
          fmt::format("{:.0f} % waits for {}, not {:.0f} %", now, most.second, then)};
}

}  // namespace warplens::time
