#include "app/window/kit/widgets.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/imgui_recovery.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

ImDrawList& list() { return *ImGui::GetWindowDrawList(); }

ImVec2 measure(const Ui& ui, std::string_view text, Type type) {
  const ImFont* font = ui.font(type);
  return const_cast<ImFont*>(font)->CalcTextSizeA(font->FontSize, 1e9f, 0, text.data(),
                                                  text.data() + text.size());
}

// The longest beginning of the text that fits with an ellipsis; never a part of a character.
std::string shortened(const Ui& ui, std::string_view text, float width, Type type) {
  std::size_t end = text.size();
  while (end > 0) {
    do --end;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80);
    const std::string candidate = std::string(text.substr(0, end)) + "…";
    if (measure(ui, candidate, type).x <= width) return candidate;
  }
  return "";
}

void triangle(ImVec2 c, float r, float direction, ImU32 color) {
  // ImGui smooths the edges of clockwise triangles only.
  const float d = r * direction;
  const ImVec2 top{c.x - d * 0.7f, c.y - r}, tip{c.x + d, c.y}, bottom{c.x - d * 0.7f, c.y + r};
  list().AddTriangleFilled(direction > 0 ? top : bottom, tip, direction > 0 ? bottom : top, color);
}

// The nearest corners on whole pixels: what lies between them needs no soft edges but at round corners.
Rect on_pixels(const Rect& r) {
  const double x = std::round(r.x), y = std::round(r.y);
  return {x, y, std::round(r.right()) - x, std::round(r.bottom()) - y};
}

void bar(ImVec2 c, float half_width, float half_height, ImU32 color) {
  list().AddRectFilled({c.x - half_width, c.y - half_height}, {c.x + half_width, c.y + half_height}, color);
}

// At the space that makes the wider of both lines shortest; one line where there is none.
std::pair<std::string_view, std::string_view> in_two_lines(const Ui& ui, std::string_view text, Type type) {
  std::pair<std::string_view, std::string_view> best{text, ""};
  float narrowest = text_width(ui, text, type);
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const std::string_view first = text.substr(0, at), second = text.substr(at + 1);
    const float width = std::max(text_width(ui, first, type), text_width(ui, second, type));
    if (width < narrowest) narrowest = width, best = {first, second};
  }
  return best;
}

// In small type, where one line would be cut. Answers whether a line is.
bool draw_two_lines(const Ui& ui, const Rect& rect, std::string_view text, Label label) {
  const auto [first, second] = in_two_lines(ui, text, label.type);
  // Capitals and few descenders: they look centred a little above the middle.
  const double step = std::floor(0.92 * line_height(ui, label.type));
  const double top = rect.center().y - step - ui.px(1);
  const bool cut = draw_text(ui, {rect.x, top, rect.width, step}, first, label, Align::center);
  return draw_text(ui, {rect.x, top + step, rect.width, step}, second, label, Align::center) || cut;
}

}  // namespace

// ImGui also breaks behind points and commas, even in a number or a file's name.
const char* line_end(const ImFont* font, const char* begin, const char* end, float width) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n'; };
  const char* const stop = font->CalcWordWrapPositionA(1, begin, end, width);
  if (stop == begin) return begin + 1;
  if (stop == end || is_space(*stop) || is_space(stop[-1])) return stop;
  const char* space = stop;
  while (space > begin && !is_space(space[-1])) --space;
  const char* folder = stop;
  while (folder > begin && folder[-1] != '/') --folder;
  if (space == begin && folder > begin + 1) return folder;
  return space > begin ? space : stop;
}

namespace {

scene::Family family_of(Type type) {
  return type == Type::code || type == Type::small_code ? scene::Family::code : scene::Family::text;
}

}  // namespace

