// What a figure needs of a run besides, made by a worker because that takes longer than a frame.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/base/cancel.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// Made once for a run and kept as long as it is, whoever asks first and on which thread. Made: a shared
// pointer.
template <class Made>
class MadeOnce {
 public:
  // make: returns early where cancel becomes true.
  using Make = std::function<Made(const run::Run&, const std::atomic<bool>& cancel)>;
  explicit MadeOnce(Make make) : make_(std::move(make)) {}
  // Waits where another thread is making it; what was cancelled is made by the next one who asks, and is null
  // for who cancelled it. Precondition: run is not null.
  Made of(const run::SharedRun& run, const std::atomic<bool>& cancel = kNeverCancelled) {
    const std::shared_ptr<Entry> entry = entry_of(run);
    // Who waits is cancelled alone: the other thread may go on for long.
    std::unique_lock lock(entry->mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(10)))
      if (cancel) return nullptr;
    if (entry->made) return *entry->made;
    if (cancel) return nullptr;
    Made made = make_(*run, cancel);
    if (cancel) return nullptr;
    return entry->made.emplace(std::move(made));
  }

 private:
  struct Entry {
    std::timed_mutex mutex;
    std::optional<Made> made = {};
  };
  std::shared_ptr<Entry> entry_of(const run::SharedRun& run) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const auto& entry) { return entry.first.expired(); });
    std::shared_ptr<Entry>& entry = entries_[run];
    if (entry == nullptr) entry = std::make_shared<Entry>();
    return entry;
  }

  Make make_;
  std::mutex mutex_;
  std::map<std::weak_ptr<const run::Run>, std::shared_ptr<Entry>, std::owner_less<>> entries_;
};

// The same for the run on screen alone, polled once a frame.
template <class Made>
class OfRun {
 public:
  using Make = std::function<Made(const run::SharedRun&, const std::atomic<bool>& cancel)>;
  explicit OfRun(Make make)
      : worker_([make = std::move(make)](const run::SharedRun& run, const std::atomic<bool>& cancel,
                                         const auto&) { return make(run, cancel); },
                {}) {}
  // Null while it is being made, and for a preview.
  Made of(const run::SharedRun& run) {
    if (run == nullptr || !run->complete) return nullptr;
    if (run != asked_) {
      asked_ = run;
      made_.reset();
      worker_.submit(run);
    }
    if (auto done = worker_.poll()) made_ = *std::move(done);
    return made_;
  }
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  run::SharedRun asked_;
  Made made_;
  LatestWins<run::SharedRun, Made> worker_;
};

}  // namespace warplens::app
