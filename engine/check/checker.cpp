#include "engine/check/checker.hpp"

#include <algorithm>
#include <cstring>

#include "engine/check/lanes.hpp"
#include "engine/emulator/flow/shared_layout.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand, ptx::Space;

namespace {

std::uint32_t lowest(std::uint32_t lanes) { return static_cast<std::uint32_t>(__builtin_ctz(lanes)); }

Space space_at(Space space, std::uint64_t address) {
  if (space != Space::generic) return space;
  const std::uint64_t window = address >> 32 << 32;
  return window == emulator::kSharedWindow  ? Space::shared
         : window == emulator::kLocalWindow ? Space::local
                                            : Space::global;
}

std::uint32_t warps_of(const LaunchFacts& facts) {
  return (facts.block[0] * facts.block[1] * facts.block[2] + 31) / 32;
}

}  // namespace

BlockChecker::BlockChecker(Scene& scene, GlobalArrays& arrays, Channels& channels,
                           const std::vector<RegisterUse>& uses, std::uint64_t block, std::vector<Cell>& shared,
                           bool& gave_up)
    : scene_(scene),
      arrays_(arrays),
      uses_(uses),
      block_(static_cast<std::uint32_t>(block)),
      warps_(warps_of(scene.facts())),
      order_(block_, warps_, channels),
      races_(scene),
      meetings_(scene, block_, warps_),
      registers_(scene, uses, warps_),
      shared_(shared),
      local_(std::size_t{warps_} * 32 * scene.facts().local_bytes),
      copies_(warps_),
      committed_(warps_),
      gave_up_(gave_up) {
  registers_.start(block_);
  std::fill(shared_.begin(), shared_.end(), Cell{});
}

void BlockChecker::on_release(int barrier, std::span<const emulator::BarrierArrival> arrivals) {
  meetings_.released(barrier, arrivals);
  order_.barrier(barrier, arrivals);
}

std::string BlockChecker::on_slice(std::uint32_t warp, std::uint32_t pc, bool spins) {
  std::string stuck = meetings_.slice(warp, pc, spins);
  if (!stuck.empty() || steps_ < kMostSteps) return stuck;
  gave_up_ = true;
  return "was not watched to its end";
}

void BlockChecker::on_step(const WatchedStep& step) {
  order_.next_step();
  ++steps_;
  const ptx::Instruction& i = *step.instruction;
  if (i.predicated) check_guard(step);
  if (step.exec == 0) return;
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx_idx:
      return;
    case Opcode::ret:
    case Opcode::exit:
      return meetings_.leave(step);
    case Opcode::bar_red:
      registers_.define(step, 0, 0);
      return meetings_.at_barrier(step);
    case Opcode::bar_sync:
      return meetings_.at_barrier(step);
    case Opcode::bar_arrive:
      return order_.arrive(static_cast<int>(step.value(0, lowest(step.exec)) & 15), step.warp);
    case Opcode::membar:
    case Opcode::fence:
      return order_.fence(step.warp);
    default:
      break;
  }
  meetings_.work(step);
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      return load(step);
    case Opcode::st:
      return store(step);
    case Opcode::atom:
    case Opcode::red:
      return atomic(step);
    case Opcode::bar_warp_sync:
      return warp_sync(step, 0);
    case Opcode::shfl:
      return warp_sync(step, i.destinations + 3u);
    case Opcode::vote:
      return warp_sync(step, 2);
    case Opcode::match:
      return warp_sync(step, i.destinations + 1u);
    case Opcode::redux:
      return warp_sync(step, 2);
    case Opcode::elect:
      return warp_sync(step, i.operands.size() - 1);
    case Opcode::cp_async:
      return copy(step);
    case Opcode::cp_async_commit_group:
      return for_each_lane(step.exec, [&](std::uint32_t lane) { ++committed_[step.warp][lane]; });
    case Opcode::cp_async_wait_group:
      return land(step, static_cast<std::int64_t>(step.value(0, 0)));
    case Opcode::cp_async_wait_all:
      return land(step, -1);
    case Opcode::ldmatrix:
    case Opcode::wmma_load:
    case Opcode::call:
      return registers_.define(step, 0, 0);
    case Opcode::stmatrix:
    case Opcode::wmma_store:
      return;
    case Opcode::div:
    case Opcode::rem:
      divide(step);
      return registers_.pass_on(step);
    default:
      return registers_.pass_on(step);
  }
}

