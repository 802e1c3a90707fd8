// How quick the window is, drawn off screen: prints percentiles, in milliseconds.
//
//   window_benchmark [sliders] [frames] [pages] [start] [KERNEL ...]   # all four where nothing is named
//
// sliders: from a moved slider to the new, correct picture in the framebuffer: at once, with time to compile
//          ahead between the moves, and back at values seen before. Of the steps named, or of the first.
// frames:  what one frame costs the window's thread while a trace of a million accesses is loaded.
// pages:   what one frame costs in the comparison, in the playground with an edit before it, and with the
//          palette open.
// start:   from the start of the process to its first frame, and to the first picture of a kernel.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/window/stage.hpp"
#include "app/window/tools.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
double now() { return seconds_of(CLOCK_MONOTONIC); }
double own_cpu() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

class Samples {
 public:
  void add(double seconds) { values_.push_back(1e3 * seconds); }
  void add(const Samples& other) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  }
  std::string text() const {
    if (values_.empty()) return "no samples";
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const auto share = [&](double p) {
      return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5)];
    };
    return fmt::format("p50 {:7.2f}  p95 {:7.2f}  p99 {:7.2f}  max {:7.2f}  ({} samples)", share(0.5),
                       share(0.95), share(0.99), sorted.back(), sorted.size());
  }

 private:
  std::vector<double> values_;  // ms
};

void print(std::string_view what, const Samples& samples) {
  fmt::print("{:<44} {}\n", what, samples.text());
  std::fflush(stdout);
}

// A folder that is gone at the end.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(fs::temp_directory_path() / ("warplens-window-benchmark-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string folder(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Stops the benchmark where the window cannot be drawn at all.
template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "{}\n", to_line(result.error()));
  _exit(2);  // not exit: workers may still be at work
}

