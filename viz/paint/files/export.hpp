// A picture or a film into a file, by the ending of its name.
#pragma once

#include <string>

#include "viz/paint/files/animation.hpp"
#include "viz/scene/picture_words.hpp"

namespace warplens::paint {

struct ExportOptions {
  double scale = 1;                // pixels a scene pixel, for .png, .webp, .gif, .mp4
  std::string ffmpeg;              // path of the program, for .mp4
  scene::PictureWords words = {};  // for .svg
};

// ".svg" of "out.SVG"
std::string ending_of(const std::string& path);

// .svg .pdf .png. Errors name the file: an unknown ending, a folder that is not there, a full disk.
Status export_picture(const std::string& path, const scene::Scene& scene, const theme::Theme& theme,
                      const Fonts& fonts, const ExportOptions& options = {});

// .webp .gif .mp4
Status export_film(const std::string& path, const Film& film, const theme::Theme& theme, const Fonts& fonts,
                   const ExportOptions& options = {});

}  // namespace warplens::paint
