#include "engine/run/checked/launch_checks.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "engine/base/text.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/emulator/flow/source_name.hpp"
#include "engine/problem/file_launch.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/device_needs.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
using Shape = std::array<std::uint32_t, 3>;

std::uint64_t product(const Shape& shape) { return std::uint64_t{shape[0]} * shape[1] * shape[2]; }

std::string words(const Shape& shape) {
  return std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " x " + std::to_string(shape[2]);
}

// The line of the kernel's text that has the word, or the one that declares the kernel.
int line_of(const Job& job, std::string_view word) {
  const std::string& code = job.plan.spec.code;
  const std::size_t matter = code.find("---*/");  // words of the front matter do not count
  const std::size_t begin = matter == std::string::npos ? 0 : matter;
  std::size_t at = code.find(word, begin);
  if (at == std::string::npos) at = code.find("__global__", begin);
  if (at == std::string::npos) return 0;
  return static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

Finding finding(const Job& job, Kind kind, std::string_view word, std::string message, std::string fix) {
  Finding result;
  result.kind = kind;
  result.file = job.plan.spec.path;
  result.line = line_of(job, word);
  result.message = std::move(message);
  result.fix = std::move(fix);
  return result;
}

// The numbers behind a directive of the PTX: 1 where it gives fewer than three.
std::optional<Shape> directive(const std::string& ptx, std::string_view name) {
  std::size_t at = ptx.find(name);
  if (at == std::string::npos) return std::nullopt;
  at += name.size();
  Shape shape{1, 1, 1};
  for (std::uint32_t& size : shape) {
    while (at < ptx.size() && (ptx[at] == ' ' || ptx[at] == '\t')) ++at;
    std::uint32_t number = 0;
    const std::size_t first = at;
    while (at < ptx.size() && std::isdigit(static_cast<unsigned char>(ptx[at])) != 0)
      number = number * 10 + static_cast<std::uint32_t>(ptx[at++] - '0');
    if (at == first) break;
    size = number;
    while (at < ptx.size() && ptx[at] == ' ') ++at;
    if (at >= ptx.size() || ptx[at] != ',') break;
    ++at;
  }
  return shape;
}

void check_bounds(const Job& job, const ptx::Function& function, check::Findings& findings) {
  const Shape& block = job.plan.launch.block;
  Shape most = function.maximum_threads;
  const bool exact = function.required_threads[0] != 0;
  if (exact) most = function.required_threads;
  if (most[0] == 0) return;
  for (std::uint32_t& size : most) size = std::max(size, 1u);
  const std::uint64_t threads = product(block);
  if (exact ? threads == product(most) : threads <= product(most)) return;
  findings.push_back(finding(job, Kind::launch_bounds, exact ? "__block_size__" : "__launch_bounds__",
                             "the kernel is compiled for blocks of " + std::string(exact ? "" : "at most ") +
                                 grouped(product(most)) + " threads and launched with " + grouped(threads) +
                                 ": the device refuses the launch",
                             "give __launch_bounds__ the threads of the block, or launch smaller blocks"));
}

void check_registers(const Job& job, check::Findings& findings) {
  const Plan& plan = job.plan;
  const int registers = registers_on(plan.device, plan.spec, plan.parameters, job.build.registers);
  if (registers <= 0) return;
  const std::int64_t taken = device::allocated_registers(
      plan.device, {threads_per_block(plan), registers, shared_bytes(plan, job.build)});
  if (taken <= plan.device.registers_per_block) return;
  findings.push_back(finding(job, Kind::launch_registers, "__global__",
                             std::to_string(threads_per_block(plan)) + " threads of " +
                                 std::to_string(registers) + " registers take " +
                                 grouped(static_cast<std::uint64_t>(taken)) + ", and a block can have " +
                                 grouped(static_cast<std::uint64_t>(plan.device.registers_per_block)) +
                                 ": the device refuses the launch",
                             "launch smaller blocks, or bound the registers with __launch_bounds__"));
}

void check_cluster(const Job& job, check::Findings& findings) {
  const auto cluster = directive(job.build.ptx, ".reqnctapercluster");
  if (!cluster || product(*cluster) == 0) return;
  constexpr std::uint64_t kPortable = 8;  // CUDA C++ Programming Guide, "Thread Block Clusters"
  if (product(*cluster) > kPortable)
    findings.push_back(finding(job, Kind::launch_cluster, "__cluster_dims__",
                               "a cluster of " + words(*cluster) + " blocks has " +
                                   std::to_string(product(*cluster)) + "; devices take at most 8",
                               "make the cluster smaller"));
  for (std::size_t d = 0; d < 3; ++d) {
    if (job.plan.launch.grid[d] % std::max((*cluster)[d], 1u) == 0) continue;
    findings.push_back(finding(job, Kind::launch_cluster, "__cluster_dims__",
                               "a grid of " + words(job.plan.launch.grid) +
                                   " blocks cannot be divided into clusters of " + words(*cluster) +
                                   ": the device refuses the launch",
                               "round the grid up to whole clusters"));
    return;
  }
}

// What the file's own host code does; of a file without any that is not known.
void check_file_launch(const Job& job, const emulator::Kernel& kernel, check::Findings& findings) {
  const auto launch = problem::file_launch(job.plan.spec);
  if (!launch) return;
  const auto add = [&](Kind kind, std::string message, std::string fix) {
    Finding found = finding(job, kind, "", std::move(message), std::move(fix));
    found.line = launch->line;
    found.is_certain = true;
    findings.push_back(std::move(found));
  };
  if (kernel.together().whole_grid && !launch->is_cooperative)
    add(Kind::launch_cooperative,
        "grid.sync() needs a cooperative launch, and the file launches the kernel otherwise: it stops with "
        "an "
        "error at grid.sync()",
        "launch it with cudaLaunchCooperativeKernel()");
  const std::int64_t fixed = job.build.static_shared_bytes;
  if (launch->shared.value_or(0) > 0 && *launch->shared + fixed > most_static_shared_bytes &&
      !launch->asks_for_shared_memory)
    add(Kind::launch_shared,
        "the launch asks for " + grouped(static_cast<std::uint64_t>(*launch->shared)) +
            " bytes of dynamic shared memory" +
            (fixed > 0 ? ", the kernel has " + grouped(static_cast<std::uint64_t>(fixed)) + " of its own"
                       : "") +
            ", and a block has " + grouped(most_static_shared_bytes) +
            " unless more is asked for: the launch fails, and the kernel never runs",
        "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the "
        "launch");
}

// What the host copies back, nothing of the file gives values to, and the kernel only reads or does not use.
void check_results(const Job& job, check::Findings& findings) {
  if (job.plan.spec.guessed.empty()) return;
  const auto launch = problem::file_launch(job.plan.spec);
  if (!launch) return;
  const std::vector<std::string> names = parameter_names(job.plan.spec);
  for (std::size_t p = 0; p < std::min(names.size(), launch->is_copied_back.size()); ++p) {
    if (!launch->is_copied_back[p] || !launch->is_never_set[p]) continue;
    const auto& buffers = job.instance->buffers();
    const auto buffer =
        std::ranges::find_if(buffers, [&](const problem::Buffer& one) { return one.name == names[p]; });
    if (buffer == buffers.end() || buffer->is_output) continue;
    Finding found =
        finding(job, Kind::unwritten_output, "",
                "the file copies " + names[p] +
                    " back to the host, and neither the kernel nor anything else writes it",
                "let the kernel write its results to " + names[p] + ", or copy the array that it writes");
    found.severity = check::Severity::warning;
    found.line = launch->line;
    findings.push_back(std::move(found));
  }
}

// grid.sync(): all blocks have to be on the device at once.
void check_cooperative(const Job& job, const emulator::Kernel& kernel, check::Findings& findings) {
  if (!kernel.together().whole_grid) return;
  const Plan& plan = job.plan;
  const int registers = registers_on(plan.device, plan.spec, plan.parameters, job.build.registers);
  const auto occupancy =
      device::occupancy(plan.device, {threads_per_block(plan), registers, shared_bytes(plan, job.build)});
  if (!occupancy) return;
  const auto fit =
      static_cast<std::uint64_t>(occupancy->blocks_per_sm) * static_cast<std::uint64_t>(plan.device.sm_count);
  const std::uint64_t blocks = catalog::blocks_in_grid(plan.launch);
  if (blocks <= fit) return;
  findings.push_back(finding(job, Kind::launch_cooperative, "sync()",
                             "too many blocks in cooperative launch: grid.sync() needs all " +
                                 grouped(blocks) + " blocks on the device at once, and " + plan.device.name +
                                 " holds " + grouped(fit) + " of them: the device refuses the launch",
                             "launch fewer blocks and let each do more in a grid-stride loop"));
}

// Of 9.0 it was measured that shared memory begins at 0x400, whatever a kernel asks for; here it begins at a
// multiple of any alignment.
void check_shared_alignment(const Job& job, check::Findings& findings) {
  constexpr int kMeasured = 90;
  constexpr std::uint32_t kBegins = 0x400;
  if (job.plan.device.compute_capability != kMeasured) return;
  constexpr std::string_view kShared = ".shared .align ";
  const std::string& ptx = job.build.ptx;
  for (std::size_t at = ptx.find(kShared); at != std::string::npos; at = ptx.find(kShared, at + 1)) {
    const auto alignment = directive(ptx.substr(at, 80), kShared);
    if (!alignment || (*alignment)[0] <= kBegins) continue;
    const std::size_t end = std::min(ptx.find_first_of("[;", at), ptx.size());
    const std::size_t begin = ptx.find_last_of(" \t", end) + 1;
    const std::string name = emulator::source_name(ptx.substr(begin, end - begin));
    Finding found = finding(job, Kind::misaligned, name + "[",
                            name + " asks for an address that is a multiple of " + grouped((*alignment)[0]) +
                                ", and on 9.0 shared memory begins at 0x400: it gets a multiple of 1,024",
                            "count from the array's beginning in place of changing bits of its address");
    found.severity = check::Severity::warning;
    findings.push_back(std::move(found));
    return;
  }
}

// The emulator runs it all the same, by the device's memory rules.
void check_instructions(const Job& job, const emulator::Kernel& kernel, check::Findings& findings) {
  const device::Device& device = job.plan.device;
  const std::string missing = instruction_lacked(kernel.function(), device);
  if (missing.empty()) return;
  findings.push_back(finding(job, Kind::launch_instruction, "__global__",
                             missing + ", " + device.name + " has " +
                                 std::to_string(device.compute_capability / 10) + "." +
                                 std::to_string(device.compute_capability % 10) +
                                 ": it cannot run this kernel, and its numbers are emulated",
                             "choose another device"));
}

}  // namespace

check::Findings launch_findings(const Job& job, const emulator::Kernel& kernel) {
  check::Findings findings;
  check_bounds(job, kernel.function(), findings);
  check_registers(job, findings);
  check_cluster(job, findings);
  check_file_launch(job, kernel, findings);
  check_results(job, findings);
  check_cooperative(job, kernel, findings);
  check_shared_alignment(job, findings);
  check_instructions(job, kernel, findings);
  return findings;
}

}  // namespace warplens::run
