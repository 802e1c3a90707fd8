// Which tiles of a product are under way together and what L2 has of them: the blocks' loads are watched once more, in the part of the
// kernel that decides addresses, and L2 is asked by stamps of time. study/tile_order.hpp says what is taken for granted: the pace of
// blocks, and how L2 gives lines up.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/claims_check/found.hpp"
#include "engine/emulator/companions.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/run/derived/placed.hpp"
#include "engine/run/grid/address_slice.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

constexpr std::int64_t kLineBytes = 128;

// Elements [at, end) in each of the two directions of memory: from line to line, and along a line.
struct Part {
  std::int64_t line = 0, line_end = 0, along = 0, along_end = 0;
  bool is_empty() const { return line_end <= line || along_end <= along; }
  void include(const Part& other) {
    if (other.is_empty()) return;
    if (is_empty())
      *this = other;
    else
      *this = {std::min(line, other.line), std::max(line_end, other.line_end), std::min(along, other.along),
               std::max(along_end, other.along_end)};
  }
};
struct Load {
  std::size_t matrix = 0;  // 0: A, 1: B
  std::uint32_t warp = 0, mask = 0;
  Part part;
};
// What one tile takes of A and of B: what comes, and what of it the block asks for itself.
struct Tile {
  std::array<Part, 2> comes, asks;
};

// Blocks run one after the other.
class Watch final : public emulator::BlockWatcher, public emulator::BlockObserver {
 public:
  Watch(const std::array<report::Face, 2>& faces, emulator::GlobalMemory& memory)
      : faces_(faces), memory_(memory) {}
  std::map<std::uint64_t, std::vector<Load>> boxes;         // by block
  std::map<std::uint64_t, std::array<Part, 2>> by_threads;  // likewise
  Watch* of(std::uint64_t block) { return now_ = block, this; }

 private:
  void on_step(const emulator::WatchedStep& step) override {
    if (step.instruction->opcode != ptx::Opcode::cp_async_bulk_prefetch_tensor) return;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((step.exec >> lane & 1) != 0) note_box(step, lane);
  }
  void note_box(const emulator::WatchedStep& step, std::uint32_t lane) {
    const std::uint64_t at = step.value(0, lane);
    const auto map = memory_.find(at, tensor::kMapBytes) == nullptr
                         ? std::nullopt
                         : tensor::decode({memory_.host(at), tensor::kMapBytes});
    if (!map || map->dimensions != 2) return;
    std::array<std::int64_t, 2> first{}, end{};
    for (std::size_t d = 0; d < 2; ++d) {
      std::array<std::uint64_t, 32> values{};
      step.element(0, d, values);
      const std::int64_t from = static_cast<std::int32_t>(values[lane]);
      first[d] = std::max<std::int64_t>(from, 0);
      end[d] = std::min<std::int64_t>(from + map->box[d], static_cast<std::int64_t>(map->extent[d]));
    }
    const bool is_multicast = step.instruction->operands.size() > 1;
    for (std::size_t matrix = 0; matrix < 2; ++matrix)
      if (map->address == faces_[matrix].address)
        boxes[now_].push_back({matrix,
                               step.warp,
                               is_multicast ? static_cast<std::uint32_t>(step.value(1, lane) & 0xffff) : 0,
                               {first[1], end[1], first[0], end[0]}});
  }
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space != ptx::Space::global) return;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((event.active >> lane & 1) == 0) continue;
      for (std::size_t matrix = 0; matrix < 2; ++matrix) {
        const report::Face& face = faces_[matrix];
        const std::uint64_t offset = event.address(lane) - face.address;
        if (offset >= face.elements * face.element_bytes) continue;
        const auto element = static_cast<std::int64_t>(offset / face.element_bytes);
        const auto wide =
            std::max<std::int64_t>(event.width / static_cast<std::int64_t>(face.element_bytes), 1);
        const std::int64_t line = element / face.pitch, along = element % face.pitch;
        by_threads[now_][matrix].include({line, line + 1, along, along + wide});
      }
    }
  }

  const std::array<report::Face, 2>& faces_;
  emulator::GlobalMemory& memory_;
  std::uint64_t now_ = 0;
};
struct Watching final : emulator::Watcher {
  explicit Watching(Watch& all) : watch(all) {}
  emulator::BlockWatcher* begin_block(std::uint64_t block) override { return watch.of(block); }
  Watch& watch;
};
struct Observing final : emulator::Observer {
  explicit Observing(Watch& all) : watch(all) {}
  emulator::BlockObserver* begin_block(std::uint64_t block) override { return watch.of(block); }
  Watch& watch;
};

