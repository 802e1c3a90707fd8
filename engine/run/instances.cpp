#include "engine/run/instances.hpp"

namespace warplens::run {

Result<SharedInstance> Instances::instantiate(const Plan& plan) {
  {
    const std::lock_guard lock(mutex_);
    for (const Kept& kept : kept_)
      if (kept.problem == plan.problem && kept.sizes == plan.sizes) return kept.instance;
    if (options_.most_kept == 1) kept_.clear();  // both at once may be more than there is room for
  }
  auto made = plan.problem->make(plan.sizes, options_.pattern, options_.seed, options_.most_bytes);
  if (!made) return made.error();
  const std::lock_guard lock(mutex_);
  kept_.push_front({plan.problem, plan.sizes, *made});
  if (kept_.size() > options_.most_kept) kept_.pop_back();
  return *made;
}

}  // namespace warplens::run
