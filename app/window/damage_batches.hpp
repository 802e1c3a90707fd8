// Primitives and parts of them, gathered into as few draw calls as their order allows: one that stays
// apart from what came between joins an earlier call of its texture, or of any where it needs none. A call
// costs a software renderer as much as some dozens of characters.
#pragma once

#include <span>
#include <vector>

#include "app/window/damage_primitives.hpp"

namespace warplens::app::damage {

// Called by the renderer in front of what it draws otherwise than the rest, with `data` in their commands.
struct Programs {
  ImDrawCallback fills = nullptr;   // each of one opaque colour, and above nothing; see Primitive::is_solid
  ImDrawCallback images = nullptr;  // see TextureTraits::is_image
  ImDrawCallback rest = nullptr;    // as it was before either
  void* data = nullptr;
};

class Batches {
 public:
  // For a new frame of so many tiles, whose commands have so many vertices in all. They, and the
  // primitives that are added, stay valid until the end of `write`.
  void begin(const Box& screen, const std::vector<Command>& commands, std::size_t vertices);

  // What is added later is drawn later where both touch. Preconditions: boxes are within the screen.
  // All of the primitive, of which `clip` lets a part through.
  void add(const Primitive& p, const Box& clip);
  // A convex polygon within these pixels, in the one opaque colour of the primitive.
  void add_polygon(const Primitive& p, const Box& pixels, std::span<const ImVec2> corners);
  // The same of a rectangle, or a part of a picture in whole pixels.
  void add_rectangle(const Primitive& p, const Bounds& area);

  void write(ImDrawList& list, const Programs& programs);

 private:
  struct Piece {
    const Primitive* primitive = nullptr;
    unsigned first = 0, count = 0;  // of corners_; none where it is the whole primitive
  };
  struct Batch {
    const Command* like = nullptr;  // has its texture
    bool is_blank = true;           // all its pieces are, so that the texture can become another
    Box clip;
    std::vector<Piece> pieces;
  };
  // Where a vertex of the frame stands in the command that is written.
  struct Slot {
    unsigned command = 0;
    ImDrawIdx index = 0;
  };

  std::uint32_t last_in(const Box& pixels) const;
  void put(std::uint32_t batch, const Box& pixels, const Piece& piece);
  static bool takes(const Batch& batch, const Primitive& p, const Command& like);
  std::uint32_t batch_for(const Primitive& p, const Command& like, const Box& clip, const Box& pixels);
  void write(ImDrawList& list, const Batch& batch);
  void begin_command(ImDrawList& list, const Batch& batch);
  ImDrawIdx add_vertex(ImDrawList& list, const ImDrawVert& vertex, const Command& from) const;
  static void end_pair(ImDrawList& list);
  void write_primitive(ImDrawList& list, const Primitive& p);
  void write_polygon(ImDrawList& list, const Piece& piece);

  const std::vector<Command>* commands_ = nullptr;
  Box screen_;
  int columns_ = 0;
  std::vector<std::uint32_t> last_;  // by cell of the screen: the last batch that touches it
  std::vector<Batch> batches_;       // the first: opaque and above nothing but itself
  std::size_t used_ = 0;             // batches of this frame
  std::vector<ImVec2> corners_;
  std::vector<Slot> slots_;
  unsigned command_ = 0;           // that is written, counted through all frames
  const Command* like_ = nullptr;  // of it
};

}  // namespace warplens::app::damage
