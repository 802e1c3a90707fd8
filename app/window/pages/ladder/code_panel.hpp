// The panel at the right of a ladder's page, or a tab where there is no room beside the picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/window/kit/ui.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/machine_code.hpp"
#include "viz/figures/code/code_listing.hpp"

namespace warplens::app {

// Whose code is listed: for a moment after a step was chosen the picture is still that of the run before; so is
// the source.
const catalog::KernelSpec& listed_kernel(const Model& model);

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
    int chosen_line = 0;            // looked at instead of the access
    study::SharedListing machine = nullptr;
    study::SharedPrediction predicted = nullptr;  // of the run, where the counter is of it
    bool operator==(const Marks&) const = default;
  };

  explicit CodePanel(const Model& model) : inquiry_(model.library(), model.wake()) {}

  // predicted: of the model's run; null while it is being made.
  void draw(const Ui& ui, const Rect& rect, const study::SharedPrediction& predicted);
  bool is_busy() const { return inquiry_.busy_seconds().has_value(); }
  // Of the run; null while it is read.
  study::SharedListing machine_code(const run::SharedRun& run) {
    return inquiry_.of({.run = run}, study::Fact::listing).listing;
  }

 private:
  void draw_source(const Ui& ui, const Rect& rect, const Marks& marks);
  void draw_ptx(const Ui& ui, const Rect& rect, const Marks& marks);
  void draw_machine_code(const Ui& ui, const Rect& rect, Marks marks);
  void draw_machine_rows(const Ui& ui, const Rect& rect, const Marks& marks);
  struct Laid {
    Marks marks = {};
    double width = 0;
    std::optional<figures::Listing> listing = {};
  };
  // lines: the lines and the columns, where they are not those of before.
  const figures::Listing& laid_out(Laid& laid, const Ui& ui, const Marks& marks, const Rect& rect,
                                   double type, auto&& lines);

  Laid source_, ptx_, machine_;
  study::Inquiry inquiry_;
};

}  // namespace warplens::app
