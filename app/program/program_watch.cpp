#include "app/program/program_watch.hpp"

#include <chrono>
#include <utility>

namespace warplens::app {

ProgramWatch::ProgramWatch(const program::Started& started, std::atomic<bool>& cancel, WhyStop why_stop)
    : thread_(
          [this, &started, &cancel, why_stop = std::move(why_stop)] { wait(started, cancel, why_stop); }) {}

ProgramWatch::~ProgramWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
}

std::optional<Stop> ProgramWatch::why() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

void ProgramWatch::wait(const program::Started& started, std::atomic<bool>& cancel, const WhyStop& why_stop) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, std::chrono::milliseconds(50), [this] { return is_over_; })) {
    const auto why = why_stop(std::chrono::duration<double>(Clock::now() - start).count());
    if (!why) continue;
    why_ = why;
    cancel = true;
    started.stop();
    return;
  }
}

}  // namespace warplens::app
