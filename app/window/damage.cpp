#include "app/window/damage.hpp"

#include <algorithm>
#include <cmath>

#include "app/window/kit/imgui_compat.hpp"

namespace warplens::app {
namespace {

using damage::Bounds;
using damage::intersection;
using damage::pixels_of;

// Every region cuts what reaches over its edge, which takes a draw call more where it cannot be cut exactly.
constexpr std::size_t most_regions = 48;
constexpr std::array gaps = {0, 2, 6, 1 << 20};  // tiles between two changed ones of a row that are drawn too

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

Bounds bounds_of(const damage::Box& b) {
  return {{static_cast<float>(b.x0), static_cast<float>(b.y0)},
          {static_cast<float>(b.x1), static_cast<float>(b.y1)}};
}

Bounds intersection(const Bounds& a, const Bounds& b) {
  return {{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)},
          {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y)}};
}

}  // namespace

// The pixels that ImGui's renderer gives to glScissor, which counts from the bottom.
Damage::Box Damage::clip_of(const ImDrawData& frame, const ImDrawCmd& command) {
  const ImVec4& c = command.ClipRect;
  const float left = std::max(c.x, 0.0f), top = std::max(c.y, 0.0f);
  const float right = std::min(c.z, frame.DisplaySize.x), bottom = std::min(c.w, frame.DisplaySize.y);
  const int height = static_cast<int>(bottom - top);
  const int y1 = static_cast<int>(frame.DisplaySize.y) - static_cast<int>(frame.DisplaySize.y - bottom);
  return {static_cast<int>(left), y1 - height, static_cast<int>(left) + static_cast<int>(right - left), y1};
}

bool Damage::can_take_apart(const ImDrawData& frame) const {
  if (!same(frame.DisplayPos, {0, 0}) || !same(frame.FramebufferScale, {1, 1})) return false;
  for (int l = 0; l < frame.CmdListsCount; ++l) {
    for (const ImDrawCmd& command : frame.CmdLists[l]->CmdBuffer)
      if (command.UserCallback != nullptr) return false;
  }
  return frame.DisplaySize.x >= 1 && frame.DisplaySize.y >= 1;
}

// The tiles of this row that it covers, whatever is below.
Damage::Box Damage::covered(const Primitive& p, int row) const {
  const Command& command = command_of(p);
  const int y0 = row * tile, y1 = std::min(y0 + tile, screen_.y1);
  if (command.clip.y0 > y0 || command.clip.y1 < y1) return {};
  const damage::Span span = damage::span_between(p, command, static_cast<float>(y0), static_cast<float>(y1));
  if (span.low > span.high) return {};
  const int x0 = std::max(command.clip.x0, static_cast<int>(std::ceil(span.low)));
  const int x1 = std::min(command.clip.x1, static_cast<int>(std::floor(span.high)));
  // The last column reaches to the edge of the screen only.
  return {(x0 + tile - 1) / tile, row, x1 >= screen_.x1 ? columns_ : x1 / tile, row + 1};
}

void Damage::note(const Primitive& p) {
  const Command& command = command_of(p);
  const Box pixels = intersection(pixels_of(p.bounds), command.clip);
  if (pixels.empty()) return;
  const int number = static_cast<int>(primitives_.size());
  primitives_.push_back(p);
  const Box tiles = primitives_.back().tiles = damage::tiles_of(pixels);
  const std::uint64_t hash = damage::hash_of(p, command, pixels);
  for (int y = tiles.y0; y < tiles.y1; ++y) {
    std::uint64_t* const row = hashes_.data() + at(0, y);
    for (int x = tiles.x0; x < tiles.x1; ++x) row[x] = mixed(row[x], hash);
    if (!p.is_solid) continue;
    const Box here = covered(p, y);
    for (int x = here.x0; x < here.x1; ++x) ground_[at(x, y)] = number;
  }
}

void Damage::collect(const Command& command, int number) {
  if (command.clip.empty()) return;
  for (unsigned i = 0; i < command.source->ElemCount;) {
    Primitive p = damage::primitive_at(command, i, command.source->ElemCount);
    p.command = number;
    i += p.count;
    note(p);
  }
}

damage::TextureTraits Damage::traits_of(ImTextureID texture) const {
  if (texture == compat::font_texture())
    return {ImGui::GetFontTexUvWhitePixel(), ImGui::GetIO().Fonts->TexUvScale};
  return traits_ ? traits_(texture) : damage::TextureTraits{};
}

void Damage::collect(const ImDrawData& frame) {
  primitives_.clear();
  commands_.clear();
  hashes_.assign(static_cast<std::size_t>(columns_ * rows_), 0);
  ground_.assign(hashes_.size(), nothing);
  std::size_t vertices = 0;
  for (int l = 0; l < frame.CmdListsCount; ++l) {
    const ImDrawList& list = *frame.CmdLists[l];
    for (const ImDrawCmd& c : list.CmdBuffer)
      commands_.push_back({.source = &c,
                           .vertices = list.VtxBuffer.Data + c.VtxOffset,
                           .indices = list.IdxBuffer.Data + c.IdxOffset,
                           .first_vertex = vertices + c.VtxOffset,
                           .clip = clip_of(frame, c),
                           .texture = c.GetTexID(),
                           .traits = traits_of(c.GetTexID())});
    vertices += static_cast<std::size_t>(list.VtxBuffer.Size);
  }
  for (std::size_t i = 0; i < commands_.size(); ++i) collect(commands_[i], static_cast<int>(i));
  batches_.begin(screen_, commands_, vertices);
}

