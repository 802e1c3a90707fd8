// The complete memory access: any space, width, mask and address form; all checks; and what the fast handlers
// remember.
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/flow/recursion.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::emulator {

using ptx::Space;

namespace {

template <class T>
T* at(Warp& warp, std::uint32_t offset) {
  return reinterpret_cast<T*>(warp.regs + offset);
}

std::uint64_t lane_address(Warp& warp, const MemoryDetail& m, std::uint32_t lane) {
  std::uint64_t address = 0;
  switch (m.form) {
    case AddressForm::scalar: {
      const ScalarForm form = *at<ScalarForm>(warp, m.address);
      address = form.base + form.stride * lane;
      break;
    }
    case AddressForm::vector32:
      address = at<std::uint32_t>(warp, m.address)[lane];
      break;
    case AddressForm::vector64:
      address = at<std::uint64_t>(warp, m.address)[lane];
      break;
  }
  address += static_cast<std::uint64_t>(m.offset);
  return m.address_is_32_bit ? address & 0xffffffffu : address;
}

// The site of an access through a generic address depends on the space it turned out to be.
Site& site_of(Worker& worker, std::uint32_t site, Space space) {
  const std::size_t third = worker.sites.size() / 3;
  return worker.sites[site + (space == Space::shared ? third : space == Space::local ? 2 * third : 0)];
}

// ---- initialised bytes of shared memory
// ----------------------------------------------------------------------------

// From "a word that is not poison was stored" to a flag a byte: for a kernel that stores the poison itself.
void track_exactly(Warp& warp) {
  Worker& worker = *warp.worker;
  worker.exact_shared = true;
  worker.shared_written.assign(warp.shared_bytes, 0);
  for (std::uint32_t word = 0; word + 4 <= warp.shared_bytes; word += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, warp.shared + word, 4);
    if (value != kSharedPoison) std::memset(worker.shared_written.data() + word, 1, 4);
  }
}

// The flags of the block's bytes that an address is in, which may be another one of the cluster.
std::uint8_t* written_flags(Worker& worker, std::uint64_t address) {
  const std::uint64_t rank = address >> kRankShift;
  return rank == 0 ? worker.shared_written.data()
                   : worker.cluster->peers[static_cast<std::size_t>(rank) - 1].written;
}

bool is_initialised(const Warp& warp, std::uint64_t offset, int width) {
  Worker& worker = *warp.worker;
  if (worker.exact_shared) {
    const std::uint8_t* written = written_flags(worker, offset);
    offset &= kOwnOffset;
    for (int b = 0; b < width; ++b)
      if (written[offset + static_cast<std::uint64_t>(b)] == 0) return false;
    return true;
  }
  const std::uint64_t word = offset & ~std::uint64_t{3};  // whole words were stored, so whole words count
  for (int b = 0; b < width; b += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, warp.shared + word + b, 4);
    if (value == kSharedPoison) return false;
  }
  return true;
}

}  // namespace

namespace {
std::string bytes_text(std::uint64_t count) { return grouped(count) + (count == 1 ? " byte" : " bytes"); }
}  // namespace

std::byte* shared_at(const Warp& warp, std::uint64_t address) {
  const std::uint64_t rank = (address & 0xffffffffu) >> kRankShift;
  return (rank == 0 ? warp.shared : warp.worker->cluster->peers[static_cast<std::size_t>(rank) - 1].shared) +
         (address & kOwnOffset);
}

void mark_written(Warp& warp, std::uint64_t offset, const std::byte* data, int width) {
  Worker& worker = *warp.worker;
  if (!worker.exact_shared) {
    bool poison = width < 4;
    for (int b = 0; b + 4 <= width; b += 4) {
      std::uint32_t value = 0;
      std::memcpy(&value, data + b, 4);
      poison |= value == kSharedPoison;
    }
    if (!poison) return;
    track_exactly(warp);
  }
  std::memset(written_flags(worker, offset) + (offset & kOwnOffset), 1, static_cast<std::size_t>(width));
}

