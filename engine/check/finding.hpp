// What a checker found wrong with a kernel: the words of docs/findings.md as a value.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::check {

enum class Kind : std::uint8_t {
  race_shared,
  race_warp,
  race_async,
  race_global,
  divergent_barrier,
  mask_without_caller,
  inactive_source_lane,
  uninitialized_shared,
  uninitialized_global,
  uninitialized_local,
  uninitialized_register,
  out_of_bounds,
  out_of_array,
  misaligned,
  write_to_input,
  stale_read_only,
  use_after_scope,
  division_by_zero,
  launch_bounds,
  launch_registers,
  launch_cluster,
  launch_cooperative,
  launch_instruction,
  deadlock,
  endless_loop,
  trap,
  wrong_result,
  unwritten_output,
  wrong_at_odd_size,
  launch_shared,
  wrong_with_other_data,
  invalid_operand,
  printf_format,
  missing_proxy_fence,
  register_in_flight,
  transaction_bytes,
  register_pool,
  partial_warp_group,
  no_effect,
};
std::string_view name(Kind kind);  // "race-shared"

// error: the result, or the launch, cannot be relied on. information: true, and harmless.
enum class Severity : std::uint8_t { information, warning, error };
std::string_view name(Severity severity);

// Of a loop that was stopped: whether it might have ended.
enum class Endless : std::uint8_t {
  may_end,       // it runs for longer than anybody waits
  never_ends,    // a turn finds what the one before it found
  no_condition,  // nothing leads out of it
};

struct ThreadPlace {
  bool known = false;
  std::array<std::uint32_t, 3> thread{}, block{};
};

enum class Memory : std::uint8_t { global, shared, local };

// A line of a file that the kernel file includes.
struct HeaderLine {
  std::string file;  // empty: it is in the kernel file itself
  int line = 0;
};

struct Finding {
  Kind kind = Kind::race_shared;
  Severity severity = Severity::error;
  std::string file;
  int line = 0, other_line = 0;  // from 1; 0: none
  HeaderLine header = {};        // which `line` calls
  ThreadPlace at, other;
  std::string address;                 // "tile[3]"; empty where none
  Memory memory = Memory::global;      // of an access outside of its array
  bool is_before = false;              // that access: before the first element
  Endless endless = Endless::may_end;  // of an endless loop
  std::string message;                 // one sentence without the line
  std::string fix;                     // imperative
  std::string fix_of_block = {};  // of a race that a barrier mends: with one of the whole block; else empty
  // Of a race: "in another order 12 of 4,096 elements of C differ, ..."; empty where that was not tried.
  std::string effect = {};
  std::uint64_t times = 1;
  bool is_certain = false;  // whatever a guessed front matter says
};
using Findings = std::vector<Finding>;

bool has_error(const Findings& findings);
bool is_race(Kind kind);
// The most severe first, and of those causes before what comes of them: barriers that not all threads reach,
// values that a thread never gave itself, accesses beside their array, races, what was read too early, stops,
// results.
void sort_by_cause(Findings& findings);
// The message, and what another order does.
std::string words_of(const Finding& finding);

}  // namespace warplens::check
