#include "viz/paint/fonts.hpp"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>
#include <unordered_map>

#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H

namespace warplens::paint {
namespace {

using scene::Family, scene::TextStyle, scene::Weight;

constexpr std::array kWeights{Weight::regular, Weight::medium, Weight::semibold, Weight::bold};
constexpr int kFcWeights[] = {FC_WEIGHT_REGULAR, FC_WEIGHT_MEDIUM, FC_WEIGHT_DEMIBOLD, FC_WEIGHT_BOLD};
struct FaceRow {
  const char* family;
  int slant;
};
// A row of faces for each kind of text, one of each weight; the last: for what all others lack.
constexpr int kText = 0, kCode = 1, kItalic = 2, kFallback = 3, kStyledRows = 3;
constexpr std::array kRows{FaceRow{"Inter", FC_SLANT_ROMAN}, FaceRow{"JetBrains Mono", FC_SLANT_ROMAN},
                           FaceRow{"Inter", FC_SLANT_ITALIC}, FaceRow{"sans-serif", FC_SLANT_ROMAN}};
constexpr int kWeightCount = static_cast<int>(kWeights.size());

int weight_row(Weight weight) {
  for (int i = 0; i < kWeightCount; ++i)
    if (kWeights[static_cast<std::size_t>(i)] == weight) return i;
  return 0;
}

int row_of(const TextStyle& style) {
  return style.family == Family::code ? kCode : style.italic ? kItalic : kText;
}
int face_of(int row, int weight) { return row * kWeightCount + weight; }

struct Match {
  FaceFile file;
  std::string family;
};

struct PatternDeleter {
  void operator()(FcPattern* p) const { FcPatternDestroy(p); }
};
using Pattern = std::unique_ptr<FcPattern, PatternDeleter>;

Match find_face(FcConfig* config, const FaceRow& row, int weight) {
  const Pattern wanted(FcPatternCreate());
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(row.family));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight);
  FcPatternAddInteger(wanted.get(), FC_SLANT, row.slant);
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(config, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultNoMatch;
  const Pattern found(FcFontMatch(config, wanted.get(), &result));
  FcChar8 *path = nullptr, *name = nullptr;
  int index = 0;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) return {};
  FcPatternGetInteger(found.get(), FC_INDEX, 0, &index);
  FcPatternGetString(found.get(), FC_FAMILY, 0, &name);
  return {{reinterpret_cast<const char*>(path), index}, name ? reinterpret_cast<const char*>(name) : ""};
}

struct ConfigDeleter {
  void operator()(FcConfig* c) const { FcConfigDestroy(c); }
};
using Config = std::unique_ptr<FcConfig, ConfigDeleter>;

// Where fontconfig keeps what it read of a folder: without a place for that it complains aloud.
constexpr const char* kOnlyACache = "<fontconfig><cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>";

// The system's fonts; none where fontconfig has no configuration, about which it would complain aloud, too.
Config system_fonts() {
  Config config(FcConfigCreate());
  const std::unique_ptr<FcChar8, decltype(&FcStrFree)> file(FcConfigGetFilename(config.get(), nullptr),
                                                            FcStrFree);
  if (file)
    config.reset(FcInitLoadConfigAndFonts());
  else
    FcConfigParseAndLoadFromMemory(config.get(), reinterpret_cast<const FcChar8*>(kOnlyACache), FcFalse);
  return config;
}

struct Advance {
  int face = 0;
  unsigned glyph = 0;
  double ems = 0;
};

}  // namespace

struct Fonts::State {
  FT_Library library = nullptr;
  std::vector<FT_Face> faces;  // by face_of; null where a file could not be opened
  std::vector<FaceFile> files;
  std::vector<std::string> missing;
  mutable std::mutex mutex;  // FreeType's faces and the advances
  mutable std::array<std::unordered_map<char32_t, Advance>, kStyledRows * kWeightCount> advances;
  // The same of most characters, which are asked for by the thousand in a frame.
  mutable std::array<std::array<std::optional<Advance>, 128>, kStyledRows * kWeightCount> ascii;

  ~State() {
    for (FT_Face face : faces)
      if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }

  void add(const Match& match, const char* wanted) {
    FT_Face face = nullptr;
    if (match.file.path.empty() ||
        FT_New_Face(library, match.file.path.c_str(), match.file.index, &face) != 0)
      face = nullptr;
    faces.push_back(face);
    files.push_back(match.file);
    if (match.family != wanted && std::string_view(wanted) != "sans-serif" &&
        std::ranges::find(missing, wanted) == missing.end())
      missing.emplace_back(wanted);
  }

