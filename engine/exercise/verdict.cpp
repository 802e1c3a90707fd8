#include "engine/exercise/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace warplens::exercise {
namespace {

constexpr auto kMarks = std::to_array<std::pair<Mark, std::string_view>>(
    {{Mark::passed, "passed"}, {Mark::failed, "failed"}, {Mark::not_judged, "not judged"}});

std::string number_words(double number) { return fmt::format("{:g}", number); }

// What is wrong and where, in a line.
std::string reason_of(const Line& line) {
  std::string words = line.line > 0 ? fmt::format("line {}: {}", line.line, line.why) : line.why;
  if (!line.next_step.empty()) words += "; " + line.next_step;
  return words;
}

}  // namespace

std::string_view name(Mark mark) {
  return std::ranges::find(kMarks, mark, &decltype(kMarks)::value_type::first)->second;
}

bool Verdict::is_passed() const {
  return std::ranges::all_of(lines, [](const Line& line) { return line.mark == Mark::passed; });
}
double Verdict::points() const {
  double sum = 0;
  for (const Line& line : lines) sum += line.mark == Mark::passed ? line.points : 0;
  return sum;
}
double Verdict::most_points() const {
  double sum = 0;
  for (const Line& line : lines) sum += line.points;
  return sum;
}

std::string to_text(const Verdict& verdict) {
  std::string text;
  for (const Line& line : verdict.lines) {
    text += fmt::format("{:<11} {}", name(line.mark), line.what);
    if (line.mark != Mark::passed && !line.why.empty()) text += fmt::format(": {}", reason_of(line));
    text += "\n";
  }
  return text + fmt::format("{} of {} points\n", number_words(verdict.points()),
                            number_words(verdict.most_points()));
}

Json to_json(const Verdict& verdict) {
  Json lines = Json::array();
  for (const Line& line : verdict.lines)
    lines.push_back({{"what", line.what},
                     {"mark", name(line.mark)},
                     {"why", line.why},
                     {"next_step", line.next_step},
                     {"line", line.line},
                     {"points", line.mark == Mark::passed ? line.points : 0},
                     {"most_points", line.points}});
  return {{"assignment", verdict.assignment},
          {"title", verdict.title},
          {"file", verdict.file},
          {"passed", verdict.is_passed()},
          {"points", verdict.points()},
          {"most_points", verdict.most_points()},
          {"lines", lines}};
}

Json gradescope_results(const Verdict& verdict) {
  Json tests = Json::array();
  int number = 0;
  for (const Line& line : verdict.lines)
    tests.push_back({{"number", std::to_string(++number)},
                     {"name", line.what},
                     {"score", line.mark == Mark::passed ? line.points : 0},
                     {"max_score", line.points},
                     {"status", line.mark == Mark::passed ? "passed" : "failed"},
                     {"output", line.mark == Mark::passed ? "" : reason_of(line)},
                     {"visibility", "visible"}});
  return {{"score", verdict.points()},
          {"output", verdict.title},
          {"output_format", "text"},
          {"visibility", "visible"},
          {"tests", tests}};
}

Verdict refused(std::string what, std::string why, std::string next_step) {
  Verdict verdict;
  verdict.lines.push_back({.what = std::move(what),
                           .mark = Mark::failed,
                           .why = std::move(why),
                           .next_step = std::move(next_step)});
  return verdict;
}

Result<Verdict> from_json(const Json& json) {
  try {
    Verdict verdict{json.at("assignment"), json.at("title"), json.at("file"), {}};
    for (const Json& each : json.at("lines")) {
      const std::string mark = each.at("mark");
      const auto known = std::ranges::find(kMarks, mark, &decltype(kMarks)::value_type::second);
      if (known == kMarks.end()) return Error{"the verdict has an unknown mark", ""};
      verdict.lines.push_back({each.at("what"), known->first, each.at("why"), each.at("next_step"),
                               each.at("line"), each.at("most_points")});
    }
    return verdict;
  } catch (const nlohmann::json::exception&) {
    return Error{"this is no verdict", ""};
  }
}

}  // namespace warplens::exercise
