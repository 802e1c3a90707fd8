#include "viz/figures/code/code_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warplens::figures {
namespace {

constexpr double kNumberWidth = 44, kPadding = 10, kMarkWidth = 3, kNumberGap = 10;
// Of the width of a column; a shorter bar looks like dirt.
constexpr double kBarShare = 0.27, kLeastBar = 2, kBarGap = 4;
constexpr double kLeastCode = 20;  // characters; where columns leave less, the first of them gives way

// Where to break a line of more than `room` characters: behind the last space that is not indentation, else
// at `room` (not inside of a UTF-8 character).
std::size_t break_at(const std::string& text, std::size_t room) {
  const std::size_t start = text.find_first_not_of(' ');
  const std::size_t space = text.rfind(' ', room);
  if (space != std::string::npos && start != std::string::npos && space > start) return space + 1;
  std::size_t at = room;
  while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

// rest: the room of the rows below the first.
std::vector<std::string> broken(std::string text, std::size_t room, std::size_t rest) {
  std::vector<std::string> pieces;
  const std::size_t indent = std::min(std::min(text.find_first_not_of(' '), text.size()) + 4, rest / 2);
  while (text.size() > room) {
    const std::size_t at = break_at(text, room);
    pieces.push_back(text.substr(0, at));
    text = std::string(indent, ' ') + text.substr(at);
    room = rest;
  }
  pieces.push_back(std::move(text));
  return pieces;
}

double columns_width(const std::vector<ListedColumn>& columns) {
  return std::accumulate(columns.begin(), columns.end(), 0.0,
                         [](double sum, const ListedColumn& column) { return sum + column.width; });
}

TextStyle row_style(double type, Color color) {
  TextStyle style = sized(code(color), type);
  style.baseline = scene::Baseline::middle;
  return style;
}

std::string number_of(const ListedLine& line) {
  return line.label.empty() ? fmt::format("{}", line.number) : line.label;
}

template <class Cell>
void keep_only(std::vector<Cell>& cells, const std::vector<bool>& kept) {
  std::vector<Cell> left;
  for (std::size_t c = 0; c < std::min(cells.size(), kept.size()); ++c)
    if (kept[c]) left.push_back(cells[c]);
  cells = std::move(left);
}

}  // namespace

void leave_out_empty(std::vector<ListedLine>& lines, std::vector<ListedColumn>& columns) {
  std::vector<bool> kept(columns.size(), false);
  for (const ListedLine& line : lines)
    for (std::size_t c = 0; c < std::min(line.cells.size(), kept.size()); ++c)
      if (!line.cells[c].empty()) kept[c] = true;
  keep_only(columns, kept);
  for (ListedLine& line : lines)
    keep_only(line.cells, kept), keep_only(line.shares, kept), keep_only(line.wastes, kept);
}

Listing::Listing(std::vector<ListedLine> lines, std::vector<ListedColumn> columns, double width, double type,
                 const scene::TextMeasure& measure, double least)
    : lines_(std::move(lines)),
      columns_(std::move(columns)),
      width_(width),
      type_(type),
      step_(type + 6),
      least_(least) {
  const double character = measure.width("0", row_style(type, Token::text));
  number_width_ = width_of_numbers(measure);
  const double whole = width - number_width_ - kPadding;
  fit_columns(whole - kLeastCode * character, measure);
  const double beside = whole - columns_width(columns_);
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    bool is_first = true, in_comment = false;
    const std::size_t first = rows_.size();
    const auto letters = [&](double room) {
      return static_cast<std::size_t>(std::max(room / character, 16.0));
    };
    // Counts stand beside the first row alone.
    const std::size_t room = letters(lines_[l].has_columns ? beside : whole);
    for (std::string& piece : broken(lines_[l].text, room, letters(whole))) {
      const bool opens = piece.find("//") != std::string::npos;
      rows_.push_back({l, std::move(piece), is_first, in_comment});
      is_first = false, in_comment |= opens;
    }
    mark_operand(first);
  }
}

// As wide as its longest number with a bar before it, and no more columns than the room has.
void Listing::fit_columns(double room, const scene::TextMeasure& measure) {
  const TextStyle style = row_style(least_, Token::text);
  for (const ListedLine& line : lines_)
    for (std::size_t c = 0; c < std::min(line.cells.size(), columns_.size()); ++c)
      columns_[c].width =
          std::max(columns_[c].width, 8 + (measure.width(line.cells[c], style) + kBarGap) / (1 - kBarShare));
  while (columns_.size() > 1 && columns_width(columns_) > room) {
    columns_.erase(columns_.begin());
    const auto drop = [](auto& cells) {
      if (!cells.empty()) cells.erase(cells.begin());
    };
    for (ListedLine& line : lines_) drop(line.cells), drop(line.shares), drop(line.wastes);
  }
}

