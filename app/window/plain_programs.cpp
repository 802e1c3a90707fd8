#include "app/window/plain_programs.hpp"

#include <glad/gl.h>

#include <array>

namespace warplens::app {
namespace {

constexpr const char* fill_vertex_source = R"(#version 330
uniform mat4 ProjMtx;
in vec2 Position;
in vec4 Color;
out vec4 color;
void main() {
  color = Color;
  gl_Position = ProjMtx * vec4(Position, 0, 1);
}
)";
constexpr const char* fill_fragment_source = R"(#version 330
in vec4 color;
layout(location = 0) out vec4 pixel;
void main() { pixel = color; }
)";

constexpr const char* image_vertex_source = R"(#version 330
uniform mat4 ProjMtx;
in vec2 Position;
in vec2 UV;
out vec2 place;
void main() {
  place = UV;
  gl_Position = ProjMtx * vec4(Position, 0, 1);
}
)";
// Nothing but a texel: llvmpipe draws such upright rectangles a row at a time (lp_state_fs_analysis.c).
constexpr const char* image_fragment_source = R"(#version 330
uniform sampler2D Texture;
in vec2 place;
layout(location = 0) out vec4 pixel;
void main() { pixel = texture(Texture, place); }
)";

void add_shader(unsigned program, unsigned kind, const char* source) {
  const unsigned shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glDeleteShader(shader);  // goes with the program
}

}  // namespace

PlainPrograms::~PlainPrograms() {
  for (const Program& program : {fills_, images_}) {
    if (program.id != 0) glDeleteProgram(program.id);
  }
}

PlainPrograms& PlainPrograms::of(const ImDrawCmd* command) {
  return *static_cast<PlainPrograms*>(command->UserCallbackData);
}

damage::Programs PlainPrograms::callbacks() {
  return {.fills =
              [](const ImDrawList*, const ImDrawCmd* command) {
                PlainPrograms& self = of(command);
                self.build();
                glDisable(GL_BLEND);
                self.use(self.fills_);
              },
          .images =
              [](const ImDrawList*, const ImDrawCmd* command) {
                PlainPrograms& self = of(command);
                self.build();
                glEnable(GL_BLEND);
                self.use(self.images_);
              },
          .rest =
              [](const ImDrawList*, const ImDrawCmd* command) {
                glEnable(GL_BLEND);
                of(command).use_rest();
              },
          .data = this};
}

// The names are those of imgui_impl_opengl3's shaders, of every version since 1.60.
PlainPrograms::Program PlainPrograms::built(const char* vertex_source, const char* fragment_source) const {
  Program made{.id = glCreateProgram()};
  for (const char* name : {"Position", "UV", "Color"}) {
    const int place = glGetAttribLocation(drawn_for_, name);
    if (place >= 0) glBindAttribLocation(made.id, static_cast<unsigned>(place), name);
  }
  add_shader(made.id, GL_VERTEX_SHADER, vertex_source);
  add_shader(made.id, GL_FRAGMENT_SHADER, fragment_source);
  glLinkProgram(made.id);
  int linked = 0;
  glGetProgramiv(made.id, GL_LINK_STATUS, &linked);
  made.matrix = linked != 0 ? glGetUniformLocation(made.id, "ProjMtx") : -1;
  if (made.matrix >= 0 && outer_matrix_ >= 0) return made;
  glDeleteProgram(made.id);
  return {};
}

void PlainPrograms::build() {
  int current = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &current);
  if (current <= 0 || drawn_for_ == static_cast<unsigned>(current) ||
      fills_.id == static_cast<unsigned>(current) || images_.id == static_cast<unsigned>(current))
    return;
  for (const Program& program : {fills_, images_}) {
    if (program.id != 0) glDeleteProgram(program.id);
  }
  drawn_for_ = static_cast<unsigned>(current);
  outer_matrix_ = glGetUniformLocation(drawn_for_, "ProjMtx");
  fills_ = built(fill_vertex_source, fill_fragment_source);
  images_ = built(image_vertex_source, image_fragment_source);
}

void PlainPrograms::use(const Program& program) {
  if (program.id == 0) return use_rest();
  std::array<float, 16> matrix{};
  glGetUniformfv(drawn_for_, outer_matrix_, matrix.data());
  glUseProgram(program.id);
  glUniformMatrix4fv(program.matrix, 1, GL_FALSE, matrix.data());
}

void PlainPrograms::use_rest() {
  if (drawn_for_ != 0) glUseProgram(drawn_for_);
}

}  // namespace warplens::app
