// Keys that are pressed and let go between two frames. ImGui (before 1.87) asks in each frame which keys are
// down and would see nothing of such a tap: presenter remotes send them, and slow frames make them of every
// key.
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace warplens::app {

class Taps {
 public:
  struct Release {
    int key = 0, scancode = 0, modifiers = 0;
  };

  void press(int key) { fresh_.insert(key); }
  // False: the key was down in a frame, and its release may be told now. True: it is kept for later.
  bool keeps(const Release& release) {
    if (!fresh_.contains(release.key)) return false;
    late_.push_back(release);
    return true;
  }
  // After a frame: what has to be told now.
  std::vector<Release> take_late() {
    fresh_.clear();
    return std::exchange(late_, {});
  }

 private:
  std::set<int> fresh_;  // pressed since the last frame
  std::vector<Release> late_;
};

}  // namespace warplens::app
