// The editor's page, driven as a student would drive it.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/base/compiler_options.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/file_wishes.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/edit/edit_panels.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/explain/doubt.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using compat::Key;
using testing::HasSubstr;

class EditTest : public StageTest {
 protected:
  void open(const std::string& kernel, int width = 1600, int height = 900) {
    State state = small_problem();
    state.kernel = kernel;
    state.view.page = Page::edit;
    state.view.width = width, state.view.height = height;
    StageTest::open(state);
    if (stage_ == nullptr) return;
    session().keep_in(folder_.path());
    ASSERT_TRUE(stage_->settle());
  }
  void TearDown() override { stage_.reset(); }  // before its folder

  EditPage& page() { return stage_->interface().pages().get<EditPage>(); }
  EditSession& session() { return page().session(); }
  TextEditor& editor() { return session().editor(); }
  bool settle() { return stage_->settle().has_value(); }
  bool shows(std::string_view mark) { return stage_->find(mark).has_value(); }

  // The program's own process for it, which stands beside this test.
  static std::vector<std::string> worker() {
    Environment environment;
    environment.executable = fs::read_symlink("/proc/self/exe").parent_path() / "warplens";
    return compile_worker_words(environment, {});
  }

  // The line, from 1, that begins with this behind its indentation.
  int line_of(std::string_view beginning) {
    for (int line = 0; line < editor().buffer().line_count(); ++line) {
      const std::string& text = editor().buffer().line(line);
      if (text.find(beginning) == text.find_first_not_of(' ') && text.find(beginning) != std::string::npos)
        return line + 1;
    }
    ADD_FAILURE() << "no line begins with " << beginning;
    return 1;
  }
  // The cursor to the end of that line, and the keyboard with it.
  int go_behind(std::string_view beginning) {
    const int line = line_of(beginning);
    page().view().show(line);
    EXPECT_TRUE(stage_->frame());
    EXPECT_TRUE(stage_->press(Key::end));
    return line;
  }
  void replace(std::string_view before, std::string_view after) {
    std::string text = editor().text();
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    editor().replace(text.replace(at, before.size(), after));
    ASSERT_TRUE(settle());
  }

  TestFolder folder_;
};

#define OPEN_EDITOR(...) \
  open(__VA_ARGS__);     \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(EditTest, AnErrorIsShownAtItsLineAndThePictureStays) {
  OPEN_EDITOR("matmul/03_shared_tile");
  EXPECT_TRUE(shows("edit/verdict/verified"));
  const int line = go_behind("float sum");
  ASSERT_TRUE(stage_->type(" flot y;"));
  EXPECT_FALSE(state().view.dark == false);  // letters are text, not keys
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/error/" + std::to_string(line)));
  EXPECT_TRUE(shows("edit/verdict/does not compile"));
  EXPECT_TRUE(shows("edit/problem/0"));
  EXPECT_TRUE(shows("edit/last good picture"));
  EXPECT_NE(page().canvas().shown(), nullptr);
  ASSERT_FALSE(session().marks().empty());
  EXPECT_THAT(session().marks()[0].message, HasSubstr("flot"));
  ASSERT_TRUE(stage_->press(Key::z, true));  // a word is one step
  ASSERT_TRUE(stage_->press(Key::z, true));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(session().marks().empty());
  EXPECT_TRUE(shows("edit/verdict/verified"));
  EXPECT_FALSE(shows("edit/last good picture"));
}

// Of a front matter too, which no compiler reads.
TEST_F(EditTest, AnErrorOfTheFrontMatterIsShownAtItsLine) {
  OPEN_EDITOR("matmul/03_shared_tile");
  const int line = go_behind("grid");
  ASSERT_TRUE(stage_->type("]"));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/error/" + std::to_string(line)));
  ASSERT_TRUE(stage_->press(Key::backspace));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/verdict/verified"));
}

// With the process that compiles what is typed.
TEST_F(EditTest, EveryErrorHasItsMark) {
  OPEN_EDITOR("matmul/01_naive");
  session().compile_with(worker());
  const int first = go_behind("extern");
  ASSERT_TRUE(stage_->press(Key::enter));
  ASSERT_TRUE(stage_->type("flot a;"));
  ASSERT_TRUE(stage_->press(Key::enter));
  ASSERT_TRUE(stage_->type("doble b;"));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/error/" + std::to_string(first + 1)));
  EXPECT_TRUE(shows("edit/error/" + std::to_string(first + 2)));
}

