// BlockChecker: products of warp groups and copies in bulk, which run beside the threads: what they read and write
// in shared memory, and when that is known to be over.
#include <algorithm>

#include "engine/check/block_checker.hpp"
#include "engine/check/order/lanes.hpp"
#include "engine/emulator/semantics/group_matrix.hpp"
#include "engine/tensor/matrix_descriptor.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand, ptx::Space;

namespace {

using tensor::kChunkBytes;

// Chunks of an operand of wgmma.
void add_chunks(Chunks& chunks, std::uint64_t descriptor, tensor::Major major, int rows, int depth,
                int bytes) {
  const auto d = tensor::MatrixDescriptor::from(descriptor);
  const int per_chunk = static_cast<int>(kChunkBytes) / bytes;
  const bool along_k = major == tensor::Major::k;
  for (int row = 0; row < rows; row += along_k ? 1 : per_chunk)
    for (int k = 0; k < depth; k += along_k ? per_chunk : 1)
      chunks.push_back(tensor::chunk_address(d, major, static_cast<std::uint32_t>(row),
                                             static_cast<std::uint32_t>(k),
                                             static_cast<std::uint32_t>(bytes)) /
                       kChunkBytes);
}

// wgmma.mma_async d, a, b, adds {, scales, majors of a (where it lies in memory) and b}
Chunks chunks_of_product(const WatchedStep& step) {
  constexpr std::size_t kA = 1, kB = 2, kLastScale = 5;
  const ptx::Instruction& i = *step.instruction;
  const auto shape = *emulator::group_shape(i);
  const std::size_t last = i.operands.size() - 1;
  const auto major = [&](std::size_t operand) {
    return last > kLastScale && step.value(operand, 0) != 0 ? tensor::Major::mn : tensor::Major::k;
  };
  Chunks chunks;
  if (i.operands[kA].kind != Operand::Kind::vector)
    add_chunks(chunks, step.value(kA, 0), major(last - 1), emulator::kGroupRows, shape.depth,
               ptx::size_in_bytes(shape.a));
  add_chunks(chunks, step.value(kB, 0), major(last), shape.columns, shape.depth, ptx::size_in_bytes(shape.b));
  std::ranges::sort(chunks);
  return chunks;
}

Chunks chunks_of(std::uint64_t offset, std::uint64_t bytes) {
  Chunks chunks;
  for (std::uint64_t at = offset / kChunkBytes; at * kChunkBytes < offset + bytes; ++at)
    chunks.push_back(static_cast<std::uint32_t>(at));
  return chunks;
}

bool is_of_tensor(Opcode opcode) {
  return opcode == Opcode::cp_async_bulk_tensor || opcode == Opcode::cp_reduce_async_bulk_tensor;
}

// What the asynchronous proxy has put there itself needs no fence.
bool is_of_threads(Opcode opcode) {
  return opcode == Opcode::st || opcode == Opcode::stmatrix || opcode == Opcode::wmma_store ||
         opcode == Opcode::atom || opcode == Opcode::red;
}

// An address by which the warps of a warp group tell each other what their products have read: no memory is there.
std::uint64_t address_of_group(std::uint32_t warp) {
  return emulator::kSharedWindow | (emulator::kOwnOffset - 8 * (warp / kWarpsOfGroup));
}

}  // namespace

// True: there is nothing else to be done for it.
bool BlockChecker::asynchronous(const WatchedStep& step) {
  switch (step.instruction->opcode) {
    case Opcode::wgmma_fence:
      return async_.fence_registers(step), true;
    case Opcode::wgmma_mma_async:
      return product(step), true;
    case Opcode::wgmma_commit_group:
      return async_.commit_products(step), true;
    case Opcode::wgmma_wait_group:
      return wait_for_products(step), true;
    case Opcode::setmaxnreg:
      return async_.set_registers(step, static_cast<std::uint32_t>(step.value(0, lowest(step.exec)))), true;
    case Opcode::fence_proxy_async:
      return async_.fence(step, order_.stamp(step.warp, step.pc, step.exec).step), true;
    case Opcode::cp_async_bulk:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk_tensor:
      return bulk_copy(step), true;
    case Opcode::cp_async_bulk_commit_group:
      return async_.commit_copies(step), true;
    case Opcode::cp_async_bulk_wait_group:
      return async_.wait_for_copies(step, static_cast<std::int64_t>(step.value(0, 0))), true;
    default:
      return false;
  }
}

