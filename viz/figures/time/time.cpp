#include "viz/figures/time/time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::figures {
namespace {

Result<const time::Schedule*> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.known.schedule == nullptr) return Error{"the model schedules this kernel", "wait a moment"};
  if (!*subject.known.schedule) return subject.known.schedule->error();
  return &**subject.known.schedule;
}

}  // namespace

std::optional<Error> why_no_time(const Subject& subject) {
  if (subject.run == nullptr || !subject.run->complete)
    return Error{"this run is not counted yet", "wait until it is"};
  if (subject.run->device().sm_count == 0)
    return Error{fmt::format("{} is no product: how many SMs it has, and how fast, is not known",
                             subject.run->device().name),
                 "choose a GPU, such as h100"};
  return std::nullopt;
}

std::string time_csv(const time::Schedule& schedule, const TimeOptions& options) {
  const Cycles shown = shown_cycles(schedule, options);
  std::string text = "warp,part,block,from_cycle,to_cycle,what,line\n";
  for (std::size_t w = 0; w < schedule.warps.size(); ++w)
    for (const time::Stretch& stretch : schedule.warps[w].stretches)
      if (stretch.to > shown.from && stretch.from < shown.to)
        text += fmt::format("{},{},{},{:.1f},{:.1f},{},{}\n", w, schedule.warps[w].part, stretch.block,
                            std::max(stretch.from, shown.from), std::min(stretch.to, shown.to),
                            time::name(stretch.what), schedule.code[stretch.instruction].line);
  return text;
}

Result<scene::Scene> draw_time(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  const auto schedule = shown(subject);
  if (!schedule) return schedule.error();
  return time_scene(*subject.run, **schedule, subject, size, measure);
}

Result<std::string> time_table(const Subject& subject) {
  const auto schedule = shown(subject);
  return schedule ? Result<std::string>(time_csv(**schedule, subject.time))
                  : Result<std::string>(schedule.error());
}

}  // namespace warplens::figures
