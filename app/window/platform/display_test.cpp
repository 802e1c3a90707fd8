// The program as its users have it: a window on a display, a mouse and a keyboard. Everything else about the
// window is tested off screen (window_test.cpp); this is for what stands between: GLFW, the loop, the files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "app/testing/child_process.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

void pause(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

bool has_program(const std::string& name) {
  return run_child({"/bin/sh", "-c", "command -v " + name}).exit_code == 0;
}

// A process that is ended with the object, if it did not end before.
class WindowProcess {
 public:
  WindowProcess(std::vector<std::string> words, const fs::path& folder,
                const std::map<std::string, std::string>& environment) {
    child_ = fork();
    if (child_ != 0) return;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execvp(arguments[0], arguments.data());
    _exit(127);
  }
  WindowProcess(const WindowProcess&) = delete;
  WindowProcess& operator=(const WindowProcess&) = delete;
  ~WindowProcess() {
    if (child_ <= 0 || wait_for_end(0s)) return;
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }

  void send_signal(int number) { kill(child_, number); }
  // Ticks of processor time so far (proc(5), fields 14 and 15 of stat).
  long ticks() const {
    std::ifstream file("/proc/" + std::to_string(child_) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(std::min(line.rfind(')') + 2, line.size())));
    std::string skipped;
    for (int i = 3; i < 14; ++i) fields >> skipped;
    long user = 0, system = 0;
    fields >> user >> system;
    return user + system;
  }
  // Its exit code, or empty if it still runs.
  std::optional<int> wait_for_end(std::chrono::seconds wait) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (!code_) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_)
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      else if (std::chrono::steady_clock::now() >= end)
        break;
      else
        pause(5ms);
    }
    return code_;
  }

 private:
  pid_t child_ = -1;
  std::optional<int> code_;
};

// A display in memory, with a number that nobody else has.
class Display {
 public:
  explicit Display(const fs::path& folder) {
    int ends[2];
    if (pipe2(ends, 0) != 0) return;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    server_ = std::make_unique<WindowProcess>(
        std::vector<std::string>{"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1280x720x24",
                                 "-nolisten", "tcp"},
        folder, std::map<std::string, std::string>{});
    close(ends[1]);
    name_ = read_name(ends[0]);
    close(ends[0]);
  }
  const std::string& name() const { return name_; }  // empty where it did not start

 private:
  // The server writes number and line end one after the other, and ends where nobody reads the second.
  static std::string read_name(int end) {
    std::string name = ":";
    pollfd what{end, POLLIN, 0};
    for (char c = 0; poll(&what, 1, 60'000) == 1 && read(end, &c, 1) == 1;) {
      if (c == '\n') return name;
      name += c;
    }
    return "";
  }

  std::unique_ptr<WindowProcess> server_;
  std::string name_;
};

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class DisplayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* needed : {"Xvfb", "xdotool"}) {
      if (!has_program(needed)) GTEST_SKIP() << needed << " is not installed (Debian packages xvfb, xdotool)";
    }
    if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
    display_ = std::make_unique<Display>(folder_.path());
    ASSERT_FALSE(display_->name().empty()) << "Xvfb did not start";
  }
  void TearDown() override {
    program_.reset();
    display_.reset();
  }

  // The program, and the same window off screen: it says where things stand and what should come of the
  // input.
  void start(const State& state, std::map<std::string, std::string> more = {}) {
    ASSERT_TRUE(write_state(remembered(), state));
    auto stage =
        Stage::open<DrivenStage>({.home = source_path(), .cache = (folder_ / "cache").string()}, state);
    ASSERT_TRUE(stage) << to_line(stage.error());
    twin_ = *std::move(stage);
    ASSERT_TRUE(twin_->settle());
    launch(std::move(more));
  }
  void launch(std::map<std::string, std::string> more = {}) {
    more.merge(
        std::map<std::string, std::string>{{"DISPLAY", display_->name()},
                                           {"WAYLAND_DISPLAY", ""},
                                           // Mesa's leaks have no name once its libraries are unloaded:
                                           // they are looked for in window_test, which keeps them.
                                           {"ASAN_OPTIONS", "detect_leaks=0"},
                                           {"XDG_CONFIG_HOME", (folder_ / "config").string()}});
    program_ = std::make_unique<WindowProcess>(
        std::vector<std::string>{program_path("warplens"), "--home", source_path(), "--cache",
                                 (folder_ / "cache").string()},
        folder_.path(), more);
    const auto found = input({"search", "--sync", "--onlyvisible", "--name", "^Warplens$"});
    ASSERT_EQ(found.exit_code, 0) << found.err;
    // There is no window manager that would do this.
    ASSERT_EQ(input({"windowfocus", found.out.substr(0, found.out.find('\n'))}).exit_code, 0);
  }
  // Where a window keeps its state while it is open; and whether some state there has these words.
  fs::path kept() const { return folder_ / "config" / "warplens" / "open"; }
  bool is_kept(const std::string& words) const {
    for (const auto& entry : fs::directory_iterator(kept()))
      if (bytes_of(entry.path()).find(words) != std::string::npos) return true;
    return false;
  }
  fs::path remembered() const { return folder_ / "config" / "warplens" / "window.toml"; }
  State& expected() { return twin_->model().state; }

  ChildResult input(std::vector<std::string> words) {
    words.insert(words.begin(), {"/usr/bin/env", "xdotool"});
    return run_child(words, {{"DISPLAY", display_->name()}});
  }
  void move_to(double x, double y) {
    input({"mousemove", std::to_string(std::lround(x)), std::to_string(std::lround(y))});
    pause(60ms);
  }
  // Presses at `from` and releases at `to`, shares of the thing's width, on both windows.
  void drag(const std::string& mark, double from, double to) {
    const auto rect = twin_->find(mark);
    ASSERT_TRUE(rect) << mark;
    const double y = rect->center().y;
    move_to(rect->x + from * rect->width, y);
    input({"mousedown", "1"});
    pause(60ms);
    move_to(rect->x + to * rect->width, y);
    input({"mouseup", "1"});
  }
  void press(const std::string& key) {
    input({"keydown", key});
    pause(60ms);
    input({"keyup", key});
  }
  // What the window's state is now: it is asked to save it.
  std::optional<State> saved() {
    const fs::path file = folder_ / "warplens-state.toml";
    fs::remove(file);
    for (int tries = 0; tries < 10; ++tries) {
      press("ctrl+s");
      for (int i = 0; i < 200 && !fs::exists(file); ++i) pause(10ms);
      if (!fs::exists(file)) continue;
      if (const auto state = read_state(file)) return *state;
    }
    return std::nullopt;
  }
  // A busy computer may miss a key that is let go too soon, as anybody's window does: then it is pressed
  // again.
  void until(const char* what, const std::function<void()>& act,
             const std::function<bool(const State&)>& done) {
    for (int tries = 0; tries < 10; ++tries) {
      act();
      const auto state = saved();
      ASSERT_TRUE(state) << what << ": the window does not save its state";
      if (done(*state)) return;
    }
    FAIL() << what << " had no effect";
  }

  TestFolder folder_;
  std::unique_ptr<Display> display_;
  std::unique_ptr<WindowProcess> program_;
  std::unique_ptr<DrivenStage> twin_;
};

