#include "engine/check/finding.hpp"

#include <algorithm>

namespace warplens::check {

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, 29> kNames = {"race-shared",
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
                                                              "wrong-at-odd-size"};
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

std::string words_of(const Finding& finding) {
  return finding.effect.empty() ? finding.message : finding.message + "; " + finding.effect;
}

}  // namespace warplens::check
