// An assignment's file as it is read, and each mistake in one.
#include "engine/exercise/assignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::exercise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFile = source_path("app/testdata/grading/turn.toml");

std::string text() { return *read_whole_file(kFile); }
std::string error_of(const std::string& from, const std::string& to) {
  std::string changed = text();
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const auto parsed = parse(changed.replace(at, from.size(), to), "turn.toml");
  return parsed ? "" : to_line(parsed.error());
}

TEST(Assignment, IsRead) {
  const auto read = exercise::read(kFile);
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->name(), "turn");
  EXPECT_EQ(read->title, "Turn a matrix");
  EXPECT_EQ(read->sizes.size(), 3u);
  EXPECT_EQ(read->sizes[2].some, (catalog::Values{{"M", 33}, {"N", 65}}));
  EXPECT_EQ(read->points_right, 4);
  ASSERT_EQ(read->goals.size(), 3u);
  EXPECT_EQ(read->goals[0].points, 3);
  ASSERT_EQ(read->questions.size(), 1u);
  EXPECT_EQ(read->questions[0].ask.choices.size(), 3u);
  EXPECT_THAT(read->start, HasSubstr("  // your code\n}\n"));
  EXPECT_FALSE(read->takes_warnings);
}

TEST(Assignment, SaysEachMistakeWithItsLine) {
  EXPECT_EQ(error_of("title = \"Turn a matrix\"", ""), "turn.toml:1: title is missing; add title = \"...\"");
  EXPECT_THAT(error_of("seconds = 30", "seconds = 61"),
              HasSubstr("turn.toml:5: seconds is no number from 1 to 60"));
  EXPECT_THAT(error_of("seconds = 30", "second = 30"),
              HasSubstr("turn.toml:5: unknown key 'second'; did you mean seconds?"));
  EXPECT_THAT(error_of("seconds = 30", "free = \"problem\""), HasSubstr("'problem' cannot be free"));
  EXPECT_THAT(error_of("seconds = 30", "warnings = \"no\""), HasSubstr("warnings cannot be 'no'"));
  EXPECT_THAT(error_of("bank_conflicts == 0", "bank_conflict == 0"), HasSubstr("turn.toml:28: "));
  EXPECT_THAT(error_of("empty = \"  // your code\"", "start = \"turn.cu\""),
              HasSubstr("there must be a kernel"));
  EXPECT_THAT(error_of("choices  = [1, 8, 32]", "choices = 1"), HasSubstr("choices are no list"));
  EXPECT_THAT(error_of("points = 3", "points = \"3\""), HasSubstr("points is no number"));
  EXPECT_THAT(error_of("title = ", "title "), HasSubstr("turn.toml:1: "));
}

TEST(Assignment, PutsAnswersIntoItsHoles) {
  EXPECT_EQ(filled("a\n@@@\nb\n  @@@\nc", {"1", "2\n3"}), "a\n1\nb\n2\n3\nc\n");
  EXPECT_EQ(filled("a\n@@@\nb\n", {}), "a\nb\n");
}

TEST(Assignment, SaysWhereItIsWritten) {
  Assignment assignment;
  const auto lines = [&](std::string_view text) {
    const auto found = written_lines(assignment, text);
    return found ? std::pair(found->first, found->count) : std::pair(0, 0);
  };
  EXPECT_EQ(lines("a\n"), std::pair(0, 0)) << "it has no solution";
  assignment.start = "a\nb\nc\nd\n", assignment.solution = "a\nx\ny\nd\n";
  EXPECT_EQ(lines(assignment.start), std::pair(2, 2));
  EXPECT_EQ(lines("a\nd\n"), std::pair(2, 0));
  EXPECT_EQ(lines("a\n1\n2\n3\nd\n"), std::pair(2, 3));
  EXPECT_EQ(lines("b\nb\nc\nd\n"), std::pair(0, 0)) << "its first line is another one";
  EXPECT_EQ(lines("a\n"), std::pair(0, 0));
  // A line that is missing.
  assignment.start = "a\na\n", assignment.solution = "a\na\na\n";
  EXPECT_EQ(lines(assignment.start), std::pair(3, 0));
}

TEST(Assignment, IsHandedOutWithoutItsAnswers) {
  const TestFolder folder;
  const auto file = folder.write("own.toml", text() + "");
  std::string with_answers = text();
  with_answers.insert(with_answers.find("\n[[goal]]"),
                      "solution = \"  secret();\"\nwrong = [\"  other();\"]\n");
  folder.write("own.toml", with_answers);
  const auto assignment = exercise::read(file);
  ASSERT_TRUE(assignment) << to_line(assignment.error());
  EXPECT_THAT(assignment->solution, HasSubstr("secret();"));
  const std::string given = handed_out(*assignment, "own.cu");
  EXPECT_EQ(given.find("secret"), std::string::npos);
  EXPECT_EQ(given.find("other()"), std::string::npos);
  folder.write("own.cu", assignment->start);
  folder.write("given.toml", given);
  const auto again = exercise::read(folder.path() / "given.toml");
  ASSERT_TRUE(again) << to_line(again.error());
  EXPECT_EQ(again->start, assignment->start);
  EXPECT_EQ(again->goals.size(), 3u);
  EXPECT_TRUE(again->solution.empty());
}

}  // namespace
}  // namespace warplens::exercise
