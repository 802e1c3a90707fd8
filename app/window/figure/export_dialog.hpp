// "Save figure": a name typed by the user, a folder to click that is remembered, the kinds of files there are, and
// what the file will look like.
// Films show how far they are and can be stopped. A picture can be saved without being asked, as the last one was.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/window/figure/figure_export.hpp"
#include "app/window/kit/ui.hpp"
#include "viz/paint/files/animation.hpp"

namespace warplens::app {

class ExportDialog {
 public:
  // wake: as of FigureExport.
  explicit ExportDialog(std::function<void()> wake) : worker_(std::move(wake)) {}
  void open(const Ui& ui, FigureSnapshot figure);
  // The picture as one was last chosen to look, into the folder of last time, under a name that is free.
  // Returns the file. Errors: there is no figure, or the file cannot be written.
  Result<std::string> save(const Ui& ui, FigureSnapshot figure, std::string_view ending);
  // Once a frame, in the window's own ImGui window.
  void draw(const Ui& ui);
  bool is_busy() const { return worker_.is_busy(); }
  // Where programs stand, as PATH lists it: films in MP4 need one.
  void set_search_path(const std::string& path) { ffmpeg_ = paint::find_program("ffmpeg", path); }

 private:
  void begin(const Ui& ui, FigureSnapshot figure);
  void take_answer(const Ui& ui);
  void draw_fields(const Ui& ui);
  void choose_kind(const FileKind& kind);
  void draw_kinds(const Ui& ui);
  void draw_path(const Ui& ui);
  void draw_buttons(const Ui& ui);
  void draw_progress(const Ui& ui);
  void start(const Ui& ui);
  std::string path() const;
  // How it is made for a slide.
  void draw_slide(const Ui& ui);
  void choose_form(const Ui& ui, FigureFile::Form form);
  void draw_title(const Ui& ui);
  void draw_columns(const Ui& ui);
  void draw_preview(const Ui& ui);
  void draw_folders(const Ui& ui);
  FigureFile file(const Ui& ui) const;
  bool can_be_drawn() const;  // again, in another form; plots and pages of their own cannot

  // What a preview is drawn of, beside the figure.
  struct PreviewOf {
    FigureFile::Form form;
    std::size_t size;
    figures::Ground ground;
    bool is_dark;
    double type;
    std::string title;
    bool operator==(const PreviewOf&) const = default;
  };

  FigureSnapshot figure_;
  std::optional<PreviewOf> preview_of_;
  std::optional<scene::Scene> preview_;
  std::filesystem::path listed_;      // whose folders are
  std::vector<std::string> folders_;  // these
  std::string name_, folder_, ending_ = ".svg";
  // For a slide. They stay as they were chosen last; the title is what the picture says.
  std::size_t size_ = 0;                  // of the sizes that are offered, the first is that in the window
  std::optional<bool> chosen_dark_ = {};  // empty: as the window
  bool is_dark_ = true, has_title_ = false;
  figures::Ground ground_ = figures::Ground::theme;
  double type_ = 1;
  FigureFile::Form form_ = FigureFile::Form::shown;
  std::string title_, said_;  // said_: what the picture says, whether or not the title still is that
  std::string problem_;
  std::string ffmpeg_;
  double share_ = 0;
  bool asked_ = false, at_work_ = false;
  FigureExport worker_;
};

}  // namespace warplens::app
