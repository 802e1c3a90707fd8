// Why a figure is not drawn, or not yet.
#include "viz/figures/figure.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::figures {

using study::Fact;

std::string what_is_missing(const Figure& figure, const study::Known& known) {
  const study::Facts missing = study::missing(known, figure.needs);
  if (missing.empty()) return "";
  return missing.has(Fact::banks)      ? "The banks are being counted"
         : missing.has(Fact::tensor)   ? "The elements of the tiles are followed once more"
         : missing.has(Fact::tiles)    ? "All blocks are asked for their tiles"
         : missing.has(Fact::rounding) ? "The additions are followed once more"
                                       : "The model is at work";
}

std::optional<Error> why_hidden(const Figure& figure, const Subject& subject) {
  constexpr study::Facts kTimes{Fact::schedule, Fact::over_warps, Fact::timeline, Fact::times,
                                Fact::speed_map};
  const bool is_of_speed = figure.needs - kTimes != figure.needs || figure.has(Trait::samples);
  if (!subject.hides_speed || !is_of_speed) return std::nullopt;
  return Error{"the lesson asks for this speed later", "answer its question first, or close the lesson"};
}

std::optional<Error> why_no_plot(const Figure& figure, const PerformanceInput& input) {
  if (figure.has(Trait::operations) && !has_operations(input))
    return Error{"this problem has no floating-point operations to put on a roofline",
                 "the ladder shows its speed in bytes a second"};
  if (figure.has(Trait::operations) && !input.roofline)
    return Error{"the peaks of this device are not known", "choose another device"};
  if (!figure.plot(input).series.empty()) return std::nullopt;
  if (figure.of == Of::device)
    return Error{"nothing of this was measured on " + input.device,
                 "choose the H200, or measure with 'warplens transfers' on a machine with a GPU"};
  return Error{
      "there is nothing to plot: no recorded measurement, and nothing that the model of time predicts",
      "choose another ladder, such as matmul"};
}

}  // namespace warplens::figures
