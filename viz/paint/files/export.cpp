#include "viz/paint/files/export.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/base/whole_file.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::paint {
namespace {

// Writes what a painter answered.
template <class Made>
Status write(const std::string& path, const Result<Made>& made) {
  if (!made) return made.error();
  return write_whole_file(path, {reinterpret_cast<const char*>(made->data()), made->size()});
}

}  // namespace

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

Status export_picture(const std::string& path, const scene::Scene& scene, const theme::Theme& theme,
                      const Fonts& fonts, const ExportOptions& options) {
  const std::string ending = ending_of(path);
  if (ending == ".svg") return write(path, to_svg(scene, theme, fonts, options.words));
  if (ending == ".pdf") return write(path, to_pdf(scene, theme, fonts));
  if (ending == ".png") return write(path, to_png(scene, theme, fonts, options.scale));
  return Error{"no picture is written as '" + ending + "'", "name it .svg, .pdf or .png", {path}};
}

Status export_film(const std::string& path, const Film& film, const theme::Theme& theme, const Fonts& fonts,
                   const ExportOptions& options) {
  const std::string ending = ending_of(path);
  if (ending == ".webp") return write(path, to_webp(film, theme, fonts, options.scale));
  if (ending == ".gif") return write(path, to_gif(film, theme, fonts, options.scale));
  if (ending == ".mp4") return write_mp4(film, theme, fonts, path, options.ffmpeg, options.scale);
  return Error{"no film is written as '" + ending + "'", "name it .webp, .gif or .mp4", {path}};
}

}  // namespace warplens::paint
