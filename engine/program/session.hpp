// The other end of a program's runtime library (runtime/cudart): the GPU that it believes to have. Serves one
// socket until the program ends, and keeps the record.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/process.hpp"
#include "engine/base/result.hpp"
#include "engine/device/device.hpp"
#include "engine/program/program_record.hpp"

namespace warplens::program {

struct SessionOptions {
  device::Device device;
  std::string device_name;          // as the program is told
  std::uint64_t device_memory = 0;  // bytes, as the program is told
  std::uint64_t most_memory = 0;    // bytes that it may really have at a time
  bool is_strict = false;           // a read beside an array is a fault
  bool checks = true;               // the first launch of each kernel and shape
  bool repeats = true;              // launches that would change nothing are not run
  bool sample = false;              // of each launch some blocks run alone, which stand for the others
  // Bytes of memory as launches find it, of all that are kept; 0: none is. The first launch of each kernel and shape is,
  // and those of these numbers, from 0.
  std::uint64_t most_kept = 0;
  std::set<std::uint64_t> keep = {};
  int threads = 0;  // of the host; 0: one a core
  const std::atomic<bool>* cancel = nullptr;
  // Told of each launch when it begins, and "" when it has ended. May be empty.
  std::function<void(std::string_view kernel)> on_launch = {};
};

class Session {
 public:
  // Error: there is no room for device memory.
  static Result<std::unique_ptr<Session>> create(SessionOptions options);
  virtual ~Session() = default;
  // The file that holds device memory; for the program.
  virtual const Descriptor& memory_file() const = 0;
  // Answers until the other end is closed, or sends what is no request.
  virtual void serve(const Descriptor& socket) = 0;
  virtual const ProgramRecord& record() const = 0;
};

}  // namespace warplens::program
