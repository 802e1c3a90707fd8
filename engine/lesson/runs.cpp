#include "engine/lesson/runs.hpp"

#include <fmt/format.h>

namespace warplens::lesson {

Result<run::SharedRun> Runs::run(const RunKey& key) const {
  const auto spec = catalog_.find(key.kernel);
  if (!spec) return spec.error();
  const auto device = devices_.find(key.device);
  if (!device) return device.error();
  const auto run = runner_.run({.spec = *spec,
                                .parameters = key.parameters,
                                .sizes = key.sizes,
                                .device = *device,
                                .block = key.block},
                               cancel_);
  if (run && (*run)->fault) return *(*run)->fault;
  return run;
}

Result<RunKey> Runs::complete(const RunWish& wish, const RunKey& stop) const {
  const auto spec = catalog_.find(wish.kernel);
  if (!spec) return spec.error();
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  RunKey key{.kernel = wish.kernel,
             .sizes = (*problem)->default_sizes(),
             .device = wish.device.empty() ? stop.device : wish.device,
             .block = wish.block.value_or(wish.kernel == stop.kernel ? stop.block : 0)};
  if (const auto shown = catalog_.find(stop.kernel); shown && shown->problem == spec->problem)
    for (const auto& [name, value] : stop.sizes) key.sizes.insert_or_assign(name, value);
  if (wish.size)
    for (auto& [name, value] : key.sizes) value = *wish.size;
  for (const auto& [name, value] : wish.values)
    (key.sizes.contains(name) ? key.sizes : key.parameters).insert_or_assign(name, value);
  return key;
}

Result<Subject> Runs::run(const RunWish& wish, const StopRun& stop) const {
  const auto key = complete(wish, stop.key);
  if (!key) return key.error();
  auto made = run(*key);
  if (!made) return made.error();
  const bool same_kernel = wish.kernel == stop.key.kernel;
  const std::uint32_t warp = wish.warp.value_or(same_kernel ? stop.warp : 0);
  AccessWish access = wish.access;
  if (access == AccessWish{}) {
    access = stop.access;
    if (!same_kernel) access.number.reset();
  }
  auto subject = subject_of(*made, key->block, warp, access);
  if (!subject && wish.access == AccessWish{}) subject = subject_of(*std::move(made), key->block, warp, {});
  if (subject) subject->by_hand = wish.by_hand;
  return subject;
}

}  // namespace warplens::lesson
