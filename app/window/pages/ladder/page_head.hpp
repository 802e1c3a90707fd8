// Above a picture: what it costs in large type, why below it, and beside it a button that does what fixes it.
#pragma once

#include <optional>
#include <string>

#include "app/window/kit/ui.hpp"
#include "engine/explain/explain.hpp"

namespace warplens::app {

// A step of the ladder that the head leads to, or other values of this one.
struct NextStep {
  std::string kernel, words, tip;
  bool fixes = false;           // what the headline says
  catalog::Values values = {};  // of its sliders, where it is this step
};

struct PageHead {
  std::string title, idea;                                      // of the step
  std::string headline = {}, reason = {}, cost = {}, fix = {};  // a sentence each
  std::string why() const { return reason + (reason.empty() || cost.empty() ? "" : ". ") + cost; }
  explain::Verdict verdict = explain::Verdict::neutral;
  std::optional<NextStep> next = {};
};

struct HeadLook {
  bool beside =
      false;         // the reason stands at the right of the headline, in up to two lines: the page is wide
  bool low = false;  // in smaller type: the page is low
};
double page_head_height(const Ui& ui, HeadLook look);
void draw_page_head(const Ui& ui, const Rect& rect, const PageHead& head, HeadLook look);

}  // namespace warplens::app
