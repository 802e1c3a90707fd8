// How quick the window is, drawn off screen at 1600x900: percentiles in milliseconds beside the goals.
//
//   window_benchmark [start] [frames] [motion] [idle] [stops] [sliders] [editing] [KERNEL ...]
//   all where nothing is named
//
// start:   from the start of the process to its first frame.
// frames:  one frame where a trace has a million accesses, of the comparison and of the playground: what the
//          window's thread does before OpenGL, and all until the pixels are there.
// motion:  one frame while pictures move into the next, and packets flow, at 1280x720.
// idle:    what the open window takes of a core while nothing happens. On a display: xvfb-run, for example.
// stops:   from the key that turns a stop of a lesson to the whole picture of the next one, on stage at
//          1280x720; at each a teacher talks until the window is idle, at most 5 s.
// sliders: from a moved slider to the new, correct picture, to a speed of its values (about so much until it is
//          predicted), and to the predicted one, at values never seen before and 512^3: of the steps named, or of the
//          first five. Once as fast as the window can, once with a look of a second at each value.
// editing: from a keystroke in the editor to the picture of the new text, and to an error's mark, at 64^3.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/base/compiler_options.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/pages/playground/playground_model.hpp"
#include "app/window/testing/driven_stage.hpp"
#include "app/window/testing/samples.hpp"
#include "app/window/window_commands.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"

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

// What a frame took, in seconds: the window's thread before OpenGL, and all until its pixels are there.
struct FrameTimes {
  double thread = 0, whole = 0;
};

FrameTimes draw(Stage& stage) {
  const double begin = now(), before = thread_cpu();
  stage.model().update();
  must(stage.compose_frame());
  const double thread = thread_cpu() - before;
  stage.submit_frame();
  stage.finish();
  return {thread, now() - begin};
}

