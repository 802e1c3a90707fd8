// A whole program in the window: offered, run when it is asked for, and its launches opened with their own data.
#include <gmock/gmock.h>

#include <cstring>

#include "app/base/paths.hpp"
#include "app/gpu/time_text.hpp"
#include "app/program/program_setup.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/file_wishes.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/program/program_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/problem/recorded_problem.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr;
using Phase = ProgramRun::Stage;

// Adds, then scales twice by a constant of the device, every second element alone.
constexpr const char* kProgram = R"(#include <cstdio>
#include <cstdlib>
__constant__ float by;
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void scale(float* c, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = by * c[i];
}
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *a, *b, *c, three = 3;
  float* host = (float*)malloc(n * sizeof(float));
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(by, &three, sizeof three);
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  scale<<<(n + 511) / 512, 256>>>(c, n);
  scale<<<(n + 511) / 512, 256>>>(c, n);
  cudaMemcpy(host, c, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("c[%d] = %g\n", n - 2, host[n - 2]);
}
)";

class ProgramWindowTest : public StageTest {
 protected:
  static void SetUpTestSuite() { cache_ = std::make_unique<TestFolder>(); }
  static void TearDownTestSuite() { cache_.reset(); }
  // Skips where there is no nvcc.
  void open_program(const std::string& text = kProgram) {
    if (const auto nvcc = nvcc_of(read_environment(), source_path()); !nvcc)
      GTEST_SKIP() << to_line(nvcc.error());
    folder_.write("scale.cu", text);
    file_ = (folder_ / "scale.cu").string();
    open(small_problem(), {.home = source_path(), .cache = cache_->path().string()});
    if (IsSkipped() || HasFatalFailure()) return;
    open_file(file_);
  }
  void open_file(const std::string& file) {
    Wishes wishes;
    wishes.open_file = file;
    grant_files(wishes, model(), stage_->interface(), [] { return scene::Raster(); });
    ASSERT_TRUE(stage_->settle());
  }
  ProgramSession& session() { return stage_->interface().pages().get<ProgramPage>().session(); }
  const program::ProgramRecord& record() { return *session().record(); }
  bool has(std::string_view mark) { return stage_->find(mark).has_value(); }
  void press(compat::Key key, bool control = false) {
    ASSERT_TRUE(stage_->press(key, control));
    ASSERT_TRUE(stage_->settle());
  }
  // By Tab.
  bool go_to(std::string_view name) {
    for (int i = 0; i < 80; ++i) {
      const auto focus = stage_->find("focus"), place = stage_->find(name);
      if (focus && place && *focus == *place) return true;
      press(compat::Key::tab);
    }
    return false;
  }
  // What the shown run's array holds before it.
  std::vector<float> floats(std::string_view name) {
    const problem::Instance& instance = *model().run()->job->instance;
    for (std::size_t b = 0; b < instance.buffers().size(); ++b) {
      if (instance.buffers()[b].name != name) continue;
      const auto bytes = instance.initial(b);
      std::vector<float> values(bytes.size() / sizeof(float));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      return values;
    }
    ADD_FAILURE() << "no array " << name;
    return {};
  }

  inline static std::unique_ptr<TestFolder> cache_;  // of all tests here
  TestFolder folder_;
  std::string file_;
};

#define OPEN_PROGRAM(...)    \
  open_program(__VA_ARGS__); \
  if (IsSkipped() || HasFatalFailure()) return

TEST(ProgramText, AProgramDefinesMain) {
  EXPECT_TRUE(is_program(kProgram));
  EXPECT_TRUE(is_program("int main() {}"));
  EXPECT_TRUE(is_program("auto main(int argc, char** argv) -> int\n{ return f(main_size); }") ||
              !is_program("int main();"));
  EXPECT_FALSE(is_program("int main();  // declared alone"));
  EXPECT_FALSE(is_program("// int main() {}\n__global__ void k(float* a) { a[0] = 1; }"));
  EXPECT_FALSE(is_program("void run() { domain(3); main(); { } }"));
}

