#include "app/window/testing/driven_stage.hpp"

#include "app/window/file_wishes.hpp"

namespace warplens::app {

Status DrivenStage::grant() {
  grant_files(interface().take_wishes(), model(), interface(), [this] { return picture(); });
  return frame();
}

Result<Rect> DrivenStage::find(std::string_view mark) {
  const auto found = interface().marks().find(mark);
  if (found == interface().marks().end())
    return Error{"nothing on screen is called " + std::string(mark), ""};
  return found->second;
}

Status DrivenStage::move_to(scene::Point at) {
  compat::set_mouse(ImGui::GetIO(), static_cast<float>(at.x), static_cast<float>(at.y), false);
  return frame();
}

Status DrivenStage::click(std::string_view mark) { return drag(mark, 0.5, 0.5); }

Status DrivenStage::click_at(scene::Point at) {
  for (const bool down : {false, false, true, true, false}) {
    compat::set_mouse(ImGui::GetIO(), static_cast<float>(at.x), static_cast<float>(at.y), down);
    if (const Status drawn = frame_unseen(); !drawn) return drawn;
  }
  return frame();
}

Status DrivenStage::click_other(std::string_view mark) {
  const auto rect = find(mark);
  if (!rect) return rect.error();
  if (const Status moved = move_to(rect->center()); !moved) return moved;
  for (const bool down : {true, false}) {
    compat::set_other_button(ImGui::GetIO(), down);
    if (const Status drawn = frame_unseen(); !drawn) return drawn;
  }
  return frame();
}

Status DrivenStage::wheel_at(scene::Point at, double notches) {
  for (int i = 0; i < 2; ++i) {
    if (const Status moved = move_to(at); !moved) return moved;
  }
  compat::set_wheel(ImGui::GetIO(), static_cast<float>(notches));
  if (const Status drawn = frame_unseen(); !drawn) return drawn;
  return frame();
}

Status DrivenStage::drag(std::string_view mark, double from, double to) {
  const auto rect = find(mark);
  if (!rect) return rect.error();
  const auto at = [&](double share) { return scene::Point{rect->x + share * rect->width, rect->center().y}; };
  return drag(at(from), at(to));
}

Status DrivenStage::drag(scene::Point from, scene::Point to) {
  struct Move {
    scene::Point at;
    bool down;
  };
  // ImGui takes a press only where the pointer was hovering the frame before.
  for (const Move& move : {Move{from, false}, Move{from, false}, Move{from, true}, Move{to, true},
                           Move{to, true}, Move{to, false}}) {
    compat::set_mouse(ImGui::GetIO(), static_cast<float>(move.at.x), static_cast<float>(move.at.y),
                      move.down);
    if (const Status drawn = frame_unseen(); !drawn) return drawn;
  }
  return frame();
}

Status DrivenStage::press(compat::Key key, bool control, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
  compat::map_keys(io);
  compat::set_modifiers(io, control, shift);
  for (const bool down : {true, false}) {
    compat::set_key(io, key, down);
    if (const Status drawn = frame_unseen(); !drawn) return drawn;
  }
  compat::set_modifiers(io, false, false);
  return frame();
}

Status DrivenStage::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  if (const Status drawn = frame_unseen(); !drawn) return drawn;
  return frame();
}

}  // namespace warplens::app
