// Places of a row of buttons, taken from its right end.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

class FromRight {
 public:
  // height of the buttons, gap between them, and inset of the first one: design pixels.
  FromRight(const Ui& ui, const Rect& row, double height, double gap, double inset = 12)
      : ui_(ui),
        height_(ui.px(height)),
        gap_(ui.px(gap)),
        y_(row.y + (row.height - height_) / 2),
        right_(row.right() - ui.px(inset)) {}
  // width: design pixels.
  Rect take(double width) {
    right_ -= ui_.px(width);
    const Rect place{right_, y_, ui_.px(width), height_};
    right_ -= gap_;
    return place;
  }
  double right() const { return right_; }  // of what is left, a gap before the newest

 private:
  const Ui& ui_;
  double height_, gap_, y_, right_;
};

}  // namespace warplens::app