// ---- values that are not defined

// A branch, or an instruction under a guard, that such a value decides.
void BlockChecker::check_guard(const WatchedStep& step) {
  const std::uint32_t lanes = registers_.undefined(step.warp, step.instruction->guard) & step.active;
  if (lanes != 0)
    reach(step, lowest(lanes), registers_.origin(step.warp, step.instruction->guard),
          "decides what is executed");
}

void BlockChecker::check_address(const WatchedStep& step, std::size_t operand) {
  const Operand& address = step.instruction->operands[operand];
  if (address.kind != Operand::Kind::address) return;
  const std::uint32_t lanes = registers_.undefined(step.warp, address.register_id) & step.exec;
  if (lanes != 0)
    reach(step, lowest(lanes), registers_.origin(step.warp, address.register_id), "is part of an address");
}

namespace {

std::string what_is_undefined(const Origin& origin) {
  switch (origin.kind) {
    case Kind::inactive_source_lane:
      return "reads the value of " + origin.address + " by a shuffle in which that lane does not take part";
    case Kind::uninitialized_register:
      return "uses a variable that was never given a value";
    default:
      return "reads " + origin.address + ", which nobody has written";
  }
}

std::string fix_of_undefined(Kind kind) {
  switch (kind) {
    case Kind::inactive_source_lane:
      return "read only from lanes that execute the shuffle and are in its mask";
    case Kind::uninitialized_register:
      return "give the variable a value where it is declared";
    case Kind::uninitialized_global:
      return "write the element before it is read, or do not read it";
    default:
      return "write it first, or do not read it";
  }
}

}  // namespace

void BlockChecker::reach(const WatchedStep& step, std::uint32_t lane, std::uint16_t index,
                         const std::string& what) {
  const bool never = index == 0;
  const Origin here{Kind::uninitialized_register, step.pc, {block_, step.warp, lane}, ""};
  const Origin origin = never ? here : registers_.origin_at(index);
  const int line = scene_.line(origin.pc);
  for (Finding& known : scene_.findings())  // the read alone was told as a warning
    if (known.kind == origin.kind && known.line == line) {
      if (known.severity != Severity::error) {
        known.severity = Severity::error;
        known.other_line = scene_.line(step.pc);
        known.message += "; its value " + what + " at line " + std::to_string(known.other_line);
      }
      return;
    }
  Finding finding;
  finding.kind = origin.kind;
  finding.line = line;
  finding.other_line = never ? 0 : scene_.line(step.pc);
  finding.at = scene_.place(origin.thread);
  finding.address = origin.address;
  finding.message = scene_.words(origin.thread) + " " + what_is_undefined(origin) + "; its value " + what +
                    (never ? "" : " at line " + std::to_string(finding.other_line));
  finding.fix = fix_of_undefined(origin.kind);
  scene_.add(std::move(finding));
}

// ---- memory

namespace {

// The values that a store or atomic puts at each lane's address, element by element.
struct Data {
  std::array<std::array<std::uint64_t, 32>, 8> elements;
  std::size_t count = 1;
  std::uint32_t bytes = 4;  // of an element

  Data(const WatchedStep& step, std::size_t operand) {
    const ptx::Instruction& i = *step.instruction;
    bytes = static_cast<std::uint32_t>(ptx::size_in_bytes(i.type));
    count = std::min<std::size_t>(std::max<std::size_t>(i.vector, 1), elements.size());
    for (std::size_t e = 0; e < count; ++e) step.element(operand, e, elements[e]);
  }
  // Whether the lanes below that store to the same address store the same there.
  bool same_as_before(const std::array<std::uint64_t, 32>& address, std::uint32_t lanes,
                      std::uint32_t lane) const {
    for (std::uint32_t other = 0; other < lane; ++other) {
      if (((lanes >> other) & 1) == 0 || address[other] != address[lane]) continue;
      for (std::size_t e = 0; e < count; ++e)
        if (elements[e][other] != elements[e][lane]) return false;
    }
    return true;
  }
  bool equals(const std::byte* memory, std::uint32_t lane) const {
    for (std::size_t e = 0; e < count; ++e)
      if (std::memcmp(memory + e * bytes, &elements[e][lane], bytes) != 0) return false;
    return true;
  }
};

// Lanes whose address one below has too.
std::uint32_t repeated(const std::array<std::uint64_t, 32>& address, std::uint32_t lanes) {
  std::uint32_t repeats = 0;
  bool rises = true;
  std::uint64_t last = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    rises &= address[lane] > last || last == 0;
    last = address[lane];
  });
  if (rises) return 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    for (std::uint32_t other = 0; other < lane; ++other)
      if (((lanes >> other) & 1) != 0 && address[other] == address[lane]) repeats |= 1u << lane;
  });
  return repeats;
}

