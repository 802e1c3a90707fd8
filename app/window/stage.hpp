// The window without a display, driven by a script: screenshots and tests.
#pragma once

#include <memory>
#include <string_view>

#include "app/window/interface.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "app/window/platform/offscreen.hpp"

namespace warplens::app {

class Stage {
 public:
  // The size is that of the state's view. live: null for the GPU of this computer. Errors: as Model::open,
  // and no EGL.
  static Result<std::unique_ptr<Stage>> open(const CommonOptions& common, State state,
                                             ModelOptions options = {},
                                             std::shared_ptr<LiveEngine> live = nullptr);

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }
  Interface& interface() { return *interface_; }

  // The model brought up to date, and one frame, 1/60 s later. Error: see Interface::draw.
  Status frame();
  // The two halves of the frame, see Interface.
  Status compose_frame();
  void submit_frame();
  // Frames until every worker is idle and the picture has settled. The window's time all but stands still
  // meanwhile, so that a message is there still however long this machine takes. Error: that takes longer
  // than so many seconds.
  Status settle(double seconds = 300);
  // The state's kernel live on the GPU, as its button starts it: frames until it runs, and its plots have
  // launches, blocks and a result to show. Error: why it cannot, or not in so many seconds.
  Status go_live(double seconds);
  // What a window does after each frame with the files that were wished for, see grant_files.
  Status grant();
  scene::Raster picture() { return offscreen_->read(); }
  // Waits for the pixels of the last frame.
  void finish() { offscreen_->finish(); }

  // Where a named thing stands in the last frame. Error: it does not.
  Result<Rect> find(std::string_view mark) const;
  Status move_to(scene::Point at);
  Status click(std::string_view mark);
  Status click_at(scene::Point at);
  // With the other button, in the middle of the thing.
  Status click_other(std::string_view mark);
  Status wheel_at(scene::Point at, double notches);
  // Presses at `from` and releases at `to`, both shares (0 to 1) of the thing's width.
  Status drag(std::string_view mark, double from, double to);
  Status press(compat::Key key, bool control = false, bool shift = false);
  // Characters, as a keyboard of any layout gives them.
  Status type(std::string_view text);

 private:
  explicit Stage(std::shared_ptr<LiveEngine> live) : live_end_(std::move(live)) {}
  Status frame_after(float seconds);
  Status compose_frame_after(float seconds);

  LiveEnd live_end_;  // first, so that it goes last
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Interface> interface_;
};

}  // namespace warplens::app
