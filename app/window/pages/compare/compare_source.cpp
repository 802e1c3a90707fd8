// Both sources, line beside line, with the words that differ marked.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/kit/widgets.hpp"
#include "app/window/pages/compare/compare_panels.hpp"

namespace warplens::app {
namespace {

constexpr double kLineHeight = 21, kNumberWidth = 44, kSignWidth = 16;

struct Column {
  Rect rect;
  double scrolled = 0;  // to the right
  int current = 0;      // line of the file that the side's access comes from
  Token mark;
};

int current_line(const Comparison& comparison, Side side, const std::optional<AskedLine>& asked) {
  if (asked && asked->side == side) return asked->line;
  const run::Run* run = comparison.run(side);
  if (run == nullptr || comparison.steps(side) == 0) return 0;
  const auto& accesses = run->stories[comparison.trace_block(side)]->accesses();
  const Selection selection = comparison.selection(side);
  const auto access = accesses.at(selection.warp, selection.step);
  return access && access->pc < run->kernel_lines.size() ? run->kernel_lines[access->pc] : 0;
}

void draw_code_line(const Ui& ui, const Column& column, double y, std::string_view text, std::size_t number,
                    const std::vector<TextSpan>& words, char sign) {
  const double height = ui.px(kLineHeight);
  const bool current = static_cast<int>(number) == column.current;
  const Rect line{column.rect.x, y, column.rect.width, height};
  if (sign == '-' || sign == '+') fill(ui, line, column.mark, 0.16);
  if (sign == '~') fill(ui, line, Token::raised);
  if (current) fill(ui, {line.x, y, ui.px(3), height}, Token::accent);
  draw_text(ui, {line.x, y, ui.px(kNumberWidth - 12), height}, std::to_string(number),
            {Type::small_code, current ? Token::text : Token::dim}, Align::right);
  const double left = line.x + ui.px(kNumberWidth);
  if (sign != '=') {
    const char* const signs = sign == '-' ? "−" : sign == '+' ? "+" : "~";
    draw_text(ui, {left, y, ui.px(kSignWidth), height}, signs,
              {Type::code, sign == '~' ? Token::text : column.mark});
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double text_x = left + ui.px(kSignWidth);
  list.PushClipRect({static_cast<float>(text_x), static_cast<float>(column.rect.y)},
                    {static_cast<float>(column.rect.right()), static_cast<float>(column.rect.bottom())},
                    true);
  const double x = text_x - column.scrolled;
  const double wide = text_width(ui, "0", Type::code);
  for (const TextSpan& word : words) {
    const Rect box{
        x + text_width(ui, text.substr(0, word.begin), Type::code), y + ui.px(1),
        std::max(wide, text_width(ui, text.substr(word.begin, word.end - word.begin), Type::code) + 0.0),
        height - ui.px(2)};
    fill(ui, box, column.mark, 0.38, 3);
  }
  const ImFont* font = ui.font(Type::code);
  const std::size_t comment = std::min(text.find("//"), text.size());
  const float top = static_cast<float>(y + (height - font->FontSize) / 2);
  list.AddText(font, font->FontSize, {static_cast<float>(x), top}, ui.color(Token::text), text.data(),
               text.data() + comment);
  if (comment < text.size())
    list.AddText(font, font->FontSize,
                 {static_cast<float>(x) + text_width(ui, text.substr(0, comment), Type::code), top},
                 ui.color(Token::dim), text.data() + comment, text.data() + text.size());
  list.PopClipRect();
}

char sign_of(DiffRow::Kind kind, Side side) {
  switch (kind) {
    case DiffRow::Kind::same:
      return '=';
    case DiffRow::Kind::changed:
      return '~';
    case DiffRow::Kind::left_only:
    case DiffRow::Kind::right_only:
      break;
  }
  return side == Side::left ? '-' : '+';
}

void draw_row(const Ui& ui, const Comparison::Sources& sources, const DiffRow& row, const Column& left,
              const Column& right, double y) {
  if (row.kind != DiffRow::Kind::right_only)
    draw_code_line(ui, left, y, sources.left[row.left], sources.left_first + row.left + 1, row.left_words,
                   sign_of(row.kind, Side::left));
  else
    fill(ui, {left.rect.x, y, left.rect.width, ui.px(kLineHeight)}, Token::background, 0.5);
  if (row.kind != DiffRow::Kind::left_only)
    draw_code_line(ui, right, y, sources.right[row.right], sources.right_first + row.right + 1,
                   row.right_words, sign_of(row.kind, Side::right));
  else
    fill(ui, {right.rect.x, y, right.rect.width, ui.px(kLineHeight)}, Token::background, 0.5);
}

// How many rows from this one on are of one text alone.
std::size_t alone_from(const std::vector<DiffRow>& rows, std::size_t first) {
  const auto both = [](const DiffRow& row) {
    return row.kind == DiffRow::Kind::same || row.kind == DiffRow::Kind::changed;
  };
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
  return static_cast<std::size_t>(std::find_if(begin, rows.end(), both) - begin);
}

// The first difference of two texts that are new to the view is in sight; of many lines that one of them has
// alone the last ones, so that neither column is empty.
void scroll_to_change(const Ui& ui, const Comparison::Sources& sources, double height) {
  const auto changed = std::find_if(sources.rows.begin(), sources.rows.end(),
                                    [](const DiffRow& row) { return row.kind != DiffRow::Kind::same; });
  const int key = static_cast<int>(sources.rows.size() * 8191 + sources.left.size() * 127 +
                                   static_cast<std::size_t>(changed - sources.rows.begin()));
  int* seen = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("seen"), -1);
  if (*seen == key) return;
  *seen = key;
  const auto first = static_cast<std::size_t>(changed - sources.rows.begin());
  const double alone = static_cast<double>(alone_from(sources.rows, first)) * ui.px(kLineHeight);
  const double top =
      static_cast<double>(first) * ui.px(kLineHeight) + (alone > height / 2 ? alone - height / 6 : 0);
  ImGui::SetScrollY(top + 2 * ui.px(kLineHeight) > height ? scroll_above(top, height, ui.px(kLineHeight))
                                                          : 0.0f);
}

void scroll_to_line(const Ui& ui, const Comparison::Sources& sources, const AskedLine& asked, double height) {
  const bool is_left = asked.side == Side::left;
  const auto is_there = [&](const DiffRow& row) {
    if (row.kind == (is_left ? DiffRow::Kind::right_only : DiffRow::Kind::left_only)) return false;
    const std::size_t at = is_left ? sources.left_first + row.left : sources.right_first + row.right;
    return at + 1 == static_cast<std::size_t>(asked.line);
  };
  const auto row = std::ranges::find_if(sources.rows, is_there) - sources.rows.begin();
  const double top = static_cast<double>(row) * ui.px(kLineHeight);
  ImGui::SetScrollY(scroll_above(top, height, ui.px(kLineHeight)));
}

}  // namespace

void draw_compare_source(const Ui& ui, const Comparison& comparison, const Rect& rect,
                         std::optional<AskedLine>& asked) {
  const Comparison::Sources& sources = comparison.sources();
  fill(ui, rect, Token::panel);
  ui.mark("compare/source", rect);
  begin_panel("sources compared", rect, ImGuiWindowFlags_HorizontalScrollbar);
  scroll_to_change(ui, sources, rect.height);
  if (asked && std::exchange(asked->is_new, false)) scroll_to_line(ui, sources, *asked, rect.height);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const double half = std::floor((rect.width - ui.px(10)) / 2), scrolled = ImGui::GetScrollX();
  const Column left{{rect.x, rect.y, half - 1, rect.height},
                    scrolled,
                    current_line(comparison, Side::left, asked),
                    Token::costly};
  const Column right{{rect.x + half, rect.y, half, rect.height},
                     scrolled,
                     current_line(comparison, Side::right, asked),
                     Token::good};
  const double step = ui.px(kLineHeight);
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor((rect.y - origin.y) / step)));
  const auto last =
      std::min(sources.rows.size(), static_cast<std::size_t>((rect.bottom() - origin.y) / step) + 1);
  for (std::size_t i = first; i < last; ++i)
    draw_row(ui, sources, sources.rows[i], left, right, origin.y + step * static_cast<double>(i));
  rule(ui, rect.x + half, rect.y, rect.x + half, rect.bottom());
  std::size_t longest = 0;
  for (const run::Lines* lines : {&sources.left, &sources.right})
    for (const std::string_view line : *lines) longest = std::max(longest, line.size());
  // As wide as both columns and what the longest line has beyond its own.
  const double text =
      static_cast<double>(longest) * text_width(ui, "0", Type::code) + ui.px(kNumberWidth + kSignWidth + 16);
  ImGui::Dummy({static_cast<float>(half + std::max(half, text)),
                static_cast<float>(step * static_cast<double>(sources.rows.size()))});
  ImGui::EndChild();
}

}  // namespace warplens::app