// As the loop of the window does: a frame where something is new, and at most sixty a second for the spinner.
template <class Ready>
void frames_until(Stage& stage, Ready ready) {
  double drawn = now();
  while (true) {
    const bool changed = stage.model().update();
    if (changed || (stage.interface().is_moving() && now() - drawn > 1.0 / 60)) {
      drawn = now();
      draw(stage);
    }
    if (ready()) return;
    if (!changed) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

bool is_on_screen(const Stage& stage) { return stage.model().is_current(); }
bool is_complete(const Stage& stage) {
  return stage.model().error() || (is_on_screen(stage) && !stage.model().busy_seconds());
}

// Of the values that are set: the page forgets the speed of others in its next frame.
const std::optional<OneSpeed>& speed_of(Stage& stage) {
  draw(stage);
  return stage.interface().pages().get<LadderPage>().speed().now();
}

struct Moves {
  Samples pictures, speeds, predicted;
  Samples off;  // by how much of the predicted speed the first one was off; thousandths
  void add(const Moves& more) {
    pictures.add(more.pictures), speeds.add(more.speeds), predicted.add(more.predicted), off.add(more.off);
  }
};

void move_slider(Stage& stage, const std::string& name, std::int64_t value, Moves& moves) {
  stage.finish();  // frames of before, which no display paced, are not part of it
  const double begin = now();
  std::optional<double> first, exact;
  const auto look = [&] {
    const auto& speed = speed_of(stage);
    if (!speed || speed->before) return;
    if (!first) first = speed->value, moves.speeds.add(now() - begin);
    if (!exact && !speed->is_about) exact = speed->value, moves.predicted.add(now() - begin);
  };
  stage.model().set_parameter(name, value);
  look();
  frames_until(stage, [&] { return is_on_screen(stage) || stage.model().error(); });
  if (stage.model().error()) return;
  moves.pictures.add(now() - begin);
  if (!exact) frames_until(stage, [&] { return look(), exact || now() - begin > 10; });
  frames_until(stage, [&] { return is_complete(stage) && !stage.interface().is_busy(); });
  if (const auto& last = speed_of(stage); first && last) moves.off.add(std::abs(*first / last->value - 1));
}

// What somebody sees of a value before the next: a second, in which others are predicted.
void look_at(Stage& stage) {
  const double begin = now();
  frames_until(stage, [&] { return now() - begin > 1; });
}

// Each slider through its legal values and back to where it stood.
void sweep(Stage& stage, Moves& moves, bool looks) {
  const std::vector<Slider> sliders = stage.model().sliders();
  for (const Slider& slider : sliders) {
    std::vector<std::int64_t> values;
    for (const auto& choice : slider.choices) {
      if (choice.valid && choice.value != slider.value) values.push_back(choice.value);
    }
    values.push_back(slider.value);
    for (const std::int64_t value : values) {
      if (looks) look_at(stage);
      move_slider(stage, slider.parameter.name, value, moves);
    }
  }
}

State state_of(const std::string& kernel, std::int64_t size) {
  State state;
  state.kernel = kernel;
  state.size = {{"M", size}, {"N", size}, {"K", size}};
  return state;
}

std::unique_ptr<DrivenStage> open(const State& state, const std::string& cache) {
  return must(Stage::open<DrivenStage>({.home = source_path(), .cache = cache}, state, {.gives_way = true}));
}

std::string short_name(const std::string& kernel) { return fs::path(kernel).filename().string(); }

// One stage for all, so that the bars of the ladder are measured once.
void measure_sliders(const std::vector<std::string>& kernels, bool looks) {
  constexpr Goal goal{.p50 = 60, .p95 = 150};
  const TestFolder scratch;
  const auto stage = open(state_of(kernels.front(), 512), (scratch / "cache").string());
  must(stage->settle(600));
  Moves all;
  for (const std::string& kernel : kernels) {
    stage->model().choose_kernel(kernel);
    must(stage->settle(600));
    Moves moves;
    sweep(*stage, moves, looks);
    all.add(moves);
    print(short_name(kernel) + ": slider to picture", moves.pictures, goal);
  }
  if (kernels.size() > 1) print("all of these: slider to picture", all.pictures, goal);
  print("all of these: slider to a speed", all.speeds, {.p95 = 100});
  print("all of these: slider to its prediction", all.predicted);
  print("all of these: the first speed is off, thousandths", all.off);
}

bool is_idle(Stage& stage) { return is_complete(stage) && !stage.interface().is_busy(); }

// A stop is there with its picture, at the access that it names, and with all else that is computed for it.
double turn_stop(DrivenStage& stage, LessonPlayer& player) {
  stage.finish();
  const double begin = now();
  player.go_to(player.stop() + 1);
  draw(stage);
  frames_until(stage, [&] { return is_idle(stage); });
  draw(stage);
  return now() - begin;
}

// A teacher talks: until nothing is left to do for this stop or the next ones, at most so long.
constexpr double kTalk = 5;  // seconds
void talk(DrivenStage& stage) {
  const double end = now() + kTalk;
  const LessonPlayer& player = stage.interface().lessons();
  const auto is_at_rest = [&] {
    return is_idle(stage) && !stage.model().ladder_traffic().is_busy() && !player.is_ahead_busy();
  };
  do {
    frames_until(stage, [&] { return is_at_rest() || now() > end; });
    draw(stage);  // which begins what may begin now
  } while (!is_at_rest() && now() < end);
}

struct Turn {
  double seconds = 0;
  std::string to;  // lesson and heading
};

void print_slowest(std::vector<Turn> turns) {
  std::ranges::sort(turns, std::greater(), &Turn::seconds);
  turns.resize(std::min<std::size_t>(turns.size(), 8));
  for (const Turn& turn : turns) fmt::print("  slow: {:8.0f} ms  {}\n", 1e3 * turn.seconds, turn.to);
}

void measure_stops() {
  constexpr Goal goal{.p50 = 150, .p95 = 500};
  const TestFolder scratch;
  State state = state_of("matmul/01_naive", 64);
  state.view.width = 1280, state.view.height = 720;
  state.view.presenter = true;
  const auto stage = open(state, (scratch / "cache").string());
  LessonPlayer& player = stage->interface().lessons();
  fmt::print(
      "at each stop a teacher talks until nothing is left to do for it and the next, at most {:.0f} s\n",
      kTalk);
  Samples all;
  std::vector<Turn> turns;
  for (const LessonEntry& lesson : std::vector<LessonEntry>(player.all())) {
    const std::string& name = lesson.name;
    must(player.open(name));
    must(stage->settle(600));
    Samples times;
    while (player.stop() + 1 < player.lesson().stops.size()) {
      talk(*stage);
      const double took = turn_stop(*stage, player);
      times.add(took);
      turns.push_back({took, fmt::format("{}, stop {}: {}", name, player.stop() + 1, player.here().heading)});
    }
    print(name + ": stop to stop", times, goal);
    all.add(times);
  }
  print("all of these: stop to stop", all, goal);
  print_slowest(std::move(turns));
}

// Of all frames that were measured.
struct Frames {
  Samples thread, whole;
  void add(const FrameTimes& times) { thread.add(times.thread), whole.add(times.whole); }
  void add(const Frames& more) { thread.add(more.thread), whole.add(more.whole); }
  void print_as(const std::string& what) const {
    print(what + ": window's thread", thread, {.p99 = 4});
    print(what + ": whole frame", whole, {.p50 = 25});
  }
};

// Frames with what `change` does before each: those after the first, whose picture may be another.
template <class Change>
void measure_frames(Stage& stage, const std::string& what, Frames& all, Change change) {
  constexpr int count = 200;
  Frames frames;
  change(0);
  must(stage.frame());
  for (int i = 1; i <= count; ++i) {
    change(i);
    frames.add(draw(stage));
  }
  frames.print_as(what);
  all.add(frames);
}

// Other accesses, far from each other.
std::uint32_t place(int i, std::size_t accesses) {
  return static_cast<std::uint32_t>((static_cast<std::size_t>(i) * 7919) % accesses);
}

void measure_ladder(Frames& all) {
  const TestFolder scratch;
  State state = state_of("matmul/01_naive", 64);
  state.size["K"] = 16'384;  // block 0 has 32 warps, and each of them loads K elements of A and of B
  const auto stage = open(state, (scratch / "cache").string());
  must(stage->settle(600));
  Model& model = stage->model();
  fmt::print("{} accesses are loaded\n", model.run()->trace->events());
  const std::size_t accesses = model.events().size();
  const auto scrub = [&](int i) { model.state.selection.step = place(i, accesses); };
  for (const char* figure : {"access", "coalescing", "banks", "bank-map", "occupancy"}) {
    model.state.view.figure = figure;
    must(stage->settle(600));
    measure_frames(*stage, fmt::format("{}, scrubbing", figure), all, scrub);
  }
  model.state.view.figure = "access";
  must(stage->settle(600));
  const Rect figure = must(stage->find("figure"));
  measure_frames(*stage, "access, hovering", all, [&](int i) {
    const double x = figure.x + figure.width * (i % 97) / 97, y = figure.y + figure.height * (i % 31) / 31;
    compat::set_mouse(ImGui::GetIO(), static_cast<float>(x), static_cast<float>(y), false);
  });
}

void measure_pages(Frames& all) {
  const TestFolder scratch;
  const auto stage = open(state_of("matmul/03_shared_tile", 256), (scratch / "cache").string());
  State& state = stage->model().state;
  state.view.page = Page::compare;
  state.compare.left = {"matmul/01_naive", {}};
  state.compare.right = {"matmul/05_register_2d", {}};
  must(stage->settle(600));
  const std::size_t accesses = stage->interface().pages().get<ComparePage>().comparison().steps();
  measure_frames(*stage, "comparison, scrubbing", all,
                 [&](int i) { state.compare.step = place(i, accesses); });
  state.view.page = Page::playground;
  must(stage->settle(600));
  measure_frames(*stage, "playground, new strides", all,
                 [&](int i) { set_stride(state.playground, i % 64); });
}

void measure_frames() {
  Frames all;
  measure_ladder(all);
  measure_pages(all);
  all.print_as("all of these");
}

// Pictures on their way to the next, in the smallest window that the layout is made for: 25 frames a second
// are 40 ms a frame.
void measure_motion() {
  const TestFolder scratch;
  State state = state_of("matmul/01_naive", 512);
  state.view.width = 1280, state.view.height = 720;
  const auto stage = open(state, (scratch / "cache").string());
  stage->interface().allow_motion();
  Model& model = stage->model();
  for (const char* figure : {"access", "coalescing", "banks", "flow"}) {
    model.choose_kernel(std::string_view(figure) == "banks" ? "matmul/03_shared_tile" : "matmul/01_naive");
    model.state.view.figure = figure;
    must(stage->settle(600));
    Frames frames;
    const bool is_flow = std::string_view(figure) == "flow";
    if (is_flow) must(stage->click("flow/play"));
    for (int i = 0; i < 200; ++i) {
      // A new access before the one before has come to rest.
      if (!is_flow && i % 5 == 0) model.state.selection.step = static_cast<std::uint32_t>(i / 5 % 2 + 26);
      frames.add(draw(*stage));
    }
    frames.print_as(fmt::format("{}, moving", figure));
    fmt::print("{:<46} {:8.0f} frames a second; goal 25 by llvmpipe, 60 by a GPU\n", "",
               1e3 / frames.whole.percentile(0.5));
  }
}

// A key, in the frame that comes with it.
void press_key(Stage& stage, const char* characters) {
  ImGui::GetIO().AddInputCharactersUTF8(characters);
  draw(stage);
}

// In a comment: another text each time, which no cache has, and the same kernel.
void type_into(Stage& stage, EditSession& session, Samples& pictures, Samples& errors) {
  for (int i = 0; i < 20; ++i) {
    const auto is_shown = [&] {
      const run::Run* run = stage.model().run();
      return run != nullptr && is_on_screen(stage) && run->plan().spec.code == session.editor().text();
    };
    stage.finish();
    const double begin = now();
    press_key(stage, "x");
    frames_until(stage, is_shown);
    pictures.add(now() - begin);
    must(stage.settle(600));
  }
  TextEditor& editor = session.editor();
  for (int i = 0; i < 20; ++i) {
    editor.put_cursor({editor.buffer().line_count() - 1, 0});
    stage.finish();
    const double begin = now();
    press_key(stage, i % 2 == 0 ? "}" : ")");
    const auto has_error = [&] {
      return std::ranges::any_of(session.marks(), [](const LineMark& mark) { return mark.line > 0; });
    };
    frames_until(stage, has_error);
    errors.add(now() - begin);
    editor.undo();
    must(stage.settle(600));
  }
}

// Frames of 5,000 lines: gone through by pages, and with a new character each.
void measure_long_text() {
  const TestFolder scratch;
  State state = state_of("matmul/01_naive", 64);
  state.view.page = Page::edit;
  const auto stage = open(state, (scratch / "cache").string());
  TextEditor& editor = stage->interface().pages().get<EditPage>().session().editor();
  std::string line = "// const float sum = A[row * K + k] * B[k * N + column];\n", text;
  for (int i = 0; i < 5000; ++i) text += line;
  must(stage->settle(600));
  editor.put_cursor(editor.buffer().end());
  editor.paste(text);
  stage->interface().pages().get<EditPage>().view().focus();
  must(stage->settle(600));
  Frames frames;
  measure_frames(*stage, "editor of 5,000 lines, scrolling", frames, [&](int i) {
    editor.put_cursor({(i * 37) % editor.buffer().line_count(), 0});
  });
  measure_frames(*stage, "editor of 5,000 lines, typing", frames, [&](int) { editor.type("x"); });
}

// with_worker: what is typed is compiled by another process first, as it is in the program's window.
void measure_editing(bool with_worker) {
  constexpr Goal picture{.p50 = 250}, error{.p95 = 150};
  Samples pictures, errors;
  for (const char* kernel : {"matmul/01_naive", "matmul/03_shared_tile", "transpose/01_naive"}) {
    const TestFolder scratch;
    State state = state_of(kernel, 64);
    state.view.page = Page::edit;
    const auto stage = open(state, (scratch / "cache").string());
    EditPage& page = stage->interface().pages().get<EditPage>();
    page.session().keep_in(scratch / "data");
    Environment environment;
    environment.executable = fs::read_symlink("/proc/self/exe").parent_path() / "warplens";
    if (with_worker)
      page.session().compile_with(
          compile_worker_words(environment, {.home = "", .cache = (scratch / "cache").string()}));
    must(stage->settle(600));
    TextEditor& editor = page.session().editor();
    const std::string text = editor.text();
    const auto comment =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\n//") + 1), '\n');
    page.view().show(static_cast<int>(comment) + 1);
    must(stage->settle(600));
    editor.move(TextMove::line_end);
    type_into(*stage, page.session(), pictures, errors);
  }
  if (with_worker) measure_long_text();
  const std::string how = with_worker ? "" : " (no worker)";
  print("editing: keystroke to picture" + how, pictures, picture);
  print("editing: keystroke to error" + how, errors, error);
}

// This program once more, as a child that does something else.
pid_t start_child(std::vector<std::string> words) {
  words.insert(words.begin(), "window_benchmark");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  execv("/proc/self/exe", arguments.data());
  _exit(127);
}

// A child: seconds from `begin` to the window's first frame, to a pipe.
int show_first_frame(double begin, int pipe, const std::string& cache) {
  const auto stage = open(state_of("matmul/01_naive", 512), cache);
  must(stage->frame());
  stage->finish();
  const double took = now() - begin;
  const bool told = write(pipe, &took, sizeof took) == static_cast<ssize_t>(sizeof took);
  _exit(told ? 0 : 1);  // without waiting for the background's work
}

double seconds_to_first_frame(const std::string& cache) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(2);
  const pid_t child =
      start_child({"--first-frame", fmt::format("{:.9f}", now()), std::to_string(ends[1]), cache});
  close(ends[1]);
  double took = 0;
  const bool told = read(ends[0], &took, sizeof took) == static_cast<ssize_t>(sizeof took);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!told) std::exit(2);
  return took;
}

