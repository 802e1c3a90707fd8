// What takes a moment to find out, found out once and kept by its key. Whoever can wait asks a Memo, from any thread: the first
// who asks finds it out and the others wait for it. Whoever must not wait polls an Asked once a frame: a worker finds it out.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/cancel.hpp"
#include "engine/base/latest_wins.hpp"

namespace warplens {

template <class Value>
class Memo {
 public:
  // most: so many keys are kept.
  explicit Memo(std::size_t most) : most_(most) {}
  // Returns anything where cancel becomes true: nothing is kept of it.
  using Make = std::function<Value(const std::atomic<bool>& cancel)>;

  // What is kept of this key, at once; empty where nobody found it out, and while somebody does. What is asked for stays kept.
  std::optional<Value> kept(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Kept::key);
    if (found == entries_.end()) return std::nullopt;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().entry->made;
  }
  // Found out on this thread unless it is kept, or by another one that is at it. Empty for who cancelled it: the next who asks
  // makes it.
  std::optional<Value> of(const std::string& key, const std::atomic<bool>& cancel, const Make& make) {
    const std::shared_ptr<Entry> entry = entry_of(key);
    // Who waits is cancelled alone: the other thread may go on for long.
    std::unique_lock at_work(entry->at_work, std::defer_lock);
    while (!at_work.try_lock_for(std::chrono::milliseconds(10)))
      if (cancel) return std::nullopt;
    if (auto known = made_of(*entry)) return known;
    if (cancel) return std::nullopt;
    Value made = make(cancel);
    if (cancel) return std::nullopt;
    keep(*entry, made);
    return made;
  }
  // Replaces what is kept of the key: more of it is known.
  void keep(const std::string& key, Value value) { keep(*entry_of(key), std::move(value)); }

 private:
  struct Entry {
    std::timed_mutex at_work;
    std::optional<Value> made = {};  // guarded by mutex_
  };
  struct Kept {
    std::string key;
    std::shared_ptr<Entry> entry;
  };
  std::optional<Value> made_of(const Entry& entry) {
    const std::lock_guard lock(mutex_);
    return entry.made;
  }
  void keep(Entry& entry, Value value) {
    const std::lock_guard lock(mutex_);
    entry.made = std::move(value);
  }
  std::shared_ptr<Entry> entry_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Kept::key);
    Kept kept = found == entries_.end() ? Kept{key, std::make_shared<Entry>()} : *found;
    if (found != entries_.end()) entries_.erase(found);
    entries_.push_front(kept);
    if (entries_.size() > most_) entries_.pop_back();
    return kept.entry;
  }

  const std::size_t most_;
  std::mutex mutex_;          // guards what is below
  std::deque<Kept> entries_;  // those that were asked for last come first
};

template <class Value>
class Asked {
 public:
  using Partial = std::function<void(Value)>;
  using Job = std::function<Value(const std::atomic<bool>& cancel, const Partial& partial)>;

  // wake: called from the worker when there is more to know; may be empty where nobody sleeps meanwhile.
  explicit Asked(std::function<void()> wake)
      : worker_([](const Job& job, const std::atomic<bool>& cancel,
                   const Partial& partial) { return job(cancel, partial); },
                std::move(wake)) {}

  // What is known of this key by now; empty while it is being found. make_job: called where the key is another one than before,
  // returns what the worker is to do.
  template <class MakeJob>
  const std::optional<Value>& of(const std::string& key, MakeJob make_job) {
    ask(key, make_job);
    take();
    return known_;
  }
  // The same in three steps, for who wants to know when there is more: ask, take, and what is known.
  template <class MakeJob>
  bool ask(const std::string& key, MakeJob make_job) {  // true: another key than before
    if (asked_ && *asked_ == key) return false;
    asked_ = key, known_.reset();
    worker_.submit(make_job());
    return true;
  }
  bool take() {  // true: a worker found more
    auto found = worker_.poll();
    if (found) known_ = *std::move(found);
    return found.has_value();
  }
  const std::optional<Value>& known() const { return known_; }
  // Nobody waits for it any more: it is asked for again when somebody does.
  void rest() {
    if (!asked_) return;
    worker_.cancel();
    asked_.reset(), known_.reset();
  }
  // The same, unless it is of this key.
  void rest_unless(const std::string& key) {
    if (asked_ && *asked_ != key) rest();
  }
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  std::optional<std::string> asked_;
  std::optional<Value> known_;
  LatestWins<Job, Value> worker_;
};

}  // namespace warplens
