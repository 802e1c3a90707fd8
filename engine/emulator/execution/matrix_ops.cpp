// ldmatrix, stmatrix, movmatrix, mma, wmma: the warp's registers and memory around the arithmetic of
// matrix.hpp.
#include <cstring>
#include <vector>

#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/semantics/matrix.hpp"

namespace warplens::emulator {

using ptx::Opcode;

namespace {

// A fragment's 32-bit registers; a 64-bit one counts as two.
std::vector<Lanes> read_fragment(const Warp& warp, const OperandPlace& operand) {
  std::vector<Lanes> words;
  const auto add = [&](const ColdOperand& element) {
    Lanes low{}, high{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t value = read_operand(warp, element, lane);
      low[lane] = static_cast<std::uint32_t>(value);
      high[lane] = static_cast<std::uint32_t>(value >> 32);
    }
    words.push_back(low);
    if (element.kind == ColdOperand::Kind::lanes64) words.push_back(high);
  };
  if (operand.elements.empty()) add(operand.place);
  for (const ColdOperand& element : operand.elements) add(element);
  return words;
}

void write_fragment(Warp& warp, const OperandPlace& operand, const std::vector<Lanes>& words) {
  std::size_t w = 0;
  const auto put = [&](const ColdOperand& element) {
    const bool wide = element.kind == ColdOperand::Kind::lanes64;
    for_each_lane(warp.exec, [&](std::uint32_t lane) {
      const std::uint64_t high = wide ? std::uint64_t{words[w + 1][lane]} << 32 : 0;
      write_operand(warp, element, lane, high | words[w][lane]);
    });
    w += wide ? 2 : 1;
  };
  if (operand.elements.empty()) put(operand.place);
  for (const ColdOperand& element : operand.elements) put(element);
}

std::size_t words_of(const OperandPlace& operand) {
  std::size_t words = 0;
  for (const ColdOperand& element : operand.elements)
    words += element.kind == ColdOperand::Kind::lanes64 ? 2 : 1;
  return operand.elements.empty() ? 1 : words;
}

const MicroOp* needs_whole_warp(Warp& warp, const MicroOp* op) {
  return fault(warp, op, Fault::Kind::unsupported, static_cast<std::uint32_t>(__builtin_ctz(warp.exec)), 0,
               "executes a matrix instruction with only part of its warp",
               "let all 32 lanes execute it together");
}

// What the machine makes of one: of a wmma products of 16 x 8, or of 8 x 8 of f64; from 9.0 on two of 16-bit floats of one
// of 8-bit floats, and two of 8-bit integers of one of 4-bit ones (measured on an H200).
std::uint64_t machine_products(const ptx::Instruction& i, bool is_wmma, const device::Device& device) {
  const ptx::Type type = i.matrix_types[1];
  if (is_wmma && type != ptx::Type::f64) return std::uint64_t{i.shape[0]} * i.shape[1] / 128;
  const bool is_small =
      type == ptx::Type::e4m3 || type == ptx::Type::e5m2 || type == ptx::Type::s4 || type == ptx::Type::u4;
  return is_small && device.compute_capability >= 90 ? 2 : 1;
}

// By the pipe that takes it.
void count_product(Warp& warp, const ptx::Instruction& i, bool is_wmma) {
  const auto [m, n, k] = i.shape;
  const ptx::Type type = i.matrix_types[1];
  TensorCounts& counts = warp.worker->tensor;
  const bool whole = i.matrix_types[0] == ptx::Type::s32, is_double = type == ptx::Type::f64;
  const std::uint64_t products = machine_products(i, is_wmma, *warp.worker->device);
  (is_double ? counts.double_products : whole ? counts.integer_products : counts.half_products) += products;
  const std::uint64_t multiply_adds = std::uint64_t{m} * n * k;
  counts.operations += 2 * multiply_adds;
  take_long(warp, multiply_adds);
}

template <bool kWmma>
const MicroOp* multiply(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const auto a = read_fragment(warp, detail.operands[1]), b = read_fragment(warp, detail.operands[2]),
             c = read_fragment(warp, detail.operands[3]);
  std::vector<Lanes> d(words_of(detail.operands[0]));
  const bool known = kWmma ? wmma(*detail.instruction, a, b, c, d) : mma(*detail.instruction, a, b, c, d);
  if (!known)
    return fault(warp, op, Fault::Kind::unsupported, 0, 0,
                 "executes a matrix product of a shape or type that the emulator does not know",
                 "use another shape");
  write_fragment(warp, detail.operands[0], d);
  count_product(warp, *detail.instruction, kWmma);
  return op + 1;
}

const MicroOp* multiply_sparse(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const ptx::Instruction& i = *detail.instruction;
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const auto a = read_fragment(warp, detail.operands[1]), b = read_fragment(warp, detail.operands[2]),
             c = read_fragment(warp, detail.operands[3]), metadata = read_fragment(warp, detail.operands[4]);
  const auto selector = static_cast<int>(read_operand(warp, detail.operands[5].place, 0));
  if (!has_legal_metadata(i, metadata[0], selector))
    return fault(warp, op, Fault::Kind::unsupported, 0, 0,
                 "executes a sparse matrix product with metadata or a selector that no device takes",
                 "name two different places of each four elements, the lower one first, of tf32 0x4 or 0xe");
  std::vector<Lanes> d(words_of(detail.operands[0]));
  if (!sparse_mma(i, a, b, c, metadata[0], selector, d))
    return fault(warp, op, Fault::Kind::unsupported, 0, 0,
                 "executes a sparse matrix product of a shape or type that the emulator does not know",
                 "use another shape");
  write_fragment(warp, detail.operands[0], d);
  count_product(warp, i, false);
  return op + 1;
}

// The rows that a ldmatrix or stmatrix of `count` matrices touches: those of lanes 0 to 8 * count - 1.
bool resolve_rows(Warp& warp, const MicroOp* op, const OperandPlace& memory, int matrices, bool write,
                  LaneAccess& access) {
  const ptx::Instruction& i = *detail_of(op).instruction;
  const std::uint32_t rows = matrices == 4 ? kAllLanes : (1u << (8 * matrices)) - 1;
  const auto address = addresses_of(warp, memory, rows);
  std::uint32_t rest = 0;
  const ptx::Space space = i.space == ptx::Space::generic ? ptx::Space::generic : ptx::Space::shared;
  return resolve(warp, op, space, rows, address, 16, write, false, access, rest);
}

const MicroOp* load_matrix(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const int matrices = static_cast<int>(words_of(detail.operands[0]));
  LaneAccess access;
  if (!resolve_rows(warp, op, detail.operands[1], matrices, false, access)) return nullptr;
  if (check_initialised(warp, op, access, 16) == nullptr) return nullptr;
  std::vector<MatrixRow> rows(static_cast<std::size_t>(8 * matrices));
  for (std::size_t r = 0; r < rows.size(); ++r) std::memcpy(rows[r].data(), access.host[r], 16);
  std::vector<Lanes> d(static_cast<std::size_t>(matrices));
  load_matrices(rows, detail.instruction->transposed, d);
  write_fragment(warp, detail.operands[0], d);
  count(warp, detail.site, op->pc, access, 16, AccessKind::load,
        matrix_units(counted_access(access, 16, AccessKind::load), matrices, *warp.worker->device));
  return op + 1;
}

const MicroOp* store_matrix(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const auto source = read_fragment(warp, detail.operands[1]);
  LaneAccess access;
  if (!resolve_rows(warp, op, detail.operands[0], static_cast<int>(source.size()), true, access))
    return nullptr;
  std::vector<MatrixRow> rows(8 * source.size());
  store_matrices(source, detail.instruction->transposed, rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::memcpy(access.host[r], rows[r].data(), 16);
    mark_written(warp, access.address[r], rows[r].data(), 16);
  }
  count(warp, detail.site, op->pc, access, 16, AccessKind::store,
        plain_units(counted_access(access, 16, AccessKind::store), access.space, *warp.worker->device));
  return op + 1;
}

const MicroOp* move_matrix(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const auto a = read_fragment(warp, detail.operands[1]);
  write_fragment(warp, detail.operands[0], {transposed_matrix(a[0])});
  return op + 1;
}

// ---- wmma.load, wmma.store: element by element through our own fragment layout
// -------------------------------------------

struct WmmaMemory {
  FragmentShape shape;
  int elements = 0, bytes = 0;
  std::array<std::uint64_t, 32> base{};
  std::array<std::int64_t, 32> stride{};
};

WmmaMemory wmma_memory(Warp& warp, const PtxDetail& detail, std::size_t memory, std::size_t stride) {
  const ptx::Instruction& i = *detail.instruction;
  WmmaMemory result;
  result.shape = {i.fragment, i.shape, i.type};
  result.elements = wmma_elements(result.shape);
  result.bytes = ptx::size_in_bytes(i.type);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    result.base[lane] = read_operand(warp, detail.operands[memory].place, lane) +
                        static_cast<std::uint64_t>(detail.operands[memory].offset);
    const std::int64_t natural = i.layout_a == ptx::Layout::col ? i.shape[0] : i.shape[1];
    result.stride[lane] =
        stride < detail.operands.size()
            ? static_cast<std::int32_t>(read_operand(warp, detail.operands[stride].place, lane))
            : natural;
  }
  return result;
}

// The rows of the 8 x 8 matrices that words [first, first + count) of all lanes are.
LaneAccess rows_of_words(const WmmaMemory& m, const ptx::Instruction& i, int first, int count) {
  LaneAccess access;
  access.space = ptx::Space::shared;
  for (int matrix = 0; matrix < count; ++matrix)
    for (std::uint32_t row = 0; row < 8; ++row) {
      const std::uint32_t lane = 8 * static_cast<std::uint32_t>(matrix) + row;
      const MatrixPosition at = wmma_position(m.shape, static_cast<int>(4 * row), 2 * (first + matrix));
      access.address[lane] =
          (m.base[0] + static_cast<std::uint64_t>(element_offset(at, i.layout_a, m.stride[0]) * m.bytes)) &
          0xffffffffu;
      access.active |= 1u << lane;
    }
  return access;
}

void count_matrices(Warp& warp, const MicroOp* op, const WmmaMemory& m, int words) {
  const PtxDetail& detail = detail_of(op);
  for (int first = 0; first < words; first += 4) {
    const int matrices = std::min(4, words - first);
    const LaneAccess rows = rows_of_words(m, *detail.instruction, first, matrices);
    count(warp, detail.site, op->pc, rows, 16, AccessKind::load,
          matrix_units(counted_access(rows, 16, AccessKind::load), matrices, *warp.worker->device));
  }
}

// Counted and reported as the machine makes it.
void count_wmma(Warp& warp, const MicroOp* op, const WmmaMemory& m, ptx::Space space, AccessKind kind) {
  const PtxDetail& detail = detail_of(op);
  const ptx::Instruction& i = *detail.instruction;
  const WmmaAccesses made = wmma_accesses(i);
  if (made.are_matrices) return count_matrices(warp, op, m, made.words);
  const int width = m.bytes * made.elements;
  for (int e = 0; e < made.number; ++e) {
    LaneAccess access;
    access.space = space;
    access.active = kAllLanes;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const auto at = element_offset(wmma_position(m.shape, static_cast<int>(lane), e * made.elements),
                                     i.layout_a, m.stride[lane]);
      access.address[lane] = m.base[lane] + static_cast<std::uint64_t>(at * m.bytes);
      if (space != ptx::Space::global) access.address[lane] &= 0xffffffffu;
    }
    count(warp, detail.site, op->pc, access, width, kind,
          plain_units(counted_access(access, width, kind), space, *warp.worker->device));
  }
}

