#include "app/window/pages/ladder/kernel_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/base/text_table.hpp"
#include "app/window/model/judged_steps.hpp"
#include "app/window/model/ladder/own_cure.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/ladder/code_panel.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "viz/figures/film.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {

std::optional<scene::Scene> KernelPage::scene() const { return canvas_.alone(); }

std::optional<std::string> KernelPage::numbers() const {
  const run::Run* run = model_.run();
  if (run == nullptr || !run->complete) return std::nullopt;
  return tsv_of(*run) + access_tsv(model_);
}

bool KernelPage::is_moving() const { return canvas_.is_moving(ImGui::GetTime()); }

bool KernelPage::is_at_end() const {
  return model_.events().empty() || model_.state.selection.shown_step() + 1 >= model_.events().size();
}

void KernelPage::play(std::ptrdiff_t by) {
  if (move_cursor(static_cast<int>(by), 0)) return;
  for (; by > 0 && !is_at_end(); --by) model_.move_step(model_.state.view.by_iteration ? to_next_turn() : 1);
}

std::ptrdiff_t KernelPage::to_next_turn() const {
  const run::Run* run = model_.run();
  const Selection& selection = model_.state.selection;
  if (run == nullptr || selection.shown_step() >= model_.events().size()) return 1;
  const figures::Place now{
      .block = model_.trace_block(), .warp = selection.warp, .access = selection.shown_step()};
  return figures::to_next_turn(*run, now).value_or(1);
}

bool KernelPage::move_cursor(int instructions, int warps) {
  const time::Schedule* schedule = canvas_.schedule();
  if (schedule == nullptr) return false;
  Drawing& drawing = model_.state.drawing;
  set_time_options(drawing, cursor_moved(*schedule, time_options(drawing), instructions, warps));
  return true;
}

bool KernelPage::zoom_time(double factor) {
  const time::Schedule* schedule = canvas_.schedule();
  if (schedule == nullptr) return false;
  Drawing& drawing = model_.state.drawing;
  const figures::TimeOptions options = time_options(drawing);
  const figures::Cycles shown = shown_cycles(*schedule, options);
  const bool has_cursor = options.cycle >= shown.from && options.cycle <= shown.to;
  const double around = has_cursor ? options.cycle : (shown.from + shown.to) / 2;
  set_time_options(drawing, zoomed(*schedule, options, around, factor));
  return true;
}

void KernelPage::move_access(std::ptrdiff_t by) {
  if (!move_cursor(static_cast<int>(by), 0)) model_.move_step(by);
}

void KernelPage::go_to_end(bool last) {
  if (const time::Schedule* schedule = canvas_.schedule()) {
    Drawing& drawing = model_.state.drawing;
    const double by = last ? schedule->end : -schedule->end;
    return set_time_options(drawing, moved(*schedule, time_options(drawing), by));
  }
  const auto all = std::ssize(model_.events());
  model_.move_step(last ? all : -all);
}

void KernelPage::move_warp(int by) {
  if (move_cursor(0, by)) return;
  std::uint32_t warp = model_.state.selection.warp;
  if (move_within(warp, by, model_.warps())) model_.choose_warp(warp);
}

void KernelPage::move_block(int by) {
  constexpr double kStep = 1.5;
  if (zoom_time(by > 0 ? 1 / kStep : kStep)) return;
  Selection& selection = model_.state.selection;
  if (move_within(selection.block, by, model_.blocks())) selection.step = kOpeningAccess;
}

void KernelPage::swap_values() {
  for (const auto& [name, value] : catalog::Values(speed_.values_before())) model_.set_parameter(name, value);
}

bool KernelPage::cancel() {
  if (!model_.busy_seconds()) return false;
  model_.cancel();
  return true;
}

// A step that was just chosen has no run yet.
const catalog::KernelSpec& KernelPage::shown_kernel() const {
  const run::Run* run = canvas_.run();
  return run == nullptr ? listed_kernel(model_) : run->plan().spec;
}

