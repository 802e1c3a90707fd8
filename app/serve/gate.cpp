#include "app/serve/gate.hpp"

#include <algorithm>

namespace warplens::app::serve {

bool Gate::lets_in(const std::string& address, Time now) {
  const auto tokens_now = [&](const Left& left) {
    return std::min(kAtOnce,
                    left.tokens + std::chrono::duration<double>(now - left.at).count() / kSecondsEach);
  };
  const std::lock_guard lock(mutex_);
  std::erase_if(left_, [&](const auto& entry) { return tokens_now(entry.second) >= kAtOnce; });
  Left& left = left_.try_emplace(address, Left{kAtOnce, now}).first->second;
  left = {tokens_now(left), now};
  if (left.tokens < 1) return false;
  left.tokens -= 1;
  return true;
}

}  // namespace warplens::app::serve
