#include "viz/figures/film.hpp"

#include <cmath>
#include <set>

#include "viz/figures/slide.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kFilmSize{900, 600};
const scene::FixedMeasure kFilmMeasure;

std::string svg(const scene::Scene& scene) { return *paint::to_svg(scene, theme::dark(), kFilmMeasure); }

Subject naive() { return {.run = record_kept("naive", "64"), .place = {.access = 1}}; }

TEST(Film, MovesFromAccessToAccess) {
  const Figure& figure = *find_figure("coalescing");
  const Subject subject = naive();
  const FilmFrames film =
      film_of(figure, subject, kFilmSize, kFilmMeasure, {.accesses = 3, .speed = 2, .by_iteration = false});
  // 150 ms have pictures after 31, 62, 94 and 125 ms, before the one that stays.
  ASSERT_EQ(film.frames, 3 + 2 * 4);
  EXPECT_EQ(film.milliseconds(0), 500);
  EXPECT_EQ(film.milliseconds(1), 31);
  EXPECT_EQ(film.milliseconds(5), 500 - 4 * 31);
  EXPECT_EQ(film.milliseconds(10), 1200) << "the last one stays";
  Subject next = subject;
  next.place.access = 2;
  const std::string first = svg(draw_or_say(figure, subject, kFilmSize, kFilmMeasure)),
                    second = svg(draw_or_say(figure, next, kFilmSize, kFilmMeasure));
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
      film_of(*find_figure("coalescing"), subject, kFilmSize, kFilmMeasure, {.speed = 8, .motion = false});
  EXPECT_EQ(film.frames, 64);
}

// The window asks the same interpolator at its own times.
TEST(Film, HasThePicturesOfTheWindow) {
  const Figure& figure = *find_figure("coalescing");
  const FilmFrames film =
      film_of(figure, naive(), kFilmSize, kFilmMeasure, {.accesses = 3, .speed = 2, .by_iteration = false});
  scene::Tween window;
  double now = 7;
  for (std::uint32_t access = 0; access < 3; ++access, now += 0.5) {
    Subject subject = naive();
    subject.place.access += access;
    window.show(draw_or_say(figure, subject, kFilmSize, kFilmMeasure), now, scene::kWithinKernel);
    for (int step = 1; access > 0 && step <= 4; ++step)
      EXPECT_EQ(svg(window.at(now + step * scene::kFilmFrame)),
                svg(film.draw(static_cast<int>(access - 1) * 5 + step)))
          << access << " " << step;
  }
}

// Pairs of different words, one over the other.
int unreadable(const scene::Scene& scene) {
  const auto words = words_in(scene, kFilmMeasure);
  int pairs = 0;
  for (std::size_t a = 0; a < words.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto common = scene::intersection(words[a].box, words[b].box);
      pairs += words[a].text != words[b].text && common && common->width > 1 && common->height > 1 ? 1 : 0;
    }
  return pairs;
}

TEST(Film, CanBeReadOnItsWay) {
  std::vector<run::SharedRun> runs;
  for (const char* name : {"naive", "shared_tile", "interleaved", "naive"})
    runs.push_back(record_kept(name, "64"));
  for (const char* name : {"access", "coalescing", "flow"}) {
    const Figure& figure = *find_figure(name);
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
      const auto scene = [&](const run::SharedRun& run) {
        return draw_or_say(figure, {.run = run, .place = {.access = 1}}, kFilmSize, kFilmMeasure);
      };
      const scene::Scene from = scene(runs[i]), to = scene(runs[i + 1]);
      const scene::Morph morph(from, to);
      for (const double share : {0.0, 0.05, 0.3, 0.5, 0.9, 0.97})
        EXPECT_LE(unreadable(morph.at(share)), unreadable(to)) << name << " " << i << " at " << share;
    }
  }
}

// From naive to coalesced: the marks of the 32 lanes move to the four sectors that are left.
TEST(Film, FoldsTheSectorsOfTheLanes) {
  const auto naive = record("matmul/01_naive", "64"), coalesced = record("matmul/02_coalesced", "64");
  if (naive == nullptr || coalesced == nullptr) GTEST_SKIP() << "no NVRTC";
  const Figure& figure = *find_figure("access");
  const auto scene = [&](const run::SharedRun& run) {
    return draw_or_say(figure, {.run = run, .place = {.access = explain::opening_access(*run, 0, 0)}},
                       kFilmSize, kFilmMeasure);
  };
  const auto marks = [](const scene::Scene& picture) {  // where the last rectangle of each lane's row is
    std::set<long> left;
    for (const scene::Item& item : picture.root.items) {
      const auto* row = std::get_if<scene::Group>(&item.shape);
      if (row == nullptr || !item.id.starts_with("lane:")) continue;
      if (const auto* mark = std::get_if<scene::RectShape>(&row->items.back().shape))
        left.insert(std::lround(mark->rect.x));
    }
    return left.size();
  };
  const scene::Scene from = scene(naive), to = scene(coalesced);
  EXPECT_EQ(marks(from), 32u);
  EXPECT_EQ(marks(to), 4u);
  const scene::Morph morph(from, to);
  EXPECT_GT(marks(morph.at(0.5)), 16u) << "on their way";
}

// The picture of a line of arithmetic stands still; a film is of the accesses all the same.
TEST(Film, IsOfAccessesWhereALineIsChosen) {
  Subject line = naive();
  line.place.line = 28;
  const auto first = [&](const Subject& subject) {
    return svg(film_of(*find_figure("access"), subject, kFilmSize, kFilmMeasure, {.accesses = 2}).draw(0));
  };
  EXPECT_EQ(first(line), first(naive()));
}

TEST(Film, OfALargerFrameIsTheSamePictureLarger) {
  const SlideOptions film{.is_film = true}, still;
  EXPECT_EQ(room_of({1280, 720}, kFilmMeasure, film), (scene::Size{1280, 720}));
  EXPECT_EQ(room_of({1920, 1080}, kFilmMeasure, film), (scene::Size{1280, 720}));
  EXPECT_EQ(room_of({640, 480}, kFilmMeasure, film), (scene::Size{640, 480}))
      << "no smaller type than designed";
  EXPECT_EQ(room_of({1920, 1080}, kFilmMeasure, still), (scene::Size{1920, 1080}));
}

TEST(Film, CutsWhereNoMotionIsWanted) {
  const FilmFrames film = film_of(*find_figure("access"), naive(), kFilmSize, kFilmMeasure,
                                  {.accesses = 3, .speed = 8, .motion = false});
  EXPECT_EQ(film.frames, 3);
  EXPECT_EQ(film.milliseconds(1), 125);
}

TEST(Film, OfFastAccessesLeavesThemARest) {
  EXPECT_EQ(access_motion(1), scene::kWithinKernel);
  EXPECT_LT(access_motion(16), 1.0 / 16);
}

TEST(Film, OfPacketsGoesRound) {
  const Figure& figure = *find_figure("flow");
  const FilmFrames film = film_of(figure, naive(), kFilmSize, kFilmMeasure, {});
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
