#include "engine/run/checked/checked_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.hpp"
#include "engine/check/checker.hpp"
#include "engine/problem/file_launch.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/run/checked/certain.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/compiler_findings.hpp"
#include "engine/run/checked/early_return.hpp"
#include "engine/run/checked/guesses.hpp"
#include "engine/run/checked/launch_checks.hpp"
#include "engine/run/checked/odd_sizes.hpp"
#include "engine/run/checked/other_data.hpp"
#include "engine/run/checked/other_order.hpp"
#include "engine/run/checked/short_grid.hpp"
#include "engine/run/checked/source/loop_head.hpp"
#include "engine/run/checked/source/source_checks.hpp"
#include "engine/run/grid/guessed_addresses.hpp"
#include "engine/run/grid/size_places.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// Waits that never end would take the whole budget once more.
bool never_ends(const std::optional<emulator::Fault>& fault) {
  using F = emulator::Fault::Kind;
  return fault && (fault->kind == F::deadlock || fault->kind == F::budget || fault->kind == F::limit);
}

bool same_thread(const Finding& a, const Finding& b) {
  return a.at.thread == b.at.thread && a.at.block == b.at.block;
}

bool same_place(const Finding& a, const Finding& b) { return a.kind == b.kind && a.line == b.line; }

// A fault of a block that the checkers did not watch.
Finding finding_of(const emulator::Fault& fault, const Run& run, const Job& job) {
  using F = emulator::Fault::Kind;
  Finding finding;
  finding.kind = fault.kind == F::misaligned ? Kind::misaligned
                 : fault.kind == F::barrier  ? Kind::divergent_barrier
                 : fault.kind == F::budget   ? Kind::endless_loop
                 : fault.kind == F::trap     ? Kind::trap
                                             : Kind::out_of_bounds;
  finding.file = fault.error.place.file;
  finding.line = fault.error.place.line;
  if (finding.file != job.plan.spec.path && fault.pc < run.kernel_lines.size())  // of what a header has
    finding.file = job.plan.spec.path, finding.line = run.kernel_lines[fault.pc];
  finding.at = {true, fault.thread, fault.block_index};
  const auto words =
      fault_words(fault, *run.kernel, *job.instance, run.emulation.buffers, job.plan.launch, job.plan.spec);
  finding.address = words.address.empty() ? fault.nearest : words.address;
  finding.memory = words.memory;
  finding.is_before = words.is_before;
  finding.message = words.message;
  finding.fix = words.fix;
  if (finding.kind != Kind::endless_loop) return finding;
  finding.fix = check::kFixOfEndlessLoop;
  finding.other_line = finding.line;  // the branch back; the loop's condition stands in its first line
  const check::Loop loop = check::loop_around(run.kernel->function(), fault.pc);
  for (std::uint32_t at = loop.first; at < loop.end && at < run.kernel_lines.size(); ++at)
    if (run.kernel_lines[at] > 0) finding.line = std::min(finding.line, run.kernel_lines[at]);
  return finding;
}

// A loop whose condition the compiler removed has no instruction in the line that is wrong.
void begin_at_heads(check::Findings& findings, const catalog::KernelSpec& spec) {
  for (Finding& finding : findings)
    if (finding.kind == Kind::endless_loop && finding.file == spec.path)
      if (const int head = loop_head(spec.code, finding.line); head > 0) finding.line = head;
}

// How much of what the grid writes the blocks that ran wrote: by what they store where the others repeat
// them, since blocks at an edge write less. 0: they store nothing.
double share_of_blocks(const Emulation& emulation) {
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  return emulation.stands_for_all
             ? ratio(emulation.stored_bytes, emulation.outcome.counters.global_store.bytes_used)
             : ratio(emulation.blocks_ran(), emulation.blocks_in_grid);
}

// What a kernel is to write: of a matrix with padding not that.
double elements_to_write(const problem::Buffer& output) {
  const auto cells = static_cast<std::size_t>(output.shape.rows * output.shape.columns);
  return static_cast<double>(cells > 0 ? std::min(cells, output.elements) : output.elements);
}

