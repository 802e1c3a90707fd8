#include "app/window/model/ladder/speeds_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/time/launch/set_times.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t kMostPlaces = 8, kMostSets = 512;

std::vector<std::string> differences(const catalog::Values& a, const catalog::Values& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a)
    if (const auto other = b.find(name); other == b.end() || other->second != value) names.push_back(name);
  return names;
}

// How far apart two values are: 16 is as far from 32 as 32 from 64.
double distance(std::int64_t a, std::int64_t b) {
  const auto octaves = [](std::int64_t value) {
    return std::log2(1.0 + std::abs(static_cast<double>(value)));
  };
  return std::abs(octaves(a) - octaves(b));
}

double distance(const catalog::Values& a, const catalog::Values& b) {
  double sum = 0;
  for (const std::string& name : differences(a, b))
    sum += distance(a.at(name), b.contains(name) ? b.at(name) : 0);
  return sum;
}

}  // namespace

void PredictedSets::note(const catalog::Values& values, Result<time::Prediction> prediction) {
  auto known = std::make_shared<const Result<time::Prediction>>(std::move(prediction));
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostSets) known_.clear();
  known_.insert_or_assign(values, std::move(known));
}

PredictedSets::Known PredictedSets::find(const catalog::Values& values) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(values);
  return found == known_.end() ? nullptr : found->second;
}

std::size_t PredictedSets::size() const {
  const std::lock_guard lock(mutex_);
  return known_.size();
}

std::optional<double> PredictedSets::about(const catalog::Values& values) const {
  const std::lock_guard lock(mutex_);
  const auto seconds_of = [&](const catalog::Values& set) {
    const auto found = known_.find(set);
    return found != known_.end() && *found->second ? (*found->second)->seconds : 0;
  };
  // Of a set that differs in several values, by what each of them does alone; 0: that is not known.
  const auto through = [&](const catalog::Values& from, double seconds) {
    double product = seconds;
    for (const std::string& name : differences(values, from)) {
      catalog::Values alone = from;
      alone[name] = values.at(name);
      product *= seconds_of(alone) / seconds;
    }
    return product;
  };
  double best = 0, least = 0;
  for (const auto& [set, known] : known_) {
    if (!*known || (*known)->seconds <= 0) continue;
    const double product = through(set, (*known)->seconds), away = distance(values, set);
    if (product > 0 && (best == 0 || away < least)) best = product, least = away;
  }
  return best > 0 ? std::optional(best) : std::nullopt;
}

SpeedsAhead::SpeedsAhead(const Model& model)
    : model_(model),
      worker_(
          [runner = model.runner()](const Ask& ask, const std::atomic<bool>& cancel, const auto&) {
            return time::predict_sets(
                       ask.run->plan(), ask.sets, ask.run->job->instance,
                       [&](const compile::Request& request) { return runner->build(request); },
                       {.threads = 1, .gives_way = true, .cancel = &cancel},
                       [&](std::size_t set, const Result<time::Prediction>& prediction) {
                         ask.known->note(ask.sets[set], prediction);
                       })
                .has_value();
          },
          model.wake()) {}

const std::string& SpeedsAhead::place() const {
  static const std::string none;
  return places_.empty() ? none : places_.front().name;
}

const time::Prediction* SpeedsAhead::now() const { return now_ != nullptr && *now_ ? &**now_ : nullptr; }

const Error* SpeedsAhead::why_none() const { return now_ != nullptr && !*now_ ? &now_->error() : nullptr; }

bool SpeedsAhead::is_waiting() const { return now_ == nullptr && model_.device().sm_count > 0; }

std::optional<double> SpeedsAhead::about() const {
  return now_ != nullptr || places_.empty() ? std::nullopt : places_.front().sets->about(values_);
}

const PredictedSets& SpeedsAhead::sets() const {
  static const PredictedSets none;
  return places_.empty() ? none : *places_.front().sets;
}

const problem::Work& SpeedsAhead::work() const {
  static const problem::Work none;
  return places_.empty() ? none : places_.front().work;
}

// The place and the values of the state.
void SpeedsAhead::follow() {
  const State& state = model_.state;
  std::string name = fmt::format("{} {} {} {}", state.kernel, std::hash<std::string>()(model_.spec().code),
                                 run::value_words(state.size), state.device);
  if (!places_.empty() && places_.front().name == name && model_.state.params == values_) return;
  if (places_.empty() || places_.front().name != name) {
    const auto found = std::ranges::find(places_, name, &Place::name);
    Place place = found == places_.end() ? Place{.name = std::move(name)} : *found;
    if (found != places_.end()) places_.erase(found);
    places_.push_front(std::move(place));
    if (places_.size() > kMostPlaces) places_.pop_back();
    moved_ = {};
  } else if (const auto names = differences(model_.state.params, values_);
             names.size() == 1 && values_.contains(names[0])) {
    moved_ = {names[0], model_.state.params.at(names[0]) > values_.at(names[0])};
  }
  values_ = model_.state.params;
  now_ = nullptr;
  is_asked_ = false;
  worker_.cancel();
}

bool SpeedsAhead::is_run_there() const {
  const run::SharedRun& run = model_.counted_run();
  return run != nullptr && run->complete && model_.is_current() && run->plan().parameters == values_;
}

void SpeedsAhead::update(const std::shared_ptr<const Result<time::Prediction>>& predicted) {
  follow();
  Place& here = places_.front();
  if (is_run_there() && predicted != nullptr) {
    // A time that was found ahead is of a sample of the blocks.
    if (now_ != predicted) here.sets->note(values_, *predicted), now_ = predicted;
    here.work = problem::work_of(*model_.counted_run()->job->instance);
  }
  if (now_ == nullptr) now_ = here.sets->find(values_);
}

void SpeedsAhead::look_ahead() {
  if (!is_run_there() || std::exchange(is_asked_, true) || model_.device().sm_count <= 0) return;
  LikelyValues likely = likely_values(model_.sliders(), values_, moved_);
  Ask ask{model_.counted_run(), std::move(likely.same), places_.front().sets};
  std::ranges::move(likely.others, std::back_inserter(ask.sets));
  std::erase_if(ask.sets, [&](const catalog::Values& set) { return ask.known->find(set) != nullptr; });
  if (!ask.sets.empty()) worker_.submit(std::move(ask));
}

}  // namespace warplens::app