TEST_F(EditTest, AMissingSemicolonIsOneError) {
  OPEN_EDITOR("matmul/03_shared_tile");
  session().compile_with(worker());
  replace("B_tile[k][tx];", "B_tile[k][tx]");
  ASSERT_EQ(session().marks().size(), 1u) << session().marks().front().message;
  EXPECT_EQ(session().marks()[0].message, "expected a \";\" at the end of this line");
  EXPECT_EQ(session().marks()[0].line, line_of("sum += A_tile"));
}

TEST_F(EditTest, ASliderFollowsItsEditedDefault) {
  OPEN_EDITOR("matmul/03_shared_tile");
  const std::int64_t chosen = stage_->model().state.params.at("TILE");
  ASSERT_EQ(chosen, 32);
  replace("default = 32", "default = 16");
  EXPECT_EQ(stage_->model().state.params.at("TILE"), 16);
  stage_->model().set_parameter("TILE", 8);
  ASSERT_TRUE(settle());
  replace("default = 16", "default = 24");
  EXPECT_EQ(stage_->model().state.params.at("TILE"), 8);
  EXPECT_TRUE(shows("edit/verdict/verified"));
}

TEST_F(EditTest, ARaceIsTheVerdictAndNothingIsPraised) {
  OPEN_EDITOR("matmul/03_shared_tile");
  replace("    __syncthreads();  // nobody reads the tiles any more\n", "");
  EXPECT_TRUE(shows("edit/verdict/race"));
  EXPECT_EQ(explain::doubt(*stage_->model().run()), "it has a race");
  EXPECT_NE(explain::explain(*stage_->model().run()).verdict, explain::Verdict::good);
  session().compare();
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("compare/unfair"));
}

// Templates that double 24 times over.
TEST_F(EditTest, ATextWithoutAnEndIsLeftAsSoonAsItChanges) {
  OPEN_EDITOR("matmul/01_naive");
  session().compile_with(worker());
  go_behind("---*/");
  editor().paste(
      "\ntemplate <int N, int K> struct Twice {\n"
      "  static constexpr int v = Twice<N - 1, 2 * K>::v + Twice<N - 1, 2 * K + 1>::v;\n};\n"
      "template <int K> struct Twice<0, K> { static constexpr int v = 1; };\n"
      "__device__ int bomb = Twice<24, 0>::v;\n");
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(stage_->frame());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(shows("edit/verdict/compiling"));
  ASSERT_TRUE(editor().undo());
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(settle());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_TRUE(shows("edit/verdict/verified"));
}

TEST_F(EditTest, AChangedKernelOfTheProgramIsACopy) {
  OPEN_EDITOR("matmul/01_naive");
  EXPECT_TRUE(session().is_programs_own());
  EXPECT_EQ(state().kernel, "matmul/01_naive");
  const std::string before = editor().text();
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // mine"));
  ASSERT_TRUE(settle());
  const std::string file = (folder_ / "kernels/01_naive.cu").string();
  EXPECT_EQ(state().kernel, file);
  EXPECT_EQ(state().edit.original, "matmul/01_naive");
  EXPECT_EQ(model().steps().back()->id, file);  // in the ladder too
  EXPECT_TRUE(session().is_modified());
  EXPECT_FALSE(fs::exists(file));
  ASSERT_TRUE(stage_->press(Key::s, true));
  ASSERT_TRUE(settle());
  EXPECT_FALSE(session().is_modified());
  EXPECT_EQ(*read_whole_file(file), editor().text());
  EXPECT_EQ(*read_whole_file(source_path("kernels/matmul/01_naive.cu")), before);
}

TEST_F(EditTest, FindingsOfTheCheckersStandAtTheirLines) {
  OPEN_EDITOR("matmul/03_shared_tile");
  replace("__syncthreads();  // the tiles are complete", "");
  EXPECT_TRUE(shows("edit/verdict/race"));
  const auto race =
      std::ranges::find_if(session().marks(), [](const LineMark& mark) { return mark.other_line > 0; });
  ASSERT_NE(race, session().marks().end());
  EXPECT_TRUE(race->is_finding);
  EXPECT_FALSE(race->where.empty());
  EXPECT_TRUE(shows("edit/error/" + std::to_string(race->line)));
  const int line = race->line;
  const auto number = race - session().marks().begin();
  ASSERT_TRUE(click("edit/problem/" + std::to_string(number)));
  EXPECT_EQ(editor().cursor().line + 1, line);
  // The picture goes to an access of that line.
  const auto access = model().access();
  ASSERT_TRUE(access);
  EXPECT_EQ(model().run()->kernel_lines[access->pc], line);
}

