// For tests of checkers: what they find in a few instructions of PTX, without the rest of the engine.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/check/checker.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::check {

// A kernel whose instructions are lines of k.cu, from 1 on. Its parameters are `in`, which nobody may write, and `out`, which begins
// without values: 64 words each. Its shared memory is `tile` and `next`, of 64 words each. %r0 is threadIdx.x, %r1 the block, %d0
// and %d1 are the addresses of in and out, and %r2 is four times %r0.
struct CheckedKernel {
  std::string body;
  std::uint32_t threads = 64, blocks = 1;
  int compute_capability = 90;
  std::uint64_t most_steps = kMostStepsOfAll;
};

struct CheckedBlocks {
  Findings findings;
  std::uint64_t watched = 0, run = 0;
  bool gave_up = false;
};

inline std::string ptx_of(const CheckedKernel& kernel) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
      ".visible .entry kernel(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .b32 %r<20>;\n.reg .b64 %d<20>;\n.reg .pred %p<4>;\n"
      ".shared .align 4 .b8 tile[256];\n.shared .align 4 .b8 next[256];\n"
      ".loc 1 100 0\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\n"
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nshl.b32 %r2, %r0, 2;\n";
  int line = 1;
  for (std::size_t at = 0; at < kernel.body.size(); ++line) {
    const std::size_t end = std::min(kernel.body.find('\n', at), kernel.body.size());
    text += fmt::format(".loc 1 {} 0\n{}\n", line, kernel.body.substr(at, end - at));
    at = end + 1;
  }
  return text + "ret;\n}\n";
}

inline Result<CheckedBlocks> check(const CheckedKernel& kernel) {
  emulator::Bench bench(ptx_of(kernel));
  if (!bench.error().empty()) return Error{bench.error(), ""};
  const std::vector<int> words(64, 1);
  const std::uint64_t in = bench.buffer("in", words), out = bench.buffer("out", words);
  emulator::Launch launch;
  launch.grid = {kernel.blocks, 1, 1}, launch.block = {kernel.threads, 1, 1};
  launch.arguments = emulator::ArgumentList().add(in).add(out).bytes();
  launch.threads = 1;
  launch.stop_at_uninitialised = false;
  launch.instruction_budget = 10'000;
  LaunchFacts facts;
  facts.kernel = bench.kernel(), facts.memory = &bench.memory();
  facts.grid = launch.grid, facts.block = launch.block;
  facts.shared_bytes = bench.kernel()->static_shared_bytes();
  facts.arguments = launch.arguments;
  facts.compute_capability = kernel.compute_capability;
  facts.buffers = {
      {.address = in, .size = 256, .name = "in", .element = 4},
      {.address = out, .size = 256, .name = "out", .is_output = true, .is_initialized = false, .element = 4}};
  Checker checker(std::move(facts), {}, kernel.most_steps);
  launch.watcher = &checker;
  launch.cancel = &checker.is_done();
  const auto outcome = bench.run(launch);
  if (!outcome) return outcome.error();
  return CheckedBlocks{checker.finish(outcome->fault), checker.blocks_watched(), outcome->counters.blocks_run,
                       checker.gave_up()};
}

// "race-shared 2: tile[32]" of each finding: its kind, its line, and what is accessed, where anything is; "warning: race-..." of what is
// no error.
inline std::vector<std::string> found_in(const CheckedKernel& kernel) {
  const auto checked = check(kernel);
  if (!checked) return {to_line(checked.error())};
  std::vector<std::string> found;
  for (const Finding& finding : checked->findings) {
    const std::string severity =
        finding.severity == Severity::error ? "" : std::string(name(finding.severity)) + ": ";
    found.push_back(fmt::format("{}{} {}{}{}", severity, name(finding.kind), finding.line,
                                finding.address.empty() ? "" : ": ", finding.address));
  }
  return found;
}

inline std::vector<std::string> fixes_of_races_in(const CheckedKernel& kernel) {
  const auto checked = check(kernel);
  if (!checked) return {to_line(checked.error())};
  std::vector<std::string> fixes;
  for (const Finding& finding : checked->findings)
    if (is_race(finding.kind)) fixes.push_back(finding.fix);
  return fixes;
}

}  // namespace warplens::check
