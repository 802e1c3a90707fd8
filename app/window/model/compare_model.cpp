#include "app/window/model/compare_model.hpp"

#include <algorithm>
#include <utility>

#include "app/state/compare_choice.hpp"
#include "app/state/complete_state.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/catalog/front_matter.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/explain/explain.hpp"
#include "engine/lesson/subject.hpp"

namespace warplens::app {
namespace {

// The lines behind the front matter; `before` gets the number of those left out.
run::Lines code_lines(const std::string& code, std::size_t& before) {
  run::Lines lines = run::lines_of(code);
  before = catalog::first_code_line(lines);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(before));
  return lines;
}

// Where this side opens: on the access that the state names where it has such a one.
std::uint32_t opening_of(const KernelView& view, const CompareState& compare) {
  const run::Run* run = view.run().get();
  if (run == nullptr || view.events().empty()) return 0;
  lesson::AccessWish wish{.array = compare.array, .op = compare.op};
  if (compare.number > 0) wish.number = compare.number;
  const auto found = lesson::find_access(*run, view.trace_block(), compare.warp, wish);
  return found ? *found : explain::opening_access(*run, view.trace_block(), compare.warp);
}

// The first access of a side to the array, and with the operation, that the other side opens on.
std::optional<std::uint32_t> same_access(const KernelView& view, const KernelView& other,
                                         std::uint32_t others_access, std::uint32_t warp) {
  const run::Run *run = view.run().get(), *shown = other.run().get();
  if (run == nullptr || shown == nullptr || view.events().empty() || other.events().empty())
    return std::nullopt;
  const auto facts = explain::facts_at(*shown, {other.trace_block(), warp, others_access});
  if (!facts || facts->face == nullptr) return std::nullopt;
  const std::string op = facts->access.kind == emulator::AccessKind::load ? "ld" : "st";
  const auto found = lesson::find_access(*run, view.trace_block(), warp, {.array = facts->array, .op = op});
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace

const figures::Figure& compared_figure(const State& state) {
  const figures::Figure* figure = figures::find_figure(state.compare.figure);
  const auto of_a_run = figures::figures_of_a_run();
  const bool known =
      std::any_of(of_a_run.begin(), of_a_run.end(), [&](const auto& f) { return &f == figure; });
  return known ? *figure : of_a_run.front();
}

Comparison::Half::Half(const Model& model, std::function<void()> wake)
    : view(model.runner(), wake), judged(model.library(), wake), study(model.library(), std::move(wake)) {}

Comparison::Comparison(Model& model, std::function<void()> wake)
    : model_(model), halves_{Half(model, wake), Half(model, wake)} {}

CompareSide& Comparison::choice(Side side) const {
  CompareState& compare = model_.state.compare;
  return side == Side::left ? compare.left : compare.right;
}

std::vector<const catalog::KernelSpec*> Comparison::candidates() const {
  auto list = kernels_beside(model_.catalog(), model_.spec());
  const EditedKernel* edited = model_.edited();
  const std::string& shown = model_.spec().id;
  // A file that was opened by its path is in no folder.
  if (kernel_named(list, shown) == nullptr && (edited == nullptr || edited->spec.id != shown))
    list.insert(list.begin(), &model_.spec());
  // What is being edited stands behind what it is a copy of.
  if (edited == nullptr || edited->spec.problem != model_.spec().problem) return list;
  const auto original = std::ranges::find(list, edited->original, &catalog::KernelSpec::id);
  const auto at = list.insert(original == list.end() ? list.begin() : original + 1, &edited->spec);
  if (edited->saved && edited->saved->problem == edited->spec.problem) list.insert(at, &*edited->saved);
  return list;
}

const catalog::KernelSpec* Comparison::spec(Side side) const {
  return kernel_named(candidates(), choice(side).kernel);
}

void Comparison::complete_choices() {
  if (const auto list = candidates(); !list.empty()) complete_sides(model_.state, list);
}

void Comparison::refresh_sliders(Side side) {
  const catalog::KernelSpec* own = spec(side);
  KernelView& view = at(side).view;
  if (own == nullptr) return view.forget_sliders();
  catalog::Values& params = choice(side).params;
  const KernelView::Choice chosen{*own, params, model_.state.size, model_.device()};
  const bool is_first = !view.has_sliders();
  if (!view.refresh_sliders(chosen)) return;
  // The state's file may have values that the kernel does not.
  if (is_first || catalog::resolve_values(*own, params, model_.state.size))
    params = complete_values(*own, params, model_.state.size);
  view.refresh_sliders(chosen);
}

// True where its run is another one.
bool Comparison::update(Side side) {
  refresh_sliders(side);
  const State& state = model_.state;
  Half& half = at(side);
  const catalog::KernelSpec* own = spec(side);
  if (own != nullptr)
    half.view.ask({*own, choice(side).params, state.size, model_.device()}, state.compare.block);
  const bool changed = half.view.take();
  if (std::string words = half.view.follow(choice(side).params); !words.empty())
    model_.note(std::move(words));
  half.shown = half.judged.of(half.view.run(), half.view.is_answered() && !half.view.busy_seconds());
  return changed;
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
  for (const Side side : kBothSides) changed = update(side) || changed;
  CompareState& compare = model_.state.compare;
  if (!busy_seconds()) {
    compare.block = std::min(compare.block, blocks() - 1);
    compare.warp = std::min(compare.warp, warps() - 1);
  }
  const Looked now{compare.block, compare.warp, compare.array, compare.op, compare.number};
  if (changed || now != shown_) {
    for (Half& half : halves_) {
      half.view.look_at(half.view.run(), compare.block, compare.warp);
      half.opening = opening_of(half.view, compare);
    }
    // A copy and its original are compared at one access, not each at the one that shows its own point.
    const EditedKernel* edited = model_.edited();
    const catalog::KernelSpec* right = spec(Side::right);
    const Half& left = at(Side::left);
    if (edited != nullptr && right != nullptr && right->id == edited->spec.id && compare.array.empty())
      at(Side::right).opening = same_access(at(Side::right).view, left.view, left.opening, compare.warp)
                                    .value_or(at(Side::right).opening);
    shown_ = now;
  }
  if (!busy_seconds() && steps() > 0 && compare.step != kOpeningAccess)
    compare.step = std::min(compare.step, static_cast<std::uint32_t>(steps() - 1));
  refresh_sources();
}

figures::Subject Comparison::subject(Side side, const PerformanceData& performance, figures::Look look,
                                     bool is_guessed, bool hides_speed) {
  using study::Fact;
  Half& half = at(side);
  const figures::Figure& figure = compared_figure(model_.state);
  const Shown shown{.run = half.shown,
                    .place = place_of(selection(side), half.view.trace_block()),
                    .look = look,
                    .is_guessed = is_guessed,
                    .hides_speed = hides_speed};
  // The other step stands beside it.
  const study::Facts facts =
      figures::facts_for(figure, figures::Look::page) - study::Facts{Fact::before, Fact::scale};
  const study::StepOf ladder{.steps = model_.steps(),
                             .taught = model_.taught().of(model_.ladder()),
                             .recorded = &performance.recorded()};
  study::Question question = question_of(shown, &ladder);
  question.run = half.view.run();
  if (!facts.has(Fact::speed_map)) half.study.rest(Fact::speed_map);
  figures::Subject subject =
      figure_inputs(figure, shown, model_.state.drawing, half.study.of(question, facts));
  if (figure.has(figures::Trait::axes)) subject.measured = performance.measured_sets(question.run);
  return subject;
}

std::optional<double> Comparison::busy_seconds() const {
  std::optional<double> longest;
  for (const Side side : kBothSides) {
    const auto busy = busy_seconds(side);
    if (busy) longest = std::max(longest.value_or(0), *busy);
  }
  return longest;
}

bool Comparison::is_busy() const {
  return busy_seconds() || std::ranges::any_of(halves_, [](const Half& half) {
           return half.judged.is_busy() || half.study.busy_seconds();
         });
}

void Comparison::cancel() {
  for (Half& half : halves_)
    if (half.view.busy_seconds()) half.view.cancel();
}

void Comparison::run_again() {
  for (Half& half : halves_) half.view.run_again();
}

void Comparison::choose_kernel(Side side, const std::string& id) {
  CompareSide& chosen = choice(side);
  if (chosen.kernel == id) return;
  chosen = {id, at(side).view.change_kernel(chosen.kernel, chosen.params, id)};
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
  for (Half& half : halves_) half.view.forget_sliders();
}

Selection Comparison::selection(Side side) const {
  const CompareState& compare = model_.state.compare;
  Selection selection{.block = compare.block, .warp = compare.warp};
  const KernelView& view = at(side).view;
  if (view.run() != nullptr && view.trace_block() < view.run()->trace->blocks().size())
    selection.block = view.run()->trace->blocks()[view.trace_block()].block;
  const std::size_t own = view.events().size(), all = steps();
  if (own == 0) return selection;
  if (compare.step == kOpeningAccess) {
    selection.step = std::min(at(side).opening, static_cast<std::uint32_t>(own - 1));
    return selection;
  }
  const std::size_t step = std::min<std::size_t>(compare.step, all - 1);
  // The same share of the way, rounded: the first and the last accesses of both sides meet.
  selection.step = static_cast<std::uint32_t>(compare.pace == Pace::number || all < 2
                                                  ? std::min(step, own - 1)
                                                  : (step * (own - 1) + (all - 1) / 2) / (all - 1));
  return selection;
}

std::uint32_t Comparison::step() const {
  const std::uint32_t chosen = model_.state.compare.step;
  if (chosen != kOpeningAccess) return chosen;
  return selection(steps(Side::left) > steps(Side::right) ? Side::left : Side::right).step;
}

void Comparison::move_step(std::ptrdiff_t by) {
  if (steps() == 0) return;
  const auto last = static_cast<std::ptrdiff_t>(steps()) - 1;
  const std::ptrdiff_t now = step();
  model_.state.compare.step = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last));
}

std::uint64_t Comparison::blocks() const {
  std::uint64_t most = 1;
  for (const Half& half : halves_)
    if (half.view.run() != nullptr) most = std::max(most, half.view.run()->emulation.blocks_in_grid);
  return most;
}

std::uint32_t Comparison::warps() const {
  std::uint32_t most = 1;
  for (const Half& half : halves_) {
    if (half.view.run() == nullptr) continue;
    most =
        std::max(most, static_cast<std::uint32_t>(catalog::warps_in_block(half.view.run()->plan().launch)));
  }
  return most;
}

}  // namespace warplens::app
