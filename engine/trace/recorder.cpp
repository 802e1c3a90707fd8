#include "engine/trace/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "engine/trace/block_recorder.hpp"

namespace warplens::trace {

// Puts recorded blocks, in ascending order, into one trace.
class TraceBuilder {
 public:
  explicit TraceBuilder(std::size_t recorders) : remap_(recorders) {}

  // The first n events of a block.
  void add(RecordedBlock& block, const ShapeTable& shapes, std::uint32_t n) {
    open();
    const bool cut = n < block.seen;
    add_chunks(block, n);
    for (const WarpRun& run : block.runs)
      if (run.first_event < n) trace_.runs_.push_back(run);
    // Whether a barrier right behind the last event was still recorded depends on the threads: leave it out.
    for (const Barrier& barrier : block.barriers)
      if (!cut || barrier.before_event < n) trace_.barriers_.push_back(barrier);
    trace_.starts_.back().table = table_of(block, shapes, n);
    trace_.summaries_.push_back({block.block, n, block.seen - n});
    trace_.events_ += n;
    trace_.dropped_ += block.seen - n;
    block.forget();
  }

  Trace finish() {
    open();
    trace_.shapes_.freeze();
    trace_.summaries_.shrink_to_fit();
    trace_.starts_.shrink_to_fit();
    trace_.chunks_.shrink_to_fit();
    trace_.runs_.shrink_to_fit();
    trace_.barriers_.shrink_to_fit();
    return std::move(trace_);
  }

 private:
  void open() {
    trace_.starts_.push_back({trace_.chunks_.size(), trace_.runs_.size(), trace_.barriers_.size(), 0});
  }

  void add_chunks(RecordedBlock& block, std::uint32_t n) {
    for (std::uint32_t c = 0; c < block.chunks.size() && c * kChunk < n; ++c) {
      Chunk& chunk = block.chunks[c];
      const std::uint32_t rows = std::min(n - c * kChunk, chunk.rows);
      if (rows < chunk.rows) {  // close the gap between the columns
        const std::size_t address = chunk.wide_address ? 8 : 4, shape = chunk.row_bytes() - address;
        std::memmove(chunk.columns.data() + rows * address, chunk.columns.data() + chunk.rows * address,
                     rows * shape);
        chunk.rows = rows;
        chunk.columns.resize(std::size_t{rows} * chunk.row_bytes());
        chunk.columns.shrink_to_fit();
      }
      trace_.chunks_.push_back(std::move(chunk));
    }
  }

  std::uint32_t table_of(const RecordedBlock& block, const ShapeTable& shapes, std::uint32_t n) {
    std::vector<std::uint32_t>& remap = remap_[block.recorder];
    remap.resize(shapes.size(), kUnknown);
    std::vector<std::uint32_t> table;
    for (const LocalShape& local : block.shapes) {
      if (local.first_event >= n) break;
      if (remap[local.shape] == kUnknown) remap[local.shape] = trace_.shapes_.intern(shapes, local.shape);
      table.push_back(remap[local.shape]);
    }
    table.shrink_to_fit();
    const auto [known, fresh] = tables_.try_emplace(table, static_cast<std::uint32_t>(trace_.tables_.size()));
    if (fresh) trace_.tables_.push_back(std::move(table));
    return known->second;
  }

  static constexpr std::uint32_t kUnknown = 0xffffffffu;
  Trace trace_;
  std::vector<std::vector<std::uint32_t>> remap_;  // shape of a recorder -> shape of the trace
  std::map<std::vector<std::uint32_t>, std::uint32_t> tables_;
};

namespace {

// The most events that cost at most `budget`.
std::uint32_t events_within(const RecordedBlock& block, const ShapeTable& shapes, std::uint64_t budget) {
  if (block.cost(block.events, shapes) <= budget) return block.events;
  std::uint32_t fits = 0, too_many = block.events;
  while (too_many - fits > 1) {
    const std::uint32_t middle = fits + (too_many - fits) / 2;
    (block.cost(middle, shapes) <= budget ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace

Recorder::Recorder(RecorderOptions options) : options_(std::move(options)) {
  std::sort(options_.blocks.begin(), options_.blocks.end());
}
Recorder::~Recorder() = default;

bool Recorder::wanted(std::uint64_t block) const {
  if (!options_.blocks.empty())
    return std::binary_search(options_.blocks.begin(), options_.blocks.end(), block);
  return !options_.wants || options_.wants(block);
}

emulator::BlockObserver* Recorder::begin_block(std::uint64_t block) {
  if (!wanted(block)) return nullptr;
  const std::lock_guard lock(mutex_);
  auto& recorded = blocks_[block];
  recorded = std::make_unique<RecordedBlock>();
  recorded->block = block;
  if (idle_.empty()) {
    idle_.push_back(static_cast<std::uint32_t>(recorders_.size()));
    recorders_.push_back(std::make_unique<BlockRecorder>(*this, idle_.back()));
  }
  BlockRecorder& recorder = *recorders_[idle_.back()];
  idle_.pop_back();
  recorder.begin(*recorded, block <= cut_);
  return &recorder;
}

void Recorder::end_block(std::uint64_t block) {
  RecordedBlock* recorded = nullptr;
  BlockRecorder* recorder = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return;
    recorded = found->second.get();
    recorder = recorders_[recorded->recorder].get();
  }
  recorder->end();
  const std::lock_guard lock(mutex_);
  recorded->running = false;
  idle_.push_back(recorded->recorder);
  if (block > cut_) recorded->forget();
}

bool Recorder::claim(RecordedBlock& block, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (block.block > cut_) return false;
  block.bytes += bytes;
  bytes_ += bytes;
  if (bytes_ <= options_.byte_budget) return true;
  find_cut();
  return block.block < cut_;
}

// The blocks recorded so far fill the budget at some block, if they do: those behind it can only be pushed
// further.
void Recorder::find_cut() {
  std::uint64_t sum = 0;
  auto at = blocks_.begin();
  for (; at != blocks_.end() && sum <= options_.byte_budget; ++at) {
    sum += at->second->bytes;
    if (sum > options_.byte_budget) cut_ = at->first;
  }
  for (; at != blocks_.end(); ++at)
    if (!at->second->running) at->second->forget();
  bytes_ = sum;
}

Trace Recorder::finish(const std::optional<emulator::Fault>& fault) {
  const std::lock_guard lock(mutex_);
  TraceBuilder builder(recorders_.size());
  std::uint64_t left = options_.byte_budget;
  for (auto& [index, block] : blocks_) {
    if (fault && index > fault->block) break;
    const ShapeTable& shapes = recorders_[block->recorder]->shapes();
    const std::uint32_t n = events_within(*block, shapes, left);
    left = n < block->seen ? 0 : left - std::min(left, block->cost(n, shapes));
    builder.add(*block, shapes, n);
  }
  blocks_.clear();
  bytes_ = 0;
  return builder.finish();
}

}  // namespace warplens::trace
