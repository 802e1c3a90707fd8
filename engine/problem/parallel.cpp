#include "engine/problem/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace warplens::problem {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;  // for the caller: one that leaves a thread ends the process
  const auto take = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
      next = count;
    }
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;  // joined on leaving, after the caller's own share
    try {
      for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(take);
    } catch (const std::system_error&) {  // no thread to be had: go on with those there are
    }
    take();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace warplens::problem