// The four warps of a group multiply together: what the first of them to come here reads is read for all.
void BlockChecker::product(const WatchedStep& step) {
  registers_.pass_on(step);
  if (!async_.begin_product(step)) return;
  Chunks chunks = chunks_of_product(step);
  if (chunks.empty() || (chunks.back() + 1) * kChunkBytes > scene_.facts().shared_bytes) return;
  read_chunks(step, step.exec, chunks);
  async_.read_by_product(step, std::move(chunks));
  order_.fence(step.warp, step.exec, true);
  order_.release(step.warp, step.exec, address_of_group(step.warp));
}

// They have read until now: who puts something else there has to know of this wait.
void BlockChecker::wait_for_products(const WatchedStep& step) {
  const Chunks read = async_.wait_for_products(step, static_cast<std::int64_t>(step.value(0, 0)));
  order_.acquire(step.warp, 0, address_of_group(step.warp));
  order_.meet(step.warp, step.exec, step.alive);
  if (read.empty()) return;
  read_chunks(step, step.exec, read);
  order_.fence(step.warp, step.exec, true);
  order_.release(step.warp, step.exec, address_of_group(step.warp));
}

// Read past the threads of the block, by these lanes' order.
void BlockChecker::read_chunks(const WatchedStep& step, std::uint32_t lanes, const Chunks& chunks) {
  Touch one = touch_of(step, Access::load, kChunkBytes);
  one.lanes = lanes;
  const auto& code = scene_.function().code;
  for (const std::uint32_t chunk : chunks) {
    const std::uint32_t offset = chunk * kChunkBytes;
    one.address = offset;
    touch_cells(shared_, offset, one, true);
    for_each_word(offset, kChunkBytes, [&](Cell& cell) {
      const Stamp write = shared_.moments().stamp(cell.write);
      if (write.block == 0 || !is_of_threads(code[write.pc].opcode) || async_.is_shown(write, step)) return;
      async_.tell_not_shown(write, step, offset);
    });
  }
}

// cp{.reduce}.async.bulk [target], [source], bytes {, [barrier]}; .tensor [target], [map, at], [barrier] {, blocks} and
// [map, at], [source]
void BlockChecker::bulk_copy(const WatchedStep& step) {
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    if (is_of_tensor(step.instruction->opcode))
      tensor_copy(step, lane);
    else
      copy_bytes(step, lane);
  });
}

void BlockChecker::copy_bytes(const WatchedStep& step, std::uint32_t lane) {
  const bool to_shared = step.instruction->operands.size() >= 4;
  std::array<std::uint64_t, 32> target, source, bytes;
  step.values(0, target);
  step.values(1, source);
  step.values(2, bytes);
  const auto width = static_cast<std::uint32_t>(bytes[lane]);
  if (width == 0) return;
  const bool from_shared = !to_shared || step.instruction->space == Space::shared;
  if (from_shared) {
    read_for_copy(step, lane, source[lane] & emulator::kOwnOffset, width, !to_shared);
  } else {
    touch_end(step, lane, Access::load, source[lane], width, false);
  }
  if (!to_shared) return void(touch_end(step, lane, Access::store, target[lane], width, false));
  write_by_copy(step, lane, 3, target[lane], width);
}

void BlockChecker::tensor_copy(const WatchedStep& step, std::uint32_t lane) {
  const bool stores = step.instruction->operands.size() == 2;
  std::array<std::uint64_t, 32> map, shared;
  step.values(stores ? 0 : 1, map);
  step.values(stores ? 1 : 0, shared);
  emulator::GlobalMemory& memory = *scene_.facts().memory;
  if (memory.find(map[lane], tensor::kMapBytes) == nullptr) return;
  const auto known = tensor::decode({memory.host(map[lane]), tensor::kMapBytes});
  if (!known) return;
  const auto width = static_cast<std::uint32_t>(tensor::box_bytes(*known));
  if (stores) return read_for_copy(step, lane, shared[lane] & emulator::kOwnOffset, width, true);
  write_by_copy(step, lane, 2, shared[lane], width);
}

std::uint32_t BlockChecker::touch_end(const WatchedStep& step, std::uint32_t lane, Access kind,
                                      std::uint64_t address, std::uint32_t width, bool shared) {
  Touch one = touch_of(step, kind, width);
  one.address = address;
  one.lanes = 1u << lane;
  std::uint16_t origin = 0;
  return shared ? touch_shared(one, origin) : touch_global(one, origin);
}

