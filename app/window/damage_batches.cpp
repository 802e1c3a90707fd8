#include "app/window/damage_batches.hpp"

#include <algorithm>
#include <array>

namespace warplens::app::damage {
namespace {

// llvmpipe draws two triangles that make an upright rectangle as one where they are a third pair and so on of
// their call (lp_setup_draw_elements in its lp_setup_vbuf.c), which it takes apart where it has more indices
// than these.
constexpr unsigned pair = 6, most_indices = 1020;

constexpr int cell = 8;  // pixels

Box cells_of(const Box& pixels) {
  return {pixels.x0 / cell, pixels.y0 / cell, (pixels.x1 + cell - 1) / cell, (pixels.y1 + cell - 1) / cell};
}

// Where a place of a picture is in its texture; of what is blank all is one texel.
class Texels {
 public:
  Texels(const Primitive& p, const Command& command) : from_(corner(p, command, 0)) {
    if (p.is_blank) return;
    const ImDrawVert& to = corner(p, command, 2);
    step_ = {(to.uv.x - from_.uv.x) / (to.pos.x - from_.pos.x),
             (to.uv.y - from_.uv.y) / (to.pos.y - from_.pos.y)};
  }
  ImVec2 at(ImVec2 p) const {
    return {from_.uv.x + (p.x - from_.pos.x) * step_.x, from_.uv.y + (p.y - from_.pos.y) * step_.y};
  }