TEST_F(EditTest, AParameterThatIsAddedIsASlider) {
  OPEN_EDITOR("matmul/03_shared_tile");
  EXPECT_TRUE(shows("param/TILE"));
  EXPECT_FALSE(shows("param/EXTRA"));
  replace("[params]\n", "[params]\nEXTRA = { default = 1, values = [1, 2], meaning = \"times\" }\n");
  EXPECT_TRUE(shows("param/EXTRA"));
  EXPECT_TRUE(shows("edit/verdict/verified"));
}

TEST_F(EditTest, AWarningStandsAtItsLine) {
  OPEN_EDITOR("matmul/03_shared_tile");
  const int line = go_behind("float sum");
  ASSERT_TRUE(stage_->type(" int unused;"));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/error/" + std::to_string(line)));
  ASSERT_EQ(session().marks().size(), 1u);
  EXPECT_EQ(session().marks()[0].severity, check::Severity::warning);
  EXPECT_TRUE(shows("edit/verdict/verified, 1 warning"));
}

TEST_F(EditTest, WhatWasTypedIsFoundAgain) {
  OPEN_EDITOR("matmul/01_naive");
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // never saved"));
  ASSERT_TRUE(settle());
  const std::string typed = editor().text(), file = state().kernel;
  stage_.reset();
  OPEN_EDITOR("matmul/02_coalesced");
  ASSERT_EQ(session().drafts().size(), 1u);
  ASSERT_TRUE(click("edit/draft/1"));
  EXPECT_EQ(editor().text(), typed);
  EXPECT_EQ(state().kernel, file);
  EXPECT_TRUE(session().is_restored());
  EXPECT_TRUE(shows("edit/verdict/verified"));
  ASSERT_TRUE(click("edit/restored/2"));
  EXPECT_EQ(editor().text(), *read_whole_file(source_path("kernels/matmul/01_naive.cu")));
}

TEST_F(EditTest, AFileThatChangedIsNotOverwritten) {
  const std::string kernel = *read_whole_file(source_path("kernels/matmul/01_naive.cu"));
  const std::string file = folder_.write("mine.cu", kernel).string();
  OPEN_EDITOR(file);
  // From outside while nothing was typed: read again.
  const auto change = [&](const std::string& text) {
    folder_.write("mine.cu", text);
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
    session().look_for_changes();
    return settle();
  };
  ASSERT_TRUE(change(kernel + "// outside\n"));
  EXPECT_THAT(editor().text(), HasSubstr("// outside"));
  // While something was typed: asked.
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // here"));
  ASSERT_TRUE(change(kernel + "// again\n"));
  EXPECT_TRUE(shows("edit/bar/question"));
  EXPECT_THAT(editor().text(), HasSubstr("// here"));
  EXPECT_FALSE(session().save());
  EXPECT_EQ(*read_whole_file(file), kernel + "// again\n");
  ASSERT_TRUE(settle());
  ASSERT_TRUE(click("edit/question/2"));
  EXPECT_EQ(editor().text(), kernel + "// again\n");
  ASSERT_TRUE(stage_->press(Key::z, true));
  EXPECT_THAT(editor().text(), HasSubstr("// here"));  // nothing is lost
  EXPECT_TRUE(session().save());
  EXPECT_EQ(*read_whole_file(file), editor().text());
}

TEST_F(EditTest, SavingAsAsksBeforeItOverwrites) {
  OPEN_EDITOR("matmul/01_naive");
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // mine"));
  const std::string other = folder_.write("other.cu", "theirs").string();
  EXPECT_FALSE(session().save_as(other));
  EXPECT_EQ(*read_whole_file(other), "theirs");
  ASSERT_TRUE(settle());
  ASSERT_TRUE(click("edit/question/1"));
  EXPECT_EQ(*read_whole_file(other), editor().text());
  EXPECT_FALSE(session().save_as(source_path("kernels/matmul/01_naive.cu")));
  EXPECT_FALSE(fs::exists(source_path("kernels/matmul/none.cu")));
}

TEST_F(EditTest, IsSavedUnderANameThatIsChosen) {
  OPEN_EDITOR("matmul/01_naive");
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // mine"));
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  ASSERT_TRUE(click("edit/file"));
  ASSERT_TRUE(click("edit/save as"));
  EXPECT_TRUE(stage_->click("files/save"));
  EXPECT_TRUE(stage_->grant());
  fs::current_path(before);
  ASSERT_TRUE(settle());
  EXPECT_EQ(*read_whole_file(folder_ / "01_naive.cu"), editor().text());
  EXPECT_EQ(state().kernel, (folder_ / "01_naive.cu").string());
  EXPECT_FALSE(session().is_modified());
}