bool draw_text(const Ui& ui, const Rect& rect, std::string_view text, Label label, Align align) {
  const ImFont* font = ui.font(label.type);
  const ImVec2 size = measure(ui, text, label.type);
  const bool too_long = size.x > rect.width + 0.5;
  const std::string shown =
      too_long ? shortened(ui, text, static_cast<float>(rect.width), label.type) : std::string(text);
  const float width = too_long ? measure(ui, shown, label.type).x : size.x;
  const double room = rect.width - width;
  const double x = rect.x + (align == Align::left ? 0 : align == Align::center ? room / 2 : room);
  const double y = rect.y + (rect.height - size.y) / 2;
  list().AddText(font, font->FontSize, {std::floor(static_cast<float>(x)), std::floor(static_cast<float>(y))},
                 ui.color(label.color, label.alpha), shown.data(), shown.data() + shown.size());
  ui.painter.note(shown, {x, y}, width, font->FontSize, family_of(label.type));
  return too_long;
}

float text_width(const Ui& ui, std::string_view text, Type type) { return measure(ui, text, type).x; }
const std::string& fitting(const Ui& ui, std::span<const std::string> forms, double width, Type type) {
  const auto found = std::ranges::find_if(
      forms, [&](const std::string& form) { return text_width(ui, form, type) <= width; });
  return found == forms.end() ? forms.back() : *found;
}

float line_height(const Ui& ui, Type type) { return ui.font(type)->FontSize; }

float draw_paragraph(const Ui& ui, ImVec2 at, float width, std::string_view text, Label label, bool draw,
                     int most_lines) {
  const ImFont* font = ui.font(label.type);
  const float step = std::floor(font->FontSize * 1.2f);
  float y = 0;
  const char* cursor = text.data();
  const char* const end = text.data() + text.size();
  for (int line = 1; cursor < end; ++line) {
    const char* stop = line_end(font, cursor, end, width);
    if (line == most_lines && stop < end) {
      if (draw) draw_text(ui, {at.x, at.y + y, width, step}, {cursor, end}, label);
      return y + step;
    }
    if (draw) {
      list().AddText(font, font->FontSize, {at.x, std::floor(at.y + y)}, ui.color(label.color, label.alpha),
                     cursor, stop);
      ui.painter.note({cursor, stop}, {at.x, at.y + y}, width, font->FontSize, family_of(label.type));
    }
    y += step;
    cursor = stop;
    while (cursor < end && (*cursor == ' ' || *cursor == '\n')) ++cursor;
  }
  return y;
}

void fill(const Ui& ui, const Rect& rect, Token token, double alpha, double radius) {
  const float round = ui.px(radius);
  const Rect shown = round > 0 ? on_pixels(rect) : rect;
  list().AddRectFilled(corner(shown), far_corner(shown), ui.color(token, alpha), round);
}
void frame(const Ui& ui, const Rect& rect, Token token, double alpha, double radius) {
  const Rect shown = on_pixels(rect);
  list().AddRect(corner(shown), far_corner(shown), ui.color(token, alpha), ui.px(radius));
}
void rule(const Ui& ui, double x0, double y0, double x1, double y1) {
  const Rect line = on_pixels({x0, y0, x1 - x0, y1 - y0});
  const Rect shown{line.x, line.y, std::max(line.width, 1.0), std::max(line.height, 1.0)};
  list().AddRectFilled(corner(shown), far_corner(shown), ui.color(Token::line));
}

void draw_icon(const Ui& ui, ImVec2 c, float r, Icon icon, ImU32 color) {
  const float thin = std::max(1.0f, ui.px(1));
  switch (icon) {
    case Icon::none:
      return;
    case Icon::play:
    case Icon::next:
    case Icon::run:
      return triangle(c, r, 1, color);
    case Icon::previous:
      return triangle(c, r, -1, color);
    case Icon::first:
      bar({c.x - r, c.y}, thin, r, color);
      return triangle({c.x + r * 0.3f, c.y}, r, -1, color);
    case Icon::last:
      bar({c.x + r, c.y}, thin, r, color);
      return triangle({c.x - r * 0.3f, c.y}, r, 1, color);
    case Icon::pause:
      bar({c.x - r * 0.5f, c.y}, r * 0.28f, r, color);
      return bar({c.x + r * 0.5f, c.y}, r * 0.28f, r, color);
    case Icon::stop:
      return bar(c, r * 0.85f, r * 0.85f, color);
    case Icon::down:
      list().AddTriangleFilled({c.x - r, c.y - r * 0.6f}, {c.x + r, c.y - r * 0.6f}, {c.x, c.y + r * 0.8f},
                               color);
  }
}

