#include "app/window/model/kernel_view.hpp"

#include <utility>

#include "app/window/model/judged_run.hpp"

namespace warplens::app {
namespace {

std::vector<bool> legal_values(const std::vector<Slider>& sliders) {
  std::vector<bool> legal;
  for (const Slider& slider : sliders)
    for (const catalog::Choice& choice : slider.choices) legal.push_back(choice.valid);
  return legal;
}

}  // namespace

std::vector<Slider> sliders_at(catalog::Choices& choices, const catalog::Values& values) {
  std::vector<Slider> sliders;
  for (const auto& parameter : choices.spec().params) {
    const auto value = values.find(parameter.name);
    sliders.push_back({parameter, choices.of(parameter.name, values),
                       value == values.end() ? parameter.default_value : value->second});
  }
  return sliders;
}

KernelView::KernelView(std::shared_ptr<run::Runner> runner, std::function<void()> wake,
                       std::chrono::milliseconds pause)
    : runner_(std::move(runner)), wake_(wake) {
  runs_ = std::make_unique<LatestWins<run::Request, Result<run::SharedRun>>>(
      [runner = runner_](const run::Request& request, const std::atomic<bool>& cancel, const auto& partial) {
        return runner->run(request, cancel, partial);
      },
      std::move(wake), pause);
}

bool KernelView::is_asked(const Choice& choice, std::uint64_t block) const {
  return !again_ && asked_ && asked_->spec.id == choice.spec.id && asked_->spec.code == choice.spec.code &&
         asked_->parameters == choice.params && asked_->sizes == choice.sizes &&
         asked_->device.id == choice.device.id && asked_->block == block;
}

void KernelView::ask(const Choice& choice, std::uint64_t block) {
  if (is_asked(choice, block)) return;
  again_ = is_answered_ = false;
  is_cancelled_ = false;
  error_.reset();
  kept_.reset();
  asked_ = run::Request{.spec = choice.spec,
                        .parameters = choice.params,
                        .sizes = choice.sizes,
                        .device = choice.device,
                        .block = block,
                        .nearest = true};
  // What is kept is on screen in the next frame, without a worker in between.
  if (run::SharedRun kept = runner_->kept(*asked_)) {
    runs_->cancel();
    kept_ = std::move(kept);
  } else {
    runs_->submit(*asked_);
  }
}

void KernelView::settle_block(std::uint64_t block) {
  if (asked_) asked_->block = block;
}

void KernelView::cancel() {
  runs_->cancel();
  error_ = Error{"counting was stopped", "press Run or F5 to start it again"};
  is_cancelled_ = true;
  if (wake_) wake_();  // what is on screen says so without another key
}

bool KernelView::take() {
  std::optional<Result<run::SharedRun>> answer;
  try {
    answer = kept_ ? std::exchange(kept_, std::nullopt) : runs_->poll();
  } catch (...) {  // nothing of that run comes any more
    error_ = Error{"the run came to no end", "press Run to start it again, or choose a smaller size"};
    throw;
  }
  if (!answer) return false;
  is_cancelled_ = false;
  if (*answer) {
    run_ = **std::move(answer);
    error_.reset();
    is_answered_ = true;
  } else {
    error_ = answer->error();
    is_answered_ = false;
    if (run_ != nullptr && run_->device().id != asked_->device.id) run_.reset();
  }
  return true;
}

std::optional<Error> KernelView::error(const run::Run* judged) const {
  if (error_ || !is_answered_) return error_;
  return judged != nullptr && judged->fault ? stop_of(*judged) : run_->fault;
}

std::string KernelView::follow(catalog::Values& params) {
  if (run_ == nullptr || !is_answered_) return "";
  const run::Plan& plan = run_->plan();
  if (params != asked_->parameters || params == plan.parameters) return "";
  std::string words = run::gave_way_words(plan.spec, params, plan.parameters, plan.sizes,
                                          runner_->limits(asked_->device, asked_->spec, asked_->sizes));
  params = plan.parameters;
  asked_->parameters = plan.parameters;
  return words;
}

catalog::Limits KernelView::limits(const Choice& choice) const {
  return runner_->limits(choice.device, choice.spec, choice.sizes);
}

bool KernelView::refresh_sliders(const Choice& choice) {
  SlidersOf now{choice.spec.id, choice.spec.code, choice.device.id, choice.sizes};
  const std::uint64_t known = runner_->known().version();
  if (now != choices_of_ || !choices_) {
    choices_.emplace(choice.spec, choice.sizes, limits(choice));
    choices_of_ = std::move(now);
  } else if (choice.params == sliders_of_ && known == limits_known_) {
    return false;
  }
  sliders_of_ = choice.params;
  limits_known_ = known;
  sliders_ = sliders_at(*choices_, choice.params);
  return true;
}

bool KernelView::learn_limits(const Choice& choice) {
  if (limits_known_ == runner_->known().version()) return false;
  const auto before = legal_values(sliders_);
  refresh_sliders(choice);
  return legal_values(sliders_) != before;
}

void KernelView::look_at(const run::SharedRun& run, std::uint64_t block, std::uint32_t warp) {
  events_.clear();
  trace_block_ = 0;
  if (run == nullptr || run->trace->blocks().empty()) return;
  trace_block_ = run->trace->find_block(block).value_or(0);
  events_ = run->trace->find(trace_block_, {.warp = warp});
}

catalog::Values KernelView::change_kernel(const std::string& left, const catalog::Values& params,
                                          const std::string& id) {
  remembered_[left] = params;
  const auto known = remembered_.find(id);
  return known == remembered_.end() ? catalog::Values{} : known->second;
}

}  // namespace warplens::app