// Of a sample of blocks: that they wrote about their share of the output. How many elements of one that is
// changed in its place have other values now depends on the data.
void check_share(Run& run) {
  const Emulation& emulation = run.emulation;
  if (emulation.ran_whole() || !run.report.verified) return;
  const auto& buffers = run.job->instance->buffers();
  const auto output =
      std::find_if(buffers.begin(), buffers.end(), [](const problem::Buffer& b) { return b.is_output; });
  if (output == buffers.end() || output->starts_filled) return;
  const double expected = share_of_blocks(emulation) * elements_to_write(*output);
  const auto written = static_cast<double>(emulation.verification.checked_elements);
  if (const double least = emulation.stands_for_all ? 0.9 : 0.5; written >= least * expected) return;
  run.report.verified = false;
  run.report.explanation = "the blocks that ran should write about " +
                           grouped(static_cast<std::uint64_t>(expected)) + " elements of " + output->name +
                           ", and " + grouped(static_cast<std::uint64_t>(written)) +
                           " were written; the rest was not written";
  run.report.mistake = problem::Mistake::unwritten;
}

// Where nothing else was found in the line.
void add_source_findings(Report& report, const Job& job) {
  check::Findings found = overruns_in_source(job);
  for (Finding& finding : ended_variables_in_source(job)) found.push_back(std::move(finding));
  for (Finding& finding : unset_members_in_source(job)) found.push_back(std::move(finding));
  for (Finding& finding : overflows_in_source(job)) found.push_back(std::move(finding));
  for (Finding& finding : found) {
    const bool known = std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& other) {
      return other.line == finding.line && other.severity == Severity::error;
    });
    if (!known) report.findings.push_back(std::move(finding));
  }
}

// What is wrong for itself, and makes results wrong; null: nothing is.
const Finding* cause_of_result(const check::Findings& findings) {
  const auto cause = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::error && finding.line > 0;
  });
  return cause == findings.end() ? nullptr : &*cause;
}

// As many threads as the largest output has elements.
bool has_thread_for_each(const Run& run) {
  std::uint64_t most = 0;
  for (const problem::Buffer& buffer : run.job->instance->buffers())
    if (buffer.is_output) most = std::max<std::uint64_t>(most, buffer.elements);
  return most > 0 && threads_of(run.plan().launch) >= most;
}

// By any instruction, whether it is executed or not.
bool stores_anything(const ptx::Function& function) {
  using enum ptx::Opcode;
  constexpr std::array stores = {st,
                                 red,
                                 atom,
                                 wmma_store,
                                 cp_async_bulk,
                                 cp_async_bulk_tensor,
                                 cp_reduce_async_bulk,
                                 cp_reduce_async_bulk_tensor};
  return std::ranges::any_of(function.code, [&](const ptx::Instruction& i) {
    return i.space != ptx::Space::shared && i.space != ptx::Space::local &&
           std::ranges::find(stores, i.opcode) != stores.end();
  });
}

std::string where_to_look(const Run& run, bool unwritten) {
  if (!unwritten) return "compare the kernel with what the problem asks for";
  if (!stores_anything(run.kernel->function())) return "no line stores a result yet: write one";
  return has_thread_for_each(run)
             ? "the grid has a thread for each element: look at the index that it computes and the condition "
               "before its store"
             : "let the grid cover every element";
}

// A result that is wrong, and where to begin to look.
void add_result(Run& run, const std::string& file) {
  Report& report = run.report;
  if (!report.is_wrong() || report.explanation.empty()) return;
  Finding finding;
  const bool unwritten = report.mistake == problem::Mistake::unwritten;
  finding.kind = unwritten ? Kind::unwritten_output : Kind::wrong_result;
  finding.file = file;
  finding.line = line_to_begin(run.kernel->function(), run.emulation.outcome.counters, unwritten);
  finding.message = report.explanation;
  finding.fix = where_to_look(run, unwritten);
  if (const Finding* cause = cause_of_result(report.findings)) {
    finding.line = cause->line;
    finding.fix = fmt::format("mend what was found in line {} first: this may come of it", cause->line);
  }
  for (Finding& known : report.findings)  // then it is no mere oddity
    if (known.kind == Kind::uninitialized_global) known.severity = Severity::error;
  report.findings.push_back(std::move(finding));
}

std::vector<ParameterName> names_of_parameters(const Run& run) {
  std::vector<ParameterName> names;
  for (const std::string& name : parameter_names(run.plan().spec)) names.push_back({names.size(), 0, name});
  const auto& arguments = run.job->instance->arguments();
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const auto* object = std::get_if<problem::StructArgument>(&arguments[a]);
    if (object == nullptr) continue;
    std::erase_if(names, [&](const ParameterName& one) { return one.parameter == a; });
    for (const auto& member : object->members) names.push_back({a, member.offset, member.name});
  }
  return names;
}

