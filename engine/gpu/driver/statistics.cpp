#include "engine/gpu/driver/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu {
namespace {

// Half the width of the interval that holds the median, in seconds.
double half_interval(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  const double reach = 0.98 * std::sqrt(n);
  const double last = n - 1;
  const auto low = static_cast<std::size_t>(std::clamp(std::floor(n / 2 - reach), 0.0, last));
  const auto high = static_cast<std::size_t>(std::clamp(std::ceil(n / 2 + reach), 0.0, last));
  return (sorted[high] - sorted[low]) / 2;
}

}  // namespace

Statistics statistics_of(std::vector<double> seconds, int launches_per_sample) {
  Statistics statistics{.launches_per_sample = launches_per_sample, .seconds = seconds};
  if (seconds.empty()) return statistics;
  std::sort(seconds.begin(), seconds.end());
  statistics.samples = static_cast<int>(seconds.size());
  statistics.median = quantile(seconds, 0.5);
  statistics.p10 = quantile(seconds, 0.1);
  statistics.p90 = quantile(seconds, 0.9);
  statistics.least = seconds.front();
  if (statistics.median > 0) statistics.uncertainty = half_interval(seconds) / statistics.median;
  return statistics;
}

bool is_enough(const TimingOptions& options, const std::vector<std::vector<double>>& contenders,
               double elapsed_seconds) {
  const auto count = [](const std::vector<double>& samples) { return static_cast<int>(samples.size()); };
  const auto fewest = std::min_element(contenders.begin(), contenders.end(),
                                       [&](const auto& a, const auto& b) { return count(a) < count(b); });
  if (fewest == contenders.end() || count(*fewest) >= options.most_samples) return true;
  if (count(*fewest) < options.least_samples) return false;
  if (elapsed_seconds >= options.seconds) return true;
  return std::all_of(contenders.begin(), contenders.end(), [&](const auto& samples) {
    return statistics_of(samples, 1).uncertainty <= options.spread;
  });
}

int launches_for(double seconds_of_one, bool cold) {
  constexpr double enough = 100e-6;
  if (cold || seconds_of_one >= enough) return 1;
  return static_cast<int>(std::min(50.0, std::ceil(enough / std::max(seconds_of_one, 1e-7))));
}

int samples_per_round(double seconds_of_one_sample) {
  return static_cast<int>(std::clamp(0.02 / std::max(seconds_of_one_sample, 1e-9), 1.0, 16.0));
}

}  // namespace warplens::gpu
