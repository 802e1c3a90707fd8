// The answer of `warplens run`: what one execution of one kernel did, as numbers. Counts are of the whole
// grid, or of the sampled blocks where sampled_blocks says how many.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gpu/gpu_report.hpp"
#include "app/json_text.hpp"
#include "app/text_table.hpp"

namespace warplens::app {

// One warp-wide instruction with at least one active lane makes one request.
struct GlobalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;     // 32-byte sectors, by the rule of the device
  std::uint64_t bytes_used = 0;  // distinct bytes that the lanes asked for
};
struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
};

struct RunCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  GlobalTraffic global_load, global_store;
  SharedTraffic shared_load, shared_store;  // after the merge of loads that ptxas makes
};

using NamedValues =
    std::vector<std::pair<std::string, std::int64_t>>;  // in the order of the kernel file or problem

struct RunReport {
  // What was run.
  std::string kernel;  // id
  NamedValues params;
  NamedValues size;
  std::string engine = "emulator";
  std::string device;    // id
  int compiled_for = 0;  // architecture of the machine code: 90; not the device's where NVRTC has none for it
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};

  // What the compiler made of it.
  int registers = 0;              // a thread
  std::int64_t shared_bytes = 0;  // a block, static and dynamic
  std::int64_t spill_bytes = 0;   // stores and loads
  double occupancy = 0;           // of the device's warps, 0 to 1

  // What it did.
  bool verified = false;
  double max_relative_error = 0;
  std::string explanation;                      // why not verified; empty where it is
  std::optional<std::uint64_t> sampled_blocks;  // nothing: the full grid ran
  std::vector<std::uint64_t> sample;            // which, linear indices, ascending; empty: the full grid
  bool counted = true;  // false: a GPU ran it, which counts nothing by itself; then counts are null in JSON
  RunCounts counts;
  std::uint64_t shared_load_requests_before_merge = 0;  // of the PTX as written
  std::optional<bool> merge_matches_cubin;              // nothing: there was no cubin to compare with
  std::string printed;                                  // what the kernel's printf wrote
  double seconds = 0;                                   // of the execution, without compiling and verifying
  double operations =
      0;  // floating-point operations that ran (of the sampled blocks where sampled); 0: not counted
  std::optional<GpuReport> gpu;  // where a GPU ran it; seconds is then the median of one launch
};

// operations a second in 1e9; 0 where nothing was counted or timed.
double gflops(const RunReport& report);

// The object of DESIGN.md's "Command line".
Json to_json(const RunReport& report);

// One row for a table of several runs, and its heading, which says what was timed: engine is theirs.
TextRow heading_row(std::string_view engine);
TextRow to_row(const RunReport& report);

// One run in full, for a reader: several lines.
std::string to_text(const RunReport& report);

}  // namespace warplens::app
