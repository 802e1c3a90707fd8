#include "app/window/actions/shortcuts.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "app/window/actions/answer_keys.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_recovery.hpp"
#include "app/window/kit/stage_tools.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {
namespace {

using compat::Key;
using Colors = figures::AccessOptions::Colors;

constexpr Chord plain(Key key) { return {.key = key}; }
constexpr Chord control(Key key) { return {.key = key, .control = true}; }
constexpr Chord control_shift(Key key) { return {.key = key, .control = true, .shift = true}; }
constexpr Chord letter(char32_t character) { return {.character = character}; }

// Behind a black or white screen, or a hidden picture, comes the same picture first.
bool shows_again(const Ui& ui) {
  const bool was_blank = std::exchange(ui.stage.blank, StageTools::Blank::none) != StageTools::Blank::none;
  return was_blank || (ui.on_stage && std::exchange(ui.stage.hides_picture, false));
}

// What a presenter's remote and the space bar do in a lesson. False: none is open.
bool go_on(const Ui& ui) {
  if (shows_again(ui)) return true;
  if (!ui.lessons.is_open()) return false;
  ui.stage.turn_page();
  if (!ui.lessons.advance()) ui.wishes.say = "That was the last stop of this lesson";
  return true;
}

void choose_step(const Ui& ui, std::ptrdiff_t away) {
  if (ui.lessons.is_open() && away > 0) return void(go_on(ui));
  if (away > 0 && shows_again(ui)) return;
  ui.stage.turn_page();
  if (!ui.lessons.is_open()) return ui.page().choose_step(away);
  ui.lessons.go_back();
}

void play(const Ui& ui) {
  if (go_on(ui)) return;
  if (ui.page().plays()) ui.playing_since = ui.is_playing() ? -1 : ImGui::GetTime();
}

void toggle_recorded(const Ui& ui) {
  State& state = ui.state();
  if (state.engine != Engine::gpu)
    return void(ui.wishes.say = "Choose a GPU among the devices first: it records the accesses");
  state.accesses = state.accesses == Accesses::recorded ? Accesses::emulated : Accesses::recorded;
}

void toggle_stage(const Ui& ui) {
  bool& on = ui.state().view.presenter;
  on = !on;
  ui.stage = {};
  if (on)
    ui.wishes.say =
        "P or Esc leaves the stage. H hides the picture, S shows sliders, D draws, F1 lists the keys";
}

// What the open page waits for, else what another one does; else back to the ladder.
void cancel(const Ui& ui) {
  if (ui.on_stage) return toggle_stage(ui);
  if (ui.page().cancel()) return;
  for (const auto& page : ui.pages)
    if (page->cancel()) return;
  ui.state().view.page = ui.page().page_behind();
}

// On stage a lesson shows the figure of its stop.
void open_figure(const Ui& ui, std::size_t number) {
  if (ui.on_stage && ui.lessons.is_open()) return;
  const auto tabs = figures::pictures();
  if (number < tabs.size() && ui.page().shows_figure(tabs[number].id))
    ui.page().open_figure(ui, tabs[number].id);
}

void next_figure(const Ui& ui) {
  const auto tabs = figures::pictures();
  const auto shown = [&](const figures::Figure& tab) { return ui.page().shows_figure(tab.id); };
  const auto here = std::ranges::find(tabs, ui.page().figure(ui.state().view), &figures::Figure::id);
  auto next = here == tabs.end() ? here : std::find_if(here + 1, tabs.end(), shown);
  if (next == tabs.end()) next = std::ranges::find_if(tabs, shown);
  ui.page().open_figure(ui, next->id);
}

void toggle_page(const Ui& ui, std::string_view id) {
  const auto rows = page_rows();
  const auto row = std::ranges::find(rows, id, &PageRow::id);
  if (row != rows.end()) ui.pages[static_cast<std::size_t>(row - rows.begin())]->toggle(ui);
}

// Of a stop of a lesson at which something is written.
void check_exercise(const Ui& ui) {
  const auto text = ui.page().text();
  if (!ui.lessons.is_open() || ui.lessons.writing().assignment == nullptr || !text)
    return void(ui.wishes.say = "That is for a lesson’s exercise in which code is written");
  ui.lessons.judge(*text);
}

void zoom(const Ui& ui, double by) {
  View& view = ui.state().view;
  view.text_scale = std::clamp(view.text_scale + by, 0.75, 2.5);
}

// The one that follows in a table of values and their names; the first where the name is none of them.
template <class Table>
void next_name(std::string& name, const Table& table) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (table[i].second == name) next = (i + 1) % std::size(table);
  name = std::string(table[next].second);
}

