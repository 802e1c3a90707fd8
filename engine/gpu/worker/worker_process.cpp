#include "engine/gpu/worker/worker_process.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

namespace warplens::gpu {

constexpr off_t kMostPrinted = 64 << 10;

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& command) {
  auto ends = Channel::pair();
  if (!ends) return ends.error();
  Descriptor output = memory_file();
  auto process =
      Process::start({command, {{0, Process::kNull}, {1, output.number()}, {3, ends->second.number()}}});
  if (!process)
    return Error{"the GPU's process cannot be started: " + process.error().message,
                 "check the installation of warplens"};
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(*process, std::move(ends->first), std::move(output)));
}

WorkerProcess::~WorkerProcess() {
  process_.send_signal(SIGKILL);
  // The kernel first takes the GPU from it, which needs a moment where a launch is running. Where even that
  // hangs, the process is left behind.
  process_.wait(20);
}

std::string WorkerProcess::printed() {
  const off_t end = output_.size();
  const std::string text = output_.text(printed_, std::min(end - printed_, kMostPrinted));
  printed_ = end;
  return text;
}

std::string WorkerProcess::epitaph() {
  if (!process_.wait(5)) return "closed its channel";
  if (const auto signal = process_.signal()) return fmt::format("was ended by signal {}", *signal);
  return fmt::format("ended with code {}", process_.exit_code());
}

}  // namespace warplens::gpu