struct Order {
  std::array<report::Face, 3> faces;  // A, B, C
  std::map<std::uint64_t, std::vector<Tile>> of_block;
  std::vector<std::vector<std::pair<std::uint64_t, Tile>>> waves;
  double asked = 0, missed = 0;  // lines of A and B
  bool b_runs_along_k = false;   // a line of its memory is one column of the product
};

bool is_along_k(const Order& order, std::size_t matrix) {
  return matrix == 0 ? order.faces[0].row_major : order.b_runs_along_k;
}
// A block needs all k of what it needs of B, and not all columns.
bool runs_along_k(const Watch& watch, const report::Face& b) {
  Part all;
  if (!watch.boxes.empty())
    for (const Load& load : watch.boxes.begin()->second)
      if (load.matrix == 1) all.include(load.part);
  if (!watch.by_threads.empty()) all.include(watch.by_threads.begin()->second[1]);
  return all.along == 0 && all.along_end >= b.pitch;
}

// A tile of a warp begins where it asks for the first k again.
void take_boxes(Order& order, const Watch& watch, const run::Run& run) {
  const auto& cluster = run.kernel->together().cluster;
  for (const auto& [block, loads] : watch.boxes) {
    std::map<std::pair<std::uint32_t, std::size_t>, std::pair<std::size_t, Part>> at;  // by warp and matrix
    for (const Load& load : loads) {
      const bool along = is_along_k(order, load.matrix);
      const auto k = [&](const Part& part) { return along ? part.along : part.line; };
      const auto known = at.find({load.warp, load.matrix});
      const std::int64_t whole = order.faces[0].columns;
      const std::int64_t deep =
          along ? load.part.along_end - load.part.along : load.part.line_end - load.part.line;
      if (known == at.end())
        at[{load.warp, load.matrix}] = {0, load.part};
      else {
        const bool begins = k(load.part) == 0 && (k(known->second.second) > 0 || deep == whole);
        known->second = {known->second.first + (begins ? 1 : 0), load.part};
      }
      const std::size_t number = at[{load.warp, load.matrix}].first;
      const auto tile_of = [&](std::uint64_t of) -> Tile& {
        auto& tiles = order.of_block[of];
        if (tiles.size() <= number) tiles.resize(number + 1);
        return tiles[number];
      };
      tile_of(block).asks[load.matrix].include(load.part);
      if (load.mask == 0) tile_of(block).comes[load.matrix].include(load.part);
      for (std::uint32_t rank = 0; rank < 16; ++rank)
        if ((load.mask >> rank & 1) != 0)
          tile_of(emulator::block_of_rank(block, rank, cluster, run.plan().launch.grid))
              .comes[load.matrix]
              .include(load.part);
    }
  }
}

void take_waves(Order& order, std::size_t at_a_time) {
  std::deque<std::uint64_t> waiting;
  for (const auto& [block, tiles] : order.of_block) waiting.push_back(block);
  std::vector<std::pair<std::uint64_t, std::size_t>> places;  // block and its next tile
  for (;;) {
    std::vector<std::pair<std::uint64_t, Tile>> wave;
    for (std::size_t place = 0; place < at_a_time; ++place) {
      const bool is_free =
          place >= places.size() || places[place].second >= order.of_block[places[place].first].size();
      if (is_free && waiting.empty()) continue;
      if (is_free) {
        if (place >= places.size()) places.resize(place + 1);
        places[place] = {waiting.front(), 0};
        waiting.pop_front();
      }
      auto& [block, next] = places[place];
      wave.emplace_back(block, order.of_block[block][next++]);
    }
    if (wave.empty()) return;
    order.waves.push_back(std::move(wave));
  }
}

