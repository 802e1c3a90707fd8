#include "app/commands/claims/claims_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/commands/claims/ladder_claims.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/other_launches.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/derived/block_order.hpp"
#include "engine/run/derived/rounding.hpp"
#include "engine/study/found.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/waits.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/rounding.hpp"

namespace warplens::app {
namespace {

using claims_check::Place;

constexpr std::uint32_t kMostAccesses = 2048;  // looked through for instructions

class Speaker {
 public:
  Speaker(const run::SharedRun& run, explain::SharedPayoffs payoffs)
      : run_(run), payoffs_(std::move(payoffs)) {}
  const explain::Payoffs* payoffs() const { return payoffs_.get(); }

  void add(std::string where, const explain::Explanation& said, const Place& place) {
    Spoken spoken{std::move(where), {}, said.claims, place};
    for (const std::string& text : {said.what, said.why, said.fix})
      if (!text.empty()) spoken.texts.push_back(text);
    if (!spoken.texts.empty() && known_.insert(key(spoken)).second) spoken_.push_back(std::move(spoken));
  }
  // As the figure says it of this place, or of the nearest access to the memory that it is about.
  void add(std::string where, std::string_view name, Place place) {
    const figures::Figure& figure = *figures::find_figure(name);
    figures::Subject subject = this->subject();
    subject.place = {.block = place.block, .warp = place.warp, .access = place.access, .line = place.line};
    if (const auto shown = figures::shown_access(figure, *run_, subject.place)) place.access = *shown;
    add(std::move(where), figures::what_it_says(figure, subject).explanation, place);
  }
  // As the picture of all of the run says it.
  void add(std::string_view name, const figures::Subject& subject, const Place& place = {}) {
    add(std::string(name), figures::what_it_says(*figures::find_figure(name), subject).explanation, place);
  }
  void add(std::string where, std::vector<std::string> texts, explain::Claims claims) {
    std::erase_if(texts, [](const std::string& text) { return text.empty(); });
    if (!texts.empty()) spoken_.push_back({std::move(where), std::move(texts), std::move(claims), {}});
  }
  figures::Subject subject() const {
    figures::Subject subject;
    subject.run = run_, subject.known.payoffs = payoffs_;
    return subject;
  }
  std::vector<Spoken> take() && { return std::move(spoken_); }

 private:
  // The same words of another access claim other things.
  static std::string key(const Spoken& spoken) {
    std::string key = fmt::format("{} {} {}", spoken.place.warp, spoken.place.access, spoken.place.line);
    for (const std::string& text : spoken.texts) key += "\n" + text;
    return key;
  }

