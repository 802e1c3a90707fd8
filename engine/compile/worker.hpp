// Another process that compiles, for programs of several threads: they cannot make a copy of themselves to do
// it in (guarded.hpp). It stays, so that NVRTC is loaded once, and compiles each text in a copy of itself
// that has limits of time and memory and reads no files of the user's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compile/build.hpp"

namespace warplens::compile {

struct Order {
  Request request;
  bool is_trial = false;  // PTX into the cache, and answered by its errors; else by what NVRTC gave
  int nice = 0;           // how much the copy gives way to others
};

// This side of it. Not for two threads at once.
class CompileWorker {
 public:
  // worker: the words of a command that calls serve_compilations() on its descriptor 0. It is started when it
  // is first needed, and again when it ended.
  explicit CompileWorker(std::vector<std::string> worker);
  ~CompileWorker();
  CompileWorker(CompileWorker&&) noexcept;

  // The answer; nothing: it ended, or hangs. is_stopped is asked every few milliseconds. Errors: stopped; a
  // worker that cannot be started.
  Result<std::optional<std::string>> ask(const Order& order, const std::function<bool()>& is_stopped);
  bool can_start() const { return can_start_; }  // false once it could not

 private:
  struct Child;
  std::vector<std::string> words_;
  std::unique_ptr<Child> child_;
  std::uint64_t number_ = 0;  // of the last order
  bool can_start_ = true;
};

// Answers until the other end of the socket is closed. Whatever follows an order ends that; a message without
// anything does only that. Returns the exit code.
int serve_compilations(const Compiler::Options& options, int socket);

}  // namespace warplens::compile
