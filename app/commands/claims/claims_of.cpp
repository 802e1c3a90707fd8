#include "app/commands/claims/claims_of.hpp"

#include <fmt/format.h>

#include <set>

#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {
namespace {

using claims_check::Place;

constexpr std::uint32_t kMostAccesses = 2048;  // looked through for instructions

class Speaker {
 public:
  explicit Speaker(const run::SharedRun& run) : run_(run) {}

  void add(std::string where, const explain::Explanation& said, const Place& place) {
    Spoken spoken{std::move(where), {}, said.claims, place};
    for (const std::string& text : {said.what, said.why, said.fix})
      if (!text.empty()) spoken.texts.push_back(text);
    if (!spoken.texts.empty() && known_.insert(key(spoken)).second) spoken_.push_back(std::move(spoken));
  }
  // As the figure says it of this place, or of the nearest access to the memory that it is about.
  void add(std::string where, std::string_view name, Place place) {
    const figures::Figure& figure = *figures::find_figure(name);
    figures::Subject subject;
    subject.run = run_;
    subject.place = {.block = place.block, .warp = place.warp, .access = place.access, .line = place.line};
    if (const auto shown = figures::shown_access(figure, *run_, subject.place)) place.access = *shown;
    add(std::move(where), figures::what_it_says(figure, subject).explanation, place);
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
  std::vector<Spoken> spoken_;
  std::set<std::string> known_;
};

void add_accesses(Speaker& speaker, const run::Run& run) {
  const auto events = run.stories.front()->accesses().of_warp(0);
  std::set<std::uint32_t> instructions;
  for (std::uint32_t access = 0; access < events.size() && access < kMostAccesses; ++access) {
    if (!instructions.insert(run.trace->pc(0, events[access])).second) continue;
    const Place place{.access = access};
    speaker.add(fmt::format("access {}", access + 1), "access", place);
    const bool is_shared = run.trace->space(0, events[access]) == ptx::Space::shared;
    speaker.add(fmt::format("access {}", access + 1), is_shared ? "banks" : "coalescing", place);
  }
}

}  // namespace

std::vector<Spoken> spoken_of(const run::SharedRun& run, const catalog::KernelSpec* judged_against) {
  Speaker speaker(run);
  if (run->stories.empty()) return {};
  const explain::Opening opening = explain::opening_of(*run, 0, 0, judged_against);
  const Place opens{.access = opening.access, .line = opening.line};
  speaker.add("opening", "access", opens);
  speaker.add("the step", explain::explain(*run),
              {.access = explain::opening_access(*run, 0, 0), .line = explain::line_of_instructions(*run)});
  speaker.add("spills", explain::explain_spills(*run), {});
  add_accesses(speaker, *run);
  for (const report::LineRow& row : run->lines.rows)
    if (row.line > 0 && row.executed > 0)
      speaker.add(fmt::format("line {}", row.line), "access", {.line = row.line});
  return std::move(speaker).take();
}

}  // namespace warplens::app
