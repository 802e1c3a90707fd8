// Devices that do not take what others do, numbers of the occupancy calculator set by hand, and the colours
// of accesses: in the window, and in what it exports.
#include <gmock/gmock.h>

#include "app/commands/export_sources.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_export.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/test_kernel.hpp"
#include "engine/base/testing/places.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

class ChipsTest : public OwnKernelsTest {
 protected:
  const Slider& slider(std::string_view name) {
    for (const Slider& slider : model().sliders())
      if (slider.parameter.name == name) return slider;
    ADD_FAILURE() << "no slider " << name;
    return model().sliders().front();
  }
  const catalog::Choice& choice(std::string_view name, std::int64_t value) {
    for (const catalog::Choice& choice : slider(name).choices)
      if (choice.value == value) return choice;
    ADD_FAILURE() << name << " has no " << value;
    return slider(name).choices.front();
  }
  std::string shown_svg() {
    const auto& canvas = stage_->interface().pages().get<LadderPage>().canvas();
    if (canvas.shown() == nullptr) return "";
    const auto svg = paint::to_svg(*canvas.shown(), theme::dark(), canvas.fonts());
    return svg ? *svg : "";
  }
  // A step of the ladder "test" whose block is BLOCK threads, of these values.
  void add_block_step(const std::string& file, const std::string& values, int own) {
    std::ofstream(home_ / "kernels" / "test" / (file + ".cu"))
        << "/*---\ntitle = \"" << file
        << "\"\nproblem = \"transpose\"\nidea = \"A test\"\nwatch = \"Nothing\"\n"
        << "source = \"none\"\n[params]\nBLOCK = { default = " << own << ", values = [" << values
        << "], meaning = \"threads\" }\n[launch]\nblock = [\"BLOCK\"]\ngrid = [\"ceil_div(N, BLOCK)\", "
           "\"M\"]\n"
           "---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int M, int N) {\n"
           "  const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y;\n"
           "  if (x < N) out[x * M + y] = in[y * N + x];\n}\n";
  }
  State own_state(const std::string& kernel) {
    State state;
    state.kernel = kernel;
    state.size = {{"M", 40}, {"N", 60}};
    return state;
  }
};

// The lectures' own device: 512 threads a block, and 8,192 registers.
TEST_F(ChipsTest, AnOldChipGetsTheNearestValuesThatItTakes) {
  State start = small_problem();
  start.view.figure = "occupancy";
  OPEN_STAGE(start);
  ASSERT_EQ(state().params, (catalog::Values{{"BLOCK_X", 32}, {"BLOCK_Y", 32}}));
  model().choose_device("1.0");
  EXPECT_FALSE(choice("BLOCK_Y", 32).valid);  // before anything ran there
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(model().error()) << to_line(*model().error());
  ASSERT_NE(model().run(), nullptr);
  EXPECT_EQ(model().run()->device().id, "cc1.0");
  EXPECT_EQ(model().run()->plan().parameters, state().params);
  EXPECT_LE(state().params.at("BLOCK_X") * state().params.at("BLOCK_Y"), 512);
  EXPECT_GT(model().run()->report.occupancy, 0);
  EXPECT_THAT(model().gave_way(), HasSubstr("512 threads"));
  EXPECT_TRUE(stage_->find("gave way"));
  EXPECT_THAT(choice("BLOCK_Y", 32).reason, HasSubstr("512 threads on Tesla (G80)"));
  EXPECT_THAT(shown_svg(), HasSubstr("compute capability 1.0"));
  // A value that the device takes ends it.
  model().set_parameter("BLOCK_Y", 2);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().params.at("BLOCK_Y"), 2);
  EXPECT_EQ(model().gave_way(), "");
}

