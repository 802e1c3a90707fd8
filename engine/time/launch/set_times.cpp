#include "engine/time/launch/set_times.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "engine/run/build_queue.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/placing.hpp"

namespace warplens::time {
namespace {

// The instance of a set of parameters: a file's own problem may say its arguments, such as the boxes of tensor
// maps, by them. Only counted, never verified.
Result<run::SharedInstance> instance_of(const run::Plan& chosen, const run::Plan& plan,
                                        const run::SharedInstance& instance) {
  if (chosen.problem->key() == plan.problem->key()) return instance;
  return chosen.problem->make(chosen.sizes, problem::Pattern::random, 1, run::buffer_memory_limit());
}

Result<Prediction> predict_set(const run::Plan& plan, const catalog::Values& values,
                               const run::SharedInstance& shared, const MakeBuild& make,
                               CountOptions options) {
  const auto chosen = plan.with(values);
  if (!chosen) return chosen.error();
  auto build = make(run::build_request(*chosen));
  if (!build) return build.error();
  auto instance = instance_of(*chosen, plan, shared);
  if (!instance) return instance.error();
  if (!options.placed->take_arguments(*instance)) options.placed = nullptr;
  const run::Job job{*chosen, *std::move(instance), *std::move(build)};
  if (const auto fit = occupancy_of(job); !fit) return fit.error();
  const auto kernel = run::prepare(job.build, chosen->device);
  if (!kernel) return kernel.error();
  if (std::string missing = run::missing_instruction((*kernel)->function(), chosen->device); !missing.empty())
    return Error{std::move(missing), "choose a newer device"};
  const auto counted = count(job, **kernel, options);
  if (!counted) return counted.error();
  return predict(job, **kernel, *counted);
}

// Each thread has the data for itself.
std::size_t threads_for(const SetTimesOptions& options, const problem::Instance& instance, std::size_t sets) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  const std::size_t wanted = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                 : std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t room = std::max<std::uint64_t>(1, kMostBytes / run::memory_for(instance));
  return std::min({wanted, static_cast<std::size_t>(room), std::max<std::size_t>(sets, 1)});
}

}  // namespace

Status predict_sets(const run::Plan& plan, const std::vector<catalog::Values>& sets,
                    const run::SharedInstance& instance, const MakeBuild& make,
                    const SetTimesOptions& options, const SetFound& found) {
  std::vector<run::Placed> memories;
  for (std::size_t i = 0; i < threads_for(options, *instance, sets.size()); ++i) {
    auto placed = run::Placed::of(instance);
    if (!placed && memories.empty()) return placed.error();
    if (placed) memories.push_back(*std::move(placed));
  }
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  const auto is_cancelled = [&] { return options.cancel != nullptr && *options.cancel; };
  const auto work = [&](run::Placed& placed) {
    if (options.gives_way) run::give_way();
    for (std::size_t i = next++; i < sets.size() && !is_cancelled(); i = next++) {
      const auto prediction = predict_set(plan, sets[i], instance, make, {&placed, 1, options.cancel});
      if (is_cancelled()) return;
      const std::lock_guard lock(one_at_a_time);
      found(i, prediction);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < memories.size(); ++i) threads.emplace_back(work, std::ref(memories[i]));
  work(memories.front());
  return Done{};
}

}  // namespace warplens::time
