// What of a frame differs from the frame before it, so that only that is drawn anew into a framebuffer that
// keeps its pixels. A software renderer takes most of a frame's time for pixels that stay as they are.
//
// The screen is cut into tiles. A tile is drawn anew where the primitives that touch it are others than in
// the frame before (rxi, "Cached software rendering", 2017: a hash a cell of the commands that touch it), and
// then only from the last opaque fill that covers it: nothing below that can be seen.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/window/damage_batches.hpp"
#include "app/window/damage_primitives.hpp"

namespace warplens::app {

class Damage {
 public:
  static constexpr int tile = damage::tile;  // pixels

  // traits: of textures other than ImGui's font texture. Fills can be drawn with one that has a white texel,
  // in one call with what else it is for. Precondition: ImGui's context is current, and outlives this.
  using Traits = std::function<damage::TextureTraits(ImTextureID)>;
  explicit Damage(const damage::Programs& programs, Traits traits = {})
      : programs_(programs),
        traits_(std::move(traits)),
        list_(ImGui::GetDrawListSharedData()),
        lists_{&list_} {}
  Damage(const Damage&) = delete;
  Damage& operator=(const Damage&) = delete;

  // What to draw over the frame before to see this one; all of it where a tile has no opaque fill that covers
  // it. `frame` itself where it cannot be taken apart: with callbacks, or with pixels that are not its
  // coordinates. Valid until the next call. Precondition: called for every frame, in order.
  ImDrawData* of(ImDrawData& frame);
  // Draws all of the next frame: the framebuffer or the textures are others now.
  void forget() { seen_.clear(); }
  // The share of the tiles that the last frame drew anew, 0 to 1.
  double share() const { return share_; }

 private:
  using Box = damage::Box;
  using Command = damage::Command;
  using Primitive = damage::Primitive;
  static constexpr int nothing = -1;  // no primitive, no region

  static Box clip_of(const ImDrawData& frame, const ImDrawCmd& command);
  bool can_take_apart(const ImDrawData& frame) const;
  void collect(const ImDrawData& frame);
  void collect(const Command& command, int number);
  damage::TextureTraits traits_of(ImTextureID texture) const;
  void note(const Primitive& p);
  Box covered(const Primitive& p, int row) const;
  std::vector<bool> changed_tiles() const;
  std::vector<Box> regions_of(const std::vector<bool>& changed, int gap) const;
  void find_regions();
  bool has_ground() const;
  void draw_without_ground();
  ImU32 ground_color(int x, int y) const;
  void extend_ground(const Box& region, int y, std::vector<Box>& runs) const;
  void draw_ground();
  void draw_regions();
  void draw_in(const Box& region, int number);
  void draw_solid(const Box& tiles, const Box& clip, int number);
  void draw_part(const Primitive& p, const Box& clip);
  bool shows_in(std::size_t tile_number, int number) const;
  bool shows(const Box& tiles, int number) const;
  bool shows_in_all(const Box& tiles, int number) const;
  void soil(const Box& tiles, int number);
  ImDrawData* finish(const ImDrawData& frame);

  std::size_t at(int x, int y) const { return static_cast<std::size_t>(y * columns_ + x); }
  const Primitive& primitive(int number) const { return primitives_[static_cast<std::size_t>(number)]; }
  const Command& command_of(const Primitive& p) const {
    return commands_[static_cast<std::size_t>(p.command)];
  }

  damage::Programs programs_;
  Traits traits_;
  int columns_ = 0, rows_ = 0;
  Box screen_;  // pixels
  std::vector<Command> commands_;
  std::vector<Primitive> primitives_;
  std::vector<std::uint64_t> hashes_, seen_;  // by tile; seen_ is empty where all is new
  std::vector<int> ground_;                   // by tile: the last opaque fill that covers it
  std::vector<bool> soiled_;                  // by tile: something below its ground was drawn over it
  std::vector<Box> regions_;                  // in tiles; apart from each other
  double share_ = 1;
  damage::Batches batches_;
  ImDrawList list_;
  std::array<ImDrawList*, 1> lists_;
  ImDrawData drawn_;
};

}  // namespace warplens::app
