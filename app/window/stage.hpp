// The window without a display: screenshots and, driven by app/window/testing/driven_stage.hpp, tests.
#pragma once

#include <memory>
#include <utility>

#include "app/window/interface.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/pages/live/live_engine.hpp"
#include "app/window/platform/offscreen.hpp"

namespace warplens::app {

class Stage {
 public:
  // The size is that of the state's view. live: null for the GPU of this computer. Errors: as Model::open,
  // and no EGL.
  template <class S = Stage>
  static Result<std::unique_ptr<S>> open(const CommonOptions& common, State state, ModelOptions options = {},
                                         std::shared_ptr<LiveEngine> live = nullptr) {
    auto stage = std::make_unique<S>(common, std::move(live));
    if (const Status done = stage->set_up(common, std::move(state), std::move(options)); !done)
      return done.error();
    return stage;
  }
  Stage(const CommonOptions& common, std::shared_ptr<LiveEngine> live);  // see open()

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }
  Interface& interface() { return *interface_; }

  // The model brought up to date, and one frame, 1/60 s later; its pixels are made when somebody asks for
  // them. Error: see Interface::compose.
  Status frame();
  Status frame_after(float seconds);
  // A frame that nobody sees: for those between two inputs.
  Status frame_unseen();
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
  scene::Raster picture();
  // Waits for the pixels of the last frame.
  void finish();
  // From the next frame on, pixels. Error: too large.
  Status resize(int width, int height);

 private:
  Status set_up(const CommonOptions& common, State state, ModelOptions options);
  Status compose_frame_after(float seconds);
  void update();
  void end_frame();
  void render();

  LiveEnd live_end_;  // first, so that it goes last
  std::unique_ptr<Offscreen> offscreen_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Interface> interface_;
  bool is_rendered_ = true;  // the framebuffer has the last frame
};

}  // namespace warplens::app
