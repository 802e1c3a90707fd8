#include "app/window/damage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/window/imgui_compat.hpp"

namespace warplens::app {
namespace {

// Every region costs a scissor and some draw calls, so that few large ones are better than many small.
constexpr std::size_t most_regions = 24;
constexpr std::array gaps = {2, 6, 1 << 20};  // tiles between two changed ones of a row that are drawn too
constexpr int vertices_of_indices = 65'536;   // ImDrawIdx has 16 bits

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

std::uint64_t mixed(std::uint64_t hash, const ImDrawVert& v) {
  static_assert(sizeof v == 20);
  std::uint64_t place = 0, texel = 0;
  std::memcpy(&place, &v.pos, sizeof place);
  std::memcpy(&texel, &v.uv, sizeof texel);
  return mixed(mixed(hash, place + v.col), texel + (std::uint64_t{v.col} << 32));
}

bool is_opaque(ImU32 color) { return (color & IM_COL32_A_MASK) == IM_COL32_A_MASK; }
bool same(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

}  // namespace

Damage::Box Damage::intersection(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

// The pixels that ImGui's renderer gives to glScissor, which counts from the bottom.
Damage::Box Damage::clip_of(const ImDrawData& frame, const ImDrawCmd& command) {
  const ImVec4& c = command.ClipRect;
  const float left = std::max(c.x, 0.0f), top = std::max(c.y, 0.0f);
  const float right = std::min(c.z, frame.DisplaySize.x), bottom = std::min(c.w, frame.DisplaySize.y);
  const int height = static_cast<int>(bottom - top);
  const int y1 = static_cast<int>(frame.DisplaySize.y) - static_cast<int>(frame.DisplaySize.y - bottom);
  return {static_cast<int>(left), y1 - height, static_cast<int>(left) + static_cast<int>(right - left), y1};
}

const ImDrawVert& Damage::vertex(const Primitive& p, unsigned corner) {
  const unsigned index = p.list->IdxBuffer.Data[p.first + corner];
  return p.list->VtxBuffer.Data[p.command->VtxOffset + index];
}

Damage::Bounds Damage::bounds(const Primitive& p) {
  Bounds b{vertex(p, 0).pos, vertex(p, 0).pos};
  for (unsigned i = 1; i < p.count; ++i) {
    const ImVec2 at = vertex(p, i).pos;
    b.low = {std::min(b.low.x, at.x), std::min(b.low.y, at.y)};
    b.high = {std::max(b.high.x, at.x), std::max(b.high.y, at.y)};
  }
  return b;
}

// As ImDrawList::PrimRect makes them. All corners have the texel that ImGui keeps white.
bool Damage::is_solid(const Primitive& p) {
  if (!p.is_quad || p.command->GetTexID() != compat::font_texture()) return false;
  const ImDrawVert& first = vertex(p, 0);
  if (!is_opaque(first.col)) return false;
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  for (const unsigned corner : {0u, 1u, 2u, 5u}) {
    const ImDrawVert& v = vertex(p, corner);
    if (v.col != first.col || !same(v.uv, white)) return false;
  }
  const ImVec2 a = first.pos, b = vertex(p, 1).pos, c = vertex(p, 2).pos, d = vertex(p, 5).pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x && a.x < b.x && a.y < c.y;
}

std::uint64_t Damage::hash_of(const Primitive& p, const Box& pixels) {
  const ImTextureID texture = p.command->GetTexID();
  std::uint64_t number = 0;
  std::memcpy(&number, &texture, std::min(sizeof number, sizeof texture));
  std::uint64_t hash = mixed(p.count, number);
  const auto two = [](int a, int b) {
    return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
  };
  hash = mixed(mixed(hash, two(pixels.x0, pixels.y0)), two(pixels.x1, pixels.y1));
  if (p.is_quad) {
    for (const unsigned corner : {0u, 1u, 2u, 5u}) hash = mixed(hash, vertex(p, corner));
  } else {
    for (unsigned i = 0; i < p.count; ++i) hash = mixed(hash, vertex(p, i));
  }
  return hash;
}

bool Damage::can_take_apart(const ImDrawData& frame) const {
  if (!same(frame.DisplayPos, {0, 0}) || !same(frame.FramebufferScale, {1, 1})) return false;
  for (int l = 0; l < frame.CmdListsCount; ++l) {
    for (const ImDrawCmd& command : frame.CmdLists[l]->CmdBuffer)
      if (command.UserCallback != nullptr) return false;
  }
  return frame.DisplaySize.x >= 1 && frame.DisplaySize.y >= 1;
}

void Damage::note(Primitive p) {
  const Bounds b = bounds(p);
  const Box pixels =
      intersection({static_cast<int>(std::floor(b.low.x)), static_cast<int>(std::floor(b.low.y)),
                    static_cast<int>(std::ceil(b.high.x)), static_cast<int>(std::ceil(b.high.y))},
                   p.clip);
  if (pixels.empty()) return;
  p.is_solid = is_solid(p);
  p.tiles = {pixels.x0 / tile, pixels.y0 / tile, (pixels.x1 + tile - 1) / tile,
             (pixels.y1 + tile - 1) / tile};
  const std::uint64_t hash = hash_of(p, pixels);
  const int number = static_cast<int>(primitives_.size());
  for (int y = p.tiles.y0; y < p.tiles.y1; ++y) {
    for (int x = p.tiles.x0; x < p.tiles.x1; ++x) {
      const std::size_t t = at(x, y);
      hashes_[t] = mixed(hashes_[t], hash);
      if (!p.is_solid) continue;
      const Box here = intersection({x * tile, y * tile, (x + 1) * tile, (y + 1) * tile}, screen_);
      const bool covers = static_cast<float>(here.x0) >= b.low.x && static_cast<float>(here.x1) <= b.high.x &&
                          static_cast<float>(here.y0) >= b.low.y && static_cast<float>(here.y1) <= b.high.y;
      if (covers && intersection(here, p.clip) == here) ground_[t] = number;
    }
  }
  primitives_.push_back(p);
}

void Damage::collect(const ImDrawList& list, const ImDrawCmd& command, const Box& clip) {
  if (clip.empty()) return;
  for (unsigned i = 0; i < command.ElemCount; i += 6) {
    Primitive p{.list = &list,
                .command = &command,
                .first = command.IdxOffset + i,
                .count = std::min(6u, command.ElemCount - i),
                .clip = clip,
                .tiles = {}};
    const ImDrawIdx* const k = list.IdxBuffer.Data + p.first;
    p.is_quad = p.count == 6 && k[1] == k[0] + 1 && k[2] == k[0] + 2 && k[3] == k[0] && k[4] == k[0] + 2 &&
                k[5] == k[0] + 3;
    note(p);
  }
}

void Damage::collect(const ImDrawData& frame) {
  primitives_.clear();
  hashes_.assign(static_cast<std::size_t>(columns_ * rows_), 0);
  ground_.assign(hashes_.size(), nothing);
  for (int l = 0; l < frame.CmdListsCount; ++l) {
    const ImDrawList& list = *frame.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer) collect(list, command, clip_of(frame, command));
  }
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

void Damage::add_callback(ImDrawCallback callback) {
  ImDrawCmd command;
  command.UserCallback = callback;
  list_.CmdBuffer.push_back(command);
}

void Damage::begin_command(const Primitive& p, const Box& clip) {
  const ImVec4 rect{static_cast<float>(clip.x0), static_cast<float>(clip.y0), static_cast<float>(clip.x1),
                    static_cast<float>(clip.y1)};
  if (!list_.CmdBuffer.empty()) {
    const ImDrawCmd& last = list_.CmdBuffer.back();
    const bool fits = list_.VtxBuffer.Size + 6 - static_cast<int>(last.VtxOffset) <= vertices_of_indices;
    if (last.UserCallback == nullptr && fits && last.GetTexID() == p.command->GetTexID() &&
        std::memcmp(&last.ClipRect, &rect, sizeof rect) == 0)
      return;
  }
  ImDrawCmd command = *p.command;
  command.ClipRect = rect;
  command.VtxOffset = static_cast<unsigned>(list_.VtxBuffer.Size);
  command.IdxOffset = static_cast<unsigned>(list_.IdxBuffer.Size);
  command.ElemCount = 0;
  list_.CmdBuffer.push_back(command);
}

void Damage::add_quad(Bounds area, const ImDrawVert& like) {
  ImDrawCmd& command = list_.CmdBuffer.back();
  const unsigned base = static_cast<unsigned>(list_.VtxBuffer.Size) - command.VtxOffset;
  for (const ImVec2 corner :
       {area.low, ImVec2{area.high.x, area.low.y}, area.high, ImVec2{area.low.x, area.high.y}}) {
    ImDrawVert v = like;
    v.pos = corner;
    list_.VtxBuffer.push_back(v);
  }
  for (const unsigned i : {0u, 1u, 2u, 0u, 2u, 3u})
    list_.IdxBuffer.push_back(static_cast<ImDrawIdx>(base + i));
  command.ElemCount += 6;
}

// What is below all else in each tile of the regions, row by row.
void Damage::draw_ground() {
  add_callback(opaque_);
  for (const Box& r : regions_) {
    for (int y = r.y0; y < r.y1; ++y) {
      for (int x = r.x0; x < r.x1;) {
        const Primitive& p = primitives_[static_cast<std::size_t>(ground_[at(x, y)])];
        const ImDrawVert& like = vertex(p, 0);
        const auto same_fill = [&](int column) {
          const Primitive& q = primitives_[static_cast<std::size_t>(ground_[at(column, y)])];
          return vertex(q, 0).col == like.col;
        };
        int end = x + 1;
        while (end < r.x1 && same_fill(end)) ++end;
        begin_command(p, screen_);
        add_quad({{static_cast<float>(x * tile), static_cast<float>(y * tile)},
                  {static_cast<float>(end * tile), static_cast<float>((y + 1) * tile)}},
                 like);
        x = end;
      }
    }
  }
  add_callback(ImDrawCallback_ResetRenderState);
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

// What shows in one tile is drawn over the ground of its neighbours too, which then comes once more in its
// turn.
void Damage::soil(const Box& tiles, int number) {
  for (int y = tiles.y0; y < tiles.y1; ++y)
    for (int x = tiles.x0; x < tiles.x1; ++x)
      if (ground_[at(x, y)] > number) soiled_[at(x, y)] = true;
}

// Only where it shows: the middle of a panel is ground already.
void Damage::draw_solid(const Box& tiles, const Box& clip, int number) {
  const Primitive& p = primitives_[static_cast<std::size_t>(number)];
  const Bounds b = bounds(p);
  for (int y = tiles.y0; y < tiles.y1; ++y) {
    for (int x = tiles.x0; x < tiles.x1;) {
      const int from = x;
      while (x < tiles.x1 && shows_in(at(x, y), number)) ++x;
      if (x == from) {
        ++x;
        continue;
      }
      begin_command(p, clip);
      add_quad({{std::max(b.low.x, static_cast<float>(from * tile)),
                 std::max(b.low.y, static_cast<float>(y * tile))},
                {std::min(b.high.x, static_cast<float>(x * tile)),
                 std::min(b.high.y, static_cast<float>((y + 1) * tile))}},
               vertex(p, 0));
    }
  }
}

void Damage::draw(const Primitive& p, const Box& clip) {
  begin_command(p, clip);
  ImDrawCmd& command = list_.CmdBuffer.back();
  const unsigned base = static_cast<unsigned>(list_.VtxBuffer.Size) - command.VtxOffset;
  if (p.is_quad) {
    for (const unsigned corner : {0u, 1u, 2u, 5u}) list_.VtxBuffer.push_back(vertex(p, corner));
    for (const unsigned i : {0u, 1u, 2u, 0u, 2u, 3u})
      list_.IdxBuffer.push_back(static_cast<ImDrawIdx>(base + i));
  } else {
    for (unsigned i = 0; i < p.count; ++i) {
      list_.VtxBuffer.push_back(vertex(p, i));
      list_.IdxBuffer.push_back(static_cast<ImDrawIdx>(base + i));
    }
  }
  command.ElemCount += p.count;
}

// A primitive is looked at once, however many regions there are: most touch one tile.
void Damage::find_members() {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> region_at(hashes_.size(), none);
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    for (int y = regions_[r].y0; y < regions_[r].y1; ++y)
      for (int x = regions_[r].x0; x < regions_[r].x1; ++x) region_at[at(x, y)] = r;
  }
  members_.assign(regions_.size(), {});
  for (std::size_t i = 0; i < primitives_.size(); ++i) {
    const Box& tiles = primitives_[i].tiles;
    const int number = static_cast<int>(i);
    for (int y = tiles.y0; y < tiles.y1; ++y) {
      for (int x = tiles.x0; x < tiles.x1; ++x) {
        const std::size_t r = region_at[at(x, y)];
        if (r != none && (members_[r].empty() || members_[r].back() != number)) members_[r].push_back(number);
      }
    }
  }
}

void Damage::draw_region(const Box& region, const std::vector<int>& members) {
  const Box pixels =
      intersection({region.x0 * tile, region.y0 * tile, region.x1 * tile, region.y1 * tile}, screen_);
  for (const int number : members) {
    const Primitive& p = primitives_[static_cast<std::size_t>(number)];
    const Box tiles = intersection(p.tiles, region);
    if (!shows(tiles, number)) continue;
    const Box clip = intersection(p.clip, pixels);
    if (p.is_solid) {
      draw_solid(tiles, clip, number);
    } else {
      soil(tiles, number);
      draw(p, clip);
    }
  }
}

ImDrawData* Damage::finish(const ImDrawData& frame) {
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
  const bool all_is_new = seen_.empty();
  if (!all_is_new) find_regions();
  seen_ = hashes_;
  if (all_is_new || !has_ground()) return &frame;
  soiled_.assign(hashes_.size(), false);
  list_.CmdBuffer.resize(0), list_.IdxBuffer.resize(0), list_.VtxBuffer.resize(0);
  int tiles = 0;
  for (const Box& r : regions_) tiles += (r.x1 - r.x0) * (r.y1 - r.y0);
  share_ = tiles / static_cast<double>(columns_ * rows_);
  if (tiles > 0) draw_ground();
  find_members();
  for (std::size_t r = 0; r < regions_.size(); ++r) draw_region(regions_[r], members_[r]);
  return finish(frame);
}

}  // namespace warplens::app