// A grid as the file launches it that misses the last elements is its own fault, whatever else is guessed.
Circumstances circumstances_of(Run& run) {
  Circumstances found;
  const auto& buffers = run.job->instance->buffers();
  for (const problem::Buffer& buffer : buffers) {
    using enum problem::ElementType;
    const bool is_real =
        buffer.type == f32 || buffer.type == f64 || buffer.type == f16 || buffer.type == bf16;
    found.reads_whole_numbers |= !is_real && !buffer.is_output;
    found.has_whole_numbers |= !is_real && (!buffer.is_output || buffer.starts_filled);
  }
  const std::string& guessed = run.plan().spec.guessed;
  if (guessed.empty()) return found;
  const auto names = names_of_parameters(run);
  found.data = use_of_data(run.kernel->function(), run.kernel_lines, names);
  const auto launch_of_file = problem::file_launch(run.plan().spec);
  if (launch_of_file) found.host_takes_part = launch_of_file->host_takes_part;
  found.guessed_addresses =
      guessed_addresses(run.kernel->function(), run.kernel_lines, names, guessed_parts(guessed).integers);
  if (!guessed_parts(guessed).has_sizes_of_file && !launch_of_file) {
    std::vector<ParameterName> places;
    for (const auto& [name, own] : places_of_sizes(*run.plan().problem, buffer_memory_limit()))
      places.insert(places.end(), own.begin(), own.end());
    found.decided_by_sizes = decided_by_numbers(run.kernel->function(), run.kernel_lines, places);
  }
  if (!is_grid_of_file(guessed)) return found;
  for (Finding& finding : run.report.findings) {
    if (finding.kind != Kind::wrong_result && finding.kind != Kind::unwritten_output) continue;
    found.grid_is_short = is_right_with_more_blocks(*run.job, *run.kernel);
    if (found.grid_is_short)
      finding.fix = "let the grid cover every element: with more blocks the result is right";
    break;
  }
  if (auto missed = elements_of_more_blocks(*run.job, *run.kernel, run)) {
    found.grid_is_short = true;
    run.report.findings.push_back(*std::move(missed));
  }
  return found;
}

// What a barrier that some threads do not come to makes of other sizes is said of the barrier; its cure is another one.
bool is_told_of_barrier(const Finding& finding, const check::Findings& told) {
  return finding.kind == Kind::wrong_at_odd_size && std::ranges::any_of(told, [&](const Finding& one) {
           return one.kind == Kind::divergent_barrier && one.line == finding.line;
         });
}

// Other sizes and other data, for a kernel that is right as it was asked for.
void try_others(const Job& job, const emulator::Kernel& kernel, Report& report) {
  const Trials trials(job, kernel, *report.tried, !report.not_checked.empty());
  auto found = finding_at_odd_sizes(trials);
  if (!found) found = finding_at_large_sizes(trials);
  if (found && !is_told_of_barrier(*found, report.findings)) report.findings.push_back(*std::move(found));
  if (auto other = finding_with_other_data(trials, report.tried->data))
    report.findings.push_back(*std::move(other));
}

// At all that the run itself did not show. Launches of programs are looked at as they are: their data, their size and
// what is right are the program's.
void look_beyond(const Job& job, const emulator::Kernel& kernel, bool is_stopped, Report& report) {
  if (!is_stopped) add_effect_of_order(job, kernel, report);
  add_compiler_findings(report, job.build.warnings, job.plan.spec);
  add_source_findings(report, job);
  for (Finding& finding : launch_findings(job, kernel)) report.findings.push_back(std::move(finding));
  report.tried.emplace();
  report.tried->data = {"random"};
  if (!job.plan.spec.guessed.empty()) report.tried->left_out = problem::other_kernels(job.plan.spec);
  if (!report.is_wrong() && !check::has_error(report.findings)) try_others(job, kernel, report);
}

}  // namespace

CheckOptions check_options(const Job& job) {
  CheckOptions options;
  options.instruction_budget = job.instruction_budget;
  options.compute_capability = job.plan.device.compute_capability;
  if (job.build.instructions.moves_registers)
    options.registers = static_cast<std::uint32_t>(std::max(job.build.registers, 0));
  options.ptx = job.build.ptx;
  options.parameters = parameter_names(job.plan.spec);
  if (!job.plan.spec.guessed.empty())  // else the front matter says what they hold
    if (auto launch = problem::file_launch(job.plan.spec))
      options.never_set = std::move(launch->is_never_set);
  // About as long as counting takes.
  options.most_effort = static_cast<std::uint64_t>(
      std::clamp(job.instance->operations() / 128, double(options.most_effort), 1.6e7));
  return options;
}

