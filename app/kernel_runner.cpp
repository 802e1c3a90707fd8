#include "app/kernel_runner.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "app/bench_recordings.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/compile/cubin.hpp"
#include "engine/session/merge_check.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t most_runs_kept = 48, most_instances_kept = 3;
constexpr std::uint64_t most_trace_bytes_kept = std::uint64_t{512} << 20;
// A ratio of operations to sectors is known well from few blocks, the first and the last among them.
constexpr double operations_of_a_count = 1e8;
// An operation of a sum is an element that is loaded and what the tree of its block does for it: a hundred
// times one of a product. Up to here all of them run.
constexpr double operations_of_a_counted_sum = 1 << 20;
constexpr std::uint64_t trace_budget = std::uint64_t{96} << 20;
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{4} << 30;

bool same_but_block(const RunRequest& a, const RunRequest& b) {
  return a.parameters == b.parameters && a.sizes == b.sizes && a.device.id == b.device.id &&
         a.spec.path == b.spec.path && a.spec.code == b.spec.code;
}

bool same(const RunRequest& a, const RunRequest& b) { return a.block == b.block && same_but_block(a, b); }

Error cancelled() { return {"this run was cancelled", ""}; }

void split_code(KernelRun& run) {
  run.source_lines = lines_of(run.job.plan.spec.code);
  run.ptx_lines = lines_of(run.job.build.ptx);
  run.row_of_ptx_line.assign(run.ptx_lines.size(), -1);
  const auto& code = run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto line = static_cast<std::size_t>(code[pc].ptx_line);
    if (line >= 1 && line <= run.ptx_lines.size())
      run.row_of_ptx_line[line - 1] = static_cast<std::int32_t>(pc);
  }
}

// What the figures read, once everything stands where it stays.
void prepare_figures(KernelRun& run) {
  run.view = {.spec = &run.job.plan.spec,
              .launch = &run.job.plan.launch,
              .device = &run.job.device,
              .kernel = run.kernel.get(),
              .counters = &run.emulation.outcome.counters,
              .trace = &run.trace,
              .buffers = &run.buffers,
              .lines = &run.lines,
              .sampled_blocks = run.report.sampled_blocks,
              .blocks_in_grid = run.emulation.blocks_in_grid,
              .parameters = &run.job.plan.parameters,
              .recorded_on = run.recorded_on};
  const figures::SourcePlaces places(run.view);
  for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc)
    run.kernel_lines.push_back(places.kernel_line(pc));
  for (std::size_t b = 0; b < run.trace.blocks().size(); ++b)
    run.stories.push_back(std::make_unique<const figures::AccessStory>(run.view, b));
}

// Block 0 and the chosen one.
std::vector<std::uint64_t> blocks_to_record(const RunRequest& request, const catalog::LaunchShape& launch) {
  const std::uint64_t grid = catalog::blocks_in_grid(launch);
  if (request.block == 0 || request.block >= grid) return {0};
  return {0, request.block};
}

bool reads(const ptx::Operand& operand, ptx::RegisterId number) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::vector)
    return std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const ptx::Operand& element) { return reads(element, number); });
  return (operand.kind == Kind::reg || operand.kind == Kind::address) && operand.register_id == number;
}

// Whether anything depends on what an atomic found in memory: sums mostly throw it away.
bool is_result_read(const ptx::Function& function, const ptx::Instruction& atomic) {
  if (atomic.destinations == 0 || atomic.operands[0].kind == ptx::Operand::Kind::sink) return false;
  if (atomic.operands[0].kind != ptx::Operand::Kind::reg) return true;
  const ptx::RegisterId result = atomic.operands[0].register_id;
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    return (i.predicated && i.guard == result) ||
           std::any_of(i.operands.begin() + i.destinations, i.operands.end(),
                       [&](const ptx::Operand& operand) { return reads(operand, result); });
  });
}

// Whether a block may do otherwise where other blocks did not run before it. Blocks that only read what the
// launch was given and write what is theirs do the same alone (CUDA C++ Programming Guide, "Thread
// Hierarchy": blocks execute independently); what atomics find and volatile accesses are how they could talk
// to each other.
bool blocks_may_talk(const ptx::Function& function) {
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& i) {
    if (i.space != ptx::Space::global && i.space != ptx::Space::generic) return false;
    return i.is_volatile || (i.opcode == ptx::Opcode::atom && is_result_read(function, i));
  });
}

trace::Recorder recorder_of(const RunRequest& request) {
  return trace::Recorder({.wants = [block = request.block](std::uint64_t b) { return b == 0 || b == block; },
                          .byte_budget = trace_budget});
}

