// What the window knows and how it follows the user's choices, without a window: kernels, sliders, sizes,
// blocks, devices, errors, and two kernels side by side.
#include "app/window/model/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/testing/child_process.hpp"
#include "app/window/model/compare_model.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/launches.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

class ModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::Compiler(compile::Compiler::Options{}).available()) GTEST_SKIP() << "no NVRTC";
  }
  // A small problem, where the state names none.
  void open(State state = {}, const CommonOptions& common = {.home = source_path()}) {
    if (state.size.empty()) state.size = {{"M", 64}, {"N", 64}, {"K", 64}};
    auto opened = Model::open(common, std::move(state), {});
    ASSERT_TRUE(opened) << to_line(opened.error());
    model_ = *std::move(opened);
    settle();
  }
  // Brings the model up to date, and the comparison where there is one, until every worker is idle.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    for (int quiet = 0; quiet < 3;) {
      model().update();
      model().note_frame();
      if (comparison_) comparison_->update();
      const bool busy = model().busy_seconds() || model().ladder_traffic().is_busy() ||
                        (comparison_ && comparison_->is_busy());
      quiet = busy ? 0 : quiet + 1;
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the model did not come to rest";
      if (busy) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  Model& model() { return *model_; }
  State& state() { return model_->state; }
  const run::Plan& plan() { return model().run()->plan(); }
  void expect_right() {
    ASSERT_NE(model().run(), nullptr);
    EXPECT_FALSE(model().error()) << to_line(*model().error());
    EXPECT_TRUE(model().is_current());
    EXPECT_TRUE(model().run()->report.verified);
    EXPECT_EQ(plan().spec.id, state().kernel);
    EXPECT_EQ(plan().parameters, state().params);
    EXPECT_EQ(plan().sizes, state().size);
  }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Comparison> comparison_;  // after the model, so that it goes first
};

// A run that is over at once leaves a word; the one that a state opens with does not.
TEST_F(ModelTest, SaysWhatItRanAgain) {
  open({});
  settle();
  EXPECT_FALSE(model().take_note());
  model().run_again();
  settle();
  const auto said = model().take_note();
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->starts_with("Ran 64 in ") && said->find(", emulated, at ") != std::string::npos) << *said;
  EXPECT_FALSE(model().take_note());
}

// Until the new run tells on which access it opens, the old one is shown where it was looked at.
TEST_F(ModelTest, AStepThatIsLeftStaysAtItsAccess) {
  open({});
  settle();
  const std::uint32_t at = model().shown_access();
  EXPECT_GT(at, 0u) << "it opens on A";
  model().choose_step(1);
  ASSERT_EQ(model().state.selection.step, kOpeningAccess);
  EXPECT_EQ(model().shown_access(), at);
}

// A state may name a step that its run does not have, and the next run have fewer than the last one.
TEST_F(ModelTest, AStepBehindTheLastAccessShowsTheLast) {
  open({});
  settle();
  const auto last = static_cast<std::uint32_t>(model().events().size() - 1);
  ASSERT_GT(last, 0u);
  for (const std::uint32_t step : {last + 1, last + 100}) {
    state().selection.step = step;
    EXPECT_EQ(model().shown_access(), last);
    EXPECT_TRUE(model().access());
  }
}

// Naive asks for A in 32 sectors and for B in one: what a comparison opens on decides what a class sees.
TEST_F(ModelTest, AComparisonOpensOnTheAccessThatIsNamedElseOnTheCostliest) {
  State start;
  start.view.page = Page::compare;
  start.compare.left.kernel = "matmul/01_naive", start.compare.right.kernel = "matmul/02_coalesced";
  open(start);
  comparison_ = std::make_unique<Comparison>(model(), nullptr);
  const auto array_of = [&](Side side) {
    const auto run = comparison_->shared_run(side);
    const Selection at = comparison_->selection(side);
    const auto access = run->stories.front()->accesses().at(at.warp, at.step);
    const auto element = report::elements_of(run->buffers, *access)[0];
    return element ? run->buffers[element->buffer].buffer.name : std::string();
  };
  settle();
  EXPECT_EQ(array_of(Side::left), "A");
  state().compare.array = "B";
  settle();
  EXPECT_EQ(array_of(Side::left), "B");
  EXPECT_EQ(array_of(Side::right), "B");
  comparison_->move_step(1);
  EXPECT_EQ(state().compare.step, comparison_->step());
}