StageWords KernelPage::stage_words(const Ui& ui) const {
  const auto steps = model_.steps();
  const auto index_of = [&](const std::string& id) {
    return static_cast<std::size_t>(std::ranges::find(steps, id, &catalog::KernelSpec::id) - steps.begin());
  };
  const catalog::KernelSpec& spec = shown_kernel();
  const std::size_t chosen = index_of(model_.state.kernel), at = index_of(spec.id);
  StageWords words{
      .headline = spec.title, .at = at < steps.size() ? at : chosen, .count = steps.size(), .chosen = chosen};
  figures::AroundPicture around{ladder_title(model_.ladder()), spec.title};
  words.place = fmt::format("{}: {}", around.ladder, around.title);
  const figures::Figure* figure = canvas_.figure();
  const figures::Said& said = canvas_.said();
  if (!shows_canvas() || figure == nullptr) return words;
  if (is_plot(*figure)) {
    words.place = around.ladder;
    if (!figure->has(figures::Trait::sizes) && figure->of != figures::Of::device)
      words.place += "; at " + measured::short_size(ui.performance.shown_size());
    words.question = "How fast does it become?";
    words.headline =
        said.explanation.what.empty() ? std::string(figure->title) : capitalized(said.explanation.what);
    words.sentence = sentence(said.explanation.why);
    return words;
  }
  words.question = said.question;
  around.unit = said.unit;
  if (canvas_.is_deciding())
    around.more = "Predicting what counts here ...";
  else
    around.said = said.explanation, add_speed(around);
  const auto drawn = canvas_.shown() == nullptr ? figures::Drawn{} : figures::drawn_words(*canvas_.shown());
  const figures::StageText text = figures::stage_text(around, drawn);
  words.place = text.place, words.headline = text.headline, words.sentence = text.sentence;
  return words;
}

PageHead KernelPage::page_head(const Ui& ui) const {
  const catalog::KernelSpec& spec = shown_kernel();
  PageHead head{.title = spec.title, .idea = spec.idea, .headline = spec.title};
  const figures::Figure* figure = canvas_.figure();
  if (ui.is_asked || !shows_canvas() || figure == nullptr) return head;
  const explain::Explanation& said = canvas_.said().explanation;
  if (is_plot(*figure)) {
    head.headline = said.what.empty() ? std::string(figure->title) : sentence(said.what);
    head.reason = sentence(said.why), head.verdict = said.verdict;
    return head;
  }
  figures::AroundPicture around{.ladder = "", .title = spec.title, .said = said};
  if (!canvas_.is_deciding()) add_speed(around);
  const figures::StageText text = figures::page_text(around);
  head.headline = text.headline, head.reason = text.sentence;
  if (const run::Run* shown = canvas_.run(); shown != nullptr && explain::is_being_checked(*shown))
    head.reason = "Checking ...";
  const bool is_of_picture = around.is_of_picture();
  head.verdict = is_of_picture ? said.verdict : around.than_other;
  const std::string& share = canvas_.said().share;
  if (is_of_picture && said.verdict == explain::Verdict::costly && !share.empty())
    head.cost = sentence(share);
  if (!ui.lessons.is_open()) head.next = next_step();
  const bool has_fix = said.verdict == explain::Verdict::costly && !said.is_free;
  if (has_fix && (!head.next || !head.next->fixes)) head.fix = sentence(said.fix);
  return head;
}

// The slider that pads rows of shared memory, set to what frees the banks of the access on screen; nothing where there is none, and
// where the model predicts that it does not pay.
std::optional<NextStep> KernelPage::padding() const {
  constexpr std::string_view kPadding = "PAD";
  const explain::Explanation& said = canvas_.said().explanation;
  const auto claim =
      std::ranges::find(said.claims, explain::Quantity::words_of_a_bank_padded, &explain::Claim::quantity);
  const auto& sliders = model_.sliders();
  const auto slider =
      std::ranges::find_if(sliders, [&](const Slider& each) { return each.parameter.name == kPadding; });
  if (claim == said.claims.end() || slider == sliders.end()) return std::nullopt;
  std::int64_t words = 0;
  std::from_chars(claim->of.data(), claim->of.data() + claim->of.size(), words);
  const auto choice = std::ranges::find(slider->choices, slider->value + words, &catalog::Choice::value);
  if (words <= 0 || choice == slider->choices.end() || !choice->valid) return std::nullopt;
  const catalog::Values set{{slider->parameter.name, choice->value}};
  NextStep step{model_.state.kernel, run::value_words(set),
                fmt::format("{}\n{}: {}", sentence(said.fix), kPadding, slider->parameter.meaning), true,
                set};
  catalog::Values values = model_.state.params;
  values.insert_or_assign(slider->parameter.name, choice->value);
  const PredictedSets::Known padded = speeds_ahead_.sets().find(values);
  if (const time::Prediction* now = speeds_ahead_.now(); now != nullptr && padded != nullptr && *padded) {
    const double gain = 1 - (*padded)->seconds / now->seconds;
    if (!explain::pays(gain)) return std::nullopt;
    step.words += fmt::format(": {:.0f} % less time", 100 * gain);
  }
  return step;
}

