#include "engine/problem/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace warplens::problem {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;  // joined on leaving, after the caller's own share
  try {
    for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(take);
  } catch (const std::system_error&) {  // no thread to be had: go on with those there are
  }
  take();
}

}  // namespace warplens::problem
