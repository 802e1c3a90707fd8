// What is made once for a key and kept, by whoever asks first, on that thread; who asks for the same meanwhile
// waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/result.hpp"

namespace warplens {

template <class Value>
class OnceByKey {
 public:
  // most: how many are kept; one more, and those that nobody waits for are forgotten. cancelled: the error of who
  // was cancelled while another thread made it.
  OnceByKey(std::size_t most, Error cancelled) : most_(most), cancelled_(std::move(cancelled)) {}

  // make() -> Result<Value>. An error is not kept: the next one who asks makes it again.
  template <class Make>
  Result<Value> of(const std::string& key, const std::atomic<bool>& cancel, const Make& make) {
    const std::shared_ptr<Entry> entry = entry_of(key);
    std::unique_lock lock(entry->mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(10)))
      if (cancel) return cancelled_;
    if (entry->value) return *entry->value;
    Result<Value> made = make();
    if (made) entry->value = *made;
    return made;
  }

 private:
  struct Entry {
    std::timed_mutex mutex;
    std::optional<Value> value = {};
  };
  std::shared_ptr<Entry> entry_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
    if (entries_.size() >= most_)
      std::erase_if(entries_, [](const auto& entry) { return entry.second.use_count() == 1; });
    return entries_[key] = std::make_shared<Entry>();
  }

  std::size_t most_;
  Error cancelled_;
  std::mutex mutex_;  // guards entries_
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace warplens
