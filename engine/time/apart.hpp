// Two kernels that do the same work, taken apart: why one takes longer than the other, as the model has it.
//
// Each demand in which they differ is exchanged alone and beside others, from both sides, and the change of
// the logarithm of the time is shared out by what it was worth on average over these orders (Shapley's value
// over cyclic orders), so that the shares and the rest sum to the whole change. The rest is what no demand
// explains: how instructions wait for each other. Of that is said where the time goes in both.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <vector>

#include "engine/base/cancel.hpp"
#include "engine/time/exchange.hpp"

namespace warplens::time {

struct Part {
  Asked asked = Asked::traffic;
  double change = 0;  // of the logarithm of the time; positive: it makes the first one quicker
};

struct Apart {
  double change = 0;        // ln of how many times as fast the first one is, for the same work
  std::vector<Part> parts;  // the largest first, whichever way it goes
  double rest = 0;          // change less the parts
  // Of the time that a warp needs for the same work, how much less each kind of waiting has in the first one,
  // over how much less all have: their sum is 1. By Stall.
  std::array<double, kStalls> waits{};
  Totals first, second;
  double work = 1;  // that the second does, over the first
};

// work: how much of the same work the second does, over the first. Means nothing where it was cancelled.
Apart take_apart(const Modelled& first, const Modelled& second, double work = 1,
                 const std::atomic<bool>& cancel = kNeverCancelled);

// What a sentence may name: one part that carries at least half of the change, and a second one of nearly its
// size; else two that carry half together; else the rest, if it does and one kind of waiting carries half of
// that. None where the rest and what goes the other way are as large as what would be named.
struct Cause {
  std::optional<Asked> asked;  // of a demand; nothing of one of waiting
  Stall wait = Stall::none;
  double share = 0;  // of the change
  bool operator==(const Cause&) const = default;
};
std::vector<Cause> causes_of(const Apart& apart);
// What works against them most, where that is at least half as much as the change; its share is negative.
std::optional<Cause> against_it(const Apart& apart);

}  // namespace warplens::time