Result<SharedRun> run_checked(const Job& job, bool keep_output, const std::atomic<bool>* cancel) {
  const auto is_cancelled = [cancel] { return cancel != nullptr && *cancel; };
  auto kernel = prepare(job.build, job.plan.device);
  if (!kernel) return kernel.error();
  CheckOptions options = check_options(job);
  options.cancel = cancel;
  auto checked = check_blocks(**kernel, *job.instance, job.plan.launch, options);
  if (!checked) return checked.error();
  if (is_cancelled()) return cancelled();
  Execution execution{*kernel, {}, nullptr};
  if (never_ends(checked->fault)) {
    execution.emulation.outcome = std::move(checked->outcome);
    auto places = buffer_places(*job.instance);
    if (!places) return places.error();
    execution.emulation.buffers = *std::move(places);
    execution.emulation.blocks_in_grid = catalog::blocks_in_grid(job.plan.launch);
  } else {
    auto executed =
        execute(job, {.keep_output = keep_output, .stop_at_uninitialised = false, .cancel = cancel}, *kernel);
    if (!executed) return executed.error();
    if (is_cancelled()) return cancelled();
    execution = *std::move(executed);
  }
  const auto fault = execution.emulation.outcome.fault;
  auto run = tabulate(job, std::move(execution));
  if (!run) return run.error();
  auto whole = std::make_shared<Run>(**run);
  Report& report = whole->report;
  report.findings = std::move(checked->findings);
  report.check = CheckState::done;
  report.checked_blocks = checked->blocks_checked;
  if (fault && fault->kind == emulator::Fault::Kind::limit) {  // no mistake of the kernel's
    report.not_checked.clear();
    report.explanation = fault->error.message;
  } else if (fault) {
    report.not_checked.clear();
    const Finding finding = finding_of(*fault, *whole, job);
    report.explanation = finding.message;
    const bool known = std::any_of(report.findings.begin(), report.findings.end(),
                                   [&](const Finding& other) { return same_place(other, finding); });
    if (!known && !checked->fault) report.findings.push_back(finding);
    // The checkers watch a sample: where it happens first is the same in every run of the whole grid.
    for (Finding& same : report.findings)
      if (same_place(same, finding)) {
        if (!never_ends(fault) && !same_thread(same, finding))
          same.at = finding.at, same.address = finding.address, same.is_before = finding.is_before,
          same.message = finding.message, check::name_header(same);
        report.explanation = same.message;
      }
  } else {
    check_share(*whole);
    // What is wrong or missing behind a stop is no mistake of its own.
    if (!checked->fault) add_result(*whole, job.plan.spec.path);
  }
  judge_missing(report.findings, job.plan.spec.code, report.is_wrong() || check::has_error(report.findings));
  begin_at_heads(report.findings, job.plan.spec);
  if (problem::recorded_launch(job.plan.spec) == nullptr)
    look_beyond(job, **kernel, fault.has_value(), report);
  if (is_cancelled()) return cancelled();
  check::sort_by_cause(report.findings);
  if (!report.is_wrong() && check::has_error(report.findings)) {
    const auto first =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
    report.verified = false;
    report.not_checked.clear();
    report.explanation = first->message;
  }
  const Circumstances found = circumstances_of(*whole);
  mark_certain(*whole, found, report);
  own_up(report, job.plan.spec.guessed, found);
  check::sort_by_cause(report.findings);
  return SharedRun(std::move(whole));
}

SharedRun with_findings(const Run& run, const Report& checked) {
  auto same = std::make_shared<Run>(run);
  same->report.verified = checked.verified;
  same->report.explanation = checked.explanation;
  same->report.mistake = checked.mistake;
  same->report.not_checked = checked.not_checked;
  same->report.findings = checked.findings;
  same->report.checked_blocks = checked.checked_blocks;
  same->report.tried = checked.tried;
  same->report.check = CheckState::done;
  return same;
}

SharedRun being_checked(const Run& run) {
  auto same = std::make_shared<Run>(run);
  same->report.check = CheckState::at_work;
  return same;
}

SharedRun unchecked(const Run& run, const Error& why) {
  auto same = std::make_shared<Run>(run);
  same->report.check = CheckState::failed;
  same->report.why_unchecked = to_line(why);
  return same;
}

}  // namespace warplens::run
