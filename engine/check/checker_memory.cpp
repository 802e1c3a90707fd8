// BlockChecker: loads, stores and atomics, and what each word of memory remembers of them.
#include "engine/check/block_checker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/check/accesses.hpp"
#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand, ptx::Space;

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
  bool same_as_before(const std::array<std::uint64_t, 32>& address, std::uint32_t lanes, std::uint32_t lane,
                      std::size_t e) const {
    for (std::uint32_t other = 0; other < lane; ++other)
      if (((lanes >> other) & 1) != 0 && address[other] == address[lane] &&
          elements[e][other] != elements[e][lane])
        return false;
    return true;
  }
  bool equals(const std::byte* memory, std::uint32_t lane, std::size_t e) const {
    if (bytes != 4) return std::memcmp(memory, &elements[e][lane], bytes) == 0;
    std::uint32_t there;
    std::memcpy(&there, memory, 4);
    return there == static_cast<std::uint32_t>(elements[e][lane]);
  }
};

// Which lanes of an atomic change memory, one after the other.
class Changes {
 public:
  Changes(const WatchedStep& step, std::size_t at)
      : instruction_(*step.instruction),
        data_(step, at + 1),
        replacement_(step, instruction_.atomic == ptx::AtomicOp::cas ? at + 2 : at + 1) {}
  std::uint32_t lanes() const { return lanes_; }
  // Of those that put another value there, and which it was before and is then.
  std::uint32_t replaced() const { return replaced_; }
  std::uint64_t before(std::uint32_t lane) const { return before_[lane]; }
  std::uint64_t after(std::uint32_t lane) const { return after_[lane]; }
  // memory: as it was before the first lane; null: not known.
  void add(std::uint32_t lane, std::uint64_t address, const std::byte* memory) {
    const bool is_cas = instruction_.atomic == ptx::AtomicOp::cas;
    const bool is_known = memory != nullptr && data_.bytes <= sizeof(std::uint64_t);
    if (!is_known || (!is_cas && instruction_.atomic != ptx::AtomicOp::exch)) {
      if (!is_known || data_.elements[0][lane] != 0) lanes_ |= 1u << lane;
      return;
    }
    const std::uint64_t mask =
        data_.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * data_.bytes) - 1;
    std::uint64_t there = 0;
    std::memcpy(&there, memory, data_.bytes);
    for (std::uint32_t w = 0; w < written_; ++w)
      if (addresses_[w] == address) there = values_[w];
    const std::uint64_t put = replacement_.elements[0][lane] & mask;
    if ((is_cas && (data_.elements[0][lane] & mask) != there) || put == there) return;
    lanes_ |= 1u << lane;
    replaced_ |= 1u << lane;
    before_[lane] = there, after_[lane] = put;
    addresses_[written_] = address;
    values_[written_++] = put;
  }

 private:
  const ptx::Instruction& instruction_;
  Data data_, replacement_;
  std::uint32_t lanes_ = 0, written_ = 0, replaced_ = 0;
  std::array<std::uint64_t, 32> before_{}, after_{};
  std::array<std::uint64_t, 32> addresses_, values_;  // of lanes before
};

// The bytes of the unit of this number that [begin, end) has, a bit each.
std::uint8_t bytes_of(std::uint64_t number, std::uint32_t unit, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = number * unit;
  const std::uint64_t from = begin > first ? begin - first : 0,
                      to = std::min<std::uint64_t>(end - first, unit);
  return static_cast<std::uint8_t>(((1u << to) - 1) & ~((1u << from) - 1));
}

// Lanes whose address one below has too.
std::uint32_t repeated(const LanePlaces& places) {
  std::uint32_t repeats = 0;
  for (std::uint32_t p = 0; p < places.count; ++p) repeats |= places.lanes[p] & (places.lanes[p] - 1);
  return repeats;
}

// The operand that is the address.
std::size_t operand_of(Access kind, const ptx::Instruction& i) {
  return kind == Access::load ? 1 : kind == Access::store ? 0 : i.destinations;
}

}  // namespace

