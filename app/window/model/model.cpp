#include "app/window/model/model.hpp"

#include <algorithm>
#include <utility>

#include "app/window/model/ahead.hpp"
#include "engine/catalog/launches.hpp"

namespace warplens::app {
namespace {

std::string ladder_of(std::string_view id) { return std::string(id.substr(0, id.find('/'))); }

// The background runs of the whole ladder leave a core to the run that the user waits for.
constexpr int background_threads = 1;

// How long the whole run waits for the frame with its preview: both take all cores.
constexpr std::chrono::milliseconds patience_for_a_frame{50};

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
  model->home_ = workspace->home();
  model->devices_ = *std::move(devices);
  model->device_ = *std::move(device);
  model->gives_way_ = options.gives_way;
  model->gpus_ = std::make_unique<GpuRuns>(std::move(options.gpu_worker), workspace->home(), options.wake);
  model->start_workers(workspace->compiler(), std::move(options.wake));
  model->adopt_catalog(*std::move(catalog));
  if (const Status adopted = model->adopt_kernel(); !adopted) return adopted.error();
  return model;
}

void Model::start_workers(compile::Compiler compiler, std::function<void()> wake) {
  runner_ = std::make_shared<run::Runner>(std::move(compiler), gives_way_);
  runs_ = std::make_unique<LatestWins<run::Request, Result<run::SharedRun>>>(
      [runner = runner_](const run::Request& request, const std::atomic<bool>& cancel, const auto& partial) {
        return runner->run(request, cancel, partial);
      },
      wake, patience_for_a_frame);
  ladder_runs_ = std::make_unique<LatestWins<LadderRequest, Traffics>>(
      [this](const LadderRequest& request, const std::atomic<bool>& cancel, const auto& partial) {
        return measure_ladder(request, cancel, partial);
      },
      wake);
  files_ = std::make_unique<LatestWins<int, FileChanges>>(
      [catalog = std::optional<catalog::Catalog>(), this](const int&, const std::atomic<bool>&,
                                                          const auto&) mutable {
        if (!catalog) catalog = catalog_;
        return catalog->refresh() ? FileChanges{catalog} : FileChanges{};
      },
      nullptr);  // no wake: an unchanged folder must not cost a frame; the next look takes the answer
}

Model::Traffics Model::measure_ladder(const LadderRequest& request, const std::atomic<bool>& cancel,
                                      const std::function<void(Traffics)>& partial) {
  if (gives_way_) run::give_way();
  Traffics traffics;
  for (const auto& step : request.steps) {
    const auto run = runner_->run({.spec = step,
                                   .parameters = {},
                                   .sizes = request.sizes,
                                   .device = request.device,
                                   .threads = background_threads,
                                   .background = true,
                                   .nearest = true},
                                  cancel);
    if (cancel) break;
    if (!run || (*run)->fault) {
      traffics[step.id].why_not = run ? (*run)->fault->message : run.error().message;
      partial(traffics);
      continue;
    }
    const run::Counts& counts = (*run)->report.counts;
    // Samples stand for the whole grid: a bar compares steps, and those may be sampled differently.
    const double scale = static_cast<double>((*run)->emulation.blocks_in_grid) /
                         static_cast<double>((*run)->emulation.outcome.counters.blocks_run);
    const auto whole = [&](std::uint64_t n) {
      return static_cast<std::uint64_t>(static_cast<double>(n) * scale);
    };
    traffics[step.id] = {whole(counts.global_load.sectors + counts.global_store.sectors),
                         whole(counts.shared_load.wavefronts + counts.shared_store.wavefronts),
                         run::changed_words(catalog::default_values(step), (*run)->plan().parameters)};
    partial(traffics);
  }
  return traffics;
}

void Model::adopt_catalog(catalog::Catalog catalog) {
  catalog_ = std::move(catalog);
  ladders_.clear();
  for (const auto& spec : catalog_.kernels()) {
    const std::string name = ladder_of(spec.id);
    if (ladders_.empty() || ladders_.back() != name) ladders_.push_back(name);
  }
}

Status Model::adopt_kernel() {
  auto spec = catalog_.find(state.kernel);
  if (!spec) return spec.error();
  const auto problem = problem::find_problem(*spec);
  if (!problem) return problem.error();
  spec_ = *std::move(spec);
  choices_.reset();
  state.kernel = spec_.id;  // it may have been asked for by an older number
  problem_ = *problem;
  catalog::Values sizes = problem_->default_sizes();
  for (auto& [name, value] : sizes) {
    if (const auto chosen = state.size.find(name); chosen != state.size.end()) value = chosen->second;
  }
  state.size = std::move(sizes);
  // Values that the file no longer has fall back to its own.
  if (const auto values = catalog::resolve_values(spec_, state.params, state.size)) {
    state.params = *values;
  } else if (const auto own = catalog::resolve_values(spec_, {}, state.size)) {
    state.params = *own;
  } else {
    state.params = catalog::default_values(spec_);
  }
  refresh_sliders();
  return Done{};
}

catalog::Limits Model::limits() const { return runner_->limits(device_, spec_, state.size); }

void Model::refresh_sliders() {
  limits_known_ = runner_->known().version();
  if (!choices_) choices_.emplace(spec_, state.size, limits());
  sliders_ = sliders_at(*choices_, state.params);
}

// What was compiled ahead of time may show that a value is too large for the device. True where one is.
bool Model::learn_limits() {
  if (limits_known_ == runner_->known().version()) return false;
  const auto legal = [this] {
    std::vector<bool> list;
    for (const Slider& slider : sliders_)
      for (const catalog::Choice& choice : slider.choices) list.push_back(choice.legal);
    return list;
  };
  const auto before = legal();
  refresh_sliders();
  return legal() != before;
}

std::vector<const catalog::KernelSpec*> Model::steps() const {
  std::vector<const catalog::KernelSpec*> steps;
  const std::string prefix = ladder() + "/";
  for (const auto& spec : catalog_.kernels()) {
    if (spec.id.starts_with(prefix)) steps.push_back(&spec);
  }
  return steps;
}

std::string Model::ladder() const { return ladder_of(state.kernel); }

std::vector<std::pair<std::string, std::int64_t>> Model::sizes() const {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  for (const std::string& name : problem_->size_names()) {
    if (const auto found = state.size.find(name); found != state.size.end()) sizes.emplace_back(*found);
  }
  return sizes;
}

const StepTraffic* Model::traffic(const std::string& kernel) const {
  const auto found = traffic_.find(kernel);
  return found == traffic_.end() ? nullptr : &found->second;
}

void Model::choose_ladder(const std::string& name) {
  if (name == ladder()) return;
  for (const auto& spec : catalog_.kernels()) {
    if (spec.id.starts_with(name + "/")) return choose_kernel(spec.id);
  }
}

void Model::choose_kernel(const std::string& id) {
  if (id == state.kernel) return;
  const State before = state;
  remembered_[state.kernel] = state.params;
  state.kernel = id;
  const auto known = remembered_.find(id);
  state.params = known == remembered_.end() ? catalog::Values{} : known->second;
  if (ladder_of(id) != ladder_of(before.kernel)) state.size.clear();
  state.selection = {};
  if (const Status adopted = adopt_kernel(); !adopted) {
    state = before;
    error_ = adopted.error();
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
  refresh_sliders();
}

void Model::set_size(const std::string& name, std::int64_t value) {
  if (value < 1 || state.size[name] == value) return;
  state.size[name] = value;
  choices_.reset();
  refresh_sliders();
}

void Model::choose_device(const std::string& id) {
  const auto device = devices_.find(id);
  if (!device) return void(error_ = device.error());
  state.device = device->id;
  state.engine = Engine::emulator;
  device_ = *device;
  choices_.reset();
  refresh_sliders();
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
  const bool is_its_run = answer != nullptr && answer->run == run_ && answer->index == state.gpu;
  return state.engine == Engine::gpu && is_its_run ? answer : nullptr;
}

// What is on screen goes to the GPU once it is complete; what is on its way to the screen takes it away.
void Model::ask_gpu() {
  const bool wanted = state.engine == Engine::gpu && run_is_of_state_ && run_ != nullptr && run_->complete;
  if (gpus_->is_looking() || gpus_->devices().empty()) return;
  if (!wanted) {
    if (gpu_asked_ != nullptr) gpus_->cancel();
    gpu_asked_ = nullptr;
    return;
  }
  const bool accesses = state.accesses == Accesses::recorded;
  const bool asked = gpu_asked_ == run_ && gpu_asked_index_ == state.gpu && gpu_asked_accesses_ >= accesses;
  if (asked) return;
  gpu_asked_ = run_;
  gpu_asked_index_ = state.gpu;
  gpu_asked_accesses_ = accesses;
  gpus_->ask(run_, state.gpu, accesses);
}

// True where pictures now show another run than before.
bool Model::choose_pictured() {
  const GpuAnswer* answer = state.accesses == Accesses::recorded ? gpu_answer() : nullptr;
  const bool recorded = answer != nullptr && answer->accesses && *answer->accesses;
  const run::SharedRun before = std::exchange(pictured_, recorded ? (*answer->accesses)->run : run_);
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
  never_asked_ = true;
  gpu_asked_ = nullptr;
}

void Model::cancel() {
  runs_->cancel();
  error_ = Error{"the run was cancelled", "press Run to start it again"};
}

bool Model::update() {
  if (std::exchange(was_drawn_, false)) runs_->shown();
  if (never_asked_ || state.kernel != asked_.kernel || state.params != asked_.params ||
      state.size != asked_.size || state.device != asked_.device ||
      state.selection.block != asked_.selection.block) {
    ask_for_run();
  }
  bool changed = take_answers();
  changed |= learn_limits();
  ask_gpu();
  changed |= choose_pictured();
  const Selection &chosen = state.selection, &shown = shown_.selection;
  if (changed || chosen.block != shown.block || chosen.warp != shown.warp)
    refresh_events();
  else if (chosen != shown)
    refresh_step();
  // Behind the frame that shows the answer, which comes first.
  if (!changed && ahead_is_due_ && run_is_of_state_) compile_ahead();
  return changed;
}

void Model::ask_for_run() {
  never_asked_ = false;
  if (asked_.device != state.device) {  // nobody waits for counts of another chip
    ladder_runs_->cancel();
    ladder_asked_.clear();
    traffic_.clear();
  }
  if (asked_.device != state.device || asked_.kernel != state.kernel || asked_.params != state.params ||
      asked_.size != state.size)
    gave_way_.clear();
  note_move();
  asked_ = state;
  error_.reset();
  run_is_of_state_ = false;
  run::Request request{.spec = spec_,
                       .parameters = state.params,
                       .sizes = state.size,
                       .device = device_,
                       .block = state.selection.block,
                       .nearest = true};
  // What is kept is on screen in the next frame, without a worker in between.
  if (run::SharedRun kept = runner_->kept(request)) {
    runs_->cancel();
    take_run(std::move(kept));
    changed_ = true;
  } else {
    runs_->submit(std::move(request));
  }
}

// What was compiled ahead for another kernel, size or chip does not keep this one waiting.
void Model::note_move() {
  moved_.clear();
  if (asked_.kernel != state.kernel || asked_.size != state.size || asked_.device != state.device)
    return runner_->forget_ahead();
  for (const auto& [name, value] : state.params) {
    const auto before = asked_.params.find(name);
    if (before == asked_.params.end() || before->second == value) continue;
    moved_ = name;
    moved_up_ = value > before->second;
  }
}

// Until the run is complete what was listed before comes behind the values of the slider that was moved: he
// may move it back and go on from there.
void Model::compile_ahead() {
  ahead_is_due_ = false;
  LikelyValues likely = likely_values(sliders_, state.params, {moved_, moved_up_});
  if (!run_->complete && !moved_.empty()) likely.others.clear();
  runner_->compile_ahead(run_->plan(), likely.same, likely.others);
}

void Model::ask_for_ladder() {
  std::string key = ladder() + " " + state.device;
  LadderRequest request{.steps = {}, .sizes = state.size, .device = device_};
  for (const auto& [name, value] : state.size) key += " " + name + std::to_string(value);
  for (const auto* step : steps()) {
    request.steps.push_back(*step);
    key += " " + std::to_string(std::hash<std::string>()(step->code));
  }
  if (key == ladder_asked_) return;
  ladder_asked_ = std::move(key);
  traffic_.clear();
  ladder_runs_->submit(std::move(request));
}

// The run has the nearest values that the device takes: the state follows, and says so.
void Model::adopt_fitted() {
  const catalog::Values& has = run_->plan().parameters;
  if (has == state.params) return;
  gave_way_ = run::gave_way_words(spec_, state.params, has, state.size, limits());
  state.params = has;
  asked_.params = has;
  refresh_sliders();
}

// No number and no figure of a chip that is no longer chosen stays beside the reason why there is no other.
void Model::forget_other_devices() {
  if (run_ != nullptr && run_->device().id != device_.id) run_.reset();
  ask_for_ladder();
}

void Model::take_run(Result<run::SharedRun> answer) {
  if (!answer) {
    error_ = answer.error();
    return forget_other_devices();
  }
  run_ = *std::move(answer);
  adopt_fitted();
  run_is_of_state_ = true;
  error_ = run_->fault;
  ahead_is_due_ = true;
  if (run_->complete) ask_for_ladder();
}

bool Model::take_answers() {
  bool changed = std::exchange(changed_, false);
  if (gpus_->poll()) changed = true;
  if (auto answer = runs_->poll()) {
    changed = true;
    take_run(*std::move(answer));
  }
  if (auto traffic = ladder_runs_->poll()) {
    changed = true;
    traffic_ = *std::move(traffic);
  }
  if (auto files = files_->poll(); files && files->catalog) {
    changed = true;
    adopt_catalog(*std::move(files->catalog));
    if (const Status adopted = adopt_kernel(); adopted)
      run_again();
    else
      error_ = adopted.error();
  }
  return changed;
}

void Model::look_for_changes() {
  if (!files_->busy_seconds()) files_->submit(0);
}

void Model::refresh_events() {
  shown_ = state;
  events_.clear();
  trace_block_ = 0;
  if (pictured_ == nullptr || pictured_->trace->blocks().empty()) return;
  // A run that is still on its way leaves the last one on screen, with the block nearest to the one chosen.
  trace_block_ = pictured_->trace->find_block(state.selection.block).value_or(0);
  if (is_current()) {
    state.selection.block = pictured_->trace->blocks()[trace_block_].block;
    state.selection.warp = std::min(state.selection.warp, warps() - 1);
    asked_.selection.block = state.selection.block;
  }
  events_ = pictured_->trace->find(trace_block_, {.warp = state.selection.warp});
  refresh_step();
}

void Model::refresh_step() {
  if (is_current()) {
    const auto last = static_cast<std::uint32_t>(events_.empty() ? 0 : events_.size() - 1);
    state.selection.step = std::min(state.selection.step, last);
  }
  shown_ = state;
}

std::optional<trace::Access> Model::access() const {
  if (pictured_ == nullptr || state.selection.step >= events_.size()) return std::nullopt;
  return pictured_->trace->access(trace_block_, events_[state.selection.step]);
}

int Model::line_of(const trace::Access& access) const {
  return access.pc < pictured_->instructions.size() ? pictured_->instructions[access.pc].line : 0;
}

int Model::kernel_line_of(const trace::Access& access) const {
  return access.pc < pictured_->kernel_lines.size() ? pictured_->kernel_lines[access.pc] : 0;
}

std::uint64_t Model::blocks() const { return pictured_ == nullptr ? 1 : pictured_->emulation.blocks_in_grid; }

std::uint32_t Model::warps() const {
  if (pictured_ == nullptr) return 1;
  return static_cast<std::uint32_t>(catalog::warps_in_block(pictured_->plan().launch));
}

void Model::choose_line(int line) {
  if (pictured_ == nullptr) return;
  const std::size_t count = events_.size();
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t at = (state.selection.step + i) % count;
    const std::uint32_t pc = pictured_->trace->pc(trace_block_, events_[at]);
    if (pc >= pictured_->instructions.size()) continue;
    if (pictured_->instructions[pc].line == line || pictured_->kernel_lines[pc] == line) {
      state.selection.step = static_cast<std::uint32_t>(at);
      return;
    }
  }
}

void Model::move_step(std::ptrdiff_t by) {
  if (events_.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(events_.size()) - 1;
  const std::ptrdiff_t now = state.selection.step;
  state.selection.step = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last));
}

}  // namespace warplens::app