void choose_colors(const Ui& ui, figures::AccessOptions::Colors colors) {
  for (const auto& [known, name] : figures::kColorNames)
    if (known == colors) ui.state().drawing.colors = std::string(name);
}

void next_colors(const Ui& ui) {
  if (ui.on_stage) return ui.stage.toggle(StageTools::Blank::black);
  const auto& names = figures::kColorNames;
  const auto now = static_cast<std::size_t>(access_options(ui.state().drawing).colors);
  choose_colors(ui, names[(now + 1) % names.size()].first);
}

void use_on_stage(const Ui& ui, bool StageTools::*tool) {
  if (!ui.on_stage) return void(ui.wishes.say = "That is for the stage: P opens it");
  ui.stage.*tool = !(ui.stage.*tool);
}

void use_sliders(const Ui& ui) {
  use_on_stage(ui, &StageTools::has_sliders);
  const bool is_asked = ui.lessons.is_open() && ui.lessons.guess().ask != nullptr;
  if (!ui.on_stage || !ui.stage.has_sliders || (ui.page().has_sliders() && !is_asked)) return;
  ui.wishes.say = is_asked ? "A question stands where sliders would: they come at the next stop without one"
                           : "This picture has no sliders on stage: they come with the next that has some";
}

template <std::size_t number>
constexpr Action figure_row(std::string_view id, Key key) {
  return {id, "Figures", "", {plain(key)}, [](const Ui& ui) { open_figure(ui, number); }, false, number};
}

