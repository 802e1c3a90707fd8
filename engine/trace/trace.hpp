// Every memory access and barrier of some blocks of a run, as an immutable value: the same bit for bit
// however many threads of the host recorded it.
//
//   for (std::size_t b = 0; b < trace.blocks().size(); ++b)
//     trace.for_each(b, [&](const trace::Access& access) { ... });  // in the order of execution
//
// Columns: an event is a shape (shape.hpp) and the address of its first active lane, 6 bytes where a block
// has at most 65536 shapes and addresses lie within 4 GiB; the warp comes from runs of events of one warp. A
// trace is safe to read from any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/trace/shape.hpp"

namespace warplens::trace {

// One warp-wide access, expanded.
struct Access {
  std::uint64_t block = 0;  // linear index
  std::uint32_t event = 0;  // position among the accesses of the block
  std::uint32_t pc = 0;     // row of emulator::Counters::instructions
  std::uint32_t warp = 0;   // in the block
  ptx::Space space = ptx::Space::global;
  emulator::AccessKind kind = emulator::AccessKind::load;
  std::uint8_t width = 4;  // bytes a lane
  std::uint32_t active = 0;
  std::array<std::uint64_t, 32> address{};  // of active lanes, 0 for others; shared memory: byte offsets
};

// Events from first_event on, up to the next run, are of one warp. A block has at most 32 warps.
inline constexpr std::uint32_t kEventBits = 27;
struct WarpRun {
  std::uint32_t first_event : kEventBits = 0;
  std::uint32_t warp : 32 - kEventBits = 0;
  bool operator==(const WarpRun&) const = default;
};
// A block-wide barrier: accesses before before_event come before it.
struct Barrier {
  std::uint32_t before_event = 0, pc = 0;
  bool operator==(const Barrier&) const = default;
};

// Up to kChunk events of a block. columns: addresses (4 or 8 bytes each), then shapes (2 or 4 bytes each,
// numbers in the block's table).
inline constexpr std::uint32_t kChunk = 4096;
struct Chunk {
  std::uint32_t rows = 0;
  bool wide_address = false, wide_shape = false;
  std::vector<std::byte> columns;
  std::uint32_t row_bytes() const { return (wide_address ? 8u : 4u) + (wide_shape ? 4u : 2u); }
  bool operator==(const Chunk&) const = default;
};

struct BlockSummary {
  std::uint64_t block = 0;    // linear index
  std::uint32_t events = 0;   // recorded
  std::uint64_t dropped = 0;  // accesses that came after the byte budget was spent
};

// Which events to find; what is left out does not matter.
struct Filter {
  std::optional<std::uint32_t> warp = std::nullopt, pc = std::nullopt;
};

class Trace {
 public:
  Trace() = default;

  // The recorded blocks, ascending. Below, `b` is a position in this list.
  std::span<const BlockSummary> blocks() const { return summaries_; }
  std::optional<std::size_t> find_block(std::uint64_t block) const;

  // event: below blocks()[b].events.
  Access access(std::size_t b, std::uint32_t event) const;
  std::uint32_t pc(std::size_t b, std::uint32_t event) const;
  std::uint32_t warp(std::size_t b, std::uint32_t event) const;
  ptx::Space space(std::size_t b, std::uint32_t event) const;
  // Where its first active lane goes, as in `address` of the access; empty if no lane is active. Much
  // quicker than access().
  std::optional<std::uint64_t> first_address(std::size_t b, std::uint32_t event) const;

  // In the order of execution, which is also that of the numbers.
  std::vector<std::uint32_t> find(std::size_t b, const Filter& filter) const;
  std::span<const WarpRun> runs(std::size_t b) const;
  std::span<const Barrier> barriers(std::size_t b) const;
  template <class Visit>
  void for_each(std::size_t b, Visit visit) const;

  // Numbers over all blocks. bytes: what the trace holds in memory.
  std::uint64_t events() const { return events_; }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t bytes() const;
  std::uint32_t shapes() const { return shapes_.size(); }

  bool operator==(const Trace&) const;

 private:
  friend class TraceBuilder;
  // Where a block's part of each column starts; it ends where the next block's does.
  struct Start {
    std::uint64_t chunk = 0, run = 0, barrier = 0;
    std::uint32_t table = 0;
    bool operator==(const Start&) const = default;
  };
  struct Row {
    std::uint32_t shape = 0;    // in shapes_
    std::uint64_t address = 0;  // of the first active lane
  };
  Row row(std::size_t b, std::uint32_t event) const;
  Access expand(std::size_t b, std::uint32_t event, std::uint32_t warp, Row row) const;

  std::vector<BlockSummary> summaries_;
  std::vector<Start> starts_;  // one more than blocks
  std::vector<Chunk> chunks_;
  std::vector<WarpRun> runs_;
  std::vector<Barrier> barriers_;
  std::vector<std::vector<std::uint32_t>> tables_;  // shape in a block's columns -> shape in shapes_
  ShapeTable shapes_;
  std::uint64_t events_ = 0, dropped_ = 0;
};

// The events of one block by pc, each list in the order of execution.
class PcIndex {
 public:
  PcIndex(const Trace& trace, std::size_t b);
  std::span<const std::uint32_t> events(std::uint32_t pc) const;
  std::vector<std::uint32_t> pcs() const;  // that have events, ascending

 private:
  std::vector<std::uint32_t> first_;  // of each pc, and the end
  std::vector<std::uint32_t> events_;
};

template <class Visit>
void Trace::for_each(std::size_t b, Visit visit) const {
  const auto all = runs(b);
  for (std::size_t r = 0; r < all.size(); ++r) {
    const std::uint32_t end = r + 1 < all.size() ? all[r + 1].first_event : summaries_[b].events;
    for (std::uint32_t event = all[r].first_event; event < end; ++event)
      visit(expand(b, event, all[r].warp, row(b, event)));
  }
}

}  // namespace warplens::trace
