#include "engine/gpu/worker/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

namespace warplens::gpu {
namespace {

constexpr off_t kMostPrinted = 64 << 10;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// 0 or an errno.
int spawn(std::vector<std::string> command, int channel, int output, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, channel,
                                   3);  // the same number loses its close-on-exec, so says POSIX
  const int failed =
      posix_spawn(&child, command.front().c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::vector<std::string>& command) {
  auto ends = Channel::pair();
  if (!ends) return ends.error();
  // Descriptors 0 to 3 could be closed in this program; then dup2 in the child would overwrite what it needs.
  Descriptor output(memfd_create("warplens printed", MFD_CLOEXEC));
  const Descriptor channel(fcntl(ends->second.number(), F_DUPFD_CLOEXEC, 10));
  Descriptor high_output(fcntl(output.number(), F_DUPFD_CLOEXEC, 10));
  pid_t child = 0;
  const int failed = command.empty() || !channel || !high_output
                         ? EINVAL
                         : spawn(command, channel.number(), high_output.number(), child);
  if (failed != 0)
    return Error{fmt::format("the GPU's process cannot be started: {}", std::strerror(failed)),
                 "check the installation of warplens"};
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(child, std::move(ends->first), std::move(high_output)));
}

WorkerProcess::~WorkerProcess() {
  if (reaped_) return;
  kill(child_, SIGKILL);
  // The kernel first takes the GPU from it, which needs a moment where a launch is running. Where even that
  // hangs, the process is left behind.
  reap(20);
}

bool WorkerProcess::reap(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!reaped_) {
    reaped_ = waitpid(child_, &status_, WNOHANG) != 0;
    if (reaped_ || std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return reaped_;
}

std::string WorkerProcess::printed() {
  struct stat status {};
  if (fstat(output_.number(), &status) != 0 || status.st_size <= printed_) return "";
  std::string text(static_cast<std::size_t>(std::min(status.st_size - printed_, kMostPrinted)), '\0');
  const ssize_t got = pread(output_.number(), text.data(), text.size(), printed_);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  printed_ = status.st_size;
  return text;
}

std::string WorkerProcess::epitaph() {
  if (!reap(5)) return "closed its channel";
  if (WIFSIGNALED(status_)) return fmt::format("was ended by signal {}", WTERMSIG(status_));
  return fmt::format("ended with code {}", WEXITSTATUS(status_));
}

}  // namespace warplens::gpu