TEST_F(ChipsTest, AStateOfAnOldChipStartsWithItsLadder) {
  State start = small_problem();
  start.device = "1.0";
  OPEN_STAGE(start);
  EXPECT_FALSE(model().error());
  ASSERT_NE(model().run(), nullptr);
  const StepTraffic* first = model().ladder_traffic().of("matmul/01_naive");
  ASSERT_NE(first, nullptr);
  EXPECT_GT(first->global_sectors, 0u);
  EXPECT_THAT(first->values, HasSubstr("BLOCK"));
  for (const auto* step : model().steps())
    EXPECT_NE(model().ladder_traffic().of(step->id), nullptr) << step->id;
}

// Static shared memory is known once the neighbours of a value are compiled.
TEST_F(ChipsTest, ATileThatIsTooLargeForTheChipGivesWay) {
  State start = small_problem();
  start.kernel = "transpose/02_tiled";
  start.size = {{"M", 64}, {"N", 64}};
  start.params = {{"TILE", 64}, {"ROWS", 8}};  // 64 * 64 words and more are more than 16 KiB with padding
  OPEN_STAGE(start);
  ASSERT_GT(model().run()->report.shared_bytes, 16384);
  const catalog::Values before = state().params;
  model().choose_device("1.3");
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(model().error()) << to_line(*model().error());
  EXPECT_LE(model().run()->report.shared_bytes, 16384);
  // The slider that moved does not go back.
  int refused = 0;
  for (const auto& [name, value] : before) {
    if (state().params.at(name) == value) continue;
    EXPECT_FALSE(choice(name, value).valid) << name;
    EXPECT_THAT(choice(name, value).reason, HasSubstr("16,384 bytes of shared memory on Tesla (GT200)"));
    ++refused;
  }
  EXPECT_EQ(refused, 1);
}

TEST_F(ChipsTest, WhereNoValuesAreLegalNothingOfAnotherChipStays) {
  make_home();
  add_block_step("01_small", "64, 128, 1024", 1024);
  add_block_step("02_large", "640, 1024", 640);
  State start = own_state("test/02_large");
  start.view.figure = "occupancy";
  OPEN_STAGE(start, {.home = home_.string()});
  ASSERT_NE(model().run(), nullptr);
  ASSERT_THAT(shown_svg(), HasSubstr("H100"));
  model().choose_device("g80");
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(model().error());
  EXPECT_THAT(model().error()->message, HasSubstr("512 threads"));
  EXPECT_THAT(model().error()->next_step, HasSubstr("no values of its parameters are valid"));
  EXPECT_EQ(model().run(), nullptr);
  EXPECT_EQ(shown_svg(), "");
  ASSERT_NE(model().ladder_traffic().of("test/02_large"), nullptr);
  EXPECT_THAT(model().ladder_traffic().of("test/02_large")->why_not, HasSubstr("512 threads"));
  ASSERT_NE(model().ladder_traffic().of("test/01_small"), nullptr);
  EXPECT_EQ(model().ladder_traffic().of("test/01_small")->why_not, "");
  EXPECT_EQ(model().ladder_traffic().of("test/01_small")->values, "BLOCK = 128");
  model().choose_device("h100");
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(model().error());
  EXPECT_THAT(shown_svg(), HasSubstr("H100"));
}

TEST_F(ChipsTest, AFigureOfALadderLeavesOutWhatTheChipCannotRun) {
  if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
  make_home();
  add_block_step("01_large", "640, 1024", 640);
  add_block_step("02_small", "64, 128, 1024", 1024);
  const auto workspace = Workspace::open({.home = home_.string()});
  ASSERT_TRUE(workspace);
  KernelOptions options{.kernel = "test", .defines = {}, .size = "40,60", .device = "g80"};
  const auto input = performance_of(*workspace, options, false);
  ASSERT_TRUE(input) << to_line(input.error());
  ASSERT_EQ(input->points.size(), 2u);
  EXPECT_THAT(input->points[0].refused, HasSubstr("512 threads"));
  EXPECT_EQ(input->points[0].bytes, 0);
  EXPECT_EQ(input->points[1].step, "02_small");
  EXPECT_EQ(input->points[1].number, 2u);
  EXPECT_THAT(input->points[1].counted, HasSubstr("BLOCK = 128"));
  EXPECT_THAT(input->caption, HasSubstr("2 BLOCK = 128"));
  EXPECT_THAT(input->caption, HasSubstr("Cannot run: 1 (a block cannot have more than 512 threads"));
  std::filesystem::remove(home_ / "kernels/test/02_small.cu");
  const auto none = performance_of(*workspace, options, false);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no step of it runs on NVIDIA GeForce 8800 GTX"));
}

