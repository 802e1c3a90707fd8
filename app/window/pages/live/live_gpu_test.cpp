// The live tab on a real GPU: how quick its frames are, what the plots cost the host, and that it goes on
// while the sliders move. Skipped where there is none. Prints what it measures: docs/command-line.md has such
// numbers.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/gpu/worker/client.hpp"

namespace warplens::app {
namespace {

using TestClock = std::chrono::steady_clock;
constexpr double kAFrame = 1.0 / 60;

double seconds_since(TestClock::time_point start) {
  return std::chrono::duration<double>(TestClock::now() - start).count();
}

// The value that this share of them does not pass; 0 where there are none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print_times(const char* what, const std::vector<double>& seconds) {
  fmt::print("{}: {} times, p50 {:.1f} us, p99 {:.1f} us, most {:.1f} us\n", what, seconds.size(),
             1e6 * quantile(seconds, 0.5), 1e6 * quantile(seconds, 0.99), 1e6 * quantile(seconds, 1));
}

// The parameter: whether the plots' data comes through the host, even where OpenGL and CUDA can share memory.
class LiveOnAGpu : public StageTest, public ::testing::WithParamInterface<bool> {
 protected:
  void open_live(const std::string& kernel, int size) {
    const std::vector<std::string> worker = {program_path("warplens"), "gpu-worker"};
    const auto system = gpu::Client({.worker_command = worker}).system();
    ASSERT_TRUE(system) << to_line(system.error());
    if (system->devices.empty()) GTEST_SKIP() << system->reason;
    State state = small_problem();
    state.kernel = kernel;
    for (auto& [name, value] : state.size) value = size;
    state.view.figure = "live";
    const CommonOptions common{.home = source_path()};
    OPEN_STAGE(state, common, {}, make_gpu_live_engine(common, GetParam(), worker));
    const Status running = stage_->go_live(120);
    ASSERT_TRUE(running) << to_line(running.error());
    fmt::print("{} live on {}, data through {}\n", kernel, live().gpu().name,
               page().panel().through_host() ? "the host" : "shared memory");
  }
  LivePage& page() { return stage_->interface().pages().get<LivePage>(); }
  LiveSession& live() { return page().session(); }

  // One frame, done when its pixels are; then sleeps until `pace` seconds after its start. Its seconds.
  double frame(double pace) {
    const auto start = TestClock::now();
    const Status drawn = stage_->frame();
    stage_->finish();
    EXPECT_TRUE(drawn && !live().error());
    const double seconds = seconds_since(start);
    if (pace > seconds) std::this_thread::sleep_for(std::chrono::duration<double>(pace - seconds));
    return seconds;
  }
  std::vector<double> frames(double seconds, double pace) {
    std::vector<double> each;
    for (const auto start = TestClock::now(); seconds_since(start) < seconds;) each.push_back(frame(pace));
    return each;
  }
  // Frames until it runs with the values of the sliders, and a little longer.
  void draw_until_running(std::vector<double>& each) {
    const auto is_running = [&] {
      return live().phase() == LiveSession::Phase::running &&
             live().run()->plan().parameters == state().params;
    };
    const auto start = TestClock::now();
    while (!is_running() && seconds_since(start) < 60) each.push_back(frame(kAFrame));
    ASSERT_TRUE(is_running()) << live().words();
    for (const double seconds : frames(0.3, kAFrame)) each.push_back(seconds);
  }
  // As a hand at the sliders: other values again and again, every third time a stop and a start.
  void move_about(int moves) {
    const run::Plan first = live().run()->plan();
    const auto sets = catalog::valid_parameter_sets(first.spec, first.sizes);
    std::vector<double> each;
    for (int move = 0; move < moves && !HasFatalFailure(); ++move) {
      if (move % 3 == 2) {
        live().stop();
        each.push_back(frame(kAFrame));
        live().start();
      } else {
        set(sets[static_cast<std::size_t>(move) * sets.size() / static_cast<std::size_t>(moves)]);
      }
      draw_until_running(each);
    }
    set(first.parameters);
    draw_until_running(each);
    print_times("frame while the sliders move", each);
  }
  void set(const catalog::Values& values) {
    for (const auto& [name, value] : values) model().set_parameter(name, value);
  }
  void expect_right_results() {
    const auto results = live().feed()->results(30);
    ASSERT_TRUE(results) << to_line(results.error());
    const problem::Instance& instance = *live().run()->job->instance;
    for (const auto& output : {results->launched, results->sliced}) {
      if (output.empty()) continue;
      const auto verified = gpu::verify_output(instance, output);
      EXPECT_TRUE(verified.verified) << verified.explanation;
    }
    EXPECT_FALSE(results->launched.empty());
  }
};

TEST_P(LiveOnAGpu, DrawsAndGoesOnWhileTheSlidersMove) {
  open_live("matmul/03_shared_tile", 1024);
  if (IsSkipped() || HasFatalFailure()) return;
  print_times("frame, paced as a display", frames(2, kAFrame));
  print_times("frame", frames(1, 0));
  const gpu::MapTimes maps = live().feed()->map_times();
  print_times("map", maps.map);
  print_times("unmap", maps.unmap);
  const gpu::LiveStatus status = live().feed()->status();
  EXPECT_GT(status.entries, 0u);
  EXPECT_GT(status.watched, 0u);
  const live::LiveFacts facts = live().facts(status, page().panel().through_host());
  fmt::print("{:.1f} G{} live, {:.1f} G{} when checked\n", facts.rate, facts.unit, facts.checked_rate,
             facts.unit);
  EXPECT_TRUE(live().timeline());
  move_about(15);
  expect_right_results();
}

INSTANTIATE_TEST_SUITE_P(Live, LiveOnAGpu, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "ThroughTheHost" : "SharedMemory"; });

}  // namespace
}  // namespace warplens::app
