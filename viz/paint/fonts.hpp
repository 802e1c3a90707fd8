// The real fonts, Inter and JetBrains Mono, found through fontconfig and measured by FreeType without
// hinting: the same advances at every size, in every painter. Where a font is not installed fontconfig's
// nearest takes its place.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::paint {

// One character on its baseline. x in scene pixels from the start of the text.
struct Glyph {
  int face = 0;  // for face_file and render
  unsigned index = 0;
  double x = 0;
  std::size_t offset = 0, length = 0;  // its bytes in the text
};

struct FaceFile {
  std::string path;
  int index = 0;  // as FreeType and fontconfig count: variable instances in the upper half
};

// Coverage, 0 to 255, row by row; left and top as FreeType gives them, from the pen on the baseline.
struct GlyphBitmap {
  int width = 0, height = 0, left = 0, top = 0;
  std::vector<std::uint8_t> coverage;
};

// Safe to use from several threads.
class Fonts final : public scene::TextMeasure {
 public:
  // `folders`: further places to look for fonts, before the system's. Error: no scalable font at all.
  static Result<std::shared_ptr<const Fonts>> open(const std::vector<std::string>& folders = {});
  ~Fonts() override;

  double width(std::string_view text, const scene::TextStyle& style) const override;
  scene::FontMetrics metrics(const scene::TextStyle& style) const override;

  std::vector<Glyph> glyphs(std::string_view text, const scene::TextStyle& style) const;
  FaceFile face_file(int face) const;
  // The glyph at this many pixels an em, its origin moved right by `shift` of a pixel (0 to 1).
  GlyphBitmap render(int face, unsigned glyph, double pixels_per_em, double shift) const;

  // The design's families that are not installed; empty where all is well.
  std::vector<std::string> missing() const;

 private:
  struct State;
  explicit Fonts(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The families as CSS writes them, the most wanted first.
std::string_view css_families(scene::Family family);

}  // namespace warplens::paint
