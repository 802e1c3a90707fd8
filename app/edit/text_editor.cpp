#include "app/edit/text_editor.hpp"

#include <algorithm>
#include <cctype>

#include "engine/base/code_text.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t kMostSteps = 20'000;

std::string_view leading_space(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

// As this program keeps them; other control characters cannot be typed.
std::string with_plain_ends(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      plain += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      plain += '\n';
  }
  return plain;
}

TextPlace end_of(TextPlace begin, std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines == 0) return {begin.line, begin.byte + static_cast<int>(text.size())};
  return {begin.line + static_cast<int>(lines), static_cast<int>(text.size() - text.rfind('\n') - 1)};
}

std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return low;
}

}  // namespace

// ---- the text and its history

void TextEditor::open(std::string_view text) {
  buffer_ = TextBuffer(text);
  cursor_ = anchor_ = {};
  wanted_column_.reset();
  history_.clear();
  done_ = 0;
  close_step();
  ++version_;
}

TextEditor::Change TextEditor::put(TextPlace begin, TextPlace end, std::string_view text) {
  Change change{begin, buffer_.text(begin, end), std::string(text)};
  if (begin != end) buffer_.erase(begin, end);
  cursor_ = anchor_ = buffer_.insert(begin, text);
  ++version_;
  return change;
}

void TextEditor::keep(Step step) {
  history_.resize(done_);
  step.cursor_after = cursor_, step.anchor_after = anchor_;
  history_.push_back(std::move(step));
  if (history_.size() > kMostSteps) history_.erase(history_.begin());
  done_ = history_.size();
  wanted_column_.reset();
}

// A word with the space behind it is one step.
bool TextEditor::joins(const Step& step, std::string_view text) const {
  if (!is_open_ || !step.is_typed || step.cursor_after != cursor_ || text.size() > 4 || text == "\n")
    return false;
  const std::string& before = step.changes.back().inserted;
  const bool begins_word = before.ends_with(' ') && text != " ";
  return !before.empty() && !begins_word;
}

void TextEditor::change(TextPlace begin, TextPlace end, std::string_view text, bool is_typed) {
  if (begin == end && text.empty()) return;
  if (is_typed && begin == end && done_ > 0 && done_ == history_.size() && joins(history_.back(), text)) {
    put(begin, end, text);
    history_.back().changes.back().inserted += text;
    history_.back().cursor_after = history_.back().anchor_after = cursor_;
    return;
  }
  Step step{{}, cursor_, anchor_, {}, {}, is_typed};
  step.changes.push_back(put(begin, end, text));
  keep(std::move(step));
  is_open_ = is_typed;
}

bool TextEditor::undo() {
  if (!can_undo()) return false;
  const Step& step = history_[--done_];
  for (auto change = step.changes.rbegin(); change != step.changes.rend(); ++change)
    put(change->begin, end_of(change->begin, change->inserted), change->removed);
  cursor_ = step.cursor_before, anchor_ = step.anchor_before;
  close_step();
  wanted_column_.reset();
  return true;
}

bool TextEditor::redo() {
  if (!can_redo()) return false;
  const Step& step = history_[done_++];
  for (const Change& change : step.changes)
    put(change.begin, end_of(change.begin, change.removed), change.inserted);
  cursor_ = step.cursor_after, anchor_ = step.anchor_after;
  close_step();
  wanted_column_.reset();
  return true;
}

