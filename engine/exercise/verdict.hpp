// What comes of judging a submission: a line for each thing that was asked, in the order in which a reader mends them.
#pragma once

#include <string>
#include <vector>

#include "engine/base/json_text.hpp"

namespace warplens::exercise {

enum class Mark : std::uint8_t { passed, failed, not_judged };
std::string_view name(Mark mark);  // "passed"

struct Line {
  std::string what;  // "the result is right at N = 1000, 1, 33"
  Mark mark = Mark::not_judged;
  std::string why = {}, next_step = {};  // empty where it passed
  int line = 0;                          // of the submission, from 1; 0: of none
  double points = 1;                     // to be had for it
  std::string otherwise = {};            // said of one that failed: "the result is wrong"; empty: nothing
};

struct Verdict {
  std::string assignment, title, file;  // title: of the assignment; file: the submission's
  std::vector<Line> lines;

  bool is_passed() const;
  double points() const;  // of those lines that passed
  double most_points() const;
};

// "passed   the result is right", one a line, then the points.
std::string to_text(const Verdict& verdict);
// {"assignment","title","file","passed","points","most_points","lines":[...]}
Json to_json(const Verdict& verdict);
// As https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format wants it.
Json gradescope_results(const Verdict& verdict);

// One that is wrong as a whole: nothing else was judged. next_step: may be empty.
Verdict refused(std::string what, std::string why, std::string next_step);

Result<Verdict> from_json(const Json& json);

}  // namespace warplens::exercise