std::uint32_t width_of(const ptx::Instruction& i) {
  return static_cast<std::uint32_t>(ptx::size_in_bytes(i.type)) * std::max<std::uint32_t>(i.vector, 1);
}

}  // namespace

void BlockChecker::load(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  if (i.space == Space::param || i.space == Space::constant ||
      i.operands[1].kind == Operand::Kind::parameter_symbol)
    return registers_.define(step, 0, 0), registers_.pass_array(step);
  check_address(step, 1);
  std::array<std::uint64_t, 32> address;
  step.values(1, address);
  Touch one{.step = step, .width = width_of(i)};
  std::uint32_t undefined = 0;
  std::uint16_t origin = 0;
  const std::uint64_t first = address[lowest(step.exec)];
  bool uniform = true;
  for_each_lane(step.exec, [&](std::uint32_t lane) { uniform &= address[lane] == first; });
  if (uniform && space_at(i.space, first) != Space::local) {
    one.address = first;
    one.lanes = step.exec;
    undefined = touch(one, origin);
  } else {
    for_each_lane(step.exec, [&](std::uint32_t lane) {
      one.address = address[lane];
      one.lanes = 1u << lane;
      undefined |= touch(one, origin);
    });
  }
  if (i.is_volatile) synchronize(step, first, true, false);
  registers_.define(step, undefined, origin);
  registers_.pass_array(step);
}

void BlockChecker::store(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  check_address(step, 0);
  std::array<std::uint64_t, 32> address;
  step.values(0, address);
  const Data data(step, 1);
  Touch one{.step = step, .kind = Access::store, .width = width_of(i)};
  std::uint16_t origin = 0;
  const std::uint32_t undefined = registers_.undefined_data(step, 1, origin);
  std::uint16_t ignored = 0;
  bool changes = false;
  const std::uint32_t repeats = repeated(address, step.exec);
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    one.address = address[lane];
    one.lanes = 1u << lane;
    one.undefined = undefined & one.lanes;
    one.origin = origin;
    const Space space = space_at(i.space, one.address);
    const std::uint64_t offset = one.address & 0xffffffffu;
    one.same = false;
    if (space == Space::shared && offset + one.width <= scene_.facts().shared_bytes)
      one.same = data.equals(step.shared() + offset, lane);
    else if (space == Space::global && scene_.facts().memory->find(one.address, one.width) != nullptr)
      one.same = data.equals(scene_.facts().memory->host(one.address), lane);
    changes |= !one.same;
    if (((repeats >> lane) & 1) != 0) one.same = data.same_as_before(address, step.exec, lane);
    touch(one, ignored);
  });
  if (changes) meetings_.changed();
  if (i.is_volatile) synchronize(step, address[lowest(step.exec)], false, true);
}

