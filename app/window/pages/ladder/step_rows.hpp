// The rows of the list of steps: how their titles are broken, how high they are and where their columns stand.
#pragma once

#include <string>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "app/window/kit/widgets.hpp"

namespace warplens::app {

inline constexpr double kTitleLine = 15,
                        kSpeedWidth = 46;  // design pixels: of each line of a title; of a speed

// Screen pixels.
struct StepColumns {
  double margin = 0, width = 0;                   // of the row, in the list
  double number = 0, title = 0, title_width = 0;  // in the row: where the number ends, and where the title is
  bool has_speeds_beside = false;                 // the title; else beside the bar
};

// All titles are in one type: the larger one where each has room in a line, else the smaller one in as many lines as it needs.
struct StepRows {
  StepColumns columns;
  Type type = Type::body;
  std::vector<std::vector<std::string>> titles = {};  // lines
  std::vector<double> tops = {};                      // screen pixels, and where the last row ends
  double height() const { return tops.back(); }
  double whole_rows(double most) const;  // of as many as have room, one at least
};
// width: of the list.
StepRows step_rows(const Ui& ui, const std::vector<const catalog::KernelSpec*>& steps, double width);

}  // namespace warplens::app
