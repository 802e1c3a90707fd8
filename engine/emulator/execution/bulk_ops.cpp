// cp.async.bulk: one thread copies any number of bytes, or the box of a tensor map (the tensor memory
// accelerator). Copies into shared memory tell a barrier there, and come when somebody looks at it; stores
// read shared memory when they are waited for. PTX ISA 9.0, sections 9.7.9.25 to 9.7.9.27.
#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/emulator/execution/bulk_reduction.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::Opcode, ptx::Space;

namespace {

constexpr std::uint32_t kBulkAlignment = 16, kTensorAlignment = 128;

// Both ends of a range of one lane, checked: there from the first byte to the last.
std::byte* resolve_range(Warp& warp, const MicroOp* op, Space space, std::uint32_t lane, std::uint64_t begin,
                         std::uint32_t bytes, bool write) {
  std::array<std::uint64_t, 32> address{};
  address[lane] = begin;
  LaneAccess first, last;
  std::uint32_t rest = 0;
  if (!resolve(warp, op, space, 1u << lane, address, kBulkAlignment, write, false, first, rest))
    return nullptr;
  address[lane] += bytes - kBulkAlignment;
  if (!resolve(warp, op, space, 1u << lane, address, kBulkAlignment, write, false, last, rest))
    return nullptr;
  return first.host[lane];
}

// Runs `each` for every lane; null where one of them raised a fault.
template <class Each>
const MicroOp* for_lanes(Warp& warp, const MicroOp* op, Each each) {
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1)
    if (!each(static_cast<std::uint32_t>(__builtin_ctz(mask)))) return nullptr;
  return op + 1;
}

// Sectors, the fewest, and bytes of one copy.
struct Pieces {
  AccessUnits units;
  bool is_multicast = false;  // a box that blocks of a mask get, be it one (measured on an H200)

  // Of one row: in pieces of 128 bytes, each with the sectors that it touches (measured on an H100). Of a multicast each
  // piece ends with its line, and none counts less than two.
  void add(std::uint64_t address, std::uint32_t bytes) {
    for (std::uint32_t at = 0; at < bytes; at += kPiece) {
      const std::uint64_t begin = address + at, end = begin + std::min(bytes - at, kPiece);
      const std::uint64_t line = is_multicast ? std::min(end, (begin / kPiece + 1) * kPiece) : end;
      units.count += sectors(begin, line) + (line < end ? sectors(line, end) : 0);
    }
    add_bytes(bytes);
  }
  // What lies outside of a tensor is nowhere: as many sectors as its bytes fill (measured on an H200), of a
  // multicast three at least.
  void add_outside(std::uint32_t bytes) {
    if (bytes == 0) return;
    units.count += std::max((bytes + kSector - 1) / kSector, is_multicast ? 3U : 1U);
    add_bytes(bytes);
  }

 private:
  static constexpr std::uint32_t kSector = 32, kPiece = 128;
  std::uint32_t sectors(std::uint64_t begin, std::uint64_t end) const {
    const auto touched = static_cast<std::uint32_t>((end - 1) / kSector - begin / kSector + 1);
    return is_multicast ? std::max(touched, 2U) : touched;
  }
  void add_bytes(std::uint32_t bytes) {
    units.bytes += bytes;
    units.ideal = (units.bytes + kSector - 1) / kSector;
  }
};

// What the tensor memory accelerator counts.
void count_copy(Warp& warp, std::uint32_t sectors, AccessKind kind) {
  TensorCounts& counts = warp.worker->tensor;
  ++counts.copy_requests;
  (kind == AccessKind::store ? counts.store_sectors : counts.load_sectors) += sectors;
}

// One request of a thread. blocks: how many get what is loaded; each counts the sectors (measured on an H200).
void count_pieces(Warp& warp, const MicroOp* op, const Pieces& pieces, AccessKind kind,
                  std::uint32_t blocks = 1) {
  count_copy(warp, pieces.units.count * blocks, kind);
  Site& site = warp.worker->sites[detail_of(op).site];
  ++site.in_ptx;
  ++site.requests;
  site.units += pieces.units.count;
  site.ideal += pieces.units.ideal;
  site.bytes += pieces.units.bytes;
}