// A preview counts nothing: what a step costs by its instructions is known with the whole run.
TEST_F(ModelTest, OpensOnTheLineOfAStepThatCostsInstructions) {
  State start;
  start.kernel = "arithmetic/03_division", start.size = {{"N", 65536}};
  open(start);
  ASSERT_GT(state().selection.line, 0);
  const auto line = static_cast<std::size_t>(state().selection.line);
  EXPECT_NE(model().run()->source_lines.at(line - 1).find("value / divisor"), std::string_view::npos);
  // Who goes to an access stays there.
  model().move_step(1);
  settle();
  EXPECT_EQ(state().selection.line, 0);
  model().choose_kernel("memory/01_coalesced");
  settle();
  EXPECT_EQ(state().selection.line, 0);
}

// `warplens export`, of a picture and of a film alike, opens on what the window opens on: also where only the
// step before tells what is new.
TEST_F(ModelTest, AFileOpensOnTheAccessOfTheWindow) {
  const TestFolder folder;
  const std::string file = (folder / "access.svg").string();
  for (const char* kernel : {"matmul/01_naive", "matmul/03_shared_tile", "matmul/10_async_pipeline"}) {
    State start;
    start.kernel = kernel, start.size = {{"M", 256}, {"N", 256}, {"K", 256}};
    open(start);
    const ChildResult done = run_child({program_path("warplens"), "export", "access", kernel, "--size", "256",
                                        "--home", source_path(), "-o", file});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const auto text = read_whole_file(file);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("Access " + grouped(model().shown_access() + 1) + " of ")) << kernel;
  }
}

TEST_F(ModelTest, RunsTheKernelOfItsState) {
  open();
  expect_right();
  EXPECT_EQ(model().events().size(), 129u);  // K loads of A and of B, and one store
  EXPECT_EQ(model().blocks(), 4u);
  EXPECT_EQ(model().warps(), 32u);
}

TEST_F(ModelTest, GoesFromStepToStepOfALadder) {
  open();
  model().choose_step(-1);  // there is none before the first
  EXPECT_EQ(state().kernel, "matmul/01_naive");
  state().selection = {.block = 3, .warp = 2, .step = 9, .lane = 4};
  model().choose_step(1);
  EXPECT_EQ(state().selection, Selection{});
  settle();
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  expect_right();
  EXPECT_NE(model().ladder_traffic().of("matmul/03_shared_tile"), nullptr);  // what may be chosen next
  EXPECT_EQ(model().ladder_traffic().of("matmul/10_async_pipeline"), nullptr);
  model().count_steps(true, false);
  settle();
  for (const auto* step : model().steps())
    EXPECT_NE(model().ladder_traffic().of(step->id), nullptr) << step->id;
  model().choose_kernel("matmul/03_shared_tile");
  settle();
  expect_right();
  EXPECT_LT(model().ladder_traffic().of("matmul/03_shared_tile")->global_sectors,
            model().ladder_traffic().of("matmul/01_naive")->global_sectors);
}

// The list says which size its numbers are of.
TEST_F(ModelTest, NumbersOfTheListGoWithTheirSize) {
  open();
  EXPECT_NE(model().ladder_traffic().of("matmul/02_coalesced"), nullptr);
  model().set_size("M", 96);
  model().update();
  EXPECT_EQ(model().ladder_traffic().of("matmul/02_coalesced"), nullptr);
  settle();
  EXPECT_NE(model().ladder_traffic().of("matmul/02_coalesced"), nullptr);
}

TEST_F(ModelTest, AnotherLadderHasItsOwnProblemAndSize) {
  open();
  model().choose_ladder("transpose");
  EXPECT_EQ(state().kernel, "transpose/01_naive");
  model().set_size("M", 96);
  model().set_size("N", 32);
  settle();
  expect_right();
  EXPECT_EQ(model().sizes(), (std::vector<std::pair<std::string, std::int64_t>>{{"M", 96}, {"N", 32}}));
}

