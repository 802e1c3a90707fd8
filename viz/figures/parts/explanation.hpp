// What, why and what fixes it, as a strip below a figure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/against.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

// A step behind this one in the ladder, which a click opens: "matmul/02_coalesced", "2". Empty: there is
// none, or nothing to click in.
struct NextStep {
  std::string kernel, number;
  bool operator==(const NextStep&) const = default;
};
struct NextSteps {
  NextStep plain;  // the next one, of which nothing is promised
  // By explain::CostKind: the first that has clearly less of it.
  std::array<NextStep, explain::kCosts> lower = {};
  const NextStep& with_less(explain::CostKind cost) const { return lower[static_cast<std::size_t>(cost)]; }
  bool operator==(const NextSteps&) const = default;
};

Color verdict_color(explain::Verdict verdict);

// The step as a whole: what is new in it stands above a figure, what it loses below what is said of one
// access.
struct StepWords {
  std::string title, idea;   // of its file
  std::string before;        // "Against step 6, recorded at 4,096"; empty: nothing is known of it
  explain::Against against;  // words may be empty
  explain::Explanation whole;
};

// "1.73 × step 2’s speed: 32 × fewer global sectors", for a stage; without the speed where none was measured.
// Empty where nothing is said. at: the size at which both were measured, where the picture is of another one.
std::string against_words(const explain::Against& against, std::string_view number, std::string_view at = {});
// The same, and after it "As fast as step 2; model: memory 93 % busy in both" where the model has a reason:
// the first that has room is said.
std::vector<std::string> against_forms(const explain::Against& against, std::string_view number,
                                       std::string_view at = {});

// Of the head above a figure at this width; 0 where the step has no idea.
double head_height(const StepWords& step, double width, const scene::TextMeasure& measure);
void add_head(Group& group, const Rect& rect, const StepWords& step, const scene::TextMeasure& measure);

// In smaller type below a picture that has little room.
enum class StripType : std::uint8_t { normal, small };
// Of the strip at this width; 0 where nothing is said.
double explanation_height(const explain::Explanation& said, const StepWords& step, double width,
                          const scene::TextMeasure& measure, StripType type = StripType::normal);
// Fills the rectangle, as high as explanation_height() says. of: what it is said of.
inline constexpr std::string_view kOfAccess = "This access", kOfLine = "This line", kOfStep = "The step",
                                  kOfBlock = "This block", kOfPlot = "This picture";
void add_explanation(Group& group, const Rect& rect, const explain::Explanation& said, const StepWords& step,
                     const NextSteps& next, const scene::TextMeasure& measure,
                     std::string_view of = kOfAccess, StripType type = StripType::normal);

}  // namespace warplens::figures
