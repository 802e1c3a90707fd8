// A launch looked at before it is run: some of its blocks under the checkers, and the accesses of those that an
// SM holds together, for the prediction of its time. On a view of memory that is thrown away, so that the
// program does not notice.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/check/finding.hpp"
#include "engine/program/memory/unwritten_memory.hpp"
#include "engine/program/module.hpp"
#include "engine/time/chip/memory_profile.hpp"

namespace warplens::program {

// A launch with all that it needs.
struct Subject {
  const Module& module;
  const KernelEntry& entry;
  const device::Device& device;
  emulator::Launch launch;
  std::vector<emulator::Allocation> arrays;    // that the program has
  const UnwrittenMemory* unwritten = nullptr;  // null: it has written all
  catalog::LaunchShape shape() const { return {launch.grid, launch.block, launch.dynamic_shared_bytes}; }
  std::uint64_t blocks() const { return catalog::blocks_in_grid(shape()); }
  std::int64_t shared_bytes() const;
  std::vector<check::BufferFacts> named_arrays() const;
};

struct Fit {
  int registers = 0;  // a thread; 0: not known
  int blocks_per_sm = 0;
  double occupancy = 0;  // 0 to 1
};
// How many blocks an SM holds. Registers that are not known count as kUsualRegisters.
inline constexpr int kUsualRegisters = 32;
Fit fit_of(const KernelEntry& entry, const device::Device& device, int threads, std::int64_t shared);

struct Examined {
  check::Findings findings;
  std::uint64_t checked_blocks = 0;
  std::string not_checked;  // why; empty: they were
  std::map<std::uint32_t, time::AccessProfile> profile;
  std::string not_profiled;
  // The launch never ends: all that still runs waits for a change that nobody makes.
  bool is_stuck = false;
  std::uint64_t waits_for = 0;  // where, in global memory; 0: not there
};
// view: a new one each time that it is called, since what ran in one is no longer what the launch finds.
using MakeView = std::function<Result<emulator::GlobalMemory>()>;
Examined examine(const Subject& subject, const Fit& fit, const MakeView& view);

struct Timed {
  double seconds = 0;
  std::string limiter, basis, why_not;  // why_not: empty where there is a prediction
};
// counters: of the whole launch.
Timed predict(const Subject& subject, const Fit& fit, const emulator::Counters& counters,
              const std::map<std::uint32_t, time::AccessProfile>& profile);

// What a fault, or a read beside an array that went on, is as a finding.
check::Finding finding_of(const emulator::Fault& fault, const Subject& subject);

}  // namespace warplens::program
