// A text editor on screen: draws a TextEditor with colours, line numbers and marks, and gives it what keys
// and mouse do. Find has a row of its own above the text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/edit/highlight.hpp"
#include "app/edit/text_editor.hpp"
#include "app/window/kit/ui.hpp"
#include "app/window/pages/edit/line_changes.hpp"
#include "app/window/pages/edit/line_marks.hpp"

namespace warplens::app {

// What is shown beside the text. Lines count from 1.
struct BesideText {
  const std::vector<LineMark>& marks;
  const std::vector<LineChange>& changes;
  int access_line = 0;                   // of the access in the picture
  std::function<bool(int line)> is_lit;  // pointed at elsewhere
};

Token severity_color(check::Severity severity);

class EditorView {
 public:
  // What was done there that is not the text's.
  struct Done {
    int clicked_line = 0;  // its number
    int pointed_line = 0;  // where the pointer is
  };
  Done draw(const Ui& ui, const Rect& rect, TextEditor& editor, const BesideText& beside);

  bool has_focus() const { return has_focus_; }
  void focus() { has_focus_ = true; }
  void blur() { has_focus_ = false; }
  void show(int line);  // from 1: the cursor goes there, and the line comes into sight
  void open_find(const TextEditor& editor);

 private:
  struct Layout {
    Rect text, gutter;
    double row = 0, character = 0;
    ImVec2 origin;           // of the first character
    int first = 0, end = 0;  // rows in sight
  };
  double draw_find(const Ui& ui, const Rect& rect, TextEditor& editor);
  void draw_find_row(const Ui& ui, const Rect& row, TextEditor& editor);
  void draw_replace_row(const Ui& ui, const Rect& row, TextEditor& editor);
  // A field for words; whether Enter was pressed in it, and whether it is being typed in.
  struct Typed {
    bool entered = false, active = false;
  };
  static Typed draw_words(const Ui& ui, const char* name, const Rect& field, std::string& words,
                          bool& wants_focus);
  void handle_keys(const Ui& ui, TextEditor& editor, int page_rows);
  void handle_find_keys(TextEditor& editor);
  void handle_mouse(const Ui& ui, TextEditor& editor, const Layout& layout, Done& done);
  void draw_menu(const Ui& ui, TextEditor& editor);
  void draw_lines(const Ui& ui, const TextEditor& editor, const BesideText& beside, const Layout& layout);
  void draw_gutter(const Ui& ui, const TextEditor& editor, const BesideText& beside,
                   const Layout& layout) const;
  void reveal(const Ui& ui, const TextEditor& editor, const Rect& text, double row, double character);
  void learn(const TextEditor& editor);
  TextPlace place_at(const TextEditor& editor, const Layout& layout, ImVec2 at) const;

  bool has_focus_ = false, reveals_ = false;
  int show_line_ = 0;
  bool find_is_open_ = false, find_wants_focus_ = false;
  bool find_has_focus_ = false, find_is_typed_ = false;  // of the frame before; of this one
  bool skips_keys_ = false;                              // of this frame: the row of find had them
  bool replace_is_open_ = false, replace_wants_focus_ = false;
  std::string find_words_, replace_words_;
  bool is_dragging_ = false;
  std::uint64_t known_ = 0;  // version that the following is of
  std::vector<CodeState> states_;
  int widest_ = 0;  // columns
  TextPlace shown_cursor_;
  double shown_height_ = 0;
};

}  // namespace warplens::app
