// A figure as a film: the accesses of a warp one after the other, each moving into the next as the window
// moves them, or the packets of the data's way once round.
#pragma once

#include <functional>
#include <string>

#include "viz/figures/figure.hpp"
#include "viz/scene/morph.hpp"

namespace warplens::figures {

// Seconds from one packet's place to that of the next.
inline constexpr double kPacketSeconds = 0.8;

// Seconds for which an access moves into the next while so many a second are played: it rests, too.
double access_motion(double speed);

struct FilmOptions {
  int accesses = 240;  // at most
  double speed = 8;    // accesses a second
  bool motion = true;  // false: each access cuts to the next
};

// As paint::Film: pictures of one size, and how long each is shown.
struct FilmFrames {
  int frames = 0;
  std::function<scene::Scene(int)> draw;
  std::function<int(int)> milliseconds;
};

// Why there is no film; empty where there is one.
std::string why_no_film(const Figure& figure, const Subject& subject);
// Precondition: why_no_film() is empty. The measure must outlive it.
FilmFrames film_of(const Figure& figure, const Subject& subject, scene::Size size,
                   const scene::TextMeasure& measure, const FilmOptions& options);

}  // namespace warplens::figures
