#include "viz/figures/time/modelled_count.hpp"

#include <utility>

#include "engine/time/chip/parameters_of.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::figures {

Result<ModelledCount> modelled_count(explain::Sides& sides, const run::Request& request, bool with_time,
                                     const std::atomic<bool>& cancel) {
  auto side = with_time ? sides.with_time(request, cancel) : sides.of(request, false, cancel);
  if (!side) return side.error();
  ModelledCount counted{std::move(side->count)};
  const time::Prediction* predicted = side->predicted();
  if (predicted == nullptr) return counted;
  counted.seconds = predicted->seconds;
  counted.limit = limit_of(request.device, counted.count, predicted);
  if (time::l2_gb_per_s(request.device) > 0)
    counted.l2_bytes = time::l2_bytes(request.device, *predicted) * counted.count.share;
  return counted;
}

// Beside other steps a kernel is counted as these are.
explain::Explanation limit_of(const device::Device& device, const run::StepCount& count,
                              const time::Prediction* predicted) {
  if (predicted == nullptr || count.share <= 0) return {};
  explain::Explanation limit =
      time_words(device, count.least_bytes / count.share, *predicted, nullptr).explanation;
  limit.why.clear();
  explain::drop_unsaid(limit);
  for (explain::Claim& claim : limit.claims)
    if (claim.scope == explain::Scope::kernel) claim.scope = explain::Scope::two_steps;
  return limit;
}

}  // namespace warplens::figures
