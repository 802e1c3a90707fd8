#include "app/window/pages/compare/compare_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/state/compare_choice.hpp"
#include "engine/catalog/launches.hpp"

namespace warplens::app {
namespace {

// The lines behind the front matter; `before` gets the number of those left out.
run::Lines code_lines(const std::string& code, std::size_t& before) {
  run::Lines lines = run::lines_of(code);
  const auto end = std::find_if(lines.begin(), lines.end(),
                                [](std::string_view line) { return line.find("---*/") != line.npos; });
  auto first = end == lines.end() ? lines.begin() : end + 1;
  while (first != lines.end() && first->empty()) ++first;
  before = static_cast<std::size_t>(first - lines.begin());
  lines.erase(lines.begin(), first);
  return lines;
}

std::string key_of(const catalog::Values& values) {
  std::string key;
  for (const auto& [name, value] : values) key += fmt::format(" {}={}", name, value);
  return key;
}

}  // namespace

const figures::Figure& compared_figure(const State& state) {
  const figures::Figure* figure = figures::find_figure(state.compare.figure);
  const auto of_a_run = figures::figures_of_a_run();
  const bool known =
      std::any_of(of_a_run.begin(), of_a_run.end(), [&](const auto& f) { return &f == figure; });
  return known ? *figure : of_a_run.front();
}

bool Comparison::Request::operator==(const Request& other) const {
  return run.spec.id == other.run.spec.id && run.spec.code == other.run.spec.code &&
         run.parameters == other.run.parameters && run.sizes == other.run.sizes &&
         run.device.id == other.run.device.id && run.block == other.run.block &&
         with_banks == other.with_banks;
}

Comparison::Comparison(Model& model, std::function<void()> wake) : model_(model) {
  for (Half& half : halves_) {
    half.worker = std::make_unique<LatestWins<Request, Result<Answer>>>(
        [runner = model.runner()](const Request& request, const std::atomic<bool>& cancel,
                                  const LatestWins<Request, Result<Answer>>::Partial& partial) {
          return run_side(*runner, request, cancel, partial);
        },
        wake);
  }
}

Result<Comparison::Answer> Comparison::run_side(run::Runner& runner, const Request& request,
                                                const std::atomic<bool>& cancel,
                                                const std::function<void(Result<Answer>)>& partial) {
  const auto run = runner.run(request.run, cancel, [&](const Result<run::SharedRun>& preview) {
    if (preview) partial(Answer{*preview, nullptr});
  });
  if (!run) return run.error();
  Answer answer{*run, nullptr};
  const auto block = (*run)->trace->find_block(request.run.block).value_or(0);
  if (request.with_banks && block < (*run)->stories.size())
    answer.banks = std::make_shared<const figures::BankMap>(figures::bank_map_of(**run, block));
  return answer;
}

CompareSide& Comparison::choice(Side side) const {
  CompareState& compare = model_.state.compare;
  return side == Side::left ? compare.left : compare.right;
}

std::vector<const catalog::KernelSpec*> Comparison::candidates() const {
  return kernels_of(model_.catalog(), model_.spec().problem);
}

const catalog::KernelSpec* Comparison::spec(Side side) const {
  return kernel_named(candidates(), choice(side).kernel);
}

void Comparison::complete_choices() {
  if (const auto list = candidates(); !list.empty()) complete_sides(model_.state, list);
}

void Comparison::refresh_sliders(Side side) {
  const catalog::KernelSpec* own = spec(side);
  Half& half = at(side);
  if (own == nullptr) return half.sliders.clear();
  CompareSide& chosen = choice(side);
  const auto key_now = [&] {
    return own->id + key_of(chosen.params) + " at" + key_of(model_.state.size) + " on " + model_.device().id +
           std::to_string(std::hash<std::string>()(own->code));
  };
  if (key_now() == half.sliders_of) return;
  if (const auto values = catalog::resolve_values(*own, chosen.params, model_.state.size))
    chosen.params = *values;
  else if (half.sliders_of.empty())  // the state's file has values that the kernel does not
    chosen.params = catalog::default_values(*own);
  catalog::Choices choices(*own, model_.state.size,
                           model_.runner()->limits(model_.device(), *own, model_.state.size));
  half.sliders = sliders_at(choices, chosen.params);
  half.sliders_of = key_now();
}

void Comparison::ask(Side side) {
  const catalog::KernelSpec* own = spec(side);
  if (own == nullptr) return;
  const State& state = model_.state;
  Request wanted{{.spec = *own,
                  .parameters = choice(side).params,
                  .sizes = state.size,
                  .device = model_.device(),
                  .block = state.compare.block,
                  .nearest = true},
                 compared_figure(state).reads == figures::Reads::block};
  Half& half = at(side);
  if (half.asked == wanted) return;
  half.asked = wanted;
  half.error.reset();
  half.banks.reset();
  half.worker->submit(std::move(wanted));
}

bool Comparison::take(Side side) {
  Half& half = at(side);
  auto answer = half.worker->poll();
  if (!answer) return false;
  if (*answer) {
    half.run = (*answer)->run;
    half.banks = (*answer)->banks;
    half.error = half.run->fault;
    adopt_fitted(side);
  } else {
    half.error = answer->error();
    if (half.run != nullptr && half.run->device().id != model_.device().id) half.run.reset();
  }
  return true;
}

// As the model does for its own run.
void Comparison::adopt_fitted(Side side) {
  Half& half = at(side);
  CompareSide& chosen = choice(side);
  const run::Plan& plan = half.run->plan();
  if (!half.asked || chosen.kernel != plan.spec.id || chosen.params != half.asked->run.parameters ||
      chosen.params == plan.parameters)
    return;
  const run::Request& asked = half.asked->run;
  model_.note(run::gave_way_words(plan.spec, asked.parameters, plan.parameters, plan.sizes,
                                  model_.runner()->limits(asked.device, asked.spec, asked.sizes)));
  chosen.params = plan.parameters;
  half.asked->run.parameters = plan.parameters;
}

void Comparison::refresh_events(Side side) {
  Half& half = at(side);
  half.events.clear();
  half.trace_block = 0;
  if (half.run == nullptr || half.run->trace->blocks().empty()) return;
  const CompareState& compare = model_.state.compare;
  half.trace_block = half.run->trace->find_block(compare.block).value_or(0);
  half.events = half.run->trace->find(half.trace_block, {.warp = compare.warp});
}

void Comparison::refresh_sources() {
  const auto code = [&](Side side) { return spec(side) == nullptr ? std::string() : spec(side)->code; };
  std::string left = code(Side::left), right = code(Side::right);
  if (left == left_code_ && right == right_code_) return;
  left_code_ = std::move(left), right_code_ = std::move(right);
  sources_.left = code_lines(left_code_, sources_.left_first);
  sources_.right = code_lines(right_code_, sources_.right_first);
  sources_.rows = diff_lines(sources_.left, sources_.right);
}

void Comparison::update() {
  complete_choices();
  bool changed = false;
  for (const Side side : both_sides) {
    refresh_sliders(side);
    ask(side);
    changed = take(side) || changed;
  }
  CompareState& compare = model_.state.compare;
  if (!busy_seconds()) {
    compare.block = std::min(compare.block, blocks() - 1);
    compare.warp = std::min(compare.warp, warps() - 1);
  }
  const std::pair now{compare.block, compare.warp};
  if (changed || now != shown_) {
    for (const Side side : both_sides) refresh_events(side);
    shown_ = now;
  }
  if (!busy_seconds() && steps() > 0)
    compare.step = std::min(compare.step, static_cast<std::uint32_t>(steps() - 1));
  refresh_sources();
}

std::optional<double> Comparison::busy_seconds() const {
  std::optional<double> longest;
  for (const Side side : both_sides) {
    const auto busy = busy_seconds(side);
    if (busy) longest = std::max(longest.value_or(0), *busy);
  }
  return longest;
}

void Comparison::cancel() {
  for (const Side side : both_sides) {
    if (!busy_seconds(side)) continue;
    at(side).worker->cancel();
    at(side).error = Error{"the run was cancelled", "press Run to start it again"};
  }
}

void Comparison::run_again() {
  for (Half& half : halves_) half.asked.reset();
}

void Comparison::choose_kernel(Side side, const std::string& id) {
  CompareSide& chosen = choice(side);
  if (chosen.kernel == id) return;
  auto& remembered = at(side).remembered;
  remembered[chosen.kernel] = chosen.params;
  const auto known = remembered.find(id);
  chosen = {id, known == remembered.end() ? catalog::Values{} : known->second};
}

void Comparison::choose_next(Side side, std::ptrdiff_t away) {
  const auto list = candidates();
  const auto here =
      std::find_if(list.begin(), list.end(), [&](const auto* s) { return s->id == choice(side).kernel; });
  const std::ptrdiff_t next = (here - list.begin()) + away;
  if (here == list.end() || next < 0 || next >= std::ssize(list)) return;
  choose_kernel(side, list[static_cast<std::size_t>(next)]->id);
}

void Comparison::set_parameter(Side side, const std::string& name, std::int64_t value) {
  choice(side).params[name] = value;
}

void Comparison::swap_sides() {
  std::swap(model_.state.compare.left, model_.state.compare.right);
  for (Half& half : halves_) half.sliders_of.clear();
}

Selection Comparison::selection(Side side) const {
  const CompareState& compare = model_.state.compare;
  Selection selection{.block = compare.block, .warp = compare.warp};
  const Half& half = at(side);
  if (half.run != nullptr && half.trace_block < half.run->trace->blocks().size())
    selection.block = half.run->trace->blocks()[half.trace_block].block;
  const std::size_t own = half.events.size(), all = steps();
  if (own == 0) return selection;
  const std::size_t step = std::min<std::size_t>(compare.step, all - 1);
  // The same share of the way, rounded: the first and the last accesses of both sides meet.
  selection.step = static_cast<std::uint32_t>(compare.pace == Pace::number || all < 2
                                                  ? std::min(step, own - 1)
                                                  : (step * (own - 1) + (all - 1) / 2) / (all - 1));
  return selection;
}

void Comparison::move_step(std::ptrdiff_t by) {
  if (steps() == 0) return;
  const auto last = static_cast<std::ptrdiff_t>(steps()) - 1;
  std::uint32_t& step = model_.state.compare.step;
  step = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(step + by, 0, last));
}

std::uint64_t Comparison::blocks() const {
  std::uint64_t most = 1;
  for (const Half& half : halves_)
    if (half.run != nullptr) most = std::max(most, half.run->emulation.blocks_in_grid);
  return most;
}

std::uint32_t Comparison::warps() const {
  std::uint32_t most = 1;
  for (const Half& half : halves_) {
    if (half.run == nullptr) continue;
    most = std::max(most, static_cast<std::uint32_t>(catalog::warps_in_block(half.run->plan().launch)));
  }
  return most;
}

}  // namespace warplens::app
