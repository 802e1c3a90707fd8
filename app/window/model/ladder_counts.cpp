#include "app/window/model/ladder_counts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

constexpr int kThreadsOfACount = 1;  // the other cores are for the run that the user waits for

std::vector<catalog::Values> sizes_of(const LadderPlace& place, const measured::RecordedSpeeds& recorded,
                                      const figures::Figure& figure, const catalog::Values& shown) {
  if (!figure.has(figures::Trait::sizes)) return {shown};
  if (auto sizes = recorded.sizes(place.ladder); !sizes.empty()) return sizes;
  std::vector<catalog::Values> sizes;
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) {
    catalog::Values size = place.state.size;
    for (auto& [name, value] : size)
      value = std::max<std::int64_t>(1, static_cast<std::int64_t>(factor * static_cast<double>(value)));
    sizes.push_back(std::move(size));
  }
  return sizes;
}

}  // namespace

const measured::RecordedSpeed* recorded_of_file(const measured::RecordedSpeeds& recorded,
                                                const catalog::KernelSpec& spec,
                                                const catalog::Values& size) {
  if (const auto own = catalog::resolve_values(spec, {}, size)) {
    if (const measured::RecordedSpeed* found = recorded.find(spec, size, &*own)) return found;
  }
  return recorded.find(spec, size);
}

catalog::Values listed_size(const LadderPlace& place, const measured::RecordedSpeeds& recorded) {
  const StepsBy by = place.state.view.steps_by;
  const auto size = by == StepsBy::speed_here   ? recorded.nearest_size(place.ladder, place.state.size)
                    : by == StepsBy::speed_most ? recorded.main_size(place.ladder)
                                                : std::nullopt;
  return size.value_or(place.state.size);
}

bool is_set(const LadderPlace& place, const catalog::Values& size) {
  const auto set = catalog::resolve_values(place.spec, place.state.params, size);
  return set && *set != catalog::default_values(place.spec);
}

// A slider that was moved is another launch than that of its file.
const measured::RecordedSpeed* recorded_step(const LadderPlace& place,
                                             const measured::RecordedSpeeds& recorded,
                                             const catalog::KernelSpec& step, const catalog::Values& size) {
  if (step.id != place.state.kernel || !is_set(place, size)) return recorded_of_file(recorded, step, size);
  const auto set = catalog::resolve_values(place.spec, place.state.params, size);
  return recorded.find(place.spec, size, &*set);
}

figures::LadderQuery ladder_query(const LadderPlace& place, const measured::RecordedSpeeds& recorded,
                                  const figures::Figure& figure, const catalog::Values& shown) {
  figures::LadderQuery query{.steps = place.steps,
                             .sizes = sizes_of(place, recorded, figure, shown),
                             .device = place.device,
                             .recorded = recorded};
  const auto first = static_cast<std::size_t>(place.state.drawing.steps);
  if (figure.has(figures::Trait::sizes) && first > 0) query.steps.resize(std::min(first, query.steps.size()));
  if (figure.has(figures::Trait::sizes)) return query;  // another choice at every size would bend the curve
  query.chosen = place.state.kernel;
  query.set = place.state.params;
  return query;
}

std::string plan_key(const run::Plan& plan) {
  return fmt::format("{} {} {} {} {}", plan.spec.id, fingerprint(plan.spec.code), plan.device.id,
                     run::value_words(plan.parameters), run::value_words(plan.sizes));
}

std::vector<WantedCount> wanted_counts(const LadderPlace& place, const measured::RecordedSpeeds& recorded,
                                       const figures::Figure& figure, const catalog::Values& shown) {
  std::vector<WantedCount> wanted;
  if (figure.of == figures::Of::device) return wanted;  // of the device alone: no step of the ladder is in it
  for (figures::PlannedPoint& point : figures::planned_points(ladder_query(place, recorded, figure, shown))) {
    if (figure.has(figures::Trait::sizes) && point.recorded != nullptr) continue;  // a curve needs no more
    run::Plan& plan = point.plan;
    std::string key = plan_key(plan);
    wanted.push_back({std::move(key),
                      {.spec = std::move(plan.spec),
                       .parameters = std::move(plan.parameters),
                       .sizes = std::move(plan.sizes),
                       .device = std::move(plan.device),
                       .threads = kThreadsOfACount,
                       .background = true,
                       .nearest = true},
                      figure.has(figures::Trait::operations) || point.recorded == nullptr});
  }
  return wanted;
}

}  // namespace warplens::app
