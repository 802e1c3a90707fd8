#include "engine/instrument/counts.hpp"

#include <array>
#include <bit>

#include "engine/emulator/access_units.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::instrument {
namespace {

using emulator::AccessCounts, emulator::AccessKind, ptx::Opcode, ptx::Space, trace::Access;

// target: of an asynchronous copy, whose sectors depend on both of its sides.
AccessCounts counts_with(const Access& access, const ptx::Instruction& instruction,
                         const device::Device& device, const Access* target) {
  const analysis::WarpAccess lanes =
      emulator::without_elsewhere(report::warp_access(access), access.space, access.kind);
  if (lanes.active == 0 && access.active != 0) return {};
  emulator::AccessUnits units;
  if (target != nullptr)
    units = emulator::copy_units(lanes, target->address, instruction.cache, device);
  else if (instruction.opcode == Opcode::ldmatrix)
    units = emulator::matrix_units(lanes, instruction.matrix_count, device);
  else if (access.kind == AccessKind::atomic)
    units = emulator::atomic_units(lanes, instruction, access.space, device);
  else
    units = emulator::plain_units(lanes, access.space, device);
  AccessCounts counts{.requests = 1, .bytes_used = units.bytes};
  const bool shared = access.space == Space::shared;
  (shared ? counts.wavefronts : counts.sectors) = units.count;
  (shared ? counts.ideal_wavefronts : counts.ideal_sectors) = units.ideal;
  return counts;
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
    visit_(source, counts_with(source, instruction, device_, &target));
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

AccessCounts counts_of(const Access& access, const ptx::Instruction& instruction,
                       const device::Device& device) {
  return counts_with(access, instruction, device, nullptr);
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