void draw_disc(const Ui& ui, scene::Point center, double radius, Token token, double ring) {
  const ImVec2 c{static_cast<float>(center.x), static_cast<float>(center.y)};
  const auto r = static_cast<float>(radius), w = static_cast<float>(ring);
  if (ring > 0)
    list().AddCircle(c, r - w / 2 + 0.5f, ui.color(token), 0, w);  // ImGui takes half a pixel off
  else
    list().AddCircleFilled(c, r, ui.color(token));
}

void draw_provenance(const Ui& ui, ImVec2 c, plot::Provenance provenance) {
  const float r = ui.px(4), thin = ui.px(1.5);
  const auto color = [&](Token token) { return ui.color(token); };
  switch (provenance) {
    case plot::Provenance::recorded:
      return draw_disc(ui, {c.x, c.y}, r, Token::series_1);
    case plot::Provenance::emulated:
      return draw_disc(ui, {c.x, c.y}, r + thin / 2, Token::dim, thin);
    case plot::Provenance::modelled:
      return list().AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, color(Token::series_2), 0, 0, thin);
    case plot::Provenance::live:
      return list().AddQuadFilled({c.x, c.y - 1.4f * r}, {c.x + 1.4f * r, c.y}, {c.x, c.y + 1.4f * r},
                                  {c.x - 1.4f * r, c.y}, color(Token::series_3));
  }
}

