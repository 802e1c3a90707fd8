// wgmma: four warps side by side multiply 64 rows. A product is noted where it is issued and computed where the first of
// the four waits for it, for all of them: until then its accumulators hold what they held, and its operands are read
// from shared memory as they are then. Who waits for it waits for all four to have issued it. PTX ISA 9.0, section 9.7.15. setmaxnreg: section 9.7.19.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/semantics/group_matrix.hpp"
#include "engine/ptx/source_place.hpp"
#include "engine/tensor/matrix_descriptor.hpp"

namespace warplens::emulator {

using ptx::Opcode, tensor::Major, tensor::MatrixDescriptor;

namespace {

// d, a, b, adds {, scale of a, scale of b {, major of a}, major of b}
constexpr std::size_t kD = 0, kA = 1, kB = 2, kAdds = 3, kScaleA = 4, kScaleB = 5;

bool a_is_in_registers(const PtxDetail& detail) {
  return detail.instruction->operands[kA].kind == ptx::Operand::Kind::vector;
}

std::uint64_t immediate_at(const PtxDetail& detail, std::size_t operand, std::uint64_t without) {
  return operand < detail.operands.size() ? detail.operands[operand].place.bits & 0xffffffffu : without;
}

Major major_of(const PtxDetail& detail, bool of_a) {
  const std::size_t last = detail.operands.size() - 1;
  if (last <= kScaleB) return Major::k;
  return immediate_at(detail, of_a ? last - 1 : last, 0) != 0 ? Major::mn : Major::k;
}

const MicroOp* needs_whole_group(Warp& warp, const MicroOp* op) {
  const auto& dim = warp.worker->block_dim;
  const std::uint32_t warps = (dim[0] * dim[1] * dim[2] + 31) / 32;
  if (warp.exec == kAllLanes && warps % kGroupWarps == 0) return op;
  const bool part = warp.exec != kAllLanes;
  return fault(
      warp, op, Fault::Kind::unsupported, static_cast<std::uint32_t>(__builtin_ctz(warp.exec)), 0,
      part ? "executes an instruction of a warp group with only part of its warp"
           : "executes an instruction of a warp group in a block of " + std::to_string(warps) + " warps",
      part ? "let all 128 threads of the warp group execute it together"
           : "give the block a multiple of 128 threads: a warp group is four warps from a multiple of four "
             "on");
}

// Wavefronts of the shared memory's data pipe: an operand's bytes by 128, whatever its layout (measured on an
// H100). Each warp brings its part of A, and the first of the four all of B.
void count_operands(Warp& warp, const MicroOp* op, const GroupShape& shape, bool a_in_registers) {
  constexpr std::uint32_t kWavefront = 128;
  Worker& worker = *warp.worker;
  Site& site = worker.sites[detail_of(op).site + worker.sites.size() / 3];  // of shared memory
  const std::uint32_t of_a = a_in_registers ? 0 : kWarpRows * 32;
  const std::uint32_t of_b =
      warp.index % kGroupWarps == 0 ? static_cast<std::uint32_t>(shape.columns) * 32 : 0;
  ++site.in_ptx;
  site.requests += 1;
  site.units += (of_a + of_b) / kWavefront;
  site.ideal += (of_a + of_b) / kWavefront;
  site.bytes += of_a + of_b;
  TensorCounts& counts = worker.tensor;
  ++counts.group_products;
  counts.operations += std::uint64_t{2} * kWarpRows * static_cast<std::uint64_t>(shape.columns * shape.depth);
  counts.operand_wavefronts += (of_a + of_b) / kWavefront;
}

const MicroOp* issue(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (needs_whole_group(warp, op) == nullptr) return nullptr;
  const bool in_registers = a_is_in_registers(detail);
  count_operands(warp, op, *group_shape(*detail.instruction), in_registers);
  PendingProduct product{.op = op, .group = warp.asynchronous.products_committed};
  if (!in_registers) product.a = read_operand(warp, detail.operands[kA].place, 0);
  product.b = read_operand(warp, detail.operands[kB].place, 0);
  product.adds = read_operand(warp, detail.operands[kAdds].place, 0) != 0;
  warp.asynchronous.products.push_back(product);
  return op + 1;
}

// The fault of a product that is computed later than it was issued stands where it was issued.
const MicroOp* blame_issue(Warp& warp, const MicroOp* issued) {
  Fault& fault = *warp.worker->fault;
  fault.pc = issued->pc;
  fault.error.place = ptx::place_of(*warp.worker->program, *warp.worker->function, issued->pc);
  return nullptr;
}

// One operand of a product, gathered chunk by chunk.
class Gather {
 public:
  Gather(Warp& warp, const MicroOp* op, std::uint64_t bits, Major major, int bytes)
      : warp_(warp), op_(op), descriptor_(MatrixDescriptor::from(bits)), major_(major), bytes_(bytes) {
    access_.space = ptx::Space::shared;
    access_.active = 1;
  }

