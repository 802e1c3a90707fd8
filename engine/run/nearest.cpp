#include "engine/run/nearest.hpp"

#include <algorithm>
#include <utility>

#include "engine/catalog/launches.hpp"
#include "engine/run/declared/declared_shared.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

// What one set of values that needs too many registers says of others, which need not be compiled then: they
// need about as many where a thread has as much to do, and a block that is as large has no room for them.
class TooManyRegisters {
 public:
  TooManyRegisters(const Plan& plan, catalog::Limits limits)
      : device_(plan.device), limits_(std::move(limits)) {
    catalog::Values sizes = plan.sizes;
    for (auto& [name, value] : sizes) value = whole_tiles;
    launches_ = std::make_shared<catalog::Launches>(plan.spec, std::move(sizes));
  }

  catalog::Limits limits() const {
    catalog::Limits limits = limits_;
    if (threads_ > 0)
      limits.refuses = [*this](const catalog::Values& values) -> std::optional<std::string> {
        if (auto why = limits_.refuses(values)) return why;
        return threads_of(values) <= threads_ ? std::optional<std::string>("too many registers")
                                              : std::nullopt;
      };
    return limits;
  }

  void note(const catalog::Values& values, int registers) {
    if (registers > device_.checked_registers_per_thread)
      threads_ = std::max(threads_, threads_of(values));
    else if (registers > 0)
      limits_.threads_per_block =
          std::min<std::int64_t>(limits_.threads_per_block, device_.registers_per_block / registers);
  }

 private:
  static constexpr std::int64_t whole_tiles = 4096;  // of every size: no tail takes threads of its own

  // Of the whole grid: the more there are, the less each has to do. 0 where the values make no launch.
  std::uint64_t threads_of(const catalog::Values& values) const {
    const auto launch = launches_->at(values);
    if (!launch) return 0;
    return catalog::blocks_in_grid(*launch) * catalog::threads_in_block(*launch);
  }

  device::Device device_;
  catalog::Limits limits_;
  std::shared_ptr<catalog::Launches> launches_;
  std::uint64_t threads_ = 0;  // so few, and each needs more registers than a thread can have
};

// registers false: 0 where they are not known, so that machine code, which takes longest, need not be made.
Result<Resources> resources_of(const Plan& plan, bool registers, KnownResources& known,
                               const Builds& builds) {
  const auto wanted = build_request(plan, registers);
  if (const auto found = known.find(wanted); found && (found->registers > 0 || !registers)) return *found;
  const auto build = builds(wanted);
  if (!build) return build.error();
  if (registers) return Resources{(*build)->static_shared_bytes, (*build)->registers};
  const auto kernel = prepare(**build, plan.device);
  if (!kernel) return kernel.error();
  const Resources resources{(*kernel)->static_shared_bytes(), 0};
  known.note(wanted, resources);
  return resources;
}

// Nothing where none is found soon.
Result<std::optional<Plan>> search(const Plan& wanted, bool registers,
                                   const std::shared_ptr<KnownResources>& known, const Builds& builds,
                                   const std::atomic<bool>& cancel) {
  constexpr int most_compiled = 24;  // some seconds
  const catalog::Limits limits = limits_of(wanted.device, wanted.spec, wanted.sizes, known, registers);
  TooManyRegisters too_many(wanted, limits);
  for (int i = 0; i < most_compiled && !cancel; ++i) {
    const auto values =
        catalog::nearest_values(wanted.spec, wanted.parameters, wanted.sizes, too_many.limits());
    if (!values) break;
    auto plan = wanted.with(*values);
    if (!plan) return plan.error();
    if (!needs_compiling(plan->device, plan->launch)) return std::optional(*std::move(plan));
    // The source says that it fits.
    if (!registers && declared_shared_bytes(plan->spec.code, plan->parameters))
      return std::optional(*std::move(plan));
    const auto has = resources_of(*plan, registers, *known, builds);
    if (!has) return has.error();
    if (!limits.refuses(plan->parameters)) return std::optional(*std::move(plan));
    if (registers) too_many.note(plan->parameters, has->registers);
  }
  return std::optional<Plan>();
}

}  // namespace

Result<Plan> nearest_plan(const Plan& wanted, const std::shared_ptr<KnownResources>& known,
                          const Builds& builds, const std::atomic<bool>& cancel) {
  // Registers of an older device are not those of the machine code, which need not be made then.
  const bool own_code = architecture_for(wanted.device) == wanted.device.compute_capability;
  for (const bool registers : {true, false}) {
    if (registers && !own_code) continue;
    auto found = search(wanted, registers, known, builds, cancel);
    if (!found) return found.error();
    if (cancel) return cancelled();
    if (*found) return **std::move(found);
  }
  const auto limits = limits_of(wanted.device, wanted.spec, wanted.sizes, known, false);
  const auto values = catalog::nearest_values(wanted.spec, wanted.parameters, wanted.sizes, limits);
  if (!values) return values.error();
  const auto why = catalog::why_not(wanted.spec, wanted.parameters, wanted.sizes, limits);
  return Error{why.value_or(wanted.device.name + " does not take these values"),
               "no values near these are valid there: choose smaller ones, or another step"};
}

}  // namespace warplens::run