bool clicked_by_key(const Ui& ui, std::string_view name, const Rect& rect) {
  const bool clicked = ui.focus.offers(name, compat::in_popup());
  if (!ui.focus.is_on(name)) return clicked;
  if (ui.focus.has_moved() && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
  const double ring = ui.px(2);
  ui.mark("focus", rect);
  frame(ui, {rect.x - ring, rect.y - ring, rect.width + 2 * ring, rect.height + 2 * ring}, Token::accent, 1,
        theme::metric::kCorner);
  return clicked;
}

bool button(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
            const ButtonOptions& o) {
  ui.mark(std::string(name), rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(name.data(), name.data() + name.size());
  const bool by_mouse = ImGui::InvisibleButton("button", extent(rect));
  const bool clicked = (clicked_by_key(ui, name, rect) || by_mouse) && o.enabled;
  const bool hovered = ImGui::IsItemHovered() && o.enabled;
  if (!o.tip.empty()) tooltip(ui, o.tip);
  ImGui::PopID();
  const bool primary = o.look == Look::primary && o.enabled;
  const Token color = primary                                        ? Token::on_accent
                      : o.look == Look::tab && !o.chosen && !hovered ? Token::dim
                                                                     : Token::text;
  const double alpha = o.enabled ? 1 : 0.45;
  if (o.look == Look::tab) {
    if (o.chosen) fill(ui, {rect.x, rect.bottom() - ui.px(3), rect.width, ui.px(3)}, Token::accent);
  } else if (o.look != Look::flat || hovered || o.chosen) {
    fill(ui, rect,
         primary               ? Token::accent
         : o.chosen || hovered ? Token::line
                               : Token::raised,
         primary && hovered ? 0.85 : 1, theme::metric::kCorner);
    if (o.chosen && !primary) frame(ui, rect, Token::accent, 1, theme::metric::kCorner);
  }
  Type type = o.look == Look::tab && !o.chosen ? Type::body : Type::strong;
  const float icon = o.icon == Icon::none ? 0 : ui.px(7);
  const float gap = icon > 0 && !text.empty() ? ui.px(8) : 0;
  const float arrow = o.menu ? ui.px(18) : 0;
  const float room = static_cast<float>(rect.width) - ui.px(o.look == Look::tab ? 0 : 12) - arrow;
  // In smaller type before it is cut.
  if (text_width(ui, text, type) > room - 2 * icon - gap) type = Type::caption;
  const float wide = std::min(text_width(ui, text, type), room - 2 * icon - gap);
  const float x =
      static_cast<float>(rect.x) + (static_cast<float>(rect.width) - arrow - wide - 2 * icon - gap) / 2;
  if (icon > 0)
    draw_icon(ui, {x + icon, static_cast<float>(rect.center().y)}, icon, o.icon, ui.color(color, alpha));
  const Rect place{x + 2 * icon + gap, rect.y, wide + 1, rect.height};
  const bool two = icon == 0 && type == Type::caption && rect.height >= 2 * line_height(ui, type) &&
                   text_width(ui, text, type) > wide + 1;
  const Label label{type, color, alpha};
  const bool cut = two ? draw_two_lines(ui, place, text, label) : draw_text(ui, place, text, label);
  if (cut && hovered && o.tip.empty()) show_tip(ui, text);
  if (cut) ui.mark(std::string(name) + "/cut", rect);
  if (o.menu)
    draw_icon(ui, {static_cast<float>(rect.right()) - ui.px(15), static_cast<float>(rect.center().y)},
              ui.px(5), Icon::down, ui.color(Token::dim, alpha));
  return clicked;
}

void draw_cover(const Ui& ui, const Rect& rect) {
  ui.mark("cover", rect);
  fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  const double half = ui.px(14);
  const bool high = rect.height > ui.px(120);
  draw_text(ui, {rect.x, rect.y - (high ? half : 0), rect.width, rect.height}, "?",
            {Type::number, Token::dim}, Align::center);
  if (high)
    draw_text(ui, {rect.x, rect.center().y + half, rect.width, ui.px(24)}, "Your guess first",
              {Type::body, Token::dim}, Align::center);
}

namespace {

// A tip says what a click does: it goes with the click, until the pointer moves again.
bool was_just_clicked(const Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  const double x = io.MousePos.x - io.MouseClickedPos[0].x, y = io.MousePos.y - io.MouseClickedPos[0].y;
  return io.MouseClickedTime[0] > 0 && std::hypot(x, y) < ui.px(3);
}

}  // namespace

void tooltip(const Ui& ui, std::string_view text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) show_tip(ui, text);
}

void show_tip(const Ui& ui, std::string_view text) {
  if (ui.is_playing() || ui.mouse_rests || was_just_clicked(ui)) return;
  const char *cursor = text.data(), *const end = text.data() + text.size();
  std::string lines;
  while (cursor < end) {
    const char* const stop = line_end(ImGui::GetFont(), cursor, end, ui.px(420));
    lines.append(cursor, stop);
    cursor = stop;
    while (cursor < end && *cursor == ' ') ++cursor;
    if (cursor < end && *cursor != '\n') lines += '\n';
    while (cursor < end && *cursor == '\n') lines += *cursor++;
  }
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::EndTooltip();
}

void spinner(const Ui& ui, ImVec2 c, float r) {
  const float turn = static_cast<float>(std::fmod(ImGui::GetTime(), 1.0)) * 6.2831853f;
  list().PathArcTo(c, r, turn, turn + 4.4f, 24);
  list().PathStroke(ui.color(Token::accent), 0, ui.px(2));
}

bool begin_menu(const char* popup, const Rect& below) {
  constexpr float gap = 4, little = 0.4f;  // of the window
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const bool to_the_left = below.center().x > window.x / 2;
  const auto x = static_cast<float>(to_the_left ? below.right() : below.x);
  const auto top = static_cast<float>(below.y) - gap, bottom = static_cast<float>(below.bottom()) + gap;
  const float under = window.y - bottom - gap, over = top - gap;
  const bool up = under < little * window.y && over > under;
  ImGui::SetNextWindowPos({x, up ? top : bottom}, ImGuiCond_Always,
                          {to_the_left ? 1.0f : 0.0f, up ? 1.0f : 0.0f});
  ImGui::SetNextWindowSizeConstraints(
      {0, 0}, {to_the_left ? x - gap : window.x - x - gap, std::max(1.0f, up ? over : under)});
  return begin_popup(popup);
}

bool begin_popup(const char* popup) {
  if (!ImGui::BeginPopup(popup)) return false;
  if (compat::pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
  return true;
}

// ImGui gives dialogs the looks of windows, which have no border here: on a light page they would have no edge.
bool begin_dialog(const Ui& ui, const char* popup) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(theme::metric::kCorner));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, ui.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(20), ui.px(16)));
  const bool is_open = ImGui::BeginPopupModal(
      popup, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar(3);
  if (is_open) ui.mark("dialog", rect_at(ImGui::GetWindowPos(), ImGui::GetWindowSize()));
  return is_open;
}