TEST(ProgramText, ArgumentsStandBetweenSpaces) {
  EXPECT_EQ(words_of(" 64  'a b' -x=\"c d\" "), (std::vector<std::string>{"64", "a b", "-x=c d"}));
  EXPECT_TRUE(words_of("").empty());
}

TEST_F(ProgramWindowTest, AProgramIsOfferedAndDoesNotRunUnasked) {
  OPEN_PROGRAM();
  EXPECT_EQ(state().view.page, Page::program);
  EXPECT_TRUE(has("program/offer"));
  EXPECT_EQ(session().now().stage, Phase::none);
  EXPECT_EQ(session().record(), nullptr);
}

TEST_F(ProgramWindowTest, ItsKernelsAndLaunchesAreListed) {
  OPEN_PROGRAM();
  ASSERT_TRUE(click("program/offer run"));
  ASSERT_TRUE(stage_->find("says/Exit code 0")) << stage_->find("program/says").has_value();
  EXPECT_EQ(session().now().output, "c[998] = 17964\n");
  ASSERT_EQ(record().launches.size(), 3u);
  EXPECT_EQ(record().kernels.size(), 2u);
  EXPECT_EQ(record().copy_list.size(), 4u);
  EXPECT_TRUE(has("program/kernel 1") && has("program/kernel 2") && has("program/strip") &&
              has("program/output"));
  EXPECT_FALSE(has("program/offer"));
}

// Which ends it, and is what was found.
TEST_F(ProgramWindowTest, TheCauseOfADeathComesFirst) {
  OPEN_PROGRAM(R"(__global__ void fill(float* a) { a[threadIdx.x] = 1; }
int main() {
  float* a;
  cudaMalloc(&a, 32 * sizeof(float));
  fill<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  return a[0] > 0 ? 0 : 1;
}
)");
  ASSERT_TRUE(click("program/offer run"));
  EXPECT_TRUE(has("says/Ended by Segmentation fault: the host's own code used a device pointer"));
  EXPECT_TRUE(has("program/found 1"));
}

TEST_F(ProgramWindowTest, ArgumentsAreTheProgramsOwn) {
  OPEN_PROGRAM();
  ASSERT_TRUE(click("program/arguments"));
  ASSERT_TRUE(stage_->type("2000"));
  ASSERT_TRUE(click("program/run"));
  EXPECT_EQ(state().program.arguments, "2000");
  EXPECT_EQ(session().now().output, "c[1998] = 35964\n");
}

// The sum of the numbers on stdin, and of those in a file that the first word names.
constexpr const char* kSums = R"(#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
  int sum = 0, one = 0;
  while (std::scanf("%d", &one) == 1) sum += one;
  std::printf("read %d", sum);
  if (FILE* file = argc > 1 ? std::fopen(argv[1], "r") : nullptr)
    if (std::fscanf(file, "%d", &one) == 1) std::printf(" and %d", one);
  if (argc > 2 && std::atoi(argv[2]) == 1) for (;;) std::puts("on and on and on and on and on and on and on and on");
  if (argc > 2 && std::atoi(argv[2]) == 2) for (volatile int i = 0;; i = i + 1) {}
}
)";

TEST_F(ProgramWindowTest, WhatItReadsOnStdinIsTyped) {
  OPEN_PROGRAM(kSums);
  press(compat::Key::f5);
  EXPECT_EQ(session().now().output, "read 0") << "an end at once";
  EXPECT_FALSE(has("program/input"));
  ASSERT_TRUE(click("program/settings"));
  ASSERT_TRUE(click("program/input"));
  ASSERT_TRUE(stage_->type("30"));
  press(compat::Key::enter);
  ASSERT_TRUE(stage_->type("4"));
  ASSERT_TRUE(click("program/run"));
  EXPECT_EQ(state().program.input, "30\n4");
  EXPECT_EQ(session().now().output, "read 34");
}

