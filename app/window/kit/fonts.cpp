#include "app/window/kit/fonts.hpp"

#include <glad/gl.h>
#include <imgui_freetype.h>

#include <cmath>
#include <cstdint>

#include "app/window/kit/imgui_compat.hpp"

namespace warplens::app {
namespace {

using scene::Family, scene::Weight;

struct Face {
  Family family;
  Weight weight;
};
constexpr std::array<Face, kTypeCount> kFaces = {{{Family::text, Weight::regular},
                                                  {Family::text, Weight::regular},
                                                  {Family::text, Weight::semibold},
                                                  {Family::text, Weight::bold},
                                                  {Family::code, Weight::regular},
                                                  {Family::code, Weight::regular}}};

// Latin, the dashes and dots, arrows, mathematical signs. ImGui keeps the pointer while the atlas lives.
constexpr ImWchar kRanges[] = {0x20,   0x17f,  0x391,  0x3c9,  0x2010, 0x2026, 0x2030, 0x2030,
                               0x2070, 0x209c, 0x2190, 0x2193, 0x2202, 0x2265, 0};

}  // namespace

Result<FontSet> load_fonts(const paint::Fonts& found, double scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoBakedLines;  // they need texels that are mixed
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  FontSet set{};
  for (std::size_t i = 0; i < kTypeCount; ++i) {
    const scene::TextStyle style{.weight = kFaces[i].weight, .family = kFaces[i].family};
    const auto glyphs = found.glyphs("A", style);
    if (glyphs.empty())
      return Error{"no font has the letter A", "install fonts-inter and fonts-jetbrains-mono"};
    const paint::FaceFile file = found.face_file(glyphs.front().face);
    ImFontConfig config;
    config.FontNo = file.index;
    // ImGui counts the height from ascent to descent; the design counts the em.
    const scene::FontMetrics metrics =
        found.metrics({.size = 1, .weight = style.weight, .family = style.family});
    const double em_to_height = metrics.line_height();
    set[i] = atlas.AddFontFromFileTTF(
        file.path.c_str(),
        static_cast<float>(std::round(size_of(static_cast<Type>(i)) * scale * em_to_height)), &config,
        kRanges);
    if (set[i] == nullptr) return Error{"cannot load the font " + file.path, "install fonts-inter"};
  }
  if (!atlas.Build()) return Error{"the fonts could not be drawn", "choose a smaller text scale"};
  return set;
}

#if IMGUI_VERSION_NUM < 19200
void sample_nearest() {
  glBindTexture(GL_TEXTURE_2D, (GLuint)(std::intptr_t)compat::font_texture());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}
#endif

}  // namespace warplens::app
