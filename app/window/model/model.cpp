#include "app/window/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include "app/state/compare_choice.hpp"
#include "app/state/complete_state.hpp"
#include "app/window/model/ahead.hpp"
#include "app/window/model/judged_steps.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/explain/opening.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {
namespace {

// The step that the chosen one is judged against. In a lesson null: its stops show what a view of the kernel
// alone would.
const catalog::KernelSpec* step_before(const Model& model) {
  if (model.state.lesson != LessonState{}) return nullptr;
  const auto before = judged_against(model, step_index(model));
  return before ? model.steps()[*before] : nullptr;
}

// The memory that the open figure shows alone; empty: it shows accesses to any.
std::optional<ptx::Space> memory_of_figure(const State& state) {
  const figures::Figure* figure = figures::find_figure(state.view.figure);
  return figure == nullptr ? std::nullopt : figure->memory;
}

// How long the whole run waits for the frame with its preview: both take all cores.
constexpr std::chrono::milliseconds kTimeForAFrame{50};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// At small sizes a run is over before anything on screen could show it: this stays for a while.
std::string ran_words(const run::Run& run, double seconds) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  const std::string took =
      seconds < 1 ? fmt::format("{:.0f} ms", std::ceil(1e3 * seconds)) : fmt::format("{:.1f} s", seconds);
  return fmt::format("Ran {} in {}, emulated, at {:02}:{:02}:{:02}", measured::short_size(run.plan().sizes),
                     took, local.tm_hour, local.tm_min, local.tm_sec);
}

}  // namespace

Result<std::unique_ptr<Model>> Model::open(const CommonOptions& common, State state, ModelOptions options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  auto devices = workspace->devices();
  if (!devices) return devices.error();
  auto device = devices->find(state.device);
  if (!device) return device.error();

  std::unique_ptr<Model> model(new Model);
  model->state = std::move(state);
  model->common_ = common;
  model->home_ = workspace->home();
  model->devices_ = *std::move(devices);
  model->device_ = *std::move(device);
  model->gives_way_ = options.gives_way;
  model->wake_ = std::move(options.wake);
  model->gpus_ = std::make_unique<GpuRuns>(std::move(options.gpu_worker), workspace->home(), model->wake_);
  model->start_workers(workspace->compiler());
  model->adopt_catalog(*std::move(catalog));
  // One that is no kernel file is left to the editor.
  if (options.edited) static_cast<void>(model->read_text(*options.edited));
  if (const Status adopted = model->adopt_kernel(); !adopted) return adopted.error();
  return model;
}

void Model::start_workers(compile::Compiler compiler) {
  runner_ = std::make_shared<run::Runner>(std::move(compiler), gives_way_);
  library_ = std::make_shared<study::Library>(
      runner_, study::Library::Options{.in_background = true,
                                       .disassembler = disassembler_options(read_environment())});
  view_ = std::make_unique<KernelView>(runner_, wake_, kTimeForAFrame);
  judged_ = std::make_unique<JudgedRun>(library_, wake_);
  ladder_traffic_ = std::make_unique<LadderTraffic>(library_, gives_way_, wake_);
  files_ = std::make_unique<LatestWins<int, std::optional<catalog::Catalog>>>(
      [catalog = std::optional<catalog::Catalog>(), this](const int&, const std::atomic<bool>&,
                                                          const auto&) mutable {
        if (!catalog) catalog = catalog_;
        return catalog->refresh() ? catalog : std::nullopt;
      },
      nullptr);  // no wake: an unchanged folder must not cost a frame; the next look takes the answer
}

void Model::adopt_catalog(catalog::Catalog catalog) {
  catalog_ = std::move(catalog);
  ladders_.clear();
  for (const auto& spec : catalog_.kernels()) {
    const std::string name = ladder_of(spec.id);
    if (ladders_.empty() || ladders_.back() != name) ladders_.push_back(name);
  }
  taught_ = catalog::read_ladders(home());
  std::ranges::stable_sort(ladders_, {}, [&](const std::string& ladder) { return taught_.rank(ladder); });
}