TEST_F(ProgramWindowTest, InputAndLimitsAreReachedByKeysAlone) {
  OPEN_PROGRAM(kSums);
  ASSERT_TRUE(go_to("program/settings"));
  press(compat::Key::enter);
  EXPECT_TRUE(state().program.settings);
  ASSERT_TRUE(go_to("program/input"));
  press(compat::Key::enter);
  ASSERT_TRUE(stage_->type("7 8"));
  press(compat::Key::enter, true);  // Ctrl+Enter leaves it
  EXPECT_EQ(state().program.input, "7 8");
  ASSERT_TRUE(go_to("program/limit time"));
  press(compat::Key::enter);
  press(compat::Key::a, true);
  ASSERT_TRUE(stage_->type("12.5"));
  press(compat::Key::enter);
  EXPECT_EQ(state().program.limits.seconds, 12.5);
  press(compat::Key::f5);
  EXPECT_EQ(session().now().output, "read 15");
  EXPECT_EQ(session().now().limits.seconds, 12.5);
}

TEST_F(ProgramWindowTest, StdinIsAFileAndMoreFoldersAreReadWhereThatIsAllowed) {
  OPEN_PROGRAM(kSums);
  folder_.write("numbers.txt", "1 2 3\n");
  TestFolder elsewhere;
  elsewhere.write("more.txt", "99\n");
  state().program.arguments = (elsewhere / "more.txt").string();
  ASSERT_TRUE(click("program/settings"));
  ASSERT_TRUE(click("program/input file"));
  ASSERT_TRUE(click("file/numbers.txt"));
  EXPECT_EQ(state().program.input_file, (folder_ / "numbers.txt").string());
  press(compat::Key::f5);
  EXPECT_EQ(session().now().output, session().is_confined() ? "read 6" : "read 6 and 99");
  if (!session().is_confined()) return;
  ASSERT_TRUE(click("program/read"));
  ASSERT_TRUE(stage_->type(elsewhere.path().string()));
  ASSERT_TRUE(click("program/run"));
  EXPECT_EQ(session().now().output, "read 6 and 99");
  ASSERT_TRUE(click("program/input typed"));
  EXPECT_EQ(state().program.input_file, "");
  state().program.input_file = "/nowhere/numbers.txt";
  press(compat::Key::f5);
  ASSERT_TRUE(session().now().error);
  EXPECT_THAT(session().now().error->message, HasSubstr("/nowhere/numbers.txt"));
}

TEST_F(ProgramWindowTest, AFolderIsChosenWithTheDialog) {
  OPEN_PROGRAM(kSums);
  if (!session().is_confined()) GTEST_SKIP() << "this Linux has no Landlock";
  ASSERT_TRUE(click("program/settings"));
  ASSERT_TRUE(click("program/write folder"));
  ASSERT_TRUE(click("files/choose"));
  EXPECT_EQ(state().program.write, folder_.path().string());
}

TEST_F(ProgramWindowTest, ALimitThatEndedItIsSaidWithWhatHelps) {
  OPEN_PROGRAM(kSums);
  ASSERT_TRUE(click("program/settings"));
  ASSERT_TRUE(click("program/limit output"));
  press(compat::Key::a, true);
  ASSERT_TRUE(stage_->type("0.01"));
  state().program.arguments = "none 1";
  ASSERT_TRUE(click("program/run"));
  EXPECT_TRUE(has(
      "says/Stopped: it wrote more than 0.01 GiB; raise “Output” under Input and limits and run it again"));
  EXPECT_EQ(session().now().end.limit, LimitId::output);
  state().program.arguments = "none 2";
  state().program.limits.seconds = 1;
  press(compat::Key::f5);
  EXPECT_TRUE(has(
      "says/Stopped: it took longer than a second; raise “Time” under Input and limits and run it again"));
}

