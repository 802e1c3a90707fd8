// Text of fixed width in rows, long lines going on in further rows, with counts at the right: of the code
// figure and of the window's code panel.
#pragma once

#include <string>
#include <vector>

#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

struct ListedLine {
  int number = 0;          // shown before its first row
  std::string label = {};  // shown instead of the number
  std::string id = {}, text = {};
  bool linked = false;  // belongs to what is marked
  bool marked = false;
  bool wrong = false;        // the compiler, or the run, stopped there
  bool has_columns = true;   // else its text may take their room
  std::string operand = {};  // a part of the text, which is underlined: what the marked access names
  std::vector<std::string> cells = {};  // at the right, one a column
  std::vector<double> shares = {};      // of each cell's bar, 0 to 1
  std::vector<bool> wastes = {};  // of each cell: its bar warns; left out: all that have a column's colour do
};

struct ListedColumn {
  std::string title;
  double width = 0;
  Color color = Token::dim;  // of bars
};

// Without the columns in which no line has a cell.
void leave_out_empty(std::vector<ListedLine>& lines, std::vector<ListedColumn>& columns);

// Lines laid out in rows of one height.
class Listing {
 public:
  // width and type: pixels. least: of numbers and counts, which are else smaller than the text.
  Listing(std::vector<ListedLine> lines, std::vector<ListedColumn> columns, double width, double type,
          const scene::TextMeasure& measure, double least = 11);

  std::size_t size() const { return rows_.size(); }
  double step() const { return step_; }
  const ListedLine& line_at(std::size_t row) const { return lines_[rows_[row].line]; }
  // The first row of the line that is wrong, else of the one that is marked, else of those that belong to it;
  // size() where there is none.
  std::size_t marked_row() const;
  // The rows from first up to end, the first of them at this place.
  void draw(Group& group, Point at, std::size_t first, std::size_t end,
            const scene::TextMeasure& measure) const;
  void draw_titles(Group& group, Point above) const;

 private:
  struct Row {
    std::size_t line = 0;
    std::string text;
    bool is_first = true, in_comment = false;
    std::size_t operand = 0, operand_end = 0;  // what of it is underlined
  };
  void fit_columns(double room, const scene::TextMeasure& measure);
  void mark_operand(std::size_t first);
  TextStyle number_style() const;
  double width_of_numbers(const scene::TextMeasure& measure) const;
  void draw_row(Group& group, const Row& row, Point at, const scene::TextMeasure& measure) const;
  void draw_cells(Group& group, const ListedLine& line, Point at) const;

  std::vector<ListedLine> lines_;
  std::vector<ListedColumn> columns_;
  double width_, type_, step_, least_;
  double number_width_ = 0;  // of the column of line numbers, or of addresses, and the mark before it
  std::vector<Row> rows_;
};

}  // namespace warplens::figures
