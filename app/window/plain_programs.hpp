// Draws plain fills without a texture, and images without a colour of their own. ImGui's own program reads a
// white texel for each pixel of a fill and multiplies each of an image by white, which takes a software
// renderer longer than all else that it does for them.
#pragma once

#include "app/window/damage_batches.hpp"

namespace warplens::app {

// Preconditions: an OpenGL 3.3 context is current for every call, the destructor included.
class PlainPrograms {
 public:
  PlainPrograms() = default;
  PlainPrograms(const PlainPrograms&) = delete;
  PlainPrograms& operator=(const PlainPrograms&) = delete;
  ~PlainPrograms();

  // For a renderer of ImGui's draw lists (imgui_impl_opengl3). Where there is no such program, ImGui's own
  // goes on. Valid as long as this.
  damage::Programs callbacks();

 private:
  struct Program {
    unsigned id = 0;  // 0: there is none
    int matrix = -1;
  };

  static PlainPrograms& of(const ImDrawCmd* command);
  void use(const Program& program);
  void use_rest();
  void build();
  Program built(const char* vertex_source, const char* fragment_source) const;

  unsigned drawn_for_ = 0;  // ImGui's program, whose attributes and matrix are taken over; it changes with it
  int outer_matrix_ = -1;
  Program fills_, images_;
};

}  // namespace warplens::app