TEST_F(ProgramWindowTest, ALimitThatIsNoneStaysAsItWas) {
  OPEN_PROGRAM(kSums);
  ASSERT_TRUE(click("program/settings"));
  ASSERT_TRUE(click("program/limit time"));
  press(compat::Key::a, true);
  ASSERT_TRUE(stage_->type("never"));
  EXPECT_EQ(state().program.limits.seconds, 3600);
  ASSERT_TRUE(click("program/limit memory"));
  ASSERT_TRUE(stage_->type("2"));
  EXPECT_EQ(state().program.limits.memory_gb, 2);
  press(compat::Key::backspace);
  EXPECT_EQ(state().program.limits.memory_gb, 0) << "the device's again";
}

TEST_F(ProgramWindowTest, ALaunchOpensWithItsOwnDataByKeysAlone) {
  OPEN_PROGRAM();
  press(compat::Key::f5);
  ASSERT_EQ(record().launches.size(), 3u);
  press(compat::Key::enter);
  ASSERT_NE(model().launch(), nullptr);
  EXPECT_EQ(state().view.page, Page::ladder);
  ASSERT_NE(model().run(), nullptr) << to_line(model().error().value_or(Error{}));
  EXPECT_FALSE(model().error());
  EXPECT_FLOAT_EQ(floats("a")[999], 999);
  EXPECT_EQ(model().run()->plan().launch.grid[0], 4u);
  const emulator::Counts& counts = model().run()->report.counts;
  EXPECT_EQ(counts.global_load.sectors, record().launches[0].counts.global_load.sectors);
  EXPECT_EQ(counts.warp_instructions, record().launches[0].counts.warp_instructions);
  EXPECT_EQ(model().run()->report.check, run::CheckState::done);
  EXPECT_TRUE(model().run()->report.findings.empty());
  EXPECT_FALSE(model().run()->report.is_wrong());
  EXPECT_FALSE(model().events().empty());
  EXPECT_TRUE(has("program/back"));
  EXPECT_TRUE(has("speed/time " + time_words(record().launches[0].predicted_seconds)));
  press(compat::Key::escape);
  EXPECT_EQ(state().view.page, Page::program);
  press(compat::Key::page_down);
  press(compat::Key::enter);
  EXPECT_EQ(model().run()->plan().spec.kernel, "scale");
  EXPECT_FLOAT_EQ(floats("c")[998], 1996);
}

// A macro in kernel and launch, and a template's argument. It compiles above 4, and its result is right up to 100.
constexpr const char* kTiles = R"(#define TILE 16
static_assert(TILE > 4, "a tile that is too small");
template <int STEP>
__global__ void fill(int* a) {
  __shared__ int tile[TILE];
  tile[threadIdx.x] = STEP;
  __syncthreads();
  a[blockIdx.x * TILE + threadIdx.x] = tile[TILE - 1 - threadIdx.x];
}
__global__ void other(int* a) { a[threadIdx.x] += 1; }
int main() {
  int* a;
  cudaMalloc(&a, 1 << 16);
  other<<<1, 32>>>(a);
  fill<3><<<4, TILE>>>(a);
  cudaDeviceSynchronize();
  return TILE > 100 ? 1 : 0;
}
)";

TEST_F(ProgramWindowTest, AMacroIsASliderThatCompilesTheProgramAgain) {
  OPEN_PROGRAM(kTiles);
  press(compat::Key::f5);
  press(compat::Key::end);
  press(compat::Key::enter);
  ASSERT_EQ(model().run()->plan().launch.block[0], 16u);
  ASSERT_TRUE(has("value/TILE") && has("value/STEP@15"));
  ASSERT_TRUE(stage_->drag("value/TILE", 0.625, 0.75));  // 16, 17, 32
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().program.values, (catalog::Values{{"TILE", 32}}));
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(model().run()->plan().launch.block[0], 32u);
  EXPECT_THAT(model().spec().code, HasSubstr("#define TILE 32"));
  EXPECT_EQ(model().spec().path, file_) << "lines are those of the file";
  EXPECT_TRUE(has("values/With TILE = 32 it ends as before, with exit code 0"));
  ASSERT_TRUE(stage_->drag("value/TILE", 0.75, 1));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has(
      "values/With TILE = 128 its result is not what it was: exit code 1 now, exit code 0 as it is written"));
  ASSERT_TRUE(click("values/as written"));
  EXPECT_EQ(model().run()->plan().launch.block[0], 16u);
  EXPECT_TRUE(state().program.values.empty());
  EXPECT_EQ(*read_whole_file(file_), kTiles) << "the file stays as it is";
}