TEST_F(EditTest, TheSameTextUnderAnotherNameKeepsItsSizes) {
  OPEN_EDITOR("matmul/01_naive");
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // mine"));
  ASSERT_TRUE(settle());
  model().set_size("M", 48);
  model().set_parameter("BLOCK_X", 16);
  ASSERT_TRUE(settle());
  ASSERT_TRUE(session().save_as(folder_ / "other.cu"));
  ASSERT_TRUE(settle());
  EXPECT_EQ(state().kernel, (folder_ / "other.cu").string());
  EXPECT_EQ(state().size.at("M"), 48);
  EXPECT_EQ(state().params.at("BLOCK_X"), 16);
}

TEST_F(EditTest, AnUntouchedOriginalIsNotSaved) {
  OPEN_EDITOR("matmul/01_naive");
  EXPECT_TRUE(session().save());
  EXPECT_THAT(session().take_message().value_or(""), HasSubstr("Nothing was changed"));
  EXPECT_FALSE(session().has_file());
  EXPECT_EQ(state().kernel, "matmul/01_naive");
}

TEST_F(EditTest, DraftsAreListedAndAskedAboutBeforeTheyGo) {
  OPEN_EDITOR("matmul/01_naive");
  session().create("dot");  // nobody typed it
  ASSERT_TRUE(settle());
  EXPECT_FALSE(session().is_modified());
  session().create("saxpy");
  editor().paste("// one\n");
  ASSERT_TRUE(settle());
  session().create("scan");
  editor().paste("// two\n");
  ASSERT_TRUE(settle());
  ASSERT_TRUE(session().open("matmul/01_naive"));
  ASSERT_TRUE(settle());
  ASSERT_EQ(session().drafts().size(), 2u);
  ASSERT_TRUE(click("edit/draft/2"));
  ASSERT_TRUE(click("edit/drafts/throw 1"));
  EXPECT_EQ(session().drafts().size(), 2u);
  ASSERT_TRUE(click("edit/doomed/2"));  // keep it
  EXPECT_EQ(session().drafts().size(), 2u);
  ASSERT_TRUE(click("edit/draft/2"));
  ASSERT_TRUE(click("edit/drafts/throw 1"));
  ASSERT_TRUE(click("edit/doomed/1"));
  EXPECT_EQ(session().drafts().size(), 1u);
  state().view.page = Page::start;
  ASSERT_TRUE(settle());
  ASSERT_TRUE(click("start/unsaved"));
  EXPECT_EQ(state().view.page, Page::edit);
}

TEST_F(EditTest, WhatIsGuessedIsShownAndPutIntoTheText) {
  OPEN_EDITOR("matmul/01_naive");
  session().create("");
  ASSERT_TRUE(settle());
  const std::string kernel =
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n";
  editor().paste(kernel);
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/bar/guess"));
  EXPECT_THAT(verdict_of(model(), session()).why, testing::HasSubstr("right (“Vector addition”), and"));
  ASSERT_TRUE(click("edit/guess/1"));
  EXPECT_TRUE(shows("edit/guessed"));
  ASSERT_TRUE(stage_->press(Key::escape));
  session().put_guess_in();
  ASSERT_TRUE(settle());
  EXPECT_THAT(editor().text(), testing::StartsWith("/*---\n"));
  EXPECT_THAT(editor().text(), testing::EndsWith("---*/\n" + kernel));
  EXPECT_TRUE(shows("edit/verdict/verified"));
  EXPECT_FALSE(shows("edit/bar/guess"));
}