// Observers see the 16-byte chunks of a range as warps of 32 lanes would read them. Of a box they see nothing: it is
// no access of lanes.
void show_range(Warp& warp, const MicroOp* op, std::uint64_t address, std::uint32_t bytes, AccessKind kind) {
  for (std::uint32_t begin = 0; begin < bytes; begin += 32 * kBulkAlignment) {
    const std::uint32_t lanes = std::min<std::uint32_t>((bytes - begin) / kBulkAlignment, 32);
    LaneAccess part;
    part.space = Space::global;
    part.active = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      part.address[lane] = address + begin + std::uint64_t{lane} * kBulkAlignment;
    report(warp, op->pc, part, kBulkAlignment, kind);
  }
}

// ---- copies into shared memory

// The queue of the block that an address of shared memory belongs to, and the offset there.
struct SharedPlace {
  BulkCopies* queue = nullptr;
  std::uint32_t offset = 0;
};
SharedPlace place_in_cluster(Warp& warp, std::uint64_t address) {
  const std::uint64_t rank = address >> kRankShift & 0xff;
  const auto offset = static_cast<std::uint32_t>(address & kOwnOffset);
  const bool own = rank == 0 || rank == warp.worker->rank + 1;
  return {own ? warp.worker->bulk_copies.get()
              : warp.worker->cluster->peers[static_cast<std::size_t>(rank) - 1].bulk_copies,
          offset};
}

// The blocks that a copy is for.
std::uint32_t blocks_of(Warp& warp, const ColdOperand* mask, std::uint32_t lane) {
  if (mask == nullptr) return 1;
  return static_cast<std::uint32_t>(std::popcount(read_operand(warp, *mask, lane) & 0xffff));
}

// The data comes to the same places in each block of the mask.
bool queue_copy(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t target,
                std::uint64_t barrier, const ColdOperand* mask, std::vector<std::byte> data,
                tensor::Swizzle swizzle) {
  const SharedPlace to = place_in_cluster(warp, target), told = place_in_cluster(warp, barrier);
  if (mask == nullptr) {
    to.queue->push_back({to.offset, told.offset, std::move(data), swizzle});
    return true;
  }
  const auto& peers = warp.worker->cluster->peers;
  const std::uint64_t blocks = read_operand(warp, *mask, lane) & 0xffff;
  if (blocks == 0 || blocks >> peers.size() != 0) {
    fault(warp, op, Fault::Kind::out_of_bounds, lane, blocks,
          "copies to the blocks of mask " + std::to_string(blocks) + " of a cluster of " +
              std::to_string(peers.size()),
          "set only bits of ranks that the cluster has");
    return false;
  }
  for (std::size_t rank = 0; rank < peers.size(); ++rank)
    if ((blocks >> rank & 1) != 0)
      peers[rank].bulk_copies->push_back({to.offset, told.offset, data, swizzle});
  return true;
}

bool is_multiple(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t value, std::uint32_t of,
                 const char* what, const char* next_step) {
  if (value % of == 0) return true;
  fault(warp, op, Fault::Kind::misaligned, lane, value,
        std::string(what) + " " + grouped(value) + ", which is no multiple of " + std::to_string(of),
        next_step);
  return false;
}

// cp.async.bulk.shared.global [target], [source], bytes, [barrier] {, mask}; .shared::cluster.shared::cta
bool copy_bytes(Warp& warp, const MicroOp* op, std::uint32_t lane) {
  const auto& operands = detail_of(op).operands;
  const bool from_global = detail_of(op).instruction->space == Space::global;
  const auto bytes = static_cast<std::uint32_t>(read_operand(warp, operands[2].place, lane));
  if (bytes == 0) return true;
  if (!is_multiple(warp, op, lane, bytes, kBulkAlignment, "copies a number of bytes with a bulk copy,",
                   "round the number of bytes up to a multiple of 16, or copy the rest by threads"))
    return false;
  const std::uint64_t target = address_of(warp, operands[0], lane),
                      from = address_of(warp, operands[1], lane);
  if (resolve_range(warp, op, Space::shared, lane, target, bytes, true) == nullptr) return false;
  const std::byte* source =
      resolve_range(warp, op, from_global ? Space::global : Space::shared, lane, from, bytes, false);
  if (source == nullptr) return false;
  const ColdOperand* mask = operands.size() > 4 ? &operands[4].place : nullptr;
  if (from_global) {
    Pieces pieces;
    pieces.add(from, bytes);
    count_pieces(warp, op, pieces, AccessKind::load, blocks_of(warp, mask, lane));
    show_range(warp, op, from, bytes, AccessKind::load);
  }
  return queue_copy(warp, op, lane, target, address_of(warp, operands[3], lane), mask,
                    {source, source + bytes}, tensor::Swizzle::none);
}

