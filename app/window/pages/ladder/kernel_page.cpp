#include "app/window/pages/ladder/kernel_page.hpp"

#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"

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

void KernelPage::go_to_end(bool last) {
  const auto all = std::ssize(model_.events());
  model_.move_step(last ? all : -all);
}

void KernelPage::move_warp(int by) {
  Selection& selection = model_.state.selection;
  if (move_within(selection.warp, by, model_.warps())) selection.step = kOpeningAccess;
}

void KernelPage::move_block(int by) {
  Selection& selection = model_.state.selection;
  if (move_within(selection.block, by, model_.blocks())) selection.step = kOpeningAccess;
}

bool KernelPage::cancel() {
  if (!model_.busy_seconds()) return false;
  model_.cancel();
  return true;
}

}  // namespace warplens::app
