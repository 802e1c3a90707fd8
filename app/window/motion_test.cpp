// Pictures move into the next, as films do, and frames are drawn only meanwhile.
#include "app/window/actions/pages.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/figures/film.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::app {
namespace {

class MotionTest : public StageTest {
 protected:
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }
  std::string svg(const scene::Scene& scene) {
    return *paint::to_svg(scene, theme::dark(), canvas().fonts());
  }
  std::string painted() { return svg(*canvas().painted()); }
  void frame(double seconds) { ASSERT_TRUE(stage_->frame_after(static_cast<float>(seconds))); }
  bool is_moving() { return stage_->interface().is_moving(); }
};

TEST_F(MotionTest, HasThePicturesOfTheFilm) {
  State start = small_problem();
  start.view.figure = "coalescing";
  start.selection.step = 1;
  OPEN_STAGE(start);
  stage_->interface().allow_motion();
  const FigureSnapshot first = canvas().snapshot();
  const figures::FilmFrames film =
      figures::film_of(*first.figure, first.subject, first.size, canvas().fonts(),
                       {.accesses = 2, .speed = 1, .by_iteration = false});
  EXPECT_EQ(painted(), svg(film.draw(0)));
  ++state().selection.step;
  frame(0.001);  // notices the next access, and starts
  for (int step = 1; step <= 4; ++step) {
    EXPECT_TRUE(is_moving());
    frame(scene::kFilmFrame);
    EXPECT_EQ(painted(), svg(film.draw(step))) << step;
  }
  frame(scene::kFilmFrame);
  EXPECT_EQ(painted(), svg(film.draw(5)));
  EXPECT_FALSE(is_moving());
}

TEST_F(MotionTest, IsOffWhereTheStateWantsNone) {
  OPEN_STAGE(small_problem());
  stage_->interface().allow_motion();
  state().view.motion = false;
  ++state().selection.step;
  frame(0.001);
  EXPECT_FALSE(is_moving());
  EXPECT_EQ(canvas().painted(), canvas().shown());
}

TEST_F(MotionTest, IsOffOnScreenshots) {
  OPEN_STAGE(small_problem());
  ++state().selection.step;
  frame(0.001);
  EXPECT_FALSE(is_moving());
}

TEST_F(MotionTest, OfPacketsIsPlayed) {
  State start = small_problem();
  start.view.figure = "flow";
  OPEN_STAGE(start);
  EXPECT_FALSE(is_moving());
  const std::string still = painted();
  ASSERT_TRUE(click("flow/play"));
  frame(0.2);
  EXPECT_TRUE(is_moving());
  EXPECT_NE(painted(), still);
  const auto access = state().selection.step;
  frame(2);
  EXPECT_EQ(state().selection.step, access) << "packets move, not accesses";
}

TEST_F(MotionTest, OfTheDataFlowIsThatOfTheChosenPart) {
  State start = small_problem();
  start.view.figure = "flow";
  OPEN_STAGE(start);
  ASSERT_TRUE(click("flow/kernel"));
  EXPECT_EQ(state().drawing.per, "kernel");
}

}  // namespace
}  // namespace warplens::app
