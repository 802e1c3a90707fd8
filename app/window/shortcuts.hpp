// What the keys do.
#pragma once

#include <span>

#include "app/window/imgui_compat.hpp"
#include "app/window/ui.hpp"

namespace warplens::app {

struct Shortcut {
  compat::Key key;
  bool control;
  const char* keys;  // as people write it
  const char* meaning;
  void (*act)(const Ui&);
};
std::span<const Shortcut> shortcuts();

// Does what the keys of this frame ask for, unless someone types into a field.
void handle_shortcuts(const Ui& ui);

}  // namespace warplens::app
