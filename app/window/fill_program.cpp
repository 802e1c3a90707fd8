#include "app/window/fill_program.hpp"

#include <glad/gl.h>
#include <imgui.h>

#include <array>

namespace warplens::app {
namespace {

constexpr const char* vertex_source = R"(#version 330
uniform mat4 ProjMtx;
in vec2 Position;
in vec4 Color;
out vec4 color;
void main() {
  color = Color;
  gl_Position = ProjMtx * vec4(Position, 0, 1);
}
)";
constexpr const char* fragment_source = R"(#version 330
in vec4 color;
layout(location = 0) out vec4 pixel;
void main() { pixel = color; }
)";

void add_shader(unsigned program, unsigned kind, const char* source) {
  const unsigned shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glDeleteShader(shader);  // goes with the program
}

}  // namespace

FillProgram::~FillProgram() {
  if (program_ != 0) glDeleteProgram(program_);
}

void FillProgram::begin(const ImDrawList*, const ImDrawCmd* command) {
  glDisable(GL_BLEND);
  static_cast<FillProgram*>(command->UserCallbackData)->use();
}

// The names are those of imgui_impl_opengl3's shaders, of every version since 1.60.
void FillProgram::build() {
  if (program_ != 0) glDeleteProgram(program_);
  program_ = glCreateProgram();
  for (const char* name : {"Position", "Color"}) {
    const int place = glGetAttribLocation(drawn_for_, name);
    if (place >= 0) glBindAttribLocation(program_, static_cast<unsigned>(place), name);
  }
  add_shader(program_, GL_VERTEX_SHADER, vertex_source);
  add_shader(program_, GL_FRAGMENT_SHADER, fragment_source);
  glLinkProgram(program_);
  int linked = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &linked);
  outer_matrix_ = glGetUniformLocation(drawn_for_, "ProjMtx");
  matrix_ = linked != 0 ? glGetUniformLocation(program_, "ProjMtx") : -1;
  if (outer_matrix_ >= 0 && matrix_ >= 0) return;
  glDeleteProgram(program_);
  program_ = 0;
}

void FillProgram::use() {
  int current = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &current);
  if (current <= 0) return;
  if (drawn_for_ != static_cast<unsigned>(current)) {
    drawn_for_ = static_cast<unsigned>(current);
    build();
  }
  if (program_ == 0) return;
  std::array<float, 16> matrix{};
  glGetUniformfv(drawn_for_, outer_matrix_, matrix.data());
  glUseProgram(program_);
  glUniformMatrix4fv(matrix_, 1, GL_FALSE, matrix.data());
}

}  // namespace warplens::app