void BlockChecker::atomic(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  const std::size_t at = i.destinations;
  check_address(step, at);
  std::array<std::uint64_t, 32> address;
  step.values(at, address);
  Touch one{.step = step, .kind = Access::atomic, .width = width_of(i)};
  std::uint16_t origin = 0, from_memory = 0;
  const std::uint32_t sources = registers_.undefined_data(step, at + 1, origin);
  if (sources != 0) reach(step, lowest(sources), origin, "is part of an atomic");
  std::uint32_t undefined = 0;
  bool changes = i.atomic != ptx::AtomicOp::cas && i.atomic != ptx::AtomicOp::exch;
  const Data data(step, at + 1);
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    one.address = address[lane];
    one.lanes = 1u << lane;
    undefined |= touch(one, from_memory);
    const Space space = space_at(i.space, one.address);
    const std::uint64_t offset = one.address & 0xffffffffu;
    const std::byte* memory = nullptr;
    if (space == Space::shared && offset + one.width <= scene_.facts().shared_bytes)
      memory = step.shared() + offset;
    else if (space == Space::global && scene_.facts().memory->find(one.address, one.width) != nullptr)
      memory = scene_.facts().memory->host(one.address);
    if (memory == nullptr) return;
    if (i.atomic == ptx::AtomicOp::cas)
      changes |= data.equals(memory, lane);
    else if (i.atomic == ptx::AtomicOp::exch)
      changes |= !data.equals(memory, lane);
    else
      changes |= data.elements[0][lane] != 0;
  });
  if (changes) meetings_.changed();
  for_each_lane(step.exec, [&](std::uint32_t lane) { synchronize(step, address[lane], true, true); });
  if (undefined != 0) reach(step, lowest(undefined), from_memory, "is part of an atomic");
  registers_.define(step, undefined, from_memory);
}

// Atomics, and volatile accesses, are how threads tell each other that something is there.
void BlockChecker::synchronize(const WatchedStep& step, std::uint64_t address, bool acquires, bool releases) {
  const ptx::Instruction& i = *step.instruction;
  const Space space = space_at(i.space, address);
  const bool shared = space == Space::shared;
  if (shared && i.space == Space::shared) address |= emulator::kSharedWindow;
  if (space == Space::local) return;
  if (acquires) {
    order_.acquire(step.warp, address);
    meetings_.looked_at(step.warp, {shared, address, width_of(i)});
  }
  if (releases) order_.release(step.warp, address);
}

std::uint32_t BlockChecker::touch(const Touch& touch, std::uint16_t& origin) {
  switch (space_at(touch.step.instruction->space, touch.address)) {
    case Space::shared:
      return touch_shared(touch, origin);
    case Space::local:
      return touch_local(touch, origin);
    case Space::global:
      return touch_global(touch, origin);
    default:
      return 0;
  }
}

void BlockChecker::touch_cells(Cell* cells, std::uint64_t offset, const Touch& touch, bool shared) {
  Stamp now = order_.stamp(touch.step.warp, touch.step.pc, touch.lanes);
  now.is_volatile = touch.step.instruction->is_volatile;
  const std::uint64_t end = offset + touch.width;
  for (std::uint64_t word = offset / 4; word * 4 < end; ++word) {
    const std::uint64_t from = std::max(offset, word * 4) - word * 4, to = std::min(end, word * 4 + 4) - word * 4;
    now.bytes = static_cast<std::uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
    races_.access(order_, cells[word], now, touch.kind, touch.same, {shared, touch.address, touch.width});
  }
}

std::uint32_t BlockChecker::touch_shared(const Touch& touch, std::uint16_t& origin) {
  const std::uint64_t offset = touch.address & 0xffffffffu;
  if (offset + touch.width > scene_.facts().shared_bytes) return 0;  // the run stops there
  const std::size_t operand = touch.kind == Access::load     ? 1
                              : touch.kind == Access::store  ? 0
                                                             : touch.step.instruction->destinations;
  in_its_array(touch.step, operand, offset, touch.width, lowest(touch.lanes), true);
  touch_cells(shared_.data(), offset, touch, true);
  std::uint32_t undefined = 0;
  for (std::uint64_t at = offset; at < offset + touch.width; ++at) {
    Cell& cell = shared_[at / 4];
    const auto bit = static_cast<std::uint8_t>(1u << (at % 4));
    if (touch.kind == Access::store) {
      cell.defined |= bit;
      cell.undefined = static_cast<std::uint8_t>((cell.undefined & ~bit) | (touch.undefined != 0 ? bit : 0));
      if (touch.undefined != 0) origins_[at / 4] = touch.origin;
      continue;
    }
    if ((cell.defined & bit) == 0) {
      undefined = touch.lanes;
      const auto start = static_cast<std::uint32_t>(offset);
      origin = registers_.add_origin({Kind::uninitialized_shared, touch.step.pc,
                                      {block_, touch.step.warp, lowest(touch.lanes)},
                                      scene_.shared_name(start, touch.width)});
    } else if ((cell.undefined & bit) != 0) {
      undefined = touch.lanes;
      origin = origins_[at / 4];
    }
  }
  return undefined;
}