// ---- tensor maps

// The map and the coordinates of an operand. Nothing: a fault has been raised.
std::optional<tensor::TensorMap> map_of(Warp& warp, const MicroOp* op, std::uint32_t lane,
                                        const OperandPlace& operand, tensor::Coordinates& at) {
  const std::uint64_t address = address_of(warp, operand, lane);
  GlobalMemory& memory = *warp.worker->memory;
  std::optional<tensor::TensorMap> map;
  if (memory.find(address, tensor::kMapBytes) != nullptr)
    map = tensor::decode({memory.host(address), tensor::kMapBytes});
  if (!map || map->dimensions != operand.elements.size()) {
    fault(warp, op, Fault::Kind::unsupported, lane, address,
          map ? "copies by a tensor map of " + std::to_string(map->dimensions) + " dimensions with " +
                    std::to_string(operand.elements.size()) + " coordinates"
              : "copies by a tensor map that is none",
          map ? "give a coordinate for each dimension of the map"
              : "take the address of a const __grid_constant__ CUtensorMap that `maps` of the front matter "
                "names");
    return std::nullopt;
  }
  for (std::size_t d = 0; d < operand.elements.size(); ++d)
    at[d] = static_cast<std::int32_t>(read_operand(warp, operand.elements[d], lane));
  const std::int64_t start = std::int64_t{at[0]} * tensor::size_in_bytes(map->type);
  if (start % kBulkAlignment == 0) return map;
  fault(warp, op, Fault::Kind::misaligned, lane, address,
        "copies a box that begins at column " + std::to_string(at[0]) + ", byte " + std::to_string(start) +
            " of its row: an illegal instruction, since that is no multiple of 16 bytes",
        "let the first coordinate be a multiple of " +
            std::to_string(std::max(1u, kBulkAlignment / tensor::size_in_bytes(map->type))) + " elements");
  return std::nullopt;
}

// Where the bytes of a row that are inside the tensor are; null: a fault has been raised.
std::byte* row_in_memory(Warp& warp, const MicroOp* op, std::uint32_t lane, const tensor::BoxRow& row,
                         bool write) {
  std::array<std::uint64_t, 32> address{};
  LaneAccess ends;
  std::uint32_t rest = 0;
  for (const std::uint32_t byte : {row.last - 1, row.first}) {
    address[lane] = row.address + byte;
    if (!resolve(warp, op, Space::global, 1u << lane, address, 1, write, false, ends, rest)) return nullptr;
  }
  return ends.host[lane];
}

// The bytes of a box, zeros where it is outside of the tensor.
bool read_box(Warp& warp, const MicroOp* op, std::uint32_t lane, const tensor::TensorMap& map,
              const tensor::Coordinates& at, const ColdOperand* mask, std::vector<std::byte>& data) {
  const std::uint32_t width = tensor::row_bytes(map);
  data.resize(static_cast<std::size_t>(tensor::box_bytes(map)));
  Pieces pieces;
  pieces.is_multicast = mask != nullptr;
  for (std::uint64_t r = 0; r < tensor::box_rows(map); ++r) {
    const tensor::BoxRow row = tensor::box_row(map, at, r);
    pieces.add_outside(row.first);
    pieces.add(row.address + row.first, row.last - row.first);
    pieces.add_outside(width - row.last);
    if (row.first == row.last) continue;
    const std::byte* source = row_in_memory(warp, op, lane, row, false);
    if (source == nullptr) return false;
    std::memcpy(data.data() + r * width + row.first, source, row.last - row.first);
  }
  count_pieces(warp, op, pieces, AccessKind::load, blocks_of(warp, mask, lane));
  return true;
}

