#include "engine/time/why/reason.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.hpp"

namespace warplens::time {
namespace {

constexpr double kLeastOfLongest = 0.25;  // of the time: for less nobody waits for the longest block
constexpr double kHeld = 0.75;            // a thing that is busy for less of the time does not hold a kernel
constexpr std::string_view kAtomics = "atomics", kStarts = "starts", kIdle = "idle", kLongest = "longest";

std::string_view words_of_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kWords = {
      {{"issue", "the warp schedulers"},
       {"fma", "the multiply-add units"},
       {"alu", "the integer units"},
       {"fp64", "the units for doubles"},
       {"sfu", "the special function units"},
       {"tensor", "the tensor cores"},
       {"constant", "the constant cache"},
       {"shared", "shared memory"},
       {"l1", "L1"},
       {"l2", "L2"},
       {"dram", "memory"}}};
  const auto found = std::ranges::find(kWords, unit, &std::pair<std::string_view, std::string_view>::first);
  return found == kWords.end() ? unit : found->second;
}

double busy_of(const Prediction& p, std::string_view name) {
  if (name == kAtomics) return p.same_address;
  if (name == kStarts) return p.starts;
  if (name == kIdle) return p.tail;
  if (name == kLongest) return p.waits_for_longest;
  const auto all = shares_of(p.units);
  const auto found = std::ranges::find(all, name, &UnitShare::name);
  return found == all.end() ? 0 : found->busy;
}

int percent(double share) { return static_cast<int>(100 * share + 0.5); }

}  // namespace

Hold hold_of(const Prediction& p) {
  const UnitShare unit = busiest(p.units);
  Hold hold{unit.name, unit.busy};
  if (p.tail > hold.busy) hold = {kIdle, p.tail};
  // What SMs without a block wait for.
  if (p.waits_for_longest >= kLeastOfLongest && (hold.name == kIdle || p.waits_for_longest > hold.busy))
    hold = {kLongest, p.waits_for_longest};
  if (p.starts > hold.busy) hold = {kStarts, p.starts};
  if (p.same_address > hold.busy) hold = {kAtomics, p.same_address};
  return hold;
}

std::string share_of(const Hold& hold) {
  const std::string_view of = hold.name == kIdle      ? "no block for "
                              : hold.name == kLongest ? "longest block for "
                                                      : "";
  return fmt::format("{}{} %", of, percent(hold.busy));
}

std::string words_of(const Hold& hold, std::string_view whose) {
  if (hold.name == kStarts)
    return fmt::format("handing blocks to the SMs takes {} % of {} cycles", percent(hold.busy), whose);
  if (hold.name == kIdle) return fmt::format("SMs have no block for {} % of their time", percent(hold.busy));
  if (hold.name == kLongest)
    return fmt::format("the device waits for its longest block for {} % of {} time", percent(hold.busy),
                       whose);
  if (hold.name == kAtomics)
    return fmt::format("atomics at one address take {} % of {} cycles", percent(hold.busy), whose);
  const std::string_view unit = words_of_unit(hold.name);
  return fmt::format("{} {} busy {} % of {} cycles", unit, are_many(unit) ? "are" : "is", percent(hold.busy),
                     whose);
}

bool are_many(std::string_view unit) { return unit.ends_with('s'); }

std::string_view waited_for(Stall stall) {
  constexpr std::array<std::pair<Stall, std::string_view>, 7> kWaits = {
      {{Stall::wait, "the instruction before"},
       {Stall::long_scoreboard, "global memory"},
       {Stall::short_scoreboard, "shared memory, functions or special registers"},
       {Stall::barrier, "the others of their block"},
       {Stall::pipe, "the arithmetic units"},
       {Stall::memory_throttle, "the queue of the load/store unit"},
       {Stall::dispatch, "the ports of the registers"}}};
  const auto found = std::ranges::find(kWaits, stall, &std::pair<Stall, std::string_view>::first);
  return found == kWaits.end() ? "nothing" : found->second;
}

ReasonWords what_holds_both(const Prediction& one, const Prediction& other) {
  const Hold hold = hold_of(one);
  if (hold.name != hold_of(other).name || std::min(hold.busy, busy_of(other, hold.name)) < kHeld) return {};
  // SMs without work make no two kernels alike.
  if (hold.name == kIdle || hold.name == kLongest) return {};
  if (hold.name == kAtomics) {
    const auto many = grouped(static_cast<std::uint64_t>(std::max(one.meetings, other.meetings) + 0.5));
    return {
        fmt::format("both wait for {} atomic instructions at one address, which go one after another", many),
        fmt::format("both wait for {} atomic instructions", many),
        hold.name,
        std::max(one.meetings, other.meetings),
        many,
        "",
        true};
  }
  const double least = std::min(hold.busy, busy_of(other, hold.name));
  const std::string words = words_of({hold.name, least}, "both kernels'"),
                    number = fmt::format("{} %", percent(least));
  const std::string brief = hold.name == kStarts
                                ? fmt::format("handing out blocks takes {} of both", number)
                                : fmt::format("{} {} busy in both", words_of_unit(hold.name), number);
  return {words, brief, hold.name, least, number, share_of({hold.name, least})};
}

}  // namespace warplens::time