std::uint32_t BlockChecker::touch_local(const Touch& touch, std::uint16_t& origin) {
  const std::uint64_t size = scene_.facts().local_bytes, offset = touch.address & 0xffffffffu;
  if (offset + touch.width > size) return 0;
  const std::uint32_t lane = lowest(touch.lanes);
  const std::uint64_t first = (std::uint64_t{touch.step.warp} * 32 + lane) * size + offset;
  constexpr std::uint64_t kLocal = std::uint64_t{1} << 40;
  std::uint32_t undefined = 0;
  for (std::uint64_t at = first; at < first + touch.width; ++at) {
    if (touch.kind == Access::store) {
      local_[at] = touch.undefined != 0 ? 2 : 1;
      if (touch.undefined != 0) origins_[kLocal + at] = touch.origin;
    } else if (local_[at] == 2) {
      undefined = touch.lanes;
      origin = origins_[kLocal + at];
    } else if (local_[at] == 0) {
      undefined = touch.lanes;
      origin = registers_.add_origin({Kind::uninitialized_local, touch.step.pc,
                                      {block_, touch.step.warp, lane},
                                      "an element of a local array"});
    }
  }
  return undefined;
}

std::uint32_t BlockChecker::touch_global(const Touch& touch, std::uint16_t& origin) {
  const std::size_t operand = touch.kind == Access::load     ? 1
                              : touch.kind == Access::store  ? 0
                                                             : touch.step.instruction->destinations;
  GlobalArray* array = arrays_.find(touch.address, touch.width);
  const std::uint32_t lane = lowest(touch.lanes);
  if (array == nullptr) return 0;  // the run stops there
  const bool inside = in_its_array(touch.step, operand, touch.address, touch.width, lane, false);
  const ThreadId thread{block_, touch.step.warp, lane};
  if (array->is_input && touch.kind != Access::load && inside &&
      scene_.is_new(Kind::write_to_input, touch.step.pc, touch.step.pc)) {
    Finding finding;
    finding.kind = Kind::write_to_input;
    finding.line = scene_.line(touch.step.pc);
    finding.at = scene_.place(thread);
    finding.address = scene_.global_name(touch.address, touch.width);
    finding.message = scene_.words(thread) + " writes " + finding.address + ", which is an input";
    finding.fix = "write to an output";
    scene_.add(std::move(finding));
  }
  if (array->cells == nullptr) return 0;
  const std::uint64_t offset = touch.address - array->address;
  touch_cells(array->cells.get(), offset, touch, false);
  std::uint32_t undefined = 0;
  for (std::uint64_t word = offset / 4; word * 4 < offset + touch.width; ++word) {
    Cell& cell = array->cells[word];
    read_only(touch, *array, cell);
    const std::uint64_t end = offset + touch.width;
    const std::uint64_t from = std::max(offset, word * 4) - word * 4, to = std::min(end, word * 4 + 4) - word * 4;
    const auto bytes = static_cast<std::uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
    if (touch.kind == Access::store) {
      cell.defined |= bytes;
      if (touch.undefined != 0)
        reach(touch.step, lane, touch.origin, "reaches " + scene_.global_name(touch.address, touch.width));
    } else if (!array->is_initialized && (cell.defined & bytes) != bytes) {
      undefined = touch.lanes;
      origin = registers_.add_origin(
          {Kind::uninitialized_global, touch.step.pc, thread, scene_.global_name(touch.address, touch.width)});
      if (scene_.is_new(Kind::uninitialized_global, touch.step.pc, touch.step.pc)) {
        Finding finding;
        finding.kind = Kind::uninitialized_global;
        finding.severity = Severity::warning;
        finding.line = scene_.line(touch.step.pc);
        finding.at = scene_.place(thread);
        finding.address = scene_.global_name(touch.address, touch.width);
        finding.message = scene_.words(thread) + " reads " + finding.address + ", which nobody has written";
        finding.fix = "write the element before it is read, or do not read it";
        scene_.add(std::move(finding));
      }
    }
  }
  return undefined;
}