// Only the lines that differ, so that the cursor stays where it was.
void TextEditor::replace(std::string_view text) {
  const TextBuffer next(text);
  const auto &old = buffer_.lines(), &now = next.lines();
  const auto least = std::min(old.size(), now.size());
  std::size_t first = 0, last = 0;  // of equal lines at both ends
  while (first < least && old[first] == now[first]) ++first;
  if (first == old.size() && first == now.size()) return;
  while (last < least - first && old[old.size() - 1 - last] == now[now.size() - 1 - last]) ++last;
  const TextPlace cursor = cursor_;
  const auto line_at = [](std::size_t line) { return static_cast<int>(line); };
  // Whole lines with their ends; what is added or taken away at the end has the end of the line before.
  const bool at_end = last == 0;
  const auto begin_in = [&](const TextBuffer& buffer) {
    return at_end && first > 0 ? buffer.end_of(line_at(first) - 1) : TextPlace{line_at(first), 0};
  };
  const auto end_in = [&](const TextBuffer& buffer) {
    return at_end ? buffer.end() : TextPlace{line_at(buffer.lines().size() - last), 0};
  };
  close_step();
  change(begin_in(buffer_), end_in(buffer_), next.text(begin_in(next), end_in(next)));
  put_cursor(cursor);
  history_.back().cursor_after = history_.back().anchor_after = cursor_;
}

// ---- the cursor

std::pair<TextPlace, TextPlace> TextEditor::selection() const { return std::minmax(cursor_, anchor_); }

std::string TextEditor::selected_text() const {
  const auto [begin, end] = selection();
  return buffer_.text(begin, end);
}

void TextEditor::put_cursor(TextPlace place, bool select) {
  cursor_ = buffer_.clamped(place);
  if (!select) anchor_ = cursor_;
  wanted_column_.reset();
  close_step();
}

void TextEditor::select(TextPlace begin, TextPlace end) {
  put_cursor(begin);
  put_cursor(end, true);
}

void TextEditor::select_word(TextPlace place) {
  place = buffer_.clamped(place);
  const std::string& text = buffer_.line(place.line);
  const auto is_name = [&](int byte) { return is_of_name(text[static_cast<std::size_t>(byte)]); };
  const auto size = static_cast<int>(text.size());
  int begin = place.byte, end = place.byte;
  while (begin > 0 && is_name(begin - 1)) --begin;
  while (end < size && is_name(end)) ++end;
  if (begin == end && end < size) ++end;
  select({place.line, begin}, buffer_.clamped({place.line, end}));
}

void TextEditor::select_line(int line) {
  const bool is_last = line + 1 >= buffer_.line_count();
  select({line, 0}, is_last ? buffer_.end() : TextPlace{line + 1, 0});
}

void TextEditor::move(TextMove how, bool select, int rows) {
  const auto [begin, end] = selection();
  const bool leaves = has_selection() && !select;
  const auto vertically = [&](int by) {
    const int column = wanted_column_.value_or(column_of(buffer_.line(cursor_.line), cursor_.byte));
    const int line = std::clamp(cursor_.line + by, 0, buffer_.line_count() - 1);
    if (cursor_.line + by < 0)
      put_cursor({}, select);
    else if (cursor_.line + by >= buffer_.line_count())
      put_cursor(buffer_.end(), select);
    else
      put_cursor({line, byte_at_column(buffer_.line(line), column)}, select);
    wanted_column_ = column;
  };
  switch (how) {
    case TextMove::left:
      return put_cursor(leaves ? begin : buffer_.before(cursor_), select);
    case TextMove::right:
      return put_cursor(leaves ? end : buffer_.after(cursor_), select);
    case TextMove::word_left:
      return put_cursor(buffer_.word_before(cursor_), select);
    case TextMove::word_right:
      return put_cursor(buffer_.word_after(cursor_), select);
    case TextMove::up:
      return vertically(-1);
    case TextMove::down:
      return vertically(1);
    case TextMove::page_up:
      return vertically(-rows);
    case TextMove::page_down:
      return vertically(rows);
    case TextMove::line_start: {  // of the code, or else of the line
      const auto code = static_cast<int>(leading_space(buffer_.line(cursor_.line)).size());
      return put_cursor({cursor_.line, cursor_.byte == code ? 0 : code}, select);
    }
    case TextMove::line_end:
      return put_cursor(buffer_.end_of(cursor_.line), select);
    case TextMove::text_start:
      return put_cursor({}, select);
    case TextMove::text_end:
      return put_cursor(buffer_.end(), select);
  }
}

