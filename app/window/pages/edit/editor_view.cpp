#include "app/window/pages/edit/editor_view.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/window/kit/from_right.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"

namespace warplens::app {
namespace {

constexpr double kRow = 20, kFindHeight = 44, kFindButton = 30, kInset = 10;

// ---- colours

Token color_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::keyword:
    case CodeKind::key:
      return Token::series_1;
    case CodeKind::type:
      return Token::series_3;
    case CodeKind::cuda:
    case CodeKind::preprocessor:
      return Token::series_4;
    case CodeKind::number:
      return Token::series_2;
    case CodeKind::text:
      return Token::series_5;
    case CodeKind::comment:
      return Token::dim;
    case CodeKind::plain:
      break;
  }
  return Token::text;
}

// The worst that is said of a line; null: nothing.
const LineMark* mark_at(const std::vector<LineMark>& marks, int line) {
  const LineMark* worst = nullptr;
  for (const LineMark& mark : marks)
    if (mark.line == line && (worst == nullptr || mark.severity > worst->severity)) worst = &mark;
  return worst;
}

bool is_other_line(const std::vector<LineMark>& marks, int line) {
  return std::ranges::any_of(marks, [&](const LineMark& mark) { return mark.other_line == line; });
}

std::string utf8(unsigned c) {
  const auto byte = [](unsigned value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)),
          byte(0x80 | (c & 0x3f))};
}

// A piece of a line without tabs at a time, each at its column.
void draw_run(const Ui& ui, ImVec2 origin, double character, std::string_view line, CodeSpan span) {
  const ImFont* font = ui.font(Type::code);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t at = span.begin; at < span.end;) {
    const std::size_t tab = std::min(line.find('\t', at), span.end);
    const double x = origin.x + character * column_of(line, static_cast<int>(at));
    if (tab > at)
      list.AddText(font, font->FontSize, {std::floor(static_cast<float>(x)), origin.y},
                   ui.color(color_of(span.kind)), line.data() + at, line.data() + tab);
    at = tab + 1;
  }
}

// In colours; from the plain text between the spans too.
void draw_code(const Ui& ui, ImVec2 at, double character, std::string_view line, CodeState state) {
  std::size_t done = 0;
  for (const CodeSpan& span : highlight(line, state)) {
    draw_run(ui, at, character, line, {done, span.begin, CodeKind::plain});
    draw_run(ui, at, character, line, span);
    done = span.end;
  }
  draw_run(ui, at, character, line, {done, line.size(), CodeKind::plain});
}

void copy_selection(const TextEditor& editor) {
  if (editor.has_selection()) ImGui::SetClipboardText(editor.selected_text().c_str());
}
void paste(TextEditor& editor) {
  if (const char* text = ImGui::GetClipboardText()) editor.paste(text);
}

}  // namespace

Token severity_color(check::Severity severity) {
  return severity == check::Severity::error     ? Token::costly
         : severity == check::Severity::warning ? Token::series_2
                                                : Token::dim;
}

// ---- keys

void EditorView::show(int line) {
  show_line_ = line;
  has_focus_ = true;
}

void EditorView::open_find(const TextEditor& editor) {
  const std::string selected = editor.selected_text();
  if (!selected.empty() && selected.find('\n') == std::string::npos) find_words_ = selected;
  find_is_open_ = find_wants_focus_ = true;
  has_focus_ = false;
}

void EditorView::handle_find_keys(TextEditor& editor) {
  using compat::Key;
  const ImGuiIO& io = ImGui::GetIO();
  if (compat::pressed(Key::f3)) editor.find(find_words_, io.KeyShift);
  if (io.KeyCtrl && compat::pressed(Key::f)) open_find(editor);
  if (io.KeyCtrl && compat::pressed(Key::r)) open_find(editor), replace_is_open_ = true;
}

