#include "engine/instrument/counts.hpp"

#include <algorithm>
#include <bit>

#include "engine/analysis/other_access.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::instrument {
namespace {

using emulator::AccessCounts, emulator::AccessKind, ptx::Opcode, ptx::Space, trace::Access;

std::uint64_t distinct_bytes(const Access& access) {
  std::array<std::uint64_t, 32> addresses{};
  std::size_t count = 0;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1)
    addresses[count++] = access.address[static_cast<std::size_t>(std::countr_zero(mask))];
  std::sort(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(count));
  const auto end = std::unique(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(count));
  return static_cast<std::uint64_t>(end - addresses.begin()) * access.width;
}

AccessCounts plain_counts(const Access& access, const device::Device& device) {
  const analysis::WarpAccess plain = report::warp_access(access);
  AccessCounts counts{.requests = 1};
  if (access.space == Space::shared) {
    const auto shared = analysis::count_shared(plain, device);
    counts.wavefronts = static_cast<std::uint64_t>(shared.wavefronts);
    counts.ideal_wavefronts = static_cast<std::uint64_t>(shared.ideal_wavefronts);
    counts.bytes_used = distinct_bytes(access);
    return counts;
  }
  const auto global = analysis::count_global(plain, device);
  counts.sectors = static_cast<std::uint64_t>(global.sectors);
  counts.ideal_sectors = static_cast<std::uint64_t>(global.ideal_sectors);
  counts.bytes_used = static_cast<std::uint64_t>(global.bytes_used);
  return counts;
}

AccessCounts local_counts(const Access& access, const ptx::Instruction& instruction,
                          const device::Device& device) {
  const auto pieces = report::access_pieces(access, instruction, device);
  const auto bytes = static_cast<std::uint64_t>(std::popcount(access.active)) * access.width;
  return {.requests = 1,
          .sectors = static_cast<std::uint64_t>(pieces.units),
          .ideal_sectors = (bytes + 31) / 32,
          .bytes_used = bytes};
}

// The sectors of a copy depend on both of its sides.
std::uint64_t copy_sectors(const Access& source, const Access& target, const ptx::Instruction& instruction) {
  analysis::AsyncCopy copy;
  copy.cache =
      instruction.cache == ptx::CacheOp::cg ? analysis::AsyncCopy::Cache::cg : analysis::AsyncCopy::Cache::ca;
  copy.width = source.width;
  copy.active = source.active;
  copy.shared = target.address;
  copy.global = source.address;
  return static_cast<std::uint64_t>(analysis::async_copy_sectors(copy).value);
}

// Tells each access that is a request with what it counts.
class Walk {
 public:
  Walk(const emulator::Kernel& kernel, const device::Device& device, const CountVisitor& visit)
      : kernel_(kernel), device_(device), visit_(visit) {}

  void add(const Access& access) {
    const ptx::Instruction& instruction = kernel_.function().code[access.pc];
    Access& source = sources_[access.warp % sources_.size()];
    if (access.kind == AccessKind::async_copy) {
      // Reported, not counted: the arrival in shared memory is no request of the warp. It follows its source.
      if (access.space == Space::shared) return finish_copy(access, instruction, source);
      source = access;
      return;
    }
    visit_(access, counts_of(access, instruction, device_));
  }

 private:
  void finish_copy(const Access& target, const ptx::Instruction& instruction, Access& source) {
    if (source.active == 0 || source.pc != target.pc || source.block != target.block) return;
    AccessCounts counts = plain_counts(source, device_);
    counts.sectors = copy_sectors(source, target, instruction);
    visit_(source, counts);
    source.active = 0;
  }

  const emulator::Kernel& kernel_;
  const device::Device& device_;
  const CountVisitor& visit_;
  std::array<Access, 32> sources_{};  // of each warp: the copy whose other side has not come yet
};

void add_to(emulator::Counters& counters, const Access& access, const AccessCounts& counts) {
  emulator::InstructionCounters& row = counters.instructions[access.pc];
  const bool fresh = row.requests == 0;
  row.space = fresh || row.space == access.space ? access.space : Space::generic;
  row.executed += 1;
  row.lanes += static_cast<std::uint64_t>(std::popcount(access.active));
  row += counts;
  totals_of(counters, access.space, access.kind) += counts;
}

}  // namespace

// The rules of analysis/other_access.hpp, where the plain ones do not hold.
AccessCounts counts_of(const Access& access, const ptx::Instruction& instruction,
                       const device::Device& device) {
  if (access.space == Space::local) return local_counts(access, instruction, device);
  AccessCounts counts = plain_counts(access, device);
  const analysis::WarpAccess plain = report::warp_access(access);
  if (access.kind == AccessKind::atomic && access.space == Space::shared)
    counts.wavefronts = static_cast<std::uint64_t>(analysis::shared_atomic_wavefronts(plain).value);
  else if (access.kind == AccessKind::atomic)
    counts.sectors = static_cast<std::uint64_t>(analysis::global_atomic_sectors(plain).value);
  if (instruction.opcode == Opcode::ldmatrix) {
    counts.wavefronts = static_cast<std::uint64_t>(
        analysis::ldmatrix_wavefronts(plain.address, instruction.matrix_count).value);
    counts.ideal_wavefronts = instruction.matrix_count;
  }
  return counts;
}

emulator::AccessCounts& totals_of(emulator::Counters& counters, Space space, AccessKind kind) {
  const bool atomic = kind == AccessKind::atomic, store = kind == AccessKind::store;
  if (space == Space::shared)
    return atomic ? counters.shared_atomic : store ? counters.shared_store : counters.shared_load;
  if (space == Space::local) return store ? counters.local_store : counters.local_load;
  return atomic ? counters.global_atomic : store ? counters.global_store : counters.global_load;
}

void visit_counts(const trace::Trace& trace, std::size_t b, const emulator::Kernel& kernel,
                  const device::Device& device, const CountVisitor& visit) {
  Walk walk(kernel, device, visit);
  trace.for_each(b, [&](const Access& access) { walk.add(access); });
}

emulator::Counters count_accesses(const trace::Trace& trace, const emulator::Kernel& kernel,
                                  const device::Device& device) {
  emulator::Counters counters;
  counters.instructions.resize(kernel.function().code.size());
  counters.blocks_run = trace.blocks().size();
  for (std::size_t b = 0; b < trace.blocks().size(); ++b)
    visit_counts(trace, b, kernel, device,
                 [&](const Access& access, const AccessCounts& counts) { add_to(counters, access, counts); });
  return counters;
}

}  // namespace warplens::instrument