Status Model::adopt_kernel() {
  auto spec = find(state.kernel);
  if (!spec) return spec.error();
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  spec_ = *std::move(spec);
  problem_ = *problem;
  if (const Status complete = complete_kernel(state, spec_); !complete) return complete;
  if (state.view.figure == kOpeningFigure) state.view.figure = opening_figure(*this);
  view_->refresh_sliders(choice());
  return Done{};
}

std::vector<const catalog::KernelSpec*> Model::steps() const {
  const std::string ladder = this->ladder();
  std::vector<const catalog::KernelSpec*> steps = steps_of(catalog_, ladder);
  if (edited_ && edited_->original.starts_with(ladder + "/")) steps.push_back(&edited_->spec);
  return steps;
}

// A copy of a step belongs to the step's ladder.
std::string Model::ladder() const {
  const bool is_copy = edited_ && edited_->spec.id == state.kernel && !edited_->original.empty();
  return ladder_of(is_copy ? edited_->original : state.kernel);
}

std::vector<std::pair<std::string, std::int64_t>> Model::sizes() const {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  for (const std::string& name : problem_->size_names()) {
    if (const auto found = state.size.find(name); found != state.size.end()) sizes.emplace_back(*found);
  }
  return sizes;
}

void Model::choose_ladder(const std::string& name) {
  if (name == ladder()) return;
  for (const auto& spec : catalog_.kernels()) {
    if (!spec.id.starts_with(name + "/")) continue;
    state.view.figure = kOpeningFigure;  // a ladder opens on its own point
    return choose_kernel(spec.id);
  }
}

void Model::choose_kernel(const std::string& id) {
  if (id == state.kernel) return;
  const State before = state;
  const std::string ladder_before = ladder();
  if (state.view.figure == opening_figure(*this)) state.view.figure = kOpeningFigure;
  state.kernel = id;
  state.edit = {};
  state.params = view_->change_kernel(before.kernel, before.params, id);
  // A size that nobody chose goes with its step: another one of the ladder may be of another problem.
  const bool is_own_size = state.size == problem_->default_sizes();
  if (ladder() != ladder_before || is_own_size) state.size.clear();
  state.selection = {};
  if (const Status adopted = adopt_kernel(); !adopted) {
    state = before;
    view_->fail(adopted.error());
  }
}

void Model::choose_step(std::ptrdiff_t away) {
  const auto all = steps();
  const auto here =
      std::find_if(all.begin(), all.end(), [&](const auto* s) { return s->id == state.kernel; });
  const std::ptrdiff_t next = (here - all.begin()) + away;
  if (here == all.end() || next < 0 || next >= std::ssize(all)) return;
  choose_kernel(all[static_cast<std::size_t>(next)]->id);
}

void Model::set_parameter(const std::string& name, std::int64_t value) {
  if (const auto found = state.params.find(name); found != state.params.end() && found->second == value)
    return;
  state.params[name] = value;
  view_->refresh_sliders(choice());
}

void Model::set_size(const std::string& name, std::int64_t value) {
  if (value < 1 || state.size[name] == value) return;
  state.size[name] = value;
  view_->refresh_sliders(choice());
}

void Model::choose_device(const std::string& id) {
  const auto device = devices_.find(id);
  if (!device) return view_->fail(device.error());
  state.device = device->id;
  state.engine = Engine::emulator;
  device_ = *device;
  view_->refresh_sliders(choice());
}

void Model::choose_gpu(int index) {
  const auto& gpus = gpus_->devices();
  if (index < 0 || static_cast<std::size_t>(index) >= gpus.size()) return;
  const int has = gpus[static_cast<std::size_t>(index)].compute_capability;
  if (device_.compute_capability != has) {
    choose_device(std::to_string(has / 10) + "." + std::to_string(has % 10));
    if (device_.compute_capability != has) return;  // the error says that there are no rules for it
  }
  state.engine = Engine::gpu;
  state.gpu = index;
}