// ---- typing

std::string TextEditor::indent_unit() const {
  for (const std::string& line : buffer_.lines()) {
    const std::string_view space = leading_space(line);
    if (space.empty() || space.size() == line.size() || line[space.size()] == '*') continue;
    if (space.front() == '\t') return "\t";
    if (space.size() == 2 || space.size() == 4) return std::string(space);
  }
  return "  ";
}

void TextEditor::type(std::string_view characters) {
  const auto [begin, end] = selection();
  // A closing brace at the beginning of a line stands one level further out.
  const std::string& line = buffer_.line(begin.line);
  const std::string_view before = std::string_view(line).substr(0, static_cast<std::size_t>(begin.byte));
  const std::string unit = indent_unit();
  if (characters == "}" && begin == end && trimmed(before).empty() && before.ends_with(unit))
    return change({begin.line, begin.byte - static_cast<int>(unit.size())}, end, "}");
  change(begin, end, characters, true);
}

void TextEditor::paste(std::string_view text) {
  const auto [begin, end] = selection();
  close_step();
  change(begin, end, with_plain_ends(text));
}

void TextEditor::new_line() {
  const auto [begin, end] = selection();
  const std::string_view line = buffer_.line(begin.line);
  const std::string_view before = line.substr(0, static_cast<std::size_t>(begin.byte));
  const std::string_view behind =
      std::string_view(buffer_.line(end.line)).substr(static_cast<std::size_t>(end.byte));
  const std::string indent(leading_space(before));
  const bool opens = trimmed(before).ends_with('{') || trimmed(before).ends_with('(');
  const std::string deeper = opens ? indent + indent_unit() : indent;
  close_step();
  if (!opens || !trimmed(behind).starts_with('}')) return change(begin, end, "\n" + deeper);
  change(begin, end, "\n" + deeper + "\n" + indent);
  put_cursor({begin.line + 1, static_cast<int>(deeper.size())});
}

void TextEditor::backspace(bool word) {
  auto [begin, end] = selection();
  if (begin == end) {
    const std::string_view before =
        std::string_view(buffer_.line(begin.line)).substr(0, static_cast<std::size_t>(begin.byte));
    const std::string unit = indent_unit();
    const bool is_indent = trimmed(before).empty() && before.ends_with(unit) && !word;
    begin = word        ? buffer_.word_before(begin)
            : is_indent ? TextPlace{begin.line, begin.byte - static_cast<int>(unit.size())}
                        : buffer_.before(begin);
  }
  close_step();
  change(begin, end, "");
}

void TextEditor::erase(bool word) {
  auto [begin, end] = selection();
  if (begin == end) end = word ? buffer_.word_after(end) : buffer_.after(end);
  close_step();
  change(begin, end, "");
}

std::string TextEditor::cut() {
  if (!has_selection()) select_line(cursor_.line);
  std::string text = selected_text();
  const auto [begin, end] = selection();
  close_step();
  change(begin, end, "");
  return text;
}

template <class Edit>
void TextEditor::change_lines(Edit edit) {
  const auto [begin, end] = selection();
  const int last = end.byte == 0 && end.line > begin.line ? end.line - 1 : end.line;
  std::string text;
  for (int line = begin.line; line <= last; ++line)
    text += (line == begin.line ? "" : "\n") + edit(buffer_.line(line));
  const TextPlace from{begin.line, 0}, to = buffer_.end_of(last);
  if (text == buffer_.text(from, to)) return;
  close_step();
  const bool was_selected = has_selection();
  const int moved =
      static_cast<int>(text.substr(0, text.find('\n')).size()) - buffer_.end_of(begin.line).byte;
  change(from, to, text);
  if (was_selected)
    select(from, buffer_.end_of(last));
  else
    put_cursor({begin.line, std::max(0, begin.byte + moved)});
  history_.back().cursor_after = cursor_, history_.back().anchor_after = anchor_;
}