bool menu_item(const Ui& ui, const std::string& words, const MenuItemOptions& o) {
  const bool by_mouse = ImGui::MenuItem(words.c_str(), o.keys, o.chosen, o.enabled);
  const Rect rect = rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize());
  const std::string name = o.mark.empty() ? "item/" + words : o.mark;
  ui.mark(name, rect);
  const bool by_key = o.enabled && clicked_by_key(ui, name, rect);
  if (by_key) ImGui::CloseCurrentPopup();
  return by_mouse || by_key;
}

void draw_veil(const Ui& ui, const Rect& box) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const ImU32 color = ui.color(Token::background, 0.6);
  list().PushClipRectFullScreen();
  for (const Rect& part :
       {Rect{0, 0, window.x, box.y}, Rect{0, box.bottom(), window.x, window.y - box.bottom()},
        Rect{0, box.y, box.x, box.height}, Rect{box.right(), box.y, window.x - box.right(), box.height}})
    list().AddRectFilled(corner(part), far_corner(part), color);
  list().PopClipRect();
}

void show_scene(const Ui& ui, const Rect& rect, const scene::Scene* scene, const std::function<void()>& above,
                double scale) {
  if (scale == 0) scale = ui.scale;
  list().PushClipRect(corner(rect), far_corner(rect), true);
  if (scene != nullptr) ui.painter.paint(*scene, ui.theme, list(), {rect.x, rect.y}, scale);
  above();
  list().PopClipRect();
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  if (scene == nullptr || !ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto hit =
      scene::hit_test(*scene, {(mouse.x - rect.x) / scale, (mouse.y - rect.y) / scale}, ui.painter.fonts());
  if (hit && !hit->title.empty()) tooltip(ui, hit->title);
}

void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags flags) {
  ImGui::SetCursorScreenPos(corner(rect));
  compat::begin_child(name, extent(rect), flags);
}

std::optional<int> typed_number(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != ',' && c != ' '; });
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::result_out_of_range)
    return digits.starts_with('-') ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

void input_number(const Ui& ui, const Rect& rect, const std::string& id, int& number) {
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::SetNextItemWidth(static_cast<float>(rect.width));
  ImGui::PushFont(ui.font(Type::strong));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ui.px(8), (static_cast<float>(rect.height) - ImGui::GetFontSize()) / 2));
  // While it is typed in, the field keeps its own text.
  std::array<char, 32> text{};
  const std::string shown = (number < 0 ? "-" : "") + grouped(std::abs(std::int64_t{number}));
  shown.copy(text.data(), text.size() - 1);
  if (ImGui::InputText(id.c_str(), text.data(), text.size(), ImGuiInputTextFlags_AutoSelectAll))
    number = typed_number(text.data()).value_or(number);
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

float scroll_above(double top, double height, double row) {
  return static_cast<float>(std::max(0.0, std::floor((top - height / 3) / row) * row));
}

void end_fading_panel(const Ui& ui, const Rect& rect, Token ground) {
  const float height = ui.px(28), below = ImGui::GetScrollMaxY() - ImGui::GetScrollY();
  if (below > 1) {
    const double bar = ImGui::GetStyle().ScrollbarSize;
    const ImU32 clear = ui.color(ground, 0), full = ui.color(ground);
    list().AddRectFilledMultiColor(
        {static_cast<float>(rect.x), static_cast<float>(rect.bottom()) - height},
        {static_cast<float>(rect.right() - bar), static_cast<float>(rect.bottom())}, clear, clear, full,
        full);
  }
  ImGui::EndChild();
}

}  // namespace warplens::app
