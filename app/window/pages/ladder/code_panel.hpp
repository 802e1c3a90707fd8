// The panel at the right of a ladder's page, or a tab where there is no room beside the picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/window/kit/ui.hpp"
#include "viz/figures/code/code_listing.hpp"

namespace warplens::app {

class CodePanel {
 public:
  // All that its listings depend on.
  struct Marks {
    std::string code;
    Counter counter = Counter::sectors;
    int wrong_line = 0;
    run::SharedRun run = nullptr;
    std::optional<std::uint32_t> pc = {};
    int line = 0, called_line = 0;  // of the access in the kernel, and in the device function that it calls
    bool operator==(const Marks&) const = default;
  };

  void draw(const Ui& ui, const Rect& rect);

 private:
  struct Laid {
    Marks marks = {};
    double width = 0;
    std::optional<figures::Listing> listing = {};
  };
  const figures::Listing& laid_out(Laid& laid, const Ui& ui, const Marks& marks, double width, auto&& lines);

  Laid source_, ptx_;
};

}  // namespace warplens::app
