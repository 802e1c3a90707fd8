// Everything that the window can be told to do, once: for the keyboard, the menus, the command palette, the
// help sheet and docs/keyboard.md.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Keys pressed together, or a character wherever the keyboard has it.
struct Chord {
  compat::Key key = compat::Key::none;
  bool control = false, shift = false;  // shift counts beside control only
  char32_t character = 0;
};
std::string to_string(const Chord& chord);  // "Ctrl+Shift+C"; empty for none

struct Action {
  std::string_view id, group, title;
  std::array<Chord, 3> chords;
  void (*act)(const Ui&);     // null for a page's: see perform()
  bool while_typing = false;  // its chords with a control or function key work in a text field too
  std::optional<std::size_t> figure = {};  // opens this one of figures::pictures(), whose title it has
  std::optional<std::size_t> page = {};    // opens or closes this one of page_rows()
};
std::span<const Action> actions();
const Action* find_action(std::string_view id);  // null for none
void perform(const Ui& ui, const Action& action);
std::string_view title_of(const Action& action);  // empty: of a figure that there is not
std::string keys_of(const Action& action, std::string_view between = " or ");  // "F1 or ?"

// Does what the keys of this frame ask for. Keys belong to whoever types, and to an open menu.
void handle_shortcuts(const Ui& ui);

// The action as an item of the menu that is open. Precondition: there is one of this id.
void action_item(const Ui& ui, std::string_view id, bool chosen = false);

}  // namespace warplens::app
