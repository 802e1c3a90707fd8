#include "app/gpu/tuning.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "app/base/text_table.hpp"
#include "app/gpu/time_text.hpp"

namespace warplens::app {
namespace {

// Of the best: a set that was slower by more once is not the best another time.
constexpr double kNear = 1.1, kHopeless = 2;
constexpr std::size_t kRowsShown = 12;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double best_of(const std::vector<TunedSet>& sets) {
  double best = 0;
  for (const TunedSet& set : sets)
    if (set.measured > 0 && (best == 0 || set.measured < best)) best = set.measured;
  return best;
}

// Places in `ranked` of those that were measured, the quickest first.
std::vector<std::size_t> by_measurement(const Tuning& tuning) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tuning.tried; ++i)
    if (tuning.ranked[i].measured > 0) places.push_back(i);
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return tuning.ranked[i].measured; });
  return places;
}

Json number_or_null(double seconds) { return seconds > 0 ? Json(seconds) : Json(nullptr); }

Json params_of(const TunedSet& set) {
  Json params = Json::object();
  for (const auto& [name, value] : set.parameters) params[name] = value;
  return params;
}

Json row_of(const TunedSet& set) {
  Json row = {{"params", params_of(set)},
              {"seconds", number_or_null(set.predicted)},
              {"measured_seconds", number_or_null(set.measured)}};
  if (!set.failed.empty()) row["failed"] = set.failed;
  return row;
}

std::string ordinal(std::size_t number) {
  const std::size_t last = number % 10, tens = number / 10 % 10;
  if (tens == 1 || last == 0 || last > 3) return fmt::format("{}th", number);
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : "rd");
}

std::string set_words(const TunedSet& set) {
  return set.parameters.empty() ? "no parameters" : run::value_words(set.parameters);
}

// " at M = N = K = 512 on h100"
std::string place_words(const Tuning& tuning) {
  return fmt::format("{}{}{}", tuning.size.empty() ? "" : " at " + tuning.size,
                     tuning.device.empty() ? "" : " on ", tuning.device);
}

// What the model would have chosen, beside what was.
std::string first_choice_words(const Tuning& tuning, const std::vector<std::size_t>& order) {
  const TunedSet& first = tuning.ranked.front();
  if (order.front() == 0) return "it is the model's first choice too\n";
  if (first.measured <= 0)
    return fmt::format("the model's first choice, {}, failed: {}\n", set_words(first), first.failed);
  const auto place = static_cast<std::size_t>(std::ranges::find(order, std::size_t{0}) - order.begin());
  return fmt::format(
      "the model ranks it {}; its first choice, {}, is the {} of those measured, {:.1f} % slower\n",
      ordinal(order.front() + 1), set_words(first), ordinal(place + 1),
      100 * (first.measured / tuning.ranked[order.front()].measured - 1));
}

std::string measured_text(const Tuning& tuning, const std::vector<std::size_t>& order) {
  const TunedSet& pick = tuning.ranked[order.front()];
  std::string text =
      fmt::format("{}{}: {}, {}\nmeasured best of the model's first {} of {} parameter sets, on {}\n",
                  tuning.kernel, place_words(tuning), set_words(pick), time_words(pick.measured),
                  tuning.tried, tuning.ranked.size(), tuning.gpu);
  text += first_choice_words(tuning, order);
  std::vector<TextRow> rows = {{"measured", "predicted", "by the model", "parameters"}};
  for (std::size_t i = 0; i < std::min(order.size(), kRowsShown); ++i) {
    const TunedSet& set = tuning.ranked[order[i]];
    rows.push_back({time_words(set.measured), set.predicted > 0 ? time_words(set.predicted) : "-",
                    ordinal(order[i] + 1), set_words(set)});
  }
  return text + format_table(rows);
}

std::string predicted_text(const Tuning& tuning) {
  std::string text = fmt::format("{}{}: {} parameter sets by predicted time\n", tuning.kernel,
                                 place_words(tuning), tuning.ranked.size());
  std::vector<TextRow> rows = {{"predicted", "place", "parameters"}};
  for (std::size_t i = 0; i < tuning.ranked.size(); ++i) {
    const TunedSet& set = tuning.ranked[i];
    const bool is_now = set.parameters == tuning.now;
    if (i < kRowsShown || is_now)
      rows.push_back({set.predicted > 0 ? time_words(set.predicted) : "-", ordinal(i + 1),
                      set_words(set) + (is_now ? "  (now)" : "")});
  }
  text += format_table(rows);
  if (tuning.ranked.size() + 1 > rows.size()) text += "all of them: --json\n";
  return text + fmt::format("predicted, not measured: {}\n", tuning.why_not);
}

}  // namespace

std::size_t shortlist(const std::vector<TunedSet>& ranked, const Shortlist& rule) {
  if (rule.all || ranked.empty()) return ranked.size();
  const double limit = ranked.front().predicted * (1 + rule.within);
  const auto beyond = std::ranges::find_if(
      ranked, [&](const TunedSet& set) { return set.predicted <= 0 || set.predicted > limit; });
  const auto near = static_cast<std::size_t>(beyond - ranked.begin());
  return std::min(ranked.size(), std::max(near, rule.first));
}

void measure_in_turn(std::vector<TunedSet>& ranked, std::size_t count, const TimeSet& time) {
  std::vector<std::vector<double>> times(count);
  for (int round = 0; round < kTuningRounds; ++round) {
    const double best = best_of(ranked);
    for (std::size_t i = 0; i < count; ++i) {
      TunedSet& set = ranked[i];
      if (!set.failed.empty() || (round > 0 && set.measured > kNear * best)) continue;
      const auto seconds = time(set.parameters, {round, kHopeless * best_of(ranked)});
      if (seconds)
        times[i].push_back(*seconds);
      else
        set.failed = to_line(seconds.error());
      set.measured = set.failed.empty() ? median(times[i]) : 0;
    }
  }
}

std::optional<std::size_t> pick_of(const Tuning& tuning) {
  if (tuning.tried == 0) return tuning.ranked.empty() ? std::nullopt : std::optional<std::size_t>(0);
  const auto order = by_measurement(tuning);
  return order.empty() ? std::nullopt : std::optional(order.front());
}

Json to_json(const Tuning& tuning) {
  Json ranked = Json::array();
  for (const TunedSet& set : tuning.ranked) ranked.push_back(row_of(set));
  Json json = {{"kernel", tuning.kernel},
               {"device", tuning.device},
               {"gpu", tuning.gpu.empty() ? Json(nullptr) : Json(tuning.gpu)},
               {"pick", nullptr},
               {"pick_basis", tuning.tried > 0 ? "measured" : "predicted"},
               {"measured_sets", tuning.tried},
               {"best", ranked.front()},
               {"ranked", ranked}};
  if (!tuning.why_not.empty()) json["not_measured"] = tuning.why_not;
  const auto order = by_measurement(tuning);
  if (const auto first = std::ranges::find(order, std::size_t{0}); first != order.end())
    json["best"]["measured_rank"] = first - order.begin() + 1;
  if (const auto pick = pick_of(tuning)) {
    const TunedSet& set = tuning.ranked[*pick];
    json["pick"] = {{"params", params_of(set)},
                    {"seconds", tuning.tried > 0 ? set.measured : set.predicted},
                    {"predicted_rank", *pick + 1}};
  }
  return json;
}

std::string to_text(const Tuning& tuning) {
  const auto order = by_measurement(tuning);
  return order.empty() ? predicted_text(tuning) : measured_text(tuning, order);
}

}  // namespace warplens::app
