// Numbers of a prediction in words: speeds, times and shares.
#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/count.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {

Work work_of(const problem::Instance& problem) {
  const problem::Work work = problem::work_of(problem);
  if (work.amount > 0) return {work.amount, work.unit.substr(1)};  // behind the G
  return {1, "launches/s"};
}

Work work_of(const run::Run& run) { return figures::work_of(*run.job->instance); }

std::string speed_words(const Work& work, double seconds) {
  return plot::si(work.amount / seconds, 3, " ", work.unit);
}

std::string share_text(double share) { return plot::percent(share, share < 0.0995 ? 1 : 2); }
std::string in_a_sentence(std::string text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.size() > 1 && is_lower(text[1])) text.front() = static_cast<char>(std::tolower(text.front()));
  return text;
}
std::string size_words(const run::Plan& plan) {
  return measured::size_words(plan.sizes, plan.problem->size_names());
}

std::string duration(double seconds) { return plot::si(seconds, 3, " ", "s"); }

std::string predicted_words(const time::Prediction& p, double recorded) {
  const std::string predicted = "predicted " + duration(p.seconds);
  if (recorded <= 0) return predicted;
  const double error = p.seconds / recorded - 1;
  constexpr double kNone = 0.005;
  if (std::abs(error) < kNone) return fmt::format("{}, as recorded", predicted);
  return fmt::format("{}, recorded {}: {} too {}", predicted, duration(recorded), share_text(std::abs(error)),
                     error > 0 ? "long" : "short");
}

}  // namespace warplens::figures
