#include "viz/figures/film.hpp"

#include <set>

#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kSize{900, 600};
const scene::FixedMeasure kMeasure;

std::string svg(const scene::Scene& scene) { return *paint::to_svg(scene, theme::dark(), kMeasure); }

Subject naive() { return {.run = record_kept("naive", "64"), .place = {.access = 1}}; }

TEST(Film, MovesFromAccessToAccess) {
  const Figure& figure = *find_figure("coalescing");
  const Subject subject = naive();
  const FilmFrames film =
      film_of(figure, subject, kSize, kMeasure, {.accesses = 3, .speed = 2, .by_iteration = false});
  // 150 ms have pictures after 31, 62, 94 and 125 ms, before the one that stays.
  ASSERT_EQ(film.frames, 3 + 2 * 4);
  EXPECT_EQ(film.milliseconds(0), 500);
  EXPECT_EQ(film.milliseconds(1), 31);
  EXPECT_EQ(film.milliseconds(5), 500 - 4 * 31);
  EXPECT_EQ(film.milliseconds(10), 1200) << "the last one stays";
  Subject next = subject;
  next.place.access = 2;
  const std::string first = svg(draw_or_say(figure, subject, kSize, kMeasure)),
                    second = svg(draw_or_say(figure, next, kSize, kMeasure));
  EXPECT_EQ(svg(film.draw(0)), first);
  EXPECT_EQ(svg(film.draw(5)), second);
  std::set<std::string> different;
  for (int frame = 0; frame <= 5; ++frame) different.insert(svg(film.draw(frame)));
  EXPECT_EQ(different.size(), 6u);
}

// The load of A in each turn: with those of B between them a film flashed green.
TEST(Film, StaysAtOneAccessFromTurnToTurn) {
  Subject subject = naive();
  subject.place.access = 0;
  const auto accesses = [&](bool by_iteration) {
    return played_accesses(*subject.run, subject.place, by_iteration);
  };
  const auto turns = accesses(true);
  ASSERT_EQ(turns.size(), 64u);  // K
  const auto& story = story_at(*subject.run, subject.place);
  const auto events = story.accesses().of_warp(0);
  for (const std::uint32_t access : turns)
    EXPECT_EQ(story.touched_face(events[access]), story.touched_face(events[turns.front()])) << access;
  EXPECT_EQ(accesses(false).size(), events.size());
  subject.place.access = static_cast<std::uint32_t>(events.size()) - 1;  // the store, behind the loop
  EXPECT_EQ(accesses(true), std::vector{subject.place.access});
  subject.place.access = turns.front();
  const FilmFrames film =
      film_of(*find_figure("coalescing"), subject, kSize, kMeasure, {.speed = 8, .motion = false});
  EXPECT_EQ(film.frames, 64);
}

// The window asks the same interpolator at its own times.
TEST(Film, HasThePicturesOfTheWindow) {
  const Figure& figure = *find_figure("coalescing");
  const FilmFrames film =
      film_of(figure, naive(), kSize, kMeasure, {.accesses = 3, .speed = 2, .by_iteration = false});
  scene::Tween window;
  double now = 7;
  for (std::uint32_t access = 0; access < 3; ++access, now += 0.5) {
    Subject subject = naive();
    subject.place.access += access;
    window.show(draw_or_say(figure, subject, kSize, kMeasure), now, scene::kWithinKernel);
    for (int step = 1; access > 0 && step <= 4; ++step)
      EXPECT_EQ(svg(window.at(now + step * scene::kFilmFrame)),
                svg(film.draw(static_cast<int>(access - 1) * 5 + step)))
          << access << " " << step;
  }
}

TEST(Film, CutsWhereNoMotionIsWanted) {
  const FilmFrames film =
      film_of(*find_figure("access"), naive(), kSize, kMeasure, {.accesses = 3, .speed = 8, .motion = false});
  EXPECT_EQ(film.frames, 3);
  EXPECT_EQ(film.milliseconds(1), 125);
}

TEST(Film, OfFastAccessesLeavesThemARest) {
  EXPECT_EQ(access_motion(1), scene::kWithinKernel);
  EXPECT_LT(access_motion(16), 1.0 / 16);
}

TEST(Film, OfPacketsGoesRound) {
  const Figure& figure = *find_figure("flow");
  const FilmFrames film = film_of(figure, naive(), kSize, kMeasure, {});
  EXPECT_EQ(film.frames, 26);
  EXPECT_NE(svg(film.draw(0)), svg(film.draw(13)));
  EXPECT_EQ(film.milliseconds(25), 31);
}

TEST(Film, IsOfWhatMovesAndHasRun) {
  EXPECT_EQ(why_no_film(*find_figure("access"), naive()), "");
  EXPECT_NE(why_no_film(*find_figure("occupancy"), naive()), "");
  EXPECT_NE(why_no_film(*find_figure("flow"), {}), "");
}

}  // namespace
}  // namespace warplens::figures