// As the loop of the window does: a frame where something is new, and at most sixty a second for the spinner.
template <class Ready>
void frames_until(Stage& stage, Ready ready) {
  double drawn = now();
  while (true) {
    const bool changed = stage.model().update();
    if (changed || (stage.interface().is_moving() && now() - drawn > 1.0 / 60)) {
      drawn = now();
      must(stage.frame());
      stage.finish();
    }
    if (ready()) return;
    if (!changed) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

bool is_on_screen(const Stage& stage) { return stage.model().is_current(); }
bool is_complete(const Stage& stage) {
  return stage.model().error() || (is_on_screen(stage) && !stage.model().busy_seconds());
}

struct SliderTimes {
  Samples picture, whole, cpu;
  void add(const SliderTimes& other) {
    picture.add(other.picture), whole.add(other.whole), cpu.add(other.cpu);
  }
};

void move_slider(Stage& stage, const std::string& name, std::int64_t value, SliderTimes& times) {
  const double begin = now(), cpu = own_cpu();
  stage.model().set_parameter(name, value);
  frames_until(stage, [&] { return is_on_screen(stage) || stage.model().error(); });
  if (stage.model().error()) return;
  times.picture.add(now() - begin);
  times.cpu.add(own_cpu() - cpu);
  frames_until(stage, [&] { return is_complete(stage); });
  times.whole.add(now() - begin);
}

void wait_for_ahead(Stage& stage) {
  frames_until(stage, [&] { return !stage.model().is_working_ahead(); });
}

// Each slider through its legal values and back to where it stood.
template <class Pause>
SliderTimes sweep(Stage& stage, Pause pause) {
  SliderTimes times;
  const std::vector<Slider> sliders = stage.model().sliders();
  for (const Slider& slider : sliders) {
    std::vector<std::int64_t> values;
    for (const auto& choice : slider.choices) {
      if (choice.legal && choice.value != slider.value) values.push_back(choice.value);
    }
    values.push_back(slider.value);
    for (const std::int64_t value : values) {
      pause();
      move_slider(stage, slider.parameter.name, value, times);
    }
  }
  return times;
}

State state_of(const std::string& kernel, std::int64_t size) {
  State state;
  state.kernel = kernel;
  state.size = {{"M", size}, {"N", size}, {"K", size}};
  return state;
}

std::unique_ptr<Stage> open(const State& state, const std::string& cache) {
  return must(Stage::open({.home = WARPLENS_SOURCE_DIR, .cache = cache}, state, {.gives_way = true}));
}

void print(std::string_view what, const SliderTimes& times) {
  print(fmt::format("{}: picture", what), times.picture);
  print(fmt::format("{}: CPU until then", what), times.cpu);
  print(fmt::format("{}: all numbers", what), times.whole);
}

void measure_sliders(const std::vector<std::string>& kernels) {
  const ScratchFolder scratch;
  SliderTimes cold, paced, cached;
  for (const std::string& kernel : kernels) {
    const std::string name = fs::path(kernel).filename().string();
    SliderTimes here;
    {
      const auto stage = open(state_of(kernel, 512), scratch.folder("cold-" + name));
      must(stage->settle(600));
      here = sweep(*stage, [] {});
      cold.add(here);
      print(fmt::format("{} at once", name), here);
      here = sweep(*stage, [] {});
      cached.add(here);
      print(fmt::format("{} seen before: picture", name), here.picture);
    }
    const auto stage = open(state_of(kernel, 512), scratch.folder("paced-" + name));
    must(stage->settle(600));
    here = sweep(*stage, [&] { wait_for_ahead(*stage); });
    paced.add(here);
    print(fmt::format("{} after a rest", name), here);
  }
  print("every step at once", cold);
  print("every step after a rest", paced);
  print("every step, seen before: picture", cached.picture);
}

struct FrameTimes {
  Samples ours, driver, pixels, share;
  std::string text() const {
    return ours.text() + "\n      driver " + driver.text() + "\n      pixels " + pixels.text() + "\n      share " + share.text();
  }
};

// One frame with what `change` does before it.
template <class Change>
FrameTimes frame_cpu(Stage& stage, int frames, Change change) {
  FrameTimes samples;
  for (int i = 0; i < frames; ++i) {
    change(i);
    const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    must(stage.compose_frame());
    const double composed = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    stage.submit_frame();
    samples.share.add(1e-3 * stage.interface().drawn_share());
    samples.ours.add(composed - before);
    samples.driver.add(seconds_of(CLOCK_THREAD_CPUTIME_ID) - composed);
    const double b = now();
    stage.finish();
    samples.pixels.add(now() - b);
  }
  return samples;
}
void print(std::string_view what, const FrameTimes& samples) {
  fmt::print("{:<44} {}\n", what, samples.text());
  std::fflush(stdout);
}

void measure_frames() {
  const ScratchFolder scratch;
  const int frames = getenv("FRAMES") ? atoi(getenv("FRAMES")) : 200;
  State state = state_of("matmul/01_naive", 64);
  state.size["K"] = 16'384;  // block 0 has 32 warps, and each of them loads K elements of A and of B
  const auto stage = open(state, scratch.folder("cache"));
  must(stage->settle(600));
  Model& model = stage->model();
  fmt::print("{} accesses are loaded\n", model.run()->trace.events());
  const auto accesses = static_cast<int>(model.events().size());
  const auto scrub = [&](int i) {
    model.state.selection.step = static_cast<std::uint32_t>((std::int64_t{i} * 7919) % accesses);
  };
  for (const char* figure : {"access", "coalescing", "banks", "bank-map", "occupancy"}) {
    if (getenv("FIGURE") && figure != std::string(getenv("FIGURE"))) continue;
    model.state.view.figure = figure;
    must(stage->settle(600));
    print(fmt::format("{}: frame while scrubbing, CPU", figure), frame_cpu(*stage, frames, scrub));
    print(fmt::format("{}: frame at rest, CPU", figure), frame_cpu(*stage, frames, [](int) {}));
  }
}

void measure_compare(Stage& stage) {
  State& state = stage.model().state;
  state.view.page = Page::compare;
  state.compare.left = {"matmul/01_naive", {}};
  state.compare.right = {"matmul/05_register_2d", {}};
  const int frames = getenv("FRAMES") ? atoi(getenv("FRAMES")) : 200;
  for (const char* figure : {"access", "coalescing", "banks", "bank-map"}) {
    state.compare.figure = figure;
    must(stage.settle(600));
    const auto accesses = static_cast<std::int64_t>(stage.interface().tools().comparison.steps());
    const auto scrub = [&](int i) {
      state.compare.step = static_cast<std::uint32_t>((std::int64_t{i} * 7919) % accesses);
    };
    print(fmt::format("compare, {}: frame while scrubbing, CPU", figure), frame_cpu(stage, frames, scrub));
  }
}

// The picture of an edit is in the frame that follows it.
void measure_playground(Stage& stage) {
  State& state = stage.model().state;
  state.view.page = Page::playground;
  const int frames = getenv("FRAMES") ? atoi(getenv("FRAMES")) : 200;
  must(stage.settle(600));
  const auto drag = [&](int i) { set_stride(state.playground, i % 64); };
  print("playground: frame with a new stride, CPU", frame_cpu(stage, frames, drag));
  const auto type = [&](int i) { state.playground.index = fmt::format("(lane%{})*{}", 1 + i % 32, i % 65); };
  print("playground: frame with a new index, CPU", frame_cpu(stage, frames, type));
}

void measure_palette(Stage& stage) {
  constexpr int frames = 120;
  stage.interface().tools().palette.open();
  must(stage.frame());
  must(stage.type("tile"));
  print("palette: frame while searching, CPU", frame_cpu(stage, frames, [](int) {}));
}

void measure_pages() {
  const ScratchFolder scratch;
  const auto stage = open(state_of("matmul/03_shared_tile", 256), scratch.folder("cache"));
  must(stage->settle(600));
  measure_compare(*stage);
  measure_playground(*stage);
  measure_palette(*stage);
}

struct FirstTimes {
  double frame = 0, picture = 0;
};

// The child: the window's first frame and first picture, seconds after `begin`, to a pipe.
int show_first(double begin, int pipe, const std::string& cache) {
  const auto stage = open(state_of("matmul/01_naive", 512), cache);
  FirstTimes times;
  must(stage->frame());
  stage->finish();
  times.frame = now() - begin;
  frames_until(*stage, [&] { return is_on_screen(*stage); });
  times.picture = now() - begin;
  const bool told = write(pipe, &times, sizeof times) == static_cast<ssize_t>(sizeof times);
  _exit(told ? 0 : 1);  // without waiting for the background's work
}

FirstTimes start_child(const std::string& cache) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(2);
  const std::string begin = fmt::format("{:.9f}", now()), end = std::to_string(ends[1]);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "window_benchmark", "--child", begin.c_str(), end.c_str(), cache.c_str(),
          nullptr);
    _exit(127);
  }
  close(ends[1]);
  FirstTimes times;
  const bool told = read(ends[0], &times, sizeof times) == static_cast<ssize_t>(sizeof times);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!told) std::exit(2);
  return times;
}