// cp.async.bulk.tensor.Nd.shared.global [target], [map, {...}], [barrier] {, mask}
bool load_box(Warp& warp, const MicroOp* op, std::uint32_t lane) {
  const auto& operands = detail_of(op).operands;
  tensor::Coordinates at{};
  const auto map = map_of(warp, op, lane, operands[1], at);
  if (!map) return false;
  const std::uint64_t target = address_of(warp, operands[0], lane);
  if (!is_multiple(warp, op, lane, target & kOwnOffset, kTensorAlignment,
                   "copies a box to an offset in shared memory,",
                   "declare the tile __align__(128), or 1024 where it is swizzled by 128 bytes"))
    return false;
  const auto bytes = static_cast<std::uint32_t>(tensor::box_bytes(*map));
  if (resolve_range(warp, op, Space::shared, lane, target, bytes, true) == nullptr) return false;
  std::vector<std::byte> data;
  const ColdOperand* mask = operands.size() > 3 ? &operands[3].place : nullptr;
  if (!read_box(warp, op, lane, *map, at, mask, data)) return false;
  return queue_copy(warp, op, lane, target, address_of(warp, operands[2], lane), mask, std::move(data),
                    map->swizzle);
}

// ---- stores

// [target], [source], bytes
bool store_bytes(Warp& warp, const MicroOp* op, std::uint32_t lane) {
  const auto& operands = detail_of(op).operands;
  PendingBulkStore store{.op = op, .lane = lane, .group = warp.asynchronous.stores_committed[lane]};
  store.bytes = static_cast<std::uint32_t>(read_operand(warp, operands[2].place, lane));
  if (store.bytes == 0) return true;
  if (!is_multiple(warp, op, lane, store.bytes, kBulkAlignment, "copies a number of bytes with a bulk copy,",
                   "round the number of bytes up to a multiple of 16, or copy the rest by threads"))
    return false;
  store.target = address_of(warp, operands[0], lane);
  const std::uint64_t source = address_of(warp, operands[1], lane);
  if (resolve_range(warp, op, Space::global, lane, store.target, store.bytes, true) == nullptr ||
      resolve_range(warp, op, Space::shared, lane, source, store.bytes, false) == nullptr)
    return false;
  store.source = static_cast<std::uint32_t>(source);
  Pieces pieces;
  pieces.add(store.target, store.bytes);
  count_pieces(warp, op, pieces, AccessKind::store);
  show_range(warp, op, store.target, store.bytes, AccessKind::store);
  warp.asynchronous.stores.push_back(store);
  return true;
}

// cp.async.bulk.tensor.Nd.global.shared [map, {...}], [source]
bool store_box(Warp& warp, const MicroOp* op, std::uint32_t lane) {
  const auto& operands = detail_of(op).operands;
  PendingBulkStore store{.op = op, .lane = lane, .group = warp.asynchronous.stores_committed[lane]};
  const auto map = map_of(warp, op, lane, operands[0], store.at);
  if (!map) return false;
  store.map = *map;
  store.bytes = static_cast<std::uint32_t>(tensor::box_bytes(*map));
  const std::uint64_t source = address_of(warp, operands[1], lane);
  if (!is_multiple(warp, op, lane, source, kTensorAlignment, "stores a box from an offset in shared memory,",
                   "declare the tile __align__(128), or 1024 where it is swizzled by 128 bytes") ||
      resolve_range(warp, op, Space::shared, lane, source, store.bytes, false) == nullptr)
    return false;
  store.source = static_cast<std::uint32_t>(source);
  Pieces pieces;
  for (std::uint64_t r = 0; r < tensor::box_rows(*map); ++r) {
    const tensor::BoxRow row = tensor::box_row(*map, store.at, r);
    if (row.first == row.last) continue;
    if (row_in_memory(warp, op, lane, row, true) == nullptr) return false;
    pieces.add(row.address + row.first, row.last - row.first);
  }
  count_pieces(warp, op, pieces, AccessKind::store);
  warp.asynchronous.stores.push_back(store);
  return true;
}