TEST_F(ProgramWindowTest, ATemplatesArgumentIsASliderByKeys) {
  OPEN_PROGRAM(kTiles);
  press(compat::Key::f5);
  press(compat::Key::end);
  press(compat::Key::enter);
  ASSERT_EQ(model().spec().kernel, "fill<3>");
  ASSERT_TRUE(go_to("value/STEP@15"));
  press(compat::Key::right);
  EXPECT_EQ(model().spec().kernel, "fill<4>");
  EXPECT_EQ(state().program.launch, 2);
  press(compat::Key::escape);
  EXPECT_TRUE(has("program/as written"));
  ASSERT_TRUE(click("program/as written"));
  EXPECT_FALSE(has("program/as written"));
  EXPECT_EQ(record().kernels[1].title, "fill<3>");
}

TEST_F(ProgramWindowTest, AValueThatDoesNotCompileIsSaidBesideItsSlider) {
  OPEN_PROGRAM(kTiles);
  press(compat::Key::f5);
  press(compat::Key::end);
  press(compat::Key::enter);
  ASSERT_TRUE(stage_->drag("value/TILE", 0.5, 0));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().program.values.at("TILE"), 2);
  EXPECT_EQ(state().view.page, Page::ladder);
  const std::string words = session().value_words().text;
  EXPECT_THAT(words, HasSubstr("With TILE = 2 this launch cannot be shown"));
  EXPECT_THAT(words, HasSubstr("a tile that is too small"));
  EXPECT_EQ(model().run()->plan().launch.block[0], 16u);
}

TEST_F(ProgramWindowTest, WhereNothingCanBeVariedItIsSaid) {
  OPEN_PROGRAM(kTiles);
  press(compat::Key::f5);
  press(compat::Key::home);
  press(compat::Key::enter);
  ASSERT_EQ(model().spec().kernel, "other");
  EXPECT_TRUE(has("values/none"));
  EXPECT_FALSE(has("value/TILE"));
}

TEST_F(ProgramWindowTest, EveryFigureIsDrawnOfALaunch) {
  OPEN_PROGRAM();
  press(compat::Key::f5);
  press(compat::Key::enter);
  for (const figures::Figure& figure : figures::pictures()) {
    state().view.figure = std::string(figure.id);
    ASSERT_TRUE(stage_->settle()) << figure.id;
    EXPECT_EQ(stage_->interface().notice(), nullptr) << figure.id;
    EXPECT_FALSE(model().error()) << figure.id;
  }
}

TEST_F(ProgramWindowTest, MemoryOfALaterLaunchIsKeptByRunningAgain) {
  OPEN_PROGRAM();
  press(compat::Key::f5);
  press(compat::Key::end);
  EXPECT_EQ(state().program.launch, 3);
  EXPECT_THAT(session().why_not(2), HasSubstr("was not kept"));
  EXPECT_TRUE(session().may_be_kept(2));
  ASSERT_TRUE(click("program/open"));
  ASSERT_NE(model().launch(), nullptr);
  EXPECT_FLOAT_EQ(floats("c")[998], 1996 * 3) << "scaled once";
}

TEST_F(ProgramWindowTest, WhatNvccRefusesIsSaidInASentence) {
  OPEN_PROGRAM("int main() {\n  return none;\n}\n");
  press(compat::Key::f5);
  ASSERT_TRUE(session().now().error);
  EXPECT_EQ(session().now().error->place.line, 2);
  EXPECT_THAT(session().now().error->message, HasSubstr("none"));
  EXPECT_TRUE(has("program/says"));
  EXPECT_FALSE(has("program/strip"));
}

