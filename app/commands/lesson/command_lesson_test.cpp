// Lessons as a teacher meets them: `warplens lesson` as a child process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSmall = source_path("app/testdata/home/lessons/01_small.md");

ChildResult lesson(std::vector<std::string> words) {
  words.insert(words.begin(), {program_path("warplens"), "lesson"});
  return run_child(words,
                   {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", ""}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
}
Json check(const fs::path& file, int exit_code) {
  const ChildResult result = lesson({"check", file.string(), "--json"});
  EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
  return Json::parse(result.out, nullptr, false);
}
bool lessons_compile() { return compile::Compiler(compile::Compiler::Options{}).available(); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Lesson, IsCheckedAndCounted) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const Json found = check(kSmall, 0);
  EXPECT_EQ(
      found.dump(),
      R"({"lessons":1,"stops":5,"states":5,"questions":3,"claims":9,"tries":1,"exercises":0,"exhibits":["F5","P1"],"failed":[]})");
  const ChildResult words = lesson({kSmall});
  EXPECT_EQ(words.out, "1 lesson: 5 stops, 5 states, 3 questions, 9 claims, 1 exercise; all hold\n");
}

TEST(Lesson, SaysEachMistakeOnOneLine) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  std::string text = *read_whole_file(kSmall);
  text = replaced(text, "stride(access) == 4 * K", "stride(access) == 8 * K");
  text = replaced(text, "choices  = [1, 4, 16, 32]", "choices  = [1, 4, 8]");
  text = replaced(text, "array   = \"B\"", "array   = \"Z\"");
  text = replaced(text, "degree(access) == 1", "degre(access) == 1");
  text = replaced(text, "threads = 256", "threads = 0");
  const fs::path file = folder.write("bad.md", text);
  const ChildResult result = lesson({"check", file.string()});
  EXPECT_EQ(result.exit_code, 1);
  const std::string at = file.string() + ":";
  EXPECT_THAT(result.err, HasSubstr(at + "23: the answer is 32, and no choice is within 40 % of it; the "
                                         "nearest is '8'; correct the choices"));
  EXPECT_THAT(
      result.err,
      HasSubstr(at +
                "31: the claim stride(access) == 8 * K does not hold: stride(access) is 256, 8 * K is 512"));
  EXPECT_THAT(result.err,
              HasSubstr(at + "38: warp 0 of matmul/02_coalesced has no access of Z; its arrays are A, B, C"));
  EXPECT_THAT(result.err, HasSubstr("there is no degre(), at character 1; did you mean degree?"));
  EXPECT_THAT(result.err, HasSubstr("this is not a whole number from 1 to 4096"));
  const Json found = check(file, 1);
  const Json& first = found["failed"].front();
  EXPECT_EQ(first["file"], file.string());
  EXPECT_TRUE(std::any_of(found["failed"].begin(), found["failed"].end(), [](const Json& each) {
    return each["what"] == "claim" && each["stop"] == 1 && each["line"] == 31;
  })) << found.dump(1);
}

// A claim is a test of a kernel too: a kernel that is broken breaks claims.
std::string failures_with(const TestFolder& folder, const std::string& kernel, const std::string& claims) {
  folder.write("mine.cu", kernel);
  const fs::path file = folder.write("x.md",
                                     "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 1\n+++\n## "
                                     "H\n```state\nkernel = \"mine.cu\"\nsize = 64\n```\nText.\n```claim\n" +
                                         claims + "```\n");
  const ChildResult result = lesson({"check", file.string()});
  EXPECT_EQ(result.exit_code, result.err.empty() ? 0 : 1) << result.err;
  return result.err;
}

TEST(Lesson, SeesAWrongIndex) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const std::string kernel = *read_whole_file(source_path("kernels/matmul/01_naive.cu"));
  const std::string claims = "verified\nsectors('A', 'ld') / requests('A', 'ld') == 32\n";
  EXPECT_EQ(failures_with(folder, kernel, claims + "kernel == 'mine.cu'\n"), "");
  const std::string wrong =
      failures_with(folder, replaced(kernel, "A[row * K + k]", "A[k * K + row]"), claims);
  EXPECT_THAT(wrong, HasSubstr("x.md:13: the claim verified does not hold"));
  EXPECT_THAT(wrong, HasSubstr("x.md:14: the claim sectors('A', 'ld') / requests('A', 'ld') == 32 does not "
                               "hold: sectors('A', 'ld') / requests('A', 'ld') is 4"));
  EXPECT_THAT(wrong, HasSubstr("x.md:8: the result of"));  // and it is not drawn
}