TEST_F(EditTest, WhatWasTriedStandsBehindTheVerdict) {
  OPEN_EDITOR("matmul/01_naive");
  session().create("");
  ASSERT_TRUE(settle());
  editor().paste(
      "__global__ void fill(float* a) { a[threadIdx.x] = 1; }\n"
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n");
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/verdict/verified"));
  EXPECT_THAT(verdict_of(model(), session()).why,
              testing::AllOf(testing::HasSubstr("tried too: N=1003"), testing::HasSubstr("data: random, "),
                             testing::HasSubstr("run too: fill (not checked)")));
}

TEST_F(EditTest, ComparingGoesBackToTheEditor) {
  OPEN_EDITOR("matmul/01_naive");
  replace("row * K + k", "row * K + k + 0");
  session().compare();
  ASSERT_TRUE(settle());
  ASSERT_EQ(state().view.page, Page::compare);
  ASSERT_TRUE(stage_->press(Key::escape));
  ASSERT_TRUE(settle());
  EXPECT_EQ(state().view.page, Page::edit);
}

TEST_F(EditTest, WhatIsRightAtOneShapeAloneIsSaidToBe) {
  OPEN_EDITOR("matmul/01_naive");
  model().set_size("M", 64), model().set_size("N", 64);
  replace("grid    = [\"ceil_div(M, BLOCK_X)\", \"ceil_div(N, BLOCK_Y)\"]",
          "grid    = [\"ceil_div(N, BLOCK_X)\", \"ceil_div(M, BLOCK_Y)\"]");
  EXPECT_TRUE(shows("edit/verdict/verified at this size"));
  ASSERT_FALSE(session().marks().empty());
  EXPECT_THAT(session().marks()[0].message, testing::EndsWith("; of the sizes tried, right where M = N"));
}

// What is no kernel yet opens in the editor, with what is wrong with it.
TEST_F(EditTest, AFileThatIsNoKernelIsOpenedToBeMadeOne) {
  OPEN_EDITOR("matmul/01_naive");
  state().view.page = Page::ladder;
  stage_->interface().tell("");
  const std::string file = folder_.write("broken.cu", "/*---\ntitle = \n---*/\nint x;\n").string();
  Wishes wishes;
  wishes.open_file = file;
  grant_files(wishes, model(), stage_->interface(), [this] { return stage_->picture(); });
  ASSERT_TRUE(settle());
  EXPECT_EQ(state().view.page, Page::edit);
  EXPECT_EQ(session().file(), file);
  EXPECT_TRUE(shows("edit/error/2"));
  EXPECT_TRUE(shows("edit/no picture"));
}

TEST_F(EditTest, ANewKernelIsVerifiedAndAnEmptyPageTakesWhatIsPasted) {
  OPEN_EDITOR("matmul/01_naive");
  ASSERT_TRUE(click("edit/new"));
  ASSERT_TRUE(click("edit/new/empty"));
  EXPECT_EQ(editor().text(), "");
  EXPECT_TRUE(shows("edit/no picture"));
  ImGui::SetClipboardText(
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) c[i] = a[i] + b[i];\n}\n");
  ASSERT_TRUE(stage_->press(Key::v, true));
  ASSERT_TRUE(settle());
  EXPECT_FALSE(shows("edit/no picture"));
  EXPECT_EQ(state().kernel, (folder_ / "kernels/kernel.cu").string());
  ASSERT_TRUE(click("edit/new"));
  ASSERT_TRUE(click("edit/new/dot"));
  EXPECT_TRUE(shows("edit/verdict/verified"));
  EXPECT_EQ(session().drafts().size(), 1u);  // what was pasted
}

TEST_F(EditTest, KeysFindMarkCutAndPaste) {
  OPEN_EDITOR("matmul/01_naive");
  ASSERT_TRUE(click("edit/text"));
  const std::string before = editor().text();
  ASSERT_TRUE(stage_->press(Key::f, true));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->type("sum"));
  ASSERT_TRUE(stage_->frame());
  EXPECT_EQ(editor().selected_text(), "sum");
  EXPECT_TRUE(shows("edit/found/" + std::to_string(line_of("C[row * N + column] = sum"))));
  const TextPlace first = editor().cursor();
  ASSERT_TRUE(stage_->press(Key::f3));
  EXPECT_NE(editor().cursor(), first);
  EXPECT_EQ(editor().selected_text(), "sum");
  ASSERT_TRUE(stage_->press(Key::escape));
  EXPECT_FALSE(shows("edit/find"));
  EXPECT_TRUE(page().view().has_focus());
  ASSERT_TRUE(stage_->press(Key::a, true));
  ASSERT_TRUE(stage_->press(Key::x, true));
  EXPECT_EQ(editor().text(), "");
  ASSERT_TRUE(stage_->press(Key::v, true));
  EXPECT_EQ(editor().text(), before);
  ASSERT_TRUE(stage_->press(Key::z, true));
  ASSERT_TRUE(stage_->press(Key::z, true));
  EXPECT_EQ(editor().text(), before);
  EXPECT_FALSE(editor().can_undo());
  ASSERT_TRUE(stage_->press(Key::f2));  // leaves the page, while typing too
  EXPECT_EQ(state().view.page, Page::ladder);
}

