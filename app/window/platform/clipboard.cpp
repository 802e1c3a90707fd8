#include "app/window/platform/clipboard.hpp"

#include <unistd.h>

#include "engine/base/process.hpp"
#include "viz/paint/files/animation.hpp"
#include "viz/paint/files/cairo_painter.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::app {
namespace {

// A picture is pasted into slides: twice the pixels of the design.
constexpr double kPixelsPerDesignPixel = 2;
// Both programs take their input and leave a child behind well within this.
constexpr double kSecondsToTake = 2;

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
  // The input is an unnamed file, not a pipe: nobody waits for a reader.
  const Descriptor file = memory_file();
  if (pwrite(file.number(), input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    return Error{"the picture cannot be kept in memory", "close other programs"};
  auto child = Process::start({words,
                               {{0, file.number()}, {1, Process::kNull}, {2, Process::kNull}},
                               /*own_session=*/true});
  if (!child) return Error{words.front() + " does not start: " + child.error().message, ""};
  // One that stays serves the clipboard itself.
  if (child->wait(kSecondsToTake) && child->exit_code() != 0)
    return Error{words.front() + " did not take it", ""};
  return Done{};
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

Copier::Copier(std::shared_ptr<const paint::Fonts> fonts, std::function<void()> wake)
    : worker_(
          [fonts = std::move(fonts)](const Request& request, const auto&, const auto&) -> Copied {
            const auto text = [&](const std::string& why) {
              return copy_as_text(*request.scene, *request.theme, *fonts, why);
            };
            if (request.clipboard == nullptr)
              return text("install xclip or wl-clipboard to copy it as a picture");
            const auto png = paint::to_png(*request.scene, *request.theme, *fonts, kPixelsPerDesignPixel);
            if (!png) return text(png.error().message);
            if (const Status offered = request.clipboard->offer(*png); !offered)
              return text(offered.error().message);
            return {"Copied the figure", std::nullopt};
          },
          std::move(wake)) {}

void Copier::copy(scene::Scene scene, const theme::Theme& theme) {
  worker_.submit({std::make_shared<const scene::Scene>(std::move(scene)), &theme, clipboard_});
}

}  // namespace warplens::app
