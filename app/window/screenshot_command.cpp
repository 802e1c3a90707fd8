#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <filesystem>

#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/platform/picture_file.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_commands.hpp"

namespace warplens::app {
namespace {

// Seconds: all steps of a ladder at a large size are counted before a picture of them is whole.
constexpr double kLongestWait = 600;
constexpr double kLongestStart = 120;  // of a live run

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What one frame costs this thread, the renderer's own threads left out.
void report_timing(Stage& stage, double first_frame) {
  constexpr int frames = 200;
  std::vector<double> cpu;
  for (int i = 0; i < frames; ++i) {
    const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    if (!stage.frame()) return;
    cpu.push_back(1e3 * (seconds_of(CLOCK_THREAD_CPUTIME_ID) - before));
  }
  std::sort(cpu.begin(), cpu.end());
  fmt::print(stderr,
             "first frame {:.0f} ms; frame, CPU of the window's thread: p50 {:.2f} ms, p99 {:.2f} ms\n",
             1e3 * first_frame, cpu[frames / 2], cpu[frames * 99 / 100]);
}

// Whether the lesson and the stop that a state names are on screen: the window says it in a note, and shows
// what it can.
Status find_lesson(Stage& stage, const LessonState& wanted) {
  if (wanted.file.empty()) return Done{};
  LessonPlayer& player = stage.interface().lessons();
  if (!player.is_open())
    if (const Status opened = player.open(wanted.file); !opened) return opened;
  const std::size_t stops = player.lesson().stops.size();
  if (wanted.stop < stops) return Done{};
  return Error{fmt::format("there is no stop {}", wanted.stop + 1),
               fmt::format("the lesson has stops 1 to {}", stops)};
}

}  // namespace

Status screenshot_command(const CommonOptions& common, const ScreenshotOptions& options) {
  const double start = seconds_of(CLOCK_MONOTONIC);
  if (std::filesystem::path(options.output).extension() != ".png")
    return Error{fmt::format("'{}' is no kind of file that screenshot makes", options.output),
                 "end its name in .png"};
  const std::filesystem::path folder = std::filesystem::path(options.output).parent_path();
  if (std::error_code failed; !folder.empty() && !std::filesystem::is_directory(folder, failed))
    return Error{"there is no folder " + folder.string(), "make it, or name another file with -o"};
  const auto state = read_named_state(common, options.state);
  if (!state) return state.error();
  ModelOptions model;
  if (state->engine == Engine::gpu) model.gpu_worker = client_options(kGpuTimeout);
  auto stage = Stage::open(common, *state, std::move(model));
  if (!stage) return stage.error();
  if (const Status first = (*stage)->frame(); !first) return first.error();
  const double first_frame = seconds_of(CLOCK_MONOTONIC) - start;
  if (const Status found = find_lesson(**stage, state->lesson); !found) return found;
  if (const Status settled = (*stage)->settle(kLongestWait); !settled) return settled.error();
  // A page that is not live shows why, and stderr says it.
  const bool wants_live = state->view.page == Page::ladder && state->view.figure == "live";
  const Status live = wants_live ? (*stage)->go_live(kLongestStart) : Status(Done{});
  const scene::Raster picture = (*stage)->picture();
  const Status written = options.thumbnail > 0
                             ? write_small_png(shrunk(picture, options.thumbnail), options.output)
                             : write_png(picture, options.output);
  if (!written) return written.error();
  if (options.timing) report_timing(**stage, first_frame);
  if (!live) return live.error();
  return Done{};
}

}  // namespace warplens::app
