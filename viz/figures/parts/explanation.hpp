// What, why and what fixes it, as a strip below a figure.
#pragma once

#include <string>
#include <string_view>

#include "engine/explain/against.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

// The step that follows in the ladder, which a click opens: "matmul/02_coalesced", "2". Empty: there is none,
// or nothing to click in.
struct NextStep {
  std::string kernel, number;
  bool operator==(const NextStep&) const = default;
};

Color verdict_color(explain::Verdict verdict);

// The step as a whole, below what is said of one access.
struct StepWords {
  std::string before;        // "Against step 6"; empty: nothing is known of it
  explain::Against against;  // words may be empty
  explain::Explanation whole;
};

// Of the strip at this width; 0 where nothing is said.
double explanation_height(const explain::Explanation& said, const StepWords& step, double width,
                          const scene::TextMeasure& measure);
// Fills the rectangle, as high as explanation_height() says. of: what it is said of.
inline constexpr std::string_view kOfAccess = "This access", kOfStep = "The step";
void add_explanation(Group& group, const Rect& rect, const explain::Explanation& said, const StepWords& step,
                     const NextStep& next, const scene::TextMeasure& measure,
                     std::string_view of = kOfAccess);

}  // namespace warplens::figures
