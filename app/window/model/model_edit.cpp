// The parts of the model that show a text which is being edited, and a launch of a program.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/model/model.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {
namespace {

Result<catalog::KernelSpec> spec_of(const std::string& text, const std::string& id, const std::string& path) {
  return catalog::parse_or_guess(text, id, path, problem::guessed);
}

// Values of parameters that the text does not have any more.
void drop_unknown(catalog::Values& values, const catalog::KernelSpec& spec) {
  std::erase_if(values, [&](const auto& value) {
    return std::ranges::find(spec.params, value.first, &catalog::Parameter::name) == spec.params.end();
  });
}

// A slider that stood at the default goes on with the default that was typed; what is said of the others.
std::string follow_defaults(catalog::Values& values, const catalog::KernelSpec& before,
                            const catalog::KernelSpec& now) {
  std::string stays;
  for (const catalog::Parameter& parameter : now.params) {
    const auto old = std::ranges::find(before.params, parameter.name, &catalog::Parameter::name);
    const auto value = values.find(parameter.name);
    if (old == before.params.end() || value == values.end() || old->default_value == parameter.default_value)
      continue;
    if (value->second == old->default_value)
      value->second = parameter.default_value;
    else if (value->second != parameter.default_value)
      stays = fmt::format("{} stays {}, as its slider was set; the default is {} now", parameter.name,
                          value->second, parameter.default_value);
  }
  return stays;
}

}  // namespace

Result<catalog::KernelSpec> Model::find(std::string_view id) const {
  if (launch_ && id == launch_->id) return *launch_;
  if (edited_ && id == edited_->spec.id) return edited_->spec;
  if (edited_ && edited_->saved && id == edited_->saved->id) return *edited_->saved;
  auto found = catalog_.find(id);
  // A file of the user's has one name, whatever folder it was named from: the editor's.
  std::error_code failed;
  if (found && found->id == found->path)
    if (const auto file = std::filesystem::absolute(found->path, failed).lexically_normal(); !failed)
      found->id = found->path = file.string();
  return found;
}

const catalog::KernelSpec* Model::launch() const {
  return launch_ && state.kernel == launch_->id ? &*launch_ : nullptr;
}

Status Model::show_launch(catalog::KernelSpec launch) {
  if (const auto problem = problem::find_problem(launch); !problem) return problem.error();
  if (this->launch() == nullptr) kernel_before_ = state.kernel;
  const bool is_same_kernel = launch_ && this->launch() != nullptr && launch_->kernel == launch.kernel;
  launch_ = std::move(launch);
  state.kernel = launch_->id;
  state.params.clear(), state.size.clear();
  state.selection = {};
  state.edit = {};
  if (!is_same_kernel) state.view.figure = kOpeningFigure;
  return adopt_kernel();
}

State Model::state_to_keep() const {
  State kept = state;
  if (launch() == nullptr) return kept;
  kept.kernel = kernel_before_;
  kept.params.clear(), kept.size.clear();
  kept.selection = {};
  if (kept.view.page == Page::ladder) kept.view.page = Page::program;
  return kept;
}

Status Model::read_text(const EditedText& text) {
  auto spec = spec_of(text.text, text.id, text.id);
  if (!spec) return spec.error();
  if (const auto problem = problem::find_problem(*spec); !problem) return problem.error();
  const auto original = catalog_.find(text.original);
  if (original && original->title == spec->title) spec->title += " (edited)";
  // What was typed over a step and solves another problem is a step of no ladder.
  const bool is_step = original && original->problem == spec->problem;
  EditedKernel edited{is_step ? text.original : "", *std::move(spec), {}};
  if (!text.saved.empty()) {
    if (auto saved = spec_of(text.saved, saved_id(text.id), text.id)) {
      saved->title += " (saved)";
      edited.saved = *std::move(saved);
    }
  }
  edited_ = std::move(edited);
  return Done{};
}

Status Model::show_text(const EditedText& text) {
  const bool is_shown = state.kernel == text.id;
  if (const Status read = read_text(text); !read) {
    if (!is_shown) return read.error();
    view_->cancel();
    view_->fail(read.error());
    return read.error();
  }
  // A copy goes on where its original stood.
  const bool is_copy = !text.original.empty() && state.kernel == text.original;
  if (!is_shown && !is_copy) state.params.clear(), state.size.clear(), state.selection = {};
  const State before = state;
  // Sizes that were chosen for another problem mean nothing here.
  if (const auto problem = problem::find_problem(edited_->spec);
      problem && problem_ != nullptr && (*problem)->default_sizes() != problem_->default_sizes())
    state.size.clear();
  state.kernel = text.id;
  drop_unknown(state.params, edited_->spec);
  if (is_shown || is_copy)
    if (std::string stays = follow_defaults(state.params, spec_, edited_->spec); !stays.empty())
      note_ = std::move(stays);
  if (const Status adopted = adopt_kernel(); !adopted) {
    state = before;
    return adopted.error();
  }
  if (error()) view_->run_again();
  return Done{};
}

}  // namespace warplens::app
