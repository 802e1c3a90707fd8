#include "app/commands/lesson/editions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/code_text.hpp"
#include "engine/catalog/front_matter.hpp"

namespace warplens::app {
namespace {

// How long a class is at a stop, beside one at which it only looks.
constexpr double kLook = 1, kGuess = 1.6, kTry = 1, kWrite = 3.5;

double weight_of(const lesson::Stop& stop) {
  if (stop.find<lesson::Write>() != nullptr) return kWrite;
  return (stop.find<lesson::Ask>() != nullptr ? kGuess : kLook) +
         (stop.find<lesson::Try>() != nullptr ? kTry : 0);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Result<Edition> edition_named(std::string_view name) {
  if (name.empty()) return Edition::reader;
  if (name == "student") return Edition::student;
  if (name == "teacher") return Edition::teacher;
  return Error{fmt::format("there is no edition '{}'", name), "write student or teacher"};
}

std::vector<int> beginnings(const lesson::Lesson& lesson) {
  double all = 0, before = 0;
  for (const lesson::Stop& stop : lesson.stops) all += weight_of(stop);
  std::vector<int> minutes;
  for (const lesson::Stop& stop : lesson.stops) {
    minutes.push_back(static_cast<int>(std::lround(before / all * lesson.minutes)));
    before += weight_of(stop);
  }
  return minutes;
}

std::string time_words(const lesson::Lesson& lesson, std::size_t stop) {
  const std::vector<int> begin = beginnings(lesson);
  const int end = stop + 1 < begin.size() ? begin[stop + 1] : lesson.minutes;
  return fmt::format("from {} min, {} min", begin[stop], std::max(end - begin[stop], 1));
}

std::vector<std::string> code_lines(std::string_view kernel) {
  const auto lines = lines_of(kernel);
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  return {lines.begin() + static_cast<std::ptrdiff_t>(catalog::first_code_line(views)), lines.end()};
}

std::vector<std::string> written_lines(const std::string& start, const std::string& text) {
  const auto before = lines_of(start);
  const std::set<std::string> known(before.begin(), before.end());
  std::vector<std::string> written;
  for (std::string& line : lines_of(text))
    if (!known.contains(line) && !trimmed(line).empty()) written.push_back(std::move(line));
  if (written.empty()) written.emplace_back("  (the line is left away)");
  return written;
}

std::vector<std::string> goals_of(const exercise::Assignment& assignment) {
  std::vector<std::string> goals = {
      "the result is right at every size, and nothing is found wrong with the kernel"};
  for (const exercise::Goal& goal : assignment.goals) goals.push_back(goal.says);
  return goals;
}

}  // namespace warplens::app
