#include "engine/check/finding.hpp"

#include <algorithm>

namespace warplens::check {

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, 39> kNames = {"race-shared",
                                                              "race-warp",
                                                              "race-async",
                                                              "race-global",
                                                              "divergent-barrier",
                                                              "mask-without-caller",
                                                              "inactive-source-lane",
                                                              "uninitialized-shared",
                                                              "uninitialized-global",
                                                              "uninitialized-local",
                                                              "uninitialized-register",
                                                              "out-of-bounds",
                                                              "out-of-array",
                                                              "misaligned",
                                                              "write-to-input",
                                                              "stale-read-only",
                                                              "use-after-scope",
                                                              "division-by-zero",
                                                              "launch-bounds",
                                                              "launch-registers",
                                                              "launch-cluster",
                                                              "launch-cooperative",
                                                              "launch-instruction",
                                                              "deadlock",
                                                              "endless-loop",
                                                              "trap",
                                                              "wrong-result",
                                                              "unwritten-output",
                                                              "wrong-at-odd-size",
                                                              "launch-shared",
                                                              "wrong-with-other-data",
                                                              "invalid-operand",
                                                              "printf-format",
                                                              "missing-proxy-fence",
                                                              "register-in-flight",
                                                              "transaction-bytes",
                                                              "register-pool",
                                                              "partial-warp-group",
                                                              "no-effect"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(Severity severity) {
  static constexpr std::array<std::string_view, 3> kNames = {"information", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

bool has_error(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

bool is_race(Kind kind) {
  return kind == Kind::race_shared || kind == Kind::race_warp || kind == Kind::race_async ||
         kind == Kind::race_global;
}

namespace {

// Of causes and consequences, the causes first.
int distance_from_cause(Kind kind) {
  switch (kind) {
    case Kind::launch_bounds:
    case Kind::launch_registers:
    case Kind::launch_cluster:
    case Kind::launch_cooperative:
    case Kind::launch_instruction:
    case Kind::launch_shared:
      return 0;
    case Kind::divergent_barrier:
    case Kind::mask_without_caller:
    case Kind::inactive_source_lane:
    case Kind::invalid_operand:
    case Kind::transaction_bytes:
    case Kind::register_pool:
    case Kind::partial_warp_group:
    case Kind::no_effect:
      return 1;
    case Kind::uninitialized_local:
    case Kind::uninitialized_register:
    case Kind::use_after_scope:
    case Kind::register_in_flight:
      return 2;
    case Kind::out_of_array:
    case Kind::write_to_input:
    case Kind::stale_read_only:
      return 3;
    case Kind::race_shared:
    case Kind::race_warp:
    case Kind::race_async:
    case Kind::race_global:
    case Kind::missing_proxy_fence:
      return 4;
    case Kind::uninitialized_shared:
    case Kind::uninitialized_global:
      return 5;
    case Kind::out_of_bounds:
    case Kind::misaligned:
    case Kind::division_by_zero:
    case Kind::deadlock:
    case Kind::endless_loop:
    case Kind::trap:
    case Kind::printf_format:
      return 6;
    case Kind::unwritten_output:
    case Kind::wrong_result:
    case Kind::wrong_at_odd_size:
    case Kind::wrong_with_other_data:
      return 7;
  }
  return 7;
}

}  // namespace

void sort_by_cause(Findings& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return distance_from_cause(a.kind) < distance_from_cause(b.kind);
  });
}

std::string words_of(const Finding& finding) {
  return finding.effect.empty() ? finding.message : finding.message + "; " + finding.effect;
}

}  // namespace warplens::check