State small_window() {
  State state;
  state.size = {{"M", 64}, {"N", 64}, {"K", 64}};
  state.view.width = 1280;
  state.view.height = 720;
  return state;
}

TEST_F(DisplayTest, AWholeVisitWithMouseAndKeys) {
  start(small_window());
  if (HasFatalFailure()) return;

  until(
      "a click on a step", [&] { drag("step/matmul/03_shared_tile", 0.5, 0.5); },
      [](const State& s) { return s.kernel == "matmul/03_shared_tile"; });
  ASSERT_TRUE(twin_->click("step/matmul/03_shared_tile"));
  ASSERT_TRUE(twin_->settle());

  until(
      "dragging a slider", [&] { drag("param/TILE", 1, 0); },
      [](const State& s) { return s.params.at("TILE") == 4; });
  ASSERT_TRUE(twin_->drag("param/TILE", 1, 0));
  ASSERT_TRUE(twin_->settle());

  until(
      "scrubbing", [&] { drag("scrubber", 0, 1); }, [](const State& s) { return s.selection.step > 0; });
  ASSERT_TRUE(twin_->drag("scrubber", 0, 1));

  until(
      "the key T", [&] { press("t"); }, [](const State& s) { return !s.view.dark; });
  expected().view.dark = false;
  until(
      "the key Home", [&] { press("Home"); }, [](const State& s) { return s.selection.step == 0; });
  expected().selection.step = 0;
  until(
      "the key Page down", [&] { press("Next"); },
      [](const State& s) { return s.kernel == "matmul/04_register_1d"; });
  twin_->model().choose_step(1);
  ASSERT_TRUE(twin_->settle());

  const fs::path picture = folder_ / "matmul-04_register_1d-access.png";
  for (int tries = 0; tries < 10 && !fs::exists(picture); ++tries) {
    press("ctrl+e");
    for (int i = 0; i < 200 && !fs::exists(picture); ++i) pause(10ms);
  }
  ASSERT_TRUE(saved());  // behind the export, so that one is done

  for (int tries = 0; tries < 10 && !program_->wait_for_end(5s); ++tries) press("ctrl+q");
  ASSERT_EQ(program_->wait_for_end(60s), 0);

  const std::string png = bytes_of(picture);  // PNG specification, 5.2 and 11.2.5: how a file begins and ends
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_NE(png.find("IEND"), std::string::npos);
  EXPECT_GT(png.size(), 10'000u);
  const auto left = read_state(remembered());
  ASSERT_TRUE(left) << to_line(left.error());
  EXPECT_EQ(to_toml(*left), to_toml(expected()));
}

TEST_F(DisplayTest, AWindowThatDiedGoesOnWhereItWasByOneKey) {
  start(small_window());
  if (HasFatalFailure()) return;
  until(
      "the key Page down", [&] { press("Next"); },
      [](const State& s) { return s.kernel == "matmul/02_coalesced"; });
  for (int i = 0; i < 2000 && !is_kept("matmul/02_coalesced"); ++i) pause(10ms);
  ASSERT_TRUE(is_kept("matmul/02_coalesced"));
  program_->send_signal(SIGKILL);
  ASSERT_EQ(program_->wait_for_end(60s), 128 + SIGKILL);

  launch();
  if (HasFatalFailure()) return;
  // Its window began as the file says that the last one left.
  until(
      "the key Return", [&] { press("Return"); },
      [](const State& s) { return s.kernel == "matmul/02_coalesced"; });
  for (int tries = 0; tries < 10 && !program_->wait_for_end(5s); ++tries) press("ctrl+q");
  ASSERT_EQ(program_->wait_for_end(60s), 0);
  EXPECT_TRUE(fs::is_empty(kept()));
}

// A busy computer gives press and release at once, and late: the window must not wait for the pointer to move.
TEST_F(DisplayTest, AClickThatComesLateTakesEffectByItself) {
  start(small_window());
  if (HasFatalFailure()) return;
  const auto step = twin_->find("step/matmul/02_coalesced");
  ASSERT_TRUE(step);
  for (int i = 0; i < 2000 && !fs::exists(kept()); ++i) pause(10ms);
  move_to(step->center().x, step->center().y);
  // Until nothing moves or is computed any more, which would draw frames.
  for (int i = 0; i < 60; ++i) {
    const long before = program_->ticks();
    pause(2s);
    if (program_->ticks() - before <= 1) break;
  }
  program_->send_signal(SIGSTOP);
  input({"click", "1"});
  pause(1500ms);
  program_->send_signal(SIGCONT);
  for (int i = 0; i < 3000 && !is_kept("matmul/02_coalesced"); ++i) pause(10ms);
  EXPECT_TRUE(is_kept("matmul/02_coalesced"));
}

// ImGui's own fields know the key by what GLFW's backend tells them, so that only a display can show it.
TEST_F(DisplayTest, EnterAppliesATypedSize) {
  start(small_window());
  if (HasFatalFailure()) return;
  ASSERT_TRUE(twin_->click("size"));
  ASSERT_TRUE(twin_->settle());
  const auto type = [&] {
    drag("size", 0.5, 0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the menu opens
    drag("size/M", 0.5, 0.5);
    input({"type", "--delay", "60", "96"});
    press("Return");
    press("Escape");  // the menu closes
  };
  until("Enter behind a typed size", type, [](const State& s) { return s.size.at("M") == 96; });
}

TEST_F(DisplayTest, TheWindowIsNoLargerThanTheScreen) {
  State state = small_window();
  state.view.width = 1600;
  state.view.height = 900;
  start(state);
  if (HasFatalFailure()) return;
  const auto now = saved();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->view.width, 1280);
  EXPECT_EQ(now->view.height, 720);
}

class CopyTest : public DisplayTest {
 protected:
  void SetUp() override {
    if (!has_program("xclip")) GTEST_SKIP() << "xclip is not installed (Debian package xclip)";
    DisplayTest::SetUp();
  }
  // What Ctrl+C puts on the display's clipboard as this type: the figure as it is at that moment, which is
  // `wanted` once the window has computed all that the figure shows.
  std::string copied(const std::string& type, const std::string& wanted) {
    std::string last;
    for (int tries = 0; tries < 20 && last != wanted; ++tries) {
      press("ctrl+c");
      pause(300ms);
      const ChildResult read =
          run_child({"/usr/bin/env", "xclip", "-selection", "clipboard", "-target", type, "-out"},
                    {{"DISPLAY", display_->name()}});
      if (read.exit_code == 0) last = read.out;
    }
    return last;
  }
};

TEST_F(CopyTest, AFigureIsPastedAsThePictureOnScreen) {
  if (IsSkipped()) return;
  start(small_window());
  if (HasFatalFailure()) return;
  ASSERT_TRUE(saved());  // it draws and takes keys
  const auto png = paint::to_png(*twin_->interface().pages().get<LadderPage>().scene(), theme::dark(),
                                 twin_->interface().pages().get<LadderPage>().canvas().fonts(), 2);
  ASSERT_TRUE(png);
  const std::string wanted(png->begin(), png->end());
  EXPECT_TRUE(copied("image/png", wanted) == wanted);
}

TEST_F(CopyTest, WithoutAProgramForPicturesItIsPastedAsSvg) {
  if (IsSkipped()) return;
  start(small_window(), {{"PATH", "/nowhere"}});
  if (HasFatalFailure()) return;
  ASSERT_TRUE(saved());
  const auto svg = paint::to_svg(*twin_->interface().pages().get<LadderPage>().scene(), theme::dark(),
                                 twin_->interface().pages().get<LadderPage>().canvas().fonts());
  ASSERT_TRUE(svg);
  EXPECT_EQ(copied("UTF8_STRING", *svg), *svg);
}

}  // namespace
}  // namespace warplens::app
