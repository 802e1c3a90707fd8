#include "viz/paint/files/animation.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace warplens::paint {

Result<scene::Raster> draw_frame(const Film& film, int frame, int passes, int pass, const theme::Theme& theme,
                                 const Fonts& fonts, double scale) {
  if (film.frames < 1) return Error{"the film has no frame", "choose a range with at least one access"};
  const double done = static_cast<double>(pass * film.frames + frame) / (passes * film.frames);
  if (film.go_on && !film.go_on(done)) return Error{"the film was stopped", ""};
  return to_raster(film.draw(frame), theme, fonts, scale);
}

std::string find_program(const std::string& name, const std::string& search_path) {
  for (std::size_t from = 0; from <= search_path.size();) {
    const std::size_t to = std::min(search_path.find(':', from), search_path.size());
    const std::string path = search_path.substr(from, to - from) + "/" + name;
    struct stat info {};
    if (to > from && stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        access(path.c_str(), X_OK) == 0)
      return path;
    from = to + 1;
  }
  return "";
}

}  // namespace warplens::paint
