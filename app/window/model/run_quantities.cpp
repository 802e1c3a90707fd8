#include "app/window/model/run_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/model/words.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

std::string settings_of(const catalog::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string head_of(const run::Run& run) {
  const run::Plan& plan = run.plan();
  const std::string params = settings_of(plan.parameters);
  return plan.spec.id + (params.empty() ? "" : " " + params);
}

std::string exact(const Number& number) {
  if (!number.value) return "";
  switch (number.row->form) {
    case run::Form::share:
      return fmt::format("{:.4f}", *number.value);
    case run::Form::speed:
    case run::Form::number:
      return fmt::format("{:.2f}", *number.value);
    default:
      return fmt::format("{:.0f}", *number.value);
  }
}

// "right over left", where there is such a number.
std::string ratio_of(const Number& left, const Number& right) {
  return left.value.value_or(0) == 0 || !right.value ? "" : fmt::format("{:.4g}", *right.value / *left.value);
}

constexpr run::Quantity kRecorded{.id = "recorded",
                                  .json = "",
                                  .title = "Recorded speed",
                                  .meaning = "Measured with exactly these values",
                                  .unit = "",
                                  .form = run::Form::speed,
                                  .better = run::Better::more,
                                  .of = run::OfSums{}};

std::string facts_of(const run::Run& run) {
  std::string text = fmt::format("size\t{}\ndevice\t{}\nengine\temulator\n", settings_of(run.plan().sizes),
                                 run.device().name);
  if (run.emulation.is_sampled())
    text += fmt::format("blocks run\t{} of {}, counts scaled\n", run.emulation.outcome.counters.blocks_run,
                        run.emulation.blocks_in_grid);
  return text;
}

}  // namespace

std::vector<Number> numbers_of(const run::Run& run) {
  std::vector<Number> numbers;
  for (const run::Quantity* row : run::compared_quantities())
    numbers.push_back({row, run::number(row->id, run.report), row->unit});
  return numbers;
}

const measured::RecordedSpeed* recorded_speed(const measured::RecordedSpeeds& recorded, const run::Run& run) {
  const run::Plan& plan = run.plan();
  return recorded.find(plan.spec.id, run.source, plan.sizes, &plan.parameters);
}

Number recorded_number(const measured::RecordedSpeeds& recorded, const run::Run& run) {
  const measured::RecordedSpeed* found = recorded_speed(recorded, run);
  if (found == nullptr) return {&kRecorded};
  const measured::Rate rate = rate_of(*found);
  return {&kRecorded, rate.value, rate.unit};
}

std::string text_of(const Number& number) {
  if (!number.value) return "not known";
  const double value = *number.value;
  switch (number.row->form) {
    case run::Form::share:
      return fmt::format("{:.3g} %", 100 * value);
    case run::Form::bytes:
      return value == 0 ? "none" : grouped(static_cast<std::uint64_t>(value)) + " B";
    case run::Form::speed:
    case run::Form::number:
      return value < 100 ? fmt::format("{:.3g}", value)
                         : grouped(static_cast<std::uint64_t>(std::round(value)));
    default:
      return value == 0 ? "none" : short_count(value);
  }
}

Verdict compare(const Number& left, const Number& right) {
  if (!left.value || !right.value) return {};
  const double of_left = *left.value, of_right = *right.value;
  if (of_left == of_right) return {Verdict::Kind::same, false, "the same"};
  const run::Quantity& row = *left.row;
  Verdict verdict;
  verdict.up = of_right > of_left;
  const bool good = verdict.up == (row.better == run::Better::more);
  verdict.kind = row.better == run::Better::neither ? Verdict::Kind::other
                 : good                             ? Verdict::Kind::better
                                                    : Verdict::Kind::worse;
  const double low = std::min(of_left, of_right), high = std::max(of_left, of_right);
  const char* word = row.form == run::Form::share   ? verdict.up ? "higher" : "lower"
                     : row.form == run::Form::speed ? verdict.up ? "faster" : "slower"
                     : verdict.up                   ? "more"
                                                    : "fewer";
  if (low == 0) {
    verdict.text = verdict.up ? "from none" : "to none";
  } else {
    const double times = high / low;
    // What rounds to no difference is none worth judging.
    if (times < 1.0005) return {Verdict::Kind::same, verdict.up, "almost the same"};
    verdict.text = times < 1.1     ? fmt::format("{:.1f} % {}", 100 * std::abs(of_right / of_left - 1), word)
                   : times < 99.95 ? fmt::format("{:.3g}× {}", times, word)
                                   : fmt::format("{:.0f}× {}", times, word);
  }
  return verdict;
}

std::string tsv_of(const run::Run& run) {
  std::string text = fmt::format("quantity\t{}\n{}", head_of(run), facts_of(run));
  for (const Number& number : numbers_of(run))
    text += fmt::format("{}\t{}\n", number.row->title, exact(number));
  return text;
}

std::string tsv_of(const run::Run& left, const run::Run& right, const measured::RecordedSpeeds& recorded) {
  std::string text = fmt::format("quantity\t{}\t{}\tright over left\n", head_of(left), head_of(right));
  text += fmt::format("size\t{}\t{}\t\ndevice\t{}\t{}\t\nengine\temulator\temulator\t\n",
                      settings_of(left.plan().sizes), settings_of(right.plan().sizes), left.device().name,
                      right.device().name);
  const auto add = [&](std::string_view name, const Number& of_left, const Number& of_right) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\n", name, exact(of_left), exact(of_right), ratio_of(of_left, of_right));
  };
  const Number of_left = recorded_number(recorded, left), of_right = recorded_number(recorded, right);
  if (of_left.value || of_right.value)
    add(fmt::format("recorded on {}, {}", recorded.device, (of_left.value ? of_left : of_right).unit),
        of_left, of_right);
  const auto lefts = numbers_of(left), rights = numbers_of(right);
  for (std::size_t i = 0; i < lefts.size(); ++i) add(lefts[i].row->title, lefts[i], rights[i]);
  return text;
}

}  // namespace warplens::app
