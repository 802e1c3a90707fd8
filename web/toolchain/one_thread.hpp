// Included before every source of the platform "none", whose standard library leaves out all that has to do with threads: a mutex
// does nothing, a thread cannot be started, and what is asked for asynchronously is done where it is asked for.
#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <version>

namespace std {

class mutex {
 public:
  constexpr mutex() = default;
  mutex(const mutex&) = delete;
  void lock() {}
  bool try_lock() { return true; }
  void unlock() {}
};
class recursive_mutex : public mutex {};
class shared_mutex : public mutex {
 public:
  void lock_shared() {}
  void unlock_shared() {}
};
class timed_mutex : public mutex {
 public:
  template <class Duration>
  bool try_lock_for(const Duration&) {
    return true;
  }
};

enum class cv_status { no_timeout, timeout };
// Nobody could notify who waits for what is not so.
class condition_variable {
 public:
  void notify_one() {}
  void notify_all() {}
  template <class Lock, class Predicate>
  void wait(Lock&, Predicate is_so) {
    if (!is_so()) __builtin_trap();
  }
  template <class Lock, class Duration, class Predicate>
  bool wait_for(Lock&, const Duration&, Predicate is_so) {
    return is_so();
  }
  template <class Lock, class Duration>
  cv_status wait_for(Lock&, const Duration&) {
    return cv_status::timeout;
  }
};
using condition_variable_any = condition_variable;

class thread {
 public:
  class id {
    friend bool operator==(id, id) { return true; }
  };
  thread() = default;
  thread(thread&&) = default;
  thread& operator=(thread&&) = default;
  template <class Function, class... Arguments>
  explicit thread(Function&&, Arguments&&...) {
    throw system_error(make_error_code(errc::resource_unavailable_try_again));
  }
  bool joinable() const { return false; }
  void join() {}
  void detach() {}
  id get_id() const { return {}; }
  static unsigned hardware_concurrency() { return 1; }
};
namespace this_thread {
inline thread::id get_id() { return {}; }
inline void yield() {}
template <class Duration>
void sleep_for(const Duration&) {}
}  // namespace this_thread

class stop_token {
 public:
  bool stop_requested() const { return state_ && *state_; }
  bool stop_possible() const { return state_ != nullptr; }

 private:
  friend class stop_source;
  shared_ptr<bool> state_;
};
class stop_source {
 public:
  stop_token get_token() const {
    stop_token token;
    token.state_ = state_;
    return token;
  }
  bool request_stop() { return !exchange(*state_, true); }
  bool stop_requested() const { return *state_; }

 private:
  shared_ptr<bool> state_ = make_shared<bool>(false);
};

class jthread : public thread {
 public:
  using thread::thread;
  bool request_stop() { return false; }
};

enum class launch { async = 1, deferred = 2 };
template <class Value>
class future {
 public:
  explicit future(Value value) : value_(std::move(value)) {}
  Value get() { return *std::move(value_); }
  bool valid() const { return value_.has_value(); }

 private:
  optional<Value> value_;
};
template <class Function>
auto async(launch, Function&& function) {
  return future<decltype(function())>(function());
}

}  // namespace std
