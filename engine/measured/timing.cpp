#include "engine/measured/timing.hpp"

#include <algorithm>

#include "engine/base/speed.hpp"

namespace warplens::measured {

Fences fences_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const double first = quantile(values, 0.25), third = quantile(values, 0.75), reach = 1.5 * (third - first);
  return {first - reach, third + reach};
}

}  // namespace warplens::measured