// The bytes that a store reads now. False: some were never written.
bool read_tile(Warp& warp, const MicroOp* op, const PendingBulkStore& store, std::vector<std::byte>& data) {
  data.resize(store.bytes);
  for (std::uint32_t at = 0; at < store.bytes; at += tensor::kChunkBytes) {
    LaneAccess chunk;
    chunk.space = Space::shared;
    chunk.active = 1u << store.lane;
    chunk.address[store.lane] = tensor::swizzled(store.source + at, store.map.swizzle);
    if (check_initialised(warp, op, chunk, tensor::kChunkBytes) == nullptr) return false;
    std::memcpy(data.data() + at, shared_at(warp, chunk.address[store.lane]), tensor::kChunkBytes);
  }
  return true;
}

void write_out(const ptx::Instruction& i, ptx::Type type, const std::byte* source, std::uint32_t bytes,
               std::byte* target) {
  if (i.atomic == ptx::AtomicOp::none)
    std::memcpy(target, source, bytes);
  else
    reduce_bytes(i.atomic, type, source, bytes, target);
}

bool finish_store(Warp& warp, const PendingBulkStore& store) {
  const ptx::Instruction& i = *detail_of(store.op).instruction;
  std::vector<std::byte> data;
  if (!read_tile(warp, store.op, store, data)) return false;
  GlobalMemory& memory = *warp.worker->memory;
  if (store.map.dimensions == 0) {
    write_out(i, i.type, data.data(), store.bytes, memory.host(store.target));
    return true;
  }
  const std::uint32_t width = tensor::row_bytes(store.map);
  for (std::uint64_t r = 0; r < tensor::box_rows(store.map); ++r) {
    const tensor::BoxRow row = tensor::box_row(store.map, store.at, r);
    if (row.first == row.last) continue;
    write_out(i, element_type(store.map.type), data.data() + r * width + row.first, row.last - row.first,
              memory.host(row.address + row.first));
  }
  return true;
}

// Those that `is_due` says. False: a fault has been raised.
template <class IsDue>
bool finish_stores(Warp& warp, IsDue is_due) {
  auto& stores = warp.asynchronous.stores;
  for (const PendingBulkStore& store : stores)
    if (is_due(store) && !finish_store(warp, store)) return false;
  std::erase_if(stores, is_due);
  return true;
}

const MicroOp* bulk_copy(Warp& warp, const MicroOp* op) {
  const bool stores = detail_of(op).operands.size() == 3;
  return for_lanes(warp, op, [&](std::uint32_t lane) {
    return stores ? store_bytes(warp, op, lane) : copy_bytes(warp, op, lane);
  });
}

const MicroOp* tensor_copy(Warp& warp, const MicroOp* op) {
  const bool stores = detail_of(op).operands.size() == 2;
  return for_lanes(warp, op, [&](std::uint32_t lane) {
    return stores ? store_box(warp, op, lane) : load_box(warp, op, lane);
  });
}

const MicroOp* bulk_commit(Warp& warp, const MicroOp* op) {
  for_each_lane(warp.exec, [&](std::uint32_t lane) { ++warp.asynchronous.stores_committed[lane]; });
  ++warp.worker->tensor.copy_requests;
  return op + 1;
}

const MicroOp* bulk_wait(Warp& warp, const MicroOp* op) {
  const auto keep = static_cast<std::int64_t>(read_operand(warp, detail_of(op).operands[0].place, 0));
  const bool good = finish_stores(warp, [&](const PendingBulkStore& store) {
    return (warp.exec >> store.lane & 1) != 0 &&
           std::int64_t{store.group} < std::int64_t{warp.asynchronous.stores_committed[store.lane]} - keep;
  });
  return good ? op + 1 : nullptr;
}

}  // namespace

bool finish_bulk_stores(Warp& warp) {
  return finish_stores(warp, [](const PendingBulkStore&) { return true; });
}

Handler bulk_handler(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::cp_async_bulk:
      return bulk_copy;
    case Opcode::cp_reduce_async_bulk:
      return i.operands.size() == 3 && reduces(i.atomic, i.type) ? bulk_copy : nullptr;
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk_tensor:
      return tensor_copy;
    case Opcode::cp_async_bulk_commit_group:
      return bulk_commit;
    case Opcode::cp_async_bulk_wait_group:
      return bulk_wait;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator
