// Keys for someone who stands beside a projector: what each does, once, for the keyboard and for its help.
#include "app/window/shortcuts.hpp"

#include <algorithm>
#include <array>

#include "app/window/figure_canvas.hpp"

namespace warplens::app {
namespace {

using compat::Key;

void zoom(View& view, double by) { view.text_scale = std::clamp(view.text_scale + by, 0.75, 2.5); }

void next_figure(View& view) {
  const auto tabs = figure_tabs();
  const auto open =
      std::find_if(tabs.begin(), tabs.end(), [&](const FigureTab& tab) { return tab.id == view.figure; });
  view.figure = open == tabs.end() || open + 1 == tabs.end() ? tabs.front().id : (open + 1)->id;
}

void play(const Ui& ui) { ui.playing_since = ui.is_playing() ? -1 : ImGui::GetTime(); }

constexpr std::array<Shortcut, 19> rows = {{
    {Key::page_down, false, "Page down", "Next step of the ladder",
     [](const Ui& ui) { ui.model.choose_step(1); }},
    {Key::page_up, false, "Page up", "Previous step of the ladder",
     [](const Ui& ui) { ui.model.choose_step(-1); }},
    {Key::space, false, "Space", "Play or pause", play},
    {Key::right, false, "Right", "Next access", [](const Ui& ui) { ui.model.move_step(1); }},
    {Key::left, false, "Left", "Previous access", [](const Ui& ui) { ui.model.move_step(-1); }},
    {Key::home, false, "Home", "First access", [](const Ui& ui) { ui.state().selection.step = 0; }},
    {Key::end, false, "End", "Last access",
     [](const Ui& ui) { ui.model.move_step(std::ssize(ui.model.events())); }},
    {Key::tab, true, "Ctrl+Tab", "Next figure", [](const Ui& ui) { next_figure(ui.state().view); }},
    {Key::plus, false, "+", "Larger text", [](const Ui& ui) { zoom(ui.state().view, 0.125); }},
    {Key::minus, false, "-", "Smaller text", [](const Ui& ui) { zoom(ui.state().view, -0.125); }},
    {Key::zero, false, "0", "Text as designed", [](const Ui& ui) { ui.state().view.text_scale = 1; }},
    {Key::t, false, "T", "Dark or light theme",
     [](const Ui& ui) { ui.state().view.dark = !ui.state().view.dark; }},
    {Key::p, false, "P", "Presenter mode",
     [](const Ui& ui) { ui.state().view.presenter = !ui.state().view.presenter; }},
    {Key::f5, false, "F5", "Run again", [](const Ui& ui) { ui.model.run_again(); }},
    {Key::escape, false, "Esc", "Cancel the run",
     [](const Ui& ui) {
       if (ui.model.busy_seconds()) ui.model.cancel();
     }},
    {Key::e, true, "Ctrl+E", "Save the figure as PNG",
     [](const Ui& ui) { ui.wishes.save_figure = ui.model.ladder() + "-" + ui.state().view.figure + ".png"; }},
    {Key::s, true, "Ctrl+S", "Save the state",
     [](const Ui& ui) { ui.wishes.save_state = "warplens-state.toml"; }},
    {Key::o, true, "Ctrl+O", "Open the saved state",
     [](const Ui& ui) { ui.wishes.open_state = "warplens-state.toml"; }},
    {Key::q, true, "Ctrl+Q", "Close the window", [](const Ui& ui) { ui.wishes.close = true; }},
}};

}  // namespace

std::span<const Shortcut> shortcuts() { return rows; }

void handle_shortcuts(const Ui& ui) {
  if (ImGui::GetIO().WantTextInput ||
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    return;
  for (const Shortcut& row : rows) {
    if (compat::pressed(row.key) && ImGui::GetIO().KeyCtrl == row.control) row.act(ui);
  }
}

}  // namespace warplens::app