Touch BlockChecker::touch_of(const WatchedStep& step, Access kind, std::uint32_t width) const {
  Touch touch{.step = step, .kind = kind, .width = width};
  touch.now = order_.stamp(step.warp, step.pc, 0);
  touch.now.is_volatile = step.instruction->is_volatile || uses_[step.pc].is_tried;
  touch.now.polls = uses_[step.pc].polls;
  return touch;
}

// Whether all lanes are in the array that all their addresses were made from: then none is asked for its own.
bool BlockChecker::is_inside(const WatchedStep& step, std::size_t operand, const Span& span,
                             std::uint32_t width) const {
  const Operand& place = step.instruction->operands[operand];
  if (span.space == Space::local) return false;
  const std::uint16_t array = place.kind == Operand::Kind::address
                                  ? registers_.array_of(step, place.register_id)
                                  : uses_[step.pc].array;
  if (array == 0) return false;
  const ArrayPlace& known = registers_.place(array);
  const std::uint64_t bits = span.space == Space::shared ? 0xffffffffu : ~std::uint64_t{0};
  return known.space == span.space && known.size != 0 && (span.low & bits) >= known.first &&
         (span.low & bits) <= (span.high & bits) && (span.high & bits) + width <= known.first + known.size;
}

// Whether all lanes read from the input that their address was made from: nothing to remember, then.
bool BlockChecker::reads_input(const WatchedStep& step, std::uint64_t low, std::uint64_t high,
                               std::uint32_t width) {
  const Operand& place = step.instruction->operands[1];
  if (place.kind != Operand::Kind::address || step.instruction->is_volatile) return false;
  const std::uint16_t array = registers_.array_of(step, place.register_id);
  if (array == 0) return false;
  const ArrayPlace& known = registers_.place(array);
  return known.is_input && low >= known.first && high + width <= known.first + known.size;
}

// Whether an array is known of the address of some lane, in which it has to be.
bool BlockChecker::is_held_to_array(const WatchedStep& step, std::size_t operand, Space space) const {
  const Operand& place = step.instruction->operands[operand];
  std::uint16_t array = uses_[step.pc].array;
  if (place.kind == Operand::Kind::address) {
    if (!registers_.has_array(step, place.register_id)) return false;
    array = registers_.array_of(step, place.register_id);
    if (array == 0) return true;  // not the same one in all lanes
  }
  return array != 0 && registers_.place(array).space == space && registers_.place(array).size != 0;
}

Span BlockChecker::span_of(const LanePlaces& places, std::uint64_t first, Space space) {
  Span span{first + static_cast<std::uint64_t>(places.low), first + static_cast<std::uint64_t>(places.high),
            Space::generic, places.bits};
  if (space_at(space, span.low) == space_at(space, span.high)) span.space = space_at(space, span.low);
  return span;
}

Piece BlockChecker::piece_of(const Touch& touch, std::size_t operand, const Span& span, std::uint32_t width) {
  if (((span.low | span.bits) & (scene_.unit() - 1)) != 0) return {};
  if (!touch.is_inside && is_held_to_array(touch.step, operand, span.space)) return {};
  const std::uint64_t bytes = span.high - span.low + width;
  if (span.space == Space::shared) {
    const std::uint64_t offset = span.low & 0xffffffffu;
    if (offset + bytes > scene_.facts().shared_bytes) return {};
    return {&shared_, span.low - offset, true};
  }
  if (span.space != Space::global || touch.step.instruction->cache == ptx::CacheOp::nc) return {};
  const GlobalArray* array = arrays_.find(span.low, bytes);
  if (array == nullptr || array->cells == nullptr) return {};
  return {array->cells.get(), array->address, !array->is_initialized};
}

QuickAccess BlockChecker::quick_access(const Touch& touch, const Piece& piece) {
  return QuickAccess(order_, piece, touch.now, scene_.unit(),
                     scene_.facts().compute_capability < kFirstWithOwnWays);
}

