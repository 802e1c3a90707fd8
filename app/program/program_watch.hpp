// Watches a program that runs, from a thread of its own, and stops it, with the kernel that runs, where there is a reason to.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/program/program_end.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {

class ProgramWatch {
 public:
  // Asked from that thread, twenty times a second, with how long the program runs; returns why it has to stop.
  using WhyStop = std::function<std::optional<Stop>(double seconds)>;

  // cancel: of the kernels that run; becomes true with the end of the program. Both must outlive this.
  ProgramWatch(const program::Started& started, std::atomic<bool>& cancel, WhyStop why_stop);
  // Waits for the thread; the program may run on.
  ~ProgramWatch();
  // Why it stopped the program; nothing: it did not.
  std::optional<Stop> why() const;

 private:
  void wait(const program::Started& started, std::atomic<bool>& cancel, const WhyStop& why_stop);

  mutable std::mutex mutex_;  // guards the next three
  std::condition_variable over_;
  bool is_over_ = false;
  std::optional<Stop> why_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace warplens::app
