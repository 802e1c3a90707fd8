#include "engine/instrument/recording.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "engine/emulator/access_units.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/instrument/counts.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::instrument {
namespace {

using emulator::AccessEvent, emulator::VectorizedAccess, ptx::Space;

template <class T>
T read(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// From addresses of the device to those of the trace.
class Places {
 public:
  Places(const RecordingInput& input, std::span<const std::byte> buffer) {
    for (const BufferPlace& place : input.buffers) global_.push_back(place);
    const emulator::SharedLayout layout(input.kernel->program(), input.kernel->function());
    for (std::size_t v = 0; v < input.records->variables.size(); ++v)
      add_variable(input, layout, input.records->variables[v],
                   read<std::uint64_t>(buffer, sizeof(Head) + 8 * v));
    for (auto* list : {&global_, &shared_, &local_}) std::ranges::sort(*list, {}, &BufferPlace::device);
  }

  std::optional<std::uint64_t> find(Space space, std::uint64_t address) const {
    const auto& list = space == Space::shared ? shared_ : space == Space::local ? local_ : global_;
    const auto after = std::ranges::upper_bound(list, address, {}, &BufferPlace::device);
    if (after == list.begin()) return std::nullopt;
    const BufferPlace& place = *std::prev(after);
    const std::uint64_t into = address - place.device;
    // Behind a variable of shared memory there is the next one: the kernel may have gone past its end on
    // purpose.
    if (space == Space::global && into >= place.bytes) return std::nullopt;
    return place.trace + into;
  }

  bool shared_matches() const {
    return std::ranges::all_of(shared_, [&](const BufferPlace& place) {
      return place.device - shared_.front().device == place.trace - shared_.front().trace;
    });
  }

 private:
  void add_variable(const RecordingInput& input, const emulator::SharedLayout& layout,
                    const VariablePlace& place, std::uint64_t device) {
    const auto& variables =
        place.of_module ? input.kernel->program().variables : input.kernel->function().variables;
    if (place.symbol >= variables.size()) return;
    const std::uint64_t bytes = variables[place.symbol].size;
    // The emulator gives module variables in global memory addresses of its own, which no figure shows.
    if (place.space == Space::global) {
      global_.push_back({device, device, bytes});
      return;
    }
    const std::uint64_t offset =
        place.of_module ? layout.module_offset(place.symbol) : layout.function_offset(place.symbol);
    (place.space == Space::shared ? shared_ : local_).push_back({device, offset, bytes});
  }

  std::vector<BufferPlace> global_, shared_, local_;  // ascending
};

// The barriers of one block: which record completes one. A thread's g-th arrival at a barrier belongs to its
// g-th completion, which comes with the last of these arrivals.
class Barriers {
 public:
  void arrive(const Record& record, std::uint64_t position) {
    for (std::uint32_t mask = record.lanes; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
      const auto number = static_cast<std::uint32_t>(record.address[lane]);
      const std::uint32_t generation = arrivals_[{number, record.warp * 32 + lane}]++;
      last_[{number, generation}] = position;
    }
  }
  std::set<std::uint64_t> completions() const {
    std::set<std::uint64_t> positions;
    for (const auto& [key, position] : last_) positions.insert(position);
    return positions;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      arrivals_;  // {barrier, thread} -> how many
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>
      last_;  // {barrier, generation} -> position
};

class Reader {
 public:
  Reader(const RecordingInput& input, std::span<const std::byte> buffer)
      : input_(input), buffer_(buffer), head_(head_of(buffer)), places_(input, buffer) {}

  Result<Recording> run(const device::Device& device) {
    recording_.kept = std::min(head_.appended, head_.room);
    recording_.dropped = head_.appended - recording_.kept;
    recording_.shared_layout_matches = places_.shared_matches();
    if (const auto sorted = sort_blocks(); !sorted) return sorted.error();
    trace::Recorder recorder({.byte_budget = input_.byte_budget});
    for (const auto& [block, records] : blocks_) {
      emulator::BlockObserver* observer = recorder.begin_block(block);
      report(records, *observer);
      recorder.end_block(block);
    }
    recording_.trace = recorder.finish();
    recording_.counters = count_accesses(recording_.trace, *input_.kernel, device);
    add_requests_in_ptx();
    return std::move(recording_);
  }

 private:
  Record record(std::uint64_t index) const {
    return read<Record>(buffer_, head_.records + index * sizeof(Record));
  }

  Status sort_blocks() {
    for (std::uint64_t r = 0; r < recording_.kept; ++r) {
      const Record one = record(r);
      if (one.site >= input_.records->sites.size() || one.warp * 32 >= input_.threads_per_block)
        return Error{"the records of the GPU are not of this kernel", "record it again"};
      blocks_[one.block].push_back(r);
    }
    return Done{};
  }

  void report(const std::vector<std::uint64_t>& records, emulator::BlockObserver& observer) {
    Barriers barriers;
    for (const std::uint64_t r : records)
      if (site(r).barrier) barriers.arrive(record(r), r);
    const auto completions = barriers.completions();
    for (const std::uint64_t r : records) {
      const Site& of = site(r);
      if (!of.barrier) report_access(record(r), of, observer);
      if (!of.barrier || !completions.contains(r)) continue;
      observer.on_barrier(of.pc);
      ++barriers_;
    }
  }
  const Site& site(std::uint64_t index) const {
    return input_.records->sites[read<std::uint32_t>(buffer_, head_.records + index * sizeof(Record))];
  }

  // Lanes of one generic access may be in different spaces: one event each, that of the lowest lane first.
  void report_access(const Record& record, const Site& site, emulator::BlockObserver& observer) {
    for (std::uint32_t left = record.lanes; left != 0;) {
      const Space space = space_of(record, site, static_cast<std::uint32_t>(std::countr_zero(left)));
      std::uint32_t lanes = 0;
      for (std::uint32_t mask = left; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        if (space_of(record, site, lane) == space) lanes |= 1u << lane;
      }
      left &= ~lanes;
      if (space != Space::local || asked_for_local()) report_lanes(record, site, space, lanes, observer);
    }
  }

  // A generic access to local memory is left out like any other where local memory was not asked for.
  bool asked_for_local() const {
    const auto& variables = input_.records->variables;
    return std::ranges::any_of(variables, [](const VariablePlace& v) { return v.space == Space::local; });
  }

  static Space space_of(const Record& record, const Site& site, std::uint32_t lane) {
    if (site.space != Space::generic) return site.space;
    const std::uint64_t code = record.address[lane] >> kLaneSpaceShift;
    return code == kSharedLane ? Space::shared : code == kLocalLane ? Space::local : Space::global;
  }

  void report_lanes(const Record& record, const Site& site, Space space, std::uint32_t lanes,
                    emulator::BlockObserver& observer) {
    const bool may_be_left_out =
        (site.space == Space::shared || site.space == Space::global) && is_plain(site);
    const VectorizedAccess vectorized =
        may_be_left_out ? input_.kernel->shared_accesses()[site.pc] : VectorizedAccess{site.pc, 0, 0};
    // The arrival of a copy in shared memory is reported, not counted.
    if (space != Space::shared || site.kind != emulator::AccessKind::async_copy)
      ++in_ptx_[{site.pc, space, site.kind}];
    if (vectorized.leader != site.pc) return;
    std::array<std::uint64_t, 32> addresses{};
    const std::uint64_t code =
        site.space == Space::generic ? ~(~std::uint64_t{0} << kLaneSpaceShift) : ~std::uint64_t{0};
    const std::int64_t shift = vectorized.width != 0 ? vectorized.offset - site.offset : 0;
    for (std::uint32_t mask = lanes; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      const std::uint64_t address = record.address[lane] & code;
      const auto place = places_.find(space, address);
      if (!place) ++recording_.unknown_addresses;
      addresses[lane] = place.value_or(address) + static_cast<std::uint64_t>(shift);
    }
    AccessEvent event;
    event.pc = site.pc;
    event.warp = record.warp;
    event.space = space;
    event.kind = site.kind;
    event.width = vectorized.width != 0 ? vectorized.width : site.width;
    event.active = lanes;
    event.addresses = addresses.data();
    observer.on_access(event);
  }

  bool is_plain(const Site& site) const {
    const ptx::Opcode opcode = input_.kernel->function().code[site.pc].opcode;
    return opcode == ptx::Opcode::ld || opcode == ptx::Opcode::ldu || opcode == ptx::Opcode::st;
  }

  void add_requests_in_ptx() {
    emulator::Counters& counters = recording_.counters;
    counters.barriers = barriers_;
    for (const auto& [key, count] : in_ptx_) {
      const auto& [pc, space, kind] = key;
      counters.instructions[pc].requests_in_ptx += count;
      emulator::totals_of(counters, space, kind).requests_in_ptx += count;
    }
  }

  const RecordingInput& input_;
  std::span<const std::byte> buffer_;
  Head head_;
  Places places_;
  Recording recording_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> blocks_;  // block -> its records, in order
  std::map<std::tuple<std::uint32_t, Space, emulator::AccessKind>, std::uint64_t> in_ptx_;
  std::uint64_t barriers_ = 0;
};

}  // namespace

Result<Recording> read_recording(const RecordingInput& input, std::span<const std::byte> buffer,
                                 const device::Device& device) {
  const std::uint64_t least = head_bytes(input.records->variables.size(), 0);
  if (buffer.size() < least || buffer.size() < filled_bytes(buffer) || head_of(buffer).records < least)
    return Error{"the records of the GPU are cut short", "record it again"};
  return Reader(input, buffer).run(device);
}

}  // namespace warplens::instrument
