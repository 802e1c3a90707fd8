// A question that a class answers from its own machines: one answer a ticket, no names, the tally as it comes.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::app::serve {

struct ClassQuestion {
  int round = 0;  // 0: nothing was asked yet
  std::string text;
  std::vector<std::string> choices;
};

struct ClassTally {
  int round = 0;
  std::vector<std::size_t> counts;  // by choice
  std::size_t answers = 0;
};

// May be used by several threads.
class ClassRoom {
 public:
  static constexpr std::size_t kMostAnswers = 2000, kMostChoices = 12, kMostBytes = 2000;

  // A new round; what was answered before is forgotten. Errors: no choices, too many or too long.
  Result<int> ask(std::string text, std::vector<std::string> choices);
  ClassQuestion question() const;
  // ticket: of one machine, random. Errors: another round, no such choice, a second answer, a full class.
  Status answer(int round, const std::string& ticket, std::size_t choice);
  ClassTally tally() const;

 private:
  mutable std::mutex mutex_;  // guards what is below
  ClassQuestion question_;
  std::map<std::string, std::size_t> answers_;  // by ticket
};

}  // namespace warplens::app::serve