const MicroOp* check_initialised(Warp& warp, const MicroOp* op, const LaneAccess& access, int width) {
  if (access.space != Space::shared || !warp.worker->stop_at_uninitialised) return op;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (!is_initialised(warp, access.address[lane], width))
      return fault(warp, op, Fault::Kind::uninitialised_shared, lane, access.address[lane],
                   "reads " + bytes_text(static_cast<std::uint64_t>(width)) +
                       " of shared memory that nobody wrote, at " +
                       warp.worker->layout->describe(static_cast<std::uint32_t>(access.address[lane])),
                   "write it first, or put a barrier or a wait between the write and this read");
  }
  return op;
}

// ---- resolving
// -----------------------------------------------------------------------------------------------------

namespace {

Space space_at(std::uint64_t address) {
  const std::uint64_t window = address >> 32 << 32;
  return window == kSharedWindow ? Space::shared : window == kLocalWindow ? Space::local : Space::global;
}

const char* verb(bool write, bool atomic) { return atomic ? "updates " : write ? "writes " : "reads "; }

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

// "4 bytes past the end of A (16,384 bytes)"
std::string where_global(const GlobalMemory& memory, std::uint64_t address) {
  if (memory.was_freed(address)) return "in memory that was freed";
  const Allocation* near = memory.nearest(address);
  if (near == nullptr) return "no buffer is allocated";
  if (address < near->address) return bytes_text(near->address - address) + " before " + near->name;
  const std::uint64_t into = address - near->address;
  const std::string whole = near->name + " (" + bytes_text(near->size) + ")";
  if (into < near->size) return "at byte " + grouped(into) + " of " + whole;
  return into == near->size ? "just past the end of " + whole
                            : bytes_text(into - near->size) + " past the end of " + whole;
}

constexpr const char* kCheckIndex = "check the index against the size of the buffer";
std::string out_of_bounds_words(const GlobalMemory& memory, std::uint64_t address, int width) {
  return bytes_text(static_cast<std::uint64_t>(width)) + " out of bounds at " + hex(address) + ", " +
         where_global(memory, address);
}

// Further from all buffers than an index of 32 bits goes: the pointer itself is wrong.
constexpr std::uint64_t kFar = std::uint64_t{1} << 38;
bool is_far(const GlobalMemory& memory, std::uint64_t address) {
  const Allocation* near = memory.nearest(address);
  if (near == nullptr) return false;
  return address < near->address ? near->address - address > kFar
                                 : address - near->address > near->size + kFar;
}

// A read beside an array that finds what is there; the first of each instruction is told.
bool goes_on(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t address, int width) {
  Worker& worker = *warp.worker;
  if (!worker.reads_go_on || !worker.memory->is_in_page(address, static_cast<std::uint64_t>(width)))
    return false;
  const auto known = worker.read_beside.find(op->pc);
  if (known == worker.read_beside.end() || worker.block < known->second.block)
    worker.read_beside[op->pc] =
        fault_of(warp, op, Fault::Kind::out_of_bounds, lane, address,
                 "reads " + out_of_bounds_words(*worker.memory, address, width), kCheckIndex);
  return true;
}

// An address this small is a null pointer with an index.
constexpr std::uint64_t kNullPage = 1u << 16;

bool resolve_global(Warp& warp, const MicroOp* op, LaneAccess& access, int width, bool write, bool atomic) {
  GlobalMemory& memory = *warp.worker->memory;
  const Allocation* allocation = nullptr;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    const std::uint64_t address = access.address[lane];
    const bool same = allocation != nullptr && address >= allocation->address &&
                      address - allocation->address + static_cast<std::uint64_t>(width) <= allocation->size;
    if (!same) allocation = memory.find(address, static_cast<std::uint64_t>(width));
    if (allocation == nullptr && !write && !atomic && goes_on(warp, op, lane, address, width)) {
      access.host[lane] = memory.host(address);
      continue;
    }
    if (allocation == nullptr && address < kNullPage) {
      fault(warp, op, Fault::Kind::out_of_bounds, lane, address,
            std::string(verb(write, atomic)) + bytes_text(static_cast<std::uint64_t>(width)) +
                " through a null pointer at " + hex(address),
            "check that the pointer is an argument of the launch");
      return false;
    }
    if (allocation == nullptr && is_far(memory, address) && !memory.was_freed(address)) {
      fault(warp, op, Fault::Kind::out_of_bounds, lane, address,
            std::string(verb(write, atomic)) + bytes_text(static_cast<std::uint64_t>(width)) + " at " +
                hex(address) + ", which is no memory of the device",
            "give the kernel a pointer that cudaMalloc set: a pointer of the host, or one that was never "
            "set, leads here");
      return false;
    }
    if (allocation == nullptr) {
      fault(warp, op, Fault::Kind::out_of_bounds, lane, address,
            verb(write, atomic) + out_of_bounds_words(memory, address, width), kCheckIndex);
      return false;
    }
    if (write && allocation->read_only) {
      fault(warp, op, Fault::Kind::read_only, lane, address,
            "writes to " + allocation->name + ", which is read-only", "write to an output buffer");
      return false;
    }
    access.host[lane] = memory.host(address);
  }
  return true;
}