// ld.global.nc (__ldg, const __restrict__) of what the launch writes.
void BlockChecker::read_only(const Touch& touch, const GlobalArray&, Cell& cell) {
  const bool reads = touch.kind == Access::load;
  if (reads && touch.step.instruction->cache != ptx::CacheOp::nc) return;
  if (reads) cell.read_only_pc = touch.step.pc + 1;
  if (reads ? cell.write.block == 0 : cell.read_only_pc == 0) return;
  const std::uint32_t read_pc = reads ? touch.step.pc : cell.read_only_pc - 1;
  const std::uint32_t write_pc = reads ? cell.write.pc : touch.step.pc;
  if (!scene_.is_new(Kind::stale_read_only, read_pc, write_pc)) return;
  const ThreadId thread{block_, touch.step.warp, lowest(touch.lanes)};
  Finding finding;
  finding.kind = Kind::stale_read_only;
  finding.line = scene_.line(read_pc);
  finding.other_line = scene_.line(write_pc);
  finding.at = scene_.place(thread);
  finding.address = scene_.global_name(touch.address, touch.width);
  finding.message = finding.address + " is read through the read-only cache (const __restrict__ or __ldg), but line " +
                    std::to_string(finding.other_line) + " writes it in the same launch";
  finding.fix = "read it without __ldg, const and __restrict__";
  scene_.add(std::move(finding));
}

// Whether an address lies in the array that it was made from.
bool BlockChecker::in_its_array(const WatchedStep& step, std::size_t operand, std::uint64_t address,
                                std::uint32_t width, std::uint32_t lane, bool shared) {
  const Operand& place = step.instruction->operands[operand];
  std::uint16_t array = uses_[step.pc].array;
  if (place.kind == Operand::Kind::address) array = registers_.array(step.warp, place.register_id, lane);
  if (array == 0) return true;
  const auto& variables = scene_.facts().kernel->layout().shared_variables();
  std::uint64_t first = 0, size = 0;
  std::string own;
  if (array <= variables.size()) {
    if (!shared) return true;
    const auto& variable = variables[array - 1u];
    if (variable.size == 0) return true;
    first = variable.offset;
    size = variable.size;
  } else {
    if (shared) return true;
    const BufferFacts& buffer = scene_.facts().buffers[array - 1u - variables.size()];
    first = buffer.address;
    size = buffer.size;
    own = buffer.name;
  }
  if (address >= first && address + width <= first + size) return true;
  if (!scene_.is_new(Kind::out_of_array, step.pc, step.pc)) return false;
  const ThreadId thread{block_, step.warp, lane};
  if (shared) {
    own = scene_.shared_name(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(size));
    if (own.ends_with("]")) own = own.substr(0, own.rfind('['));
  }
  const std::int64_t into = static_cast<std::int64_t>(address - first) / width;
  Finding finding;
  finding.kind = Kind::out_of_array;
  finding.line = scene_.line(step.pc);
  finding.at = scene_.place(thread);
  finding.address = own + "[" + std::to_string(into) + "]";
  finding.message = scene_.words(thread) + (step.instruction->opcode == Opcode::st ? " writes " : " reads ") +
                    finding.address + ", but " + own + " has " + std::to_string(size / width) + " elements of " +
                    std::to_string(width) + " bytes: that is " +
                    (shared ? scene_.shared_name(static_cast<std::uint32_t>(address), width)
                            : scene_.global_name(address, width));
  finding.fix = "check the index against the size of " + own;
  scene_.add(std::move(finding));
  return false;
}

// ---- the rest

void BlockChecker::warp_sync(const WatchedStep& step, std::size_t mask_operand) {
  if (mask_operand >= step.instruction->operands.size()) return registers_.pass_on(step);
  const std::uint32_t met = meetings_.at_mask(step, mask_operand);
  if (met == 0) return;
  order_.meet(step.warp, met, step.alive);
  if (step.instruction->opcode != Opcode::bar_warp_sync) registers_.pass_on(step);
}

