#include "engine/trace/block_recorder.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::trace {
namespace {

constexpr std::uint32_t kNoWarp = 0xffffffffu;
constexpr std::uint32_t kMostEvents =
    (1u << kEventBits) - 2 * kChunk;       // of one block, so that WarpRun can number them
constexpr std::uint64_t kBlockBytes = 96;  // summary, starts and table of a block

std::uint64_t bytes_of(const ShapeTable& table, std::uint32_t shape) {
  return sizeof(LocalShape) + table.bytes_of(shape);
}

template <class T, class From>
std::byte* put(std::byte* to, const From& values, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
  return to + count * sizeof(T);
}

template <class Values>
auto largest(const Values& values, std::uint32_t count) {
  return *std::max_element(values.begin(), values.begin() + count);
}

}  // namespace

std::uint64_t RecordedBlock::cost(std::uint32_t n, const ShapeTable& table) const {
  std::uint64_t total = kBlockBytes;
  for (std::uint32_t c = 0; c < chunks.size() && c * kChunk < n; ++c)
    total += sizeof(Chunk) + std::uint64_t{std::min(n - c * kChunk, chunks[c].rows)} * chunks[c].row_bytes();
  for (const WarpRun& run : runs) total += run.first_event < n ? sizeof(WarpRun) : 0;
  for (const Barrier& barrier : barriers) total += barrier.before_event < n ? sizeof(Barrier) : 0;
  for (const LocalShape& local : shapes) total += local.first_event < n ? bytes_of(table, local.shape) : 0;
  return total;
}

void RecordedBlock::forget() {
  events = 0;
  chunks = {};
  runs = {};
  barriers = {};
  shapes = {};
}

void BlockRecorder::begin(RecordedBlock& block, bool record) {
  block_ = &block;
  block.recorder = index_;
  stopped_ = !record;
  warp_ = kNoWarp;
  rows_ = 0;
  ++epoch_;
  claimed_ = shape_bytes_ = chunk_bytes_ = 0;
}

void BlockRecorder::end() {
  if (!stopped_ && rows_ != 0) flush();
  if (!stopped_) claim();
  block_->chunks.shrink_to_fit();
  block_->runs.shrink_to_fit();
  block_->barriers.shrink_to_fit();
  block_->shapes.shrink_to_fit();
  block_ = nullptr;
}

void BlockRecorder::on_barrier(std::uint32_t pc) {
  if (!stopped_) block_->barriers.push_back({block_->events + rows_, pc});
}

void BlockRecorder::start_run(std::uint32_t warp) {
  warp_ = warp;
  WarpRun run;
  run.first_event = (block_->events + rows_) & ((1u << kEventBits) - 1);
  run.warp = warp & 31u;
  block_->runs.push_back(run);
}

std::uint32_t BlockRecorder::find(const emulator::AccessEvent& event, std::size_t place) {
  Shape shape;
  shape.pc = event.pc;
  shape.active = event.active;
  shape.space = event.space;
  shape.kind = event.kind;
  shape.width = event.width;
  LaneOffsets offsets{};
  const std::uint64_t base = event.active == 0 ? 0 : event.address(first_lane(event.active));
  for (std::uint32_t mask = event.active; mask != 0; mask &= mask - 1)
    offsets[first_lane(mask)] = event.address(first_lane(mask)) - base;
  const std::uint32_t local = local_number(shapes_.intern(shape, offsets));
  // Irregular addresses without a pattern number cannot be recognised by looking at the event's fields.
  if (event.addresses != nullptr || (event.offsets != nullptr && event.pattern == 0)) return local;
  if (place >= last_.size()) last_.resize(place + 64);
  last_[place] = {epoch_,      event.stride, event.active, event.pattern,           local,
                  event.space, event.kind,   event.width,  event.offsets != nullptr};
  return local;
}

std::uint32_t BlockRecorder::local_number(std::uint32_t shape) {
  if (shape >= known_.size()) known_.resize(shape + 64);
  Known& known = known_[shape];
  if (known.epoch != epoch_) {
    known = {epoch_, static_cast<std::uint32_t>(block_->shapes.size())};
    block_->shapes.push_back({shape, block_->events + rows_});
    shape_bytes_ += bytes_of(shapes_, shape);
  }
  return known.local;
}

void BlockRecorder::flush() {
  Chunk chunk;
  chunk.rows = rows_;
  chunk.wide_address = largest(address_, rows_) > 0xffffffffu;
  chunk.wide_shape = largest(local_, rows_) > 0xffffu;
  chunk.columns.resize(std::size_t{rows_} * chunk.row_bytes());
  std::byte* to = chunk.columns.data();
  to = chunk.wide_address ? put<std::uint64_t>(to, address_, rows_) : put<std::uint32_t>(to, address_, rows_);
  chunk.wide_shape ? put<std::uint32_t>(to, local_, rows_) : put<std::uint16_t>(to, local_, rows_);
  chunk_bytes_ += sizeof(Chunk) + chunk.columns.size();
  block_->chunks.push_back(std::move(chunk));
  block_->events += rows_;
  rows_ = 0;
  if (block_->chunks.back().rows == kChunk) claim();
  if (block_->events > kMostEvents) stopped_ = true;
}

void BlockRecorder::claim() {
  const std::uint64_t total = kBlockBytes + chunk_bytes_ + shape_bytes_ +
                              block_->runs.size() * sizeof(WarpRun) +
                              block_->barriers.size() * sizeof(Barrier);
  const std::uint64_t more = total - claimed_;
  claimed_ = total;
  if (!recorder_.claim(*block_, more)) stopped_ = true;
}

}  // namespace warplens::trace
