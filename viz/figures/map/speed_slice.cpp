#include "viz/figures/map/speed_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/run/device_limits.hpp"

namespace warplens::figures {
namespace {

using time::MapSet, time::SpeedMap;

template <class Range, class Value, class Projection = std::identity>
bool has(const Range& range, const Value& value, Projection projection = {}) {
  return std::ranges::find(range, value, projection) != range.end();
}

std::vector<std::int64_t> values_of(const SpeedMap& map, const std::string& name) {
  const auto parameter = std::ranges::find(map.plan.spec.params, name, &catalog::Parameter::name);
  return parameter->values;
}

bool belongs(const MapSet& set, const catalog::Values& cell) {
  return std::ranges::all_of(cell,
                             [&](const auto& value) { return set.values.at(value.first) == value.second; });
}

catalog::Values with(catalog::Values values, const catalog::Values& others) {
  for (const auto& [name, value] : others) values[name] = value;
  return values;
}

// Of a cell with sets none of which runs, or with none at all: why not the one with the others as they are.
std::string why_not(const SpeedMap& map, const std::vector<const MapSet*>& sets,
                    const catalog::Values& wanted) {
  for (const MapSet* set : sets)
    if (set->values == wanted || set == sets.back()) return set->why_not;
  const auto reason = catalog::why_not(map.plan.spec, wanted, map.plan.sizes, {});
  return reason.value_or("no values of the other parameters go with these");
}

SliceCell cell_of(const SpeedMap& map, const catalog::Values& here, const catalog::Values& now,
                  bool best_of_others) {
  const catalog::Values wanted = best_of_others ? here : with(now, here);
  std::vector<const MapSet*> sets;
  SliceCell cell;
  bool waits = false;
  for (const MapSet& set : map.sets) {
    if (!belongs(set, wanted)) continue;
    sets.push_back(&set);
    waits = waits || set.waits();
    if (set.seconds > 0 && (cell.set == nullptr || set.seconds < cell.set->seconds)) cell.set = &set;
  }
  if (cell.set == nullptr && !waits) cell.why_not = why_not(map, sets, with(now, here));
  cell.is_now = std::ranges::all_of(here, [&](const auto& value) {
    const auto found = now.find(value.first);
    return found != now.end() && found->second == value.second;
  });
  return cell;
}

void find_extremes(Slice& slice) {
  for (const SliceCell& cell : slice.cells) {
    if (cell.set == nullptr) continue;
    const double seconds = cell.set->seconds;
    slice.slowest = std::max(slice.slowest, seconds);
    slice.quickest = slice.quickest == 0 ? seconds : std::min(slice.quickest, seconds);
  }
}

}  // namespace

std::vector<std::string> axes_of(const SpeedMap& map, const MapOptions& options) {
  const auto varied = time::varied_parameters(map);
  std::vector<std::string> axes;
  for (const std::string& name : options.over)
    if (axes.size() < 2 && has(varied, name) && !has(axes, name)) axes.push_back(name);
  if (!axes.empty()) return axes;
  for (const std::string& name : map.by_influence)
    if (axes.size() < 2) axes.push_back(name);
  std::ranges::sort(axes, {}, [&](const std::string& name) { return std::ranges::find(varied, name); });
  return axes;
}

MeasuredSets measured_sets(const measured::RecordedSpeeds& recorded, const run::Plan& plan) {
  MeasuredSets sets;
  for (const measured::RecordedSpeed& speed : recorded.results) {
    if (speed.kernel != plan.spec.id || speed.size != plan.sizes) continue;
    const auto* found = recorded.find(plan.spec, plan.sizes, &speed.params);
    if (found != nullptr && !has(sets, found->params, &MeasuredSet::values))
      sets.push_back({found->params, found->seconds});
  }
  return sets;
}

std::optional<Slice> slice_of(const SpeedMap& map, const catalog::Values& now, const MapOptions& options,
                              const MeasuredSets& measured) {
  const auto axes = axes_of(map, options);
  if (axes.empty()) return std::nullopt;
  Slice slice{.x = axes[0], .y = axes.size() > 1 ? axes[1] : "", .xs = values_of(map, axes[0])};
  slice.best_of_others = !options.others_as_now;
  if (!slice.y.empty()) slice.ys = values_of(map, slice.y);
  for (const std::string& name : time::varied_parameters(map))
    if (name != slice.x && name != slice.y) slice.others.push_back(name);
  const MapSet* best = map.best();
  for (std::size_t row = 0; row < std::max<std::size_t>(slice.ys.size(), 1); ++row)
    for (const std::int64_t x : slice.xs) {
      catalog::Values here{{slice.x, x}};
      if (!slice.y.empty()) here[slice.y] = slice.ys[row];
      SliceCell cell = cell_of(map, here, now, slice.best_of_others);
      cell.is_best = best != nullptr && cell.set == best;
      if (cell.set != nullptr)
        for (const MeasuredSet& one : measured)
          if (one.values == cell.set->values) cell.measured = &one;
      slice.cells.push_back(std::move(cell));
    }
  find_extremes(slice);
  return slice;
}

}  // namespace warplens::figures
