// Work done beside the window: one thread for one kind of job, on which the newest request wins. A newer request replaces the waiting
// one and cancels the running one, whose answer is dropped. The caller never waits: the lock is held for pointer swaps only. What the
// work throws, poll() throws, once. The thread begins with a request, and ends when none came for a moment.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace warplens {

template <class Request, class Answer>
class LatestWins {
 public:
  using Clock = std::chrono::steady_clock;
  // May call partial(answer) for what is known so far; answers of cancelled requests are dropped.
  using Partial = std::function<void(Answer)>;
  using Work = std::function<Answer(const Request&, const std::atomic<bool>& cancel, const Partial&)>;

  // wake: called from the worker's thread whenever poll() has something new. pause: after a partial answer
  // the work waits for shown(), at most so long, so that drawing the answer has the processor for itself.
  LatestWins(Work work, std::function<void()> wake, std::chrono::milliseconds pause = {})
      : work_(std::move(work)), wake_(std::move(wake)), pause_(pause) {}
  ~LatestWins() {
    locked([this] { leaving_ = true, drop(); });
    changed_.notify_one();
    shown_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  void submit(Request request) {
    locked([&] { drop(), waiting_ = std::move(request), since_ = Clock::now(), begin(); });
    changed_.notify_one();
    shown_.notify_one();
  }

  void cancel() {
    locked([this] { drop(); });
    shown_.notify_one();
  }

  // The newest answer to the newest request that was not polled yet.
  std::optional<Answer> poll() {
    const std::lock_guard lock(mutex_);
    if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
    if (answer_ && part_ == Part::given) part_ = Part::taken;
    return std::exchange(answer_, std::nullopt);
  }

  // What was polled last has been drawn: see pause.
  void shown() {
    locked([this] { part_ = part_ == Part::taken ? Part::none : part_; });
    shown_.notify_one();
  }

  // How long the newest request has been at work; empty if none is.
  std::optional<double> busy_seconds() const {
    const std::lock_guard lock(mutex_);
    if (!waiting_ && !running_) return std::nullopt;
    return std::chrono::duration<double>(Clock::now() - since_).count();
  }

 private:
  using Flag = std::shared_ptr<std::atomic<bool>>;
  // Where a partial answer is that the work waits for.
  enum class Part { none, given, taken };

  void locked(const auto& act) {
    const std::lock_guard lock(mutex_);
    act();
  }

  // Precondition: locked.
  void drop() {
    waiting_.reset(), answer_.reset();
    thrown_ = nullptr;
    if (running_) running_->store(true);
    running_.reset();
  }

  void deliver(const Flag& flag, std::optional<Answer> answer, bool last, std::exception_ptr thrown = {}) {
    {
      const std::lock_guard lock(mutex_);
      if (running_ != flag) return;  // replaced or cancelled meanwhile
      answer_ = std::move(answer), thrown_ = std::move(thrown);
      if (last) running_.reset();
    }
    if (wake_) wake_();
  }

  void deliver_part(const Flag& flag, Answer answer) {
    if (pause_.count() > 0) locked([this] { part_ = Part::given; });
    deliver(flag, std::move(answer), false);
    std::unique_lock lock(mutex_);
    shown_.wait_for(lock, pause_, [&] { return part_ == Part::none || running_ != flag || leaving_; });
    part_ = Part::none;
  }

  // Precondition: locked. A thread that found nothing to do has left its last lock, so this waits for none.
  void begin() {
    if (serves_) return;
    if (thread_.joinable()) thread_.join();
    serves_ = true;
    thread_ = std::thread([this] { serve(); });
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait_for(lock, std::chrono::seconds(1), [this] { return leaving_ || waiting_; });
      if (leaving_ || !waiting_) return void(serves_ = false);
      const Request request = *std::exchange(waiting_, std::nullopt);
      const Flag flag = std::make_shared<std::atomic<bool>>(false);
      running_ = flag;
      lock.unlock();
      std::optional<Answer> answer;
      std::exception_ptr thrown;
      try {
        answer.emplace(work_(request, *flag, [&](Answer part) { deliver_part(flag, std::move(part)); }));
      } catch (...) {
        thrown = std::current_exception();
      }
      deliver(flag, std::move(answer), true, std::move(thrown));
      lock.lock();
    }
  }

  Work work_;
  std::function<void()> wake_;
  std::chrono::milliseconds pause_;
  mutable std::mutex mutex_;
  std::condition_variable changed_, shown_;
  std::optional<Request> waiting_;
  std::optional<Answer> answer_;
  std::exception_ptr thrown_;  // instead
  Flag running_;  // of the request at work, to cancel it; null where none is or where it was cancelled
  Part part_ = Part::none;
  Clock::time_point since_;
  bool leaving_ = false, serves_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace warplens