template <bool kStore>
const MicroOp* move_wmma(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (warp.exec != kAllLanes) return needs_whole_warp(warp, op);
  const ptx::Instruction& i = *detail.instruction;
  const std::size_t data = kStore ? 1 : 0, memory = kStore ? 0 : 1;
  const WmmaMemory m = wmma_memory(warp, detail, memory, 2);
  std::vector<Lanes> registers = kStore ? read_fragment(warp, detail.operands[data])
                                        : std::vector<Lanes>(words_of(detail.operands[data]));
  ptx::Space space = ptx::Space::global;
  for (int e = 0; e < m.elements; ++e) {
    std::array<std::uint64_t, 32> address{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const auto at =
          element_offset(wmma_position(m.shape, static_cast<int>(lane), e), i.layout_a, m.stride[lane]);
      address[lane] = m.base[lane] + static_cast<std::uint64_t>(at * m.bytes);
    }
    LaneAccess access;
    std::uint32_t rest = 0;
    if (!resolve(warp, op, i.space, kAllLanes, address, m.bytes, kStore, false, access, rest)) return nullptr;
    if (!kStore && check_initialised(warp, op, access, m.bytes) == nullptr) return nullptr;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      std::uint64_t bits = 0;
      if (kStore) {
        bits = fragment_element(registers, static_cast<int>(lane), e, m.bytes * 8);
        std::memcpy(access.host[lane], &bits, static_cast<std::size_t>(m.bytes));
        if (access.space == ptx::Space::shared)
          mark_written(warp, access.address[lane], access.host[lane], m.bytes);
      } else {
        std::memcpy(&bits, access.host[lane], static_cast<std::size_t>(m.bytes));
        set_fragment_element(registers, static_cast<int>(lane), e, m.bytes * 8, bits);
      }
    }
    space = access.space;
  }
  count_wmma(warp, op, m, space, kStore ? AccessKind::store : AccessKind::load);
  if (!kStore) write_fragment(warp, detail.operands[data], registers);
  return op + 1;
}

}  // namespace

Handler matrix_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldmatrix:
      return i.type == ptx::Type::b16 ? load_matrix : nullptr;
    case Opcode::stmatrix:
      return i.type == ptx::Type::b16 ? store_matrix : nullptr;
    case Opcode::movmatrix:
      return move_matrix;
    case Opcode::mma:
      return mma_registers({ptx::Fragment::a, i.shape, i.matrix_types[1]}) > 0 ? multiply<false> : nullptr;
    case Opcode::mma_sp:
      return is_sparse_shape(i.matrix_types[1], i.shape) ? multiply_sparse : nullptr;
    case Opcode::wmma_mma:
      return multiply<true>;
    case Opcode::wmma_load:
      return wmma_registers({i.fragment, i.shape, i.type}) > 0 ? move_wmma<false> : nullptr;
    case Opcode::wmma_store:
      return wmma_registers({i.fragment, i.shape, i.type}) > 0 ? move_wmma<true> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