// late: until the copy is waited for.
void BlockChecker::read_for_copy(const WatchedStep& step, std::uint32_t lane, std::uint64_t offset,
                                 std::uint32_t width, bool late) {
  if (offset + width > scene_.facts().shared_bytes) return;
  Chunks chunks = chunks_of(offset, width);
  read_chunks(step, 1u << lane, chunks);
  if (late) async_.read_by_copy(step, lane, std::move(chunks));
}

// What a copy brings is there when the phase of its barrier is over.
void BlockChecker::write_by_copy(const WatchedStep& step, std::uint32_t lane, std::size_t barrier,
                                 std::uint64_t target, std::uint32_t width) {
  std::array<std::uint64_t, 32> told;
  step.values(barrier, told);
  note_brought(step, lane, barrier, told[lane], width);
  const auto offset = static_cast<std::uint32_t>(target & emulator::kOwnOffset);
  if (offset + width > scene_.facts().shared_bytes || cells_of(target) != &shared_) return;
  async_.write(step, lane, offset, width);
  touch_end(step, lane, Access::store, target, width, true);
  for_each_word(offset, width, [](Cell& cell) { cell.in_flight = true; });
  const std::uint64_t phase = phase_at(step, barrier, lane);
  arriving_.push_back({phase, offset, width});
  order_.fence(step.warp, 1u << lane, true);
  order_.release(step.warp, 1u << lane, phase);
  meetings_.memory_changed();
}

// The bytes arrive at the barrier of each block that they are for.
void BlockChecker::note_brought(const WatchedStep& step, std::uint32_t lane, std::size_t barrier,
                                std::uint64_t told, std::uint32_t width) {
  constexpr std::uint32_t kBytesOfBarrier = 8;
  const auto together = scene_.facts().kernel->together();
  const bool many = step.instruction->operands.size() > barrier + 1;
  const std::uint64_t blocks = many ? step.value(barrier + 1, lane) & 0xffff : 1;
  const std::uint64_t rank = (told & 0xffffffffu) >> emulator::kRankShift;
  for (std::uint64_t each = 0; blocks >> each != 0; ++each) {
    if ((blocks >> each & 1) == 0) continue;
    const bool own = !many && rank == 0;
    const std::uint64_t block =
        own ? block_
            : emulator::block_of_rank(block_, many ? each : rank - 1, together.cluster, scene_.facts().grid);
    // It arrives at a barrier of another block as a thread would: that block has to have made it before.
    const auto cells = block == block_ ? companions_.shared.end() : companions_.shared.find(block);
    if (cells != companions_.shared.end()) {
      Touch one = touch_of(step, Access::atomic, kBytesOfBarrier);
      one.address = told & emulator::kOwnOffset;
      one.lanes = 1u << lane;
      if (one.address + one.width <= scene_.facts().shared_bytes)
        touch_cells(cells->second, one.address, one, true);
    }
    ExpectedBytes& bytes = companions_.bytes[{static_cast<std::uint32_t>(block),
                                              static_cast<std::uint32_t>(told & emulator::kOwnOffset)}];
    bytes.brought += width, bytes.copy_pc = step.pc;
    if (bytes.expected == 0) bytes.thread = {block_, step.warp, lane};
  }
}

// mbarrier.expect_tx, .arrive.expect_tx, .complete_tx
void BlockChecker::note_expected(const WatchedStep& step, std::size_t operand, std::size_t count) {
  std::array<std::uint64_t, 32> address, counts;
  step.values(operand, address);
  step.values(count, counts);
  const bool comes = step.instruction->opcode == Opcode::mbarrier_complete_tx;
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const auto together = scene_.facts().kernel->together();
    const std::uint64_t rank = (address[lane] & 0xffffffffu) >> emulator::kRankShift;
    const std::uint64_t block =
        rank == 0 ? block_ : emulator::block_of_rank(block_, rank - 1, together.cluster, scene_.facts().grid);
    ExpectedBytes& bytes = companions_.bytes[{
        static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(address[lane] & emulator::kOwnOffset)}];
    (comes ? bytes.brought : bytes.expected) += counts[lane] & 0xffffffffu;
    (comes ? bytes.copy_pc : bytes.expect_pc) = step.pc;
    bytes.thread = {block_, step.warp, lane};
  });
}

}  // namespace warplens::check