constexpr std::
    array
        kOwnRows =
            {
                Action{"next step",
                       "Ladder",
                       "Next step; on in a lesson",
                       {plain(Key::page_down)},
                       [](const Ui& ui) { choose_step(ui, 1); }},
                Action{"previous step",
                       "Ladder",
                       "Previous step; back in a lesson",
                       {plain(Key::page_up)},
                       [](const Ui& ui) { choose_step(ui, -1); }},
                Action{"run",
                       "Ladder",
                       "Run again",
                       {plain(Key::f5)},
                       [](const Ui& ui) { ui.page().run_again(); }},
                Action{"swap values",
                       "Ladder",
                       "Last values of the sliders, and back",
                       {plain(Key::x)},
                       [](const Ui& ui) { ui.page().swap_values(); }},
                Action{"check exercise",
                       "Ladder",
                       "Check what is written for a lesson",
                       {control(Key::enter)},
                       check_exercise,
                       true},
                Action{
                    "hint", "Ladder", "The next hint of that exercise", {control(Key::h)}, [](const Ui& ui) { if (ui.lessons.is_open()) ui.lessons.show_hint(); }, true},
                Action{"live",
                       "Ladder",
                       "Live on the GPU, or stop",
                       {plain(Key::l)},
                       [](const Ui& ui) { toggle_page(ui, "live"); }},
                Action{
                    "recorded", "Ladder", "Recorded or emulated accesses", {plain(Key::r)}, toggle_recorded},
                Action{"cancel", "Ladder", "Cancel, or back to the ladder", {plain(Key::escape)}, cancel},

                Action{"ladder",
                       "Pages",
                       "Back to the ladder",
                       {},
                       [](const Ui& ui) { ui.state().view.page = Page::ladder; }},
                Action{"palette",
                       "Pages",
                       "Search for anything",
                       {control(Key::k), control(Key::p), letter(U'/')},
                       [](const Ui& ui) { ui.wishes.search = true; },
                       true},
                Action{"help",
                       "Pages",
                       "Help: keys, and what words mean",
                       {plain(Key::f1), letter(U'?')},
                       [](const Ui& ui) { ui.wishes.help = true; },
                       true},

                Action{"next thing",
                       "Pages",
                       "Next control (Shift: back); Enter clicks",
                       {plain(Key::tab)},
                       [](const Ui& ui) {
                         if (!ui.on_stage) ui.focus.move(ImGui::GetIO().KeyShift ? -1 : 1);
                       }},

                Action{"play", "Time", "Play or pause; on in a lesson", {plain(Key::space)}, play},
                Action{"next access",
                       "Time",
                       "Next access; more stride",
                       {plain(Key::right)},
                       [](const Ui& ui) { ui.page().move_access(1); }},
                Action{"previous access",
                       "Time",
                       "Previous access; less stride",
                       {plain(Key::left)},
                       [](const Ui& ui) { ui.page().move_access(-1); }},
                Action{"sixteen on",
                       "Time",
                       "Sixteen accesses on",
                       {control(Key::right)},
                       [](const Ui& ui) { ui.page().move_access(16); }},
                Action{"sixteen back",
                       "Time",
                       "Sixteen accesses back",
                       {control(Key::left)},
                       [](const Ui& ui) { ui.page().move_access(-16); }},
                Action{"first access",
                       "Time",
                       "First access; in Time the first cycles",
                       {plain(Key::home)},
                       [](const Ui& ui) { ui.page().go_to_end(false); }},
                Action{"last access",
                       "Time",
                       "Last access; in Time the last cycles",
                       {plain(Key::end)},
                       [](const Ui& ui) { ui.page().go_to_end(true); }},
                Action{"next warp",
                       "Time",
                       "Next warp; more offset",
                       {plain(Key::down)},
                       [](const Ui& ui) { ui.page().move_warp(1); }},
                Action{"previous warp",
                       "Time",
                       "Previous warp; less offset",
                       {plain(Key::up)},
                       [](const Ui& ui) { ui.page().move_warp(-1); }},
                Action{"next block",
                       "Time",
                       "Next block; in Time more cycles",
                       {control(Key::down)},
                       [](const Ui& ui) { ui.page().move_block(1); }},
                Action{"previous block",
                       "Time",
                       "Previous block; in Time fewer cycles",
                       {control(Key::up)},
                       [](const Ui& ui) { ui.page().move_block(-1); }},

                Action{"larger text",
                       "View",
                       "Larger text",
                       {plain(Key::plus), letter(U'+')},
                       [](const Ui& ui) { zoom(ui, 0.125); }},
                Action{"smaller text",
                       "View",
                       "Smaller text",
                       {plain(Key::minus)},
                       [](const Ui& ui) { zoom(ui, -0.125); }},
                Action{"text as designed",
                       "View",
                       "Text at its normal size",
                       {plain(Key::zero)},
                       [](const Ui& ui) { ui.state().view.text_scale = 1; }},
                Action{"theme",
                       "View",
                       "Dark or light theme",
                       {plain(Key::t)},
                       [](const Ui& ui) { ui.state().view.dark = !ui.state().view.dark; }},
                Action{"presenter",
                       "View",
                       "Stage: present to a class",
                       {plain(Key::p)},
                       [](const Ui& ui) { toggle_stage(ui); }},

                Action{"colors", "View", "Next colours; on stage, a black screen", {plain(Key::b)}, next_colors},
                Action{"classic colors",
                       "View",
                       "Classic colours",
                       {},
                       [](const Ui& ui) { choose_colors(ui, Colors::classic); }},
                Action{"colour-blind colors",
                       "View",
                       "Colour-blind safe colours",
                       {},
                       [](const Ui& ui) { choose_colors(ui, Colors::colour_blind); }},
                Action{"lane colors",
                       "View",
                       "A colour for each lane",
                       {},
                       [](const Ui& ui) { choose_colors(ui, Colors::lanes); }},
                Action{"whole",
                       "View",
                       "Whole matrices; white screen on stage",
                       {plain(Key::w)},
                       [](const Ui& ui) {
                         if (ui.on_stage) return ui.stage.toggle(StageTools::Blank::white);
                         ui.state().drawing.whole = !ui.state().drawing.whole;
                       }},

                Action{"source",
                       "View",
                       "Show or hide the source",
                       {control(Key::b)},
                       [](const Ui& ui) { ui.state().view.source = !ui.state().view.source; }},
                Action{
                    "details",
                    "View",
                    "Show or hide the details",
                    {control_shift(Key::b)},
                    [](const Ui& ui) {
                      View& view = ui.state().view;
                      view.details = !view.details || !view.source;
                      view.source = view.source || view.details;
                    }},
                Action{"motion",
                       "View",
                       "Animate pictures, or change them at once",
                       {},
                       [](const Ui& ui) { ui.state().view.motion = !ui.state().view.motion; }},
                Action{"play by",
                       "View",
                       "Play from turn to turn of a loop, or access by access",
                       {},
                       [](const Ui& ui) { ui.state().view.by_iteration = !ui.state().view.by_iteration; }},
                Action{"flow of",
                       "View",
                       "Data flow of an operation, a block or the kernel",
                       {},
                       [](const Ui& ui) { next_name(ui.state().drawing.per, figures::kPerNames); }},

                Action{"all cycles",
                       "View",
                       "Cycles in Time as the model chose them",
                       {},
                       [](const Ui&
                              ui) { ui.state().drawing.cycles.clear(), ui.state().drawing.cursor.clear(); }},

                Action{"hide picture",
                       "Stage",
                       "Hide the picture, or show it",
                       {letter(U'h')},
                       [](const Ui& ui) { use_on_stage(ui, &StageTools::hides_picture); }},
                Action{"black",
                       "Stage",
                       "A black screen, where B is an answer",
                       {letter(U'.')},
                       [](const Ui& ui) {
                         if (ui.on_stage) ui.stage.toggle(StageTools::Blank::black);
                       }},
                Action{"stage sliders", "Stage", "Sliders beside the picture", {letter(U's')}, use_sliders},
                Action{"pointer",
                       "Stage",
                       "A pointer",
                       {letter(U'o')},
                       [](const Ui& ui) { use_on_stage(ui, &StageTools::has_pointer); }},
                Action{"pen",
                       "Stage",
                       "A pen: draw with the mouse",
                       {letter(U'd')},
                       [](const Ui& ui) { use_on_stage(ui, &StageTools::has_pen); }},
                Action{"wipe",
                       "Stage",
                       "Wipe what was drawn",
                       {letter(U'e')},
                       [](const Ui& ui) { ui.stage.strokes.clear(); }},

                figure_row<0>("figure 1", Key::one),
                figure_row<1>("figure 2", Key::two),
                figure_row<2>("figure 3", Key::three),
                figure_row<3>("figure 4", Key::four),
                figure_row<4>("figure 5", Key::five),
                figure_row<5>("figure 6", Key::six),
                figure_row<6>("figure 7", Key::seven),
                figure_row<7>("figure 8", Key::eight),
                figure_row<8>("figure 9", Key::nine),
                Action{"next figure", "Figures", "Next figure", {control(Key::tab)}, next_figure},

                Action{"copy figure",
                       "Export",
                       "Copy the figure",
                       {control(Key::c)},
                       [](const Ui& ui) { ui.wishes.copy_figure = true; }},
                Action{"copy numbers",
                       "Export",
                       "Copy the numbers as a table",
                       {control_shift(Key::c)},
                       [](const Ui& ui) { ui.wishes.copy_numbers = true; }},
                Action{"copy words",
                       "Export",
                       "Copy what the page says, as text",
                       {control_shift(Key::t)},
                       [](const Ui& ui) { ui.wishes.copy_words = true; }},
                Action{"save figure",
                       "Export",
                       "Save the figure with options…",
                       {control_shift(Key::e)},
                       [](const Ui& ui) { ui.wishes.export_figure = true; }},
                Action{"save png",
                       "Export",
                       "Save the figure as PNG",
                       {control(Key::e)},
                       [](const Ui& ui) { ui.wishes.save_figure = ".png"; }},
                Action{"save svg",
                       "Export",
                       "Save the figure as SVG",
                       {},
                       [](const Ui& ui) { ui.wishes.save_figure = ".svg"; }},
                Action{"save pdf",
                       "Export",
                       "Save the figure as PDF",
                       {},
                       [](const Ui& ui) { ui.wishes.save_figure = ".pdf"; }},
                Action{"save window",
                       "Export",
                       "Save the window as PNG",
                       {},
                       [](const Ui& ui) { ui.wishes.save_picture = "warplens-window.png"; }},
                Action{"save state",
                       "File",
                       "Save the state, or the file in the editor",
                       {control(Key::s)},
                       [](const Ui& ui) {
                         if (!ui.page().save(ui)) ui.wishes.save_state = "warplens-state.toml";
                       }},
                Action{"open state",
                       "File",
                       "Open the saved state",
                       {control(Key::o)},
                       [](const Ui& ui) { ui.wishes.open_state = "warplens-state.toml"; }},
                Action{"save state as",
                       "File",
                       "Save the state as…",
                       {control_shift(Key::s)},
                       [](const Ui& ui) { ui.wishes.choose_state_name = true; }},
                Action{"open file",
                       "File",
                       "Open a state, a lesson or a kernel…",
                       {control_shift(Key::o)},
                       [](const Ui& ui) { ui.wishes.choose_file = true; }},
                Action{"quit",
                       "File",
                       "Close the window",
                       {control(Key::q)},
                       [](const Ui& ui) { ui.wishes.close = true; }},
};