void EditorView::handle_keys(const Ui& ui, TextEditor& editor, int page_rows) {
  using compat::Key, compat::pressed;
  const ImGuiIO& io = ImGui::GetIO();
  const bool control = io.KeyCtrl, shift = io.KeyShift;
  struct Way {
    Key key;
    TextMove plain, with_control;
  };
  constexpr Way ways[] = {{Key::left, TextMove::left, TextMove::word_left},
                          {Key::right, TextMove::right, TextMove::word_right},
                          {Key::up, TextMove::up, TextMove::up},
                          {Key::down, TextMove::down, TextMove::down},
                          {Key::home, TextMove::line_start, TextMove::text_start},
                          {Key::end, TextMove::line_end, TextMove::text_end},
                          {Key::page_up, TextMove::page_up, TextMove::page_up},
                          {Key::page_down, TextMove::page_down, TextMove::page_down}};
  for (const Way& way : ways)
    if (pressed(way.key)) editor.move(control ? way.with_control : way.plain, shift, page_rows);
  if (!control || io.KeyAlt)
    for (const ImWchar c : io.InputQueueCharacters)
      if (c >= 32 && c != 127) editor.type(utf8(c));
  if (pressed(Key::enter) && !ImGui::GetIO().KeyCtrl) editor.new_line();
  if (pressed(Key::backspace)) editor.backspace(control);
  if (pressed(Key::del)) editor.erase(control);
  if (pressed(Key::tab) && !control) shift ? editor.outdent() : editor.indent();
  if (pressed(Key::escape)) find_is_open_ ? void(find_is_open_ = replace_is_open_ = false) : blur();
  if (pressed(Key::f5)) ui.page().run_again();
  if (!control) return;
  if (pressed(Key::a)) editor.select_all();
  if (pressed(Key::c)) copy_selection(editor);
  if (pressed(Key::x)) ImGui::SetClipboardText(editor.cut().c_str());
  if (pressed(Key::v)) paste(editor);
  if (pressed(Key::z)) shift ? editor.redo() : editor.undo();
  if (pressed(Key::y)) editor.redo();
  if (pressed(Key::slash)) editor.comment_out();
  if (pressed(Key::s) && !shift) ui.page().save(ui);
  if (pressed(Key::o)) ui.wishes.choose_file = true;
}

// ---- the row of find

EditorView::Typed EditorView::draw_words(const Ui& ui, const char* name, const Rect& field,
                                         std::string& words, bool& wants_focus) {
  ui.mark(name, field);
  ImGui::SetCursorScreenPos(corner(field));
  ImGui::SetNextItemWidth(static_cast<float>(field.width));
  if (std::exchange(wants_focus, false)) ImGui::SetKeyboardFocusHere();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ui.px(8), (static_cast<float>(field.height) - ImGui::GetFontSize()) / 2));
  ImGui::PushID(name);
  const bool entered = ImGui::InputText("##words", &words, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopID();
  ImGui::PopStyleVar();
  return {entered, ImGui::IsItemActive()};
}

double EditorView::draw_find(const Ui& ui, const Rect& rect, TextEditor& editor) {
  if (!find_is_open_) return 0;
  const double row = ui.px(kFindButton), step = row + ui.px(6);
  const double height = ui.px(kFindHeight) + (replace_is_open_ ? step : 0);
  fill(ui, {rect.x, rect.y, rect.width, height}, Token::background);
  rule(ui, rect.x, rect.y + height - 1, rect.right(), rect.y + height - 1);
  const Rect first{rect.x + ui.px(kInset), rect.y + ui.px(7), rect.width - 2 * ui.px(kInset), row};
  find_is_typed_ = false;
  if (replace_is_open_) draw_replace_row(ui, {first.x, first.y + step, first.width, row}, editor);
  draw_find_row(ui, first, editor);
  // ImGui's field lets go of the keyboard at this key before it can be asked.
  const bool escaped = std::exchange(find_has_focus_, find_is_typed_) && compat::pressed(compat::Key::escape);
  if (escaped) find_is_open_ = replace_is_open_ = false, has_focus_ = skips_keys_ = true;
  return height;
}

void EditorView::draw_find_row(const Ui& ui, const Rect& row, TextEditor& editor) {
  FromRight places(ui, row, kFindButton, 6, 0);
  const auto take = [&](const char* name, const char* text, double width, const char* tip) {
    return button(ui, name, places.take(width), text, {.tip = tip});
  };
  if (take("edit/find/close", "Close", 60, "Esc"))
    find_is_open_ = replace_is_open_ = false, has_focus_ = skips_keys_ = true;
  if (!replace_is_open_ && take("edit/find/replace", "Replace\u2026", 82, "Ctrl+R"))
    replace_is_open_ = replace_wants_focus_ = true;
  const bool next = take("edit/find/next", "Next", 54, "Enter or F3");
  const bool back = take("edit/find/previous", "Previous", 80, "Shift+F3");
  const double right = places.right();
  const auto [at, count] = editor.found(find_words_);
  draw_text(ui, {right - ui.px(84), row.y, ui.px(78), row.height},
            find_words_.empty() ? ""
            : count == 0        ? "none"
            : at == 0           ? fmt::format("{} found", count)
                                : fmt::format("{} of {}", at, count),
            {Type::caption, count == 0 ? Token::costly : Token::dim}, Align::right);
  const std::string before = find_words_;
  const Typed typed = draw_words(ui, "edit/find", {row.x, row.y, right - ui.px(90) - row.x, row.height},
                                 find_words_, find_wants_focus_);
  find_is_typed_ |= typed.active;
  if (typed.active && before != find_words_) {
    editor.put_cursor(editor.selection().first);
    editor.find(find_words_);
  }
  if (typed.entered) find_wants_focus_ = true;
  if (typed.entered || next || back)
    editor.find(find_words_, back || (typed.entered && ImGui::GetIO().KeyShift));
}

