// A figure into a file, on a worker: films take seconds and can be stopped.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/figure/figure_canvas.hpp"
#include "engine/base/latest_wins.hpp"
#include "viz/figures/slide.hpp"
#include "viz/stage/stage_page.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::app {

// Everything that the file is made of; nothing of it changes any more. shown: as it stands in the window;
// stage: the page that a class sees, of a film its picture alone; page: the whole step, see
// figures::step_page.
struct FigureFile {
  std::string path;
  FigureSnapshot figure;
  theme::Theme theme = theme::light();
  scene::Size size = {};             // scene pixels; of the picture as it is shown where it is empty
  figures::SlideOptions slide = {};  // its title, type and ground
  enum class Form { shown, stage, page } form = Form::shown;
  std::vector<figures::NumberCard> numbers = {};  // on a page, beside those of the run
  figures::StagePage stage = {};                  // around the picture of a stage
  double speed = 8;                               // accesses a second, of films
  bool motion = true;                             // each moves into the next
  bool by_iteration = true;                       // as FilmOptions
  std::vector<std::string> fonts;                 // folders to look into before the system's
  std::string ffmpeg;  // the program, see paint::find_program; empty: there is none
};

struct FileKind {
  std::string_view ending, name, meaning;
  bool film = false;
};
std::span<const FileKind> file_kinds();  // ".svg", ...
// Why this figure cannot be such a file; empty where it can. ffmpeg: as in FigureFile.
std::string why_not(const FigureSnapshot& figure, const FileKind& kind, const std::string& ffmpeg);
// What the file shows, of a film its first picture. Errors: of the figure.
Result<scene::Scene> picture_of(const FigureFile& file, const paint::Fonts& fonts);
// That into the file, at once. Errors: as picture_of(), or the file cannot be written.
Status save_picture(const FigureFile& file, const paint::Fonts& fonts);

struct ExportProgress {
  double share = 0;
  std::optional<Status> done = {};  // the file is whole, or why there is none
};

class FigureExport {
 public:
  // wake: called from the worker's thread whenever poll() has something new.
  explicit FigureExport(std::function<void()> wake);
  void start(FigureFile file) { worker_.submit(std::move(file)); }
  void cancel() { worker_.cancel(); }
  bool is_busy() const { return worker_.busy_seconds().has_value(); }
  // What is new since the last call.
  std::optional<ExportProgress> poll() { return worker_.poll(); }

 private:
  LatestWins<FigureFile, ExportProgress> worker_;
};

}  // namespace warplens::app