void measure_start() {
  const TestFolder scratch;
  const std::string cache = (scratch / "cache").string();
  seconds_to_first_frame(cache);  // fills the caches: of compiled kernels, of shaders, of the file system
  Samples frame;
  for (int i = 0; i < 11; ++i) frame.add(seconds_to_first_frame(cache));
  print("start to the first frame", frame, {.p50 = 400});
}

// A child: the window on a display, until it is ended.
int open_window(const std::string& state, const std::string& cache) {
  CommonOptions common{.home = source_path(), .cache = cache};
  must(window_command(common, {.state = state}));
  return 0;
}

// Of a process, in seconds: fields 14 and 15 of its stat (proc(5)), of which the second is a name in
// parentheses.
double cpu_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text((std::istreambuf_iterator<char>(file)), {}), word;
  std::istringstream fields(text.substr(std::min(text.rfind(')'), text.size())));
  double ticks = 0;
  for (int field = 2; fields >> word; ++field)
    if (field == 14 || field == 15) ticks += std::stod(word);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Percent of a core, once the work in the background is over.
void measure_idle() {
  if (std::getenv("DISPLAY") == nullptr) return fmt::print("idle: there is no display\n");
  const TestFolder scratch;
  const std::string file = (scratch / "state.toml").string();
  must(write_state(file, state_of("matmul/01_naive", 512)));
  const pid_t window = start_child({"--window", file, (scratch / "cache").string()});
  const auto share_in = [&](int seconds) {
    const double before = cpu_of(window), begin = now();
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    return 100 * (cpu_of(window) - before) / (now() - begin);
  };
  std::this_thread::sleep_for(std::chrono::seconds(3));
  for (int tries = 0; tries < 120 && share_in(2) > 10;) ++tries;
  const double share = share_in(10);
  const bool lives = waitpid(window, nullptr, WNOHANG) == 0;
  kill(window, SIGKILL);
  waitpid(window, nullptr, 0);
  if (!lives) return fmt::print("idle: the window did not open\n");
  fmt::print("{:<46} {:8.2f} % of a core, goal 2 %  {}\n", "idle window", share, share < 2 ? "yes" : "NO");
}

}  // namespace
}  // namespace warplens::app

int main(int argc, char** argv) {
  using namespace warplens::app;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "--first-frame")
    return show_first_frame(std::stod(words[1]), std::stoi(words[2]), words[3]);
  if (words.size() == 3 && words[0] == "--window") return open_window(words[1], words[2]);
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
  if (wants("motion")) measure_motion();
  if (wants("idle")) measure_idle();
  if (wants("stops")) measure_stops();
  if (wants("editing")) measure_editing(true), measure_editing(false);
  if (wants("sliders")) measure_sliders(kernels, false), measure_sliders(kernels, true);
  print_load();
}
