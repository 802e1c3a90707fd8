// Thread block clusters: their barrier, and addresses in each other's shared memory. PTX ISA 9.0, sections
// 9.7.13 "barrier.cluster" and 9.7.9 "mapa", "getctarank".
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Opcode;

namespace {

const MicroOp* arrive(Warp& warp, const MicroOp* op) {
  const Cluster& cluster = *warp.worker->cluster;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (++warp.cluster_arrivals[lane] > cluster.phase + 1)
      return fault(warp, op, Fault::Kind::barrier, lane, 0,
                   "arrives at its cluster's barrier a second time before it has waited there",
                   "let cluster.barrier_wait() follow each cluster.barrier_arrive()");
  }
  return op + 1;
}

const MicroOp* wait(Warp& warp, const MicroOp* op) {
  std::uint32_t waiting = 0;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    waiting |= warp.cluster_arrivals[lane] > warp.worker->cluster->phase ? 1u << lane : 0;
  });
  return waiting == 0 ? op + 1 : stop(warp, op, Event::cluster_barrier);
}

// mapa d, address, rank: the same place in the shared memory of another block of the cluster.
const MicroOp* map_address(Warp& warp, const MicroOp* op) {
  const auto& operands = detail_of(op).operands;
  const std::uint32_t blocks = static_cast<std::uint32_t>(warp.worker->cluster->peers.size());
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t address = read_operand(warp, operands[1].place, lane);
    const std::uint64_t rank = read_operand(warp, operands[2].place, lane) & 0xffffffffu;
    if (rank >= blocks)
      return fault(warp, op, Fault::Kind::out_of_bounds, lane, rank,
                   "asks for the shared memory of block " + std::to_string(rank) + " of a cluster of " +
                       std::to_string(blocks) + (blocks == 1 ? " block" : " blocks"),
                   "give map_shared_rank() a rank below cluster.num_blocks()");
    constexpr std::uint64_t kRank = 0xff;
    const std::uint64_t place = address & ~(kRank << kRankShift);
    write_operand(warp, operands[0].place, lane, place | (rank + 1) << kRankShift);
  }
  return op + 1;
}

const MicroOp* rank_of(Warp& warp, const MicroOp* op) {
  const auto& operands = detail_of(op).operands;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    const std::uint64_t rank = read_operand(warp, operands[1].place, lane) >> kRankShift & 0xff;
    write_operand(warp, operands[0].place, lane, rank == 0 ? warp.worker->rank : rank - 1);
  });
  return op + 1;
}

}  // namespace

Handler cluster_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::barrier_cluster_arrive:
      return arrive;
    case Opcode::barrier_cluster_wait:
      return wait;
    case Opcode::mapa:
      return map_address;
    case Opcode::getctarank:
      return rank_of;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
