// The keys and letters that come between two frames, in their order. ImGui (before 1.87) asks in each frame which keys are down and takes
// all letters at once: of a tap between two frames it would see nothing, of two taps of one key one, and "Return, a" might be "a, Return".
// Presenter remotes send such taps, and slow frames make them of every key. So a frame gets as many as it can tell apart.
#pragma once

#include <deque>
#include <set>
#include <vector>

namespace warplens::app {

class Taps {
 public:
  // As GLFW tells it: a key with its action, or a letter.
  struct Event {
    int key = 0, scancode = 0, action = 0, modifiers = 0;
    unsigned letter = 0;  // 0: of a key
  };

  void add(const Event& event) { waiting_.push_back(event); }
  bool is_empty() const { return waiting_.empty(); }
  // What the next frame is told.
  std::vector<Event> take();

 private:
  std::deque<Event> waiting_;
};

}  // namespace warplens::app
