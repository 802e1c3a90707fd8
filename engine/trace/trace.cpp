#include "engine/trace/trace.hpp"

#include <algorithm>
#include <cstring>

#include "engine/trace/addresses.hpp"

namespace warplens::trace {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
std::uint64_t bytes_in(const std::vector<T>& column) {
  return column.size() * sizeof(T);
}

}  // namespace

std::optional<std::size_t> Trace::find_block(std::uint64_t block) const {
  const auto found =
      std::lower_bound(summaries_.begin(), summaries_.end(), block,
                       [](const BlockSummary& s, std::uint64_t wanted) { return s.block < wanted; });
  if (found == summaries_.end() || found->block != block) return std::nullopt;
  return static_cast<std::size_t>(found - summaries_.begin());
}

Trace::Row Trace::row(std::size_t b, std::uint32_t event) const {
  const Chunk& chunk = chunks_[static_cast<std::size_t>(starts_[b].chunk + event / kChunk)];
  const std::size_t i = event % kChunk;
  const std::byte* addresses = chunk.columns.data();
  const std::byte* shapes = addresses + std::size_t{chunk.rows} * (chunk.wide_address ? 8 : 4);
  const std::uint32_t local =
      chunk.wide_shape ? load<std::uint32_t>(shapes + 4 * i) : load<std::uint16_t>(shapes + 2 * i);
  Row row;
  row.shape = tables_[starts_[b].table][local];
  row.address =
      (chunk.wide_address ? load<std::uint64_t>(addresses + 8 * i) : load<std::uint32_t>(addresses + 4 * i)) +
      origin_of(shapes_[row.shape].space);
  return row;
}

Access Trace::expand(std::size_t b, std::uint32_t event, std::uint32_t warp, Row row) const {
  const Shape& shape = shapes_[row.shape];
  Access access;
  access.block = summaries_[b].block;
  access.event = event;
  access.pc = shape.pc;
  access.warp = warp;
  access.space = shape.space;
  access.kind = shape.kind;
  access.width = shape.width;
  access.active = shape.active;
  access.address = shapes_.offsets(row.shape);
  for (std::uint32_t mask = shape.active; mask != 0; mask &= mask - 1)
    access.address[first_lane(mask)] += row.address;
  return access;
}

Access Trace::access(std::size_t b, std::uint32_t event) const {
  return expand(b, event, warp(b, event), row(b, event));
}

std::uint32_t Trace::pc(std::size_t b, std::uint32_t event) const { return shapes_[row(b, event).shape].pc; }

ptx::Space Trace::space(std::size_t b, std::uint32_t event) const {
  return shapes_[row(b, event).shape].space;
}

std::optional<std::uint64_t> Trace::first_address(std::size_t b, std::uint32_t event) const {
  const Row at = row(b, event);
  if (shapes_[at.shape].active == 0) return std::nullopt;
  return at.address;
}

std::uint32_t Trace::warp(std::size_t b, std::uint32_t event) const {
  const auto all = runs(b);
  const auto after = std::upper_bound(
      all.begin(), all.end(), event, [](std::uint32_t e, const WarpRun& run) { return e < run.first_event; });
  return (after - 1)->warp;
}

std::vector<std::uint32_t> Trace::find(std::size_t b, const Filter& filter) const {
  std::vector<std::uint32_t> found;
  const auto all = runs(b);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (filter.warp && all[r].warp != *filter.warp) continue;
    const std::uint32_t end = r + 1 < all.size() ? all[r + 1].first_event : summaries_[b].events;
    for (std::uint32_t event = all[r].first_event; event < end; ++event)
      if (!filter.pc || pc(b, event) == *filter.pc) found.push_back(event);
  }
  return found;
}

std::span<const WarpRun> Trace::runs(std::size_t b) const {
  return {runs_.data() + starts_[b].run, static_cast<std::size_t>(starts_[b + 1].run - starts_[b].run)};
}

std::span<const Barrier> Trace::barriers(std::size_t b) const {
  return {barriers_.data() + starts_[b].barrier,
          static_cast<std::size_t>(starts_[b + 1].barrier - starts_[b].barrier)};
}

std::uint64_t Trace::bytes() const {
  std::uint64_t total = bytes_in(summaries_) + bytes_in(starts_) + bytes_in(chunks_) + bytes_in(runs_) +
                        bytes_in(barriers_) + bytes_in(tables_) + shapes_.bytes();
  for (const Chunk& chunk : chunks_) total += chunk.columns.size();
  for (const auto& table : tables_) total += bytes_in(table);
  return total;
}

bool Trace::operator==(const Trace& other) const {
  const auto same = [](const BlockSummary& x, const BlockSummary& y) {
    return x.block == y.block && x.events == y.events && x.dropped == y.dropped;
  };
  return std::equal(summaries_.begin(), summaries_.end(), other.summaries_.begin(), other.summaries_.end(),
                    same) &&
         starts_ == other.starts_ && chunks_ == other.chunks_ && runs_ == other.runs_ &&
         barriers_ == other.barriers_ && tables_ == other.tables_ && shapes_ == other.shapes_;
}

PcIndex::PcIndex(const Trace& trace, std::size_t b) {
  const std::uint32_t count = trace.blocks()[b].events;
  std::vector<std::uint32_t> pcs(count);
  for (std::uint32_t event = 0; event < count; ++event) pcs[event] = trace.pc(b, event);
  const std::uint32_t last = pcs.empty() ? 0 : *std::max_element(pcs.begin(), pcs.end());
  first_.assign(std::size_t{last} + 3, 0);
  for (const std::uint32_t pc : pcs) ++first_[std::size_t{pc} + 2];
  for (std::size_t pc = 2; pc < first_.size(); ++pc) first_[pc] += first_[pc - 1];
  events_.resize(count);
  // first_[pc + 1] runs through the events of pc and ends as the start of pc + 1.
  for (std::uint32_t event = 0; event < count; ++event)
    events_[first_[std::size_t{pcs[event]} + 1]++] = event;
}

std::span<const std::uint32_t> PcIndex::events(std::uint32_t pc) const {
  if (std::size_t{pc} + 1 >= first_.size()) return {};
  return {events_.data() + first_[pc], first_[std::size_t{pc} + 1] - first_[pc]};
}

std::vector<std::uint32_t> PcIndex::pcs() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t pc = 0; std::size_t{pc} + 1 < first_.size(); ++pc)
    if (!events(pc).empty()) found.push_back(pc);
  return found;
}

}  // namespace warplens::trace