void BlockChecker::divide(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  if (ptx::is_float(i.type)) return;
  std::array<std::uint64_t, 32> by;
  step.values(2, by);
  const std::uint64_t bits = ptx::size_in_bytes(i.type) == 8   ? ~std::uint64_t{0}
                             : ptx::size_in_bytes(i.type) == 2 ? 0xffffu
                                                               : 0xffffffffu;
  for (std::uint32_t rest = step.exec; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    if ((by[lane] & bits) != 0) continue;
    if (!scene_.is_new(Kind::division_by_zero, step.pc, step.pc)) return;
    Finding finding;
    finding.kind = Kind::division_by_zero;
    finding.line = scene_.line(step.pc);
    finding.at = scene_.place({block_, step.warp, lane});
    finding.message = scene_.words({block_, step.warp, lane}) + " divides a whole number by 0";
    finding.fix = "check the divisor first";
    scene_.add(std::move(finding));
    return;
  }
}

void BlockChecker::copy(const WatchedStep& step) {
  check_address(step, 0);
  check_address(step, 1);
  std::array<std::uint64_t, 32> target;
  step.values(0, target);
  const auto width = static_cast<std::uint32_t>(step.value(2, lowest(step.exec)));
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const auto offset = static_cast<std::uint32_t>(target[lane] & 0xffffffffu);
    if (std::uint64_t{offset} + width > scene_.facts().shared_bytes) return;
    Touch one{.step = step, .kind = Access::store, .address = offset, .width = width, .lanes = 1u << lane};
    in_its_array(step, 0, offset, width, lane, true);
    touch_cells(shared_.data(), offset, one, true);
    for (std::uint32_t at = offset; at < offset + width; ++at) {
      Cell& cell = shared_[at / 4];
      cell.defined |= static_cast<std::uint8_t>(1u << (at % 4));
      cell.undefined &= static_cast<std::uint8_t>(~(1u << (at % 4)));
      cell.in_flight = true;
    }
    copies_[step.warp].push_back({lane, committed_[step.warp][lane], offset, width, step.pc});
  });
}

// The waiting thread makes the copied bytes visible: as if it wrote them now.
void BlockChecker::land(const WatchedStep& step, std::int64_t keep) {
  auto& copies = copies_[step.warp];
  std::erase_if(copies, [&](const Copy& one) {
    if (((step.exec >> one.lane) & 1) == 0) return false;
    if (keep >= 0 && std::int64_t{one.group} >= std::int64_t{committed_[step.warp][one.lane]} - keep) return false;
    for (std::uint32_t word = one.offset / 4; word * 4 < one.offset + one.width; ++word) {
      Cell& cell = shared_[word];
      if (!cell.in_flight) continue;
      cell.in_flight = false;
      cell.write = order_.stamp(step.warp, one.pc, 1u << one.lane);
      cell.write.bytes = 15;
    }
    return true;
  });
}

void BlockChecker::on_matrix(const emulator::AccessEvent& event) {
  const ptx::Instruction& i = scene_.function().code[event.pc];
  const bool stores = i.opcode == Opcode::stmatrix || i.opcode == Opcode::wmma_store;
  WatchedStep step;
  step.instruction = &i;
  step.pc = event.pc;
  step.warp = event.warp;
  step.exec = step.active = event.active;
  for_each_lane(event.active, [&](std::uint32_t lane) {
    const Touch one{.step = step,
                    .kind = stores ? Access::store : Access::load,
                    .address = event.address(lane),
                    .width = event.width,
                    .lanes = 1u << lane};
    if (event.space == Space::shared && one.address + one.width <= scene_.facts().shared_bytes) {
      touch_cells(shared_.data(), one.address, one, true);
      if (stores)
        for (std::uint64_t at = one.address; at < one.address + one.width; ++at)
          shared_[at / 4].defined |= static_cast<std::uint8_t>(1u << (at % 4));
    } else if (event.space == Space::global) {
      GlobalArray* array = arrays_.find(one.address, one.width);
      if (array == nullptr || array->cells == nullptr) return;
      touch_cells(array->cells.get(), one.address - array->address, one, false);
      if (stores)
        for (std::uint64_t at = one.address - array->address; at < one.address - array->address + one.width; ++at)
          array->cells[at / 4].defined |= static_cast<std::uint8_t>(1u << (at % 4));
    }
  });
}

}  // namespace warplens::check
