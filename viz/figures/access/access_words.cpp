#include <fmt/format.h>

#include "engine/explain/facts.hpp"
#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/access/tiled_product.hpp"
#include "viz/figures/access/tree.hpp"

namespace warplens::figures {
namespace {

// Lines from the top, each paragraph broken at the width.
class Words {
 public:
  Words(double width, const scene::TextMeasure& measure) : width_(width), measure_(measure) {}

  // above: from the baseline before to the first one; step: to the next ones.
  void add(const std::string& text, const TextStyle& style, double above, double step) {
    double by = above;
    for (std::string& line : scene::wrapped(text, width_, style, measure_)) {
      y_ += by, by = step;
      words_.lines.push_back({std::move(line), style, y_});
    }
  }
  // Code in the largest type in which it needs one line; in the smallest, on several.
  void add_code(const std::string& text) {
    TextStyle style = code();
    for (const double size : {14.0, 13.0, 12.0}) {
      style.size = size;
      if (measure_.width(text, style) <= width_) break;
    }
    // In a narrow column the picture needs the rest of the height; the source has the whole line.
    const std::size_t most_lines = width_ < 240 ? 3 : 9;
    const std::size_t before = words_.lines.size();
    add(text, style, 26, 18);
    while (words_.lines.size() > before + most_lines) {
      words_.lines.pop_back(), y_ -= 18;
      words_.lines.back().text = scene::shortened(words_.lines.back().text + " …", width_, style, measure_);
    }
  }
  // Without its first word where it needs a second line otherwise.
  void add_place(const std::string& first, const std::string& rest) {
    const bool fits = measure_.width(first + rest, caption()) <= width_;
    add(fits ? first + rest : rest, caption(), 16, 18);
  }
  // wraps: keys that need more than a row stand in several, as words do; else below each other.
  AccessWords finish(const std::vector<Key>& keys, bool wraps = false) && {
    double row = 0, x = 0, rows = 1;
    for (const Key& key : keys) {
      const double wide = 20 + measure_.width(key.text, caption()) + 24;
      row += wide;
      if (x > 0 && x + wide - 24 > width_) x = 0, ++rows;
      x += wide;
    }
    if (keys.empty()) {
      words_.height = y_ + 4;
      return std::move(words_);
    }
    words_.keys_top = y_ + 20;
    words_.keys_in_row = wraps || row - 24 <= width_;
    words_.height = words_.keys_top + (wraps                ? 22 * rows
                                       : words_.keys_in_row ? 22
                                                            : 24.0 * static_cast<double>(keys.size()));
    return std::move(words_);
  }

 private:
  double width_, y_ = 0;
  const scene::TextMeasure& measure_;
  AccessWords words_;
};

}  // namespace

AccessWords words_of(const AccessView& view, double width) {
  Words words(width, view.measure);
  const std::vector<Key> keys = keys_of(view);
  if (!view.access) {
    words.add("This warp makes no such access", heading(), 16, 20);
    return std::move(words).finish(keys);
  }
  const auto steps = view.story.accesses().of_warp(view.place.warp).size();
  AccessSummary summary = summarize(view.run, *view.access, &view.story.faces());
  Color detail = summary.color;
  // The worst of sectors, wavefronts and idle lanes is the headline.
  const auto facts = explain::facts_at(view.run, {view.place.block, view.place.warp, view.place.access});
  if (facts && facts->lane_ratio() > facts->traffic_ratio() && facts->lane_ratio() >= 1.5) {
    summary.detail = summary.cost;
    detail = summary.color;
    summary.cost = fmt::format("{} of 32 lanes wait", 32 - facts->working_lanes / facts->working_warps);
    summary.color = Token::costly;
  }
  if (is_brief(view.options.look)) {
    if (view.options.with_number) words.add(summary.cost, sized(number(summary.color), 20), 22, 24);
    return std::move(words).finish(keys, true);
  }
  if (!has_words(view.options.look)) return std::move(words).finish(keys);
  const std::uint32_t pc = view.access->pc;
  words.add_place("Access ", fmt::format("{} of {}, {}{}", grouped(view.place.access + 1), grouped(steps),
                                         place_of(view.run, pc), recorded_words(view.run)));
  words.add_code(source_statement(view.run.plan().spec, kernel_line_of(view.run, pc)));
  words.add(summary.pattern, body(Token::dim), 24, 20);
  words.add(summary.cost, sized(number(summary.color), 20), 30, 24);
  words.add(summary.detail, body(detail), 24, 20);
  return std::move(words).finish(keys);
}

}  // namespace warplens::figures
