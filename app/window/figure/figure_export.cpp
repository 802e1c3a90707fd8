#include "app/window/figure/figure_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/figures/film.hpp"
#include "viz/paint/files/export.hpp"

namespace warplens::app {
namespace {

constexpr std::array kKinds = {FileKind{".svg", "SVG", "drawing with real text, for slides and the web"},
                               FileKind{".pdf", "PDF", "drawing with embedded fonts, for papers"},
                               FileKind{".png", "PNG", "picture, two pixels a point"},
                               FileKind{".webp", "WebP", "film of the accesses, without loss", true},
                               FileKind{".gif", "GIF", "film of the accesses, at most 255 colours", true},
                               FileKind{".mp4", "MP4", "film of the accesses, by ffmpeg", true},
                               FileKind{".csv", "CSV", "the numbers behind the figure"}};
constexpr int kMostFrames = 240;  // accesses
constexpr double kPixelsAPoint = 2;

// Precondition: why_not() has nothing against it.
Result<std::string> csv_of(const FigureSnapshot& figure) {
  if (figure.plot) return plot::to_csv(*figure.plot);
  return figures::csv(*figure.figure, figure.subject);
}

scene::Size size_of(const FigureFile& file) {
  return file.size.width > 0 ? file.size : file.figure.shown->size;
}

figures::Subject subject_of(const FigureFile& file) {
  figures::Subject subject = file.figure.subject;
  const bool on_stage = file.form == FigureFile::Form::stage;
  subject.look = on_stage ? figures::Look::stage : figures::Look::file, subject.with_number = on_stage;
  return subject;
}

bool is_stage(const FigureFile& file) {
  return file.form == FigureFile::Form::stage && !file.figure.plot && file.figure.figure != nullptr &&
         file.figure.subject.is_recorded();
}

figures::SlideOptions slide_of(const FigureFile& file) {
  figures::SlideOptions slide = file.slide;
  // A picture that is not drawn again keeps its type.
  slide.look = is_stage(file) ? figures::Look::stage : figures::Look::file;
  return slide;
}

Result<scene::Scene> draw(const FigureFile& file, scene::Size size, const paint::Fonts& fonts) {
  const FigureSnapshot& figure = file.figure;
  // A picture of a page leaves its words to the headline above it.
  const bool has_words = figures::has_words(figure.subject.look);
  const bool as_shown = file.form == FigureFile::Form::shown && size == figure.shown->size && has_words;
  if (as_shown) return *figure.shown;
  if (figure.plot) {
    scene::Scene scene =
        plot::plot_scene(*figure.plot, figures::room_above(figure.words, size, fonts), fonts);
    figures::add_words_below(scene, figure.words, size, fonts);
    return scene;
  }
  if (figure.figure == nullptr || !figure.subject.is_recorded()) return figures::fitted(*figure.shown, size);
  if (file.form == FigureFile::Form::page)
    return figures::step_page(*figure.figure, figure.subject, size, fonts, file.numbers);
  return figures::draw_or_say(*figure.figure, subject_of(file), size, fonts);
}

// What a class sees, with the type and the ground of the slide; its title is the headline.
Result<scene::Scene> draw_stage_page(const FigureFile& file, const paint::Fonts& fonts) {
  figures::Subject subject = subject_of(file);
  subject.with_number = false;  // the headline says it
  figures::StagePage page = file.stage;
  page.headline = file.slide.title, page.type = file.slide.type;
  auto scene = figures::stage_page(*file.figure.figure, subject, page, size_of(file), fonts);
  if (scene && file.slide.ground == figures::Ground::transparent)
    scene->background = scene::Color::transparent();
  return scene;
}

scene::PictureWords words_of(const FigureSnapshot& figure) {
  if (figure.figure == nullptr) return {figure.name, ""};
  const explain::Explanation& plot = figure.words;
  if (!figure.plot) return figures::picture_words(*figure.figure, figure.subject);
  return {plot.what.empty() ? std::string(figure.figure->title) : sentence(plot.what), sentence(plot.why)};
}

Status write_film(const FigureFile& file, const paint::Fonts& fonts,
                  const std::function<bool(double)>& go_on) {
  if (file.slide.ground == figures::Ground::transparent && paint::ending_of(file.path) != ".webp")
    return Error{"only films in WebP are transparent", "choose another ground, or WebP"};
  const scene::Size size = size_of(file);
  figures::SlideOptions slide = slide_of(file);
  slide.is_film = true;
  figures::Subject subject = subject_of(file);
  subject.is_guessed = true;  // the picture alone fills the frame
  const auto [frames, draw, milliseconds] =
      figures::film_of(*file.figure.figure, subject, figures::room_of(size, fonts, slide), fonts,
                       {.accesses = kMostFrames,
                        .speed = file.speed,
                        .motion = file.motion,
                        .by_iteration = file.by_iteration});
  const auto framed = [&, draw = draw](int frame) {
    const auto picture = [&](scene::Size) { return Result<scene::Scene>(draw(frame)); };
    return *figures::slide(picture, size, fonts, slide);
  };
  const paint::Film film{.frames = frames, .draw = framed, .milliseconds = milliseconds, .go_on = go_on};
  return paint::export_film(file.path, film, file.theme, fonts, {.scale = 1, .ffmpeg = file.ffmpeg});
}

Status write(const FigureFile& file, const std::function<bool(double)>& go_on) {
  const std::string ending = std::filesystem::path(file.path).extension().string();
  const auto kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const FileKind& k) { return k.ending == ending; });
  if (kind == kKinds.end())
    return Error{fmt::format("'{}' is no kind of file that figures can be", ending),
                 "choose one that is listed"};
  if (const std::string why = why_not(file.figure, *kind, file.ffmpeg); !why.empty())
    return Error{why, "choose another kind"};
  // Of its own: the window draws with its fonts meanwhile.
  const auto fonts = paint::Fonts::open(file.fonts);
  if (!fonts) return fonts.error();
  if (kind->film) return write_film(file, **fonts, go_on);
  if (ending != ".csv") return save_picture(file, **fonts);
  const auto csv = csv_of(file.figure);
  return csv ? write_whole_file(file.path, *csv) : Status(csv.error());
}

}  // namespace

