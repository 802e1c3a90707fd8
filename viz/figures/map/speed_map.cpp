#include "viz/figures/map/speed_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/explain/claims/quantity.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::keep, explain::Quantity, explain::say;
using plot::Series, time::MapSet, time::SpeedMap;

// Times that differ by less are the same.
constexpr double kAlike = 0.04;
constexpr double kNoDifference = 0.005;  // between what is predicted and what is measured

const catalog::Values& now_of(const Subject& subject) { return subject.run->plan().parameters; }

const MeasuredSets& measured_of(const Subject& subject) {
  static const MeasuredSets nothing;
  return subject.measured == nullptr ? nothing : *subject.measured;
}

struct Shown {
  const SpeedMap* map = nullptr;
  Slice slice;
};
Result<Shown> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.known.speed_map == nullptr)
    return Error{"the model looks at the sets of parameters that this kernel takes", "wait a moment"};
  if (!*subject.known.speed_map) return subject.known.speed_map->error();
  const SpeedMap& map = **subject.known.speed_map;
  if (time::varied_parameters(map).empty())
    return Error{"this kernel has no parameter to choose at this size", "choose another step or size"};
  auto slice = slice_of(map, now_of(subject), subject.map, measured_of(subject));
  if (!slice)
    return Error{fmt::format("{} of {} sets of parameters are predicted", map.known(), map.sets.size()),
                 "wait a moment"};
  return Shown{&map, *std::move(slice)};
}

std::string progress(const SpeedMap& map) {
  return map.is_complete() ? counted(map.sets.size(), "set")
                           : fmt::format("{} of {} sets so far", map.known(), map.sets.size());
}

catalog::Values changed_values(const catalog::Values& from, const catalog::Values& to) {
  catalog::Values changed;
  for (const auto& [name, value] : to)
    if (from.at(name) != value) changed[name] = value;
  return changed;
}

// "recorded 12.9 TFLOP/s, 4 % less than predicted"
std::string measured_words(const Work& work, const MeasuredSet& measured, double predicted) {
  std::string words =
      fmt::format("{} {}", measured.is_live ? "measured" : "recorded", speed_words(work, measured.seconds));
  const double more = predicted / measured.seconds - 1;  // of the speed
  if (std::abs(more) < kNoDifference) return words + ", as predicted";
  return fmt::format("{}, {} {} than predicted", words, share_text(std::abs(more)),
                     more > 0 ? "more" : "less");
}

}  // namespace

const MeasuredSet* find_measured(const Subject& subject, const catalog::Values& values) {
  const auto found = std::ranges::find(measured_of(subject), values, &MeasuredSet::values);
  return found == measured_of(subject).end() ? nullptr : &*found;
}

std::optional<MapOptions> map_options(std::string_view over, std::string_view others) {
  const auto found = std::ranges::find(kOthersNames, others, &std::pair<bool, std::string_view>::second);
  if (found == std::end(kOthersNames)) return std::nullopt;
  MapOptions options{.others_as_now = found->first};
  while (!over.empty()) {
    const auto comma = std::min(over.find(','), over.size());
    if (comma > 0) options.over.emplace_back(over.substr(0, comma));
    over.remove_prefix(std::min(comma + 1, over.size()));
  }
  return options;
}

std::string set_id(const catalog::Values& values) {
  std::vector<std::string> each;
  for (const auto& [name, value] : values) each.push_back(fmt::format("{}={}", name, value));
  return fmt::format("set:{}", fmt::join(each, ","));
}

MapTitle map_title(const Subject& subject, const SpeedMap& map, const Slice& slice) {
  const run::Run& run = *subject.run;
  MapTitle title;
  title.title = slice.y.empty() ? fmt::format("Predicted speed over {}", slice.x)
                                : fmt::format("Predicted speed over {} and {}", slice.x, slice.y);
  catalog::Values as_now;
  for (const std::string& name : slice.others) as_now[name] = now_of(subject).at(name);
  std::string others = slice.best_of_others ? fmt::format("best {} for each", fmt::join(slice.others, ", "))
                                            : fmt::format("{} as now", run::value_words(as_now));
  if (!slice.others.empty()) others += "; ";
  title.subtitle = fmt::format("{}{}: {} at {} on {}", slice.others.empty() ? "" : others, progress(map),
                               run.plan().spec.title, size_words(run.plan()), run.device().name);
  return title;
}

namespace {

Claim claimed(std::string words, Quantity quantity, double number, std::string of = {}) {
  return explain::claim::of(explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel),
                            std::move(of));
}
void take(explain::Explanation& said, std::string& part, explain::Said words) {
  part += words.text;
  add(said.claims, std::move(words.claims));
}

