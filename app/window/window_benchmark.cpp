// How quick the window is, drawn off screen at 1600x900: a table of percentiles in milliseconds beside the
// goals.
//
//   window_benchmark [sliders] [rested] [chips] [frames] [pages] [start] [KERNEL ...]   # all but rested and
//   chips where nothing is named
//
// sliders: from a moved slider to the new, correct picture in the framebuffer: at values never seen, and back
//          at values seen before, first one after the other, while other values are compiled ahead beside,
//          then with rests until that is done. Of the steps named, or of the first five, at 512^3.
// rested:  the same at values never seen, with time to compile ahead between the moves.
// chips:   from the choice of an old chip, for which nothing is compiled yet, to the picture and to all else.
// frames:  what one frame costs the window's thread while a trace of a million accesses is loaded. "renderer"
//          is the part of it that OpenGL takes on this thread, "pixels" what it takes afterwards (on a
//          machine without a GPU: llvmpipe's own threads; no part of the sum).
// pages:   the same in the comparison, in the playground with an edit before it, and with the palette open.
// start:   from the start of the process to its first frame, and to the first picture of a kernel.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/window/platform/stage.hpp"
#include "app/window/tools.hpp"
#include "engine/base/test_folder.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
double now() { return seconds_of(CLOCK_MONOTONIC); }
double thread_cpu() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double own_cpu() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

class Samples {
 public:
  void add(double seconds) { values_.push_back(1e3 * seconds); }
  void add(const Samples& more) { values_.insert(values_.end(), more.values_.begin(), more.values_.end()); }
  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  // share: 0 to 1. Precondition: not empty.
  double percentile(double share) const {
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
  }

 private:
  std::vector<double> values_;  // ms
};

// Milliseconds; those that are left out have no goal.
struct Goal {
  std::optional<double> p50 = {}, p95 = {}, p99 = {};
};

std::string text_of(const Goal& goal) {
  std::string text;
  for (const auto& [name, value] :
       {std::pair("p50", goal.p50), std::pair("p95", goal.p95), std::pair("p99", goal.p99)}) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *value);
  }
  return text;
}

bool is_met(const Goal& goal, const Samples& samples) {
  const auto within = [&](const std::optional<double>& limit, double share) {
    return !limit || samples.percentile(share) <= *limit;
  };
  return within(goal.p50, 0.5) && within(goal.p95, 0.95) && within(goal.p99, 0.99);
}

void print_head() {
  fmt::print("{:<46} {:>8} {:>8} {:>8} {:>8} {:>5}  {:<17} {}\n", "milliseconds", "p50", "p95", "p99", "max",
             "n", "goal", "met");
}

void print(std::string_view what, const Samples& samples, const Goal& goal = {}) {
  if (samples.empty()) return fmt::print("{:<46} no samples\n", what);
  const std::string wanted = text_of(goal);
  fmt::print("{:<46} {:8.2f} {:8.2f} {:8.2f} {:8.2f} {:5}  {:<17} {}\n", what, samples.percentile(0.5),
             samples.percentile(0.95), samples.percentile(0.99), samples.percentile(1), samples.size(),
             wanted,
             wanted.empty()          ? ""
             : is_met(goal, samples) ? "yes"
                                     : "NO");
  std::fflush(stdout);
}

// How busy the machine is with this and with all else.
void print_load() {
  std::array<double, 1> load{};
  if (getloadavg(load.data(), 1) == 1)
    fmt::print("load {:.1f} on {} cores\n", load[0], std::thread::hardware_concurrency());
}

// Stops the benchmark where the window cannot be drawn at all.
template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "{}\n", to_line(result.error()));
  _exit(2);  // not exit: workers may still be at work
}

// What a frame took, in seconds: the window's thread before OpenGL and in it, then what OpenGL did elsewhere.
struct FrameParts {
  double own = 0, renderer = 0, pixels = 0;
};

FrameParts draw(Stage& stage) {
  FrameParts parts;
  double before = thread_cpu();
  must(stage.compose_frame());
  parts.own = thread_cpu() - before;
  before = thread_cpu();
  stage.submit_frame();
  parts.renderer = thread_cpu() - before;
  before = now();
  stage.finish();
  parts.pixels = now() - before;
  return parts;
}