// An address in the shared memory of a block of the cluster: there is one, and it has not ended.
bool is_peer(Warp& warp, const MicroOp* op, std::uint32_t lane, std::uint64_t address, bool write,
             bool atomic) {
  const auto& peers = warp.worker->cluster->peers;
  const std::uint64_t rank = (address >> kRankShift) - 1;
  if (rank < peers.size() && !peers[static_cast<std::size_t>(rank)].has_ended) return true;
  fault(warp, op, Fault::Kind::out_of_bounds, lane, address,
        std::string(verb(write, atomic)) + "shared memory of block " + std::to_string(rank) +
            " of its cluster, " +
            (rank < peers.size() ? "which has ended" : "which has only " + std::to_string(peers.size())),
        rank < peers.size() ? "let all blocks of the cluster meet at cluster.sync() before they end"
                            : "give map_shared_rank() a rank below cluster.num_blocks()");
  return false;
}

bool resolve_own(Warp& warp, const MicroOp* op, LaneAccess& access, int width, bool write, bool atomic) {
  const bool shared = access.space == Space::shared;
  const std::uint64_t size = shared ? warp.shared_bytes : warp.worker->local_bytes;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    std::uint64_t offset = access.address[lane];
    if (shared && offset >> kRankShift != 0 && warp.worker->cluster != nullptr) {
      if (!is_peer(warp, op, lane, offset, write, atomic)) return false;
      access.host[lane] = shared_at(warp, offset);
      if ((offset >> kRankShift) - 1 == warp.worker->rank) access.address[lane] &= kOwnOffset;
      offset &= kOwnOffset;
      if (size >= static_cast<std::uint64_t>(width) && offset <= size - static_cast<std::uint64_t>(width))
        continue;
    }
    if (size < static_cast<std::uint64_t>(width) || offset > size - static_cast<std::uint64_t>(width)) {
      const std::string memory = shared ? "shared memory" : "local memory";
      const std::string near = shared && offset < (std::uint64_t{1} << 32)
                                   ? ", " + warp.worker->layout->describe(static_cast<std::uint32_t>(offset))
                                   : "";
      fault(warp, op, Fault::Kind::out_of_bounds, lane, offset,
            std::string(verb(write, atomic)) + bytes_text(static_cast<std::uint64_t>(width)) +
                " out of bounds at offset " + grouped(offset) + " of " + memory + ", which has " +
                bytes_text(size) + near,
            shared                ? "check the index, or give the kernel more shared memory"
            : size >= kStackBytes ? "check how deep a function calls itself, or the index of a local array; "
                                    "cudaDeviceSetLimit() gives more stack"
                                  : "check the index of the local array");
      return false;
    }
    access.host[lane] = shared ? warp.shared + offset
                               : warp.worker->local + (std::uint64_t{warp.index} * 32 + lane) * size + offset;
  }
  return true;
}

}  // namespace

namespace {
// ", byte 4 of A"
std::string where_misaligned(const Worker& worker, Space space, std::uint64_t address) {
  if (space == Space::shared) return ", " + worker.layout->describe(static_cast<std::uint32_t>(address));
  const Allocation* near = space == Space::local ? nullptr : worker.memory->find(address, 1);
  return near == nullptr ? "" : ", byte " + grouped(address - near->address) + " of " + near->name;
}
}  // namespace

