#include "app/window/pages/ladder/page_head.hpp"

#include <algorithm>
#include <initializer_list>

#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/widgets.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::app {
namespace {

// Design pixels.
constexpr double kBelow = 1, kSide = 20, kBesideButton = 16;
constexpr double kHeadlineBeside = 0.56;  // share of the room, with the reason at its right
constexpr double kSizes[] = {32, 28, 24, 21, 18}, kReasonSizes[] = {17, 16, 15, 14, 13};
constexpr double kLowSizes[] = {24, 22, 20, 18}, kLowReasonSizes[] = {13, 12};

struct Heights {
  double headline, reason, button;
};
constexpr Heights heights(HeadLook look) {
  return !look.low ? Heights{37, 22, 30} : look.beside ? Heights{33, 0, 28} : Heights{28, 17, 26};
}

// In the largest type that has room; cut in the smallest.
struct Line {
  std::string text;
  scene::TextStyle style;
  bool is_cut = false;
};
Line fitting(const Ui& ui, const std::string& text, double width, std::span<const double> sizes,
             scene::TextStyle style) {
  const scene::TextMeasure& fonts = ui.painter.fonts();
  for (const double size : sizes) {
    style.size = size;
    if (fonts.width(text, style) <= width) return {text, style};
  }
  return {scene::shortened(text, width, style, fonts), style, true};
}

void draw_line(const Ui& ui, const Rect& rect, const Line& line, const std::string& whole) {
  scene::Scene scene({rect.width / ui.scale, rect.height / ui.scale});
  scene::TextStyle style = line.style;
  style.baseline = scene::Baseline::middle;
  scene.root.text({0, scene.size.height / 2}, line.text, style);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, ui.scale);
  if (!line.is_cut) return;
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  tooltip(ui, whole);
}

double button_width(const Ui& ui, const PageHead& head) {
  return head.next ? text_width(ui, head.next->words, Type::strong) + ui.px(40) : 0;
}

void draw_next(const Ui& ui, const Rect& rect, const NextStep& next) {
  ui.mark(next.fixes ? "fix/does it" : "fix/goes on", rect);
  ui.mark("fix words/" + next.words, rect);
  if (!button(ui, "fix", rect, next.words,
              {.look = next.fixes ? Look::primary : Look::plain, .tip = next.tip}))
    return;
  if (next.values.empty()) ui.model.choose_kernel(next.kernel);
  for (const auto& [name, value] : next.values) ui.model.set_parameter(name, value);
}

}  // namespace

namespace {

// Up to two lines, in the height of the headline.
void draw_reason_beside(const Ui& ui, const Rect& rect, const std::string& text, bool low) {
  const scene::TextMeasure& fonts = ui.painter.fonts();
  const scene::Size size{rect.width / ui.scale, rect.height / ui.scale};
  scene::TextStyle style{.color = Token::text};
  std::vector<std::string> lines;
  for (const double type : {15.0, 14.0, 13.0, 12.0}) {
    if (type > (low ? 13 : 15)) continue;
    style.size = type;
    lines = scene::wrapped(text, size.width, style, fonts);
    if (lines.size() <= 2) break;
  }
  if (lines.size() > 2)
    lines = {lines[0], scene::shortened(lines[1] + " " + lines[2], size.width, style, fonts)};
  std::string shown;
  for (const std::string& line : lines) shown += (shown.empty() ? "" : "\n") + line;
  scene::Scene scene(size);
  const double high = scene::paragraph_height(shown, size.width, style, fonts);
  scene::add_paragraph(scene.root, {0, (size.height - high) / 2}, shown, size.width, style, fonts);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, ui.scale);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  tooltip(ui, text);
}

}  // namespace

double page_head_height(const Ui& ui, HeadLook look) {
  const Heights high = heights(look);
  return ui.px(high.headline + (look.beside ? 0 : high.reason) + kBelow);
}

void draw_page_head(const Ui& ui, const Rect& rect, const PageHead& head, HeadLook look) {
  const Heights high = heights(look);
  const std::span<const double> sizes = look.low ? std::span<const double>(kLowSizes) : kSizes,
                                reason_sizes =
                                    look.low ? std::span<const double>(kLowReasonSizes) : kReasonSizes;
  ui.mark("head", rect);
  const double x = rect.x + ui.px(kSide), width = rect.width - 2 * ui.px(kSide);
  const double button = button_width(ui, head);
  const double room = button > 0 ? width - button - ui.px(kBesideButton) : width;
  const scene::TextStyle bold{.color = figures::verdict_color(head.verdict), .weight = scene::Weight::bold};
  const Rect headline{x, rect.y, look.beside ? std::floor(room * kHeadlineBeside) : room,
                      ui.px(high.headline)};
  ui.mark("headline", headline);
  ui.mark("says/" + head.headline, headline);
  draw_line(ui, headline, fitting(ui, head.headline, headline.width / ui.scale, sizes, bold), head.headline);
  const Rect reason = look.beside ? Rect{headline.right() + ui.px(kSide), rect.y,
                                         room - headline.width - ui.px(kSide), ui.px(high.headline)}
                                  : Rect{x, headline.bottom(), width, ui.px(high.reason)};
  ui.mark("reason", reason);
  const std::string why = head.why();
  const std::string both = why + (why.empty() || head.fix.empty() ? "" : ". ") + head.fix;
  if (look.beside) {
    draw_reason_beside(ui, reason, both, look.low);
  } else {
    const scene::TextStyle plain{.color = Token::text};
    Line below = fitting(ui, both, width / ui.scale, reason_sizes, plain);
    // Whole sentences give way: the drawer has what fixes it, and what it costs, too.
    for (const std::string& fewer : {why, head.reason})
      if (below.is_cut && !fewer.empty()) below = fitting(ui, fewer, width / ui.scale, reason_sizes, plain);
    draw_line(ui, reason, below, both);
    ui.mark("reason/" + below.text, reason);
  }
  if (head.next)
    draw_next(ui,
              {rect.right() - ui.px(kSide) - button, rect.y + ui.px((high.headline - high.button) / 2),
               button, ui.px(high.button)},
              *head.next);
}

}  // namespace warplens::app