// "BM = 64, BN = 32", of the best set.
explain::Said values_said(const catalog::Values& values) {
  explain::Said said;
  for (const auto& [name, value] : values)
    said.text += fmt::format(
        "{}{} = {}", said.text.empty() ? "" : ", ", keep(said.claims, explain::claim::name(name)),
        keep(said.claims,
             claimed(std::to_string(value), Quantity::value_of_best, static_cast<double>(value), name)));
  return said;
}
explain::Said progress_said(const SpeedMap& map) {
  const auto all = static_cast<double>(map.sets.size()), known = static_cast<double>(map.known());
  if (map.is_complete())
    return say("{}", {claimed(counted(map.sets.size(), "set"), Quantity::sets_known, all)});
  return say("{} of {} sets so far", {claimed(std::to_string(map.known()), Quantity::sets_known, known),
                                      claimed(std::to_string(map.sets.size()), Quantity::sets_of_file, all)});
}
Claim speed_claim(const Work& work, double seconds, Quantity quantity) {
  return claimed(speed_words(work, seconds), quantity, work.amount / seconds);
}

// As measured_words(), of the best set.
explain::Said measured_said(const Work& work, const MeasuredSet& measured, double predicted) {
  explain::Said said;
  const std::string is = measured.is_live ? "measured" : "recorded";
  said.text =
      fmt::format("; the best was {} {}", is,
                  keep(said.claims, speed_claim(work, measured.seconds, Quantity::recorded_speed_of_best)));
  const double more = predicted / measured.seconds - 1;  // of the speed
  if (std::abs(more) < kNoDifference)
    said.text += ", as predicted";
  else
    said.text += fmt::format(", {} {} than predicted",
                             keep(said.claims, claimed(share_text(std::abs(more)),
                                                       Quantity::recorded_over_predicted, std::abs(more))),
                             more > 0 ? "more" : "less");
  return said;
}

explain::Said best_said(const SpeedMap& map, const MapSet& best, double times, bool is_best) {
  const std::string so_far = map.is_complete() ? "" : " so far";
  if (is_best) {
    const double faster = std::max(times - 1, 0.01);
    return say("{} is predicted to be more than {} faster" + so_far,
               {claimed("no other set of parameters", Quantity::best_set_faster, faster),
                claimed(share_text(faster), Quantity::best_set_faster, faster)});
  }
  explain::Said said = values_said(best.values);
  said.text =
      fmt::format("Best predicted{}: {}, {} times this one", so_far, said.text,
                  keep(said.claims, claimed(plot::plain(times, 2), Quantity::best_set_over_now, times)));
  return said;
}

}  // namespace

TimeSaid map_words(const Subject& subject, const SpeedMap& map) {
  TimeSaid said;
  said.question = "Which parameters are the quickest?";
  said.unit = "predicted speed of each set of parameters";
  const MapSet* best = map.best();
  const MapSet* now = map.find(now_of(subject));
  if (best == nullptr) return said;
  const Work work = work_of(*subject.run);
  explain::Explanation& words = said.explanation;
  words.rule = explain::RuleId::of_figure;
  const bool knows_now = now != nullptr && now->seconds > 0;
  const double times = knows_now ? now->seconds / best->seconds : 1;
  const bool is_best = knows_now && times <= 1 + kAlike;
  words.verdict = is_best ? explain::Verdict::good : explain::Verdict::costly;
  take(words, words.what, best_said(map, *best, times, is_best));
  if (knows_now)
    take(words, words.why, say("{} now, ", {speed_claim(work, now->seconds, Quantity::speed_of_now)}));
  take(words, words.why,
       say("{} at best, {} by {}; ",
           {speed_claim(work, best->seconds, Quantity::speed_of_best),
            claimed("limited there", Quantity::limits_best, 1, std::string(best->limiter)),
            explain::claim::of(explain::claim::name(unit_name(best->limiter, true)), "a unit")}));
  take(words, words.why, progress_said(map));
  if (const MeasuredSet* measured = find_measured(subject, best->values))
    take(words, words.why, measured_said(work, *measured, best->seconds));
  if (!is_best && knows_now) {
    take(words, words.fix, values_said(changed_values(now_of(subject), best->values)));
    words.fix += ": a click on the best cell sets it";
  }
  return said;
}

std::string set_words(const Subject& subject, const MapSet& set, const MeasuredSet* measured) {
  const Work work = work_of(*subject.run);
  std::string words =
      fmt::format("{}\n{} predicted, {}; limited by {}", run::value_words(set.values),
                  speed_words(work, set.seconds), duration(set.seconds), unit_name(set.limiter, true));
  if (measured != nullptr) words += "\n" + measured_words(work, *measured, set.seconds);
  if (set.values == now_of(subject)) words += "\nThis is what runs now";
  return words;
}

