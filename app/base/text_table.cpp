#include "app/base/text_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace warplens::app {
namespace {

struct Column {
  std::size_t width = 0;
  bool numeric = true;
};

// Characters, not bytes: continuation bytes of UTF-8 (10xxxxxx) take no column of their own.
std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool starts_as_number(const std::string& text) {
  return text.empty() || text == "-" || (text[0] >= '0' && text[0] <= '9');
}

std::vector<Column> measure(const std::vector<TextRow>& rows) {
  std::vector<Column> columns;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    columns.resize(std::max(columns.size(), rows[r].size()));
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      columns[c].width = std::max(columns[c].width, display_width(rows[r][c]));
      if (r > 0 && !starts_as_number(rows[r][c])) columns[c].numeric = false;
    }
  }
  return columns;
}

std::string format_row(const TextRow& row, const std::vector<Column>& columns) {
  std::string line;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string padding(columns[c].width - display_width(row[c]), ' ');
    if (c > 0) line += "  ";
    line += columns[c].numeric ? padding + row[c] : row[c] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string format_table(const std::vector<TextRow>& rows) {
  const std::vector<Column> columns = measure(rows);
  std::string text;
  for (const TextRow& row : rows) text += format_row(row, columns);
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string listed(const std::vector<std::string_view>& names, std::string_view last) {
  if (names.size() == 1) return std::string(names.front());
  return fmt::format("{} {} {}", fmt::join(names.begin(), names.end() - 1, ", "), last, names.back());
}

std::string ladder_title(std::string_view ladder) {
  // Names that a folder cannot write.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kTitles = {
      {{"ncsa", "NCSA"}, {"minplus", "Min-plus"}, {"filipovic", "Filipovič"}}};
  if (const auto row = std::ranges::find(kTitles, ladder, [](const auto& one) { return one.first; });
      row != kTitles.end())
    return std::string(row->second);
  std::string title(ladder);
  std::replace(title.begin(), title.end(), '_', ' ');
  return capitalized(std::move(title));
}

}  // namespace warplens::app