bool resolve(Warp& warp, const MicroOp* op, Space space, std::uint32_t lanes,
             const std::array<std::uint64_t, 32>& address, int width, bool write, bool atomic,
             LaneAccess& access, std::uint32_t& remaining) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  access.space = space == Space::generic ? space_at(address[first]) : space;
  access.active = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    if (space == Space::generic && space_at(address[lane]) != access.space) return;
    access.active |= 1u << lane;
    const bool window = space == Space::generic && access.space != Space::global;
    access.address[lane] = window ? address[lane] & 0xffffffffu : address[lane];
  });
  remaining = lanes & ~access.active;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (access.address[lane] % static_cast<std::uint64_t>(width) == 0) continue;
    fault(warp, op, Fault::Kind::misaligned, lane, access.address[lane],
          std::string(verb(write, atomic)) + std::to_string(width) + " bytes at the misaligned address " +
              hex(access.address[lane]) + where_misaligned(*warp.worker, access.space, access.address[lane]),
          "make the address a multiple of " + std::to_string(width));
    return false;
  }
  if (access.space == Space::constant || access.space == Space::param) access.space = Space::constant;
  const bool global = access.space == Space::global || access.space == Space::constant;
  return global ? resolve_global(warp, op, access, width, write, atomic)
                : resolve_own(warp, op, access, width, write, atomic);
}

// ---- counting
// ------------------------------------------------------------------------------------------------------

namespace {

analysis::WarpAccess warp_access(const MemoryDetail& m, std::uint32_t mask) {
  analysis::WarpAccess access;
  access.op = m.store ? analysis::AccessOp::store : analysis::AccessOp::load;
  access.width = m.counted_width;
  access.active = mask;
  return access;
}

void report(const Worker& worker, std::uint32_t warp, std::uint32_t pc, Space space, AccessKind kind,
            int width, std::uint32_t active, const std::array<std::uint64_t, 32>& addresses) {
  const auto is_matrix = [&] {
    const ptx::Opcode opcode = worker.function->code[pc].opcode;
    return opcode == ptx::Opcode::ldmatrix || opcode == ptx::Opcode::stmatrix ||
           opcode == ptx::Opcode::wmma_load || opcode == ptx::Opcode::wmma_store;
  };
  const bool tells_watcher = worker.watcher != nullptr && is_matrix();
  if (worker.observer == nullptr && !tells_watcher) return;
  AccessEvent event;
  event.pc = pc;
  event.warp = warp;
  event.space = space;
  event.kind = kind;
  event.width = static_cast<std::uint8_t>(width);
  event.active = active;
  event.addresses = addresses.data();
  if (tells_watcher) worker.watcher->on_matrix(event);
  if (worker.observer != nullptr) worker.observer->on_access(event);
}

void add_request(Site& site, const AccessUnits& units) {
  ++site.requests;
  site.units += units.count;
  site.ideal += units.ideal;
  site.bytes += units.bytes;
}

AccessKind kind_of(const MemoryDetail& m) { return m.store ? AccessKind::store : AccessKind::load; }

// Without its addresses.
AccessEvent event_of(const Warp& warp, const MemoryDetail& m, std::uint32_t mask) {
  AccessEvent event;
  event.pc = m.pc;
  event.warp = warp.index;
  event.space = m.space;
  event.kind = kind_of(m);
  event.width = m.counted_width;
  event.active = mask;
  return event;
}

}  // namespace

namespace {

// What decides beside the distances of lanes: where in its bank's word an address of shared memory lies,
// where in its segment one of global memory.
std::uint32_t phase_bits(const Warp& warp, Space space) {
  return space == Space::shared ? warp.worker->shared_phase_bits : warp.worker->phase_bits;
}

AccessUnits known_units(Warp& warp, const analysis::WarpAccess& access, Space space) {
  return warp.worker->known.of(access, space, *warp.worker->device, phase_bits(warp, space));
}

}  // namespace

void remember_affine(Warp& warp, const MemoryDetail& m, Site& site, std::uint64_t base, std::int64_t stride,
                     std::uint32_t mask) {
  analysis::WarpAccess access = warp_access(m, mask);
  for_each_lane(mask, [&](std::uint32_t lane) {
    access.address[lane] = base + static_cast<std::uint64_t>(stride * lane);
  });
  const AccessUnits units = known_units(warp, access, m.space);
  site.affine_stride = stride;
  site.affine_mask = mask;
  site.affine_phase = static_cast<std::uint32_t>(base) & phase_bits(warp, m.space);
  site.affine_units = units.count;
  site.affine_ideal = units.ideal;
  site.affine_bytes = units.bytes;
}

