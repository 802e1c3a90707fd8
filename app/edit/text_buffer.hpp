// A text as lines that can be changed. Places are lines and bytes, both from 0, at the boundaries of UTF-8
// characters; columns count characters, and tabs to the next multiple of four.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

struct TextPlace {
  int line = 0, byte = 0;
  auto operator<=>(const TextPlace&) const = default;
};

inline constexpr int kTabWidth = 4;
int column_of(std::string_view line, int byte);
int byte_at_column(std::string_view line, int column);  // the end of shorter lines

class TextBuffer {
 public:
  TextBuffer() : lines_(1) {}
  // Where every line ends in "\r\n", lines are without, and text() has them again.
  explicit TextBuffer(std::string_view text);

  std::string text() const;
  std::string text(TextPlace begin, TextPlace end) const;  // with "\n" between lines
  const std::vector<std::string>& lines() const { return lines_; }
  const std::string& line(int number) const { return lines_[static_cast<std::size_t>(number)]; }
  int line_count() const { return static_cast<int>(lines_.size()); }

  // Returns the end of what was inserted.
  TextPlace insert(TextPlace at, std::string_view text);
  void erase(TextPlace begin, TextPlace end);

  TextPlace end() const { return end_of(line_count() - 1); }
  TextPlace end_of(int line) const { return {line, static_cast<int>(this->line(line).size())}; }
  TextPlace clamped(TextPlace place) const;  // within the text, at the beginning of a character
  // One character on or back, over the ends of lines; the place itself at the text's ends.
  TextPlace after(TextPlace place) const;
  TextPlace before(TextPlace place) const;
  // To the end or the beginning of a word, or of what stands between words.
  TextPlace word_after(TextPlace place) const;
  TextPlace word_before(TextPlace place) const;

 private:
  std::vector<std::string> lines_;  // never empty
  bool has_windows_ends_ = false;
};

}  // namespace warplens::app
