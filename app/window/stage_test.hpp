// For tests: the window off screen with a small problem, skipped where it cannot be drawn or run.
#pragma once

#include <gtest/gtest.h>

#include "app/window/stage.hpp"

namespace warplens::app {

inline State small_problem() {
  State state;
  state.size = {{"M", 64}, {"N", 64}, {"K", 64}};
  state.view.width = 1600;
  state.view.height = 900;
  return state;
}

class StageTest : public ::testing::Test {
 protected:
  // Skips where pictures or kernels cannot be made; then stage_ is null.
  void open(const State& state) {
    if (const auto egl = Offscreen::create(16, 16); !egl) GTEST_SKIP() << to_line(egl.error());
    if (!compile::Compiler(compile::Compiler::Options{}).available())
      GTEST_SKIP() << "no NVRTC to compile kernels";
    auto stage = Stage::open({.home = WARPLENS_SOURCE_DIR}, state);
    ASSERT_TRUE(stage) << to_line(stage.error());
    stage_ = *std::move(stage);
    ASSERT_TRUE(stage_->settle());
  }
  State& state() { return stage_->model().state; }
  bool click(std::string_view mark) {
    const Status done = stage_->click(mark);
    if (!done) ADD_FAILURE() << to_line(done.error());
    return done && stage_->settle().has_value();
  }

  std::unique_ptr<Stage> stage_;
};

#define OPEN_STAGE(state) \
  open(state);            \
  if (IsSkipped() || HasFatalFailure()) return

}  // namespace warplens::app