// The lines that were asked for last, as many as there is room for.
class LastAsked {
 public:
  explicit LastAsked(std::size_t room) : room_(room) {}
  bool ask(std::size_t line) {
    if (stamps_.size() <= line) stamps_.resize(line + 1, 0);
    const bool had = stamps_[line] != 0;
    stamps_[line] = ++now_;
    asked_.emplace_back(line, now_);
    count_ += had ? 0 : 1;
    while (count_ > room_) {
      const auto [oldest, stamp] = asked_.front();
      asked_.pop_front();
      if (stamps_[oldest] == stamp) stamps_[oldest] = 0, --count_;
    }
    return had;
  }

 private:
  std::size_t room_, count_ = 0;
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> stamps_;  // 0: it is not there
  std::deque<std::pair<std::size_t, std::uint64_t>> asked_;
};

template <class Ask>
void each_line(const report::Face& face, std::size_t base, const Part& part, const Ask& ask) {
  const auto bytes = static_cast<std::int64_t>(face.element_bytes);
  for (std::int64_t line = part.line; line < part.line_end && part.along < part.along_end; ++line) {
    const std::int64_t from = (line * face.pitch + part.along) * bytes / kLineBytes,
                       last = ((line * face.pitch + part.along_end) * bytes - 1) / kLineBytes;
    for (std::int64_t at = from; at <= last; ++at) ask(base + static_cast<std::size_t>(at));
  }
}

void ask_l2(Order& order, const device::Device& device) {
  LastAsked l2(static_cast<std::size_t>(device.l2_bytes / kLineBytes));
  std::array<std::size_t, 3> base{};
  for (std::size_t m = 1; m < 3; ++m)
    base[m] = base[m - 1] +
              (order.faces[m - 1].elements * order.faces[m - 1].element_bytes + kLineBytes - 1) / kLineBytes;
  const std::int64_t step = kLineBytes / static_cast<std::int64_t>(order.faces[0].element_bytes);
  for (const auto& wave : order.waves) {
    for (std::int64_t k = 0; k < order.faces[0].columns; k += step)
      for (const auto& [block, tile] : wave)
        for (std::size_t matrix = 0; matrix < 2; ++matrix) {
          Part part = tile.asks[matrix];
          auto [first, end] = is_along_k(order, matrix) ? std::tie(part.along, part.along_end)
                                                        : std::tie(part.line, part.line_end);
          first = std::max(first, k), end = std::min(end, k + step);
          each_line(order.faces[matrix], base[matrix], part,
                    [&](std::size_t line) { order.asked += 1, order.missed += l2.ask(line) ? 0 : 1; });
        }
    for (const auto& [block, tile] : wave) {
      const Part &a = tile.comes[0], &b = tile.comes[1];
      const bool a_along = is_along_k(order, 0), b_along = is_along_k(order, 1);
      const std::int64_t row = a_along ? a.line : a.along, row_end = a_along ? a.line_end : a.along_end,
                         column = b_along ? b.line : b.along, column_end = b_along ? b.line_end : b.along_end;
      const Part c = order.faces[2].row_major ? Part{row, row_end, column, column_end}
                                              : Part{column, column_end, row, row_end};
      each_line(order.faces[2], base[2], c, [&](std::size_t line) { l2.ask(line); });
    }
  }
}

std::optional<std::array<report::Face, 3>> faces_of(const run::Run& run) {
  std::array<report::Face, 3> faces;
  std::size_t inputs = 0, outputs = 0;
  for (const report::PlacedBuffer& placed : run.buffers) {
    const report::Face face = report::face_of(placed);
    if (face.is_output) faces[2] = face, ++outputs;
    if (!face.is_output && inputs < 2) faces[inputs++] = face;
  }
  return inputs == 2 && outputs == 1 ? std::optional(faces) : std::nullopt;
}

