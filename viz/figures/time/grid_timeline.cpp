#include "viz/figures/time/grid_timeline.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/explain/doubt.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::figures {
namespace {

using time::GridTimeline;

// Of more waves than this the last one is no matter.
constexpr std::uint64_t kManyWaves = 30;
// A last wave that takes more of the time than it has of the work by less is no waste.
constexpr double kWaste = 0.05;
// An only wave whose SMs end further apart than this share of the time is one.
constexpr double kApart = 0.15;

Result<const GridTimes*> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.timeline == nullptr) return Error{"the model schedules the grid", "wait a moment"};
  if (!*subject.timeline) return subject.timeline->error();
  return &**subject.timeline;
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

double work_of_last_wave(const GridTimeline& t) {
  return static_cast<double>(t.last_blocks) / static_cast<double>(t.grid);
}

bool is_wasteful(const GridTimeline& t) {
  if (t.full_waves == 0) return t.last_sms < t.sms || t.first_idle < 1 - kApart;
  return t.last_blocks > 0 && t.last_share - work_of_last_wave(t) > kWaste;
}

std::string what_it_does(const GridTimeline& t) {
  const auto whole = counted(t.full_waves, "full wave");
  if (t.full_waves == 0 && t.last_sms < t.sms)
    return fmt::format("the grid fills {} of {} SMs", t.last_sms, t.sms);
  if (t.full_waves == 0 && is_wasteful(t))
    return fmt::format("one wave, in which SMs with fewer blocks end after {} of the time",
                       share_text(t.first_idle));
  if (t.full_waves == 0) return fmt::format("one wave: all {} SMs work to the end", t.sms);
  if (t.full_waves > kManyWaves && !is_wasteful(t))
    return fmt::format("{}: the last wave is no matter", whole);
  if (t.last_blocks == 0) return fmt::format("{}, and no other: all SMs end together", whole);
  const std::string filled =
      t.last_sms < t.sms
          ? fmt::format("{} of {} SMs", t.last_sms, t.sms)
          : fmt::format("{} of {} places", grouped(t.last_blocks),
                        grouped(static_cast<std::uint64_t>(t.sms) * static_cast<std::uint64_t>(t.held)));
  return fmt::format("the last wave fills {}: {} of the time for {} of the work", filled,
                     share_text(t.last_share), share_text(work_of_last_wave(t)));
}

}  // namespace

SharedGridTimes grid_times_of(const run::Run& run) {
  auto model = time::timeline_of(run);
  if (!model) return std::make_shared<const Result<GridTimes>>(model.error());
  Timeline timeline(input_of(run, *model));
  return std::make_shared<const Result<GridTimes>>(GridTimes{*std::move(model), std::move(timeline)});
}

TimeSaid timeline_words(const GridTimeline& t) {
  TimeSaid said;
  said.question = "How long do multiprocessors wait for the last blocks?";
  said.unit = "blocks on each multiprocessor over one launch";
  said.explanation.rule = explain::RuleId::of_figure;
  said.explanation.what = what_it_does(t);
  const auto wave = static_cast<std::uint64_t>(t.sms) * static_cast<std::uint64_t>(t.held);
  said.explanation.why = fmt::format("{} SMs hold {} each, so a wave is {}; the grid has {}", t.sms,
                                     counted(static_cast<std::uint64_t>(t.held), "block"),
                                     counted(wave, "block"), counted(t.grid, "block"));
  said.explanation.verdict = is_wasteful(t) ? explain::Verdict::costly : explain::Verdict::good;
  if (!is_wasteful(t)) return said;
  said.explanation.fix =
      t.full_waves == 0
          ? fmt::format("more and smaller blocks, as many for each of the {} SMs, or a larger problem", t.sms)
          : fmt::format(
                "other tiles, so that the number of blocks is at or just below a multiple of {}; or fewer "
                "blocks that take several tiles in turn",
                grouped(wave));
  return said;
}

Result<scene::Scene> draw_timeline(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure) {
  const auto times = shown(subject);
  if (!times) return times.error();
  if (subject.for_class) return timeline_scene((*times)->timeline, size, measure, true);
  const Rect area = inner_area(size);
  const explain::Explanation said =
      explain::without_praise(timeline_words((*times)->model).explanation, *subject.run);
  const double strip = explanation_height(said, {}, area.width, measure);
  scene::Scene scene = timeline_scene((*times)->timeline, {size.width, area.bottom() - strip}, measure);
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
  const GridTimeline& model = (*times)->model;
  for (const time::BlockSpan& span : model.blocks)
    text += fmt::format("{},{},{},{:.3f},{:.3f}\n", span.block, model.together, span.sm, span.start * 1e6,
                        span.end * 1e6);
  return text;
}

}  // namespace warplens::figures