bool is_pressed(const Chord& chord) {
  if (chord.character != 0) return compat::typed(chord.character);
  const ImGuiIO& io = ImGui::GetIO();
  return compat::pressed(chord.key) && io.KeyCtrl == chord.control &&
         (!chord.control || io.KeyShift == chord.shift);
}

bool works_while_typing(const Action& action, const Chord& chord) {
  return action.while_typing && (chord.control || chord.key == Key::f1 || chord.key == Key::f2);
}

// Chords of a field in which a number is typed.
bool is_of_text(const Chord& chord) {
  constexpr std::array kKeys = {Key::a, Key::c,    Key::v,     Key::x,  Key::y,
                                Key::z, Key::left, Key::right, Key::up, Key::down};
  return std::ranges::find(kKeys, chord.key) != kKeys.end();
}

bool any_popup() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// A menu hangs under its button; dialogs, the palette and the help sheet have the keys for themselves.
bool is_menu_open() {
  return any_popup() && !compat::is_dialog_open() && !ImGui::IsPopupOpen("palette") &&
         !ImGui::IsPopupOpen("help");
}

// While a menu is open these close it, and what was typed in it counts.
bool works_in_menus(const Chord& chord) {
  return (chord.control && !is_of_text(chord)) || (chord.key >= Key::f1 && chord.key <= Key::f11);
}

}  // namespace