std::string cell_words(const Subject& subject, const Slice& slice, std::size_t index) {
  const SliceCell& cell = slice.cells[index];
  const std::size_t column = index % slice.xs.size(), row = index / slice.xs.size();
  catalog::Values here{{slice.x, slice.xs[column]}};
  if (!slice.y.empty()) here[slice.y] = slice.ys[row];
  if (cell.set == nullptr)
    return cell.why_not.empty() ? run::value_words(here) + ": not predicted yet"
                                : fmt::format("{} is not offered: {}", run::value_words(here), cell.why_not);
  std::string words = set_words(subject, *cell.set, cell.measured);
  if (cell.is_now && cell.set->values != now_of(subject))
    words += "\nWhat runs now has other values besides these";
  return words;
}

plot::Plot curve_plot(const Subject& subject, const SpeedMap& map, const Slice& slice) {
  const Work work = work_of(*subject.run);
  plot::Plot plot;
  const MapTitle title = map_title(subject, map, slice);
  if (!is_brief(subject.look)) plot.title = title.title, plot.subtitle = title.subtitle;
  plot.x = {.label = slice.x, .scale = plot::Scale::category};
  for (const std::int64_t x : slice.xs) plot.x.categories.push_back(fmt::format("{}", x));
  plot.y = {.label = std::string(work.unit),
            .unit = std::string(work.unit),
            .notation = plot::Notation::si,
            .low = 0};
  Series line{.id = "predicted", .name = "predicted", .provenance = plot::Provenance::modelled};
  Series measured{.id = "measured", .name = "measured", .kind = Series::Kind::points};
  Series now{.id = "now",
             .name = "this one",
             .kind = Series::Kind::points,
             .provenance = plot::Provenance::modelled};
  now.color = Color{Token::first_thread};
  std::string refused;
  for (std::size_t i = 0; i < slice.cells.size(); ++i) {
    const SliceCell& cell = slice.cells[i];
    if (!cell.why_not.empty()) refused += fmt::format("{}{}", refused.empty() ? "" : ", ", slice.xs[i]);
    if (cell.set == nullptr) continue;
    const double x = static_cast<double>(i);
    line.x.push_back(x), line.y.push_back(work.amount / cell.set->seconds);
    line.ids.push_back(set_id(cell.set->values)), line.tips.push_back(cell_words(subject, slice, i));
    if (cell.is_now) now.x = {x}, now.y = {line.y.back()}, now.ids = {line.ids.back()};
    if (cell.measured == nullptr) continue;
    measured.x.push_back(x), measured.y.push_back(work.amount / cell.measured->seconds);
    measured.ids.push_back(line.ids.back());
  }
  if (!refused.empty() && !is_brief(subject.look))
    plot.caption = fmt::format("{} = {} is not offered", slice.x, refused);
  plot.series = {std::move(line)};
  if (!now.x.empty()) plot.series.push_back(std::move(now));
  if (!measured.x.empty()) plot.series.push_back(std::move(measured));
  return plot;
}

Result<scene::Scene> draw_speed_map(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure) {
  const auto now = shown(subject);
  if (!now) return now.error();
  const auto picture = [&](scene::Size room) {
    return now->slice.y.empty() ? plot::plot_scene(curve_plot(subject, *now->map, now->slice), room, measure)
                                : map_scene(subject, *now->map, now->slice, room, measure);
  };
  if (!has_words(subject.look)) return picture(size);
  const Rect area = inner_area(size);
  const explain::Explanation said = map_words(subject, *now->map).explanation;
  const double strip = explanation_height(said, {}, area.width, measure);
  scene::Scene scene = picture({size.width, area.bottom() - strip});
  scene.size = size;
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfStep);
  return scene;
}

Result<std::string> speed_map_table(const Subject& subject) {
  const auto now = shown(subject);
  if (!now) return now.error();
  const Work work = work_of(*subject.run);
  std::string text;
  for (const auto& [name, value] : now_of(subject)) text += name + ",";
  text += "predicted_us,speed,unit,limiter,measured_us,why_not\n";
  for (const MapSet& set : now->map->sets) {
    for (const auto& [name, value] : set.values) text += fmt::format("{},", value);
    if (set.seconds > 0)
      text += fmt::format("{:.3f},{:.6g},{},{},", set.seconds * 1e6, work.amount / set.seconds, work.unit,
                          set.limiter);
    else
      text += ",,,,";
    if (const MeasuredSet* measured = find_measured(subject, set.values))
      text += fmt::format("{:.3f}", measured->seconds * 1e6);
    text += "," + csv_cell(set.why_not) + "\n";
  }
  return text;
}

}  // namespace warplens::figures