// Where the rows of a line from `first` on have its operand, which may be broken over them: the spaces where
// they were broken are another number than in the line.
void Listing::mark_operand(std::size_t first) {
  std::string wanted = lines_[rows_[first].line].operand, all;
  std::erase(wanted, ' ');
  if (wanted.empty()) return;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // row and column of each letter
  for (std::size_t r = first; r < rows_.size(); ++r)
    for (std::size_t c = 0; c < rows_[r].text.size(); ++c)
      if (rows_[r].text[c] != ' ') all += rows_[r].text[c], places.emplace_back(r, c);
  const std::size_t at = all.find(wanted);
  if (at == std::string::npos) return;
  for (std::size_t i = at; i < at + wanted.size(); ++i) {
    Row& row = rows_[places[i].first];
    if (row.operand_end == 0) row.operand = places[i].second;
    row.operand_end = places[i].second + 1;
  }
}

std::size_t Listing::marked_row() const {
  const auto first = [&](bool ListedLine::*is) {
    return static_cast<std::size_t>(
        std::ranges::find_if(rows_, [&](const Row& r) { return lines_[r.line].*is; }) - rows_.begin());
  };
  const std::size_t wrong = first(&ListedLine::wrong);
  if (wrong < rows_.size()) return wrong;
  const std::size_t marked = first(&ListedLine::marked);
  return marked < rows_.size() ? marked : first(&ListedLine::linked);
}

// A bar stands before its number: below it, it would look like the mark of an error.
void Listing::draw_cells(Group& group, const ListedLine& line, Point at) const {
  double right = at.x + width_ - columns_width(columns_);
  const double middle = at.y + step_ / 2;
  for (std::size_t c = 0; c < line.cells.size(); ++c) {
    const double width = columns_[c].width - 8, left = right + 4;
    right += columns_[c].width;
    const double share = c < line.shares.size() ? std::clamp(line.shares[c], 0.0, 1.0) : 0;
    const Token color = c < line.wastes.size() && !line.wastes[c] ? Token::dim : columns_[c].color.token;
    if (width * kBarShare * share >= kLeastBar)
      group.rect({left, at.y + 5, width * kBarShare * share, step_ - 10}, {.fill = color}, 1);
    TextStyle style = at_end(row_style(least_, Token::text));
    group.text({right - 8, middle - 1}, line.cells[c], within(style, width));
  }
}

TextStyle Listing::number_style() const {
  return row_style(std::max(std::min(type_, 12.0), least_), Token::dim);
}

// So wide that the mark of a row covers no digit of the longest one.
double Listing::width_of_numbers(const scene::TextMeasure& measure) const {
  double widest = 0;
  for (const ListedLine& line : lines_)
    if (line.number > 0) widest = std::max(widest, measure.width(number_of(line), number_style()));
  return std::max(kNumberWidth, kMarkWidth + 4 + widest + kNumberGap);
}

// A comment is dimmer than the code before it.
void Listing::draw_row(Group& group, const Row& row, Point at, const scene::TextMeasure& measure) const {
  const ListedLine& line = lines_[row.line];
  const double middle = at.y + step_ / 2, left = at.x + number_width_;
  const Token color = line.wrong ? Token::costly : Token::accent;
  const double opacity = line.marked || line.wrong ? 0.18 : line.linked ? 0.1 : 0;
  group.rect({at.x + 1, at.y, width_ - 2, step_}, {.fill = Color{color, opacity}});
  if (line.marked || line.wrong) group.rect({at.x + 1, at.y, kMarkWidth, step_}, {.fill = color});
  if (row.is_first && line.number > 0)
    group.text({left - kNumberGap, middle}, number_of(line), at_end(number_style()));
  const TextStyle style = row_style(type_, Token::text);
  if (row.operand_end > row.operand)
    group.rect({left + measure.width(row.text.substr(0, row.operand), style), at.y + step_ - 3,
                measure.width(row.text.substr(row.operand, row.operand_end - row.operand), style), 2},
               {.fill = Token::accent});
  const std::size_t comment = row.in_comment ? 0 : std::min(row.text.find("//"), row.text.size());
  const std::string before = row.text.substr(0, comment), after = row.text.substr(comment);
  const auto draw = [&](const std::string& text, double x, Color text_color) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string::npos) return;
    group.text({x + measure.width(text.substr(0, start), style), middle}, text.substr(start),
               row_style(type_, text_color));
  };
  draw(before, left, Token::text);
  draw(after, left + measure.width(before, style), Token::dim);
  if (row.is_first) draw_cells(group, line, at);
}

void Listing::draw(Group& group, Point at, std::size_t first, std::size_t end,
                   const scene::TextMeasure& measure) const {
  for (std::size_t row = first; row < end; ++row) {
    Group whole;
    draw_row(whole, rows_[row], {at.x, at.y + static_cast<double>(row - first) * step_}, measure);
    group.group(std::move(whole)).named(line_at(row).id);
  }
}

void Listing::draw_titles(Group& group, Point above) const {
  double right = above.x + width_ - columns_width(columns_);
  for (const ListedColumn& column : columns_) {
    right += column.width;
    group.text({right - 8, above.y}, column.title,
               within(at_end(sized(caption(), least_)), column.width - 4));
  }
}

}  // namespace warplens::figures
