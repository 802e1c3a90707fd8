#include "engine/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/run/build_queue.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/other_kernels.hpp"
#include "engine/study/found.hpp"

namespace warplens::study {
namespace {

using Job = Asked<Known>::Job;
using Cancel = std::atomic<bool>;
using Partial = Asked<Known>::Partial;

// ---- what each fact is of, as a text

std::string of_run(const Question& q) { return q.run != nullptr && q.run->complete ? key_of(*q.run) : ""; }

std::string of_block(const Question& q) {
  return q.run != nullptr && q.block < q.run->stories.size()
             ? fmt::format("{} block {}", key_of(*q.run), q.block)
             : "";
}

std::string of_counted_block(const Question& q) { return of_run(q).empty() ? "" : of_block(q); }

// Runs of any block are checked alike, and a preview is of the same launch.
std::string of_launch(const Question& q) {
  if (q.run == nullptr || q.run->job == nullptr) return "";
  const run::Plan& plan = q.run->plan();
  return fmt::format("{} {} {} {} {}", plan.spec.path, q.run->source, plan.device.id,
                     run::value_words(plan.parameters), run::value_words(plan.sizes));
}

std::string of_text(const catalog::KernelSpec& spec) {
  return fmt::format(" {} {}", spec.id, std::hash<std::string>()(spec.code));
}

std::string at_size(const Question& q) {
  return q.run != nullptr && q.run->complete
             ? q.run->device().id + " " + run::value_words(q.run->plan().sizes)
             : "";
}

std::string of_step_before(const Question& q) {
  std::string key = at_size(q);
  const auto other = q.ladder != nullptr && !key.empty() ? q.ladder->other() : std::nullopt;
  if (!other) return "";
  key += of_text(*q.ladder->steps[*other]);
  if (const auto its = q.ladder->judged_against(*other)) key += of_text(*q.ladder->steps[*its]);
  return key;
}

std::string of_ladder(const Question& q) {
  std::string key = q.ladder == nullptr ? "" : at_size(q);
  if (!key.empty())
    for (const catalog::KernelSpec* step : q.ladder->steps) key += of_text(*step);
  return key;
}

std::string of_run_in_ladder(const Question& q) {
  return q.ladder == nullptr ? "" : of_run(q) + of_ladder(q);
}

std::string of_run_that_ended(const Question& q) {
  return q.ladder != nullptr && q.run != nullptr && !q.run->fault && !of_run(q).empty()
             ? of_run(q) + of_ladder(q)
             : "";
}

std::string of_warp(const Question& q) {
  const std::string key = of_run(q);
  return key.empty() ? "" : fmt::format("{} block {} warp {} {}", key, q.block, q.warp, of_step_before(q));
}

std::string of_sets(const Question& q) {
  const std::string size = at_size(q);
  return size.empty() ? "" : of_text(q.run->plan().spec) + " " + size;
}

std::string of_launches(const Question& q) {
  return q.launches == nullptr
             ? ""
             : fmt::format("{} {} {} {}", run::count_key(q.launches->step), run::count_key(q.launches->other),
                           q.launches->times.value_or(0), q.launches->called);
}

// ---- how it is found out; whatever the job needs of the question is copied, as it runs on a worker

// Of a run alone. find(run, library, cancel) returns what the member gets.
template <auto Member, class Find>
Job job_of_run(Library& library, const Question& q, Find find) {
  return [&library, run = q.run, find](const Cancel& cancel, const Partial&) {
    Known known;
    known.*Member = find(*run, library, cancel);
    return known;
  };
}

constexpr std::chrono::milliseconds kTurn{10};
// While hands go on moving nobody waits for findings, and they would keep the next picture waiting.
constexpr int kTurnsOfRest = 12;

SharedCheck find_findings(const run::Run& run, Library& library, const Cancel& cancel) {
  if (library.in_background()) {
    for (int i = 0; i < kTurnsOfRest && !cancel; ++i) std::this_thread::sleep_for(kTurn);
    run::give_way();  // the next picture comes first
  }
  const auto checked = run::run_checked(*run.job, false, &cancel);
  if (cancel) return nullptr;
  if (!checked) return std::make_shared<const Result<run::Report>>(checked.error());
  run::Report report = (*checked)->report;
  const auto compile = [&](const run::Plan& plan) {
    return library.runner().build(run::build_request(plan));
  };
  run::add_other_kernels(*run.job, compile, report, &cancel);
  return std::make_shared<const Result<run::Report>>(std::move(report));
}

Job findings(Library& l, const Question& q) { return job_of_run<&Known::findings>(l, q, find_findings); }
Job payoffs(Library& l, const Question& q) {
  return job_of_run<&Known::payoffs>(l, q, [](const run::Run& run, Library& library, const Cancel& cancel) {
    return explain::payoffs_of(run, &library.sides(), cancel);
  });
}
Job order(Library& l, const Question& q) {
  return job_of_run<&Known::order>(
      l, q, [](const run::Run& run, Library&, const Cancel&) { return run::block_order(run); });
}
Job banks(Library& l, const Question& q) {
  return job_of_run<&Known::banks>(l, q, [block = q.block](const run::Run& run, Library&, const Cancel&) {
    return std::make_shared<const BankMap>(bank_map_of(run, block));
  });
}
Job predicted(Library& l, const Question& q) {
  return job_of_run<&Known::predicted>(l, q, [](const run::Run& run, Library&, const Cancel& cancel) {
    return std::make_shared<const Result<time::Prediction>>(time::predict(run, cancel));
  });
}
Job schedule(Library& l, const Question& q) {
  return job_of_run<&Known::schedule>(
      l, q, [](const run::Run& run, Library&, const Cancel& cancel) { return schedule_of(run, cancel); });
}
Job over_warps(Library& l, const Question& q) {
  return job_of_run<&Known::over_warps>(
      l, q, [](const run::Run& run, Library&, const Cancel& cancel) { return over_warps_of(run, cancel); });
}
Job timeline(Library& l, const Question& q) {
  return job_of_run<&Known::timeline>(
      l, q, [](const run::Run& run, Library&, const Cancel& cancel) { return timeline_of(run, cancel); });
}
Job listing(Library& l, const Question& q) {
  return job_of_run<&Known::listing>(
      l, q, [](const run::Run& run, Library& library, const Cancel&) { return library.list(run); });
}

// Goes on with what is kept of the map, and keeps what it finds on the way.
Job speed_map(Library& l, const Question& q) {
  return [&l, run = q.run, key = of_sets(q)](const Cancel& cancel, const Partial& partial) {
    const auto known = [](Result<time::SpeedMap> map) {
      return Known{.speed_map = std::make_shared<const Result<time::SpeedMap>>(std::move(map))};
    };
    const auto kept = l.kept(Fact::speed_map, key);
    const bool goes_on = kept && kept->speed_map != nullptr && *kept->speed_map;
    time::SpeedMap map = goes_on ? **kept->speed_map : time::empty_map(run->plan());
    const auto tell = [&](const time::SpeedMap& now) {
      Known found = known(now);
      l.keep(Fact::speed_map, key, found);
      partial(std::move(found));
    };
    const Status done = time::fill(
        map, run->job->instance, [&](const compile::Request& request) { return l.runner().build(request); },
        {.how = {.gives_way = l.in_background(), .cancel = &cancel}, .partial = tell});
    return done ? known(std::move(map)) : known(done.error());
  };
}

Job rounding(Library& l, const Question& q) {
  const auto at = q.ladder != nullptr ? q.ladder->other() : std::nullopt;
  const auto other =
      at ? std::optional(like(q.run->plan(), *q.ladder->steps[*at], l.in_background())) : std::nullopt;
  const std::string number = at ? std::to_string(*at + 1) : "";
  return job_of_run<&Known::rounding>(
      l, q,
      [other, number, block = q.block, warp = q.warp](const run::Run& run, Library& library,
                                                      const Cancel& cancel) {
        const auto before = other ? library.runner().run(*other, cancel) : Result<run::SharedRun>(Error{});
        const bool ran = before && !(*before)->fault;
        return rounding_of(run, block, warp, ran ? before->get() : nullptr, number);
      });
}

Job tensor(Library& l, const Question& q) {
  return job_of_run<&Known::tensor>(l, q,
                                    [block = q.block](const run::Run& run, Library&, const Cancel& cancel) {
                                      return tensor_found(run, block, cancel);
                                    });
}

Job tiles(Library& l, const Question& q) {
  return job_of_run<&Known::tiles>(l, q, [](const run::Run& run, Library&, const Cancel& cancel) {
    return std::make_shared<const Result<TileOrder>>(tile_order_of(run, cancel));
  });
}

// Precondition: there is one.
Job before(Library& l, const Question& q) {
  const std::size_t other = *q.ladder->other();
  const auto its = q.ladder->judged_against(other);
  return job_of_run<&Known::before>(
      l, q,
      [step = LadderStep{std::to_string(other + 1),
                         like(q.run->plan(), *q.ladder->steps[other], l.in_background())},
       its = its ? std::optional(*q.ladder->steps[*its]) : std::nullopt](const run::Run&, Library& library,
                                                                         const Cancel& cancel) {
        return step_before(library.runner(), step, its ? &*its : nullptr, cancel);
      });
}

Job against(Library& l, const Question& q) {
  return [&l, launches = *q.launches](const Cancel& cancel, const Partial&) {
    if (l.in_background()) run::give_way();
    auto said =
        explain::against(l.sides(), launches.step, launches.other, launches.times, launches.called, cancel);
    return Known{.against = said ? std::make_shared<const explain::Against>(*std::move(said)) : nullptr};
  };
}

Job scale(Library& l, const Question& q) {
  return job_of_run<&Known::scale>(
      l, q,
      [steps = steps_of_problem(q.ladder->steps, q.run->plan(), l.in_background())](
          const run::Run&, Library& library, const Cancel& cancel) {
        return std::make_shared<const LadderScale>(ladder_scale(library.runner(), steps, cancel));
      });
}

Job times(Library& l, const Question& q) {
  std::vector<catalog::KernelSpec> steps;
  for (const catalog::KernelSpec* step : q.ladder->steps) steps.push_back(*step);
  return job_of_run<&Known::times>(
      l, q,
      [steps = std::move(steps), taught = q.ladder->taught,
       recorded = q.ladder->recorded != nullptr ? *q.ladder->recorded : measured::RecordedSpeeds{}](
          const run::Run& run, Library& library, const Cancel& cancel) {
        std::vector<const catalog::KernelSpec*> all;
        for (const catalog::KernelSpec& step : steps) all.push_back(&step);
        return std::make_shared<const LadderTimes>(
            ladder_times(library.sides(), run, all, taught, recorded, cancel));
      });
}

// Whether a step builds on another one, by way of those between them.
bool builds_on(const StepOf& ladder, std::size_t step, std::size_t other) {
  while (const auto before = ladder.judged_against(step)) {
    if (*before == other) return true;
    if (*before >= step) return false;  // a list that goes round
    step = *before;
  }
  return false;
}

// What was set in the kernel is set in the step as well, where it has the same parameter: else what its own value mends would count as
// what the step does.
run::Request with_what_is_set(const run::Plan& plan, run::Request step) {
  for (const auto& parameter : plan.spec.params) {
    const auto value = plan.parameters.find(parameter.name);
    const bool is_set = value != plan.parameters.end() && value->second != parameter.default_value;
    const auto same = std::ranges::find(step.spec.params, parameter.name, &catalog::Parameter::name);
    if (is_set && same != step.spec.params.end() &&
        std::ranges::find(same->values, value->second) != same->values.end())
      step.parameters[parameter.name] = value->second;
  }
  return step;
}

// The steps that come next and build on the run's one. A box speaks of the first of them that mends what it names: the first few are
// enough.
Job next(Library& l, const Question& q) {
  constexpr std::size_t most = 4;
  const run::Plan& plan = q.run->plan();
  std::vector<explain::LaterStep> later;
  if (q.ladder->judged_against)
    for (std::size_t step = q.ladder->here + 1; step < q.ladder->steps.size() && later.size() < most; ++step)
      if (builds_on(*q.ladder, step, q.ladder->here))
        later.push_back(
            {std::to_string(step + 1), with_what_is_set(plan, like(plan, *q.ladder->steps[step], true))});
  run::Request kernel = like(plan, plan.spec, true);
  kernel.parameters = plan.parameters, kernel.nearest = false;
  return job_of_run<&Known::next>(
      l, q,
      [kernel, later = std::move(later),
       recorded = q.ladder->recorded != nullptr ? *q.ladder->recorded : measured::RecordedSpeeds{}](
          const run::Run&, Library& library, const Cancel& cancel) {
        if (library.in_background()) run::give_way();
        return std::make_shared<const std::vector<explain::NextGain>>(
            explain::next_gains(library.sides(), kernel, later, recorded, cancel));
      });
}

// ---- the table

struct Row {
  Fact fact;
  std::string (*key)(const Question&);
  Job (*job)(Library&, const Question&);  // precondition: there is a key
  bool (*is_known)(const Known&);
  void (*take)(Known& all, const Known& found);
  std::size_t most = 16;  // kept
  bool grows = false;     // more of it is known from moment to moment, and its job keeps that itself
};

template <auto Member>
constexpr Row row(Fact fact, std::string (*key)(const Question&), Job (*job)(Library&, const Question&),
                  std::size_t most = 16, bool grows = false) {
  return {.fact = fact,
          .key = key,
          .job = job,
          .is_known = [](const Known& known) { return known.*Member != nullptr; },
          .take = [](Known& all, const Known& found) { all.*Member = found.*Member; },
          .most = most,
          .grows = grows};
}

// In the order of Fact.
constexpr std::array<Row, kFacts> kRows = {
    row<&Known::findings>(Fact::findings, of_launch, findings, 64),
    row<&Known::payoffs>(Fact::payoffs, of_run, payoffs),
    row<&Known::order>(Fact::order, of_run, order),
    row<&Known::banks>(Fact::banks, of_block, banks),
    row<&Known::predicted>(Fact::predicted, of_run, predicted, 64),
    row<&Known::schedule>(Fact::schedule, of_run, schedule),
    row<&Known::over_warps>(Fact::over_warps, of_run, over_warps),
    row<&Known::timeline>(Fact::timeline, of_run, timeline),
    row<&Known::speed_map>(Fact::speed_map, of_sets, speed_map, 16, true),
    row<&Known::listing>(Fact::listing, of_run, listing),
    row<&Known::rounding>(Fact::rounding, of_warp, rounding),
    row<&Known::tensor>(Fact::tensor, of_counted_block, tensor),
    row<&Known::tiles>(Fact::tiles, of_run, tiles),
    row<&Known::before>(Fact::before, of_step_before, before),
    row<&Known::against>(Fact::against, of_launches, against, 64),
    row<&Known::scale>(Fact::scale, of_ladder, scale),
    row<&Known::times>(Fact::times, of_run_in_ladder, times),
    row<&Known::next>(Fact::next, of_run_that_ended, next),
};

const Row& row_of(Fact fact) { return kRows[static_cast<std::size_t>(fact)]; }

bool is_whole(const Row& row, const Known& known) {
  const SharedSpeedMap& map = known.speed_map;
  return !row.grows || (map != nullptr && (!*map || (*map)->is_complete()));
}

}  // namespace

std::string key_of(const run::Run& run) {
  const run::Plan& plan = run.plan();
  std::string key =
      fmt::format("{} {} {} {} {} {}", plan.spec.id, run.source, plan.device.id,
                  run::value_words(plan.parameters), run::value_words(plan.sizes), run.recorded_on);
  for (const auto& block : run.trace->blocks()) key += fmt::format(" {}", block.block);
  return key;
}

std::string key_of(Fact fact, const Question& question) { return row_of(fact).key(question); }

bool has(const Known& known, Fact fact) { return row_of(fact).is_known(known); }

Facts missing(const Known& known, Facts facts) {
  Facts missing;
  for (const Row& row : kRows)
    if (facts.has(row.fact) && !row.is_known(known)) missing = missing | row.fact;
  return missing;
}

Library::Library(std::shared_ptr<run::Runner> runner, Options options)
    : runner_(std::move(runner)),
      options_(std::move(options)),
      sides_(*runner_),
      disassembler_(options_.disassembler) {
  for (const Row& row : kRows)
    memos_[static_cast<std::size_t>(row.fact)] = std::make_unique<Memo<Known>>(row.most);
}

SharedListing Library::list(const run::Run& run) {
  const std::lock_guard lock(disassembling_);
  return std::make_shared<const Result<sass::Listing>>(sass::list(run, disassembler_));
}

Job Library::job(Fact fact, const std::string& key, const Question& question) {
  const Row& row = row_of(fact);
  return [this, fact, key, grows = row.grows, find = row.job(*this, question)](const Cancel& cancel,
                                                                               const Partial& partial) {
    if (!grows)
      return memo(fact)
          .of(key, cancel, [&](const Cancel& stop) { return find(stop, partial); })
          .value_or(Known{});
    Known found = find(cancel, partial);
    if (!cancel) keep(fact, key, found);
    return found;
  };
}

Known Library::now(const Question& question, Facts facts, const std::atomic<bool>& cancel) {
  Known known;
  for (const Row& row : kRows) {
    const std::string key = facts.has(row.fact) && !cancel ? row.key(question) : "";
    if (!key.empty()) row.take(known, job(row.fact, key, question)(cancel, [](const Known&) {}));
  }
  return known;
}

Inquiry::Inquiry(std::shared_ptr<Library> library, std::function<void()> wake)
    : library_(std::move(library)) {
  for (auto& slot : slots_) slot = std::make_unique<Asked<Known>>(wake);
}

Known Inquiry::of(const Question& question, Facts facts) {
  Known known;
  awaited_ = awaited_ - facts;
  for (const Row& row : kRows) {
    Asked<Known>& slot = this->slot(row.fact);
    const std::string key = facts.has(row.fact) ? row.key(question) : "";
    if (key.empty()) continue;
    const auto kept = library_->kept(row.fact, key);
    if (kept) row.take(known, *kept);
    if (kept && is_whole(row, *kept)) {
      slot.rest_unless(key);
      continue;
    }
    // The job keeps the library, which may be put away meanwhile.
    const auto& found = slot.of(key, [&] {
      return [library = library_, job = library_->job(row.fact, key, question)](
                 const Cancel& cancel, const Partial& partial) { return job(cancel, partial); };
    });
    if (found)
      row.take(known, *found);
    else
      awaited_ = awaited_ | row.fact;
  }
  return known;
}

std::optional<double> Inquiry::busy_seconds(Facts facts) const {
  std::optional<double> longest;
  for (const Row& row : kRows)
    if (const auto busy = slots_[static_cast<std::size_t>(row.fact)]->busy_seconds();
        busy && facts.has(row.fact))
      longest = std::max(longest.value_or(0), *busy);
  return longest;
}

std::optional<double> Inquiry::busy_seconds() const {
  Facts all;
  for (const Row& row : kRows) all = all | row.fact;
  return busy_seconds(all);
}

}  // namespace warplens::study
