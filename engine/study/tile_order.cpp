#include "engine/study/tile_order.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "engine/time/predict_run.hpp"

namespace warplens::study {
namespace {

using report::Face, run::ProductTile, run::Stretch;

constexpr std::uint64_t kLine = 128;  // bytes
constexpr double kMostLines = 1 << 27;

// Lines of memory; the one that nobody has asked for for longest goes first.
class Cache {
 public:
  Cache(std::size_t lines, std::size_t kept) : places_(lines), kept_(std::max<std::size_t>(kept, 1)) {}
  // Whether it has the line. It has it from now on.
  bool ask(std::size_t line) {
    Place& place = places_[line];
    const bool had = place.is_kept;
    if (had)
      take_out(line);
    else if (++count_ > kept_)
      drop(oldest_);
    place.is_kept = true, place.older = newest_, place.newer = kNone;
    (newest_ == kNone ? oldest_ : places_[newest_].newer) = static_cast<std::uint32_t>(line);
    newest_ = static_cast<std::uint32_t>(line);
    return had;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Place {
    std::uint32_t older = kNone, newer = kNone;
    bool is_kept = false;
  };
  void take_out(std::size_t line) {
    const Place& place = places_[line];
    (place.older == kNone ? oldest_ : places_[place.older].newer) = place.newer;
    (place.newer == kNone ? newest_ : places_[place.newer].older) = place.older;
  }
  void drop(std::uint32_t line) {
    take_out(line);
    places_[line].is_kept = false, --count_;
  }

  std::vector<Place> places_;
  std::size_t kept_, count_ = 0;
  std::uint32_t newest_ = kNone, oldest_ = kNone;
};

// The matrices behind each other, in lines.
class Lines {
 public:
  explicit Lines(const Face& face, std::size_t first) : face_(face), first_(first) {}
  std::size_t count() const {
    return static_cast<std::size_t>((face_.elements * face_.element_bytes + kLine - 1) / kLine);
  }
  // visit(line) of each that these cells lie in.
  template <class Visit>
  void each(const Stretch& rows, const Stretch& columns, const Visit& visit) const {
    const Stretch &lines = face_.row_major ? rows : columns, &along = face_.row_major ? columns : rows;
    if (along.count() <= 0) return;
    for (std::int64_t line = lines.first; line < lines.end; ++line) {
      const auto start = static_cast<std::uint64_t>(line * face_.pitch + along.first) * face_.element_bytes,
                 end = static_cast<std::uint64_t>(line * face_.pitch + along.end) * face_.element_bytes;
      for (std::uint64_t at = start / kLine; at * kLine < end; ++at)
        visit(first_ + static_cast<std::size_t>(at));
    }
  }

 private:
  const Face& face_;
  std::size_t first_;
};

// What tiles are made of: equal ones, or such that do not meet. Empty: they lie across each other.
std::vector<Stretch> bands(std::set<Stretch> all) {
  std::vector<Stretch> bands(all.begin(), all.end());
  for (std::size_t i = 1; i < bands.size(); ++i)
    if (bands[i].first < bands[i - 1].end) return {};
  return bands;
}
std::size_t place_in(const std::vector<Stretch>& bands, const Stretch& one) {
  return static_cast<std::size_t>(std::ranges::lower_bound(bands, one) - bands.begin());
}

// Each place of the device goes on with its block's next tile, else with the next block.
std::vector<std::vector<OrderedTile>> waves_of(const run::ProductTiles& tiles, std::uint64_t at_a_time) {
  struct At {
    std::size_t block = 0, tile = 0;
  };
  const auto& of_block = tiles.of_block;
  std::vector<At> places;
  std::size_t next = 0;
  for (; next < of_block.size() && places.size() < at_a_time; ++next) places.push_back({next, 0});
  std::vector<std::vector<OrderedTile>> waves;
  for (bool any = true; any;) {
    std::vector<OrderedTile> wave;
    for (At& at : places) {
      if (at.tile == of_block[at.block].size() && next < of_block.size()) at = {next++, 0};
      if (at.tile == of_block[at.block].size()) continue;
      OrderedTile one;
      one.block = at.block, one.tile = of_block[at.block][at.tile++];
      wave.push_back(one);
    }
    any = !wave.empty();
    if (any) waves.push_back(std::move(wave));
  }
  return waves;
}

class Asking {
 public:
  explicit Asking(TileOrder& order)
      : order_(order),
        a_(order.a, 0),
        b_(order.b, a_.count()),
        c_(order.c, a_.count() + b_.count()),
        cache_(a_.count() + b_.count() + c_.count(), static_cast<std::size_t>(order.l2_bytes / kLine)),
        step_(static_cast<std::int64_t>(std::max<std::uint64_t>(kLine / order.a.element_bytes, 1))),
        lines_of_a_(order.rows.size()),
        lines_of_b_(order.columns.size()) {}

