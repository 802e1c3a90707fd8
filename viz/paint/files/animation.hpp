// Films: a scene for each frame, looping. Lossless WebP and GIF by libraries, MP4 by the ffmpeg program where
// there is one.
#pragma once

#include <functional>
#include <string>

#include "viz/paint/files/cairo_painter.hpp"

namespace warplens::paint {

struct Film {
  int frames = 0;
  std::function<scene::Scene(int frame)> draw = {};  // all of one size
  std::function<int(int frame)> milliseconds = {};   // how long each is shown; at least 10
  // Called before each drawing with the share done, 0 to 1; false stops with an error. May be empty.
  std::function<bool(double)> go_on = {};
};

// Errors: no frame, a scene of another size, a picture that cannot be drawn, stopped by go_on.
Result<Bytes> to_webp(const Film& film, const theme::Theme& theme, const Fonts& fonts, double scale = 1);

// One palette for the whole film: its own colours where they are at most 255, else the best 255 by median
// cut. Every frame is drawn twice. GIF counts time in hundredths of a second.
Result<Bytes> to_gif(const Film& film, const theme::Theme& theme, const Fonts& fonts, double scale = 1);

// Through the program `ffmpeg` (a path, see find_program). Sizes are padded to even numbers, as H.264 wants
// them. Error where the program is missing or fails, with its own words.
Status write_mp4(const Film& film, const theme::Theme& theme, const Fonts& fonts, const std::string& path,
                 const std::string& ffmpeg, double scale = 1);

// The first executable file of this name in a PATH-like list ("/a:/b"); empty where there is none.
std::string find_program(const std::string& name, const std::string& search_path);

// Draws frame i, checked against the size of the first; shared by the three above.
Result<scene::Raster> draw_frame(const Film& film, int frame, int passes, int pass, const theme::Theme& theme,
                                 const Fonts& fonts, double scale);

}  // namespace warplens::paint