void BlockChecker::load(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  if (i.space == Space::param || i.space == Space::constant ||
      i.operands[1].kind == Operand::Kind::parameter_symbol)
    return registers_.define(step, 0, 0), registers_.pass_array(step);
  check_address(step, 1);
  std::array<std::uint64_t, 32> address;
  step.values(1, address);
  const std::uint64_t first = address[lowest(step.exec)];
  const LanePlaces& places = tables_.places.at(step.pc, address, step.exec);
  const Span span = span_of(places, first, i.space);
  if (reads_input(step, span.low, span.high, width_of(i))) {
    registers_.define(step, 0, 0);
    return registers_.pass_array(step);
  }
  Touch one = touch_of(step, Access::load, width_of(i));
  one.is_inside = is_inside(step, 1, span, one.width);
  one.width = static_cast<std::uint32_t>(ptx::size_in_bytes(i.type));
  load_elements(one, address, places, span);
  if (i.is_volatile) synchronize(step, places.lanes[0], first, true, false);
  if (uses_[step.pc].polls) hear_flag(step, first);
  registers_.pass_array(step);
}

void BlockChecker::load_elements(Touch& one, const std::array<std::uint64_t, 32>& address,
                                 const LanePlaces& places, const Span& span) {
  const WatchedStep& step = one.step;
  // Of each lane its own.
  const bool local = space_at(step.instruction->space, address[lowest(step.exec)]) == Space::local;
  const Piece piece = piece_of(one, 1, span, width_of(*step.instruction));
  std::optional<QuickAccess> quick;
  if (piece.cells != nullptr) quick.emplace(quick_access(one, piece));
  for (std::uint32_t e = 0; e < std::max<std::uint32_t>(step.instruction->vector, 1); ++e) {
    std::uint32_t undefined = 0;
    std::uint16_t origin = 0;
    const auto touch_at = [&](std::uint32_t lanes) {
      one.lanes = lanes;
      one.address = address[lowest(lanes)] + std::uint64_t{e} * one.width;
      const auto load = [&](Cell& cell) { return quick->load(cell, lanes); };
      if (!quick || !each_word(piece, one, load)) undefined |= touch(one, origin);
    };
    if (local)
      for_each_lane(step.exec, [&](std::uint32_t lane) { touch_at(1u << lane); });
    else
      for (std::uint32_t p = 0; p < places.count; ++p) touch_at(places.lanes[p]);
    registers_.define_element(step, e, undefined, origin);
  }
}

void BlockChecker::store(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  check_address(step, 0);
  std::array<std::uint64_t, 32> address;
  step.values(0, address);
  const Data data(step, 1);
  const LanePlaces& places = tables_.places.at(step.pc, address, step.exec);
  const Span span = span_of(places, address[lowest(step.exec)], i.space);
  const std::uint64_t low = span.low, high = span.high;
  const std::uint32_t repeats = repeated(places);
  Touch one = touch_of(step, Access::store, data.bytes);
  one.is_inside = is_inside(step, 0, span, width_of(i));
  const Piece words = piece_of(one, 0, span, width_of(i));
  std::optional<QuickAccess> quick;
  if (words.cells != nullptr) quick.emplace(quick_access(one, words));
  // Of all lanes, where they are in one piece of memory.
  const std::byte* const piece =
      high - low < (1u << 30) ? memory_at(step, low, static_cast<std::uint32_t>(high - low) + width_of(i))
                              : nullptr;
  std::uint16_t ignored = 0;
  bool changes = false;
  for (std::uint32_t e = 0; e < data.count; ++e) {
    const std::uint32_t undefined = registers_.undefined_element(step, 1, e, one.origin);
    for_each_lane(step.exec, [&](std::uint32_t lane) {
      one.address = address[lane] + std::uint64_t{e} * data.bytes;
      one.lanes = 1u << lane;
      if (async_.is_reading() && span.space == Space::shared)
        async_.write(step, lane, static_cast<std::uint32_t>(one.address & emulator::kOwnOffset), data.bytes);
      one.undefined = undefined & one.lanes;
      const std::byte* memory =
          piece != nullptr ? piece + (one.address - low) : memory_at(step, one.address, one.width);
      one.same = memory != nullptr && data.equals(memory, lane, e);
      changes |= !one.same;
      const auto store = [&](Cell& cell) { return quick->store(cell, one.lanes); };
      if (quick && one.undefined == 0 && each_word(words, one, store)) return;
      if (((repeats >> lane) & 1) != 0) one.same = data.same_as_before(address, step.exec, lane, e);
      touch(one, ignored);
    });
  }
  if (changes) meetings_.memory_changed();
  if (companions_.locks.is_any_held() && data.count == 1)
    for_each_lane(step.exec, [&](std::uint32_t lane) {
      change_lock(step,
                  {{block_, step.warp, lane}, address[lane], data.bytes, 0, data.elements[0][lane], step.pc});
    });
  if (!i.is_volatile) return;
  synchronize(step, places.lanes[0], address[lowest(step.exec)], false, true);
  set_flag(step, address[lowest(step.exec)], one.now.step);
}

