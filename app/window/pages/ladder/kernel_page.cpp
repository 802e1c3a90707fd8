#include "app/window/pages/ladder/kernel_page.hpp"

#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "viz/figures/film.hpp"

namespace warplens::app {

std::optional<scene::Scene> KernelPage::scene() const {
  return canvas_.shown() == nullptr ? std::nullopt : std::optional(*canvas_.shown());
}

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
  Selection& selection = model_.state.selection;
  if (move_within(selection.warp, by, model_.warps())) selection.step = kOpeningAccess;
}

void KernelPage::move_block(int by) {
  constexpr double kStep = 1.5;
  if (zoom_time(by > 0 ? 1 / kStep : kStep)) return;
  Selection& selection = model_.state.selection;
  if (move_within(selection.block, by, model_.blocks())) selection.step = kOpeningAccess;
}

bool KernelPage::cancel() {
  if (!model_.busy_seconds()) return false;
  model_.cancel();
  return true;
}

}  // namespace warplens::app
