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
constexpr double kHeadline = 37, kReason = 22, kBelow = 1, kSide = 20, kButton = 30, kBesideButton = 16;
constexpr double kHeadlineBeside = 0.56;  // share of the room, with the reason at its right
constexpr double kSizes[] = {32, 28, 24, 21, 18}, kReasonSizes[] = {17, 16, 15, 14, 13};

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
  if (button(ui, "fix", rect, next.words,
             {.look = next.fixes ? Look::primary : Look::plain, .tip = next.tip}))
    ui.model.choose_kernel(next.kernel);
}

}  // namespace

namespace {

// Up to two lines, in the height of the headline.
void draw_reason_beside(const Ui& ui, const Rect& rect, const std::string& text) {
  const scene::TextMeasure& fonts = ui.painter.fonts();
  const scene::Size size{rect.width / ui.scale, rect.height / ui.scale};
  scene::TextStyle style{.color = Token::text};
  std::vector<std::string> lines;
  for (const double type : {15.0, 14.0, 13.0}) {
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

double page_head_height(const Ui& ui, bool beside) {
  return ui.px(beside ? kHeadline + kBelow : kHeadline + kReason + kBelow);
}

void draw_page_head(const Ui& ui, const Rect& rect, const PageHead& head, bool beside) {
  ui.mark("head", rect);
  const double x = rect.x + ui.px(kSide), width = rect.width - 2 * ui.px(kSide);
  const double button = button_width(ui, head);
  const double room = button > 0 ? width - button - ui.px(kBesideButton) : width;
  const scene::TextStyle bold{.color = figures::verdict_color(head.verdict), .weight = scene::Weight::bold};
  const Rect headline{x, rect.y, beside ? std::floor(room * kHeadlineBeside) : room, ui.px(kHeadline)};
  ui.mark("headline", headline);
  ui.mark("says/" + head.headline, headline);
  draw_line(ui, headline, fitting(ui, head.headline, headline.width / ui.scale, kSizes, bold), head.headline);
  const Rect reason = beside ? Rect{headline.right() + ui.px(kSide), rect.y,
                                    room - headline.width - ui.px(kSide), ui.px(kHeadline)}
                             : Rect{x, headline.bottom(), width, ui.px(kReason)};
  ui.mark("reason", reason);
  const std::string both = head.reason + (head.reason.empty() || head.fix.empty() ? "" : ". ") + head.fix;
  if (beside) {
    draw_reason_beside(ui, reason, both);
  } else {
    const scene::TextStyle plain{.color = Token::text};
    Line below = fitting(ui, both, width / ui.scale, kReasonSizes, plain);
    // The drawer has what fixes it, too.
    if (below.is_cut && !head.reason.empty())
      below = fitting(ui, head.reason, width / ui.scale, kReasonSizes, plain);
    draw_line(ui, reason, below, both);
  }
  if (head.next)
    draw_next(ui,
              {rect.right() - ui.px(kSide) - button, rect.y + ui.px((kHeadline - kButton) / 2), button,
               ui.px(kButton)},
              *head.next);
}

}  // namespace warplens::app
