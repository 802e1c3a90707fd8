// The live plots in the window: the scene around them by the painter, the data by OpenGL from the buffer that
// the GPU writes.
#pragma once

#include <memory>

#include "app/window/kit/ui.hpp"
#include "app/window/pages/live/live_session.hpp"
#include "viz/live/live_plots.hpp"

namespace warplens::app {

// Precondition of every call, the destructor included: an OpenGL context is current, always the same.
class LivePanel {
 public:
  LivePanel() = default;
  LivePanel(const LivePanel&) = delete;
  LivePanel& operator=(const LivePanel&) = delete;

  // Once a frame, before anything is drawn with OpenGL: brings the buffer up to date. Error: CUDA refuses.
  Status refresh(LiveSession& session);
  // Where the panel is open.
  void draw(const Ui& ui, const LiveSession& session, const Rect& rect);
  bool through_host() const { return through_host_; }

 private:
  struct Data {
    live::LaunchPlot launches;
    live::BlockPlot blocks;
    live::ResultPlot result;
    live::Target launches_at, blocks_at, result_at;
  };
  Status follow(LiveSession& session, gpu::LiveFeed& feed);
  void place(const Ui& ui, const live::LiveFacts& facts, const live::LivePicture& picture, const Rect& rect,
             double scale);
  void draw_data() const;

  std::unique_ptr<live::LivePlots> plots_;
  std::shared_ptr<live::LiveBuffer> buffer_;  // the feed holds it too, while CUDA has it
  std::uint64_t generation_ = 0;
  bool through_host_ = false;
  gpu::LiveStatus status_;
  Data data_;  // of this frame, for the callback that draws it
};

}  // namespace warplens::app