// The chosen blocks alone. Nothing where that would say less than the whole run, or stops.
struct Recording {
  session::Emulation emulation;
  trace::Trace trace;
};
std::optional<Recording> record_blocks(const RunJob& job, const emulator::Kernel& kernel,
                                       const RunRequest& request, const std::atomic<bool>& cancel) {
  if (blocks_may_talk(kernel.function())) return std::nullopt;
  trace::Recorder recorder = recorder_of(request);
  auto emulation = session::emulate(kernel, job.build, *job.instance, job.plan.launch,
                                    {.threads = request.threads,
                                     .observer = &recorder,
                                     .cancel = &cancel,
                                     .blocks = blocks_to_record(request, job.plan.launch)});
  if (!emulation || emulation->outcome.fault || cancel) return std::nullopt;
  trace::Trace trace = recorder.finish();
  return Recording{*std::move(emulation), std::move(trace)};
}

// Everything that follows from what is there already.
void complete_tables(KernelRun& run) {
  const auto& counters = run.emulation.outcome.counters;
  const auto& kernel = *run.kernel;
  run.source = fingerprint(run.job.plan.spec.code);
  run.buffers = report::placed_buffers(*run.job.instance, run.emulation.buffers);
  run.lines = report::line_table(counters, kernel.function(), kernel.program());
  run.instructions = report::instruction_table(counters, kernel.function(), kernel.program());
  split_code(run);
  prepare_figures(run);
}

SharedRun preview_of(RunJob job, std::shared_ptr<const emulator::Kernel> kernel, Recording recording) {
  const auto run = std::make_shared<KernelRun>();
  run->complete = false;
  run->report = report_of_launch(job);
  run->job = std::move(job);
  run->kernel = std::move(kernel);
  run->emulation = std::move(recording.emulation);
  run->emulation.sample.clear();
  run->emulation.outcome.counters = {};
  run->emulation.outcome.counters.instructions.resize(run->kernel->function().code.size());
  run->trace = std::move(recording.trace);
  complete_tables(*run);
  return run;
}

}  // namespace

SharedRun with_trace(const KernelRun& whole, trace::Trace trace, const std::string& recorded_on) {
  const auto run = std::make_shared<KernelRun>();
  run->job = whole.job;
  run->report = whole.report;
  run->kernel = whole.kernel;
  run->emulation = whole.emulation;
  run->recorded_on = recorded_on;
  run->trace = std::move(trace);
  complete_tables(*run);
  return run;
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end > 0 && text[end - 1] == '\r' ? end - 1 : end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

KernelRunner::KernelRunner(compile::Compiler compiler, bool gives_way)
    : builds_(std::move(compiler), gives_way,
              [known = known_](const compile::Request& request, const compile::Build& build) {
                if (request.want_cubin) known->note(request, {build.static_shared_bytes, build.registers});
              }) {}

SharedRun KernelRunner::kept(const RunRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return same(k.request, request); });
  if (found == kept_.end()) return nullptr;
  Kept entry = std::move(*found);
  kept_.erase(found);
  kept_.push_front(std::move(entry));
  return kept_.front().run;
}

SharedRun KernelRunner::kept_of_any_block(const RunRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& k) { return same_but_block(k.request, request); });
  return found == kept_.end() ? nullptr : found->run;
}

void KernelRunner::keep(const RunRequest& request, const SharedRun& run) {
  const std::lock_guard lock(mutex_);
  kept_.push_front({request, run});
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (; count < kept_.size() && count < most_runs_kept; ++count) {
    bytes += kept_[count].run->trace.bytes();
    if (bytes > most_trace_bytes_kept && count > 0) break;
  }
  kept_.resize(count);
}

Result<std::shared_ptr<const problem::Instance>> KernelRunner::instance(const RunPlan& plan) {
  {
    const std::lock_guard lock(mutex_);
    for (const KeptInstance& kept : instances_) {
      if (kept.problem == plan.problem && kept.sizes == plan.sizes) return kept.instance;
    }
  }
  auto made = plan.problem->make(plan.sizes, problem::Pattern::random, 1, most_buffer_bytes);
  if (!made) return made.error();
  const std::lock_guard lock(mutex_);
  instances_.push_front({plan.problem, plan.sizes, *made});
  if (instances_.size() > most_instances_kept) instances_.pop_back();
  return *made;
}

