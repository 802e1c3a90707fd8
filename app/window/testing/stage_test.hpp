// For tests: the window off screen with a small problem, skipped where it cannot be drawn or run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/window/testing/driven_stage.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {

inline State small_problem() {
  State state;
  state.size = {{"M", 64}, {"N", 64}, {"K", 64}};
  state.view.width = 1600;
  state.view.height = 900;
  return state;
}

// Why the window cannot be drawn here, or kernels not compiled; empty where both can.
inline std::string why_no_stage() {
  static const std::string why = [] {
    if (const auto egl = Offscreen::create(16, 16); !egl) return to_line(egl.error());
    const bool compiles = compile::Compiler(compile::Compiler::Options{}).available();
    return std::string(compiles ? "" : "no NVRTC to compile kernels");
  }();
  return why;
}

class StageTest : public ::testing::Test {
 protected:
  // Skips where pictures or kernels cannot be made; then stage_ is null. home: the folder of kernels and
  // assets. settle: in so many seconds.
  void open(const State& state, const CommonOptions& common = {.home = source_path()},
            ModelOptions options = {}, std::shared_ptr<LiveEngine> live = nullptr, double settle = 300) {
    if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
    auto stage = Stage::open<DrivenStage>(common, state, std::move(options), std::move(live));
    ASSERT_TRUE(stage) << to_line(stage.error());
    stage_ = *std::move(stage);
    ASSERT_TRUE(stage_->settle(settle));
  }
  Model& model() { return stage_->model(); }
  State& state() { return stage_->model().state; }
  bool click(std::string_view mark) {
    const Status done = stage_->click(mark);
    if (!done) ADD_FAILURE() << to_line(done.error());
    return done && stage_->settle().has_value();
  }

  // What the menu saves as SVG; empty where it saves nothing.
  std::string saved_svg() {
    const TestFolder folder;
    state().view.export_folder = folder.string();
    EXPECT_TRUE(click("export") && click("item/save svg"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      return *read_whole_file(entry.path());
    return "";
  }

  // Whether the window shows anything: more than one colour.
  bool is_drawn() const {
    const scene::Raster picture = stage_->picture();
    return std::ranges::any_of(picture.pixels, [&](theme::Rgba pixel) { return pixel != picture.pixels[0]; });
  }

  std::unique_ptr<DrivenStage> stage_;
};

#define OPEN_STAGE(...) \
  open(__VA_ARGS__);    \
  if (IsSkipped() || HasFatalFailure()) return

}  // namespace warplens::app
