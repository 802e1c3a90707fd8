// Inside of the code figure: text of fixed width in rows, long lines going on in further rows.
#pragma once

#include <string>
#include <vector>

#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

struct ListedLine {
  int number = 0;  // shown before its first row
  std::string id = {}, text = {};
  bool linked = false;  // belongs to what is marked
  bool marked = false;
  std::vector<std::string> cells = {};  // at the right, one a column
  std::vector<double> shares = {};      // of each cell's bar, 0 to 1
};

struct ListedColumn {
  std::string title;
  double width = 0;
  Color color = Token::dim;  // of bars
};

// The lines laid out in a panel: the largest type in which all of them are seen, or the part around the
// marked one.
class Listing {
 public:
  Listing(std::vector<ListedLine> lines, std::vector<ListedColumn> columns, const Rect& panel,
          const scene::TextMeasure& measure);

  void draw(Group& group, const scene::TextMeasure& measure) const;
  // The numbers of the first and the last line that are shown, and whether that is not all.
  int first_number() const, last_number() const;
  bool is_part() const { return first_ > 0 || end_ < rows_.size(); }
  // Top and bottom of each run of neighbouring rows that are linked or marked.
  std::vector<std::pair<double, double>> linked_runs() const;
  std::vector<std::pair<double, double>> marked_runs() const;

 private:
  struct Row {
    std::size_t line = 0;
    std::string text;
    bool is_first = true, in_comment = false;
  };
  void lay_out(double type, const scene::TextMeasure& measure);
  double top_of(std::size_t row) const;
  void draw_row(Group& group, std::size_t row, const scene::TextMeasure& measure) const;
  void draw_cells(Group& group, const ListedLine& line, double middle) const;
  std::vector<std::pair<double, double>> runs(bool marked_only) const;

  std::vector<ListedLine> lines_;
  std::vector<ListedColumn> columns_;
  Rect panel_;
  std::vector<Row> rows_;
  double type_ = 14, step_ = 20;
  std::size_t first_ = 0, end_ = 0;  // of rows_
};

}  // namespace warplens::figures