const GpuAnswer* Model::gpu_answer() const {
  const GpuAnswer* answer = gpus_->answer();
  const bool is_its_run = answer != nullptr && answer->run == view_->run() && answer->index == state.gpu;
  return state.engine == Engine::gpu && is_its_run ? answer : nullptr;
}

// What is on screen goes to the GPU once it is complete; what is on its way to the screen takes it away.
void Model::ask_gpu() {
  const run::SharedRun& run = view_->run();
  const bool wanted = state.engine == Engine::gpu && launch() == nullptr && view_->is_answered() &&
                      run != nullptr && run->complete;
  if (gpus_->is_looking() || gpus_->devices().empty()) return;
  if (!wanted) {
    if (gpu_asked_.run != nullptr) gpus_->cancel();
    gpu_asked_ = {};
    return;
  }
  const bool accesses = state.accesses == Accesses::recorded;
  const bool asked =
      gpu_asked_.run == run && gpu_asked_.index == state.gpu && gpu_asked_.accesses >= accesses;
  if (asked) return;
  gpu_asked_ = {run, state.gpu, accesses};
  gpus_->ask(run, state.gpu, accesses);
}

// True where pictures now show another run than before.
bool Model::choose_pictured() {
  const GpuAnswer* answer = state.accesses == Accesses::recorded ? gpu_answer() : nullptr;
  const bool recorded = answer != nullptr && answer->accesses && *answer->accesses;
  counted_ = recorded ? (*answer->accesses)->run : view_->run();
  const bool is_still =
      view_->is_answered() && !view_->busy_seconds() && view_->is_asked(choice(), state.selection.block);
  const run::SharedRun before = std::exchange(pictured_, judged_->of(counted_, is_still));
  return pictured_ != before;
}

Status Model::adopt(State next) {
  const auto device = devices_.find(next.device);
  if (!device) return device.error();
  State before = std::exchange(state, std::move(next));
  device::Device device_before = std::exchange(device_, *device);
  if (const Status adopted = adopt_kernel(); !adopted) {
    state = std::move(before);
    device_ = std::move(device_before);
    return adopted.error();
  }
  return Done{};
}

void Model::run_again() {
  asked_again_ = seconds_now();
  view_->run_again();
  gpu_asked_ = {};
}

// What was chosen since the last update() has no run yet.
bool Model::is_current() const {
  return view_->is_answered() && !error() && view_->is_asked(choice(), state.selection.block);
}

bool Model::update() {
  if (std::exchange(was_drawn_, false)) view_->note_frame();
  ask_for_run();
  bool changed = take_answers();
  changed |= view_->learn_limits(choice());
  ask_gpu();
  changed |= choose_pictured();
  const Selection& chosen = state.selection;
  if (changed || chosen.block != shown_.block || chosen.warp != shown_.warp)
    refresh_events();
  else if (chosen != shown_ || opens_elsewhere())
    refresh_step();
  // Behind the frame that shows the answer, which comes first.
  if (!changed && ahead_is_due_ && view_->is_answered()) compile_ahead();
  return changed;
}

void Model::ask_for_run() {
  if (view_->is_asked(choice(), state.selection.block)) return;
  note_move();
  view_->ask(choice(), state.selection.block);
}

// What was compiled ahead for another kernel, size or device does not keep this one waiting.
void Model::note_move() {
  moved_.clear();
  const run::Request* asked = view_->asked();
  // Counts of another device, or of another size, are not what the list says they are of.
  if (asked == nullptr || asked->device.id != device_.id || asked->sizes != state.size)
    ladder_traffic_->forget();
  if (asked == nullptr || asked->spec.id != spec_.id || asked->spec.code != spec_.code ||
      asked->sizes != state.size || asked->device.id != device_.id) {
    gave_way_.clear();
    return runner_->forget_ahead();
  }
  if (asked->parameters != state.params) gave_way_.clear();
  for (const auto& [name, value] : state.params) {
    const auto before = asked->parameters.find(name);
    if (before == asked->parameters.end() || before->second == value) continue;
    moved_ = name;
    moved_up_ = value > before->second;
  }
}

