// For benchmarks: times in milliseconds beside their goals.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::app {

class Samples {
 public:
  void add(double seconds) { values_.push_back(1e3 * seconds); }
  void add(const Samples& more) { values_.insert(values_.end(), more.values_.begin(), more.values_.end()); }
  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  // share: 0 to 1. Precondition: not empty.
  double percentile(double share) const {
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
  }

 private:
  std::vector<double> values_;  // ms
};

// Milliseconds; those that are left out have no goal.
struct Goal {
  std::optional<double> p50 = {}, p95 = {}, p99 = {};
};

inline std::string text_of(const Goal& goal) {
  std::string text;
  for (const auto& [name, value] :
       {std::pair("p50", goal.p50), std::pair("p95", goal.p95), std::pair("p99", goal.p99)}) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *value);
  }
  return text;
}

inline bool is_met(const Goal& goal, const Samples& samples) {
  const auto within = [&](const std::optional<double>& limit, double share) {
    return !limit || samples.percentile(share) <= *limit;
  };
  return within(goal.p50, 0.5) && within(goal.p95, 0.95) && within(goal.p99, 0.99);
}

inline void print_head() {
  fmt::print("{:<46} {:>8} {:>8} {:>8} {:>8} {:>5}  {:<17} {}\n", "milliseconds", "p50", "p95", "p99", "max",
             "n", "goal", "met");
}

inline void print(std::string_view what, const Samples& samples, const Goal& goal = {}) {
  if (samples.empty()) return fmt::print("{:<46} no samples\n", what);
  const std::string wanted = text_of(goal);
  fmt::print("{:<46} {:8.2f} {:8.2f} {:8.2f} {:8.2f} {:5}  {:<17} {}\n", what, samples.percentile(0.5),
             samples.percentile(0.95), samples.percentile(0.99), samples.percentile(1), samples.size(),
             wanted,
             wanted.empty()          ? ""
             : is_met(goal, samples) ? "yes"
                                     : "NO");
  std::fflush(stdout);
}

}  // namespace warplens::app