// As the loop of the window does: a frame where something is new, and at most sixty a second for the spinner.
// Answers what its last frame took.
template <class Ready>
FrameParts frames_until(Stage& stage, Ready ready) {
  FrameParts last;
  double drawn = now();
  while (true) {
    const bool changed = stage.model().update();
    if (changed || (stage.interface().is_moving() && now() - drawn > 1.0 / 60)) {
      drawn = now();
      last = draw(stage);
    }
    if (ready()) return last;
    if (!changed) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

bool is_on_screen(const Stage& stage) { return stage.model().is_current(); }
bool is_complete(const Stage& stage) {
  return stage.model().error() || (is_on_screen(stage) && !stage.model().busy_seconds());
}

struct SliderTimes {
  Samples picture, whole, cpu, own, drawing;
};

void move_slider(Stage& stage, const std::string& name, std::int64_t value, SliderTimes& times) {
  stage.finish();  // frames of before, which no display paced, are not part of it
  const double begin = now(), cpu = own_cpu();
  stage.model().set_parameter(name, value);
  const FrameParts last = frames_until(stage, [&] { return is_on_screen(stage) || stage.model().error(); });
  if (stage.model().error()) return;
  const double took = now() - begin;
  times.picture.add(took);
  times.drawing.add(last.renderer + last.pixels);
  times.own.add(std::max(0.0, took - last.renderer - last.pixels));
  times.cpu.add(own_cpu() - cpu);
  frames_until(stage, [&] { return is_complete(stage); });
  times.whole.add(now() - begin);
}

void wait_for_ahead(Stage& stage) {
  frames_until(stage, [&] { return !stage.model().is_working_ahead(); });
}

// Each slider through its legal values and back to where it stood.
template <class Pause>
void sweep(Stage& stage, SliderTimes& times, Pause pause) {
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
}

State state_of(const std::string& kernel, std::int64_t size) {
  State state;
  state.kernel = kernel;
  state.size = {{"M", size}, {"N", size}, {"K", size}};
  return state;
}

std::unique_ptr<Stage> open(const State& state, const std::string& cache) {
  return must(Stage::open({.home = source_path(), .cache = cache}, state, {.gives_way = true}));
}

constexpr Goal goal_of_a_picture{.p50 = 60, .p95 = 150}, goal_of_a_cached{.p99 = 5},
    goal_of_a_frame{.p99 = 4};

// One stage for all, so that the bars of the ladder are measured once.
std::unique_ptr<Stage> open_at_512(const std::vector<std::string>& kernels, const TestFolder& scratch) {
  auto stage = open(state_of(kernels.front(), 512), (scratch / "cache").string());
  must(stage->settle(600));
  return stage;
}

void choose(Stage& stage, const std::string& kernel) {
  stage.model().choose_kernel(kernel);
  must(stage.settle(600));
}

std::string short_name(const std::string& kernel) { return fs::path(kernel).filename().string(); }

void measure_sliders(const std::vector<std::string>& kernels) {
  const TestFolder scratch;
  const auto stage = open_at_512(kernels, scratch);
  SliderTimes again, rested;
  Samples all;
  for (const std::string& kernel : kernels) {
    choose(*stage, kernel);
    SliderTimes fresh;
    sweep(*stage, fresh, [] {});
    all.add(fresh.picture);
    const std::string name = short_name(kernel);
    print(name + ": slider to picture", fresh.picture, goal_of_a_picture);
    print(name + ":   CPU of all threads until then", fresh.cpu);
    print(name + ": slider to all numbers", fresh.whole);
    sweep(*stage, again, [] {});
    wait_for_ahead(*stage);
    sweep(*stage, rested, [&] { wait_for_ahead(*stage); });
  }
  if (kernels.size() > 1) print("all of these: slider to picture", all, goal_of_a_picture);
  const auto print_cached = [](const std::string& what, const SliderTimes& times) {
    print(what + ": slider to picture", times.picture, goal_of_a_cached);
    print(what + ":   without the renderer", times.own, goal_of_a_cached);
    print(what + ":   renderer and pixels", times.drawing);
  };
  print_cached("seen before", again);
  print_cached("seen before, rested", rested);
}

void measure_rested_sliders(const std::vector<std::string>& kernels) {
  const TestFolder scratch;
  const auto stage = open_at_512(kernels, scratch);
  for (const std::string& kernel : kernels) {
    choose(*stage, kernel);
    SliderTimes fresh;
    sweep(*stage, fresh, [&] { wait_for_ahead(*stage); });
    print(short_name(kernel) + " after a rest: slider to picture", fresh.picture, goal_of_a_picture);
  }
}

void measure_old_chip() {
  const TestFolder scratch;
  const auto stage = open_at_512({"matmul/01_naive"}, scratch);
  wait_for_ahead(*stage);
  Samples picture, all, cpu;
  const double begin = now(), cpu_before = own_cpu();
  stage->model().choose_device("1.0");
  frames_until(*stage, [&] { return is_on_screen(*stage) || stage->model().error(); });
  picture.add(now() - begin);
  frames_until(*stage, [&] { return is_complete(*stage); });
  wait_for_ahead(*stage);
  all.add(now() - begin);
  cpu.add(own_cpu() - cpu_before);
  print("old chip: choice to picture", picture);
  print("old chip: choice to all bars and sliders", all);
  print("old chip:   CPU of all threads until then", cpu);
}

constexpr int frames_measured = 200;

// Frames with what `change` does before each: those after the first, whose picture may be another.
template <class Change>
void measure_frame(Stage& stage, const std::string& what, Change change) {
  Samples sum, renderer, pixels;
  change(0);
  must(stage.frame());
  for (int i = 1; i <= frames_measured; ++i) {
    change(i);
    const double before = thread_cpu();
    stage.model().update();
    const double update = thread_cpu() - before;
    const FrameParts parts = draw(stage);
    sum.add(update + parts.own + parts.renderer), renderer.add(parts.renderer), pixels.add(parts.pixels);
  }
  print(what, sum, goal_of_a_frame);
  print("  of it the renderer", renderer);
  print("  pixels, on other threads", pixels);
}

void measure_frames() {
  const TestFolder scratch;
  State state = state_of("matmul/01_naive", 64);
  state.size["K"] = 16'384;  // block 0 has 32 warps, and each of them loads K elements of A and of B
  const auto stage = open(state, (scratch / "cache").string());
  must(stage->settle(600));
  Model& model = stage->model();
  fmt::print("{} accesses are loaded\n", model.run()->trace->events());
  const auto accesses = static_cast<int>(model.events().size());
  const auto scrub = [&](int i) {
    model.state.selection.step = static_cast<std::uint32_t>((std::int64_t{i} * 7919) % accesses);
  };
  for (const char* figure : {"access", "coalescing", "banks", "bank-map", "occupancy"}) {
    model.state.view.figure = figure;
    must(stage->settle(600));
    measure_frame(*stage, fmt::format("{}: frame while scrubbing", figure), scrub);
    measure_frame(*stage, fmt::format("{}: frame at rest", figure), [](int) {});
  }
}

void measure_compare(Stage& stage) {
  State& state = stage.model().state;
  state.view.page = Page::compare;
  state.compare.left = {"matmul/01_naive", {}};
  state.compare.right = {"matmul/05_register_2d", {}};
  for (const char* figure : {"access", "coalescing", "banks", "bank-map"}) {
    state.compare.figure = figure;
    must(stage.settle(600));
    const auto accesses = static_cast<std::int64_t>(stage.interface().tools().comparison.steps());
    const auto scrub = [&](int i) {
      state.compare.step = static_cast<std::uint32_t>((std::int64_t{i} * 7919) % accesses);
    };
    measure_frame(stage, fmt::format("compare, {}: frame while scrubbing", figure), scrub);
  }
}

// The picture of an edit is in the frame that follows it.
void measure_playground(Stage& stage) {
  State& state = stage.model().state;
  state.view.page = Page::playground;
  must(stage.settle(600));
  const auto drag = [&](int i) { set_stride(state.playground, i % 64); };
  measure_frame(stage, "playground: frame with a new stride", drag);
  const auto type = [&](int i) { state.playground.index = fmt::format("(lane%{})*{}", 1 + i % 32, i % 65); };
  measure_frame(stage, "playground: frame with a new index", type);
}

void measure_palette(Stage& stage) {
  stage.interface().tools().palette.open();
  must(stage.frame());
  must(stage.type("tile"));
  measure_frame(stage, "palette: frame while searching", [](int) {});
}

void measure_pages() {
  const TestFolder scratch;
  const auto stage = open(state_of("matmul/03_shared_tile", 256), (scratch / "cache").string());
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
  const TestFolder scratch;
  const std::string cache = (scratch / "cache").string();
  start_child(cache);  // fills the caches: of compiled kernels, of shaders, of the file system
  Samples frame, picture, cpu;
  for (int i = 0; i < 11; ++i) {
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
  print("start to the first frame", frame, {.p50 = 300});
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
  std::vector<std::string> wanted = words;
  const auto wants = [&](const char* name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  std::vector<std::string> kernels;
  std::copy_if(words.begin(), words.end(), std::back_inserter(kernels),
               [](const std::string& word) { return word.find('/') != std::string::npos; });
  if (kernels.empty())
    kernels = {"matmul/01_naive", "matmul/02_coalesced", "matmul/03_shared_tile", "matmul/04_register_1d",
               "matmul/05_register_2d"};
  else if (words.size() == kernels.size())
    wanted = {"sliders"};
  print_load();
  print_head();
  if (wants("start")) measure_start();
  if (wants("frames")) measure_frames();
  if (wants("pages")) measure_pages();
  if (wants("sliders")) measure_sliders(kernels);
  if (wants("rested") && !wanted.empty()) measure_rested_sliders(kernels);
  if (wants("chips") && !wanted.empty()) measure_old_chip();
  print_load();
}
