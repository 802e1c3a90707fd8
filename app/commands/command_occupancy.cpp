// warplens occupancy: how many blocks fit on one multiprocessor, for a compiled kernel or for given numbers.
#include "engine/device/occupancy.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/json_text.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

using device::Limiter, device::Occupancy;

// Each resource that can limit: its name in every answer, its own limit, and who it is.
struct Resource {
  std::string_view name;
  Limiter limiter;
  int Occupancy::*blocks;
};
constexpr std::array<Resource, 4> kResources = {{{"warps", Limiter::warps, &Occupancy::by_warps},
                                                 {"blocks", Limiter::blocks, &Occupancy::by_blocks},
                                                 {"registers", Limiter::registers, &Occupancy::by_registers},
                                                 {"shared", Limiter::shared, &Occupancy::by_shared}}};

std::vector<std::string_view> limiter_names(const Occupancy& fit) {
  std::vector<std::string_view> names;
  for (const Limiter limiter : fit.limiters) {
    for (const Resource& resource : kResources) {
      if (resource.limiter == limiter) names.push_back(resource.name);
    }
  }
  return names;
}

Json to_json(const Occupancy& fit) {
  Json limits = Json::object();
  for (const Resource& resource : kResources) {
    const int blocks = fit.*resource.blocks;
    limits[std::string(resource.name)] = blocks == device::kUnlimitedBlocks ? Json(nullptr) : Json(blocks);
  }
  return {{"blocks_per_sm", fit.blocks_per_sm},
          {"warps_per_sm", fit.warps_per_sm},
          {"occupancy", fit.occupancy},
          {"limits", limits},
          {"limiter", limiter_names(fit)}};
}

std::string block_words(int blocks) {
  return blocks == device::kUnlimitedBlocks ? "no limit"
         : blocks == 1                      ? "1 block"
                                            : fmt::format("{} blocks", blocks);
}

std::string to_words(const Occupancy& fit, const device::ResourceUsage& use, const device::Device& device) {
  std::string text =
      fmt::format("{}: {} threads a block, {} registers a thread, {} bytes of shared memory a block\n",
                  device.id, use.threads_per_block, use.registers_per_thread, use.shared_bytes_per_block);
  text += fmt::format("occupancy      {:.1f} % ({} of {} warps, {} a multiprocessor)\n", fit.occupancy * 100,
                      fit.warps_per_sm, device.max_warps_per_sm, block_words(fit.blocks_per_sm));
  for (const Resource& resource : kResources) {
    text += fmt::format("by {:<12}{}\n", resource.name, block_words(fit.*resource.blocks));
  }
  if (const std::string why = device::why_no_block(device, use); !why.empty())
    return text + fmt::format("not launched   {}\n", why);
  return text + fmt::format("limited by     {}\n", fmt::join(limiter_names(fit), ", "));
}

// What one block uses, and where the numbers come from: empty for the user's own.
struct Use {
  device::ResourceUsage numbers;
  std::string origin = {};
};

Result<Use> use_of_numbers(const OccupancyOptions& options) {
  if (!options.threads || !options.registers) {
    return Error{"occupancy needs a KERNEL, or --threads and --registers",
                 "try 'warplens occupancy --threads 256 --registers 32 --shared 0'"};
  }
  return Use{{*options.threads, *options.registers, options.shared.value_or(0)}};
}

Result<Use> use_of_kernel(const Workspace& workspace, const KernelOptions& options,
                          const device::Device& device) {
  const auto plan = plan_one(workspace, options, device);
  if (!plan) return plan.error();
  compile::Compiler compiler = workspace.compiler();
  const auto build = run::compile(compiler, *plan);
  if (!build) return build.error();
  const int registers = run::registers_on(device, plan->spec, plan->parameters, build->registers);
  return Use{{threads_per_block(*plan), registers, shared_bytes(*plan, *build)},
             fmt::format("{}, compiled for sm_{}{}\n", plan->spec.id, build->arch,
                         registers == 0 ? "; registers not known for this device" : "")};
}

Status check_one_form(const OccupancyOptions& options) {
  const bool numbers = options.threads || options.registers || options.shared;
  const bool kernel_options = !options.kernel.defines.empty() || !options.kernel.size.empty();
  if (options.kernel.kernel.empty() && kernel_options) {
    return Error{"-D and --size need a KERNEL", "name one, such as matmul/03_shared_tile"};
  }
  if (!options.kernel.kernel.empty() && numbers) {
    return Error{"occupancy takes a KERNEL or the numbers, not both",
                 "leave --threads, --registers and --shared away, or the kernel"};
  }
  return Done{};
}

}  // namespace

Result<int> occupancy_command(const CommonOptions& common, const OccupancyOptions& options) {
  if (const Status form = check_one_form(options); !form) return form.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  const auto use = options.kernel.kernel.empty() ? use_of_numbers(options)
                                                 : use_of_kernel(*workspace, options.kernel, *device);
  if (!use) return use.error();
  const auto fit = device::occupancy(*device, use->numbers);
  if (!fit) return fit.error();
  fmt::print("{}",
             common.json ? to_text(to_json(*fit)) : use->origin + to_words(*fit, use->numbers, *device));
  return kExitFine;
}

}  // namespace warplens::app