std::span<const FileKind> file_kinds() { return kKinds; }

Result<scene::Scene> picture_of(const FigureFile& file, const paint::Fonts& fonts) {
  if (!file.figure.shown) return Error{"there is no figure to save", "open one, and run its kernel"};
  if (is_stage(file)) return draw_stage_page(file, fonts);
  return figures::slide([&](scene::Size size) { return draw(file, size, fonts); }, size_of(file), fonts,
                        slide_of(file));
}

Status save_picture(const FigureFile& file, const paint::Fonts& fonts) {
  const auto scene = picture_of(file, fonts);
  if (!scene) return scene.error();
  return paint::export_picture(file.path, *scene, file.theme, fonts,
                               {.scale = kPixelsAPoint, .ffmpeg = {}, .words = words_of(file.figure)});
}

std::string why_not(const FigureSnapshot& figure, const FileKind& kind, const std::string& ffmpeg) {
  if (!figure.shown) return "There is no figure to save";
  if (kind.film && figure.figure == nullptr) return "This figure stands still";
  if (std::string why = kind.film ? figures::why_no_film(*figure.figure, figure.subject) : ""; !why.empty())
    return why;
  if (kind.ending == ".mp4" && ffmpeg.empty()) return "Films in MP4 need the program ffmpeg";
  if (kind.ending != ".csv" || figure.plot) return "";
  if (figure.figure == nullptr || !figure.subject.is_recorded()) return "There are no numbers yet";
  return figures::what_is_missing(*figure.figure, figure.subject.known);
}

FigureExport::FigureExport(std::function<void()> wake)
    : worker_(
          [](const FigureFile& file, const std::atomic<bool>& cancel, const auto& partial) {
            return ExportProgress{1, write(file, [&](double share) {
                                    partial(ExportProgress{share, {}});
                                    return !cancel;
                                  })};
          },
          std::move(wake)) {}

}  // namespace warplens::app
