// One thread's part of a recording: the columns of one block after another, and the shapes that it has met.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/trace/addresses.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::trace {

// A shape in the order of its first appearance in a block.
struct LocalShape {
  std::uint32_t shape = 0;  // in the table of the block's recorder
  std::uint32_t first_event = 0;
};

// A block as it was recorded, before the budget is shared out.
struct RecordedBlock {
  std::uint64_t block = 0;
  std::uint32_t recorder = 0;  // whose table the shapes are in
  bool running = true;
  std::uint64_t seen = 0;    // accesses, recorded or not
  std::uint32_t events = 0;  // recorded
  std::uint64_t bytes = 0;   // claimed
  std::vector<Chunk> chunks;
  std::vector<WarpRun> runs;
  std::vector<Barrier> barriers;
  std::vector<LocalShape> shapes;

  // Bytes that the first n events cost the budget.
  std::uint64_t cost(std::uint32_t n, const ShapeTable& table) const;
  // Drops what was recorded; `seen` stays.
  void forget();
};

class BlockRecorder final : public emulator::BlockObserver {
 public:
  BlockRecorder(Recorder& recorder, std::uint32_t index) : recorder_(recorder), index_(index) {}

  void begin(RecordedBlock& block, bool record);
  void end();
  const ShapeTable& shapes() const { return shapes_; }

  void on_access(const emulator::AccessEvent& event) override {
    ++block_->seen;
    if (stopped_) return;
    const std::size_t place = std::size_t{event.pc} * 2 + (event.space == ptx::Space::shared ? 1 : 0);
    std::uint32_t local = 0;
    if (place < last_.size() && is_last(last_[place], event))
      local = last_[place].local;
    else
      local = find(event, place);
    if (event.warp != warp_) start_run(event.warp);
    local_[rows_] = local;
    address_[rows_] =
        (event.active == 0 ? 0 : event.address(first_lane(event.active))) - origin_of(event.space);
    if (++rows_ == kChunk) flush();
  }
  void on_barrier(std::uint32_t pc) override;

 private:
  // The last shape met at one pc and space, as it was reported.
  struct Last {
    std::uint64_t epoch = 0;  // of the block
    std::int64_t stride = 0;
    std::uint32_t active = 0, pattern = 0, local = 0;
    ptx::Space space = ptx::Space::global;
    emulator::AccessKind kind = emulator::AccessKind::load;
    std::uint8_t width = 0;
    bool offsets = false;
  };
  bool is_last(const Last& last, const emulator::AccessEvent& event) const {
    return last.epoch == epoch_ && last.active == event.active && last.stride == event.stride &&
           last.pattern == event.pattern && last.offsets == (event.offsets != nullptr) &&
           event.addresses == nullptr && last.width == event.width && last.space == event.space &&
           last.kind == event.kind;
  }
  std::uint32_t find(const emulator::AccessEvent& event, std::size_t place);
  std::uint32_t local_number(std::uint32_t shape);
  void start_run(std::uint32_t warp);
  void flush();  // the rows into a chunk
  void claim();

  Recorder& recorder_;
  const std::uint32_t index_;
  RecordedBlock* block_ = nullptr;
  bool stopped_ = false;
  std::uint32_t warp_ = 0;
  std::uint32_t rows_ = 0;
  std::uint64_t epoch_ = 0;  // counts blocks
  std::uint64_t claimed_ = 0, shape_bytes_ = 0, chunk_bytes_ = 0;
  std::vector<Last> last_;
  ShapeTable shapes_;
  struct Known {
    std::uint64_t epoch = 0;
    std::uint32_t local = 0;
  };
  std::vector<Known> known_;  // of each shape: its number in the block of that epoch
  std::array<std::uint32_t, kChunk> local_;
  std::array<std::uint64_t, kChunk> address_;
};

}  // namespace warplens::trace