void measure_start() {
  const ScratchFolder scratch;
  const std::string cache = scratch.folder("cache");
  start_child(cache);  // fills the caches: of compiled kernels, of shaders, of the file system
  Samples frame, picture, cpu;
  for (int i = 0; i < 15; ++i) {
    rusage before{}, after{};
    getrusage(RUSAGE_CHILDREN, &before);
    const FirstTimes times = start_child(cache);
    getrusage(RUSAGE_CHILDREN, &after);
    const auto seconds = [](const rusage& r) {
      return static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
             1e-6 * static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    };
    frame.add(times.frame), picture.add(times.picture), cpu.add(seconds(after) - seconds(before));
  }
  print("start to the first frame", frame);
  print("start to the first picture", picture);
  print("CPU of all threads until then", cpu);
}

}  // namespace
}  // namespace warplens::app

int main(int argc, char** argv) {
  using namespace warplens::app;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "--child")
    return show_first(std::stod(words[1]), std::stoi(words[2]), words[3]);
  const auto wants = [&](const char* name) {
    return words.empty() || std::find(words.begin(), words.end(), name) != words.end();
  };
  std::vector<std::string> kernels;
  std::copy_if(words.begin(), words.end(), std::back_inserter(kernels),
               [](const std::string& word) { return word.find('/') != std::string::npos; });
  if (wants("start")) measure_start();
  if (wants("frames")) measure_frames();
  if (wants("pages")) measure_pages();
  if (wants("sliders"))
    measure_sliders({"matmul/01_naive", "matmul/02_coalesced", "matmul/03_shared_tile",
                     "matmul/04_register_1d", "matmul/05_register_2d"});
  else if (!kernels.empty())
    measure_sliders(kernels);
}
