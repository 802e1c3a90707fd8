// Inside of the access figure: where everything stands, for drawing and for picking.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {

// All that one picture of one step reads.
struct AccessView {
  const run::Run& run;
  const AccessStory& story;
  const Place& place;
  const AccessOptions& options;
  const scene::TextMeasure& measure;
  std::vector<BufferMarks> marks = {};
  std::optional<trace::Access> access = {};
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
std::vector<Key> keys_of(const AccessView& view);

// One matrix or array.
struct AccessPanel {
  std::size_t face = 0;
  Span rows, columns;
  Bin bin = {};
  scene::Size cell = {};  // of one element
  Rect rect = {};
  double label_room = 0;  // pixels from the panel's left edge
};

struct AccessLayout {
  std::vector<AccessPanel> panels;
  Rect words;
  std::optional<Rect> lane_card;
  std::optional<Rect> banks;  // of the words that the warp asks of each bank
};
AccessLayout layout_of(const AccessView& view, scene::Size size);

}  // namespace warplens::figures