void EditorView::draw_replace_row(const Ui& ui, const Rect& row, TextEditor& editor) {
  FromRight places(ui, row, kFindButton, 6, 0);
  const auto take = [&](const char* name, const char* text, double width, const char* tip) {
    return button(ui, name, places.take(width), text, {.tip = tip});
  };
  const bool all = take("edit/replace/all", "Replace all", 100, "Ctrl+Z takes all of it back");
  const bool one = take("edit/replace/one", "Replace", 72, "Enter: this one, and go to the next");
  draw_text(ui, {row.x, row.y, ui.px(46), row.height}, "with", {Type::caption, Token::dim});
  const Rect field{row.x + ui.px(46), row.y, places.right() - row.x - ui.px(46), row.height};
  const Typed typed = draw_words(ui, "edit/replace", field, replace_words_, replace_wants_focus_);
  find_is_typed_ |= typed.active;
  if (typed.entered) replace_wants_focus_ = true;
  if (typed.entered || one) editor.replace_found(find_words_, replace_words_);
  if (all) editor.replace_all(find_words_, replace_words_);
}

// ---- mouse

TextPlace EditorView::place_at(const TextEditor& editor, const Layout& layout, ImVec2 at) const {
  const int line = std::clamp(static_cast<int>(std::floor((at.y - layout.origin.y) / layout.row)), 0,
                              editor.buffer().line_count() - 1);
  const int column =
      std::max(0, static_cast<int>(std::floor((at.x - layout.origin.x) / layout.character + 0.5)));
  return {line, byte_at_column(editor.buffer().line(line), column)};
}

void EditorView::handle_mouse(const Ui& ui, TextEditor& editor, const Layout& layout, Done& done) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovers = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                      layout.text.contains({io.MousePos.x, io.MousePos.y});
  const bool in_gutter = layout.gutter.contains({io.MousePos.x, io.MousePos.y});
  const TextPlace place = place_at(editor, layout, io.MousePos);
  if (hovers || in_gutter) done.pointed_line = place.line + 1;
  if (hovers) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (ImGui::IsMouseClicked(0)) {
    has_focus_ = hovers || in_gutter;
    if (in_gutter) {
      editor.put_cursor({place.line, 0});
      done.clicked_line = place.line + 1;
    }
    is_dragging_ = hovers;
    if (hovers && ImGui::IsMouseDoubleClicked(0)) {
      editor.select_word(place);
      is_dragging_ = false;
    } else if (hovers) {
      editor.put_cursor(place, io.KeyShift);
    }
  } else if (is_dragging_ && ImGui::IsMouseDown(0)) {
    if (ImGui::IsMouseDragging(0, 3)) editor.put_cursor(place, true);
  } else {
    is_dragging_ = false;
  }
  if (hovers && ImGui::IsMouseClicked(1)) {
    has_focus_ = true;
    if (!editor.has_selection()) editor.put_cursor(place);
    ImGui::OpenPopup("edit menu");
  }
  draw_menu(ui, editor);
}

void EditorView::draw_menu(const Ui& ui, TextEditor& editor) {
  if (!begin_popup("edit menu")) return;
  const auto item = [&](const char* name, const char* keys, bool enabled) {
    return menu_item(ui, name, {.keys = keys, .enabled = enabled, .mark = std::string("edit/menu/") + name});
  };
  if (item("Cut", "Ctrl+X", editor.has_selection())) ImGui::SetClipboardText(editor.cut().c_str());
  if (item("Copy", "Ctrl+C", editor.has_selection())) copy_selection(editor);
  if (item("Paste", "Ctrl+V", true)) paste(editor);
  if (item("Select all", "Ctrl+A", true)) editor.select_all();
  ImGui::Separator();
  if (item("Undo", "Ctrl+Z", editor.can_undo())) editor.undo();
  if (item("Redo", "Ctrl+Y", editor.can_redo())) editor.redo();
  ImGui::Separator();
  if (item("Find", "Ctrl+F", true)) open_find(editor);
  if (item("Comment out, or back", "Ctrl+/", true)) editor.comment_out();
  ImGui::EndPopup();
}