// A size that was chosen stays in the ladder; one that nobody chose is that of each step.
TEST_F(ModelTest, AStepOfAnotherProblemOpensAtItsOwnSize) {
  State start;
  start.kernel = "latency/04_local_array", start.size = {{"N", 270'336}};
  open(start);
  model().choose_kernel("latency/05_dependent_loads");
  EXPECT_EQ(state().size, (catalog::Values{{"N", 16'896}}));
  model().set_size("N", 8'192);
  model().choose_kernel("latency/06_independent_loads");
  EXPECT_EQ(state().size, (catalog::Values{{"N", 8'192}}));
}

TEST_F(ModelTest, KeepsTheValuesOfAKernelThatIsLeft) {
  State start;
  start.kernel = "matmul/03_shared_tile";
  open(start);
  model().set_parameter("TILE", 8);
  settle();
  expect_right();
  EXPECT_EQ(plan().launch.block[0], 8u);
  EXPECT_EQ(model().sliders().front().value, 8);
  model().choose_step(1);
  model().choose_step(-1);
  EXPECT_EQ(state().params.at("TILE"), 8);
}

// 64 x 32 threads are more than a block may have: the run before stays, and a valid value is followed again.
TEST_F(ModelTest, SaysWhatIsWrongWithValuesAndGoesOnFromThere) {
  open();
  const run::Run* before = model().run();
  model().set_parameter("BLOCK_X", 64);
  settle();
  ASSERT_TRUE(model().error());
  EXPECT_THAT(to_line(*model().error()), HasSubstr("1024"));
  EXPECT_EQ(model().run(), before);
  EXPECT_FALSE(model().is_current());
  model().set_parameter("BLOCK_Y", 8);
  settle();
  expect_right();
  model().set_parameter("BLOCK_X", 32);
  model().set_parameter("BLOCK_Y", 32);
  settle();
  expect_right();
  EXPECT_EQ(model().run(), before);  // kept, not made again
}

TEST_F(ModelTest, ValuesThatAKernelCannotHaveFallBackToItsOwn) {
  State start;
  start.params = {{"BLOCK_X", 7}, {"NONE", 3}};
  open(start);
  EXPECT_EQ(state().params, (catalog::Values{{"BLOCK_X", 32}, {"BLOCK_Y", 32}}));
  expect_right();
}

TEST_F(ModelTest, ASizeIsOneOrMore) {
  open();
  model().set_size("M", 0);
  EXPECT_EQ(state().size.at("M"), 64);
  model().set_size("M", 35);
  settle();
  expect_right();
  EXPECT_EQ(plan().sizes.at("M"), 35);
}

TEST_F(ModelTest, BlockWarpAndAccessStayWithinTheRun) {
  open();
  state().selection = {.block = 3, .warp = 31, .step = 128};
  settle();
  EXPECT_EQ(state().selection, (Selection{.block = 3, .warp = 31, .step = 128}));
  ASSERT_TRUE(model().access());
  EXPECT_EQ(model().access()->kind, emulator::AccessKind::store);  // of C, the kernel's last access
  model().move_step(1);
  EXPECT_EQ(state().selection.step, 128u);
  model().move_step(-500);
  EXPECT_EQ(state().selection.step, 0u);
  state().selection = {.block = 99, .warp = 99, .step = 9999};
  settle();
  EXPECT_LT(state().selection.block, model().blocks());
  EXPECT_EQ(state().selection.warp, 31u);
  EXPECT_EQ(state().selection.step, 128u);
}

TEST_F(ModelTest, ALineOfTheSourceIsFoundAgainAndAgain) {
  open();
  ASSERT_TRUE(model().access());
  const int line = figures::line_of(*model().run(), model().access()->pc);
  ASSERT_GT(line, 0);
  for (int round = 0; round < 3; ++round) {
    const auto before = state().selection.step;
    model().choose_line(line);
    EXPECT_NE(state().selection.step, before);
    EXPECT_EQ(figures::line_of(*model().run(), model().access()->pc), line);
  }
}

// 512 threads a block there: the values give way, and come back with a device that takes them.
TEST_F(ModelTest, ADeviceThatTakesLessGetsTheNearestValues) {
  open();
  model().choose_device("1.0");
  settle();
  expect_right();
  EXPECT_EQ(state().device, "cc1.0");
  EXPECT_LE(catalog::threads_in_block(plan().launch), 512u);
  EXPECT_THAT(model().gave_way(), HasSubstr("512 threads"));
  model().choose_device("h100");
  model().set_parameter("BLOCK_X", 32);
  model().set_parameter("BLOCK_Y", 32);
  settle();
  expect_right();
  EXPECT_EQ(model().gave_way(), "");
}

TEST_F(ModelTest, ANameThatThereIsNotChangesNothing) {
  open();
  const State before = state();
  model().choose_device("h1000");
  ASSERT_TRUE(model().error());
  EXPECT_THAT(model().error()->message, HasSubstr("h1000"));
  EXPECT_EQ(state(), before);
  model().choose_kernel("matmul/99");
  EXPECT_EQ(state(), before);
  State unknown = before;
  unknown.kernel = "matmul/99";
  EXPECT_FALSE(model().adopt(unknown));
  unknown = before;
  unknown.device = "h1000";
  EXPECT_FALSE(model().adopt(unknown));
  EXPECT_EQ(state(), before);
  State other = before;
  other.kernel = "matmul/02_coalesced";
  other.size = {{"M", 32}, {"N", 32}, {"K", 32}};
  ASSERT_TRUE(model().adopt(other));
  settle();
  expect_right();
}

TEST_F(ModelTest, ARunThatWasCancelledStartsAgain) {
  open();
  model().cancel();
  ASSERT_TRUE(model().error());
  EXPECT_FALSE(model().is_current());
  model().run_again();
  settle();
  expect_right();
}

// A kernel that reads where nothing is, then one beside it that is right, then the first one mended in its
// file.
TEST_F(ModelTest, GoesOnAfterAKernelThatFaults) {
  const auto kernel = [](const std::string& body) {
    return "/*---\ntitle = \"Test\"\nproblem = \"transpose\"\nidea = \"A test\"\nwatch = \"Nothing\"\n"
           "source = \"none\"\n[launch]\nblock = [\"8\", \"8\"]\ngrid = [\"ceil_div(N, 8)\", "
           "\"ceil_div(M, 8)\"]\n---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int "
           "M, "
           "int N) {\n  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
           "  if (x < N && y < M) out[x * M + y] = " +
           body + ";\n}\n";
  };
  const TestFolder home;
  std::filesystem::create_directories(home / "kernels" / "test");
  std::filesystem::copy(source_path("assets"), home / "assets", std::filesystem::copy_options::recursive);
  home.write("kernels/test/01_fault.cu", kernel("in[y * N + x + 1000000]"));
  home.write("kernels/test/02_right.cu", kernel("in[y * N + x]"));
  State start;
  start.kernel = "test/01_fault";
  start.size = {{"M", 24}, {"N", 16}};
  open(start, {.home = home.path().string()});
  ASSERT_TRUE(model().error());
  EXPECT_EQ(model().error()->place.line, 13);
  model().choose_step(1);
  settle();
  expect_right();
  model().choose_step(-1);
  settle();
  ASSERT_TRUE(model().error());
  home.write("kernels/test/01_fault.cu", kernel("in[y * N + x] /* mended */"));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (model().error() && std::chrono::steady_clock::now() < end) {
    model().look_for_changes();
    settle();
  }
  expect_right();
  model_.reset();  // before its folder
}

class ComparisonTest : public ModelTest {
 protected:
  void open(State state = {}) {
    state.view.page = Page::compare;
    ModelTest::open(std::move(state));
    if (HasFatalFailure()) return;
    comparison_ = std::make_unique<Comparison>(model(), [] {});
    settle();
  }
  void TearDown() override { comparison_.reset(); }
  Comparison& comparison() { return *comparison_; }
  void expect_sides(const std::string& left, const std::string& right) {
    for (const auto& [side, kernel] : {std::pair(Side::left, left), std::pair(Side::right, right)}) {
      ASSERT_NE(comparison().run(side), nullptr) << kernel;
      EXPECT_FALSE(comparison().error(side)) << kernel;
      EXPECT_EQ(comparison().run(side)->plan().spec.id, kernel);
      EXPECT_TRUE(comparison().run(side)->report.verified);
    }
  }
};

TEST_F(ComparisonTest, ChoosesTheStateKernelAndTheStepBefore) {
  State start;
  start.kernel = "matmul/03_shared_tile";
  open(start);
  expect_sides("matmul/02_coalesced", "matmul/03_shared_tile");
  EXPECT_GE(comparison().candidates().size(), 10u);
  EXPECT_FALSE(comparison().sources().rows.empty());
}

TEST_F(ComparisonTest, SwapsItsSides) {
  open();
  comparison().set_parameter(Side::right, "BLOCK_X", 16);
  settle();
  expect_sides("matmul/01_naive", "matmul/02_coalesced");
  comparison().swap_sides();
  settle();
  expect_sides("matmul/02_coalesced", "matmul/01_naive");
  EXPECT_EQ(comparison().run(Side::left)->plan().parameters.at("BLOCK_X"), 16);
  EXPECT_EQ(comparison().sliders(Side::left).front().value, 16);
}

TEST_F(ComparisonTest, GoesFromKernelToKernelAndKeepsTheirValues) {
  open();
  comparison().choose_kernel(Side::right, "matmul/03_shared_tile");
  comparison().set_parameter(Side::right, "TILE", 8);
  settle();
  expect_sides("matmul/01_naive", "matmul/03_shared_tile");
  comparison().choose_next(Side::right, -1);
  settle();
  expect_sides("matmul/01_naive", "matmul/02_coalesced");
  comparison().choose_next(Side::right, 1);
  settle();
  EXPECT_EQ(comparison().run(Side::right)->plan().parameters.at("TILE"), 8);
  comparison().choose_next(Side::left, -1);  // there is none before the first
  EXPECT_EQ(state().compare.left.kernel, "matmul/01_naive");
}

TEST_F(ComparisonTest, AnInvalidValueOfOneSideLeavesTheOtherAlone) {
  open();
  comparison().set_parameter(Side::left, "BLOCK_X", 64);
  settle();
  ASSERT_TRUE(comparison().error(Side::left));
  EXPECT_THAT(to_line(*comparison().error(Side::left)), HasSubstr("1024"));
  EXPECT_FALSE(comparison().error(Side::right));
  comparison().set_parameter(Side::left, "BLOCK_X", 32);
  settle();
  expect_sides("matmul/01_naive", "matmul/02_coalesced");
}

TEST_F(ComparisonTest, MovesBothSidesByShareOrByNumber) {
  State start;
  start.compare.left.kernel = "matmul/01_naive";
  start.compare.right.kernel = "matmul/03_shared_tile";
  open(start);
  const std::size_t left = comparison().steps(Side::left), right = comparison().steps(Side::right);
  ASSERT_NE(left, right);
  comparison().move_step(100'000);
  EXPECT_EQ(comparison().selection(Side::left).step, left - 1);
  EXPECT_EQ(comparison().selection(Side::right).step, right - 1);
  state().compare.pace = Pace::number;
  state().compare.step = 3;
  EXPECT_EQ(comparison().selection(Side::left).step, 3u);
  EXPECT_EQ(comparison().selection(Side::right).step, 3u);
  comparison().move_step(-10);
  EXPECT_EQ(state().compare.step, 0u);
}

TEST_F(ComparisonTest, BlockAndWarpAreThoseOfTheSideThatHasMore) {
  State start;
  start.compare.left.kernel = "matmul/01_naive";
  start.compare.right = {"matmul/03_shared_tile", {{"TILE", 8}}};
  open(start);
  EXPECT_EQ(comparison().blocks(), 64u);
  EXPECT_EQ(comparison().warps(), 32u);
  state().compare.block = 99;
  state().compare.warp = 99;
  settle();
  EXPECT_EQ(state().compare.block, 63u);
  EXPECT_EQ(state().compare.warp, 31u);
}

TEST_F(ComparisonTest, FollowsTheSizeAndTheDevice) {
  open();
  model().set_size("K", 32);
  model().choose_device("a100");
  settle();
  expect_sides("matmul/01_naive", "matmul/02_coalesced");
  for (const Side side : kBothSides) {
    EXPECT_EQ(comparison().run(side)->plan().sizes.at("K"), 32);
    EXPECT_EQ(comparison().run(side)->device().id, "a100");
  }
}

}  // namespace
}  // namespace warplens::app
