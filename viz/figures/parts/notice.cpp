#include "viz/figures/parts/notice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

constexpr std::string_view kNoticeId = "notice";
constexpr double kNoticePad = 12, kNoticeLine = 20;
// A message with the arrays of a whole program in it must leave room for the picture.
constexpr std::size_t kMostWords = 3, kMostFix = 2;

struct NoticeLine {
  std::string text;
  TextStyle style;
};

Color color_of(const explain::Notice& notice) {
  return notice.severity == check::Severity::error ? Token::costly : Token::series_2;
}

std::string title_of(const explain::Notice& notice) {
  std::string title = sentence(notice.what);
  if (notice.line > 0) title += fmt::format(", line {}", notice.line);
  if (notice.more > 0) title += fmt::format(" (and {} more)", notice.more);
  return title;
}

void add_wrapped(std::vector<NoticeLine>& lines, const std::string& text, double width, std::size_t most,
                 const TextStyle& style, const scene::TextMeasure& measure) {
  if (text.empty()) return;
  std::vector<std::string> all = scene::wrapped(text, width, style, measure);
  if (all.size() > most) all.resize(most), all.back() += " ...";
  for (std::string& line : all) lines.push_back({std::move(line), style});
}

std::vector<NoticeLine> lines_of(const explain::Notice& notice, double width,
                                 const scene::TextMeasure& measure) {
  const double inner = width - 2 * kNoticePad;
  std::vector<NoticeLine> lines;
  add_wrapped(lines, title_of(notice), inner, 1, heading(color_of(notice)), measure);
  add_wrapped(lines, sentence(notice.words), inner, kMostWords, body(), measure);
  if (!notice.fix.empty()) add_wrapped(lines, "Fix: " + notice.fix, inner, kMostFix, body(), measure);
  return lines;
}

}  // namespace

double notice_height(const explain::Notice& notice, double width, const scene::TextMeasure& measure) {
  return 2 * kNoticePad + kNoticeLine * static_cast<double>(lines_of(notice, width, measure).size()) - 4;
}

void add_notice(scene::Group& group, const scene::Rect& rect, const explain::Notice& notice,
                const scene::TextMeasure& measure) {
  Group box;
  box.rect(rect, {.fill = Token::panel, .stroke = scene::Stroke{color_of(notice), 1.5}}, 6);
  double y = rect.y + kNoticePad - 5;
  for (NoticeLine& line : lines_of(notice, rect.width, measure))
    box.text({rect.x + kNoticePad, y += kNoticeLine}, line.text, line.style);
  Group whole;
  scene::Item& inner = whole.group(std::move(box));
  if (notice.line > 0) inner.named(fmt::format("line:{}", notice.line), "The line of what was found");
  group.group(std::move(whole)).named(std::string(kNoticeId));
}

std::optional<scene::Rect> notice_box(const scene::Scene& picture, const scene::TextMeasure& measure) {
  return scene::find_bounds(picture, kNoticeId, measure);
}

scene::Scene notice_scene(const explain::Notice& notice, double width, const scene::TextMeasure& measure) {
  const scene::Size size{width, notice_height(notice, width, measure)};
  scene::Scene scene(size, scene::Color::transparent());
  add_notice(scene.root, {0, 0, size.width, size.height}, notice, measure);
  return scene;
}

}  // namespace warplens::figures