void remember_pattern(Warp& warp, const MemoryDetail& m, Site& site, const std::uint32_t* offsets,
                      std::uint32_t mask) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(mask));
  // Allocations are 256-byte aligned, so offsets have the sectors and banks of the addresses.
  const auto shift = static_cast<std::uint64_t>(m.counted_offset - m.offset);
  KnownUnits::Pattern pattern{.active = mask,
                              .width = static_cast<std::uint8_t>(m.counted_width),
                              .space = static_cast<std::uint8_t>(m.space),
                              .store = m.store};
  const std::uint32_t phase =
      (offsets[first] + static_cast<std::uint32_t>(shift)) & phase_bits(warp, m.space);
  for (std::size_t lane = 0; lane < 32; ++lane)
    pattern.offsets[lane] = offsets[lane] - offsets[first] + phase;
  const auto find = [&] {
    analysis::WarpAccess access = warp_access(m, mask);
    for_each_lane(mask, [&](std::uint32_t lane) { access.address[lane] = offsets[lane] + shift; });
    return plain_units(access, m.space, *warp.worker->device);
  };
  const AccessUnits units = m.space == Space::local ? find() : warp.worker->known.of(pattern, find);
  bool same = site.memo_mask == mask;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    same &= site.memo_offsets[lane] == offsets[lane] - offsets[first];
    site.memo_offsets[lane] = offsets[lane] - offsets[first];
  }
  if (!same && ++site.memo_version == 0) site.memo_version = 1;
  site.memo_mask = mask;
  site.memo_phase = offsets[first] & phase_bits(warp, m.space);
  site.memo_units = units.count;
  site.memo_ideal = units.ideal;
  site.memo_bytes = units.bytes;
}

void report_affine(Warp& warp, const MemoryDetail& m, std::uint64_t base, std::int64_t stride,
                   std::uint32_t mask) {
  AccessEvent event = event_of(warp, m, mask);
  event.base = base;
  event.stride = stride;
  warp.worker->observer->on_access(event);
}

void report_offsets(Warp& warp, const MemoryDetail& m, const Site& site, const std::uint32_t* offsets,
                    std::uint32_t mask) {
  AccessEvent event = event_of(warp, m, mask);
  event.pattern = site.memo_version;
  event.base =
      (m.space == Space::shared ? 0 : site.low) + static_cast<std::uint64_t>(m.counted_offset - m.offset);
  event.offsets = offsets;
  warp.worker->observer->on_access(event);
}

analysis::WarpAccess counted_access(const LaneAccess& access, int width, AccessKind kind) {
  return {kind == AccessKind::store ? analysis::AccessOp::store : analysis::AccessOp::load, width,
          access.active, access.address};
}

void count(Warp& warp, std::uint32_t index, std::uint32_t pc, const LaneAccess& access, int width,
           AccessKind kind, AccessUnits units) {
  Site& site = site_of(*warp.worker, index, access.space);
  if (without_elsewhere(counted_access(access, width, kind), access.space, kind).active != 0) {
    ++site.in_ptx;
    add_request(site, units);
  }
  report(warp, pc, access, width, kind);
}

void report(Warp& warp, std::uint32_t pc, const LaneAccess& access, int width, AccessKind kind) {
  report(*warp.worker, warp.index, pc, access.space, kind, width, access.active, access.address);
}

// ---- the access
// ----------------------------------------------------------------------------------------------------