namespace {

// All but the launch. Errors: values that the file does not take.
Result<RunPlan> plan_of(const RunRequest& request) {
  const auto problem = problem::find_problem(request.spec);
  if (!problem) return problem.error();
  RunPlan plan{.spec = request.spec, .problem = *problem};
  plan.sizes = plan.problem->default_sizes();
  for (const auto& [name, value] : request.sizes) {
    if (const auto found = plan.sizes.find(name); found != plan.sizes.end()) found->second = value;
  }
  auto parameters = catalog::resolve_values(plan.spec, request.parameters, plan.sizes);
  if (!parameters) return parameters.error();
  plan.parameters = *std::move(parameters);
  return plan;
}

}  // namespace

// All but the build.
Result<RunJob> KernelRunner::prepare_job(const RunRequest& request) {
  auto plan = plan_of(request);
  if (!plan) return plan.error();
  auto data = instance(*plan);
  if (!data) return data.error();
  const auto launch = catalog::launch_shape(plan->spec, plan->parameters, plan->sizes);
  if (!launch) return launch.error();
  plan->launch = *launch;
  return RunJob{*std::move(plan), *std::move(data), request.device, {}};
}

catalog::Limits KernelRunner::limits(const RunRequest& request, bool registers) const {
  return limits_of(request.device, request.spec, request.sizes, known_, registers);
}

// registers false: 0 where they are not known, so that machine code, which takes longest, need not be made.
// Precondition: sizes and parameters are complete.
Result<Resources> KernelRunner::resources_of(const RunRequest& request, bool registers,
                                             const std::atomic<bool>& cancel) {
  const RunPlan plan{.spec = request.spec, .sizes = request.sizes, .parameters = request.parameters};
  const auto wanted = build_request(plan, request.device, registers);
  if (const auto found = known_->find(wanted); found && (found->registers > 0 || !registers)) return *found;
  const auto build = request.background ? builds_.compile_here(wanted) : builds_.get(wanted, cancel);
  if (!build) return build.error();
  if (registers) return Resources{(*build)->static_shared_bytes, (*build)->registers};
  const auto kernel = session::prepare(**build, request.device);
  if (!kernel) return kernel.error();
  const Resources resources{(*kernel)->static_shared_bytes(), 0};
  known_->note(wanted, resources);
  return resources;
}

namespace {

// What one set of values that needs too many registers says of others, which need not be compiled then: they
// need about as many where a thread has as much to do, and a block that is as large has no room for them.
class TooManyRegisters {
 public:
  TooManyRegisters(const RunRequest& request, catalog::Limits limits)
      : device_(request.device), limits_(std::move(limits)) {
    catalog::Values sizes = request.sizes;
    for (auto& [name, value] : sizes) value = whole_tiles;
    launches_ = std::make_shared<catalog::Launches>(request.spec, std::move(sizes));
  }

  catalog::Limits limits() const {
    catalog::Limits limits = limits_;
    if (threads_ > 0)
      limits.refuses = [*this](const catalog::Values& values) -> std::optional<std::string> {
        if (auto why = limits_.refuses(values)) return why;
        return threads_of(values) <= threads_ ? std::optional<std::string>("too many registers")
                                              : std::nullopt;
      };
    return limits;
  }

  void note(const catalog::Values& values, int registers) {
    if (registers > device_.checked_registers_per_thread)
      threads_ = std::max(threads_, threads_of(values));
    else if (registers > 0)
      limits_.threads_per_block =
          std::min<std::int64_t>(limits_.threads_per_block, device_.registers_per_block / registers);
  }

 private:
  static constexpr std::int64_t whole_tiles = 4096;  // of every size: no tail takes threads of its own

  // Of the whole grid: the more there are, the less each has to do. 0 where the values make no launch.
  std::uint64_t threads_of(const catalog::Values& values) const {
    const auto launch = launches_->at(values);
    if (!launch) return 0;
    return catalog::blocks_in_grid(*launch) * catalog::threads_in_block(*launch);
  }

  device::Device device_;
  catalog::Limits limits_;
  std::shared_ptr<catalog::Launches> launches_;
  std::uint64_t threads_ = 0;  // so few, and each needs more registers than a thread can have
};

}  // namespace