// ---- the picture

void EditorView::learn(const TextEditor& editor) {
  if (known_ == editor.version()) return;
  known_ = editor.version();
  states_ = states_of(editor.buffer().lines());
  widest_ = 0;
  for (const std::string& line : editor.buffer().lines())
    widest_ = std::max(widest_, column_of(line, static_cast<int>(line.size())));
}

// Precondition: within the child that scrolls.
void EditorView::reveal(const Ui& ui, const TextEditor& editor, const Rect& text, double row,
                        double character) {
  const TextPlace cursor = editor.cursor();
  const double top = row * cursor.line,
               x = character * column_of(editor.buffer().line(cursor.line), cursor.byte);
  const double height = text.height - ImGui::GetStyle().ScrollbarSize, inset = ui.px(kInset);
  if (top < ImGui::GetScrollY())
    ImGui::SetScrollY(static_cast<float>(top));
  else if (top + row > ImGui::GetScrollY() + height)
    ImGui::SetScrollY(static_cast<float>(top + row - height));
  const double width = text.width - ImGui::GetStyle().ScrollbarSize - 2 * inset;
  if (x < ImGui::GetScrollX())
    ImGui::SetScrollX(static_cast<float>(std::max(0.0, x - 4 * character)));
  else if (x > ImGui::GetScrollX() + width)
    ImGui::SetScrollX(static_cast<float>(x + 4 * character - width));
}

void EditorView::draw_lines(const Ui& ui, const TextEditor& editor, const BesideText& beside,
                            const Layout& layout) {
  const TextBuffer& buffer = editor.buffer();
  const auto [begin, end] = editor.selection();
  const double text_y = (layout.row - line_height(ui, Type::code)) / 2;
  const std::vector<TextPlace> found =
      find_is_open_ ? editor.places_of(find_words_) : std::vector<TextPlace>();
  for (int row = layout.first; row < layout.end; ++row) {
    const std::string& line = buffer.line(row);
    const double y = layout.origin.y + layout.row * row;
    const Rect whole{layout.text.x, y, layout.text.width, layout.row};
    const auto x_of = [&](int byte) { return layout.origin.x + layout.character * column_of(line, byte); };
    const double after = x_of(static_cast<int>(line.size()));
    if (row == editor.cursor().line && has_focus_) fill(ui, whole, Token::raised, 0.7);
    if (beside.is_lit && beside.is_lit(row + 1)) fill(ui, whole, Token::accent, 0.18);
    if (row >= begin.line && row <= end.line && begin != end) {
      const double from = row == begin.line ? x_of(begin.byte) : layout.origin.x;
      const double to = row == end.line ? x_of(end.byte) : after + layout.character / 2;
      fill(ui, {from, y, to - from, layout.row}, Token::accent, 0.28);
    }
    for (const TextPlace& place : found) {
      if (place.line != row) continue;
      const double from = x_of(place.byte);
      const Rect one{from, y, x_of(place.byte + static_cast<int>(find_words_.size())) - from, layout.row};
      fill(ui, one, Token::series_2, 0.25);
      ui.mark("edit/found/" + std::to_string(row + 1), one);
    }
    draw_code(ui, {layout.origin.x, std::floor(static_cast<float>(y + text_y))}, layout.character, line,
              states_[static_cast<std::size_t>(row)]);
    const LineMark* mark = mark_at(beside.marks, row + 1);
    if (mark != nullptr) {
      const std::size_t code = std::min(line.find_first_not_of(" \t"), line.size());
      const double from = x_of(static_cast<int>(code));
      fill(ui, {from, y + layout.row - ui.px(2), std::max(after - from, layout.character), ui.px(2)},
           severity_color(mark->severity));
      const double x = after + 3 * layout.character, room = layout.text.right() - x - ui.px(24);
      if (room > 8 * layout.character)
        draw_text(ui, {x, y, room, layout.row}, mark->message,
                  {Type::caption, severity_color(mark->severity)});
      ui.mark(fmt::format("edit/error/{}", row + 1), whole);
    }
    if (row == editor.cursor().line && has_focus_)
      fill(ui,
           {x_of(editor.cursor().byte) - 1, y + ui.px(1), std::max<double>(2, ui.px(2)),
            layout.row - ui.px(2)},
           Token::text);
  }
}

