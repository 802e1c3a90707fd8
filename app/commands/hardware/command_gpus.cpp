// The GPUs of this machine, and the process that launches kernels on them.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "app/base/text_table.hpp"
#include "app/commands/commands.hpp"
#include "app/gpu/gpu_report.hpp"
#include "app/gpu/gpu_run.hpp"
#include "engine/gpu/worker/worker.hpp"

namespace warplens::app {
namespace {

constexpr int kChannel = 3;  // engine/gpu/worker/client.hpp

}  // namespace

Result<int> gpus_command(const CommonOptions& common) {
  gpu::Client client(client_options(30));
  const auto system = client.system();
  if (!system) return system.error();
  if (common.json) {
    fmt::print("{}", to_text(system_json(*system)));
    return kExitFine;
  }
  if (system->devices.empty()) {
    fmt::print("no GPU: using the emulator ({})\n", system->reason);
    return kExitFine;
  }
  std::vector<TextRow> rows = {
      {"gpu", "name", "compute capability", "SMs", "clock", "memory", "memory clock", "L2"}};
  for (const gpu::GpuDevice& d : system->devices) {
    rows.push_back({fmt::format("{}", d.index), d.name,
                    fmt::format("{}.{}", d.compute_capability / 10, d.compute_capability % 10),
                    fmt::format("{}", d.multiprocessors), fmt::format("{:.0f} MHz", d.clock_mhz),
                    fmt::format("{:.1f} GiB", static_cast<double>(d.memory_bytes) / (1 << 30)),
                    fmt::format("{:.0f} MHz x {} bits", d.memory_clock_mhz, d.memory_bus_bits),
                    fmt::format("{} MiB", d.l2_bytes >> 20)});
  }
  fmt::print("{}driver {}, CUDA {}\n", format_table(rows), system->driver,
             cuda_version_name(system->cuda_version));
  return kExitFine;
}

Result<int> gpu_worker_command() {
  gpu::Channel channel{Descriptor(kChannel)};
  // While a kernel hangs nobody reads the channel: this thread notices that the program itself is gone.
  std::thread([] {
    pollfd what{kChannel, POLLRDHUP, 0};
    while (poll(&what, 1, -1) < 0 || (what.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) == 0) {
    }
    _exit(kExitFine);
  }).detach();
  const auto executor = gpu::make_cuda_executor();
  gpu::serve(channel, *executor);
  // The driver's own threads and a broken context do not survive an orderly end.
  std::fflush(nullptr);
  _exit(kExitFine);
}

}  // namespace warplens::app
