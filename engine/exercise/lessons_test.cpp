// What the program's lessons promise about their exercises; that each has a solution which passes and attempts which do
// not is the test `lessons`.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "engine/base/testing/places.hpp"
#include "engine/exercise/assignment.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::exercise {
namespace {

std::vector<lesson::Lesson> lessons() {
  std::vector<lesson::Lesson> all;
  for (const auto& file : lesson::lesson_files(source_path("lessons")))
    all.push_back(lesson::read(file).lesson);
  return all;
}
template <class Block>
std::vector<const Block*> all_of(const lesson::Lesson& lesson) {
  std::vector<const Block*> found;
  for (const lesson::Stop& stop : lesson.stops)
    if (const auto* block = stop.find<Block>()) found.push_back(block);
  return found;
}

TEST(Exercises, AreThirtyWithHintsAndAttemptsThatFail) {
  const auto files = assignment_files(source_path("lessons/exercises"));
  EXPECT_GE(files.size(), 30u);
  for (const auto& file : files) {
    const auto read = exercise::read(file);
    ASSERT_TRUE(read) << to_line(read.error());
    EXPECT_EQ(read->hints.size(), kMostHints) << file;
    EXPECT_GE(read->wrong.size(), 2u) << file;
    EXPECT_FALSE(read->solution.empty()) << file;
    EXPECT_GE(read->sizes.size(), 2u) << file;
    EXPECT_NE(read->start, read->solution) << file;
  }
}

TEST(Exercises, StandInEveryLessonAndOnce) {
  std::map<std::string, int> used;
  for (const lesson::Lesson& lesson : lessons()) {
    const auto writes = all_of<lesson::Write>(lesson);
    EXPECT_FALSE(writes.empty()) << lesson.file;
    for (const lesson::Write* write : writes) ++used[write->exercise];
  }
  for (const auto& file : assignment_files(source_path("lessons/exercises")))
    EXPECT_EQ(used[file.stem().string()], 1) << file;
}

// "[(i + 5) % N]": computed indices in the check of a kernel file.
std::vector<std::string> computed_indices(const std::string& code) {
  const std::size_t check = code.find("check "), end = code.find('\n', check);
  std::vector<std::string> found;
  if (check == std::string::npos) return found;
  const std::regex index(R"(\[[^\]]*[-+*/%][^\]]*\])");
  const std::string line = code.substr(check, end - check);
  for (std::sregex_iterator at(line.begin(), line.end(), index), none; at != none; ++at)
    found.push_back(at->str());
  return found;
}
std::string body_of(const std::string& code) { return code.substr(code.find("---*/")); }

// The front matter is in sight of whoever writes the answer.
TEST(Exercises, DoNotCheckByTheIndexThatIsAskedFor) {
  for (const auto& file : assignment_files(source_path("lessons/exercises"))) {
    const auto read = exercise::read(file);
    ASSERT_TRUE(read) << to_line(read.error());
    for (const std::string& index : computed_indices(read->start))
      EXPECT_TRUE(body_of(read->solution).find(index) == std::string::npos ||
                  body_of(read->start).find(index) != std::string::npos)
          << file << " has " << index;
  }
}

TEST(Exercises, MakeALadderOfSix) {
  int most = 0;
  for (const lesson::Lesson& lesson : lessons()) {
    int row = 0;
    for (const lesson::Stop& stop : lesson.stops)
      most = std::max(most, row = stop.find<lesson::Write>() == nullptr ? 0 : row + 1);
  }
  EXPECT_GE(most, 6);
}

// A lesson is no quiz: twelve questions in 45 minutes at most.
TEST(Lessons, AskNoMoreThanAClassCanAnswer) {
  for (const lesson::Lesson& lesson : lessons())
    EXPECT_LE(45 * all_of<lesson::Ask>(lesson).size(), 12u * static_cast<std::size_t>(lesson.minutes))
        << lesson.file;
}

TEST(Lessons, BeginWithAQuestionThatSomebodyHas) {
  for (const lesson::Lesson& lesson : lessons()) {
    ASSERT_FALSE(lesson.stops.empty());
    std::string first;
    for (const lesson::Part& part : lesson.stops.front().parts)
      if (const auto* prose = std::get_if<lesson::Prose>(&part); prose != nullptr && first.empty())
        for (const lesson::Block& block : prose->blocks)
          if (const auto* paragraph = std::get_if<lesson::Paragraph>(&block))
            first += lesson::plain_text(paragraph->spans) + " ";
    EXPECT_NE((lesson.summary + first).find('?'), std::string::npos) << lesson.file;
  }
}

}  // namespace
}  // namespace warplens::exercise
