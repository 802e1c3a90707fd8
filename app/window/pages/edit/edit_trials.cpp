#include "app/window/pages/edit/edit_trials.hpp"

#include <algorithm>

#include "engine/problem/kind_texts.hpp"
#include "engine/run/plan.hpp"

namespace warplens::app {
namespace {

// What the compiler would be asked; empty if the file is wrong already.
std::optional<compile::Request> request_of(const EditTrials::Ask& ask) {
  const auto spec = catalog::parse_or_guess(ask.text, ask.id, ask.id, problem::guessed);
  if (!spec) return std::nullopt;
  catalog::Values params = ask.params;
  std::erase_if(params, [&](const auto& value) {
    return std::ranges::find(spec->params, value.first, &catalog::Parameter::name) == spec->params.end();
  });
  const auto plan = run::plan(*spec, params, ask.sizes, ask.device);
  return plan ? std::optional(run::build_request(*plan, false)) : std::nullopt;
}

}  // namespace

EditTrials::EditTrials(std::vector<std::string> worker, std::function<void()> wake)
    : compiler_(std::move(worker)),
      trials_(
          [this](const Ask& ask, const std::atomic<bool>& cancel, const auto&) -> std::optional<Answer> {
            const auto request = request_of(ask);
            if (!request) return Answer{ask.version, {}};
            auto errors = compiler_.compile(*request, cancel);
            if (cancel) return std::nullopt;
            if (!errors) return Answer{ask.version, {}, errors.error()};
            return Answer{ask.version, *std::move(errors)};
          },
          std::move(wake)) {}

std::optional<EditTrials::Answer> EditTrials::take() {
  auto answer = trials_.poll();
  return answer ? *std::move(answer) : std::nullopt;
}

}  // namespace warplens::app