 private:
  const ImDrawVert& from_;
  ImVec2 step_{0, 0};
};

void add_callback(ImDrawList& list, ImDrawCallback callback, void* data) {
  ImDrawCmd command;
  command.UserCallbackData = data;
  command.UserCallback = callback;
  list.CmdBuffer.push_back(command);
}

}  // namespace

void Batches::begin(const Box& screen, const std::vector<Command>& commands, std::size_t vertices) {
  commands_ = &commands;
  screen_ = screen;
  const Box cells = cells_of(screen);
  columns_ = cells.x1;
  last_.assign(static_cast<std::size_t>(cells.x1 * cells.y1), 0);
  for (Batch& batch : batches_) batch.pieces.clear();
  if (batches_.empty()) batches_.emplace_back();
  batches_.front().like = nullptr;
  batches_.front().clip = screen;
  used_ = 1;
  corners_.clear();
  if (slots_.size() < vertices) slots_.resize(vertices);
}

std::uint32_t Batches::last_in(const Box& pixels) const {
  const Box cells = cells_of(pixels);
  std::uint32_t last = 0;
  for (int y = cells.y0; y < cells.y1; ++y) {
    const std::uint32_t* const row = last_.data() + y * columns_;
    for (int x = cells.x0; x < cells.x1; ++x) last = std::max(last, row[x]);
  }
  return last;
}

void Batches::put(std::uint32_t batch, const Box& pixels, const Piece& piece) {
  const Box cells = cells_of(pixels);
  for (int y = cells.y0; y < cells.y1; ++y)
    std::fill(last_.begin() + y * columns_ + cells.x0, last_.begin() + y * columns_ + cells.x1, batch);
  batches_[batch].pieces.push_back(piece);
}

bool Batches::takes(const Batch& batch, const Primitive& p, const Command& like) {
  if (batch.like->texture == like.texture) return true;
  return (p.is_blank && batch.like->traits.white) || (batch.is_blank && like.traits.white);
}

// `like`: the primitive's own command.
std::uint32_t Batches::batch_for(const Primitive& p, const Command& like, const Box& clip,
                                 const Box& pixels) {
  const bool is_cut = !contains(clip, pixels);
  const Box seen = intersection(clip, pixels);
  for (std::size_t b = std::max(last_in(seen), 1u); b < used_; ++b) {
    Batch& batch = batches_[b];
    if (!takes(batch, p, like) || !(is_cut ? batch.clip == clip : contains(batch.clip, pixels))) continue;
    if (batch.is_blank && !p.is_blank) batch.like = &like, batch.is_blank = false;
    return static_cast<std::uint32_t>(b);
  }
  if (used_ == batches_.size()) batches_.emplace_back();
  batches_[used_].like = &like;
  batches_[used_].is_blank = p.is_blank;
  batches_[used_].clip = is_cut ? clip : screen_;
  return static_cast<std::uint32_t>(used_++);
}

void Batches::add(const Primitive& p, const Box& clip) {
  const Command& command = (*commands_)[static_cast<std::size_t>(p.command)];
  const Box pixels = pixels_of(p.bounds);
  put(batch_for(p, command, clip, pixels), intersection(clip, pixels), {&p});
}

void Batches::add_polygon(const Primitive& p, const Box& pixels, std::span<const ImVec2> corners) {
  if (corners.size() < 3) return;
  const Command& command = (*commands_)[static_cast<std::size_t>(p.command)];
  const bool is_lowest = p.is_solid && last_in(pixels) == 0;
  if (is_lowest && batches_.front().like == nullptr) batches_.front().like = &command;
  const Piece piece{&p, static_cast<unsigned>(corners_.size()), static_cast<unsigned>(corners.size())};
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  put(is_lowest ? 0 : batch_for(p, command, screen_, pixels), pixels, piece);
}

void Batches::add_rectangle(const Primitive& p, const Bounds& area) {
  if (area.low.x >= area.high.x || area.low.y >= area.high.y) return;
  const std::array<ImVec2, 4> corners = {area.low, ImVec2{area.high.x, area.low.y}, area.high,
                                         ImVec2{area.low.x, area.high.y}};
  add_polygon(p, intersection(pixels_of(area), screen_), corners);
}

void Batches::begin_command(ImDrawList& list, const Batch& batch) {
  ImDrawCmd command = *batch.like->source;
  command.ClipRect = {static_cast<float>(batch.clip.x0), static_cast<float>(batch.clip.y0),
                      static_cast<float>(batch.clip.x1), static_cast<float>(batch.clip.y1)};
  command.VtxOffset = static_cast<unsigned>(list.VtxBuffer.Size);
  command.IdxOffset = static_cast<unsigned>(list.IdxBuffer.Size);
  command.ElemCount = 0;
  list.CmdBuffer.push_back(command);
  ++command_;
  like_ = batch.like;
}

// What is drawn with another texture than its own is blank, and that texture has a white texel: see takes().
ImDrawIdx Batches::add_vertex(ImDrawList& list, const ImDrawVert& vertex, const Command& from) const {
  list.VtxBuffer.push_back(vertex);
  if (from.texture != like_->texture) list.VtxBuffer.back().uv = *like_->traits.white;
  return static_cast<ImDrawIdx>(static_cast<unsigned>(list.VtxBuffer.Size - 1) -
                                list.CmdBuffer.back().VtxOffset);
}

// A triangle without an area where the last one has no second.
void Batches::end_pair(ImDrawList& list) {
  ImDrawCmd& command = list.CmdBuffer.back();
  while (command.ElemCount % pair != 0) {
    list.IdxBuffer.push_back(ImDrawIdx{list.IdxBuffer.back()});
    ++command.ElemCount;
  }
}

// A vertex that several primitives share is written once a command.
void Batches::write_primitive(ImDrawList& list, const Primitive& p) {
  const Command& command = (*commands_)[static_cast<std::size_t>(p.command)];
  const ImDrawIdx* const indices = command.indices + p.first;
  if (p.kind == Primitive::Kind::quad) {
    const ImDrawVert* const v = command.vertices + indices[0];
    const ImDrawIdx base = add_vertex(list, v[0], command);
    for (std::size_t i = 1; i < 4; ++i) add_vertex(list, v[i], command);
    for (const unsigned i : {0u, 1u, 2u, 0u, 2u, 3u})
      list.IdxBuffer.push_back(static_cast<ImDrawIdx>(base + i));
  } else {
    for (unsigned i = 0; i < p.count; ++i) {
      Slot& slot = slots_[command.first_vertex + indices[i]];
      if (slot.command != command_)
        slot = {command_, add_vertex(list, command.vertices[indices[i]], command)};
      list.IdxBuffer.push_back(slot.index);
    }
  }
  list.CmdBuffer.back().ElemCount += p.count;
  end_pair(list);
}

void Batches::write_polygon(ImDrawList& list, const Piece& piece) {
  const Command& command = (*commands_)[static_cast<std::size_t>(piece.primitive->command)];
  ImDrawVert vertex = corner(*piece.primitive, command, 0);
  const Texels texels(*piece.primitive, command);
  ImDrawIdx base = 0;
  for (unsigned i = 0; i < piece.count; ++i) {
    vertex.pos = corners_[piece.first + i];
    vertex.uv = texels.at(vertex.pos);
    const ImDrawIdx index = add_vertex(list, vertex, command);
    if (i == 0) base = index;
  }
  for (unsigned i = 2; i < piece.count; ++i)
    for (const unsigned k : {0u, i - 1, i}) list.IdxBuffer.push_back(static_cast<ImDrawIdx>(base + k));
  list.CmdBuffer.back().ElemCount += 3 * (piece.count - 2);
  end_pair(list);
}

void Batches::write(ImDrawList& list, const Batch& batch) {
  if (batch.pieces.empty()) return;
  begin_command(list, batch);
  for (const Piece& piece : batch.pieces) {
    const unsigned used = list.CmdBuffer.back().ElemCount;
    const unsigned more = piece.count > 0 ? 3 * (piece.count - 2) : piece.primitive->count;
    if (used > 0 && used + more > most_indices) begin_command(list, batch);
    if (piece.count > 0)
      write_polygon(list, piece);
    else
      write_primitive(list, *piece.primitive);
  }
}

void Batches::write(ImDrawList& list, const Programs& programs) {
  ImDrawCallback current = programs.rest;
  const auto use = [&](ImDrawCallback wanted) {
    if (wanted != current) add_callback(list, wanted, programs.data);
    current = wanted;
  };
  if (!batches_.front().pieces.empty()) {
    use(programs.fills);
    write(list, batches_.front());
  }
  for (std::size_t b = 1; b < used_; ++b) {
    use(batches_[b].like->traits.is_image ? programs.images : programs.rest);
    write(list, batches_[b]);
  }
  use(programs.rest);
}

}  // namespace warplens::app::damage
