// While a slider is dragged: the frames between one value and the next say
// nothing that neither of the two does, and can be read.
#include <fmt/format.h>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::app {
namespace {

class SliderTest : public StageTest {
 protected:
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }
  // Whether a text praises, whether what is said of the step is there, and how
  // many different texts lie one over another.
  struct Look {
    bool praises = false, has_headline = false, moves = false;
    int covered = 0;
  };
  static bool praises(const scene::Group& group) {
    return std::ranges::any_of(group.items, [](const scene::Item& item) {
      const auto* inner = std::get_if<scene::Group>(&item.shape);
      const auto* text = std::get_if<scene::TextShape>(&item.shape);
      return (inner != nullptr && praises(*inner)) ||
             (text != nullptr && text->style.color.token == scene::Token::good &&
              text->style.color.alpha > 0);
    });
  }
  Look look() {
    const scene::Scene& scene = *canvas().painted();
    Look look{.praises = praises(scene.root),
              .has_headline = stage_->find("headline").has_value(),
              .moves = canvas().painted() != canvas().shown()};
    const auto words = figures::words_in(scene, canvas().fonts());
    for (std::size_t a = 0; a < words.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const auto common = scene::intersection(words[a].box, words[b].box);
        look.covered += words[a].text != words[b].text && common && common->width > 1 && common->height > 1;
      }
    }
    return look;
  }
  // Frames of a sixtieth of a second until the picture of the new value stands.
  std::vector<Look> looks_on_the_way() {
    std::vector<Look> looks;
    for (int quiet = 0; quiet < 20; quiet = model().busy_seconds() ? 0 : quiet + 1) {
      EXPECT_TRUE(stage_->frame_after(1.0f / 60));
      looks.push_back(look());
    }
    return looks;
  }
};

// Nothing of the panel moves under the pointer while the new values are on their way, though it is scrolled to its end.
TEST_F(SliderTest, ThePanelStaysWhereItIsWhenAValueChanges) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    SCOPED_TRACE(width);
    State start = small_problem();
    start.kernel = "matmul/07_conflict_free", start.size = {{"M", 256}, {"N", 256}, {"K", 256}};
    start.view.width = width, start.view.height = height;
    stage_.reset();
    OPEN_STAGE(start);
    const auto at_first = stage_->find("param/BM");
    ASSERT_TRUE(at_first);
    ASSERT_TRUE(stage_->wheel_at(at_first->center(), -50));
    ASSERT_TRUE(stage_->settle());
    EXPECT_LT(stage_->find("param/BM")->y, at_first->y) << "it scrolls";
    const auto sliders = model().sliders();
    const auto pad = std::ranges::find(sliders, "PAD", [](const Slider& one) { return one.parameter.name; });
    ASSERT_NE(pad, sliders.end());
    for (const catalog::Choice& choice : pad->choices) {
      if (!choice.valid) continue;
      const auto before = stage_->find("param/PAD");
      ASSERT_TRUE(before);
      model().set_parameter("PAD", choice.value);
      for (int quiet = 0; quiet < 20; quiet = model().busy_seconds() ? 0 : quiet + 1) {
        ASSERT_TRUE(stage_->frame_after(1.0f / 60));
        ASSERT_EQ(stage_->find("param/PAD")->y, before->y);
      }
    }
  }
}

struct Drag {
  const char* kernel;
  catalog::Values size;
  const char* parameter;
  std::vector<std::int64_t> values;
};

TEST_F(SliderTest, FramesBetweenTwoValuesSayNoMoreThanThese) {
  const Drag drags[] = {
      {"matmul/06_vectorized", {{"M", 256}, {"N", 256}, {"K", 256}}, "BM", {64, 128}},
      {"matmul/03_shared_tile", {{"M", 64}, {"N", 64}, {"K", 64}}, "TILE", {16, 32}},
      {"transpose/02_tiled", {{"M", 64}, {"N", 64}}, "PAD", {0, 1}},
  };
  for (const Drag& drag : drags) {
    State start = small_problem();
    start.kernel = drag.kernel, start.size = drag.size;
    stage_.reset();
    OPEN_STAGE(start);
    stage_->interface().allow_motion();
    for (const std::int64_t value : drag.values) {
      SCOPED_TRACE(fmt::format("{} {} = {}", drag.kernel, drag.parameter, value));
      const Look before = look();
      ASSERT_TRUE(before.has_headline);
      model().set_parameter(drag.parameter, value);
      const std::vector<Look> between = looks_on_the_way();
      const Look after = between.back();
      EXPECT_TRUE(std::ranges::any_of(between, &Look::moves));
      for (const Look& frame : between) {
        EXPECT_TRUE(frame.has_headline) << "what is said of the picture stays";
        EXPECT_TRUE(!frame.praises || before.praises || after.praises) << "a flash of green";
        EXPECT_LE(frame.covered, std::max(before.covered, after.covered));
      }
    }
  }
}

}  // namespace
}  // namespace warplens::app