// Compiles likely next values. Until the run is complete these are those of the moved slider alone, since the
// user may move it back and forth.
void Model::compile_ahead() {
  ahead_is_due_ = false;
  LikelyValues likely = likely_values(sliders(), state.params, {moved_, moved_up_});
  if (!view_->run()->complete && !moved_.empty()) likely.others.clear();
  runner_->compile_ahead(view_->run()->plan(), likely.same, likely.others);
}

bool Model::take_run() {
  if (!view_->take()) return false;
  if (std::string words = view_->follow(state.params); !words.empty()) {
    gave_way_ = std::move(words);
    view_->refresh_sliders(choice());
  }
  if (view_->is_answered()) ahead_is_due_ = true;
  if (!view_->is_answered() || view_->run()->complete) ask_for_traffic();
  if (view_->is_answered() && view_->run()->complete && asked_again_ > 0)
    note(ran_words(*view_->run(), seconds_now() - std::exchange(asked_again_, 0)));
  return true;
}

void Model::count_steps(bool all, bool with_time) {
  if (all == counts_all_ && with_time == counts_time_) return;
  counts_all_ = all, counts_time_ = with_time;
  if (view_->run() != nullptr && view_->run()->complete) ask_for_traffic();
}

void Model::ask_for_traffic() {
  // So many before and behind the chosen one are likely to be chosen next.
  constexpr std::size_t before = 1, behind = 2;
  auto counted = steps();
  // What is being typed is counted by its own run.
  if (edited_) std::erase(counted, &edited_->spec);
  const std::size_t here = step_index(*this);
  if (!counts_all_ && here < counted.size()) {
    counted.resize(std::min(here + behind + 1, counted.size()));
    counted.erase(counted.begin(),
                  counted.begin() + static_cast<std::ptrdiff_t>(here - std::min(here, before)));
  }
  ladder_traffic_->ask(counted, state.size, device_, counts_time_);
}

bool Model::take_answers() {
  bool changed = gpus_->poll();
  if (take_run()) changed = true;
  changed |= ladder_traffic_->take();
  const bool was_looking = std::exchange(is_looking_, false);  // nobody does, where that throws
  auto files = files_->poll();
  is_looking_ = was_looking && !files;
  if (files && *files) {
    changed = true;
    adopt_catalog(**std::move(files));
    if (const Status adopted = adopt_kernel(); adopted)
      run_again();
    else
      view_->fail(adopted.error());
  }
  return changed;
}

void Model::look_for_changes() {
  if (std::exchange(is_looking_, true)) return;
  files_->submit(0);
}

void Model::refresh_events() {
  // A run that is still on its way leaves the last one on screen, with the block nearest to the one chosen.
  view_->look_at(pictured_, state.selection.block, state.selection.warp);
  const bool has_blocks = pictured_ != nullptr && !pictured_->trace->blocks().empty();
  if (has_blocks && is_current()) {
    state.selection.block = pictured_->trace->blocks()[trace_block()].block;
    view_->settle_block(state.selection.block);
    if (state.selection.warp >= warps()) {
      state.selection.warp = warps() - 1;
      view_->look_at(pictured_, state.selection.block, state.selection.warp);
    }
  }
  refresh_step();
}

// Whether a figure of one memory came behind one of another: where nobody went on, it opens on its own access.
bool Model::opens_elsewhere() const {
  const auto memory = memory_of_figure(state);
  return opened_ && memory && memory != opened_->second;
}

