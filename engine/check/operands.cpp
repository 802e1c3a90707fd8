#include "engine/check/operands.hpp"

#include <array>

#include "engine/check/order/lanes.hpp"

namespace warplens::check {
namespace {

using emulator::WatchedStep;

constexpr std::uint64_t kBarriers = 16;  // PTX ISA, bar: 0 to 15
constexpr std::uint32_t kLanes = 32;

void tell(Scene& scene, std::uint32_t block, const WatchedStep& step, std::uint32_t lane, Kind kind,
          const std::string& what, std::string fix) {
  const ThreadId thread{block, step.warp, lane};
  Finding finding;
  finding.kind = kind;
  scene.set_line(finding, step.pc);
  finding.at = scene.place(thread);
  finding.message = scene.words(thread) + what;
  finding.fix = std::move(fix);
  scene.add(std::move(finding));
}

std::uint32_t threads_of(const LaunchFacts& facts) {
  return facts.block[0] * facts.block[1] * facts.block[2];
}

}  // namespace

// PTX ISA, shfl: of operand c the bits 8 to 12 are those of a lane's number that stay as they are, 32 -
// width.
void check_width(Scene& scene, std::uint32_t block, const WatchedStep& step) {
  const std::size_t operand = step.instruction->destinations + 2u;
  if (operand >= step.instruction->operands.size()) return;
  std::array<std::uint64_t, 32> values;
  step.values(operand, values);
  for (std::uint32_t rest = step.exec; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    const auto width = static_cast<std::uint32_t>(kLanes - (values[lane] >> 8 & (kLanes - 1)));
    if ((width & (width - 1)) == 0) continue;
    if (!scene.is_new(Kind::invalid_operand, step.pc, step.pc)) return;
    return tell(scene, block, step, lane, Kind::invalid_operand,
                " shuffles with a width of " + std::to_string(width) + ", and no power of two up to 32",
                "give a width of 1, 2, 4, 8, 16 or 32; where fewer lanes have a value let the others give 0");
  }
}

void check_barrier(Scene& scene, std::uint32_t block, const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  const std::size_t first = i.destinations;
  const std::size_t inputs = i.operands.size() - first - (i.opcode == ptx::Opcode::bar_red ? 1 : 0);
  const std::uint32_t lane = lowest(step.exec);
  const std::uint64_t number = step.value(first, lane);
  const std::uint64_t count = inputs > 1 ? step.value(first + 1, lane) : 0;
  const std::uint32_t threads = threads_of(scene.facts()), whole = (threads + kLanes - 1) / kLanes * kLanes;
  std::string what, fix;
  if (number >= kBarriers) {
    what = " comes to barrier " + std::to_string(number) + ", and a block has those from 0 to 15";
    fix = "number the barriers from 0 to 15; 0 is that of __syncthreads()";
  } else if (count % kLanes != 0) {
    what = " comes to a barrier for " + std::to_string(count) + " threads, which are no whole warps";
    fix = "count whole warps: a multiple of 32";
  } else if (count > whole) {
    what = " comes to a barrier for " + std::to_string(count) + " threads, and the block has " +
           std::to_string(threads);
    fix = "give the barrier the threads that come to it";
  }
  if (!what.empty() && scene.is_new(Kind::invalid_operand, step.pc, step.pc))
    tell(scene, block, step, lane, Kind::invalid_operand, what, std::move(fix));
}

void check_breakpoint(Scene& scene, std::uint32_t block, const WatchedStep& step) {
  if (!scene.is_new(Kind::trap, step.pc, step.pc)) return;
  tell(scene, block, step, lowest(step.exec), Kind::trap,
       " comes to a breakpoint, which ends the kernel with an error where no debugger waits for it",
       "remove __brkpt()");
}

}  // namespace warplens::check