void TextEditor::indent() {
  const std::string unit = indent_unit();
  const auto [begin, end] = selection();
  if (begin.line != end.line)
    return change_lines([&](const std::string& line) { return line.empty() ? line : unit + line; });
  if (unit == "\t") return type("\t");
  const auto width = static_cast<int>(unit.size());
  const int column = column_of(buffer_.line(begin.line), begin.byte);
  close_step();
  change(begin, end, std::string(static_cast<std::size_t>(width - column % width), ' '));
}

void TextEditor::outdent() {
  const std::string unit = indent_unit();
  change_lines([&](const std::string& line) {
    if (line.starts_with('\t')) return line.substr(1);
    return line.substr(std::min(leading_space(line).size(), unit.size()));
  });
}

void TextEditor::comment_out() {
  const auto [begin, end] = selection();
  bool all = true;
  for (int line = begin.line; line <= end.line; ++line) {
    const std::string_view text = trimmed(buffer_.line(line));
    all = all && (text.empty() || text.starts_with("//"));
  }
  change_lines([&](const std::string& line) {
    const std::size_t at = leading_space(line).size();
    if (at == line.size()) return line;
    std::string changed = line;
    if (!all) return changed.insert(at, "// ");
    return changed.erase(at, line.compare(at, 3, "// ") == 0 ? 3 : 2);
  });
}

// ---- find

std::vector<TextPlace> TextEditor::places_of(std::string_view words) const {
  std::vector<TextPlace> places;
  if (words.empty()) return places;
  const std::string low = lowered(words);
  const bool any_case = low == words;
  for (int number = 0; number < buffer_.line_count(); ++number) {
    const std::string line = any_case ? lowered(buffer_.line(number)) : buffer_.line(number);
    for (std::size_t at = line.find(words); at != std::string::npos; at = line.find(words, at + words.size()))
      places.push_back({number, static_cast<int>(at)});
  }
  return places;
}

bool TextEditor::find(std::string_view words, bool backwards) {
  const auto places = places_of(words);
  if (places.empty()) return false;
  const auto [begin, end] = selection();
  auto next = backwards ? std::lower_bound(places.begin(), places.end(), begin)
                        : std::lower_bound(places.begin(), places.end(), end);
  if (backwards) next = next == places.begin() ? places.end() - 1 : next - 1;
  if (next == places.end()) next = places.begin();
  select(*next, {next->line, next->byte + static_cast<int>(words.size())});
  return true;
}

std::pair<int, int> TextEditor::found(std::string_view words) const {
  const auto places = places_of(words);
  const auto here = std::find(places.begin(), places.end(), selection().first);
  const bool is_one = here != places.end() && selected_text().size() == words.size();
  return {is_one ? static_cast<int>(here - places.begin()) + 1 : 0, static_cast<int>(places.size())};
}

bool TextEditor::replace_found(std::string_view words, std::string_view with) {
  if (found(words).first == 0) return find(words);
  const auto [begin, end] = selection();
  change(begin, end, with);
  if (find(words)) return true;
  select(begin, end_of(begin, with));  // the last one: what stands there now
  return false;
}

int TextEditor::replace_all(std::string_view words, std::string_view with) {
  const auto places = places_of(words);
  if (places.empty() || words == with) return static_cast<int>(places.size());
  Step step{{}, cursor_, anchor_, {}, {}, false};
  for (auto place = places.rbegin(); place != places.rend(); ++place)  // those before stay where they are
    step.changes.push_back(put(*place, {place->line, place->byte + static_cast<int>(words.size())}, with));
  keep(std::move(step));
  close_step();
  return static_cast<int>(places.size());
}

}  // namespace warplens::app