std::vector<bool> Damage::changed_tiles() const {
  std::vector<bool> changed(hashes_.size());
  for (std::size_t t = 0; t < hashes_.size(); ++t) changed[t] = hashes_[t] != seen_[t];
  return changed;
}

// Runs of changed tiles, and those of the same columns in the rows below.
std::vector<Damage::Box> Damage::regions_of(const std::vector<bool>& changed, int gap) const {
  std::vector<Box> regions;
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; ++x) {
      if (!changed[at(x, y)]) continue;
      Box run{x, y, x + 1, y + 1};
      for (int next = run.x1; next < columns_ && next - run.x1 <= gap; ++next)
        if (changed[at(next, y)]) run.x1 = next + 1;
      const auto above = std::find_if(regions.begin(), regions.end(), [&](const Box& r) {
        return r.y1 == y && r.x0 == run.x0 && r.x1 == run.x1;
      });
      if (above != regions.end())
        above->y1 = run.y1;
      else
        regions.push_back(run);
      x = run.x1;
    }
  }
  return regions;
}

void Damage::find_regions() {
  const std::vector<bool> changed = changed_tiles();
  for (const int gap : gaps) {
    regions_ = regions_of(changed, gap);
    if (regions_.size() <= most_regions) return;
  }
  Box all = regions_.front();
  for (const Box& r : regions_)
    all = {std::min(all.x0, r.x0), all.y0, std::max(all.x1, r.x1), std::max(all.y1, r.y1)};
  regions_ = {all};
}

bool Damage::has_ground() const {
  return std::all_of(regions_.begin(), regions_.end(), [&](const Box& r) {
    for (int y = r.y0; y < r.y1; ++y)
      for (int x = r.x0; x < r.x1; ++x)
        if (ground_[at(x, y)] == nothing) return false;
    return true;
  });
}

// What is below is not known: all is drawn, in its order.
void Damage::draw_without_ground() {
  regions_ = {{0, 0, columns_, rows_}};
  ground_.assign(ground_.size(), nothing);
}

ImU32 Damage::ground_color(int x, int y) const {
  const Primitive& p = primitive(ground_[at(x, y)]);
  return damage::corner(p, command_of(p), 0).col;
}

// The runs of one colour in this row of a region, each with those of the same columns in the rows above.
void Damage::extend_ground(const Box& region, int y, std::vector<Box>& runs) const {
  std::vector<Box> row;
  for (int x = region.x0; x < region.x1;) {
    const ImU32 color = ground_color(x, y);
    Box run{x++, y, x, y + 1};
    while (x < region.x1 && ground_color(x, y) == color) run.x1 = ++x;
    row.push_back(run);
  }
  for (Box& run : runs) {
    if (run.y1 != y) continue;
    const auto below =
        std::find_if(row.begin(), row.end(), [&](const Box& b) { return b.x0 == run.x0 && b.x1 == run.x1; });
    if (below == row.end() || ground_color(run.x0, run.y0) != ground_color(run.x0, y)) continue;
    run.y1 = y + 1;
    row.erase(below);
  }
  runs.insert(runs.end(), row.begin(), row.end());
}

// What is below all else in each tile of the regions.
void Damage::draw_ground() {
  for (const Box& region : regions_) {
    if (ground_[at(region.x0, region.y0)] == nothing) continue;
    std::vector<Box> runs;
    for (int y = region.y0; y < region.y1; ++y) extend_ground(region, y, runs);
    for (const Box& run : runs)
      batches_.add_rectangle(primitive(ground_[at(run.x0, run.y0)]), bounds_of(pixels_of(run)));
  }
}

// Whether it is above the ground of this tile, or is the ground and was drawn over.
bool Damage::shows_in(std::size_t tile_number, int number) const {
  const int ground = ground_[tile_number];
  return ground < number || (ground == number && soiled_[tile_number]);
}

bool Damage::shows(const Box& tiles, int number) const {
  for (int y = tiles.y0; y < tiles.y1; ++y)
    for (int x = tiles.x0; x < tiles.x1; ++x)
      if (shows_in(at(x, y), number)) return true;
  return false;
}

bool Damage::shows_in_all(const Box& tiles, int number) const {
  for (int y = tiles.y0; y < tiles.y1; ++y)
    for (int x = tiles.x0; x < tiles.x1; ++x)
      if (!shows_in(at(x, y), number)) return false;
  return true;
}

