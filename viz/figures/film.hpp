// A figure as a film: an access of a warp from turn to turn of its loop, or all accesses one after the other,
// each moving into the next as the window moves them; or the packets of the data's way once round.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "viz/figures/figure.hpp"
#include "viz/scene/morph.hpp"

namespace warplens::figures {

// Seconds from one packet's place to that of the next.
inline constexpr double kPacketSeconds = 0.8;

// Seconds for which an access moves into the next while so many a second are played: it rests, too.
double access_motion(double speed);

struct FilmOptions {
  int accesses = 240;        // at most
  double speed = 8;          // accesses a second
  bool motion = true;        // false: each access cuts to the next
  bool by_iteration = true;  // only those at the line and the array of the first; else all in their order
};

// How many accesses further on the warp is at the same line and the same array again: the next turn of its
// loop. Empty if it does not come back.
std::optional<std::uint32_t> to_next_turn(const run::Run& run, const Place& place);
// Those that are played from a place on: this access of every turn, or all where it has no other turn.
std::vector<std::uint32_t> played_accesses(const run::Run& run, const Place& place, bool by_iteration);

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
