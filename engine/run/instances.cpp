#include "engine/run/instances.hpp"

#include "engine/base/text.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

// What tells the data of one plan from that of another, beside the sizes.
std::string key_of(const Plan& plan) {
  std::string key(plan.problem->key());
  if (plan.like != nullptr) key += fingerprint(plan.like->spec.code);
  return key;
}

Error in_the_other(const Plan& plan, const Error& error) {
  return {"the kernel whose result is the right one, " + std::string(plan.problem->like()) +
              ", cannot be run: " + error.message,
          error.next_step, error.place};
}

}  // namespace

Result<SharedInstance> Instances::instantiate(const Plan& plan) {
  const std::string key = key_of(plan);
  {
    const std::lock_guard lock(mutex_);
    for (const Kept& kept : kept_)
      if (kept.problem == key && kept.sizes == plan.sizes) return kept.instance;
    if (options_.most_kept == 1) kept_.clear();  // both at once may be more than there is room for
  }
  auto made = plan.problem->make(plan.sizes, options_.pattern, options_.seed, options_.most_bytes);
  if (!made) return made.error();
  const std::lock_guard lock(mutex_);
  kept_.push_front({key, plan.sizes, *made});
  if (kept_.size() > options_.most_kept) kept_.pop_back();
  return *made;
}

Status Instances::complete(const Plan& plan, const problem::Instance& instance, const MakeBuild& build) {
  if (plan.like == nullptr || !instance.wants_reference()) return Done{};
  const Plan& other = *plan.like;
  auto built = build(build_request(other, false));
  if (!built) return in_the_other(plan, built.error());
  const auto data = other.problem->make(other.sizes, options_.pattern, options_.seed, options_.most_bytes);
  if (!data) return in_the_other(plan, data.error());
  const auto kernel = prepare(*built, other.device);
  if (!kernel) return in_the_other(plan, kernel.error());
  auto ran = emulate(**kernel, **data, other.launch, {.sample_above = 0, .keep_outputs = true});
  if (!ran) return in_the_other(plan, ran.error());
  if (ran->outcome.fault) return in_the_other(plan, ran->outcome.fault->error);
  instance.set_reference(std::move(ran->outputs));
  return Done{};
}

}  // namespace warplens::run
