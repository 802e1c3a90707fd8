// What stands between two pictures: items with the same id go from their place in one to that in the other,
// numbers count, colours mix, and what only one of them has fades. Words are those of the second picture, at
// their place there and above all that moves, so that they can be read all the way. Window and films move by
// this alone.
//
//   Tween tween;
//   tween.show(first, 0, 0);
//   tween.show(second, now, kWithinKernel);  // a picture of the same size moves, any other is there at once
//   paint(tween.at(now + 0.05));
//
// Items without an id belong together where they are the same: a text at its place, a shape as it is, and
// rectangles of a group with an id.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "viz/scene/scene.hpp"

namespace warplens::scene {

// Seconds that a picture takes to become the next one.
inline constexpr double kWithinKernel = 0.15, kBetweenKernels = 0.6;
// Of a film while it moves. A power of two: clocks of either kind hold multiples of it exactly.
inline constexpr double kFilmFrame = 1.0 / 32;

class Morph {
 public:
  Morph(Scene from, Scene to);
  ~Morph();
  Morph(const Morph&) = delete;  // its parts point into it
  Morph& operator=(const Morph&) = delete;

  // share: 0 to 1, of the way. At 1 it is `to` itself, at 0 it looks like `from` but for its words. Its ids
  // are those of `to`.
  // with_rest: with what is on its way out.
  Scene at(double share, bool with_rest = true) const;

 private:
  struct Node;
  Scene from_, to_;
  std::unique_ptr<Node> root_;  // of items of the two
};

// Starts and ends at rest.
double eased(double share);

// "32 sectors" and "4 sectors" at a half: "18 sectors". Where texts differ in more than their numbers, the
// second one ("1 sector" and "32 sectors" do not). Numbers have commas where either has, and as many decimals
// as the second.
bool counts_to(std::string_view from, std::string_view to);
std::string counted_text(std::string_view from, std::string_view to, double share);

// The picture of now, on its way from the one before.
class Tween {
 public:
  // now: seconds of any clock. seconds: 0 for at once.
  void show(Scene next, double now, double seconds);
  void clear();
  bool is_moving(double now) const { return morph_ != nullptr && now < since_ + seconds_; }
  // Precondition: something was shown.
  Scene at(double now) const;
  const Scene& end() const { return *end_; }  // where it goes to

 private:
  std::unique_ptr<Scene> end_;
  std::unique_ptr<Morph> morph_;
  double since_ = 0, seconds_ = 0;
};

}  // namespace warplens::scene
