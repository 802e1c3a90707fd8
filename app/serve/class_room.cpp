#include "app/serve/class_room.hpp"

#include <utility>

namespace warplens::app::serve {

Result<int> ClassRoom::ask(std::string text, std::vector<std::string> choices) {
  if (choices.size() < 2 || choices.size() > kMostChoices)
    return Error{"a question needs from 2 to 12 choices", "add or remove choices"};
  std::size_t bytes = text.size();
  for (const std::string& choice : choices) bytes += choice.size();
  if (bytes > kMostBytes) return Error{"the question has more than 2,000 characters", "ask in fewer words"};
  const std::lock_guard lock(mutex_);
  question_ = {question_.round + 1, std::move(text), std::move(choices)};
  answers_.clear();
  return question_.round;
}

ClassQuestion ClassRoom::question() const {
  const std::lock_guard lock(mutex_);
  return question_;
}

Status ClassRoom::answer(int round, const std::string& ticket, std::size_t choice) {
  const std::lock_guard lock(mutex_);
  if (question_.round == 0 || round != question_.round)
    return Error{"another question is asked now", "look again"};
  if (choice >= question_.choices.size())
    return Error{"there is no such choice", "choose one of those shown"};
  if (ticket.empty() || ticket.size() > 64)
    return Error{"the ticket is not one of this page", "open the page again"};
  if (answers_.contains(ticket))
    return Error{"this machine has answered already", "wait for the next question"};
  if (answers_.size() >= kMostAnswers) return Error{"the class is full", "ask the teacher"};
  answers_.emplace(ticket, choice);
  return Done{};
}

ClassTally ClassRoom::tally() const {
  const std::lock_guard lock(mutex_);
  ClassTally tally{question_.round, std::vector<std::size_t>(question_.choices.size()), answers_.size()};
  for (const auto& [ticket, choice] : answers_) ++tally.counts[choice];
  return tally;
}

}  // namespace warplens::app::serve
