#include "engine/report/access_story.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

namespace warplens::report {
namespace {

bool writes(const trace::Access& access) {
  return access.space == ptx::Space::global &&
         (access.kind == emulator::AccessKind::store || access.kind == emulator::AccessKind::atomic);
}

bool has_same_places(const trace::Access& a, const trace::Access& b) {
  if (a.active != b.active || a.width != b.width) return false;
  for (std::uint32_t left = a.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (a.address[lane] != b.address[lane]) return false;
  }
  return true;
}

// visit(access) for everything that a block writes to global memory; once where a warp writes to the same
// place over and over, as an endless loop does millions of times.
template <class Visit>
void for_each_write(const trace::Trace& trace, std::size_t b, Visit visit) {
  const trace::PcIndex index(trace, b);
  for (const std::uint32_t pc : index.pcs()) {
    const auto events = index.events(pc);
    if (!writes(trace.access(b, events.front()))) continue;
    std::array<std::optional<trace::Access>, 32> last;  // of each warp; a block has no more on any device
    for (const std::uint32_t event : events) {
      const trace::Access access = trace.access(b, event);
      std::optional<trace::Access>& before = last[access.warp % last.size()];
      if (before && before->warp == access.warp && has_same_places(*before, access)) continue;
      before = access;
      visit(access);
    }
  }
}

constexpr std::size_t many_owned = 1 << 20;

// Keeps each pair once, at the place where it came first.
void keep_distinct(std::vector<AccessStory::Owned>& owned) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
  std::erase_if(
      owned, [&](const AccessStory::Owned& each) { return !seen.emplace(each.element, each.thread).second; });
}

std::vector<std::vector<AccessStory::Owned>> owned_elements(const trace::Trace& trace, std::size_t b,
                                                            std::span<const PlacedBuffer> buffers,
                                                            const std::vector<Face>& faces) {
  std::vector<std::vector<AccessStory::Owned>> owned(buffers.size());
  std::vector<std::size_t> room(owned.size(), many_owned);  // to grow to, before pairs are made distinct
  for_each_write(trace, b, [&](const trace::Access& access) {
    for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const auto element = element_at(buffers, access.address[lane]);
      if (!element) continue;
      const auto size = problem::size_in_bytes(buffers[element->buffer].buffer.type);
      for (std::uint64_t e = 0; e < std::max<std::uint64_t>(access.width / size, 1); ++e)
        owned[element->buffer].push_back({element->index + e, access.warp * 32 + lane});
      if (auto& grown = owned[element->buffer]; grown.size() > room[element->buffer]) {
        keep_distinct(grown);
        room[element->buffer] = std::max(many_owned, 2 * grown.size());
      }
    }
  });
  for (std::size_t f = 0; f < owned.size(); ++f)
    for (AccessStory::Owned& each : owned[f]) each.cell = cell_of(faces[f], each.element);
  return owned;
}

void widen(AccessStory::Area& area, Cell cell) {
  if (!area) area.emplace(cell, cell);
  auto& [low, high] = *area;
  low = {std::min(low.row, cell.row), std::min(low.column, cell.column)};
  high = {std::max(high.row, cell.row), std::max(high.column, cell.column)};
}

AccessStory::Area area_of(const std::vector<AccessStory::Owned>& owned) {
  AccessStory::Area area;
  for (const AccessStory::Owned& each : owned) widen(area, each.cell);
  return area;
}

// faces: of the buffers alone.
std::vector<AccessStory::Area> touched_areas(const trace::Trace& trace, std::size_t b,
                                             const std::vector<Face>& faces) {
  constexpr std::uint32_t most = 4096;
  std::vector<AccessStory::Area> areas(faces.size());
  const std::uint32_t events = trace.blocks()[b].events;
  for (std::uint32_t event = 0; events <= most && event < events; ++event) {
    const trace::Access access = trace.access(b, event);
    if (access.space != ptx::Space::global) continue;
    for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
      const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(left))];
      for (std::size_t f = 0; f < faces.size(); ++f)
        for (const std::uint64_t byte : {first, first + std::max<std::uint64_t>(access.width, 1) - 1})
          if (const auto e = element_of(faces[f], byte)) widen(areas[f], cell_of(faces[f], *e));
    }
  }
  return areas;
}

