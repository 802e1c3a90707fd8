// The two pictures of the start page: one load of a warp in the step that a new window opens on, and in the step
// behind it, sector by sector. Both are run here.
#pragma once

#include <optional>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

class StartPictures {
 public:
  explicit StartPictures(const Model& model);  // which must outlive this

  void update();  // once a frame in which the page is open: asks for the runs, and takes them
  bool is_busy() const { return worker_.busy_seconds().has_value(); }
  bool is_moving(double now) const { return began_ >= 0 && now - began_ < kSeconds; }

  struct Step {
    run::SharedRun run = {};  // and of which kernel: the catalog's own may change meanwhile
    const catalog::KernelSpec& spec() const { return run->plan().spec; }
    std::vector<std::uint32_t> sectors = {};  // the lanes of each, in the order of addresses
    std::size_t enough = 0;                   // so many would do
  };
  // Both, or none while they are run and where they cannot be.
  const std::vector<Step>& steps() const { return steps_; }
  void draw(const Ui& ui, const Rect& rect, const Step& step);
  void show_again(double now) { began_ = now; }

 private:
  static constexpr double kSeconds = 3.2, kSectors = 32;
  struct Request {
    std::shared_ptr<run::Runner> runner;
    std::vector<run::Request> runs;
  };
  using Runs = std::vector<run::SharedRun>;

  const Model& model_;
  std::size_t wanted_ = 0;  // runs
  bool is_asked_ = false;
  std::vector<Step> steps_;
  double began_ = -1;  // the window's time
  LatestWins<Request, Runs> worker_;
};

}  // namespace warplens::app
