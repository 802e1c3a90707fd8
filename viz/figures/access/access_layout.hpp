// Inside of the access figure: where everything stands, for drawing and for picking.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {

// What a load reads of a product, see operand.hpp.
struct Operand {
  std::size_t face = 0;
  bool is_above = false;  // a factor like B, whose columns are those of C; else like A
  Cell word = {};         // that lane 0 reads first
  // The elements of C that it serves, those side by side together; empty where they are no row or column.
  std::vector<std::pair<Cell, Cell>> served = {};
  std::size_t count = 0;  // of these
};

// All that one picture of one step reads.
struct AccessView {
  const run::Run& run;
  const AccessStory& story;
  const Place& place;
  const AccessOptions& options;
  const scene::TextMeasure& measure;
  std::vector<BufferMarks> marks = {};
  std::optional<trace::Access> access = {};
  std::optional<Operand> operand = {};
  bool is_about_tile = false;  // what a class is told of the access: the tile of a thread, not its lanes
};
AccessView view_of(const run::Run& run, const Place& place, const AccessOptions& options,
                   const scene::TextMeasure& measure);

// What the figure says about the access, broken into lines.
struct WordLine {
  std::string text;
  TextStyle style;
  double baseline = 0;  // from the top
};
struct AccessWords {
  std::vector<WordLine> lines;
  double keys_top = 0, height = 0;
  bool keys_in_row = false;
};
AccessWords words_of(const AccessView& view, double width);
struct AccessLayout;
// For a class those marks that are drawn; without a layout those that may be.
std::vector<Key> keys_of(const AccessView& view, const AccessLayout* layout = nullptr);
// The colours of the marks of an array. Pale blue is what a class sees of other times: nothing else is.
std::vector<Color> panel_palette(const AccessView& view, std::size_t face);

// A row of a ribbon (ribbon.hpp).
struct RibbonLine {
  std::int64_t line = 0;  // row of the face
  double top = 0;         // from the top of the panel
};

// One matrix or array.
struct AccessPanel {
  std::size_t face = 0;
  Span rows, columns;
  Bin bin = {};
  scene::Size cell = {};  // of one element
  Rect rect = {};
  double label_shift = 0;               // of the label, to the right
  double label_room = 0;                // pixels from the panel's left edge
  std::vector<RibbonLine> ribbon = {};  // of an array in one dimension; then `rows` says only how many
  std::string_view ribbon_part = {};    // whose lines they are: "the block"
  std::size_t ribbon_all = 0;           // how many that has; more than there are where not all have room
  bool shows_lanes = false;             // there is room for the lanes above a ribbon

  // The cell under a point of the rectangle; nothing in a gap.
  std::optional<Cell> cell_at(Point point) const;
  Rect rect_of(Cell shown) const;
};

struct AccessLayout {
  std::vector<AccessPanel> panels;
  Rect words;
  std::optional<Rect> lane_card;
  std::optional<Rect> banks;  // of the words that the warp asks of each bank
  std::optional<Rect> tree;   // of a reduction
  // Of a product whose threads make several elements: those of one thread, and where the block lies.
  std::optional<Rect> fragment, overview;
  bool is_tiled = false;        // as tiled_product.hpp draws it
  std::optional<Rect> flights;  // of its tiles, where one travels while another is multiplied
};
AccessLayout layout_of(const AccessView& view, scene::Size size);
// Whether a class sees this array.
bool is_for_class(const AccessView& view, std::size_t face);
inline constexpr double kTileGap = 14;      // between arrays below each other
inline constexpr double kBanksHeight = 46;  // of the words of each bank

}  // namespace warplens::figures
