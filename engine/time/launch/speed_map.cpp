#include "engine/time/launch/speed_map.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace warplens::time {
namespace {

// Between two partial answers.
constexpr std::chrono::milliseconds kPause{150};

int differences(const catalog::Values& a, const catalog::Values& b) {
  int different = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    different += other == b.end() || other->second != value;
  }
  return different;
}

bool differs_in_alone(const catalog::Values& a, const catalog::Values& b, const std::string& name) {
  const auto x = a.find(name), y = b.find(name);
  return differences(a, b) == static_cast<int>(x != a.end() && y != b.end() && x->second != y->second);
}

// How many times as long the slowest of the sets that differ in this parameter alone takes as the quickest.
double influence_of(const SpeedMap& map, const std::string& name) {
  double least = 0, most = 0;
  for (const MapSet& set : map.sets) {
    if (set.seconds == 0 || !differs_in_alone(set.values, map.plan.parameters, name)) continue;
    least = least == 0 ? set.seconds : std::min(least, set.seconds);
    most = std::max(most, set.seconds);
  }
  return least > 0 ? most / least : 1;
}

void find_influences(SpeedMap& map) {
  const bool waits = std::ranges::any_of(map.sets, [&](const MapSet& set) {
    return set.waits() && differences(set.values, map.plan.parameters) <= 1;
  });
  if (waits || !map.by_influence.empty()) return;
  std::vector<std::pair<double, std::string>> found;
  for (const std::string& name : varied_parameters(map)) found.emplace_back(influence_of(map, name), name);
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, std::string>::first);
  for (auto& [influence, name] : found) map.by_influence.push_back(std::move(name));
}

std::vector<std::size_t> waiting_sets(const SpeedMap& map) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < map.sets.size(); ++i)
    if (map.sets[i].waits()) waiting.push_back(i);
  return waiting;
}

void note(MapSet& set, const Result<Prediction>& prediction) {
  if (prediction)
    set.seconds = prediction->seconds, set.limiter = prediction->limiter;
  else
    set.why_not = prediction.error().message;
}

}  // namespace

std::size_t SpeedMap::known() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sets, [](const MapSet& set) { return !set.waits(); }));
}

const MapSet* SpeedMap::find(const catalog::Values& values) const {
  const auto found = std::ranges::find(sets, values, &MapSet::values);
  return found == sets.end() ? nullptr : &*found;
}

const MapSet* SpeedMap::best() const {
  const MapSet* best = nullptr;
  for (const MapSet& set : sets)
    if (set.seconds > 0 && (best == nullptr || set.seconds < best->seconds)) best = &set;
  return best;
}

SpeedMap empty_map(const run::Plan& plan) {
  SpeedMap map{plan, {}};
  for (const catalog::Values& values : catalog::valid_parameter_sets(plan.spec, plan.sizes))
    map.sets.push_back({.values = values});
  std::ranges::stable_sort(map.sets, {},
                           [&](const MapSet& set) { return differences(set.values, plan.parameters); });
  return map;
}

std::vector<std::string> varied_parameters(const SpeedMap& map) {
  std::vector<std::string> varied;
  for (const catalog::Parameter& parameter : map.plan.spec.params) {
    std::set<std::int64_t> values;
    for (const MapSet& set : map.sets) values.insert(set.values.at(parameter.name));
    if (values.size() > 1) varied.push_back(parameter.name);
  }
  return varied;
}

Status fill(SpeedMap& map, const run::SharedInstance& instance, const MakeBuild& build,
            const FillOptions& options) {
  const auto waiting = waiting_sets(map);
  std::vector<catalog::Values> sets;
  for (const std::size_t set : waiting) sets.push_back(map.sets[set].values);
  auto told = std::chrono::steady_clock::now();
  return predict_sets(map.plan, sets, instance, build, options.how,
                      [&](std::size_t set, const Result<Prediction>& prediction) {
                        note(map.sets[waiting[set]], prediction);
                        find_influences(map);
                        const auto now = std::chrono::steady_clock::now();
                        if (!options.partial || now - told < kPause) return;
                        told = now;
                        options.partial(map);
                      });
}

}  // namespace warplens::time
