// Draws plain fills without a texture. ImGui's own program reads a white texel for each of their pixels,
// which takes a software renderer longer than all else that it does for a fill.
#pragma once

struct ImDrawList;
struct ImDrawCmd;

namespace warplens::app {

// Preconditions: an OpenGL 3.3 context is current for every call, the destructor included.
class FillProgram {
 public:
  FillProgram() = default;
  FillProgram(const FillProgram&) = delete;
  FillProgram& operator=(const FillProgram&) = delete;
  ~FillProgram();

  // An ImDrawCallback, whose command's UserCallbackData is the FillProgram: from here to
  // ImDrawCallback_ResetRenderState the colours of the vertices are drawn as they are, over all below.
  // Where there is no such program, ImGui's own goes on, with the same picture.
  static void begin(const ImDrawList*, const ImDrawCmd* command);

 private:
  void use();
  void build();

  unsigned drawn_for_ = 0;  // ImGui's program, whose attributes and matrix are taken over; it changes with it
  unsigned program_ = 0;    // 0: there is none
  int outer_matrix_ = -1, matrix_ = -1;
};

}  // namespace warplens::app
