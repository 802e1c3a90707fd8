// Programs started as children of this one, without a shell, and the descriptors that they share with it.
#pragma once

#include <sys/types.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens {

// Owns a descriptor; closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

  // Of a file: its bytes from `from` on, at most so many. Leaves the place for the next read or write alone.
  off_t size() const;
  std::string text(off_t from = 0, off_t most = std::numeric_limits<off_t>::max()) const;

 private:
  int number_ = -1;
};

// An unnamed file in memory. A child that writes to it never waits for a reader.
Descriptor memory_file();

// A child. It is neither ended nor waited for when the object goes out of scope: that is its owner's choice.
class Process {
 public:
  static constexpr int kNull = -2;  // /dev/null
  struct Start {
    std::vector<std::string> words;                // the program's path first
    std::vector<std::pair<int, int>> descriptors;  // the child's number, and ours or kNull
    bool own_session = false;                      // so that closing a terminal does not end it
    std::vector<std::string> environment = {};     // NAME=value; empty: as here
  };
  // Error: it does not start; the message is the system's reason alone.
  static Result<Process> start(Start start);

  // Waits for its end, for ever where no seconds are given. False: it still runs.
  bool wait(std::optional<double> seconds = std::nullopt);
  void send_signal(int number);  // nothing where it was found to have ended
  // Kills it and all that it started; it was started with a session of its own.
  void end_session();
  // Once it has ended.
  std::optional<int> signal() const;  // that ended it
  int exit_code() const;              // 128 + n where signal n ended it

 private:
  explicit Process(pid_t child) : child_(child) {}
  pid_t child_;
  bool ended_ = false;
  int status_ = -1;
};

}  // namespace warplens