namespace {

std::uint64_t extend(std::uint64_t bits, int element, bool sign, int register_bytes) {
  if (sign && element < 8 && ((bits >> (element * 8 - 1)) & 1) != 0)
    bits |= ~std::uint64_t{0} << (element * 8);
  return register_bytes == 4 ? bits & 0xffffffffu : bits;
}

void put(Warp& warp, std::uint32_t offset, int bytes, std::uint32_t lane, std::uint64_t value) {
  if (bytes == 8)
    at<std::uint64_t>(warp, offset)[lane] = value;
  else
    at<std::uint32_t>(warp, offset)[lane] = static_cast<std::uint32_t>(value);
}

void move_in(Warp& warp, const MemoryDetail& m, const LaneAccess& access) {
  for (std::size_t e = 0; e < m.count; ++e) {
    const std::uint32_t target = m.registers[e];
    std::uint64_t last = 0;
    for_each_lane(access.active, [&](std::uint32_t lane) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, access.host[lane] + e * m.element, m.element);
      last = extend(bits, m.element, m.sign_extend, m.register_bytes[e]);
      if (!m.uniform_result && target != kNoRegister) put(warp, target, m.register_bytes[e], lane, last);
    });
    if (!m.uniform_result || m.scalars[e] == kNoRegister) continue;
    *at<ScalarForm>(warp, m.scalars[e]) = {last, 0};
    if (target != kNoRegister)
      for (std::uint32_t lane = 0; lane < 32; ++lane) put(warp, target, m.register_bytes[e], lane, last);
  }
}

void move_out(Warp& warp, const MemoryDetail& m, const LaneAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    std::array<std::byte, 64> data{};
    for (std::size_t e = 0; e < m.count; ++e) {
      const std::uint32_t from = m.registers[e];
      const std::uint64_t bits = from == kNoRegister        ? 0
                                 : m.register_bytes[e] == 8 ? at<std::uint64_t>(warp, from)[lane]
                                                            : at<std::uint32_t>(warp, from)[lane];
      std::memcpy(data.data() + e * m.element, &bits, m.element);
    }
    std::memcpy(access.host[lane], data.data(), m.width);
    if (access.space == Space::shared) mark_written(warp, access.address[lane], data.data(), m.width);
  });
}

void count_detail(Warp& warp, const MemoryDetail& m, const LaneAccess& access) {
  Site& site = site_of(*warp.worker, m.site, m.space == Space::generic ? access.space : Space::global);
  const std::uint32_t here = access.active & ~lanes_elsewhere(access.space, access.active, access.address);
  site.in_ptx += here != 0 ? 1 : 0;
  if (!m.counted) return;
  analysis::WarpAccess counted = warp_access(m, here);
  for (const std::int64_t step : {0, int{m.counted_step}}) {
    const auto shift = static_cast<std::uint64_t>(m.counted_offset - m.offset + step);
    for_each_lane(access.active,
                  [&](std::uint32_t lane) { counted.address[lane] = access.address[lane] + shift; });
    if (here != 0) add_request(site, plain_units(counted, access.space, *warp.worker->device));
    report(*warp.worker, warp.index, m.pc, access.space, kind_of(m), m.counted_width, access.active,
           counted.address);
    if (m.counted_step == 0) break;
  }
}

// The next access of this site will find its allocation at once.
void remember_allocation(Warp& warp, const MemoryDetail& m, const LaneAccess& access) {
  if (m.space != Space::global && m.space != Space::constant) return;
  Site& site = warp.worker->sites[m.site];
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(access.active));
  const Allocation* allocation = warp.worker->memory->find(access.address[first], 1);
  if (allocation == nullptr) return;
  site.low = allocation->address;
  site.high = allocation->address + allocation->size;
  site.delta = reinterpret_cast<std::uintptr_t>(access.host[first]) - access.address[first];
  site.writable = !allocation->read_only;
}

}  // namespace

const MicroOp* slow_access(Warp& warp, const MicroOp* op) {
  const MemoryDetail& m = *static_cast<const MemoryDetail*>(op->detail);
  std::array<std::uint64_t, 32> address{};
  for_each_lane(warp.exec, [&](std::uint32_t lane) { address[lane] = lane_address(warp, m, lane); });
  LaneAccess access;
  for (std::uint32_t lanes = warp.exec; lanes != 0;) {
    if (!resolve(warp, op, m.space, lanes, address, m.width, m.store, false, access, lanes)) return nullptr;
    if (m.store) {
      move_out(warp, m, access);
    } else {
      if (check_initialised(warp, op, access, m.width) == nullptr) return nullptr;
      move_in(warp, m, access);
    }
    count_detail(warp, m, access);
    remember_allocation(warp, m, access);
  }
  return op + 1;
}

}  // namespace warplens::emulator
