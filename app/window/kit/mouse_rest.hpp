// On stage: a mouse that lies still where another picture comes up beneath it points at nothing in that until
// it moves. Nobody meant what happens to be there.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/state/state.hpp"
#include "viz/scene/geometry.hpp"

namespace warplens::app {

class MouseRest {
 public:
  // What decides which picture is shown: what is chosen, whose run it is of, and whether it is hidden.
  struct Shown {
    State state;
    std::string run;
    bool is_hidden = false;
    bool operator==(const Shown&) const = default;
  };

  // Once a frame, within ImGui's: whether the mouse rests since another picture came.
  bool rests(const Shown& shown) {
    const ImGuiIO& io = ImGui::GetIO();
    const scene::Point now{io.MousePos.x, io.MousePos.y};
    const bool is_used = ImGui::IsAnyMouseDown() || io.MouseWheel != 0;
    if (!(shown_ == shown)) shown_ = shown, at_ = now;
    if (is_used || (at_ && !(*at_ == now))) at_.reset();
    return at_.has_value();
  }
  void forget() { shown_.reset(), at_.reset(); }

 private:
  std::optional<Shown> shown_;
  std::optional<scene::Point> at_;  // where it has lain since
};

}  // namespace warplens::app