  bool run(const std::atomic<bool>& cancel) {
    for (std::vector<OrderedTile>& wave : order_.waves) {
      std::int64_t deepest = 0;
      for (const OrderedTile& one : wave) deepest = std::max(deepest, one.tile.depth.count());
      for (std::int64_t k = 0; k < deepest && !cancel; k += step_)
        for (OrderedTile& one : wave) load(one, k);
      for (const OrderedTile& one : wave)
        c_.each(one.tile.rows, one.tile.columns, [&](std::size_t line) { cache_.ask(line); });
    }
    finish();
    return !cancel;
  }

 private:
  void load(OrderedTile& one, std::int64_t k) {
    const Stretch& whole = one.tile.depth;
    const Stretch depth{whole.first + k, std::min(whole.first + k + step_, whole.end)};
    const auto ask = [&](double& missed_of_band) {
      return [&](std::size_t line) {
        ++one.asked_lines;
        if (!cache_.ask(line)) ++one.missed_lines, ++missed_of_band;
      };
    };
    a_.each(one.tile.own_rows, depth, ask(lines_of_a_[one.row]));
    b_.each(depth, one.tile.own_columns, ask(lines_of_b_[one.column]));
  }
  void finish() {
    for (const auto& wave : order_.waves)
      for (const OrderedTile& one : wave)
        order_.asked_lines += one.asked_lines, order_.missed_lines += one.missed_lines;
    const auto read = [](const Face& face, const Stretch& band, std::int64_t depth, double missed) {
      const double bytes =
          static_cast<double>(band.count() * depth) * static_cast<double>(face.element_bytes);
      return missed * static_cast<double>(kLine) / bytes;
    };
    for (std::size_t band = 0; band < order_.rows.size(); ++band)
      order_.reads_of_a.push_back(read(order_.a, order_.rows[band], order_.a.columns, lines_of_a_[band]));
    for (std::size_t band = 0; band < order_.columns.size(); ++band)
      order_.reads_of_b.push_back(read(order_.b, order_.columns[band], order_.b.rows, lines_of_b_[band]));
  }

  TileOrder& order_;
  Lines a_, b_, c_;
  Cache cache_;
  std::int64_t step_;                            // of k
  std::vector<double> lines_of_a_, lines_of_b_;  // that come from memory, by band
};

double lines_to_ask(const TileOrder& order) {
  double lines = 0;
  const auto bytes = static_cast<double>(order.a.element_bytes);
  for (const auto& wave : order.waves)
    for (const OrderedTile& one : wave)
      lines += static_cast<double>(one.tile.rows.count() + one.tile.columns.count()) *
               static_cast<double>(one.tile.depth.count()) * bytes / static_cast<double>(kLine);
  return lines;
}

}  // namespace

Bands bands_of(const std::vector<OrderedTile>& wave) {
  std::set<std::size_t> rows, columns;
  for (const OrderedTile& one : wave) rows.insert(one.row), columns.insert(one.column);
  return {rows.size(), columns.size()};
}

Result<TileOrder> tile_order_of(const run::Run& run, const std::atomic<bool>& cancel) {
  if (run.device().l2_bytes == 0)
    return Error{"nothing is known of this device's L2", "choose a product, such as --device h100"};
  const auto fit = time::occupancy_of(*run.job);
  if (!fit) return fit.error();
  const auto tiles = run::product_tiles_of(run, cancel);
  if (!tiles) return tiles.error();
  TileOrder order;
  order.a = tiles->a, order.b = tiles->b, order.c = tiles->c;
  order.l2_bytes = static_cast<std::uint64_t>(run.device().l2_bytes);
  order.at_a_time =
      static_cast<std::uint64_t>(fit->blocks_per_sm) * static_cast<std::uint64_t>(run.device().sm_count);
  order.waves = waves_of(*tiles, order.at_a_time);
  std::set<Stretch> rows, columns;
  for (const auto& wave : order.waves)
    for (const OrderedTile& one : wave) rows.insert(one.tile.rows), columns.insert(one.tile.columns);
  order.rows = bands(std::move(rows)), order.columns = bands(std::move(columns));
  if (order.rows.empty() || order.columns.empty())
    return Error{"its blocks take tiles that lie across each other",
                 "choose a kernel with tiles of one size"};
  if (lines_to_ask(order) > kMostLines)
    return Error{"its blocks ask L2 for too many lines to follow all of them", "choose a smaller size"};
  for (auto& wave : order.waves)
    for (OrderedTile& one : wave)
      one.row = place_in(order.rows, one.tile.rows), one.column = place_in(order.columns, one.tile.columns);
  if (!Asking(order).run(cancel)) return run::cancelled();
  return order;
}

}  // namespace warplens::study
