// What, why and what fixes it, as a strip below a figure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/against.hpp"
#include "engine/explain/payoff/next_gain.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

// The steps of the ladder that build on this one, with what each would gain in its place: one that pays is a
// click away. Empty where there is none, where that is not known, and where there is nothing to click in.
using NextSteps = std::vector<explain::NextGain>;

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
// the first that has room is said. The last one is what the step is about, where that is known.
std::vector<std::string> against_forms(const explain::Against& against, std::string_view number,
                                       std::string_view at = {});
// These forms with all that they claim.
struct AgainstSaid {
  std::vector<std::string> texts = {};
  explain::Claims claims = {};
};
AgainstSaid against_said(const explain::Against& against, std::string_view number);

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
