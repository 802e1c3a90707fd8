// A child process with a channel to it. Ended when it goes out of scope.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/process.hpp"
#include "engine/gpu/worker/channel.hpp"

namespace warplens::gpu {

class WorkerProcess {
 public:
  // Error: it cannot be started. The child has the channel as descriptor 3, reads nothing on stdin, and what
  // it writes to stdout is kept for printed().
  static Result<std::unique_ptr<WorkerProcess>> start(const std::vector<std::string>& command);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Channel& channel() { return channel_; }
  std::string printed();  // since the last call, at most 64 KiB
  // "was ended by signal 11" or "ended with code 1"; call it where the channel is closed.
  std::string epitaph();

 private:
  WorkerProcess(Process process, Channel channel, Descriptor output)
      : process_(process), channel_(std::move(channel)), output_(std::move(output)) {}

  Process process_;
  Channel channel_;
  Descriptor output_;
  off_t printed_ = 0;
};

}  // namespace warplens::gpu