// What shows in one tile is drawn over the ground of its neighbours too, which then comes once more in its
// turn.
void Damage::soil(const Box& tiles, int number) {
  for (int y = tiles.y0; y < tiles.y1; ++y)
    for (int x = tiles.x0; x < tiles.x1; ++x)
      if (ground_[at(x, y)] > number) soiled_[at(x, y)] = true;
}

void Damage::draw_part(const Primitive& p, const Box& clip) {
  if (p.is_upright) return batches_.add_rectangle(p, intersection(p.bounds, bounds_of(clip)));
  if (const auto corners = damage::part_within(p, command_of(p), clip))
    batches_.add_polygon(p, intersection(clip, pixels_of(p.bounds)), *corners);
  else
    batches_.add(p, clip);
}

// Only where it shows: the middle of a panel is ground already.
void Damage::draw_solid(const Box& tiles, const Box& clip, int number) {
  const Primitive& p = primitive(number);
  if (shows_in_all(tiles, number)) return draw_part(p, clip);
  for (int y = tiles.y0; y < tiles.y1; ++y) {
    for (int x = tiles.x0; x < tiles.x1;) {
      const int from = x;
      while (x < tiles.x1 && shows_in(at(x, y), number)) ++x;
      if (x == from)
        ++x;
      else
        draw_part(p, intersection(clip, pixels_of(Box{from, y, x, y + 1})));
    }
  }
}

void Damage::draw_in(const Box& region, int number) {
  const Primitive& p = primitive(number);
  const Box tiles = intersection(p.tiles, region);
  if (!shows(tiles, number)) return;
  const Box clip = intersection(command_of(p).clip, intersection(pixels_of(region), screen_));
  // Cut into pieces where that may save much: a small button is drawn as it is.
  const bool is_large = tiles.x1 - tiles.x0 > 2 || tiles.y1 - tiles.y0 > 2;
  if (p.is_upright || (p.is_solid && is_large)) return draw_solid(tiles, clip, number);
  soil(tiles, number);
  const bool is_cut = !damage::contains(clip, pixels_of(p.bounds));
  if (is_cut && damage::is_picture(p, command_of(p)))
    return batches_.add_rectangle(p, intersection(p.bounds, bounds_of(clip)));
  batches_.add(p, clip);
}

// In the order of the frame. A primitive is looked at once, however many regions there are: most touch one
// tile.
void Damage::draw_regions() {
  std::vector<int> region_at(hashes_.size(), nothing);
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    for (int y = regions_[r].y0; y < regions_[r].y1; ++y)
      for (int x = regions_[r].x0; x < regions_[r].x1; ++x) region_at[at(x, y)] = static_cast<int>(r);
  }
  constexpr int few = 4;  // tiles
  for (std::size_t i = 0; i < primitives_.size(); ++i) {
    const Box& tiles = primitives_[i].tiles;
    const int number = static_cast<int>(i);
    if ((tiles.x1 - tiles.x0) * (tiles.y1 - tiles.y0) > few) {
      for (const Box& region : regions_)
        if (!intersection(tiles, region).empty()) draw_in(region, number);
      continue;
    }
    int last = nothing;  // regions are rectangles: the tiles of one follow each other in a row
    std::array<int, few> drawn;
    drawn.fill(nothing);
    std::size_t count = 0;
    for (int y = tiles.y0; y < tiles.y1; ++y) {
      for (int x = tiles.x0; x < tiles.x1; ++x) {
        const int r = region_at[at(x, y)];
        if (r == nothing || r == last || std::find(drawn.begin(), drawn.end(), r) != drawn.end()) continue;
        drawn[count++] = last = r;
        draw_in(regions_[static_cast<std::size_t>(r)], number);
      }
    }
  }
}

ImDrawData* Damage::finish(const ImDrawData& frame) {
  list_.CmdBuffer.resize(0), list_.IdxBuffer.resize(0), list_.VtxBuffer.resize(0);
  batches_.write(list_, programs_);
  drawn_ = frame;
  compat::set_lists(drawn_, lists_);
  drawn_.TotalVtxCount = list_.VtxBuffer.Size;
  drawn_.TotalIdxCount = list_.IdxBuffer.Size;
  return &drawn_;
}

ImDrawData* Damage::of(ImDrawData& frame) {
  share_ = 1;
  if (!can_take_apart(frame)) return forget(), &frame;
  const Box screen{0, 0, static_cast<int>(frame.DisplaySize.x), static_cast<int>(frame.DisplaySize.y)};
  if (screen != screen_) forget();
  screen_ = screen;
  columns_ = (screen.x1 + tile - 1) / tile, rows_ = (screen.y1 + tile - 1) / tile;
  collect(frame);
  if (seen_.empty())
    regions_ = {{0, 0, columns_, rows_}};
  else
    find_regions();
  seen_ = hashes_;
  if (!has_ground()) draw_without_ground();
  soiled_.assign(hashes_.size(), false);
  int tiles = 0;
  for (const Box& r : regions_) tiles += (r.x1 - r.x0) * (r.y1 - r.y0);
  share_ = tiles / static_cast<double>(columns_ * rows_);
  draw_ground();
  draw_regions();
  return finish(frame);
}

}  // namespace warplens::app
