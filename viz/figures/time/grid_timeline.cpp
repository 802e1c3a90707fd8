#include "viz/figures/time/grid_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/longest_block.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::Quantity, explain::say;
using time::GridTimeline;

// Of more waves than this the last one does not matter.
constexpr std::uint64_t kManyWaves = 30;
// SMs without a block for less of their time are no waste: where others end later is what a last wave costs, as
// blocks of several waves run side by side.
constexpr double kWaste = 0.05;
// An only wave whose SMs end further apart than this share of the time is one.
constexpr double kApart = 0.15;
// SMs that work for this share of the time do so to the end.
constexpr double kToTheEnd = 0.99;

Result<const GridTimeline*> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.known.timeline == nullptr) return Error{"the model schedules the grid", "wait a moment"};
  if (!*subject.known.timeline) return subject.known.timeline->error();
  return &**subject.known.timeline;
}

TimelineInput input_of(const run::Run& run, const GridTimeline& model) {
  TimelineInput input{
      .title = "When does each multiprocessor work?",
      .subtitle = fmt::format("{}, {}, {}: {}", run.plan().spec.title, measured::short_size(run.plan().sizes),
                              run.device().name, duration(model.prediction.seconds)),
      .blocks = {},
      .sms = static_cast<std::uint32_t>(model.sms),
      .provenance = plot::Provenance::modelled,
      .grid = model.grid,
      .held = static_cast<std::uint32_t>(model.held),
      .seconds = model.prediction.seconds};
  const auto nanoseconds = [](double seconds) {
    return static_cast<std::uint64_t>(std::llround(seconds * 1e9));
  };
  for (const time::BlockSpan& span : model.blocks)
    input.blocks.push_back({span.block, span.sm, nanoseconds(span.start), nanoseconds(span.end)});
  return input;
}

bool is_wasteful(const GridTimeline& t) {
  if (explain::waits_for_longest(t.prediction)) return true;
  if (t.full_waves == 0) return t.last_sms < t.sms || t.first_idle < 1 - kApart;
  return t.last_blocks > 0 && t.idle_share > kWaste;
}

// Whether SMs without a block limit the kernel: without them it takes at least as long as its busiest unit needs, and less than
// that is no reproach.
bool costs_much(const GridTimeline& t) {
  if (explain::waits_for_longest(t.prediction)) return true;
  return std::min(t.idle_share, 1 - busiest(t.prediction.units).busy) >= kWorthAWord;
}

Claim of_grid(std::string words, Quantity quantity, double number) {
  return explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel);
}
Claim whole_number(Quantity quantity, std::uint64_t number) {
  return of_grid(std::to_string(number), quantity, static_cast<double>(number));
}
Claim share_of_grid(Quantity quantity, double share) { return of_grid(share_text(share), quantity, share); }

explain::Said what_it_does(const GridTimeline& t) {
  if (explain::waits_for_longest(t.prediction)) return explain::longest_block_what(t.prediction);
  const auto sms = [&] { return whole_number(Quantity::sms, static_cast<std::uint64_t>(t.sms)); };
  const auto last_sms = [&] {
    return whole_number(Quantity::last_sms, static_cast<std::uint64_t>(t.last_sms));
  };
  const Claim whole =
      of_grid(counted(t.full_waves, "full wave"), Quantity::full_waves, static_cast<double>(t.full_waves));
  if (t.full_waves == 0 && t.last_sms < t.sms) return say("the grid fills {} of {} SMs", {last_sms(), sms()});
  if (t.full_waves == 0 && t.grid % static_cast<std::uint64_t>(t.sms) == 0)
    return say("less than one wave: as many blocks on {}",
               {explain::claim::every(fmt::format("each of the {} SMs", t.sms), Quantity::sms, t.sms,
                                      explain::Scope::device)});
  if (t.full_waves == 0 && t.first_idle < kToTheEnd)
    return say("less than one wave, in which SMs with fewer blocks end after {} of the kernel's time",
               {share_of_grid(Quantity::first_idle, t.first_idle)});
  if (t.full_waves == 0)
    return say("less than one wave: {} work to the end",
               {of_grid(fmt::format("all {} SMs", t.sms), Quantity::last_sms, t.sms)});
  if (t.full_waves > kManyWaves && !is_wasteful(t))
    return say("{}: the last wave {}", {whole, of_grid("does not matter", Quantity::wave_that_matters, 0)});
  if (t.last_blocks == 0 && t.first_idle < kToTheEnd)
    return say("{}, and {}; the first SM ends after {} of the kernel's time",
               {whole, of_grid("no other", Quantity::last_blocks, 0),
                share_of_grid(Quantity::first_idle, t.first_idle)});
  if (t.last_blocks == 0)
    return say("{}, and {} end together", {whole, of_grid("no other: all SMs", Quantity::last_blocks, 0)});
  explain::Said said;
  // A block goes to the place that is free first, so two of the last ones may share an SM.
  if (t.held == 1) {
    said =
        say("the last wave fills {} of {} SMs",
            {of_grid(grouped(t.last_blocks), Quantity::last_sms, static_cast<double>(t.last_blocks)), sms()});
  } else {
    const std::uint64_t places = static_cast<std::uint64_t>(t.sms) * static_cast<std::uint64_t>(t.held);
    said = say("the last wave fills {} of {} places",
               {of_grid(grouped(t.last_blocks), Quantity::last_blocks, static_cast<double>(t.last_blocks)),
                of_grid(grouped(places), Quantity::wave_blocks, static_cast<double>(places))});
  }
  explain::Said cost =
      say("; SMs are idle for {} of their time", {share_of_grid(Quantity::time_without_block, t.idle_share)});
  said.text += cost.text;
  add(said.claims, std::move(cost.claims));
  return said;
}

}  // namespace