void EditorView::draw_gutter(const Ui& ui, const TextEditor& editor, const BesideText& beside,
                             const Layout& layout) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner(layout.gutter), far_corner(layout.gutter), true);
  const Rect& gutter = layout.gutter;
  for (int row = layout.first; row < layout.end; ++row) {
    const double y = layout.origin.y + layout.row * row;
    const Rect whole{gutter.x, y, gutter.width, layout.row};
    const LineMark* mark = mark_at(beside.marks, row + 1);
    if (mark != nullptr)
      draw_disc(ui, {gutter.x + ui.px(9), whole.center().y}, ui.px(4), severity_color(mark->severity));
    else if (is_other_line(beside.marks, row + 1))
      draw_disc(ui, {gutter.x + ui.px(9), whole.center().y}, ui.px(4), Token::dim, ui.px(1.5));
    const bool is_access = row + 1 == beside.access_line;
    if (is_access) fill(ui, {gutter.x, y, ui.px(3), layout.row}, Token::accent);
    const bool is_here = row == editor.cursor().line && has_focus_;
    draw_text(ui, {gutter.x, y, gutter.width - ui.px(14), layout.row}, std::to_string(row + 1),
              {Type::small_code, is_here || is_access ? Token::text : Token::dim}, Align::right);
    if (static_cast<std::size_t>(row) >= beside.changes.size()) continue;
    const LineChange& change = beside.changes[static_cast<std::size_t>(row)];
    const double x = gutter.right() - ui.px(9);
    if (change.kind != LineChange::Kind::same)
      fill(ui, {x, y, ui.px(3), layout.row},
           change.kind == LineChange::Kind::added ? Token::good : Token::series_1);
    if (change.removed_before > 0) fill(ui, {x - ui.px(3), y - ui.px(1), ui.px(9), ui.px(2)}, Token::costly);
  }
  list.PopClipRect();
}

EditorView::Done EditorView::draw(const Ui& ui, const Rect& rect, TextEditor& editor,
                                  const BesideText& beside) {
  Done done;
  const bool has_popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const double find = draw_find(ui, rect, editor);
  const Rect room{rect.x, rect.y + find, rect.width, rect.height - find};
  if (find_is_open_ && find_has_focus_) has_focus_ = false;
  Layout layout;
  layout.row = std::floor(ui.px(kRow));
  layout.character = text_width(ui, "0000000000", Type::code) / 10;
  if (!has_popup) handle_find_keys(editor);
  if (has_focus_ && !std::exchange(skips_keys_, false) && !has_popup)
    handle_keys(ui, editor, std::max(1, static_cast<int>(room.height / layout.row) - 1));
  if (show_line_ > 0) editor.put_cursor({std::exchange(show_line_, 0) - 1, 0});
  learn(editor);
  const double digits =
      static_cast<double>(std::max<std::size_t>(3, std::to_string(editor.buffer().line_count()).size()));
  const double wide = ui.px(34) + digits * text_width(ui, "0", Type::small_code);
  layout.gutter = {room.x, room.y, wide, room.height};
  layout.text = {room.x + wide, room.y, room.width - wide, room.height};
  ui.mark("edit/text", layout.text), ui.mark("edit/gutter", layout.gutter);
  begin_panel("edit text", layout.text, ImGuiWindowFlags_HorizontalScrollbar);
  const bool moved = editor.cursor() != std::exchange(shown_cursor_, editor.cursor());
  const bool shrank = layout.text.height < std::exchange(shown_height_, layout.text.height) && has_focus_;
  if (moved || shrank) reveal(ui, editor, layout.text, layout.row, layout.character);
  layout.origin = ImGui::GetCursorScreenPos();
  layout.first = std::clamp(static_cast<int>(std::floor((room.y - layout.origin.y) / layout.row)), 0,
                            editor.buffer().line_count());
  layout.end =
      std::min(layout.first + static_cast<int>(room.height / layout.row) + 2, editor.buffer().line_count());
  draw_lines(ui, editor, beside, layout);
  ImGui::Dummy({static_cast<float>(layout.character * (widest_ + 8)),
                static_cast<float>(layout.row * (editor.buffer().line_count() + 2))});
  handle_mouse(ui, editor, layout, done);
  ImGui::EndChild();
  draw_gutter(ui, editor, beside, layout);
  return done;
}

}  // namespace warplens::app