// Where an access finds its bytes; null in local memory, and where there is none.
const std::byte* BlockChecker::memory_at(const WatchedStep& step, std::uint64_t address,
                                         std::uint32_t width) const {
  const Space space = space_at(step.instruction->space, address);
  const std::uint64_t offset = address & 0xffffffffu;
  if (space == Space::shared)
    return offset + width <= scene_.facts().shared_bytes ? step.shared() + offset : nullptr;
  const bool there = space == Space::global && scene_.facts().memory->find(address, width) != nullptr;
  return there ? scene_.facts().memory->host(address) : nullptr;
}

void BlockChecker::atomic(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  const std::size_t at = i.destinations;
  check_address(step, at);
  std::array<std::uint64_t, 32> address;
  step.values(at, address);
  Touch one = touch_of(step, Access::atomic, width_of(i));
  std::uint16_t origin = 0, from_memory = 0;
  const std::uint32_t sources = registers_.undefined_data(step, at + 1, origin);
  if (sources != 0) reach(step, lowest(sources), origin, "is part of an atomic");
  std::uint32_t undefined = 0;
  Changes changes(step, at);
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    one.address = address[lane];
    one.lanes = 1u << lane;
    undefined |= touch(one, from_memory);
    changes.add(lane, one.address, memory_at(step, one.address, one.width));
  });
  if (changes.lanes() != 0) meetings_.memory_changed();
  if (uses_[step.pc].listens) hear_flag(step, address[lowest(step.exec)]);
  if (changes.lanes() != 0) set_flag(step, address[lowest(changes.lanes())], one.now.step);
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    synchronize(step, 1u << lane, address[lane], true, true);
    if (((changes.lanes() >> lane) & 1) != 0) replace(step, lane, address[lane], one.now.step);
    if (((changes.replaced() >> lane) & 1) != 0)
      change_lock(step, {{block_, step.warp, lane},
                         address[lane],
                         one.width,
                         changes.before(lane),
                         changes.after(lane),
                         step.pc});
  });
  const bool goes_together = scene_.facts().compute_capability < kFirstWithOwnWays;
  if (goes_together && uses_[step.pc].listens && may_be_lock(i))
    for_each_lane(step.exec & ~changes.replaced(), [&](std::uint32_t lane) {
      companions_.lane_locks.fail({block_, step.warp, lane}, word_of(step, address[lane]), step.pc);
    });
  if (undefined != 0) reach(step, lowest(undefined), from_memory, "is part of an atomic");
  registers_.define(step, undefined, from_memory);
}