TEST_F(ChipsTest, TheWindowsLadderSaysTheSame) {
  make_home();
  add_block_step("01_large", "640, 1024", 640);
  add_block_step("02_small", "64, 128, 1024", 1024);
  State start = own_state("test/02_small");
  start.device = "g80";
  start.view.figure = "ladder";
  OPEN_STAGE(start, {.home = home_.string()});
  const auto input = stage_->interface().performance().input(*figures::find_figure("ladder"));
  ASSERT_TRUE(input) << to_line(input.error());
  EXPECT_THAT(input->caption, HasSubstr("Step 2 is set to BLOCK = 128"));
  EXPECT_THAT(input->caption, HasSubstr("Cannot run: 1 (a block cannot have more than 512 threads"));
}

TEST_F(ChipsTest, AComparisonTakesTheNearestValuesToo) {
  State start = small_problem();
  start.device = "1.0";
  start.view.page = Page::compare;
  start.compare.left.kernel = "matmul/01_naive";
  start.compare.right.kernel = "matmul/02_coalesced";
  OPEN_STAGE(start);
  const auto& left = state().compare.left.params;
  EXPECT_LE(left.at("BLOCK_X") * left.at("BLOCK_Y"), 512);
}

// All of its lines are in its box, which lies over the pictures and not over what can be clicked, however
// wide they are.
TEST_F(ChipsTest, WhatAComparisonSaysOfItIsWhole) {
  for (int width = 1280; width <= 1420; width += 20) {
    SCOPED_TRACE(width);
    State start = small_problem();
    start.device = "1.3";
    start.view.width = width, start.view.height = 720;
    start.view.page = Page::compare;
    start.compare.left.kernel = "matmul/01_naive";
    start.compare.right.kernel = "matmul/02_coalesced";
    OPEN_STAGE(start);
    const auto message = stage_->find("message"), pictures = stage_->find("compare/pictures");
    ASSERT_TRUE(message && pictures);
    EXPECT_LE(message->bottom(), pictures->bottom());
    ImFont* const font = ImGui::GetFont();
    const float whole =
        font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, stage_->interface().message().c_str()).x;
    const double lines = std::floor((message->height - 20) / font->FontSize);
    EXPECT_GE(lines * (message->width - 34), whole);
    stage_.reset();
  }
}

// The example of the lectures: 5 KiB of shared memory, 30 registers and 128 threads on 1.0.
TEST_F(ChipsTest, NumbersOfTheCalculatorCanBeSetByHand) {
  State start = small_problem();
  start.device = "1.0";
  start.view.figure = "occupancy";
  OPEN_STAGE(start);
  const double before = model().run()->report.occupancy;
  for (const auto& [field, number] :
       {std::pair("occupancy/threads", "128"), std::pair("occupancy/registers", "30"),
        std::pair("occupancy/shared", "5120")}) {
    ASSERT_TRUE(click(field));
    ASSERT_TRUE(click("tab/occupancy"));  // nothing typed: nothing set
    ASSERT_TRUE(click(field));
    ASSERT_TRUE(stage_->type(number));
    ASSERT_TRUE(click("tab/occupancy"));  // it counts once the field is left
  }
  EXPECT_EQ(state().occupancy, (OccupancyState{128, 30, 5120}));
  const std::string picture = shown_svg();
  EXPECT_THAT(picture, HasSubstr("256 threads"));
  EXPECT_THAT(picture, HasSubstr("2 blocks"));
  EXPECT_THAT(picture, HasSubstr("set by hand"));
  EXPECT_EQ(model().run()->report.occupancy, before);  // the kernel's own stays beside it
  const FigureSnapshot snapshot = stage_->interface().pages().get<LadderPage>().canvas().snapshot();
  const auto csv = figures::csv(*snapshot.figure, snapshot.subject);
  ASSERT_TRUE(csv);
  EXPECT_THAT(*csv, HasSubstr("threads,128,8\n"));
  ASSERT_TRUE(click("occupancy/kernel"));
  EXPECT_EQ(state().occupancy, OccupancyState{});
  EXPECT_THAT(shown_svg(), ::testing::Not(HasSubstr("set by hand")));
}

