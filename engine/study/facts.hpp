// What can be known of a run beside it. Each thing is one row of the table in study.cpp: whoever needs it names it, and
// asks a Library (study.hpp) for it, which finds it out once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "engine/explain/payoff/next_gain.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/derived/block_order.hpp"
#include "engine/run/derived/rounding.hpp"
#include "engine/sass/machine_listing.hpp"
#include "engine/study/bank_map.hpp"
#include "engine/study/ladder.hpp"
#include "engine/study/tile_order.hpp"
#include "engine/time/launch/over_warps.hpp"
#include "engine/time/launch/schedule.hpp"
#include "engine/time/launch/speed_map.hpp"
#include "engine/time/launch/timeline.hpp"

namespace warplens::trace {
struct TensorWork;
}

namespace warplens::study {

enum class Fact : std::uint8_t {
  findings,    // what the checkers find in it
  payoffs,     // what mending its wastes would gain
  order,       // in which order its blocks take tiles
  banks,       // how often the lines of a block ask each bank
  predicted,   // the time that it takes by the model
  schedule,    // some cycles of one SM as the model schedules them
  over_warps,  // its predicted time with other numbers of warps on an SM
  timeline,    // which block runs where and when by its predicted time
  speed_map,   // the predicted times of its kernel with other parameters
  listing,     // its machine code
  rounding,    // what the additions of a warp round away, beside the step before
  tensor,      // what a block has the tensor cores do, and where its elements lie
  tiles,       // which tiles of a product its blocks make at the same time, and what L2 has of them
  before,      // the step that it is judged against, counted
  against,     // why it is quicker or slower than another launch
  scale,       // the thickest pipe of its ladder
  times,       // the predicted times of the steps of its ladder
  next,        // what the steps that come next would gain in its place
};
inline constexpr std::size_t kFacts = static_cast<std::size_t>(Fact::next) + 1;

class Facts {
 public:
  constexpr Facts() = default;
  constexpr Facts(Fact fact) : bits_(1u << static_cast<unsigned>(fact)) {}
  constexpr Facts(std::initializer_list<Fact> facts) {
    for (const Fact fact : facts) *this = *this | fact;
  }
  constexpr bool has(Fact fact) const { return (bits_ & Facts(fact).bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr Facts operator|(Facts one, Facts other) { return from(one.bits_ | other.bits_); }
  // Those of the first that the other has not.
  friend constexpr Facts operator-(Facts one, Facts other) { return from(one.bits_ & ~other.bits_); }
  constexpr bool operator==(const Facts&) const = default;

 private:
  static constexpr Facts from(std::uint32_t bits) {
    Facts facts;
    facts.bits_ = bits;
    return facts;
  }
  std::uint32_t bits_ = 0;
};

struct Rounding {
  trace::WarpRounding own;
  // the same warp in the step that this one is judged against
  std::optional<trace::WarpRounding> before = {};
  std::string number = {};  // of that step
};

// A report with the findings, or why the checkers could not look.
using SharedCheck = std::shared_ptr<const Result<run::Report>>;
using SharedOrder = std::shared_ptr<const run::BlockOrder>;
using SharedBanks = std::shared_ptr<const BankMap>;
using SharedPrediction = std::shared_ptr<const Result<time::Prediction>>;
using SharedSchedule = std::shared_ptr<const Result<time::Schedule>>;
using SharedOverWarps = std::shared_ptr<const Result<time::OverWarps>>;
using SharedTimeline = std::shared_ptr<const Result<time::GridTimeline>>;
using SharedSpeedMap = std::shared_ptr<const Result<time::SpeedMap>>;
using SharedListing = std::shared_ptr<const Result<sass::Listing>>;
using SharedRounding = std::shared_ptr<const Result<Rounding>>;
// Or why there is none.
struct TensorFound {
  std::shared_ptr<const trace::TensorWork> work = {};
  Error why_not = {};
};
using SharedTensor = std::shared_ptr<const TensorFound>;
using SharedTiles = std::shared_ptr<const Result<TileOrder>>;
using SharedStep = std::shared_ptr<const StepBefore>;
using SharedAgainst = std::shared_ptr<const explain::Against>;
using SharedScale = std::shared_ptr<const LadderScale>;
using SharedLadderTimes = std::shared_ptr<const LadderTimes>;
using SharedNext = std::shared_ptr<const std::vector<explain::NextGain>>;

// What is known by now. Null: not asked for, still being found, or there is nothing to know: an order that is as everybody
// expects, a step before the first one.
struct Known {
  SharedCheck findings = {};
  SharedBanks banks = {};  // of the place's block
  explain::SharedPayoffs payoffs = {};
  SharedOrder order = {};
  SharedPrediction predicted = {};
  SharedSchedule schedule = {};
  SharedOverWarps over_warps = {};
  SharedTimeline timeline = {};
  SharedLadderTimes times = {};
  SharedRounding rounding = {};  // of the place's warp
  SharedTensor tensor = {};      // of the place's block
  SharedTiles tiles = {};
  SharedSpeedMap speed_map = {};  // some of it may wait
  SharedListing listing = {};
  SharedStep before = {};
  SharedAgainst against = {};
  SharedScale scale = {};
  SharedNext next = {};
  bool operator==(const Known&) const = default;
};
// Whether something is known of the fact.
bool has(const Known& known, Fact fact);
// Those of the facts of which nothing is known.
Facts missing(const Known& known, Facts facts);

}  // namespace warplens::study
