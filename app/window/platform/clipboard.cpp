#include "app/window/platform/clipboard.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "viz/paint/files/animation.hpp"
#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/files/svg.hpp"

extern char** environ;

namespace warplens::app {
namespace {

// A picture is pasted into slides: twice the pixels of the design.
constexpr double pixels_per_design_pixel = 2;
// Both programs take their input and leave a child behind well within this.
constexpr auto time_to_take = std::chrono::seconds(2);

// The input is an unnamed file, not a pipe: nobody waits for a reader.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File file_with(const paint::Bytes& bytes) {
  File file{std::tmpfile(), &std::fclose};
  if (file && (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
               std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0))
    file.reset();
  return file;
}

// In a session of its own, so that closing a terminal does not take the clipboard away.
int spawn(const std::vector<std::string>& words, int input, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int code =
      posix_spawn(&child, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

class ProgramClipboard final : public PictureClipboard {
 public:
  explicit ProgramClipboard(std::vector<std::string> words) : words_(std::move(words)) {}
  Status offer(const paint::Bytes& png) override { return feed_program(words_, png); }

 private:
  std::vector<std::string> words_;
};

Copied copy_as_text(const scene::Scene& scene, const theme::Theme& theme, const paint::Fonts& fonts,
                    const std::string& why) {
  auto svg = paint::to_svg(scene, theme, fonts);
  if (!svg) return {"The figure was not copied: " + svg.error().message, std::nullopt};
  return {"Copied the figure as SVG text: " + why, *std::move(svg)};
}

}  // namespace

Status feed_program(const std::vector<std::string>& words, const paint::Bytes& input) {
  const File file = file_with(input);
  if (!file) return Error{"the picture cannot be kept in the temporary folder", "make room there"};
  pid_t child = 0;
  if (const int code = spawn(words, fileno(file.get()), child); code != 0)
    return Error{words.front() + " does not start: " + std::strerror(code), ""};
  const auto end = std::chrono::steady_clock::now() + time_to_take;
  while (std::chrono::steady_clock::now() < end) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Done{};
      return Error{words.front() + " did not take it", ""};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return Done{};  // it serves the clipboard itself
}

std::unique_ptr<PictureClipboard> system_clipboard(const Environment& environment) {
  if (!environment.wayland.empty())
    if (const std::string program = paint::find_program("wl-copy", environment.path); !program.empty())
      return std::make_unique<ProgramClipboard>(std::vector<std::string>{program, "--type", "image/png"});
  if (!environment.display.empty())
    if (const std::string program = paint::find_program("xclip", environment.path); !program.empty())
      return std::make_unique<ProgramClipboard>(
          std::vector<std::string>{program, "-selection", "clipboard", "-target", "image/png", "-in"});
  return nullptr;
}

Copier::Copier(std::shared_ptr<const paint::Fonts> fonts)
    : worker_(
          [fonts = std::move(fonts)](const Request& request, const auto&, const auto&) -> Copied {
            const auto text = [&](const std::string& why) {
              return copy_as_text(*request.scene, *request.theme, *fonts, why);
            };
            if (request.clipboard == nullptr)
              return text("install xclip or wl-clipboard to copy it as a picture");
            const auto png = paint::to_png(*request.scene, *request.theme, *fonts, pixels_per_design_pixel);
            if (!png) return text(png.error().message);
            if (const Status offered = request.clipboard->offer(*png); !offered)
              return text(offered.error().message);
            return {"Copied the figure", std::nullopt};
          },
          {}) {}

void Copier::copy(scene::Scene scene, const theme::Theme& theme) {
  worker_.submit({std::make_shared<const scene::Scene>(std::move(scene)), &theme, clipboard_});
}

}  // namespace warplens::app