std::uint32_t BlockChecker::touch(const Touch& touch, std::uint16_t& origin) {
  ++touches_;
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

void BlockChecker::touch_cells(Cells& cells, std::uint64_t offset, const Touch& touch, bool shared) {
  Stamp now = touch.now;
  now.lanes = touch.lanes;
  const std::uint64_t end = offset + touch.width;
  const std::uint32_t unit = scene_.unit();
  for (std::uint64_t word = offset / unit; word * unit < end; ++word) {
    now.bytes = bytes_of(word, unit, offset, end);
    races_.access(order_, cells, cells[static_cast<std::size_t>(word)], now, touch.kind, touch.same,
                  {shared, shared ? offset : touch.address, touch.width});
  }
}

// Those of the block whose shared memory an address means: the own one, or another one of the cluster.
Cells* BlockChecker::cells_of(std::uint64_t address) {
  const std::uint64_t rank = (address & 0xffffffffu) >> emulator::kRankShift;
  if (rank == 0) return &shared_;
  const auto together = scene_.facts().kernel->together();
  const auto cluster = emulator::with_companions({block_}, together, scene_.facts().grid);
  const auto found = rank <= cluster.size() ? companions_.shared.find(emulator::block_of_rank(
                                                  block_, rank - 1, together.cluster, scene_.facts().grid))
                                            : companions_.shared.end();
  return found == companions_.shared.end() ? nullptr : &found->second;
}

std::uint32_t BlockChecker::touch_shared(const Touch& touch, std::uint16_t& origin) {
  Cells* cells = cells_of(touch.address);
  const bool own = cells == &shared_;
  const std::uint64_t offset = touch.address & emulator::kOwnOffset;
  const std::size_t operand = operand_of(touch.kind, *touch.step.instruction);
  if (cells == nullptr || offset + touch.width > scene_.facts().shared_bytes)
    return note_array(touch, operand), 0;  // the run stops there
  if (own && !touch.is_inside)
    in_its_array(touch.step, operand, offset, touch.width, lowest(touch.lanes), Space::shared);
  touch_cells(*cells, offset, touch, true);
  std::uint32_t undefined = 0;
  const std::uint64_t end = offset + touch.width;
  const std::uint32_t unit = scene_.unit();
  for (std::uint64_t word = offset / unit; word * unit < end; ++word) {
    Cell& cell = (*cells)[static_cast<std::size_t>(word)];
    const std::uint8_t bytes = bytes_of(word, unit, offset, end);
    if (touch.kind == Access::store) {
      if (own) note_late_write(touch, cell);
      cell.defined |= bytes;
      cell.undefined =
          static_cast<std::uint8_t>((cell.undefined & ~bytes) | (touch.undefined != 0 ? bytes : 0));
      if (touch.undefined != 0 && own) origins_[word] = touch.origin;
      continue;
    }
    if ((cell.defined & bytes) != bytes) {
      undefined = touch.lanes;
      const auto start = static_cast<std::uint32_t>(offset);
      origin = registers_.add_origin({Kind::uninitialized_shared,
                                      touch.step.pc,
                                      {block_, touch.step.warp, lowest(touch.lanes)},
                                      scene_.shared_name(start, touch.width)});
      if (own) note_early_read(touch, cell, origin);
    } else if ((cell.undefined & bytes) != 0) {
      undefined = touch.lanes;
      origin = origins_[word];
    }
  }
  return undefined;
}

// A local variable of a called function, from where that function has ended.
void BlockChecker::check_scope(const Touch& touch, std::uint64_t offset, std::uint32_t lane) {
  for (const ArrayPlace& place : registers_.places()) {
    if (place.space != Space::local || place.call < 0 || offset < place.first ||
        offset >= place.first + place.size || is_in_call(scene_.function(), touch.step.pc, place.call))
      continue;
    if (!scene_.is_new(Kind::use_after_scope, touch.step.pc, touch.step.pc)) return;
    const ThreadId thread{block_, touch.step.warp, lane};
    Finding finding;
    finding.kind = Kind::use_after_scope;
    scene_.set_line(finding, touch.step.pc);
    finding.at = scene_.place(thread);
    finding.message = scene_.words(thread) + (touch.kind == Access::load ? " reads" : " writes") +
                      " a local variable of a function that has returned";
    finding.fix = "return the value, or let the caller give the array";
    scene_.add(std::move(finding));
    return;
  }
}

std::uint32_t BlockChecker::touch_local(const Touch& touch, std::uint16_t& origin) {
  const std::uint64_t size = scene_.facts().local_bytes, offset = touch.address & 0xffffffffu;
  if (offset + touch.width > size) return 0;
  const std::uint32_t lane = lowest(touch.lanes);
  const std::size_t operand = touch.kind == Access::load ? 1 : 0;
  if (in_its_array(touch.step, operand, offset, touch.width, lane, Space::local))
    check_scope(touch, offset, lane);
  const std::uint64_t first = (std::uint64_t{touch.step.warp} * 32 + lane) * size + offset;
  constexpr std::uint64_t kLocal = std::uint64_t{1} << 40;
  std::uint32_t undefined = 0;
  for (std::uint64_t at = first; at < first + touch.width; ++at) {
    if (touch.kind == Access::store) {
      local_[static_cast<std::size_t>(at)] = touch.undefined != 0 ? 2 : 1;
      if (touch.undefined != 0) origins_[kLocal + at] = touch.origin;
    } else if (local_[static_cast<std::size_t>(at)] == 2) {
      undefined = touch.lanes;
      origin = origins_[kLocal + at];
    } else if (local_[static_cast<std::size_t>(at)] == 0) {
      undefined = touch.lanes;
      origin = registers_.add_origin({Kind::uninitialized_local,
                                      touch.step.pc,
                                      {block_, touch.step.warp, lane},
                                      "an element of a local array"});
    }
  }
  return undefined;
}

std::uint32_t BlockChecker::touch_global(const Touch& touch, std::uint16_t& origin) {
  const std::size_t operand = operand_of(touch.kind, *touch.step.instruction);
  GlobalArray* array = arrays_.find(touch.address, touch.width);
  const std::uint32_t lane = lowest(touch.lanes);
  if (array == nullptr) return note_array(touch, operand), 0;  // the run stops there
  const bool inside =
      touch.is_inside || in_its_array(touch.step, operand, touch.address, touch.width, lane, Space::global);
  const ThreadId thread{block_, touch.step.warp, lane};
  if (array->is_input && touch.kind != Access::load && inside &&
      scene_.is_new(Kind::write_to_input, touch.step.pc, touch.step.pc)) {
    Finding finding;
    finding.kind = Kind::write_to_input;
    scene_.set_line(finding, touch.step.pc);
    finding.at = scene_.place(thread);
    finding.address = scene_.global_name(touch.address, touch.width);
    finding.message = scene_.words(thread) + " writes " + finding.address + ", which is an input";
    finding.fix = "write to an output";
    scene_.add(std::move(finding));
  }
  if (array->cells == nullptr) return 0;
  const std::uint64_t offset = touch.address - array->address;
  touch_cells(*array->cells, offset, touch, false);
  std::uint32_t undefined = 0;
  const std::uint32_t unit = scene_.unit();
  for (std::uint64_t word = offset / unit; word * unit < offset + touch.width; ++word) {
    Cell& cell = (*array->cells)[static_cast<std::size_t>(word)];
    read_only(touch, *array->cells, cell);
    const std::uint8_t bytes = bytes_of(word, unit, offset, offset + touch.width);
    if (touch.kind == Access::store) {
      cell.defined |= bytes;
      if (touch.undefined != 0)
        reach(touch.step, lane, touch.origin, "reaches " + scene_.global_name(touch.address, touch.width));
      continue;
    }
    if (array->is_initialized || (cell.defined & bytes) == bytes) continue;
    cell.defined |= array->written_before(word, unit);
    if ((cell.defined & bytes) != bytes && !arrays_.is_written_unseen(*array, touch.address, touch.width)) {
      undefined = touch.lanes;
      origin = registers_.add_origin({Kind::uninitialized_global, touch.step.pc, thread,
                                      scene_.global_name(touch.address, touch.width),
                                      array->unwritten.empty() ? 0 : array->size, array->written});
      // That a program reads what it has not set says nothing, as long as the value does not matter.
      if (array->unwritten.empty() &&
          scene_.is_new(Kind::uninitialized_global, touch.step.pc, touch.step.pc)) {
        Finding finding;
        finding.kind = Kind::uninitialized_global;
        finding.severity = Severity::warning;
        scene_.set_line(finding, touch.step.pc);
        finding.at = scene_.place(thread);
        finding.address = scene_.global_name(touch.address, touch.width);
        finding.message = scene_.words(thread) + " reads " + finding.address + ", which nobody has written";
        finding.fix = "write the element before it is read, or do not read it";
        if (array->is_never_set) {
          finding.severity = Severity::error, finding.is_certain = true;
          finding.message += ": the file allocates it with cudaMalloc(), and nothing sets it";
          finding.fix = "set it before the launch, such as with cudaMemset()";
        }
        scene_.add(std::move(finding));
      }
    }
  }
  return undefined;
}

// ld.global.nc (__ldg, const __restrict__) of what the launch writes.
void BlockChecker::read_only(const Touch& touch, Cells& cells, Cell& cell) {
  const bool reads = touch.kind == Access::load;
  if (reads && touch.step.instruction->cache != ptx::CacheOp::nc) return;
  if (reads) cells.visits().of(cell).read_only_pc = touch.step.pc + 1;
  const Visits* visits = cells.visits().find(cell);
  const std::uint32_t read_before = visits == nullptr ? 0 : visits->read_only_pc;
  if (reads ? cell.write.key == 0 : read_before == 0) return;
  const std::uint32_t read_pc = reads ? touch.step.pc : read_before - 1;
  const std::uint32_t write_pc = reads ? cells.moments().of(cell.write).pc : touch.step.pc;
  if (!scene_.is_new(Kind::stale_read_only, read_pc, write_pc)) return;
  const ThreadId thread{block_, touch.step.warp, lowest(touch.lanes)};
  Finding finding;
  finding.kind = Kind::stale_read_only;
  scene_.set_line(finding, read_pc);
  finding.other_line = scene_.line(write_pc);
  finding.at = scene_.place(thread);
  finding.address = scene_.global_name(touch.address, touch.width);
  finding.message = finding.address +
                    " is read through the read-only cache (const __restrict__ or __ldg), but line " +
                    std::to_string(finding.other_line) + " writes it in the same launch";
  finding.fix = "read it without __ldg, const and __restrict__";
  scene_.add(std::move(finding));
}

// Whether an address lies in the array that it was made from.
bool BlockChecker::in_its_array(const WatchedStep& step, std::size_t operand, std::uint64_t address,
                                std::uint32_t width, std::uint32_t lane, Space space) {
  const Operand& place = step.instruction->operands[operand];
  std::uint16_t array = uses_[step.pc].array;
  if (place.kind == Operand::Kind::address) array = registers_.array(step.warp, place.register_id, lane);
  if (array == 0) return true;
  const ArrayPlace& known = registers_.place(array);
  if (known.space != space || known.size == 0) return true;
  const bool shared = space == Space::shared, local = space == Space::local;
  const std::uint64_t first = known.first, size = known.size;
  const std::string& own = known.name;
  if (address >= first && address + width <= first + size) return true;
  const Kind kind = local ? Kind::out_of_bounds : Kind::out_of_array;
  if (!scene_.is_new(kind, step.pc, step.pc)) return false;
  const ThreadId thread{block_, step.warp, lane};
  const std::int64_t into = static_cast<std::int64_t>(address - first) / width;
  Finding finding;
  finding.kind = kind;
  scene_.set_line(finding, step.pc);
  finding.at = scene_.place(thread);
  finding.address = own + "[" + std::to_string(into) + "]";
  finding.is_before = into < 0;
  finding.memory = local ? Memory::local : shared ? Memory::shared : Memory::global;
  finding.message = scene_.words(thread) + (step.instruction->opcode == Opcode::st ? " writes " : " reads ") +
                    finding.address + ", but " + own + " has " + std::to_string(size / width) +
                    " elements of " + std::to_string(width) + " bytes" +
                    (local    ? ""
                     : shared ? ": that is " + scene_.shared_name(static_cast<std::uint32_t>(address), width)
                              : ": that is " + scene_.global_name(address, width));
  finding.fix = "check the index against the size of " + own;
  scene_.add(std::move(finding));
  return false;
}

}  // namespace warplens::check