// Another slider, set to what the model predicts to free the banks of the access on screen; nothing where none does.
std::optional<NextStep> KernelPage::own_step() const {
  const explain::Explanation& said = canvas_.said().explanation;
  // What is wasted of global memory is for the steps that follow.
  const bool is_of_banks = said.cost == explain::CostKind::wasted_load_wavefronts ||
                           said.cost == explain::CostKind::wasted_store_wavefronts;
  const time::Prediction* now = is_of_banks ? speeds_ahead_.now() : nullptr;
  const auto cure =
      now == nullptr ? std::nullopt
                     : own_cure(model_.sliders(), model_.state.params, speeds_ahead_.sets(), *now, said.cost);
  if (!cure) return std::nullopt;
  const catalog::Values set{{cure->parameter.name, cure->value}};
  return NextStep{
      model_.state.kernel, fmt::format("{}: {:.0f} % less time", run::value_words(set), 100 * cure->gain),
      fmt::format("{}\n{}: {}", sentence(said.fix), cure->parameter.name, cure->parameter.meaning), true,
      set};
}

// What mends what the picture shows, by what the model predicts of it: a value of the kernel's own, else a step that has no more of it.
// Else the one that follows.
std::optional<NextStep> KernelPage::next_step() const {
  const auto steps = model_.steps();
  const explain::Explanation& said = canvas_.said().explanation;
  if (said.verdict == explain::Verdict::costly && !said.is_free)
    for (auto&& own : {padding(), own_step()})
      if (own) return own;
  const auto step_of = [&](const std::string& id) {
    return std::ranges::find(steps, id, &catalog::KernelSpec::id);
  };
  const figures::NextSteps gains = canvas_.next();
  const explain::NextGain* target = explain::next_for(gains, said.cost);
  if (said.verdict == explain::Verdict::costly && target != nullptr && explain::mends(*target, said.cost))
    if (const auto step = step_of(target->kernel); step != steps.end())
      return NextStep{target->kernel, fmt::format("Fix it: step {} →", target->number),
                      fmt::format("{}\n{}: {}", sentence(said.fix), (*step)->title, (*step)->idea), true};
  const auto here = step_of(model_.state.kernel);
  if (here == steps.end() || here + 1 == steps.end()) return std::nullopt;
  const catalog::KernelSpec& next = **(here + 1);
  return NextStep{next.id, fmt::format("Step {} →", here - steps.begin() + 2),
                  fmt::format("{}: {}", next.title, next.idea), false};
}

void KernelPage::add_speed(figures::AroundPicture& around) const {
  const figures::Figure& figure = *canvas_.figure();
  const run::Run* run = canvas_.run();
  if (const auto& against = canvas_.against(); against && !figure.has(figures::Trait::compares)) {
    around.against = figures::against_forms(against->said, against->number,
                                            run == nullptr ? "" : figures::other_size(*against, run->plan()));
    around.than_other = against->said.verdict, around.names_cause = against->said.names_cause();
    around.is_point = !against->said.about.empty();
    around.other_says = against->other_says;
    around.is_of_access = is_of_access(figure);
  }
  // At a small size most of the device may have nothing to do, and no step is what it is at a large one.
  if (run == nullptr) return;
  if (explain::is_being_checked(*run)) return void(around.more = "Checking ...");
  const std::string idle = figures::idle_words(run->emulation.blocks_in_grid, run->device().sm_count);
  if (!idle.empty() && around.reasons().front().find("idle") == std::string::npos)
    around.more = fmt::format("At this size {}.", idle);
}

}  // namespace warplens::app