TEST_F(EditTest, ReplacesOneOrAllAndTakesItBack) {
  OPEN_EDITOR("matmul/01_naive");
  ASSERT_TRUE(click("edit/text"));
  const std::string before = editor().text();
  const auto count = [&](const std::string& words) { return editor().places_of(words).size(); };
  const auto sums = count("sum");
  ASSERT_GT(sums, 2u);
  ASSERT_TRUE(stage_->press(Key::f, true));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->type("sum"));
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(shows("edit/replace"));
  ASSERT_TRUE(click("edit/find/replace"));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->type("total"));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(click("edit/replace/one"));
  EXPECT_EQ(count("total"), 1u);
  EXPECT_EQ(count("sum"), sums - 1);
  EXPECT_EQ(editor().selected_text(), "sum");  // the next one
  ASSERT_TRUE(click("edit/replace/all"));
  EXPECT_EQ(count("total"), sums);
  EXPECT_EQ(count("sum"), 0u);
  ASSERT_TRUE(settle());
  EXPECT_TRUE(shows("edit/verdict/verified"));
  ASSERT_TRUE(click("edit/find/close"));
  EXPECT_FALSE(shows("edit/replace"));
  ASSERT_TRUE(stage_->press(Key::z, true));
  EXPECT_EQ(count("total"), 1u);
  ASSERT_TRUE(stage_->press(Key::z, true));
  EXPECT_EQ(editor().text(), before);
}

TEST_F(EditTest, IsComparedWithItsOriginal) {
  OPEN_EDITOR("matmul/01_naive");
  EXPECT_FALSE(session().can_be_compared());
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" // mine"));
  ASSERT_TRUE(settle());
  ASSERT_TRUE(click("edit/compare"));
  EXPECT_EQ(state().view.page, Page::compare);
  EXPECT_EQ(state().compare.left.kernel, "matmul/01_naive");
  EXPECT_EQ(state().compare.right.kernel, (folder_ / "kernels/01_naive.cu").string());
  EXPECT_TRUE(shows("compare/right"));
  EXPECT_FALSE(model().error());
  // A file of one's own: with what was saved.
  state().view.page = Page::edit;
  ASSERT_TRUE(session().save());
  stage_.reset();
  OPEN_EDITOR((folder_ / "kernels/01_naive.cu").string());
  EXPECT_FALSE(session().is_modified());
  go_behind("---*/");
  ASSERT_TRUE(stage_->type(" again"));
  ASSERT_TRUE(settle());
  ASSERT_TRUE(click("edit/compare"));
  EXPECT_EQ(state().compare.left.kernel, saved_id(state().kernel));
  EXPECT_TRUE(shows("compare/right"));
}

TEST_F(EditTest, IsOpenedAndClosedFromTheTopBar) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    OPEN_EDITOR("matmul/02_coalesced", width, height);
    ASSERT_TRUE(click("edit"));
    EXPECT_EQ(state().view.page, Page::ladder);
    ASSERT_TRUE(click("edit"));
    EXPECT_EQ(state().view.page, Page::edit);
    EXPECT_EQ(session().original(), "matmul/02_coalesced");
    for (const auto& [name, rect] : stage_->interface().marks()) {
      if (name.starts_with("edit/error")) continue;
      EXPECT_GE(rect.x, 0) << name;
      EXPECT_LE(rect.right(), width + 5) << name;
      EXPECT_LE(rect.bottom(), height + 1) << name;
    }
    // Beside each other.
    const auto edit = stage_->find("edit"), live = stage_->find("live");
    ASSERT_TRUE(edit && live);
    EXPECT_LE(live->right(), edit->x);
    stage_.reset();
  }
}

TEST_F(EditTest, LongTextsScroll) {
  std::string text = *read_whole_file(source_path("kernels/matmul/01_naive.cu"));
  for (int i = 0; i < 5000; ++i) text += "// line " + std::to_string(i) + "\n";
  OPEN_EDITOR(folder_.write("long.cu", text).string());
  ASSERT_TRUE(click("edit/text"));
  ASSERT_TRUE(stage_->press(Key::end, true));
  ASSERT_TRUE(settle());
  ASSERT_TRUE(stage_->type("/"));
  ASSERT_TRUE(settle());
  EXPECT_TRUE(editor().text().ends_with("4999\n/"));
  EXPECT_TRUE(shows("edit/error/" + std::to_string(editor().buffer().line_count())));
}

}  // namespace
}  // namespace warplens::app