// owned: by block 0. Where the last blocks end, if each covers as much as it does.
void find_covered(const std::vector<std::vector<AccessStory::Owned>>& owned, std::vector<Face>& faces) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    Face& face = faces[f];
    const auto area = area_of(owned[f]);
    if (!area || face.fold != 0) continue;
    const auto [low, high] = *area;
    if (low.row != 0 || low.column != 0) continue;
    const auto up = [](std::int64_t n, std::int64_t tile) { return (n + tile - 1) / tile * tile; };
    face.covered_rows = up(face.rows, high.row + 1);
    face.covered_columns = up(face.columns, high.column + 1);
  }
}

// Whether the block has an access to this face. An instruction keeps to one buffer in the kernels that have
// copies, so that its first event tells.
bool is_touched(const trace::Trace& trace, std::size_t b, const Face& face) {
  const trace::PcIndex index(trace, b);
  const auto pcs = index.pcs();
  return std::any_of(pcs.begin(), pcs.end(), [&](std::uint32_t pc) {
    const trace::Access access = trace.access(b, index.events(pc).front());
    if (access.space != ptx::Space::global || access.active == 0) return false;
    return element_of(face, access.address[static_cast<std::size_t>(std::countr_zero(access.active))])
        .has_value();
  });
}

// faces: of the buffers alone.
std::optional<std::array<std::size_t, 3>> find_product(const std::vector<Face>& faces) {
  if (faces.size() != 3) return std::nullopt;
  std::vector<std::size_t> places;  // the inputs in their order, then the output
  for (const bool is_output : {false, true})
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (faces[f].is_output == is_output) places.push_back(f);
  const Face &a = faces[places[0]], &b = faces[places[1]], &c = faces[places[2]];
  for (const Face& face : faces)
    if (face.fold != 0) return std::nullopt;
  if (b.is_output || a.rows != c.rows || a.columns != b.rows || b.columns != c.columns) return std::nullopt;
  return std::array{places[0], places[1], places[2]};
}

}  // namespace

AccessStory::AccessStory(std::shared_ptr<const trace::Trace> trace, std::size_t b,
                         std::span<const PlacedBuffer> buffers, const KernelText& text)
    : trace_(std::move(trace)), accesses_(*trace_, b) {
  for (const auto& placed : buffers) faces_.push_back(face_of(placed));
  owned_ = owned_elements(*trace_, b, buffers, faces_);
  for (const auto& owned : owned_) owned_areas_.push_back(area_of(owned));
  touched_areas_ = touched_areas(*trace_, b, faces_);
  if (const auto zero = trace_->find_block(0))
    find_covered(*zero == b ? owned_ : owned_elements(*trace_, *zero, buffers, faces_), faces_);
  bool any_copy = false;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    if (!buffers[f].buffer.is_copy) continue;
    any_copy = true;
    faces_[f].is_unused = !is_touched(*trace_, b, faces_[f]);
  }
  // The factors of a product whose second is the first laid out otherwise are not drawn left and above.
  if (!any_copy) product_ = find_product(faces_);
  if (product_) {
    const auto& [left, above, corner] = *product_;
    faces_[left].covered_rows = faces_[corner].covered_rows;
    faces_[above].covered_columns = faces_[corner].covered_columns;
  }
  for (const SharedArray& array : shared_arrays(text, accesses_)) faces_.push_back(face_of(array));
  owned_.resize(faces_.size()), owned_areas_.resize(faces_.size()), touched_areas_.resize(faces_.size());
  if (product_ || std::ranges::any_of(faces_, &Face::is_shared))
    traffic_ = element_traffic(*trace_, b, faces_);
}

std::optional<std::size_t> AccessStory::touched_face(std::uint32_t event) const {
  const trace::Trace& trace = accesses_.trace();
  const ptx::Space space = trace.space(accesses_.block(), event);
  const auto address = trace.first_address(accesses_.block(), event);
  if (space == ptx::Space::local || !address) return std::nullopt;
  for (std::size_t f = 0; f < faces_.size(); ++f)
    if (faces_[f].is_shared == (space == ptx::Space::shared) && has(faces_[f], *address)) return f;
  return std::nullopt;
}

const std::vector<TileFlight>& AccessStory::flights(std::uint32_t warp) const {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = flights_.try_emplace(warp);
  if (is_new) known->second = tile_flights(accesses_, warp);
  return known->second;
}

}  // namespace warplens::report
