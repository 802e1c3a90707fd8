#include "viz/live/live_plots.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viz/live/live_shaders.hpp"
#include "viz/theme/colormap.hpp"

namespace warplens::live {
namespace {

constexpr int kRampSteps = 33;  // as the shaders have it

// Empty where it compiles, else what the driver says.
std::string compile(GLuint shader, const char* text) {
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine == GL_TRUE) return "";
  std::string log(2048, '\0');
  GLsizei length = 0;
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
  log.resize(static_cast<std::size_t>(length));
  return log.empty() ? "a shader does not compile" : log;
}

Result<unsigned> make_program(const char* vertex_text, const char* fragment_text) {
  const GLuint program = glCreateProgram();
  const GLuint shaders[] = {glCreateShader(GL_VERTEX_SHADER), glCreateShader(GL_FRAGMENT_SHADER)};
  std::string wrong = compile(shaders[0], vertex_text);
  if (wrong.empty()) wrong = compile(shaders[1], fragment_text);
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  if (wrong.empty()) glLinkProgram(program);
  for (const GLuint shader : shaders) glDeleteShader(shader);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  glDeleteProgram(program);
  return Error{"the live plots cannot be drawn: " + (wrong.empty() ? "a program does not link" : wrong),
               "install a driver with OpenGL 3.3"};
}

// The uniforms of the program in use. Names that a compiler removed are at -1, which OpenGL ignores.
class Uniforms {
 public:
  explicit Uniforms(GLuint program) : program_(program) {}
  void set(const char* name, int value) const { glUniform1i(at(name), value); }
  void set(const char* name, double value) const { glUniform1f(at(name), static_cast<float>(value)); }
  void set(const char* name, double x, double y) const {
    glUniform2f(at(name), static_cast<float>(x), static_cast<float>(y));
  }
  void set(const char* name, theme::Rgba c) const {
    glUniform4f(at(name), c.r / 255.0f, c.g / 255.0f, c.b / 255.0f, c.a / 255.0f);
  }
  void set_ramp() const {
    float values[3 * kRampSteps];
    for (int i = 0; i < kRampSteps; ++i) {
      const theme::Rgba c = theme::sample(theme::Colormap::viridis, i / (kRampSteps - 1.0));
      values[3 * i] = c.r / 255.0f;
      values[3 * i + 1] = c.g / 255.0f;
      values[3 * i + 2] = c.b / 255.0f;
    }
    glUniform3fv(at("ramp"), kRampSteps, values);
  }

 private:
  GLint at(const char* name) const { return glGetUniformLocation(program_, name); }
  GLuint program_;
};

// Whole pixels, from the lower left corner as OpenGL counts.
struct Box {
  int x, y, width, height;
};
Box box_of(const scene::Rect& rect, int framebuffer_height) {
  const auto x = static_cast<int>(std::lround(rect.x)), right = static_cast<int>(std::lround(rect.right()));
  const auto top = static_cast<int>(std::lround(rect.y)),
             bottom = static_cast<int>(std::lround(rect.bottom()));
  return {x, framebuffer_height - bottom, right - x, bottom - top};
}

void set_place(const Uniforms& uniforms, const Target& target) {
  const Box box = box_of(target.rect, target.framebuffer_height);
  uniforms.set("origin", box.x, box.y);
  uniforms.set("size", box.width, box.height);
}

}  // namespace

Result<std::unique_ptr<LivePlots>> LivePlots::create() {
  std::unique_ptr<LivePlots> made(new LivePlots);
  const auto launches = make_program(shader::kWholeVertex, shader::kLaunchesFragment);
  if (!launches) return launches.error();
  made->launches_ = *launches;
  const auto blocks = make_program(shader::kBlocksVertex, shader::kBlocksFragment);
  if (!blocks) return blocks.error();
  made->blocks_ = *blocks;
  const auto result = make_program(shader::kWholeVertex, shader::kResultFragment);
  if (!result) return result.error();
  made->result_ = *result;
  glGenVertexArrays(1, &made->vertices_);
  return made;
}

LivePlots::~LivePlots() {
  for (const unsigned program : {launches_, blocks_, result_}) glDeleteProgram(program);
  if (vertices_ != 0) glDeleteVertexArrays(1, &vertices_);
}

bool LivePlots::begin(unsigned program, const LiveBuffer& buffer, const Target& target) {
  const auto clip = scene::intersection(target.rect, target.clip);
  if (!clip) return false;
  const Box box = box_of(target.rect, target.framebuffer_height),
            scissor = box_of(*clip, target.framebuffer_height);
  if (box.width < 1 || box.height < 1 || scissor.width < 1 || scissor.height < 1) return false;
  glViewport(box.x, box.y, box.width, box.height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(scissor.x, scissor.y, scissor.width, scissor.height);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program);
  glBindVertexArray(vertices_);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_BUFFER, buffer.texture());
  Uniforms(program).set("data", 0);
  return true;
}

void LivePlots::draw(const LiveBuffer& buffer, const LaunchPlot& plot, const Target& target) {
  const std::uint32_t capacity = buffer.layout().launches;
  if (capacity == 0 || plot.written == 0 || !begin(launches_, buffer, target)) return;
  const Uniforms uniforms(launches_);
  set_place(uniforms, target);
  uniforms.set("capacity", static_cast<int>(capacity));
  uniforms.set("newest", static_cast<int>(plot.written % capacity));
  uniforms.set("count", static_cast<int>(std::min<std::uint64_t>(plot.written, capacity)));
  uniforms.set("shown", static_cast<int>(std::clamp(plot.shown, 1u, capacity)));
  uniforms.set("work", 1e9 * plot.work);
  uniforms.set("top", plot.top);
  uniforms.set("thickness", plot.thickness);
  uniforms.set("line_color", plot.line);
  uniforms.set("range_color", plot.range);
  uniforms.set("fill_color", plot.fill);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void LivePlots::draw(const LiveBuffer& buffer, const BlockPlot& plot, const Target& target) {
  const std::uint32_t blocks = std::min(plot.blocks, buffer.layout().blocks);
  if (blocks == 0 || !begin(blocks_, buffer, target)) return;
  const Uniforms uniforms(blocks_);
  set_place(uniforms, target);
  uniforms.set("first", static_cast<int>(buffer.layout().blocks_at() / gpu::kTexel));
  uniforms.set("span", std::max(plot.span, 1.0));
  uniforms.set("rows", std::max(1.0, static_cast<double>(plot.multiprocessors)));
  uniforms.set("slots", std::max(1.0, static_cast<double>(plot.slots)));
  uniforms.set("blocks", static_cast<double>(plot.in_grid));
  uniforms.set_ramp();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(blocks));
}

void LivePlots::draw(const LiveBuffer& buffer, const ResultPlot& plot, const Target& target) {
  if (buffer.layout().elements == 0 || !begin(result_, buffer, target)) return;
  const Uniforms uniforms(result_);
  set_place(uniforms, target);
  uniforms.set("first", static_cast<int>(buffer.layout().result_at() / gpu::kTexel));
  uniforms.set("rows", static_cast<int>(plot.shape.rows));
  uniforms.set("columns", static_cast<int>(plot.shape.columns));
  uniforms.set("leading", static_cast<int>(plot.shape.leading_dimension));
  uniforms.set("by_rows", plot.shape.row_major ? 1 : 0);
  uniforms.set("range", plot.low, plot.high);
  uniforms.set("unwritten_color", plot.unwritten);
  uniforms.set("hatch_color", plot.hatch);
  uniforms.set("hatch", plot.hatch_distance);
  uniforms.set_ramp();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace warplens::live