  // The first face of the chain that has the character; the first face's empty box where none has.
  Advance find(char32_t c, int row, int weight) const {
    const int chain[] = {face_of(row, weight), face_of(row == kCode ? kText : kCode, weight),
                         face_of(kFallback, weight)};
    int chosen = -1;
    for (const int f : chain) {
      const FT_Face face = faces[static_cast<std::size_t>(f)];
      if (!face) continue;
      if (chosen < 0) chosen = f;
      if (FT_Get_Char_Index(face, c) != 0) {
        chosen = f;
        break;
      }
    }
    const FT_Face face = faces[static_cast<std::size_t>(chosen)];
    const unsigned glyph = FT_Get_Char_Index(face, c);
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0) return {chosen, glyph, 0};
    return {chosen, glyph, static_cast<double>(face->glyph->metrics.horiAdvance) / face->units_per_EM};
  }

  const Advance& advance(char32_t c, const TextStyle& style) const {
    const int of_style = row_of(style), weight = weight_row(style.weight);
    const auto row = static_cast<std::size_t>(face_of(of_style, weight));
    if (c < ascii[row].size()) {
      std::optional<Advance>& known = ascii[row][c];
      return known ? *known : known.emplace(find(c, of_style, weight));
    }
    auto& known = advances[row];
    const auto it = known.find(c);
    return it != known.end() ? it->second : known.emplace(c, find(c, of_style, weight)).first->second;
  }
};

Fonts::Fonts(std::unique_ptr<State> state) : state_(std::move(state)) {}
Fonts::~Fonts() = default;

Result<std::shared_ptr<const Fonts>> Fonts::open(const std::vector<std::string>& folders) {
  auto state = std::make_unique<State>();
  if (FT_Init_FreeType(&state->library) != 0) return Error{"FreeType does not start", "install libfreetype6"};
  const Config config = system_fonts();
  if (!config) return Error{"fontconfig does not start", "install fontconfig and its configuration"};
  for (const std::string& folder : folders)
    FcConfigAppFontAddDir(config.get(), reinterpret_cast<const FcChar8*>(folder.c_str()));
  for (const FaceRow& row : kRows)
    for (const int weight : kFcWeights) state->add(find_face(config.get(), row, weight), row.family);
  for (std::size_t i = 0; i < kStyledRows * kWeightCount; ++i)
    if (!state->faces[i])
      return Error{"no font can be opened", "install fonts-inter and fonts-jetbrains-mono"};
  return std::shared_ptr<const Fonts>(new Fonts(std::move(state)));
}

double Fonts::width(std::string_view text, const TextStyle& style) const {
  const std::lock_guard lock(state_->mutex);
  double ems = 0;
  scene::for_each_code_point(
      text, [&](scene::CodePoint c, std::size_t) { ems += state_->advance(c.value, style).ems; });
  return ems * style.size;
}

scene::FontMetrics Fonts::metrics(const TextStyle& style) const {
  const std::lock_guard lock(state_->mutex);
  const FT_Face face =
      state_->faces[static_cast<std::size_t>(face_of(row_of(style), weight_row(style.weight)))];
  const double unit = style.size / face->units_per_EM;
  const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face, FT_SFNT_OS2));
  const double caps =
      os2 && os2->version >= 2 && os2->sCapHeight > 0 ? os2->sCapHeight * unit : 0.72 * style.size;
  return {face->ascender * unit, -face->descender * unit, caps};
}

std::vector<Glyph> Fonts::glyphs(std::string_view text, const TextStyle& style) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<Glyph> line;
  double ems = 0;
  scene::for_each_code_point(text, [&](scene::CodePoint c, std::size_t at) {
    const Advance& advance = state_->advance(c.value, style);
    line.push_back({advance.face, advance.glyph, ems * style.size, at, c.length});
    ems += advance.ems;
  });
  return line;
}

FaceFile Fonts::face_file(int face) const { return state_->files[static_cast<std::size_t>(face)]; }

GlyphBitmap Fonts::render(int face, unsigned glyph, double pixels_per_em, double shift) const {
  const std::lock_guard lock(state_->mutex);
  const FT_Face f = state_->faces[static_cast<std::size_t>(face)];
  FT_Set_Char_Size(f, 0, static_cast<FT_F26Dot6>(std::lround(pixels_per_em * 64)), 72, 72);
  if (FT_Load_Glyph(f, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) return {};
  if (f->glyph->format == FT_GLYPH_FORMAT_OUTLINE)
    FT_Outline_Translate(&f->glyph->outline, std::lround(shift * 64), 0);
  if (FT_Render_Glyph(f->glyph, FT_RENDER_MODE_NORMAL) != 0) return {};
  const FT_Bitmap& from = f->glyph->bitmap;
  GlyphBitmap to{static_cast<int>(from.width),
                 static_cast<int>(from.rows),
                 f->glyph->bitmap_left,
                 f->glyph->bitmap_top,
                 {}};
  for (int y = 0; y < to.height; ++y)
    to.coverage.insert(to.coverage.end(), from.buffer + y * from.pitch,
                       from.buffer + y * from.pitch + to.width);
  return to;
}

std::vector<std::string> Fonts::missing() const { return state_->missing; }

}  // namespace warplens::paint