  // Calls put(row, k, chunk) for the chunks of rows [first, first + rows). False: a fault has been raised.
  template <class Put>
  bool each(int first, int rows, int depth, Put put) {
    const int per_chunk = static_cast<int>(tensor::kChunkBytes) / bytes_;
    const bool along_k = major_ == Major::k;
    for (int row = 0; row < rows; row += along_k ? 1 : per_chunk)
      for (int k = 0; k < depth; k += along_k ? per_chunk : 1) {
        const std::byte* chunk = at(first + row, k);
        if (chunk == nullptr) return false;
        put(row, k, chunk);
      }
    return true;
  }

 private:
  const std::byte* at(int row, int k) {
    std::uint64_t& address = access_.address[0];
    address = tensor::chunk_address(descriptor_, major_, static_cast<std::uint32_t>(row),
                                    static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(bytes_));
    if (address + tensor::kChunkBytes > warp_.shared_bytes) {
      fault(warp_, op_, Fault::Kind::out_of_bounds, 0, address,
            "multiplies what its matrix descriptor finds at offset " + grouped(address) +
                " of shared memory, which has " + grouped(std::uint64_t{warp_.shared_bytes}) + " bytes",
            "check the start, the leading and the stride offset of the descriptor");
      return nullptr;
    }
    if (check_initialised(warp_, op_, access_, tensor::kChunkBytes) == nullptr) return nullptr;
    return warp_.shared + address;
  }