TEST(Lesson, SeesThatPaddingIsMissing) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const std::string kernel = *read_whole_file(source_path("kernels/transpose/02_tiled.cu"));
  const std::string claims = "verified\nwavefronts('tile', 'ld') == ideal_wavefronts('tile', 'ld')\n";
  EXPECT_EQ(failures_with(folder, kernel, claims), "");
  const std::string wrong =
      failures_with(folder, replaced(kernel, "tile[TILE][TILE + PAD]", "tile[TILE][TILE]"), claims);
  EXPECT_THAT(wrong, Not(HasSubstr("x.md:13:")));  // the result is still right
  EXPECT_THAT(wrong, HasSubstr("wavefronts('tile', 'ld') is 1,024, ideal_wavefronts('tile', 'ld') is 32"));
}

TEST(Lesson, SaysAKernelThatDoesNotCompile) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const std::string kernel = *read_whole_file(source_path("kernels/matmul/01_naive.cu"));
  EXPECT_THAT(failures_with(folder, replaced(kernel, "float sum", "flot sum"), "true\n"),
              HasSubstr("x.md:8: " + (folder / "mine.cu").string() + ":25: identifier"));
}

TEST(Lesson, IsDrawnStopByStop) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  for (const char* stop : {"1", "2", "3", "4", "5"}) {
    const std::string file = (folder / (std::string(stop) + ".svg")).string();
    const ChildResult result =
        lesson({"shot", kSmall, "--stop", stop, "-o", file, "--theme", "dark", "--size", "1600x900"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(*read_whole_file(file), HasSubstr("width=\"1600\""));
  }
  const std::string covered = *read_whole_file(folder / "1.svg");
  EXPECT_THAT(covered, HasSubstr("How many sectors"));
  EXPECT_THAT(covered, Not(HasSubstr("32 sectors")));
  const std::string open = (folder / "open.svg").string();
  EXPECT_EQ(lesson({"shot", kSmall, "--reveal", "-o", open}).exit_code, 0);
  EXPECT_THAT(*read_whole_file(open), HasSubstr("32 sectors"));
}

TEST(Lesson, IsHandedOutAsOneFile) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const ChildResult result = lesson({kSmall, "--html", "-o", (folder / "out").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string page = *read_whole_file(folder / "out/01_small.html");
  for (const char* words :
       {"<h1>A small lesson</h1>", "<h2 id=\"stop-1\">1. One load</h2>",
        "<strong>Sectors</strong> have <code>32</code> bytes", "Thirty-two &amp; no fewer",
        "<summary>Answer</summary>\n<p><strong>32</strong></p>",
        "<li>4: That would be <em>neighbours</em>.</li>", "<th>stride</th>", "<summary>Hint</summary>",
        "href=\"#word-lane\"", "<dt id=\"word-lane\">Lane</dt>"})
    EXPECT_THAT(page, HasSubstr(words));
  EXPECT_THAT(page, Not(HasSubstr("http://localhost")));
  // Covered until its question: the first picture is in the answer.
  EXPECT_LT(page.find("<summary>Answer"), page.find("<figure>"));
  const auto count = [&](const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<figure>"), 5u);
  EXPECT_EQ(count("<details>"), count("</details>"));
  EXPECT_EQ(count("src="), 0u);  // nothing is fetched from elsewhere
}

TEST(Lesson, IsHandedOutOnPaper) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const ChildResult result = lesson({kSmall, "--pdf", "-o", (folder / "small.pdf").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, (folder / "small.pdf").string() + "\n");
  const std::string pages = *read_whole_file(folder / "small.pdf");
  EXPECT_TRUE(pages.starts_with("%PDF-"));
  EXPECT_THAT(pages, HasSubstr("/FontFile"));  // text is text
  EXPECT_THAT(pages, Not(HasSubstr("/Count 1\n")));
  lesson({kSmall, "--pdf", "-o", (folder / "again.pdf").string()});
  EXPECT_EQ(*read_whole_file(folder / "again.pdf"), pages);
}

TEST(Lesson, OfTheManualHolds) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const std::string manual = *read_whole_file(source_path("docs/lessons.md")), fence = "````";
  const std::size_t begin = manual.find(fence + "markdown\n") + fence.size() + 9,
                    end = manual.find(fence, begin);
  const TestFolder folder;
  const Json found = check(folder.write("mine.md", manual.substr(begin, end - begin)), 0);
  EXPECT_EQ(found["stops"], 2);
}

TEST(Lesson, ListsThoseOfTheProgram) {
  const ChildResult result = lesson({"list", "--home", source_path("app/testdata/home")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("01_small"));
  EXPECT_THAT(result.out, HasSubstr("A small lesson"));
}

TEST(Lesson, WithBadInputIsOneLine) {
  struct Bad {
    std::vector<std::string> words;
    const char* said;
  };
  const Bad all[] = {{{}, "lesson needs a FILE"},
                     {{"check"}, "FILE"},
                     {{"check", "no_such_lesson"}, "there is no lesson 'no_such_lesson'"},
                     {{"shot", kSmall}, "--output is required"},
                     {{"shot", kSmall, "--stop", "0", "-o", "x.svg"}, "--stop"},
                     {{"shot", kSmall, "--stop", "9", "-o", "x.svg"}, "the lesson has stops 1 to 5"},
                     {{"shot", kSmall, "--size", "big", "-o", "x.svg"}, "write WIDTHxHEIGHT"},
                     {{"shot", kSmall, "--theme", "blue", "-o", "x.svg"}, "choose light or dark"},
                     {{"shot", kSmall, "-o", "x.doc"}, "x.doc"},
                     {{kSmall, "-o", "x.html"}, "add --html"},
                     {{kSmall, "--html"}, "add -o lesson.html"},
                     {{kSmall, "--pdf"}, "add -o lesson.pdf"},
                     {{kSmall, "--pdf", "--html", "-o", "x"}, "--html"}};
  for (const Bad& bad : all) {
    const ChildResult result = lesson(bad.words);
    EXPECT_EQ(result.exit_code, 2) << bad.said;
    EXPECT_EQ(result.out, "") << bad.said;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(bad.said));
  }
}

// A lesson with a question, a note and an exercise, and what each of its hand-outs tells of them.
std::string handout(const TestFolder& folder, const std::string& edition) {
  std::string exercise = *read_whole_file(source_path("app/testdata/grading/turn.toml"));
  exercise.insert(exercise.find("\n[[goal]]"),
                  "solution = \"  the_solution();\"\nwrong = [\"  an_attempt();\"]\n");
  folder.write("exercises/turn.toml", exercise);
  const fs::path file = folder.write("x.md",
                                     "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 20\n+++\n## "
                                     "One\n```state\nkernel = \"matmul/01_naive\"\nsize = "
                                     "64\n```\nBefore it.\n```ask\nquestion = \"How many?\"\nchoices = [1, "
                                     "64]\nanswer = \"M\"\nwrong = { 1 = "
                                     "\"Because of that.\" }\n```\nBehind it.\n```teach\nboard = \"A "
                                     "drawing.\"\n```\n## Two\nWrite.\n```write\nexercise "
                                     "= \"turn\"\n```\n");
  std::vector<std::string> words = {file.string(), "--html", "-o", (folder.path() / "x.html").string()};
  if (!edition.empty()) words.insert(words.end(), {"--edition", edition});
  const ChildResult result = lesson(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return *read_whole_file(folder.path() / "x.html");
}

TEST(Lesson, HandsOutAStudentsEditionWithoutAnswers) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const std::string page = handout(folder, "student");
  for (const char* there :
       {"Before it.", "How many?", "class=\"room\"", "// your code", "4 sectors a load, 4 a store"})
    EXPECT_THAT(page, HasSubstr(there));
  for (const char* gone : {"Behind it.", "Because of that.", "Answer", "A drawing.", "the_solution",
                           "an_attempt", "Hint", "Which of the two accesses"})
    EXPECT_THAT(page, Not(HasSubstr(gone)));
}

TEST(Lesson, HandsOutATeachersEditionWithAllOfIt) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const std::string page = handout(folder, "teacher");
  for (const char* there :
       {"Behind it.", "Because of that.", "Answer: 64", "A drawing.", "the_solution", "an_attempt",
        "Which of the two accesses", "from 0 min, 6 min", "from 6 min, 14 min"})
    EXPECT_THAT(page, HasSubstr(there));
  EXPECT_THAT(page, Not(HasSubstr("class=\"room\"")));
  const std::string readers = handout(folder, "");
  EXPECT_THAT(readers, HasSubstr("<summary>Solution</summary>"));
  EXPECT_THAT(readers, Not(HasSubstr("A drawing.")));
}

TEST(Lesson, HandsOutEditionsOnPaper) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  for (const std::string edition : {"student", "teacher"}) {
    const ChildResult result = lesson({kSmall, "--pdf", "--edition", edition, "-o", folder.path().string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto pages = read_whole_file(folder.path() / ("01_small-" + edition + ".pdf"));
    ASSERT_TRUE(pages);
    EXPECT_TRUE(pages->starts_with("%PDF"));
  }
  EXPECT_THAT(lesson({kSmall, "--pdf", "--edition", "pupil", "-o", "x.pdf"}).err,
              HasSubstr("write student or teacher"));
  EXPECT_THAT(lesson({kSmall, "--edition", "student"}).err, HasSubstr("add --html or --pdf"));
}

// The solution must pass, and what must not pass must not.
TEST(Lesson, JudgesItsExercises) {
  if (!lessons_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  handout(folder, "");
  const ChildResult result = lesson({"check", (folder.path() / "x.md").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the solution of the exercise turn fails: it compiles: "));
  EXPECT_THAT(result.err, Not(HasSubstr("what it begins with")));
}

}  // namespace
}  // namespace warplens::app