std::optional<Order> order_of(const run::Run& run) {
  const auto faces = faces_of(run);
  const auto slice = run::address_slice(*run.kernel, run.device());
  auto placed = run::Placed::of(run.job->instance);
  if (!faces || !slice || !placed) return std::nullopt;
  const std::array<report::Face, 2> factors{(*faces)[0], (*faces)[1]};
  Watch watch(factors, placed->memory());
  Watching watching(watch);
  Observing observing(watch);
  const bool has_boxes = std::ranges::any_of(run.instructions, [](const auto& row) {
    return row.text.find("cp.async.bulk.tensor") != std::string::npos;
  });
  const auto ran = placed->run(*slice->kernel, run.plan().launch,
                               {.observer = &observing,
                                .watcher = has_boxes ? &watching : nullptr,
                                .threads = 1,
                                .data_count = false});
  if (!ran || ran->fault) return std::nullopt;
  Order order;
  order.faces = *faces;
  order.b_runs_along_k = runs_along_k(watch, (*faces)[1]);
  take_boxes(order, watch, run);
  for (const auto& [block, parts] : watch.by_threads)
    if (!parts[0].is_empty() && !parts[1].is_empty()) order.of_block[block].push_back({parts, parts});
  const device::Device& device = run.device();
  const double warps =
      std::ceil(static_cast<double>(run.report.block[0]) * run.report.block[1] * run.report.block[2] / 32);
  const double blocks_of_sm = std::round(run.report.occupancy * device.max_warps_per_sm / warps);
  take_waves(order, static_cast<std::size_t>(blocks_of_sm * device.sm_count));
  ask_l2(order, device);
  return order;
}

template <class Value>
Measured of_order(const Subject& s, Value value) {
  const std::optional<Order> order = once(s, "order of tiles", [&] { return order_of(s.run); });
  return order && !order->waves.empty() ? value(*order) : std::nullopt;
}
// The wave in which the place's block makes its first tile.
const std::vector<std::pair<std::uint64_t, Tile>>& wave_of(const Subject& s, const Order& order) {
  const std::uint64_t block = s.run.trace->blocks()[s.place.block].block;
  for (const auto& wave : order.waves)
    for (const auto& one : wave)
      if (one.first == block) return wave;
  return order.waves.front();
}
Measured tiles_at_a_time(const Subject& s) {
  return of_order(
      s, [&](const Order& order) { return Measured(one(static_cast<double>(wave_of(s, order).size()))); });
}
Measured bands_needed(const Subject& s) {
  return of_order(s, [&](const Order& order) -> Measured {
    const bool is_a = order.faces[0].name == s.claim.of;
    if (!is_a && order.faces[1].name != s.claim.of) return std::nullopt;
    std::set<std::int64_t> bands;
    for (const auto& [block, tile] : wave_of(s, order)) {
      const Part& part = tile.comes[is_a ? 0 : 1];
      bands.insert(is_along_k(order, is_a ? 0 : 1) ? part.line : part.along);
    }
    return one(static_cast<double>(bands.size()));
  });
}
Measured share_of_l2(const Subject& s) {
  return of_order(s, [](const Order& order) { return Measured(one(1 - order.missed / order.asked)); });
}
Measured reads_from_memory(const Subject& s) {
  return of_order(s, [](const Order& order) {
    double bytes = 0;
    for (std::size_t matrix = 0; matrix < 2; ++matrix)
      bytes += static_cast<double>(order.faces[matrix].elements * order.faces[matrix].element_bytes);
    return Measured(one(static_cast<double>(kLineBytes) * order.missed / bytes));
  });
}

}  // namespace

std::vector<Row> tile_measures() {
  return {{Quantity::tiles_at_a_time, tiles_at_a_time},
          {Quantity::bands_needed, bands_needed},
          {Quantity::share_of_l2, share_of_l2},
          {Quantity::reads_from_memory, reads_from_memory}};
}

}  // namespace warplens::claims_check
