#include "app/window/platform/offscreen.hpp"

#include <glad/egl.h>
#include <glad/gl.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace warplens::app {

struct Offscreen::Egl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  ~Egl() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    gladLoaderUnloadEGL();
  }
};

namespace {

Error no_egl(const char* why) {
  return {std::string("cannot draw without a display: ") + why,
          "install libegl1 and libgl1-mesa-dri, or NVIDIA's driver with its EGL"};
}

bool has_word(const char* words, const char* word) {
  return words != nullptr && std::strstr(words, word) != nullptr;
}

// Mesa first: it needs no device. Then each device that EGL knows.
std::vector<EGLDisplay> displays() {
  std::vector<EGLDisplay> found;
  // Before a display exists glad's loader leaves the extension functions out, so they are asked for by name.
  const auto platform =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (platform == nullptr) return found;
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (has_word(extensions, "EGL_MESA_platform_surfaceless"))
    found.push_back(platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  if (devices != nullptr && has_word(extensions, "EGL_EXT_platform_device")) {
    EGLDeviceEXT list[16];
    EGLint count = 0;
    if (devices(16, list, &count)) {
      for (EGLint i = 0; i < count; ++i) found.push_back(platform(EGL_PLATFORM_DEVICE_EXT, list[i], nullptr));
    }
  }
  return found;
}

EGLContext make_context(EGLDisplay display) {
  eglBindAPI(EGL_OPENGL_API);
  constexpr EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  eglChooseConfig(display, wanted, &config, 1, &count);
  constexpr EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                3,
                                EGL_CONTEXT_MINOR_VERSION,
                                3,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                EGL_NONE};
  return eglCreateContext(display, count > 0 ? config : nullptr, EGL_NO_CONTEXT, version);
}

}  // namespace

Status Offscreen::open_context() {
  egl_ = std::make_unique<Egl>();
  if (gladLoaderLoadEGL(EGL_NO_DISPLAY) == 0) return no_egl("there is no EGL library");
  for (const EGLDisplay display : displays()) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) continue;
    gladLoaderLoadEGL(display);
    const EGLContext context = make_context(display);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      egl_->display = display;
      egl_->context = context;
      return Done{};
    }
    eglTerminate(display);
  }
  return no_egl("EGL offers no OpenGL 3.3");
}

Result<std::unique_ptr<Offscreen>> Offscreen::create(int width, int height) {
  std::unique_ptr<Offscreen> made(new Offscreen);
  if (const Status opened = made->open_context(); !opened) return opened.error();
  if (gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0)
    return no_egl("OpenGL cannot be loaded");
  if (const Status sized = made->resize(width, height); !sized) return sized.error();
  return made;
}

Status Offscreen::resize(int width, int height) {
  auto picture = Framebuffer::create(width, height);
  if (!picture) return picture.error();
  picture_ = *std::move(picture);
  return Done{};
}

Offscreen::~Offscreen() = default;

void Offscreen::finish() const { glFinish(); }

scene::Raster Offscreen::read() const {
  const int width = this->width(), height = this->height();
  scene::Raster raster{width, height, {}};
  raster.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  static_assert(sizeof(theme::Rgba) == 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, raster.pixels.data());
  for (theme::Rgba& pixel : raster.pixels) pixel.a = 255;
  // OpenGL counts rows from the bottom.
  const auto row = [&](int y) { return raster.pixels.begin() + std::ptrdiff_t{y} * width; };
  for (int y = 0; y < height / 2; ++y) std::swap_ranges(row(y), row(y + 1), row(height - 1 - y));
  return raster;
}

}  // namespace warplens::app
