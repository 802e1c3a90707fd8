// Any text is read as a lesson without a crash, a leak or a hang, and so is each expression that it has, and
// the text itself as one. Without runs nothing can be said of kernels, and the answer is a value or a reason.
// Seeds: lessons.
#include <cstdint>
#include <cstdlib>

#include "engine/catalog/catalog.hpp"
#include "engine/lesson/evaluator.hpp"
#include "engine/lesson/lesson.hpp"

namespace {

using namespace warplens;

void evaluate(std::string_view text) {
  static const auto kernels = catalog::Catalog::open("kernels");
  const auto expression = lesson::Expression::parse(text);
  if (!expression) {
    if (expression.error().message.empty()) std::abort();
    return;
  }
  static const catalog::Catalog none;
  lesson::Context context;
  context.catalog = kernels ? &*kernels : &none;
  const auto value = expression->evaluate(context);
  if (!value && value.error().message.empty()) std::abort();
  static_cast<void>(expression->explain(context));
}

void evaluate_all(const lesson::Stop& stop) {
  if (const auto* ask = stop.find<lesson::Ask>()) evaluate(ask->answer.text());
  if (const auto* claims = stop.find<lesson::Claims>())
    for (const lesson::Claim& claim : claims->claims) evaluate(claim.expression.text());
  if (const auto* exercise = stop.find<lesson::Try>())
    evaluate(exercise->goal.text()), evaluate(exercise->best.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const lesson::Parsed parsed = lesson::parse(text, "fuzz.md");
  if (parsed.errors.size() > lesson::kMostErrors || parsed.lesson.stops.size() > lesson::kMostStops)
    std::abort();
  for (const lesson::Stop& stop : parsed.lesson.stops) evaluate_all(stop);
  for (std::size_t at = 0, lines = 0; at < size && lines < 8; ++lines) {
    const std::size_t end = std::min(text.find('\n', at), size);
    evaluate(text.substr(at, end - at));
    at = end + 1;
  }
  return 0;
}
