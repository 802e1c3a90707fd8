// What hands do to a text: cursor, selection, typing, undo and redo, find. Nothing is drawn here, and no
// window is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/edit/text_buffer.hpp"

namespace warplens::app {

enum class TextMove {
  left,
  right,
  up,
  down,
  word_left,
  word_right,
  line_start,
  line_end,
  page_up,
  page_down,
  text_start,
  text_end
};

class TextEditor {
 public:
  // A text of its own: nothing before it can be undone.
  void open(std::string_view text);
  // The same text with other contents, such as a file that changed: one change, which can be undone.
  void replace(std::string_view text);

  const TextBuffer& buffer() const { return buffer_; }
  std::string text() const { return buffer_.text(); }
  std::uint64_t version() const { return version_; }  // another one after every change of the text

  TextPlace cursor() const { return cursor_; }
  std::pair<TextPlace, TextPlace> selection() const;  // in order
  bool has_selection() const { return cursor_ != anchor_; }
  std::string selected_text() const;
  // select: from where the selection began.
  void put_cursor(TextPlace place, bool select = false);
  void move(TextMove how, bool select = false, int rows = 1);  // rows: of a page
  void select(TextPlace begin, TextPlace end);
  void select_all() { select({}, buffer_.end()); }
  void select_word(TextPlace place);
  void select_line(int line);

  // Each of these replaces what is selected.
  void type(std::string_view characters);  // of the keyboard
  void paste(std::string_view text);
  void new_line();  // indented as the line before, deeper behind an opening brace
  void backspace(bool word = false);
  void erase(bool word = false);  // what follows
  std::string cut();              // the whole line where nothing is selected
  // Of the lines that are selected; a tab in the middle of a line is spaces up to the next column.
  void indent();
  void outdent();
  void comment_out();  // with //, or back

  bool undo();
  bool redo();
  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < history_.size(); }

  // Selects the next place of these words, or the one before, round the end. Capitals matter only where the
  // words have some. False: there is none.
  bool find(std::string_view words, bool backwards = false);
  std::vector<TextPlace> places_of(std::string_view words) const;  // all, in order; capitals as above
  // Of all places the one that is selected, from 1 (0: none), and how many there are.
  std::pair<int, int> found(std::string_view words) const;

  // Puts another text in the place of the words that are selected, and selects the next place; where they are
  // not selected it selects one. False: there is none.
  bool replace_found(std::string_view words, std::string_view with);
  // Everywhere, as one step. Returns how many places there were.
  int replace_all(std::string_view words, std::string_view with);

  std::string indent_unit() const;  // "  ", "    " or a tab, as the text has it

 private:
  // Text that took the place of other text.
  struct Change {
    TextPlace begin;
    std::string removed, inserted;
  };
  struct Step {
    std::vector<Change> changes;
    TextPlace cursor_before, anchor_before, cursor_after, anchor_after;
    bool is_typed = false;  // one character after another, which are undone together
  };

  Change put(TextPlace begin, TextPlace end, std::string_view text);
  void keep(Step step);
  // As one step; the cursor stands behind it.
  void change(TextPlace begin, TextPlace end, std::string_view text, bool is_typed = false);
  bool joins(const Step& step, std::string_view text) const;
  template <class Edit>
  void change_lines(Edit edit);  // edit: takes a line, and returns it as it shall be
  void close_step() { is_open_ = false; }

  TextBuffer buffer_;
  TextPlace cursor_, anchor_;
  std::optional<int> wanted_column_;  // of the cursor as it goes up and down
  std::vector<Step> history_;
  std::size_t done_ = 0;  // of history_; what follows was undone
  bool is_open_ = false;  // the last step takes further characters
  std::uint64_t version_ = 1;
};

}  // namespace warplens::app