TEST_F(ProgramWindowTest, AFaultAndItsLineAreSaidAndTheLaunchOpensWhereItStopped) {
  std::string text = kProgram;
  const std::string right = "if (i < n) c[i] = a[i] + b[i];";
  text.replace(text.find(right), right.size(), "c[i + n] = a[i] + b[i];");
  OPEN_PROGRAM(text);
  press(compat::Key::f5);
  ASSERT_FALSE(record().kernels.empty());
  EXPECT_TRUE(check::has_error(record().kernels[0].findings));
  EXPECT_TRUE(has("program/notes"));
  press(compat::Key::enter);
  ASSERT_NE(model().launch(), nullptr);
  ASSERT_TRUE(model().error());
  EXPECT_EQ(model().error()->place.line, 6);
}

TEST_F(ProgramWindowTest, EscapeStopsAProgramThatDoesNotEnd) {
  OPEN_PROGRAM("#include <cstdio>\nint main() { volatile int on = 1; while (on) {} }\n");
  ASSERT_TRUE(stage_->press(compat::Key::f5));
  while (session().now().stage != Phase::running) ASSERT_TRUE(session().is_busy() && stage_->frame());
  press(compat::Key::escape);
  EXPECT_EQ(session().now().end.stop, Stop::by_user);
  EXPECT_EQ(state().view.page, Page::program);
}

TEST_F(ProgramWindowTest, WhatIsKeptOpensTheProgramWithoutRunningIt) {
  OPEN_PROGRAM();
  press(compat::Key::f5);
  press(compat::Key::enter);
  ASSERT_NE(model().launch(), nullptr);
  const auto kept = parse_state(to_toml(model().state_to_keep()), "state");
  ASSERT_TRUE(kept) << to_line(kept.error());
  EXPECT_EQ(kept->kernel, small_problem().kernel);
  EXPECT_EQ(kept->view.page, Page::program);
  EXPECT_EQ(kept->program, (ProgramState{.file = file_, .launch = 1}));
  stage_.reset();
  OPEN_STAGE(*kept);
  EXPECT_TRUE(has("program/offer"));
  EXPECT_EQ(session().record(), nullptr);
}

TEST_F(ProgramWindowTest, ItIsEditedSavedAndRunAgain) {
  OPEN_PROGRAM();
  press(compat::Key::f5);
  press(compat::Key::enter);
  const std::string first = state().kernel;
  folder_.write("scale.cu",
                std::string(kProgram).replace(std::string(kProgram).find("three = 3"), 9, "three = 5"));
  session().look_for_changes();
  EXPECT_TRUE(session().has_changed());
  session().run();
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(session().now().output, "c[998] = 49900\n");
  EXPECT_FALSE(session().has_changed());
  ASSERT_NE(model().launch(), nullptr) << "the launch that was shown is shown again";
  EXPECT_NE(state().kernel, first);
  EXPECT_EQ(state().view.page, Page::ladder);
}

TEST_F(ProgramWindowTest, TheEditorHasItsFileAndLeadsBack) {
  OPEN_PROGRAM();
  ASSERT_TRUE(click("program/edit"));
  ASSERT_TRUE(stage_->grant());
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().view.page, Page::edit);
  const auto& editor = stage_->interface().pages().get<EditPage>();
  EXPECT_EQ(editor.session().file(), file_);
  EXPECT_EQ(editor.page_behind(), Page::program);
}

TEST_F(ProgramWindowTest, OneKernelAloneIsStillGuessed) {
  OPEN_PROGRAM();
  ASSERT_TRUE(click("program/guess"));
  ASSERT_TRUE(stage_->grant());
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(state().kernel, file_);
  EXPECT_FALSE(model().spec().guessed.empty());
}

}  // namespace
}  // namespace warplens::app
