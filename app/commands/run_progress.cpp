#include "app/commands/run_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
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

void tell_in_lines(const std::stop_token& stop, std::chrono::milliseconds every) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  const auto start = std::chrono::steady_clock::now();
  while (!stopped.wait_for(lock, stop, every, [&] { return stop.stop_requested(); })) {
    const std::chrono::duration<double> past = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "warplens: running for {:.0f} s\n", past.count());
    std::fflush(stderr);
  }
}

constexpr std::chrono::seconds kEvery{10};

}  // namespace

RunProgress::RunProgress() : RunProgress(kEvery) {}

RunProgress::RunProgress(std::chrono::milliseconds every) {
  if (isatty(STDERR_FILENO) != 0)
    teller_ = std::jthread(tell);
  else
    teller_ = std::jthread([every](const std::stop_token& stop) { tell_in_lines(stop, every); });
}

}  // namespace warplens::app
