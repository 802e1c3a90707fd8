#include "app/edit/text_buffer.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "engine/base/code_text.hpp"

namespace warplens::app {
namespace {

bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

enum class Class { space, name, sign };
Class class_of(char c) {
  if (std::isspace(static_cast<unsigned char>(c)) != 0) return Class::space;
  return is_of_name(c) || static_cast<unsigned char>(c) >= 0x80 ? Class::name : Class::sign;
}

}  // namespace

int column_of(std::string_view line, int byte) {
  int column = 0;
  const auto end = std::min(line.size(), static_cast<std::size_t>(byte));
  for (std::size_t i = 0; i < end; ++i) {
    if (line[i] == '\t')
      column = (column / kTabWidth + 1) * kTabWidth;
    else if (!is_inside_character(line[i]))
      ++column;
  }
  return column;
}

int byte_at_column(std::string_view line, int column) {
  int now = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_inside_character(line[i])) continue;
    const int next = line[i] == '\t' ? (now / kTabWidth + 1) * kTabWidth : now + 1;
    // The nearer side of a tab.
    if (next > column) return static_cast<int>(2 * (column - now) < next - now ? i : i + 1);
    now = next;
  }
  return static_cast<int>(line.size());
}

TextBuffer::TextBuffer(std::string_view text) : lines_(lines_of(text)) {
  has_windows_ends_ = lines_.size() > 1 && std::all_of(lines_.begin(), lines_.end() - 1,
                                                       [](const auto& line) { return line.ends_with('\r'); });
  if (!has_windows_ends_) return;
  for (std::string& line : lines_)
    if (line.ends_with('\r')) line.pop_back();
}

std::string TextBuffer::text() const {
  std::size_t size = 0;
  for (const std::string& line : lines_) size += line.size() + 2;
  std::string text;
  text.reserve(size);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (i > 0) text += has_windows_ends_ ? "\r\n" : "\n";
    text += lines_[i];
  }
  return text;
}

std::string TextBuffer::text(TextPlace begin, TextPlace end) const {
  const auto from = static_cast<std::size_t>(begin.byte), to = static_cast<std::size_t>(end.byte);
  if (begin.line == end.line) return line(begin.line).substr(from, to - from);
  std::string text = line(begin.line).substr(from);
  for (int i = begin.line + 1; i < end.line; ++i) text += '\n' + line(i);
  return text + '\n' + line(end.line).substr(0, to);
}

TextPlace TextBuffer::insert(TextPlace at, std::string_view text) {
  std::vector<std::string> added = lines_of(text);
  std::string& first = lines_[static_cast<std::size_t>(at.line)];
  if (added.size() == 1) {
    first.insert(static_cast<std::size_t>(at.byte), added.front());
    return {at.line, at.byte + static_cast<int>(added.front().size())};
  }
  const auto last_bytes = static_cast<int>(added.back().size());
  added.back() += first.substr(static_cast<std::size_t>(at.byte));
  first.replace(static_cast<std::size_t>(at.byte), std::string::npos, added.front());
  lines_.insert(lines_.begin() + at.line + 1, std::make_move_iterator(added.begin() + 1),
                std::make_move_iterator(added.end()));
  return {at.line + static_cast<int>(added.size()) - 1, last_bytes};
}

void TextBuffer::erase(TextPlace begin, TextPlace end) {
  std::string& first = lines_[static_cast<std::size_t>(begin.line)];
  const std::string rest = line(end.line).substr(static_cast<std::size_t>(end.byte));
  first.replace(static_cast<std::size_t>(begin.byte), std::string::npos, rest);
  lines_.erase(lines_.begin() + begin.line + 1, lines_.begin() + end.line + 1);
}

TextPlace TextBuffer::clamped(TextPlace place) const {
  if (place.line < 0) return {};
  if (place.line >= line_count()) return end();
  const std::string& text = line(place.line);
  place.byte = std::clamp(place.byte, 0, static_cast<int>(text.size()));
  while (place.byte > 0 && place.byte < static_cast<int>(text.size()) &&
         is_inside_character(text[static_cast<std::size_t>(place.byte)]))
    --place.byte;
  return place;
}

TextPlace TextBuffer::after(TextPlace place) const {
  const std::string& text = line(place.line);
  if (place.byte >= static_cast<int>(text.size()))
    return place.line + 1 < line_count() ? TextPlace{place.line + 1, 0} : place;
  do ++place.byte;
  while (place.byte < static_cast<int>(text.size()) &&
         is_inside_character(text[static_cast<std::size_t>(place.byte)]));
  return place;
}

TextPlace TextBuffer::before(TextPlace place) const {
  if (place.byte == 0) return place.line > 0 ? end_of(place.line - 1) : place;
  return clamped({place.line, place.byte - 1});
}

TextPlace TextBuffer::word_after(TextPlace place) const {
  const std::string& text = line(place.line);
  const auto size = static_cast<int>(text.size());
  if (place.byte >= size) return after(place);
  const auto at = [&](int byte) { return class_of(text[static_cast<std::size_t>(byte)]); };
  while (place.byte < size && at(place.byte) == Class::space) ++place.byte;
  if (place.byte == size) return place;
  for (const Class own = at(place.byte); place.byte < size && at(place.byte) == own;) ++place.byte;
  return place;
}

TextPlace TextBuffer::word_before(TextPlace place) const {
  if (place.byte == 0) return before(place);
  const std::string& text = line(place.line);
  const auto at = [&](int byte) { return class_of(text[static_cast<std::size_t>(byte)]); };
  while (place.byte > 0 && at(place.byte - 1) == Class::space) --place.byte;
  if (place.byte == 0) return place;
  for (const Class own = at(place.byte - 1); place.byte > 0 && at(place.byte - 1) == own;) --place.byte;
  return place;
}

}  // namespace warplens::app
