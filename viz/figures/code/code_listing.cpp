#include "viz/figures/code/code_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warplens::figures {
namespace {

constexpr double kNumberWidth = 44, kPadding = 10;

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

std::vector<std::string> broken(std::string text, std::size_t room) {
  std::vector<std::string> pieces;
  const std::size_t indent = std::min(std::min(text.find_first_not_of(' '), text.size()) + 4, room / 2);
  while (text.size() > room) {
    const std::size_t at = break_at(text, room);
    pieces.push_back(text.substr(0, at));
    text = std::string(indent, ' ') + text.substr(at);
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

}  // namespace

Listing::Listing(std::vector<ListedLine> lines, std::vector<ListedColumn> columns, const Rect& panel,
                 const scene::TextMeasure& measure)
    : lines_(std::move(lines)), columns_(std::move(columns)), panel_(panel) {
  const double room = panel_.height - 2 * kPadding;
  for (const double type : {14.0, 13.0, 12.0, 11.0}) {
    lay_out(type, measure);
    if (static_cast<double>(rows_.size()) * step_ <= room) break;
  }
  if (static_cast<double>(rows_.size()) * step_ > room) lay_out(12, measure);
  const auto visible =
      std::min(std::max<std::size_t>(static_cast<std::size_t>(room / step_), 1), rows_.size());
  const auto marked = static_cast<std::size_t>(
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return lines_[r.line].marked; }) -
      rows_.begin());
  const std::size_t wanted = marked == rows_.size() ? 0 : marked - std::min(marked, visible / 3);
  first_ = std::min(wanted, rows_.size() - visible);
  end_ = first_ + visible;
}

void Listing::lay_out(double type, const scene::TextMeasure& measure) {
  type_ = type, step_ = type + 6;
  const double width = panel_.width - kNumberWidth - kPadding - columns_width(columns_);
  const auto room =
      static_cast<std::size_t>(std::max(width / measure.width("0", row_style(type, Token::text)), 16.0));
  rows_.clear();
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    bool is_first = true, in_comment = false;
    for (std::string& piece : broken(lines_[l].text, room)) {
      const bool opens = piece.find("//") != std::string::npos;
      rows_.push_back({l, std::move(piece), is_first, in_comment});
      is_first = false, in_comment |= opens;
    }
  }
}

int Listing::first_number() const { return rows_.empty() ? 0 : lines_[rows_[first_].line].number; }
int Listing::last_number() const { return rows_.empty() ? 0 : lines_[rows_[end_ - 1].line].number; }

double Listing::top_of(std::size_t row) const {
  return panel_.y + kPadding + static_cast<double>(row - first_) * step_;
}

std::vector<std::pair<double, double>> Listing::runs(bool marked_only) const {
  std::vector<std::pair<double, double>> found;
  bool inside = false;
  for (std::size_t row = first_; row < end_; ++row) {
    const ListedLine& line = lines_[rows_[row].line];
    const bool counts = line.marked || (line.linked && !marked_only);
    if (counts && !inside) found.emplace_back(top_of(row), top_of(row));
    if (counts) found.back().second = top_of(row) + step_;
    inside = counts;
  }
  return found;
}
std::vector<std::pair<double, double>> Listing::linked_runs() const { return runs(false); }
std::vector<std::pair<double, double>> Listing::marked_runs() const { return runs(true); }

void Listing::draw_cells(Group& group, const ListedLine& line, double middle) const {
  double right = panel_.right() - columns_width(columns_);
  for (std::size_t c = 0; c < line.cells.size(); ++c) {
    const double width = columns_[c].width - 8;
    right += columns_[c].width;
    const double share = c < line.shares.size() ? std::clamp(line.shares[c], 0.0, 1.0) : 0;
    if ((width - 4) * share >= 1)  // under the number, so that it stays legible
      group.rect({right - 8 - (width - 4) * share, middle + step_ / 2 - 4, (width - 4) * share, 3},
                 {.fill = Color(columns_[c].color.token)}, 1);
    TextStyle style = at_end(row_style(11, Token::text));
    group.text({right - 8, middle - 1}, line.cells[c], within(style, width));
  }
}

// A comment is dimmer than the code before it.
void Listing::draw_row(Group& group, std::size_t row, const scene::TextMeasure& measure) const {
  const Row& shown = rows_[row];
  const ListedLine& line = lines_[shown.line];
  const double top = top_of(row), middle = top + step_ / 2;
  const double opacity = line.marked ? 0.22 : line.linked ? 0.1 : 0;
  group.rect({panel_.x + 1, top, panel_.width - 2, step_}, {.fill = Color{Token::accent, opacity}});
  if (line.marked) group.rect({panel_.x + 1, top, 3, step_}, {.fill = Token::accent});
  if (shown.is_first && line.number > 0)
    group.text({panel_.x + kNumberWidth - 10, middle}, fmt::format("{}", line.number),
               at_end(row_style(std::min(type_, 12.0), Token::dim)));
  const double left = panel_.x + kNumberWidth;
  const std::size_t comment = shown.in_comment ? 0 : std::min(shown.text.find("//"), shown.text.size());
  const TextStyle style = row_style(type_, Token::text);
  const std::string before = shown.text.substr(0, comment), after = shown.text.substr(comment);
  const auto draw = [&](const std::string& text, double x, Color color) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string::npos) return;
    group.text({x + measure.width(text.substr(0, start), style), middle}, text.substr(start),
               row_style(type_, color));
  };
  draw(before, left, Token::text);
  draw(after, left + measure.width(before, style), Token::dim);
  if (shown.is_first) draw_cells(group, line, middle);
}

void Listing::draw(Group& group, const scene::TextMeasure& measure) const {
  group.rect(panel_, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::kCorner);
  double right = panel_.right() - columns_width(columns_);
  for (const ListedColumn& column : columns_) {
    right += column.width;
    group.text({right - 8, panel_.y - 8}, column.title,
               within(at_end(sized(caption(), 11)), column.width - 4));
  }
  for (std::size_t row = first_; row < end_; ++row) {
    Group whole;
    draw_row(whole, row, measure);
    group.group(std::move(whole)).named(lines_[rows_[row].line].id);
  }
}

}  // namespace warplens::figures
