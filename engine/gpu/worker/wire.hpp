// What crosses the channel, and its JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/types.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::gpu {

// A part of the shared memory.
struct Slot {
  std::uint64_t offset = 0, bytes = 0;
  bool operator==(const Slot&) const = default;
};

// The buffers of one problem instance in shared memory. The initial contents stay as they are, so that every
// run can start from them; the output of a run has a slot of its own.
struct Data {
  std::uint64_t id = 0;     // another instance has another one
  std::uint64_t bytes = 0;  // of the memory
  std::vector<Slot> initial;
  std::size_t output = 0;    // which of them is the output
  bool accumulates = false;  // kernels add to the output, in any order
  Slot result, yardstick;    // the output afterwards, of the kernel and of cuBLAS
  bool operator==(const Data&) const = default;
};

// One run. The code is the message's attachment, and behind it what an extra buffer starts with.
struct Job {
  int device = 0;
  std::string kernel_name;
  catalog::LaunchShape launch;
  std::vector<problem::Argument> arguments;
  std::uint64_t data = 0;
  std::optional<TimingOptions> timing;
  std::optional<Product> product;  // cuBLAS is timed beside the kernel
  std::vector<std::string> library_folders;
  std::optional<ExtraBuffer> extra;
  std::vector<std::string> metrics = {};              // to count one launch by, instead of timing it
  std::vector<std::string> instruction_metrics = {};  // and of its instructions
  bool cooperative = false;                           // all blocks at once: the kernel has grid.sync()
};

struct Answer {
  std::optional<Error> error;  // no result, for a reason that is not the kernel's doing
  std::optional<Fault> fault;
  std::optional<Timing> timing;
  std::vector<double> counted = {};       // one number for each of the job's metrics
  std::vector<double> instructions = {};  // and of its instruction_metrics, or nothing
  bool has_yardstick = false;             // the slot has cuBLAS's result
  std::vector<std::uint64_t> places;      // device addresses of the buffers, where there was an extra one ...
  std::vector<std::byte> extra;           // ... and its contents: the message's attachment, not in the JSON
};

using Json = nlohmann::json;

// Of a System, Data, Job or Answer.
template <class T>
Json json_of(const T& message);

// Errors: text that is not JSON, or not of this shape.
Result<Json> parse_message(const std::string& text);
std::string kind_of(const Json& message);  // its "what"; empty where there is none
template <class T>
Result<T> read(const Json& message);

}  // namespace warplens::gpu