std::string to_string(const Chord& chord) {
  if (chord.character != 0) return {static_cast<char>(std::toupper(static_cast<int>(chord.character)))};
  if (chord.key == Key::none) return "";
  return std::string(chord.control ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") +
         compat::name_of(chord.key);
}

// Those of the pages stand before the way back to the ladder.
std::span<const Action> actions() {
  static const std::vector<Action> all = [] {
    std::vector<Action> list(kOwnRows.begin(), kOwnRows.end());
    auto at = std::ranges::find(list, std::string_view("ladder"), &Action::id);
    for (std::size_t i = 0; i < page_rows().size(); ++i) {
      const PageRow& row = page_rows()[i];
      if (row.action.empty()) continue;
      at = list.insert(at, {.id = row.id,
                            .group = "Pages",
                            .title = row.action,
                            .chords = {plain(row.key)},
                            .act = nullptr,
                            .while_typing = row.key == Key::f2,
                            .page = i}) +
           1;
    }
    return list;
  }();
  return all;
}

void perform(const Ui& ui, const Action& action) {
  action.page ? ui.pages[*action.page]->toggle(ui) : action.act(ui);
}

const Action* find_action(std::string_view id) {
  const auto rows = actions();
  const auto found = std::ranges::find(rows, id, &Action::id);
  return found == rows.end() ? nullptr : &*found;
}

std::string_view title_of(const Action& action) {
  if (!action.figure) return action.title;
  const auto tabs = figures::pictures();
  return *action.figure < tabs.size() ? tabs[*action.figure].title : std::string_view();
}

std::string keys_of(const Action& action, std::string_view between) {
  std::string keys;
  for (const Chord& chord : action.chords) {
    const std::string text = to_string(chord);
    if (text.empty() || keys == text) continue;  // + is a key on some keyboards, a character on others
    if (!keys.empty()) keys += between;
    keys += text;
  }
  return keys;
}

// Sliders, code, pictures and edges of panels: arrows go from value to value, line to line, part to part.
bool uses_arrows(std::string_view name) {
  constexpr std::string_view kinds[] = {"param/",           "listing/",          "figure",
                                        "scrubber",         "playground/stride", "playground/offset",
                                        "playground/lanes", "splitter/"};
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return name.starts_with(kind); });
}

void handle_shortcuts(const Ui& ui) {
  const bool in_menu = is_menu_open();
  if (any_popup() && !in_menu) return;
  const bool typing = ImGui::GetIO().WantTextInput || ui.page().is_typing();
  if (!typing && !in_menu && answer_by_key(ui)) return;
  for (const Action& action : actions()) {
    const bool is_taken = uses_arrows(ui.focus.name()) && action.group == "Time";
    const bool wanted =
        !is_taken && std::any_of(action.chords.begin(), action.chords.end(), [&](const Chord& chord) {
          const bool works = in_menu ? works_in_menus(chord) : !typing || works_while_typing(action, chord);
          return works && is_pressed(chord);
        });
    if (!wanted) continue;
    if (in_menu) compat::close_menus();
    perform(ui, action);
  }
}

void action_item(const Ui& ui, std::string_view id, bool chosen) {
  const Action& action = *find_action(id);
  const std::string keys = to_string(action.chords.front());
  if (menu_item(ui, std::string(title_of(action)),
                {.keys = keys.c_str(), .chosen = chosen, .mark = "item/" + std::string(id)}))
    perform(ui, action);
}

}  // namespace warplens::app