// The nearest values that the device takes, with compiled ones looked at; nothing where none is found soon.
// Precondition: sizes and parameters are complete.
Result<std::optional<catalog::Values>> KernelRunner::search(const RunRequest& request, bool registers,
                                                            const std::atomic<bool>& cancel) {
  constexpr int most_compiled = 24;  // some seconds
  RunRequest now = request;
  const catalog::Limits known = limits(request, registers);
  TooManyRegisters too_many(request, known);
  for (int i = 0; i < most_compiled && !cancel; ++i) {
    auto values = catalog::nearest_values(request.spec, request.parameters, request.sizes, too_many.limits());
    if (!values) return std::optional<catalog::Values>();
    now.parameters = *std::move(values);
    const auto launch = catalog::launch_shape(now.spec, now.parameters, now.sizes);
    if (!launch) return launch.error();
    if (!needs_compiling(now.device, *launch)) return std::optional(now.parameters);
    const auto has = resources_of(now, registers, cancel);
    if (!has) return has.error();
    if (!known.refuses(now.parameters)) return std::optional(now.parameters);
    if (registers) too_many.note(now.parameters, has->registers);
  }
  return std::optional<catalog::Values>();
}

Result<RunRequest> KernelRunner::fit(const RunRequest& request, const std::atomic<bool>& cancel) {
  const auto plan = plan_of(request);
  if (!plan) return plan.error();
  RunRequest fitted = request;
  fitted.parameters = plan->parameters;
  fitted.sizes = plan->sizes;
  for (const bool registers : {true, false}) {
    const auto found = search(fitted, registers, cancel);
    if (!found) return found.error();
    if (cancel) return cancelled();
    if (!*found) continue;
    fitted.parameters = **found;
    return fitted;
  }
  const auto limits = this->limits(fitted, false);
  auto values = catalog::nearest_values(plan->spec, plan->parameters, plan->sizes, limits);
  if (!values) return values.error();
  const auto why = catalog::why_not(plan->spec, plan->parameters, plan->sizes, limits);
  return Error{why.value_or(fitted.device.name + " does not take these values"),
               "no values near these are legal there: choose smaller ones, or another step"};
}

// A run of other blocks has all the counts; the block that it lacks is recorded alone. Null where there is
// none such, or where the block could do otherwise alone.
SharedRun KernelRunner::other_block(const RunRequest& request, const std::atomic<bool>& cancel) {
  const SharedRun whole = kept_of_any_block(request);
  if (whole == nullptr || whole->fault) return nullptr;
  auto recording = record_blocks(whole->job, *whole->kernel, request, cancel);
  if (!recording) return nullptr;
  return with_trace(*whole, std::move(recording->trace), "");
}

// Precondition: job.build is complete.
Result<SharedRun> KernelRunner::run_whole(RunJob job, std::shared_ptr<const emulator::Kernel> kernel,
                                          const RunRequest& request, const std::atomic<bool>& cancel) {
  // Machine code is made while the kernel runs: only the check of the merge and the resources need it.
  auto machine = std::async(std::launch::async, [&, wanted = build_request(job.plan, job.device, true)] {
    return request.background ? builds_.compile_here(wanted) : builds_.get(wanted, cancel);
  });
  trace::Recorder recorder = recorder_of(request);
  auto emulation = session::emulate(*kernel, job.build, *job.instance, job.plan.launch,
                                    {.threads = request.threads, .observer = &recorder, .cancel = &cancel});
  const BuildQueue::Answer build = machine.get();
  if (!emulation) return emulation.error();
  if (!build) return build.error();
  if (cancel) return cancelled();
  const bool same_ptx = job.build.ptx == (*build)->ptx;
  job.build = **build;
  if (!same_ptx) {  // then what ran is not what the machine code was made from
    auto other = session::prepare(job.build, job.device);
    if (!other) return other.error();
    return run_whole(std::move(job), *std::move(other), request, cancel);
  }
  auto report = report_before_run(job);
  if (!report) return report.error();
  const auto code = compile::read_machine_code(job.build.cubin, job.build.kernel_name);
  emulation->merge_matches_cubin =
      code && session::merge_matches(kernel->function(), kernel->shared_accesses(), *code);

  const auto run = std::make_shared<KernelRun>();
  const auto& outcome = emulation->outcome;
  run->trace = recorder.finish(outcome.fault);
  if (outcome.fault) run->fault = outcome.fault->error;
  add_outcome(*report, *emulation);
  run->kernel = std::move(kernel);
  run->job = std::move(job);
  run->report = *std::move(report);
  run->emulation = *std::move(emulation);
  complete_tables(*run);
  keep(request, run);
  return SharedRun(run);
}

Result<SharedRun> KernelRunner::run(const RunRequest& request, const std::atomic<bool>& cancel,
                                    const Preview& preview) {
  if (SharedRun found = kept(request)) return found;
  if (!request.nearest) return run_as_asked(request, cancel, preview);
  const auto fitted = fit(request, cancel);
  if (!fitted) return fitted.error();
  if (SharedRun found = kept(*fitted)) return found;
  return run_as_asked(*fitted, cancel, preview);
}

