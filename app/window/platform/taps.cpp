#include "app/window/platform/taps.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace warplens::app {
namespace {

bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

// One that does something to a text, as Return does, and so stays before or behind the letters around it.
bool is_command(const Taps::Event& event) {
  constexpr int kChord = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  const bool is_letter =
      event.key < GLFW_KEY_ESCAPE ||
      (event.key >= GLFW_KEY_KP_0 && event.key <= GLFW_KEY_KP_EQUAL && event.key != GLFW_KEY_KP_ENTER);
  return !is_modifier(event.key) && (!is_letter || (event.modifiers & kChord) != 0);
}

}  // namespace

std::vector<Taps::Event> Taps::take() {
  std::vector<Event> told, late;  // late: let go in the frame behind this one
  std::set<int> pressed;
  bool has_letter = false, has_command = false, lets_modifier_go = false;
  const auto fits = [&](const Event& event) {
    if (event.letter != 0) return !has_command && !lets_modifier_go;
    if (event.action == GLFW_RELEASE) return true;
    const bool is_again = event.action == GLFW_PRESS && pressed.contains(event.key);
    return !is_again && !lets_modifier_go && !(has_letter && is_command(event));
  };
  for (; !waiting_.empty() && fits(waiting_.front()); waiting_.pop_front()) {
    const Event& event = waiting_.front();
    // Also a modifier that was pressed frames ago, else the key pressed with it would stand alone.
    const bool was_pressed = pressed.contains(event.key) || (is_modifier(event.key) && !pressed.empty());
    if (event.letter == 0 && event.action == GLFW_RELEASE && was_pressed) {
      lets_modifier_go |= is_modifier(event.key);
      late.push_back(event);
      continue;
    }
    has_letter |= event.letter != 0;
    if (event.letter == 0 && event.action == GLFW_PRESS)
      pressed.insert(event.key), has_command |= is_command(event);
    told.push_back(event);
  }
  waiting_.insert(waiting_.begin(), late.begin(), late.end());
  return told;
}

}  // namespace warplens::app
