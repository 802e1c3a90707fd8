#include "app/lesson/stop_context.hpp"

#include <utility>

namespace warplens::app {

StopContext::StopContext(const LessonSources& sources, const lesson::Lesson& lesson, StopState stop)
    : sources_(sources), kernels_{lesson.folder(), sources.data}, stop_(std::move(stop)) {}

Result<lesson::Subject> StopContext::shown() {
  if (!shown_) {
    auto run = sources_.runs.run(run_key(stop_.state));
    shown_ = run ? settle(stop_, *std::move(run)) : Result<lesson::Subject>(run.error());
  }
  return *shown_;
}

Result<lesson::Context> StopContext::context() {
  auto own = own_access(stop_.state, sources_.devices);
  if (!own) return own.error();
  own_access_ = *own;
  return lesson::Context{
      .catalog = &sources_.catalog,
      .recorded = &sources_.recorded,
      .kernels = kernels_,
      .shown = [this] { return shown(); },
      .own_access = own_access_ ? &*own_access_ : nullptr,
      .run =
          [this](const lesson::RunWish& wish) {
            return sources_.runs.run(wish, {run_key(stop_.state), stop_.state.selection.warp, stop_.access});
          }};
}

Result<lesson::Value> StopContext::value_of(const lesson::Expression& expression) {
  const auto about = context();
  return about ? expression.evaluate(*about) : Result<lesson::Value>(about.error());
}

std::string StopContext::why_false(const lesson::Expression& expression) {
  const auto about = context();
  return about ? expression.explain(*about) : "";
}

}  // namespace warplens::app