Result<SharedRun> KernelRunner::run_as_asked(const RunRequest& request, const std::atomic<bool>& cancel,
                                             const Preview& preview) {
  if (SharedRun found = other_block(request, cancel)) {
    keep(request, found);
    return found;
  }
  auto job = prepare_job(request);
  if (!job) return job.error();
  const auto wanted = build_request(job->plan, job->device, request.background);
  const auto ptx = request.background ? builds_.compile_here(wanted) : builds_.get(wanted, cancel);
  if (!ptx) return ptx.error();
  if (cancel) return cancelled();
  job->build = **ptx;
  auto kernel = session::prepare(job->build, job->device);
  if (!kernel) return kernel.error();
  if (preview) {
    if (auto recording = record_blocks(*job, **kernel, request, cancel))
      preview(preview_of(*job, *kernel, *std::move(recording)));
  }
  if (cancel) return cancelled();
  return run_whole(*std::move(job), *std::move(kernel), request, cancel);
}

void KernelRunner::compile_ahead(const RunPlan& plan, const device::Device& device,
                                 const std::vector<catalog::Values>& first,
                                 const std::vector<catalog::Values>& others) {
  catalog::Launches launches(plan.spec, plan.sizes);
  RunPlan next = plan;
  const auto builds_for = [&](const std::vector<catalog::Values>& sets) {
    std::vector<compile::Request> builds;
    for (const catalog::Values& values : sets) {
      const auto launch = launches.at(values);
      if (!launch) continue;
      next.parameters = values;
      // Where static shared memory may be too much, its size is wanted too.
      builds.push_back(build_request(next, device, needs_compiling(device, *launch)));
    }
    return builds;
  };
  builds_.compile_ahead(builds_for(first), builds_for(others));
}

// Errors: as emulate(), a fault, a wrong result, cancelled.
Result<session::Emulation> KernelRunner::count_blocks(const RunJob& job, const emulator::Kernel& kernel,
                                                      const RunRequest& request, double sample_above,
                                                      const std::atomic<bool>& cancel) {
  const bool sums = session::adds_up(*job.instance);
  auto emulation = session::emulate(kernel, job.build, *job.instance, job.plan.launch,
                                    {.threads = request.threads,
                                     .cancel = &cancel,
                                     .sample_above = sample_above,
                                     .sample_sums = !blocks_may_talk(kernel.function())});
  if (!emulation) return emulation.error();
  if (cancel) return cancelled();
  if (emulation->outcome.fault) return emulation->outcome.fault->error;
  if (!emulation->verification.verified && !(sums && emulation->is_sampled()))
    return Error{"the result of " + request.spec.id + " is wrong", "correct the kernel"};
  return emulation;
}

// No sample has the problem's sum: the same code is verified at the usual size instead.
Result<StepCount> KernelRunner::count_sum(const RunJob& job, const emulator::Kernel& kernel,
                                          const RunRequest& request, const std::atomic<bool>& cancel) {
  RunRequest usual = request;
  usual.sizes = job.plan.problem->default_sizes();
  auto whole = prepare_job(usual);
  const double sample_above =
      whole ? operations_of_a_counted_sum : 0;  // 0: the values are for one size alone
  const auto counted = count_blocks(job, kernel, request, sample_above, cancel);
  if (!counted) return counted.error();
  StepCount count = step_count(job.plan, *job.instance, *counted);
  if (!counted->is_sampled()) return count;
  whole->build = job.build;
  const auto verified = count_blocks(*whole, kernel, usual, 0, cancel);
  if (!verified) return verified.error();
  count.words += "; verified with " + value_words(usual.sizes);
  return count;
}

Result<StepCount> KernelRunner::count(const RunRequest& asked, const std::atomic<bool>& cancel) {
  const auto request = asked.nearest ? fit(asked, cancel) : Result<RunRequest>(asked);
  if (!request) return request.error();
  auto job = prepare_job(*request);
  if (!job) return job.error();
  const auto built = builds_.compile_here(build_request(job->plan, job->device, false));
  if (!built) return built.error();
  if (cancel) return cancelled();
  job->build = **built;
  const auto kernel = session::prepare(job->build, job->device);
  if (!kernel) return kernel.error();
  if (session::adds_up(*job->instance)) return count_sum(*job, **kernel, *request, cancel);
  const auto counted = count_blocks(*job, **kernel, *request, operations_of_a_count, cancel);
  if (!counted) return counted.error();
  return step_count(job->plan, *job->instance, *counted);
}

}  // namespace warplens::app
