#include "app/window/pages/program/program_settings.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <charconv>
#include <cmath>

#include "app/window/kit/widgets.hpp"

namespace warplens::app {
namespace {

// Design pixels.
constexpr double kFieldRow = 34, kFieldGap = 8, kField = 28, kBetween = 28, kFieldTitle = 150, kNumber = 96,
                 kUnit = 40;

// As people type it; nothing: it is no number, or one that the limit cannot have.
std::optional<double> typed(const std::string& text, const Limit& limit) {
  if (text.empty()) return ProgramLimits().*limit.value;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number >= limit.least && number <= limit.most ? std::optional(number) : std::nullopt;
}

// Title, number and unit. Without a number the limit is the usual one.
void draw_limit(const Ui& ui, const Rect& row, const Limit& limit, bool holds) {
  double& value = ui.state().program.limits.*limit.value;
  draw_text(ui, {row.x, row.y, ui.px(kFieldTitle), row.height}, limit.title,
            {Type::body, holds ? Token::text : Token::dim});
  const Rect field{row.x + ui.px(kFieldTitle), row.y, ui.px(kNumber), row.height};
  std::string text = value > 0 ? fmt::format("{}", value) : "";
  if (input_line(ui, fmt::format("program/limit {}", limit.name).c_str(), field, "most of it", text))
    value = typed(text, limit).value_or(value);
  if (!holds)
    tooltip(ui, "Holds for confined programs alone");
  else
    tooltip(ui, limit.meaning);
  draw_text(ui, {field.right() + ui.px(6), row.y, ui.px(kUnit), row.height}, limit.unit,
            {Type::caption, Token::dim});
}

// Files and folders, as words.
void draw_paths(const Ui& ui, const Rect& row, const char* title, const std::string& name,
                std::string& paths) {
  draw_text(ui, {row.x, row.y, ui.px(kFieldTitle), row.height}, title, {Type::body});
  const double wide = ui.px(78);
  const Rect field{row.x + ui.px(kFieldTitle), row.y,
                   row.width - ui.px(kFieldTitle) - wide - ui.px(kFieldGap), row.height};
  input_line(ui, ("program/" + name).c_str(), field, "no other files or folders", paths);
  if (button(ui, "program/" + name + " folder", {row.right() - wide, row.y, wide, row.height}, "Folder…"))
    ui.wishes.choose_path = PathWish{true, [&paths](const std::string& path) {
                                       const bool has_space = path.find(' ') != std::string::npos;
                                       if (!paths.empty()) paths += ' ';
                                       paths += has_space ? "'" + path + "'" : path;
                                     }};
}

// What is typed, or a file in its place.
void draw_input(const Ui& ui, const Rect& rect) {
  ProgramState& program = ui.state().program;
  const Rect head{rect.x, rect.y, rect.width, ui.px(kField)};
  const bool is_file = !program.input_file.empty();
  draw_text(ui, head, "Standard input", {Type::body});
  const double wide = ui.px(is_file ? 124 : 112);
  const Rect place{head.right() - wide, head.y, wide, head.height};
  if (is_file) {
    if (button(ui, "program/input typed", place, "Type it instead")) program.input_file.clear();
  } else if (button(ui, "program/input file", place, "From a file…")) {
    ui.wishes.choose_path =
        PathWish{false, [&program](const std::string& path) { program.input_file = path; }};
  }
  const Rect box{rect.x, head.bottom() + ui.px(kFieldGap), rect.width,
                 rect.bottom() - head.bottom() - ui.px(kFieldGap)};
  if (is_file) {
    input_line(ui, "program/input path", {box.x, box.y, box.width, ui.px(kField)}, "", program.input_file);
    return;
  }
  ui.mark("program/input", box);
  ImGui::SetCursorScreenPos(corner(box));
  ImGui::PushFont(ui.font(Type::code));
  ImGui::InputTextMultiline("##input", &program.input, extent(box));
  const bool is_typed_in = ImGui::IsItemActive();
  if (clicked_by_key(ui, "program/input", box)) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopFont();
  if (program.input.empty() && !is_typed_in)
    draw_text(ui, {box.x + ui.px(9), box.y + ui.px(4), box.width - ui.px(18), ui.px(20)},
              "what it reads; nothing: it reads an end at once", {Type::caption, Token::dim});
}

}  // namespace

bool input_line(const Ui& ui, const char* mark, const Rect& rect, const char* hint, std::string& text) {
  ui.mark(mark, rect);
  ImGui::PushID(mark);
  ImGui::SetCursorScreenPos(
      {static_cast<float>(rect.x), static_cast<float>(rect.center().y) - ImGui::GetFrameHeight() / 2});
  ImGui::SetNextItemWidth(static_cast<float>(rect.width));
  const bool is_changed = ImGui::InputTextWithHint("##text", hint, &text);
  if (clicked_by_key(ui, mark, rect)) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopID();
  return is_changed;
}

double draw_program_settings(const Ui& ui, const Rect& rect, bool is_confined) {
  const double rows = (kLimits.size() + 1) / 2,
               bottom = rect.y + ui.px(kFieldRow) * (rows + 2) - ui.px(kFieldRow - kField);
  const double left = std::floor((rect.width - ui.px(kBetween)) * 0.42);
  draw_input(ui, {rect.x, rect.y, left, bottom - rect.y});
  const double x = rect.x + left + ui.px(kBetween), width = rect.right() - x, half = std::floor(width / 2);
  double y = rect.y;
  for (std::size_t l = 0; l < kLimits.size(); ++l) {
    const Limit& limit = kLimits[l];
    const bool of_host =
        limit.value == &ProgramLimits::host_seconds || limit.value == &ProgramLimits::host_memory_gb;
    draw_limit(ui, {x + (l % 2 == 0 ? 0 : half), y, half, ui.px(kField)}, limit, is_confined || !of_host);
    if (l % 2 == 1) y += ui.px(kFieldRow);
  }
  y = rect.y + ui.px(kFieldRow) * rows;
  ProgramState& program = ui.state().program;
  const auto row = [&](double top) { return Rect{x, top, width, ui.px(kField)}; };
  if (is_confined) {
    draw_paths(ui, row(y), "May read, too", "read", program.read);
    draw_paths(ui, row(y + ui.px(kFieldRow)), "May write, too", "write", program.write);
  } else {
    draw_text(ui, row(y), "This system cannot confine it: it reads and writes what you may",
              {Type::body, Token::costly});
  }
  ui.mark("program/settings shown", {rect.x, rect.y, rect.width, bottom - rect.y});
  return bottom;
}

}  // namespace warplens::app
