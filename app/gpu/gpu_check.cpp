#include "app/gpu/gpu_check.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "app/gpu/stop_words.hpp"
#include "engine/instrument/access_guard.hpp"
#include "engine/run/arguments.hpp"

namespace warplens::app {
namespace {

using Finding = instrument::GuardFinding;

constexpr double kTimeoutFactor = 3;  // times that of a thread: a checked kernel is slower

std::string triple(std::uint64_t linear, const std::array<std::uint32_t, 3>& extent) {
  return fmt::format("({}, {}, {})", linear % extent[0], linear / extent[0] % extent[1],
                     linear / extent[0] / extent[1]);
}

const char* verb_of(emulator::AccessKind kind) {
  switch (kind) {
    case emulator::AccessKind::load:
    case emulator::AccessKind::async_copy:
      return "reads";
    case emulator::AccessKind::store:
      return "writes";
    case emulator::AccessKind::atomic:
      return "updates";
  }
  return "uses";
}

std::vector<BufferPlace> places_of(const run::Job& job, const gpu::Execution& execution) {
  std::vector<BufferPlace> places;
  const auto& buffers = job.instance->buffers();
  for (std::size_t b = 0; b < buffers.size() && b < execution.places.size(); ++b)
    places.push_back({buffers[b].name, execution.places[b], job.instance->initial(b).size()});
  return places;
}

gpu::Fault fault_of(const Finding& found, bool in_clusters, const run::Job& job,
                    const gpu::Execution& execution, double timeout) {
  const catalog::LaunchShape& launch = job.plan.launch;
  const std::string who = fmt::format("thread {} of block {}", triple(found.thread, launch.block),
                                      triple(found.block, launch.grid));
  if (found.kind == Finding::Kind::endless)
    return {gpu::Fault::Kind::hang,
            "",
            {fmt::format("the kernel did not end within {} s and was stopped in a loop of {}", timeout, who),
             gpu::kAdviceOnHang, found.place}};
  const bool outside = found.kind == Finding::Kind::outside;
  const std::string name = outside ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_MISALIGNED_ADDRESS";
  const std::string what =
      outside ? stop_words(found, in_clusters, places_of(job, execution))
              : fmt::format("at {:#x}, which is no multiple of {}", found.address, found.site.width);
  return {
      gpu::Fault::Kind::fault,
      name,
      {fmt::format("the kernel was stopped on the GPU: {} {} {} bytes {}{} ({})", who,
                   verb_of(found.site.kind), found.site.width, outside ? "out of bounds, " : "", what, name),
       "", found.place}};
}

// "bulk copies, functions that the compiler did not inline"
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

Result<GpuCheck> check_on_gpu(gpu::Client& client, const run::Job& job, const CheckOptions& options) {
  const auto guard = instrument::with_access_guard(job.build.ptx, job.build.kernel_name);
  if (!guard) return GpuCheck{.fault = {}, .not_checked = guard.error().message};
  const GpuCheck fit{.fault = {}, .not_checked = listed(guard->left_out)};
  const auto limit = static_cast<std::uint64_t>(1e9 * options.timeout_seconds);
  const auto start = instrument::guard_start(*guard, run::buffer_bytes(*job.instance), limit);
  const auto execution =
      client.run({.device = options.device,
                  .cubin = std::as_bytes(std::span<const char>(guard->ptx)),
                  .kernel_name = job.build.kernel_name,
                  .launch = job.plan.launch,
                  .instance = job.instance,
                  .timing = {},
                  .product = {},
                  .extra = gpu::ExtraBuffer{.bytes = start.size(), .start_bytes = 0, .records = false},
                  .extra_start = start,
                  .timeout_factor = kTimeoutFactor,
                  .cooperative = run::is_cooperative(job.build.ptx),
                  .cancel = options.cancel});
  if (options.cancel != nullptr && *options.cancel) return Error{"this run was cancelled", ""};
  if (!execution)  // an old driver does not compile new PTX
    return GpuCheck{.fault = {}, .not_checked = "the driver refused: " + execution.error().message};
  if (execution->fault) return GpuCheck{.fault = execution->fault, .not_checked = {}};
  const auto found = instrument::read_guard(*guard, execution->extra);
  if (!found || !*found) return fit;
  return GpuCheck{.fault = fault_of(**found, guard->in_clusters, job, *execution, options.timeout_seconds),
                  .not_checked = {}};
}

}  // namespace warplens::app