void Model::refresh_step() {
  const bool has_blocks = pictured_ != nullptr && !pictured_->trace->blocks().empty();
  if (has_blocks && is_current()) {
    // What a run counts is known when all of it ran: until then its preview shows the access alone.
    const auto memory = memory_of_figure(state);
    const bool stays = opened_ && opened_->first == state.selection,
               has_waited = stays && opened_on_preview_ && pictured_->complete,
               is_opening = state.selection.step == kOpeningAccess || (stays && opens_elsewhere());
    if (is_opening || has_waited) {
      const std::uint32_t warp = explain::opening_warp(*pictured_, trace_block(), state.selection.warp);
      if (std::exchange(state.selection.warp, warp) != warp)
        view_->look_at(pictured_, state.selection.block, warp);
      const auto opening = explain::opening_of(*pictured_, trace_block(), warp, step_before(*this), memory);
      if (is_opening) state.selection.step = opening.access;
      if (state.selection.line == 0) state.selection.line = opening.line;
      opened_ = {state.selection, memory}, opened_on_preview_ = !pictured_->complete;
    } else if (!stays) {
      opened_.reset();
    }
    const auto last = static_cast<std::uint32_t>(events().empty() ? 0 : events().size() - 1);
    state.selection.step = std::min(state.selection.step, last);
    last_step_ = state.selection.step;
  }
  shown_ = state.selection;
}

std::uint32_t Model::shown_access() const {
  // Until a new run tells which access it opens on, the old one is shown where it was looked at.
  std::uint32_t chosen = state.selection.step == kOpeningAccess ? last_step_ : state.selection.shown_step();
  if (pictured_ == nullptr || events().empty()) return chosen;
  // What is shown may have fewer accesses than what the step was chosen in.
  chosen = std::min(chosen, static_cast<std::uint32_t>(events().size() - 1));
  const figures::Figure* figure = figures::find_figure(state.view.figure);
  if (figure == nullptr) return chosen;
  return figures::shown_access(*figure, *pictured_, {trace_block(), state.selection.warp, 0, chosen})
      .value_or(chosen);
}

std::optional<trace::Access> Model::access() const {
  const std::uint32_t shown = shown_access();
  if (pictured_ == nullptr || shown >= events().size()) return std::nullopt;
  return pictured_->trace->access(trace_block(), events()[shown]);
}

std::uint64_t Model::blocks() const { return pictured_ == nullptr ? 1 : pictured_->emulation.blocks_in_grid; }

std::uint32_t Model::warps() const {
  if (pictured_ == nullptr) return 1;
  return static_cast<std::uint32_t>(catalog::warps_in_block(pictured_->plan().launch));
}

void Model::choose_line(int line) {
  if (pictured_ == nullptr) return;
  const std::size_t count = events().size();
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t at = (state.selection.shown_step() + i) % count;
    const std::uint32_t pc = pictured_->trace->pc(trace_block(), events()[at]);
    if (pc >= pictured_->instructions.size()) continue;
    if (pictured_->instructions[pc].line == line || pictured_->kernel_lines[pc] == line) {
      state.selection.step = static_cast<std::uint32_t>(at);
      state.selection.line = 0;
      return;
    }
  }
  // No access to go to: its lanes are shown.
  const auto& rows = pictured_->lines.rows;
  if (std::any_of(rows.begin(), rows.end(), [&](const report::LineRow& row) { return row.line == line; }))
    state.selection.line = line;
}

void Model::choose_warp(std::uint32_t warp) {
  const bool has_accesses = pictured_ == nullptr || pictured_->trace->blocks().empty() ||
                            explain::opening_warp(*pictured_, trace_block(), warp) == warp;
  state.selection.warp = warp, state.selection.step = has_accesses ? kOpeningAccess : 0;
}

void Model::move_step(std::ptrdiff_t by) {
  if (events().empty()) return;
  state.selection.line = 0;
  const auto last = static_cast<std::ptrdiff_t>(events().size()) - 1;
  const std::ptrdiff_t now = state.selection.shown_step();
  state.selection.step = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last));
}

}  // namespace warplens::app
