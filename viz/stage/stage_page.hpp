// The page that a class sees of a step, as a file: what the window's stage shows at this size.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::figures {

struct StagePage {
  std::string ladder, title;              // "Matmul", and the step's; both empty without a kernel
  std::string headline = {};              // instead of what the picture says; empty: that
  std::vector<std::string> against = {};  // against_forms() of the step
  explain::Verdict than_other = explain::Verdict::neutral;  // the step, against that one
  bool names_cause = false;                                 // of the difference
  bool is_point = false;                                    // see AroundPicture
  std::vector<std::string> other_says = {};                 // see AroundPicture
  std::size_t at = 0, count = 1;                            // which of the ladder's steps it is
  double type = 1;                                          // times as large
};

// size: of the whole page. Errors: as draw().
Result<scene::Scene> stage_page(const Figure& figure, const Subject& subject, const StagePage& page,
                                scene::Size size, const scene::TextMeasure& measure);

}  // namespace warplens::figures
