// Launches, one after the other: refused as a GPU refuses them, looked at, run, and written down.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/program/examine.hpp"
#include "engine/program/memory/device_memory.hpp"
#include "engine/program/session.hpp"
#include "runtime/protocol/errors.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {

struct LaunchAnswer {
  cudaError_t error = cudaSuccess;  // of the launch itself
  cudaError_t fault = cudaSuccess;  // that comes to light later
  double seconds = 0;               // predicted
  std::string printed, said;        // on stdout by printf; on stderr
};

class Launcher {
 public:
  Launcher(const SessionOptions& options, DeviceMemory& memory, ProgramRecord& record)
      : options_(options), memory_(memory), record_(record) {}
  LaunchAnswer launch(const protocol::Launch& launch, Module& module, const KernelEntry& entry,
                      std::span<const std::byte> arguments);
  // A launch of a kernel that the emulator does not understand, and why.
  LaunchAnswer note_not_executed(const protocol::Launch& launch, const std::string& kernel,
                                 const std::string& why);

 private:
  // What is known of a kernel with one shape.
  struct Known {
    std::size_t record = 0;
    Fit fit;
    std::map<std::uint32_t, time::AccessProfile> profile;
    bool is_examined = false;
    bool follows_addresses = false;  // see UnwrittenMemory
    bool is_stuck = false;           // by the checkers: it never ends
    bool waits_for_host = false;     // what would end it is written by the host's code, when it is too late
    std::map<std::pair<std::uint64_t, std::uint64_t>, Timed> times;  // by instructions and sectors
  };
  // A launch that ran in the same memory before would do the same again: it is not run, what it left is put there.
  struct Done {
    emulator::Counts counts;
    double predicted = 0;
    Effect effect;
  };
  struct Repeat {
    double seconds = 0;  // that it took
    bool prints = false;
    std::map<std::uint64_t, Done> done;  // by the memory that it ran in
  };
  Known& known_of(const KernelEntry& entry, const Subject& subject);
  KernelRecord& add_row(Known& known, const std::string& kernel, const Shape& shape);
  void begin(const protocol::Launch& message);
  LaunchAnswer not_executed(const Known& known, const std::string& why);
  void look_at(const Subject& subject, Known& known);
  LaunchAnswer run(const Subject& subject, Known& known);
  Result<emulator::Outcome> emulate(const Subject& subject, Ran& ran);
  const Timed& time_of(const Subject& subject, Known& known, const emulator::Counters& counters);
  LaunchAnswer refuse(const Subject& subject, Known& known, cudaError_t error);
  void add_refusal(const Subject& subject, const Known& known, cudaError_t error);
  bool is_worth(const Repeat& repeat) const;
  LaunchAnswer repeat_of(const Done& done, const Known& known);
  void keep(Repeat& repeat, std::uint64_t before, const LaunchRecord& launch);
  std::shared_ptr<catalog::RecordedLaunch> keep_data(const Subject& subject, const Known& known);
  void write(const Known& known, LaunchRecord launch);
  void add_findings(const Subject& subject, Known& known, const emulator::Outcome& outcome);

  const SessionOptions& options_;
  DeviceMemory& memory_;
  ProgramRecord& record_;
  std::map<std::pair<std::string, Shape>, Known> known_, not_known_;  // not_known_: see note_not_executed
  std::map<std::string, Repeat> repeats_;
  std::uint64_t kept_ = 0;                               // bytes of effects
  std::uint64_t stream_ = 0, caller_ = 0;                // of the launch that is made
  std::vector<std::uint64_t> arguments_;                 // likewise, the first eight bytes of each
  std::shared_ptr<const catalog::RecordedLaunch> data_;  // of that too
  std::string why_no_data_;
  std::uint64_t data_kept_ = 0;  // bytes
};

}  // namespace warplens::program