  Warp& warp_;
  const MicroOp* op_;
  MatrixDescriptor descriptor_;
  Major major_;
  int bytes_;
  LaneAccess access_;
};

// Registers of 32 bits of a vector operand, each 32 words.
std::vector<std::uint32_t*> words_of(Warp& warp, const OperandPlace& operand) {
  std::vector<std::uint32_t*> words;
  for (const ColdOperand& element : operand.elements)
    words.push_back(reinterpret_cast<std::uint32_t*>(warp.regs + element.offset));
  return words;
}

bool gather_a(Warp& warp, const MicroOp* op, const PendingProduct& product, const GroupShape& shape,
              GroupProduct& of) {
  const PtxDetail& detail = detail_of(product.op);
  if (a_is_in_registers(detail)) {
    const auto words = words_of(warp, detail.operands[kA]);
    of.put_a(std::vector<const std::uint32_t*>(words.begin(), words.end()));
    return true;
  }
  const Major major = major_of(detail, true);
  const int first = static_cast<int>(warp.index % kGroupWarps) * kWarpRows;
  return Gather(warp, op, product.a, major, ptx::size_in_bytes(shape.a))
      .each(first, kWarpRows, shape.depth,
            [&](int row, int k, const std::byte* chunk) { of.put_a(row, k, major == Major::k, chunk); });
}

// What one wait has gathered of B: the four warps of a group read the same.
struct GatheredB {
  const MicroOp* op = nullptr;
  std::uint64_t descriptor = 0;
  std::unique_ptr<const GroupB> b;
};

// Null: a fault has been raised.
const GroupB* gather_b(Warp& warp, const MicroOp* op, const PendingProduct& product, const GroupShape& shape,
                       std::vector<GatheredB>& gathered) {
  const auto known = std::ranges::find_if(
      gathered, [&](const GatheredB& each) { return each.op == product.op && each.descriptor == product.b; });
  if (known != gathered.end()) return known->b.get();
  const Major major = major_of(detail_of(product.op), false);
  auto b = std::make_unique<GroupB>(shape);
  const bool is_whole =
      Gather(warp, op, product.b, major, ptx::size_in_bytes(shape.b))
          .each(0, shape.columns, shape.depth, [&](int column, int k, const std::byte* chunk) {
            b->put(k, column, major == Major::k, chunk);
          });
  if (!is_whole) return nullptr;
  gathered.push_back({product.op, product.b, std::move(b)});
  return gathered.back().b.get();
}

// running: the warp whose wait it is.
bool finish_product(Warp& warp, Warp& running, const MicroOp* op, const PendingProduct& product,
                    std::vector<GatheredB>& gathered) {
  const PtxDetail& detail = detail_of(product.op);
  const GroupShape shape = *group_shape(*detail.instruction);
  GroupProduct of(shape);
  const bool has_a = gather_a(warp, op, product, shape, of);
  const GroupB* b = has_a ? gather_b(warp, op, product, shape, gathered) : nullptr;
  if (b == nullptr) return blame_issue(warp, product.op) != nullptr;
  constexpr std::uint64_t kMinusOne = 0xffffffffu;
  if (immediate_at(detail, kScaleA, 1) == kMinusOne) of.negate_a();
  if (immediate_at(detail, kScaleB, 1) == kMinusOne) of.negate_b();
  of.multiply(*b, product.adds, detail.instruction->saturate, words_of(warp, detail.operands[kD]));
  take_long(running, std::uint64_t{kWarpRows} * static_cast<std::uint64_t>(shape.columns * shape.depth));
  return true;
}

const MicroOp* fence(Warp& warp, const MicroOp* op) {
  return needs_whole_group(warp, op) == nullptr ? nullptr : op + 1;
}

const MicroOp* commit_products(Warp& warp, const MicroOp* op) {
  if (needs_whole_group(warp, op) == nullptr) return nullptr;
  ++warp.asynchronous.products_committed;
  return op + 1;
}

std::span<Warp> group_of(Warp& warp) { return {&warp - warp.index % kGroupWarps, kGroupWarps}; }

const MicroOp* wait_for_products(Warp& warp, const MicroOp* op) {
  if (needs_whole_group(warp, op) == nullptr) return nullptr;
  if (!group_has_committed(warp)) return stop(warp, op, Event::warp_group);
  const auto keep = static_cast<std::int64_t>(read_operand(warp, detail_of(op).operands[0].place, 0));
  const std::int64_t before = std::int64_t{warp.asynchronous.products_committed} - keep;
  const auto is_due = [&](const PendingProduct& product) { return std::int64_t{product.group} < before; };
  std::vector<GatheredB> gathered;
  for (Warp& each : group_of(warp)) {
    for (const PendingProduct& product : each.asynchronous.products)
      if (is_due(product) && !finish_product(each, warp, op, product, gathered)) return nullptr;
    std::erase_if(each.asynchronous.products, is_due);
  }
  return op + 1;
}

const MicroOp* set_registers(Warp& warp, const MicroOp* op) {
  if (needs_whole_group(warp, op) == nullptr) return nullptr;
  const std::uint64_t count = detail_of(op).operands[0].place.bits;
  if (count >= 24 && count <= 256 && count % 8 == 0) return op + 1;
  return fault(warp, op, Fault::Kind::unsupported, 0, count,
               "asks for " + grouped(count) + " registers a thread",
               "give setmaxnreg a multiple of 8 from 24 to 256");
}

bool has_form(const ptx::Instruction& i) {
  const auto shape = group_shape(i);
  if (!shape || static_cast<int>(i.operands[kD].elements.size()) != shape->d_registers()) return false;
  const ptx::Operand& a = i.operands[kA];
  return a.kind != ptx::Operand::Kind::vector || static_cast<int>(a.elements.size()) == shape->a_registers();
}

}  // namespace

bool group_has_committed(Warp& warp) {
  return std::ranges::all_of(group_of(warp), [&](const Warp& each) {
    const bool has_ended = &each != &warp && each.groups.empty();
    return has_ended || each.asynchronous.products_committed >= warp.asynchronous.products_committed;
  });
}

Handler warp_group_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::wgmma_fence:
      return fence;
    case Opcode::wgmma_commit_group:
      return commit_products;
    case Opcode::wgmma_wait_group:
      return wait_for_products;
    case Opcode::wgmma_mma_async:
      return has_form(i) ? issue : nullptr;
    case Opcode::setmaxnreg:
      return set_registers;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
