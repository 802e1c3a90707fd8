// `tune`: the parameter sets of a kernel as the model ranks them, and which of them a GPU finds quickest. The
// model is within some percent of measurements and sets lie closer together than that: where there is a GPU
// the model says which few are worth a launch, and the GPU picks.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json_text.hpp"
#include "engine/base/result.hpp"
#include "engine/run/plan.hpp"

namespace warplens::app {

struct TunedSet {
  catalog::Values parameters;
  double predicted = 0;     // seconds; 0: the model has none
  double measured = 0;      // seconds, the median of its rounds; 0: not measured, or not right
  std::string failed = {};  // why it was measured and does not count: a wrong result, a fault
};

// Which sets, of those ranked by the model, are measured: the first so many, and all whose predicted time is
// within this share of the best one's.
struct Shortlist {
  std::size_t first = 40;  // docs/evidence/tune.md: the best of all sets is among them
  double within = 0.15;
  bool all = false;
};
// ranked: the quickest first, those without a prediction last. How many of them, from the first.
std::size_t shortlist(const std::vector<TunedSet>& ranked, const Shortlist& rule);

// One timing of one set. hopeless_seconds: it need not be timed further where it is slower; 0: none is.
// Errors: a fault, a wrong result.
struct TuningRound {
  int round = 0;  // 0: its result is verified with care
  double hopeless_seconds = 0;
};
using TimeSet = std::function<Result<double>(const catalog::Values& parameters, const TuningRound& round)>;

inline constexpr int kTuningRounds = 3;
// Times the first `count` sets, all of them once and then those near the best again, in turn: what changes
// from minute to minute and from process to process is then the same for all.
void measure_in_turn(std::vector<TunedSet>& ranked, std::size_t count, const TimeSet& time);

struct Tuning {
  std::string kernel, device;    // ids
  std::vector<TunedSet> ranked;  // by the model: the quickest first, those without a prediction last
  std::size_t tried = 0;         // on the GPU, the first of `ranked`
  std::string gpu = {};          // its name; empty: nothing was measured
  std::string why_not = {};      // why nothing was measured
  std::string size = {};         // of the problem, in words
  catalog::Values now = {};      // the set that was asked for, or the default one
};

// Index into `ranked`: the quickest measured, or, where nothing was tried, the model's first. Nothing: all
// that were tried failed.
std::optional<std::size_t> pick_of(const Tuning& tuning);

Json to_json(const Tuning& tuning);
std::string to_text(const Tuning& tuning);

}  // namespace warplens::app