  const run::SharedRun& run_;
  explain::SharedPayoffs payoffs_;
  std::vector<Spoken> spoken_;
  std::set<std::string> known_;
};

void add_accesses(Speaker& speaker, const run::Run& run) {
  const std::uint32_t warp = explain::opening_warp(run, 0);
  const auto events = run.stories.front()->accesses().of_warp(warp);
  std::set<std::uint32_t> instructions;
  for (std::uint32_t access = 0; access < events.size() && access < kMostAccesses; ++access) {
    if (!instructions.insert(run.trace->pc(0, events[access])).second) continue;
    const Place place{.warp = warp, .access = access};
    speaker.add(fmt::format("access {}", access + 1), "access", place);
    const bool is_shared = run.trace->space(0, events[access]) == ptx::Space::shared;
    speaker.add(fmt::format("access {}", access + 1), is_shared ? "banks" : "coalescing", place);
  }
}

// ---- other kernels

// Counted, and predicted where the model knows the device, under a name.
void take(claims_check::Beside& beside, const std::string& name, const run::Request& request,
          explain::Sides& sides) {
  if (beside.steps.contains(name)) return;
  const auto side = sides.with_time(request, false);
  if (side) beside.steps.emplace(name, claims_check::Beside::Step{side->count, side->modelled});
}

// The values of two parameters in each other's place, so that the block is as wide as it was high.
std::optional<catalog::Values> turned(const run::Plan& plan) {
  const auto& block = plan.launch.block;
  for (const auto& [one, first] : plan.parameters)
    for (const auto& [two, second] : plan.parameters) {
      catalog::Values values = plan.parameters;
      values[one] = second, values[two] = first;
      const auto launch = catalog::launch_shape(plan.spec, values, plan.sizes);
      if (first != second && launch && launch->block[0] == block[1] && launch->block[1] == block[0])
        return values;
    }
  return std::nullopt;
}

bool claims_of(const std::vector<Spoken>& spoken, std::string_view what) {
  return std::ranges::any_of(spoken, [&](const Spoken& one) {
    return std::ranges::any_of(one.claims, [&](const explain::Claim& claim) { return claim.of == what; });
  });
}

Place place_of_step(const run::Run& run) {
  const std::uint32_t warp = explain::opening_warp(run, 0);
  return {.warp = warp,
          .access = explain::opening_access(run, 0, warp),
          .line = explain::line_of_instructions(run)};
}

// Of this access the map gives the reason.
Place place_of_worst(const run::Run& run, int line) {
  const auto worst = study::worst_access(run, 0, line);
  return worst ? Place{.warp = worst->warp, .access = worst->access} : Place{};
}
void add_banks(Speaker& speaker, const run::SharedRun& run) {
  if (run->report.shared_bytes == 0) return;
  const study::BankMap map = study::bank_map_of(*run, 0);
  if (map.lines.empty() || map.cut) return;
  const auto lost = [](const study::BankMap::Line& line) {
    return line.wavefronts - line.ideal - line.without_words;
  };
  const auto worst = std::ranges::max_element(map.lines, {}, lost);
  speaker.add("bank-map", figures::bank_map_words(map, *run, 0, speaker.payoffs()),
              place_of_worst(*run, worst->line));
}

// The other pictures of a launch, with what they are drawn from. A model that has nothing of it has no picture.
void add_pictures(Speaker& speaker, const run::SharedRun& run, const InLadder& ladder, run::Runner& runner,
                  claims_check::Beside& beside) {
  figures::Subject subject = speaker.subject();
  subject.known.timeline = study::timeline_of(*run), subject.known.over_warps = study::over_warps_of(*run);
  if (beside.of_run)
    speaker.add("time",
                figures::time_words(*run->job, beside.of_run->prediction, speaker.payoffs()).explanation, {});
  add_banks(speaker, run);
  subject.recorded_seconds = beside.recorded_seconds.value_or(0);
  const Place of_step = place_of_step(*run);
  for (const auto look : {figures::Look::file, figures::Look::stage}) {
    subject.look = look;
    speaker.add("flow", subject, of_step);
  }
  subject.look = figures::Look::file;
  if (*subject.known.timeline) {
    speaker.add("timeline", subject);
    beside.timeline = **subject.known.timeline;
  }
  if (*subject.known.over_warps) {
    speaker.add("latency", subject);
    beside.over_warps = **subject.known.over_warps;
  }
  const auto own = run::rounding_of(*run, run->trace->blocks().front().block, 0);
  if (!own) return;
  beside.rounding = *own;
  run::SharedRun before;
  if (ladder.judged_against != nullptr)
    if (const auto other = runner.run(request_beside(*run, *ladder.judged_against), false);
        other && !(*other)->fault)
      before = *other;
  if (before != nullptr)
    if (const auto other = run::rounding_of(*before, run->trace->blocks().front().block, 0))
      beside.rounding_of_other = *other, beside.rounded_before = before;
  subject.known.rounding = study::rounding_of(*run, 0, 0, before.get(), ladder.number);
  speaker.add("rounding", subject);
}

// Of tensor cores and tensor copies, and the order of tiles.
void add_tensor(Speaker& speaker, const run::SharedRun& run, claims_check::Beside& beside) {
  figures::Subject subject = speaker.subject();
  subject.known.tiles = std::make_shared<const Result<study::TileOrder>>(study::tile_order_of(*run));
  if (*subject.known.tiles) speaker.add("tile-order", subject);
  subject.known.tensor = study::tensor_found(*run, 0);
  if (subject.known.tensor->work == nullptr) return;
  beside.tensor = subject.known.tensor->work;
  for (const figures::Figure& figure : figures::all_figures())
    if (figure.needs.has(study::Fact::tensor) && figure.says(figure, subject))
      speaker.add(figure.id, subject);
}

// Steps by the time of each. What is said of them is of those that `beside` gets.
void add_waits(Speaker& speaker, const run::SharedRun& run, const InLadder& ladder, explain::Sides& sides,
               claims_check::Beside& beside) {
  if (ladder.recorded == nullptr) return;
  const study::LadderTimes times =
      study::ladder_times(sides, *run, ladder.steps, ladder.taught, *ladder.recorded, false);
  speaker.add("waits", figures::waits_words(*run, times).explanation, {});
  for (const study::StepTime& step : times.steps) {
    if (step.number != times.against && step.kernel != run->plan().spec.id) continue;
    const auto at = static_cast<std::size_t>(std::stoul(step.number));
    const bool is_own = step.kernel == run->plan().spec.id;
    const catalog::KernelSpec& spec = *ladder.steps[at - 1];
    take(beside, step.kernel,
         is_own ? request_of(*run, spec, run->plan().parameters) : request_beside(*run, spec), sides);
    if (!beside.steps.contains(step.kernel)) continue;
    const run::StepCount& count = beside.steps.at(step.kernel).count;
    if (const auto turns = catalog::turns_of(ladder.taught, at, count.parameters, count.sizes))
      beside.turns[step.kernel] = turns->count;
    if (const auto* speed = ladder.recorded->find(spec, count.sizes, &count.parameters))
      beside.recorded[step.kernel] = speed->seconds;
  }
}

// The order of blocks, for a class; and the map of other values of the parameters.
void add_choices(Speaker& speaker, const run::SharedRun& run, const InLadder& ladder, const OtherSets& sets,
                 explain::Sides& sides, claims_check::Beside& beside) {
  figures::Subject subject = speaker.subject();
  subject.look = figures::Look::stage;
  subject.known.order = run::block_order(*run);
  if (subject.known.order != nullptr) speaker.add("access", subject);
  subject.look = figures::Look::file;
  subject.known.speed_map = map_of_few(*run, ladder, sets, sides, beside);
  if (subject.known.speed_map == nullptr) return;
  if (ladder.recorded != nullptr)
    subject.measured =
        std::make_shared<const figures::MeasuredSets>(figures::measured_sets(*ladder.recorded, run->plan()));
  speaker.add("speed-map", subject);
}

claims_check::Beside times_of(const run::Run& run) {
  claims_check::Beside beside;
  if (auto modelled = time::modelled(run)) {
    beside.of_run_in_short = std::make_shared<const time::Modelled>(time::in_short(*modelled));
    beside.of_run = std::make_shared<const time::Modelled>(*std::move(modelled));
  }
  return beside;
}

// Launches of just those steps that were taken.
void note_recorded(claims_check::Beside& beside, const run::Run& run, const InLadder& ladder) {
  if (ladder.recorded == nullptr) return;
  const auto note = [&](const catalog::KernelSpec& spec) {
    const auto step = beside.steps.find(spec.id);
    if (step == beside.steps.end()) return;
    const run::StepCount& count = step->second.count;
    if (const auto* speed = ladder.recorded->find(spec, count.sizes, &count.parameters))
      beside.recorded[spec.id] = speed->seconds;
  };
  note(run.plan().spec);
  for (const explain::LaterStep& step : ladder.later) note(step.run.spec);
}

// Those that something is said of.
void add_steps(Heard& heard, const run::Run& run, const InLadder& ladder, explain::Sides& sides) {
  claims_check::Beside& beside = heard.beside;
  const std::vector<Spoken>& spoken = heard.spoken;
  const run::Plan& plan = run.plan();
  take(beside, plan.spec.id, request_of(run, plan.spec, plan.parameters), sides);
  if (ladder.judged_against != nullptr)
    take(beside, ladder.judged_against->id, request_beside(run, *ladder.judged_against), sides);
  for (const explain::LaterStep& step : ladder.later)
    if (claims_of(spoken, step.run.spec.id)) take(beside, step.run.spec.id, step.run, sides);
  note_recorded(beside, run, ladder);
  if (const auto values = claims_of(spoken, explain::kOfBlockShape) ? turned(plan) : std::nullopt)
    take(beside, plan.spec.id + " turned", request_of(run, plan.spec, *values), sides);
  if (beside.of_run && claims_of(spoken, explain::kOfFewWarps) && explain::registers_limit(run))
    take(beside, plan.spec.id + " with one block more",
         request_of(run, explain::with_blocks_on_sm(plan, beside.of_run->model.held + 1), plan.parameters),
         sides);
  if (beside.of_run && claims_of(spoken, explain::kOfMoreBlocks))
    take(beside, plan.spec.id + " with more blocks",
         request_of(
             run,
             explain::with_grid_of(plan, static_cast<std::uint64_t>(beside.of_run->model.blocks_at_a_time())),
             plan.parameters),
         sides);
  if (ladder.judged_against != nullptr) beside.other = ladder.judged_against->id;
  beside.measured = ladder.measured;
}

// ---- what is said by them

void add_against(Speaker& speaker, const run::Run& run, const InLadder& ladder, explain::Sides& sides) {
  if (ladder.judged_against == nullptr) return;
  const run::Plan& plan = run.plan();
  const auto said = explain::against(sides, request_of(run, plan.spec, plan.parameters),
                                     request_beside(run, *ladder.judged_against), ladder.measured,
                                     "step " + ladder.number, false);
  if (!said) return;
  speaker.add("against step " + ladder.number, {said->speed, said->words, said->about}, said->claims);
  figures::AgainstSaid forms = figures::against_said(*said, ladder.number);
  speaker.add("against step " + ladder.number + ", on a stage", std::move(forms.texts),
              std::move(forms.claims));
}

// In a box of each cost that the steps differ in.
void add_next(Speaker& speaker, const run::Run& run, const InLadder& ladder, explain::Sides& sides) {
  const auto gains =
      explain::next_gains(sides, request_of(run, run.plan().spec, run.plan().parameters), ladder.later,
                          ladder.recorded != nullptr ? *ladder.recorded : measured::RecordedSpeeds{}, false);
  std::set<std::string> said;
  for (std::size_t cost = 0; cost < explain::kCosts; ++cost) {
    const explain::NextGain* next = explain::next_for(gains, static_cast<explain::CostKind>(cost));
    if (next == nullptr || !said.insert(next->kernel).second) continue;
    explain::Said words = explain::next_words(*next);
    speaker.add("the next step", {words.text}, std::move(words.claims));
  }
}

}  // namespace

Heard heard_of(const run::SharedRun& run, const InLadder& ladder, explain::Sides& sides,
               const OtherSets& sets) {
  if (run->stories.empty()) return {};
  Speaker speaker(run, explain::payoffs_of(*run, &sides));
  const std::uint32_t warp = explain::opening_warp(*run, 0);
  const explain::Opening opening = explain::opening_of(*run, 0, warp, ladder.judged_against);
  const Place opens{.warp = warp, .access = opening.access, .line = opening.line};
  speaker.add("opening", "access", opens);
  speaker.add("the step", explain::that_pays(explain::explain(*run), speaker.payoffs()), place_of_step(*run));
  speaker.add("spills", explain::that_pays(explain::explain_spills(*run), speaker.payoffs()), {});
  add_accesses(speaker, *run);
  for (const report::LineRow& row : run->lines.rows)
    if (row.line > 0 && row.executed > 0)
      speaker.add(fmt::format("line {}", row.line), "access", {.line = row.line});
  speaker.add("occupancy", speaker.subject());
  add_against(speaker, *run, ladder, sides);
  add_next(speaker, *run, ladder, sides);
  Heard heard;
  heard.beside = times_of(*run);
  heard.beside.recorded_seconds = ladder.recorded_seconds;
  add_pictures(speaker, run, ladder, sides.runner(), heard.beside);
  add_tensor(speaker, run, heard.beside);
  add_waits(speaker, run, ladder, sides, heard.beside);
  add_choices(speaker, run, ladder, sets, sides, heard.beside);
  say_ladder(*run, ladder, sides, heard.beside,
             [&](std::string_view figure, const explain::Explanation& said) {
               speaker.add(std::string(figure), explain::without_praise(said, *run), Place{});
             });
  heard.spoken = std::move(speaker).take();
  add_steps(heard, *run, ladder, sides);
  return heard;
}

}  // namespace warplens::app