TEST_F(ChipsTest, NumbersSetByHandAreInTheStateAndInItsFigure) {
  State state;
  state.occupancy = {128, 30, 5120};
  state.view.figure = "occupancy";
  const auto read = parse_state(to_toml(state), "a.toml");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->occupancy, state.occupancy);
  const auto wrong = parse_state("[occupancy]\nthreads = 0\n", "a.toml");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().place.line, 2);
  const auto workspace = Workspace::open({.home = source_path()});
  const auto options = export_options(state, *workspace->catalog());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->threads, 128);
  EXPECT_EQ(options->registers, 30);
  EXPECT_EQ(options->shared, 5120);
}

TEST_F(ChipsTest, TheFieldsAreThereInEveryLayout) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)})
    for (const double scale : {1.0, 1.75}) {
      State start = small_problem();
      start.view.width = width;
      start.view.height = height;
      start.view.text_scale = scale;
      start.view.figure = "occupancy";
      start.occupancy = {512, 255, 232448};
      OPEN_STAGE(start);
      double x = 0;
      const auto figure = stage_->find("figure");
      ASSERT_TRUE(figure);
      for (const char* mark :
           {"occupancy/threads", "occupancy/registers", "occupancy/shared", "occupancy/kernel"}) {
        const auto rect = stage_->find(mark);
        ASSERT_TRUE(rect) << mark << " " << width << " " << scale;
        EXPECT_GE(rect->x, x) << mark << " overlaps " << width << " " << scale;
        EXPECT_LE(rect->right(), figure->right() + 1) << mark << " " << width << " " << scale;
        EXPECT_GE(rect->width, 40) << mark << " " << width << " " << scale;
        x = rect->right();
      }
      stage_.reset();
    }
}

// The colours of one scene's fills.
TEST_F(ChipsTest, ColoursAreChosenWhereFiguresAreLookedAt) {
  OPEN_STAGE(small_problem());
  const std::string classic = shown_svg();
  ASSERT_TRUE(stage_->press(compat::Key::b));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().drawing.colors, "colour-blind");
  const std::string apart = shown_svg();
  EXPECT_NE(apart, classic);
  EXPECT_THAT(apart, ::testing::Not(HasSubstr("#ff9f1c")));
  ASSERT_TRUE(stage_->press(compat::Key::b));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().drawing.colors, "lanes");
  // Neither orange nor blue: the legend has neither.
  EXPECT_THAT(shown_svg(), ::testing::Not(HasSubstr("#ff9f1c")));
  EXPECT_THAT(shown_svg(), ::testing::Not(HasSubstr("#4c8dff")));
  ASSERT_TRUE(click("view"));
  ASSERT_TRUE(click("item/classic colors"));
  EXPECT_EQ(shown_svg(), classic);
  ASSERT_TRUE(stage_->press(compat::Key::w));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(state().drawing.whole);
  EXPECT_THAT(to_toml(state()), HasSubstr("whole = true"));
}

TEST_F(ChipsTest, AStatesColoursAreDrawn) {
  State start = small_problem();
  start.drawing.colors = "colour-blind";
  OPEN_STAGE(start);
  EXPECT_THAT(shown_svg(), HasSubstr("#f4e76b"));
  EXPECT_THAT(shown_svg(), ::testing::Not(HasSubstr("#ff9f1c")));
}

}  // namespace
}  // namespace warplens::app
