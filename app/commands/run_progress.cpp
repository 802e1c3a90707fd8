#include "app/commands/run_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace warplens::app {
namespace {

void tell(const std::stop_token& stop) {
  constexpr int kFirst = 2;  // seconds
  constexpr const char* kErased = "\r\x1b[K";
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  int seconds = 0;
  while (!stopped.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); }))
    if (++seconds >= kFirst) fmt::print(stderr, "{}running for {} s; Ctrl+C stops it", kErased, seconds);
  if (seconds >= kFirst) fmt::print(stderr, "{}", kErased);
}

}  // namespace

RunProgress::RunProgress() {
  if (isatty(STDERR_FILENO) != 0) teller_ = std::jthread(tell);
}

}  // namespace warplens::app