Timeline blocks_in_slots(const run::Run& run, const GridTimeline& model) {
  return Timeline(input_of(run, model));
}

TimeSaid timeline_words(const GridTimeline& t) {
  TimeSaid said;
  said.question = "How long do multiprocessors wait for the last blocks?";
  said.unit = "blocks on each multiprocessor over one launch, by the model of time";
  said.explanation.rule = explain::RuleId::of_figure;
  const auto take = [&](std::string& part, explain::Said words) {
    part = std::move(words.text);
    add(said.explanation.claims, std::move(words.claims));
  };
  const auto wave = static_cast<std::uint64_t>(t.sms) * static_cast<std::uint64_t>(t.held);
  const auto blocks = [](std::uint64_t number, Quantity quantity) {
    return of_grid(counted(number, "block"), quantity, static_cast<double>(number));
  };
  const Claim sms = whole_number(Quantity::sms, static_cast<std::uint64_t>(t.sms));
  take(said.explanation.what, what_it_does(t));
  if (explain::waits_for_longest(t.prediction))
    take(said.explanation.why, explain::longest_block_why(t.prediction));
  else
    take(said.explanation.why,
         say("{} SMs hold {}, so a wave is {}; the grid has {}",
             {sms,
              explain::claim::every(counted(static_cast<std::uint64_t>(t.held), "block") + " each",
                                    Quantity::blocks_of_sm, t.held, explain::Scope::device),
              blocks(wave, Quantity::wave_blocks), blocks(t.grid, Quantity::blocks)}));
  said.explanation.verdict = !is_wasteful(t) ? explain::Verdict::good
                             : costs_much(t) ? explain::Verdict::costly
                                             : explain::Verdict::neutral;
  if (!is_wasteful(t)) return said;
  if (explain::waits_for_longest(t.prediction))
    take(said.explanation.fix, explain::longest_block_fix(t.prediction));
  else if (t.full_waves == 0 && t.prediction.in_smaller_blocks >= kPays)
    take(said.explanation.fix,
         say("more and smaller blocks of the same threads: {} less time by the model",
             {share_of_grid(Quantity::saved_in_smaller_blocks, t.prediction.in_smaller_blocks)}));
  else if (t.full_waves > 0 && costs_much(t))
    said.explanation.fix = "less work for a block: the last wave is shorter then";
  return said;
}

Result<scene::Scene> draw_timeline(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure) {
  const auto times = shown(subject);
  if (!times) return times.error();
  const Timeline timeline = blocks_in_slots(*subject.run, **times);
  if (!has_words(subject.look)) return timeline_scene(timeline, size, measure, subject.look);
  const Rect area = inner_area(size);
  const explain::Explanation said =
      explain::without_praise(timeline_words(**times).explanation, *subject.run);
  const double strip = explanation_height(said, {}, area.width, measure);
  scene::Scene scene = timeline_scene(timeline, {size.width, area.bottom() - strip}, measure);
  scene.size = size;
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfStep);
  return scene;
}

Result<std::string> timeline_table(const Subject& subject) {
  const auto times = shown(subject);
  if (!times) return times.error();
  std::string text = "block,blocks,sm,start_us,end_us\n";
  const GridTimeline& model = **times;
  for (const time::BlockSpan& span : model.blocks)
    text += fmt::format("{},{},{},{:.3f},{:.3f}\n", span.block, model.together, span.sm, span.start * 1e6,
                        span.end * 1e6);
  return text;
}

}  // namespace warplens::figures
