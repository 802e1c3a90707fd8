#include "viz/figures/time/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/stalls_by_line.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_units.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::figures {
namespace {

using explain::Claim, explain::Quantity, explain::say;
using time::Stall;

// A wait of less is none that a step is about.
constexpr double kLeastWait = 0.5;
// Of two times that differ by less neither is the shorter.
constexpr double kAlike = 0.03;
constexpr double kHighestRow = 64, kLeastShare = 0.004;

double share_of(const time::Prediction& p, Stall stall) { return p.stalls[static_cast<std::size_t>(stall)]; }

// What a warp does, in words that need no explanation.
constexpr std::pair<Stall, std::string_view> kNames[] = {
    {Stall::selected, "works"},
    {Stall::not_selected, "another warp’s turn"},
    {Stall::wait, "previous instruction"},
    {Stall::pipe, "a busy unit"},
    {Stall::dispatch, "registers"},
    {Stall::short_scoreboard, "shared memory, functions"},
    {Stall::memory_throttle, "load/store queue"},
    {Stall::long_scoreboard, "global memory"},
    {Stall::barrier, "barrier"}};
std::string name_of(Stall stall) {
  return std::string(std::ranges::find(kNames, stall, &std::pair<Stall, std::string_view>::first)->second);
}

// What warps wait for most, beside their turn to issue: nobody waits who could go on.
Stall longest_wait(const time::Prediction& p) {
  Stall longest = Stall::wait;
  for (const StallColor& row : stall_colors())
    if (row.stall != Stall::selected && row.stall != Stall::not_selected &&
        share_of(p, row.stall) > share_of(p, longest))
      longest = row.stall;
  return longest;
}

// "for global memory"
std::string for_what(const time::Prediction& p, Stall stall) {
  constexpr std::string_view waits = "waits ";
  const std::string_view words = time::plain_words(p, stall);
  return std::string(words.starts_with(waits) ? words.substr(waits.size()) : words);
}

std::string cycles(double value) {
  return fmt::format("{:.{}f}", value, value >= 20 ? 0 : value >= 2 ? 1 : 2);
}

// Both times, as they were recorded, or as the model has them; and by which of these a step is judged.
struct Compared {
  double own = 0, other = 0;
  bool is_recorded = false;
  bool model_differs = false;  // it predicts the other way round
};
int sign_of(double own, double other) {
  return own < (1 - kAlike) * other ? -1 : own > (1 + kAlike) * other ? 1 : 0;
}
Compared compared(const StepTime& own, const StepTime& other) {
  const double predicted = own.predicted.seconds, its = other.predicted.seconds;
  if (own.recorded <= 0 || other.recorded <= 0) return {predicted, its};
  return {own.recorded, other.recorded, true,
          sign_of(own.recorded, other.recorded) != sign_of(predicted, its)};
}

const StepTime* step_of(const LadderTimes& times, const run::Run& run) {
  const auto found = std::ranges::find(times.steps, run.plan().spec.id, &StepTime::kernel);
  return found == times.steps.end() ? nullptr : &*found;
}

// By which steps are compared: cycles of an SM for a turn, or seconds.
double length_of(const StepTime& step) { return step.turns ? step.sm_cycles() : step.predicted.seconds; }
std::string value_of(const StepTime& step) {
  return step.turns ? cycles(step.sm_cycles()) : duration(step.predicted.seconds);
}

// All have turns, or none of them is shown by turns.
// What the steps of one picture wait for, which may not be the same memory.
std::string memory_of(const LadderTimes& times) {
  bool global = false, local = false;
  for (const StepTime& step : times.steps)
    if (share_of(step.predicted, Stall::long_scoreboard) >= kLeastShare)
      (time::is_for_local_memory(step.predicted, Stall::long_scoreboard) ? local : global) = true;
  return global && local ? "global or local memory" : local ? "local memory" : "global memory";
}

// A wait that is less than this in each of the steps has no colour of its own.
bool has_color(const LadderTimes& times, Stall stall, Look look) {
  constexpr double kForClass = 0.04;
  return std::ranges::any_of(times.steps, [&](const StepTime& step) {
    return share_of(step.predicted, stall) >= (is_sparse(look) ? kForClass : kLeastShare);
  });
}
const Color kOther = Token::line;

std::vector<Key> keys_of(const LadderTimes& times, Look look) {
  std::vector<Key> keys;
  double others = 0;
  for (const StallColor& row : stall_colors()) {
    if (has_color(times, row.stall, look))
      keys.push_back(
          {row.color, row.stall == Stall::long_scoreboard ? memory_of(times) : name_of(row.stall)});
    else
      for (const StepTime& step : times.steps) others = std::max(others, share_of(step.predicted, row.stall));
  }
  if (others >= kLeastShare) keys.push_back({kOther, "other"});
  return keys;
}

void add_bar(Group& group, const Rect& room, const StepTime& step, double most, const LadderTimes& times,
             Look look) {
  const double all = room.width * length_of(step) / most;
  double x = room.x, others = 0;
  const auto add = [&](double share, Color color) {
    const double wide = all * share;
    if (wide >= 0.25) group.rect({x, room.y, wide, room.height}, {.fill = color});
    x += wide;
  };
  for (const StallColor& row : stall_colors())
    if (has_color(times, row.stall, look))
      add(share_of(step.predicted, row.stall), row.color);
    else
      others += share_of(step.predicted, row.stall);
  add(others, kOther);
}

std::string tip_of(const StepTime& step) {
  std::string text = fmt::format("{}\n{} by the model", step.title, duration(step.predicted.seconds));
  if (step.turns)
    text += fmt::format("\nan SM takes {} cycles for a {} of a warp, and the warp {}",
                        cycles(step.sm_cycles()), step.turns->name, cycles(step.warp_cycles()));
  return text + "\n" + time::reason_words(time::reasons_of(step.predicted.stalls), 3, &step.predicted);
}

void add_row(Group& group, const Rect& row, const StepTime& step, bool chosen, double names, double most,
             const LadderTimes& times, Look look) {
  const double number = 78;
  if (chosen) group.rect(row, {.fill = Token::raised}, 6);
  const double middle = row.y + row.height / 2 + 5;
  const auto style = chosen ? heading() : body(Token::dim);
  group.text({row.x + 10, middle}, step.number, style);
  if (!is_brief(look) || names > 90) group.text({row.x + 34, middle}, step.title, within(style, names - 40));
  const double high = std::min(row.height - 10, 34.0);
  const Rect bar{row.x + names, row.y + (row.height - high) / 2, row.width - names - number, high};
  add_bar(group, bar, step, most, times, look);
  group.text({bar.x + bar.width * length_of(step) / most + 8, middle}, value_of(step), style);
  group.rect(row, {.fill = Color::transparent()}).named("step:" + step.number, tip_of(step));
}

std::string title_of(const LadderTimes& times, const StepTime& step) {
  return has_turns(times) ? fmt::format("Cycles of an SM for one {} of a warp, and what warps do meanwhile",
                                        step.turns->name)
                          : std::string("Time of each step, and what its warps do meanwhile");
}

scene::Scene waits_scene(const Subject& subject, const LadderTimes& times, const StepTime& own,
                         scene::Size size, const scene::TextMeasure& measure) {
  const Rect area = inner_area(size);
  const Look look = subject.look;
  scene::Scene scene{size};
  double y = area.y;
  if (is_brief(look)) {
    scene.root.text(
        {area.x, y + 14},
        own.turns ? fmt::format("cycles of an SM for a {} of a warp", own.turns->name) : std::string("time"),
        body(Token::dim));
    y += 26;
  } else {
    scene.root.text({area.x, y + 14}, title_of(times, own), heading());
    scene.root.text({area.x, y + 34},
                    fmt::format("{}, {}, by the model of time", size_words(subject.run->plan()),
                                subject.run->device().name),
                    caption());
    y += 50;
  }
  const TimeSaid words = waits_words(*subject.run, times);
  const explain::Explanation said = has_words(subject.look)
                                        ? explain::without_praise(words.explanation, *subject.run)
                                        : explain::Explanation{};
  const double strip = explanation_height(said, {}, area.width, measure);
  const auto keys = keys_of(times, look);
  Group nowhere;
  const double legend = add_key_row(nowhere, {}, keys, area.width, measure);
  const double bottom = area.bottom() - (strip > 0 ? strip + 12 : 0) - legend - 10;
  double most = 0, names = 0;
  for (const StepTime& step : times.steps) {
    most = std::max(most, length_of(step));
    names = std::max(names, measure.width(step.title, heading()) + 56);
  }
  names = std::min(names, area.width * (is_large(look) ? 0.42 : 0.34));
  const double high = std::min((bottom - y) / static_cast<double>(times.steps.size()), kHighestRow);
  for (const StepTime& step : times.steps) {
    add_row(scene.root, {area.x, y, area.width, high}, step, &step == &own, names, most, times, look);
    y += high;
  }
  add_key_row(scene.root, {area.x, y + 12}, keys, area.width, measure);
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfStep);
  return scene;
}

struct Shown {
  const LadderTimes& times;
  const StepTime& own;
};
Result<Shown> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.known.times == nullptr)
    return Error{"the model predicts the steps of this ladder", "wait a moment"};
  const StepTime* own = step_of(*subject.known.times, *subject.run);
  if (own == nullptr)
    return Error{"the model has no time for this step", "choose another step, or the figure of time"};
  return Shown{*subject.known.times, *own};
}

Claim of_step(std::string words, Quantity quantity, double number, std::string_view of) {
  return explain::claim::of(explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel),
                            std::string(of));
}
// As value_of() has it.
Claim value_claim(const StepTime& step) {
  return of_step(value_of(step), step.turns ? Quantity::cycles_of_sm : Quantity::seconds_of_step,
                 length_of(step), step.kernel);
}
Claim predicted_claim(const StepTime& step) {
  return of_step(duration(step.predicted.seconds), Quantity::seconds_of_step, step.predicted.seconds,
                 step.kernel);
}
Claim recorded_claim(const StepTime& step) {
  return of_step(duration(step.recorded), Quantity::recorded_seconds_of_step, step.recorded, step.kernel);
}
Claim number_claim(const StepTime& step) {
  return of_step("step " + step.number, Quantity::step_number, std::strtod(step.number.c_str(), nullptr),
                 step.kernel);
}
void put(std::string& part, explain::Claims& claims, explain::Said said) {
  part += said.text;
  add(claims, std::move(said.claims));
}

// Of the prediction that the bars are drawn from, which is counted as those of the other steps.
explain::Said of_bars(explain::Said said) {
  for (Claim& claim : said.claims) claim.scope = explain::Scope::two_steps;
  return said;
}

// "The multiply-add units: busy 97 % of the kernel's cycles", else what warps wait for.
explain::Said why_words(const time::Prediction& p) {
  const time::UnitShare unit = busiest(p.units);
  const Stall wait = longest_wait(p);
  if (has_limiter(p))
    return say(fmt::format("{}: busy {{}} of the kernel's cycles", unit_name(unit.name, false)),
               {of_step(share_text(unit.busy), Quantity::busy, unit.busy, unit.name)});
  return say(
      fmt::format("warps wait {{}} of their time {}", for_what(p, wait)),
      {of_step(share_text(share_of(p, wait)), Quantity::share_of_wait, share_of(p, wait), time::name(wait))});
}

explain::Verdict verdict_of(const StepTime& own, const StepTime* other) {
  if (other == nullptr) return explain::Verdict::neutral;
  const Compared both = compared(own, *other);
  const int sign = own.turns ? sign_of(length_of(own), length_of(*other)) : sign_of(both.own, both.other);
  return sign < 0 ? explain::Verdict::good : sign > 0 ? explain::Verdict::costly : explain::Verdict::neutral;
}

// What was measured goes before what is predicted, and is not explained by what predicts the other way round.
void say_recorded(TimeSaid& said, const StepTime& own, const StepTime& other) {
  const Compared both = compared(own, other);
  if (!both.is_recorded) return;
  said.unit = "bars: predicted";
  explain::Explanation& e = said.explanation;
  e.what.clear(), e.claims.clear();
  put(e.what, e.claims,
      say("this step took {} where {} took {}, recorded",
          {recorded_claim(own), number_claim(other), recorded_claim(other)}));
  if (!both.model_differs) return put(e.why = "", e.claims, of_bars(headline_said(own.predicted)));
  e.why.clear();
  put(e.why, e.claims,
      say("the model differs, and cannot say why: it predicts {} and {}",
          {predicted_claim(own), predicted_claim(other)}));
}

// ---- memory that a turn needs beside what it computes

// Accesses of a warp to local memory in a turn: to arrays, not to values without a register.
double local_of_turn(const run::Run& run, const catalog::Turns& turns) {
  const emulator::Counters& all = run.emulation.outcome.counters;
  const double grid = static_cast<double>(catalog::blocks_in_grid(run.plan().launch)),
               ran = static_cast<double>(std::max<std::uint64_t>(all.blocks_run, 1));
  return static_cast<double>(all.local_load.requests + all.local_store.requests) * grid / ran * 32 /
         turns.count;
}
// The most different words of constant memory that a load of a recorded warp asks for; 0: there is none.
std::size_t constant_words(const run::Run& run) {
  std::size_t most = 0;
  run.trace->for_each(0, [&](const trace::Access& access) {
    if (access.space != ptx::Space::constant) return;
    std::set<std::uint64_t> words;
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((access.active >> lane & 1) != 0) words.insert(access.address[lane] / 4);
    most = std::max(most, words.size());
  });
  return most;
}
// Of a step that waits for such memory; else nothing.
explain::Said memory_words(const run::Run& run, const StepTime& own) {
  constexpr double kLeast = 0.5;  // of an access in a turn: less is no point of it
  if (!own.turns) return {};
  if (run.report.spill_bytes > 0) return explain::spill_words(run);
  if (const double local = local_of_turn(run, *own.turns); local >= kLeast)
    return say(fmt::format("{{}} to local memory for a {}", own.turns->name),
               {of_step(fmt::format("{:.2g} accesses", local), Quantity::local_of_turn, local, "")});
  const std::size_t words = constant_words(run);
  if (words == 0) return {};
  const auto number = static_cast<double>(words);
  return words == 1
             ? say("{} broadcasts one word",
                   {explain::claim::every("each load of constant memory", Quantity::constant_words, 1)})
             : say("a load of constant memory asks for {} different words",
                   {explain::claim::number(Quantity::constant_words, number)});
}

}  // namespace

TimeSaid waits_words(const run::Run& run, const LadderTimes& times) {
  TimeSaid said;
  said.question = "Who waits, and for what?";
  said.unit = "predicted";
  const StepTime* own = step_of(times, run);
  if (own == nullptr) return said;
  const auto found = std::ranges::find(times.steps, times.against, &StepTime::number);
  const StepTime* other = found == times.steps.end() ? nullptr : &*found;
  explain::Explanation& e = said.explanation;
  e.rule = explain::RuleId::of_figure;
  e.verdict = verdict_of(*own, other);
  const time::Prediction& p = own->predicted;
  const Stall wait = longest_wait(p);
  const double share = share_of(p, wait);
  const std::string turn = own->turns ? own->turns->name : "";
  const std::string who = own->turns ? fmt::format("a {} of a warp", turn) : "this step";
  const std::string unit = own->turns ? " cycles of an SM" : "";
  explain::Said value = say(who + " takes {}" + unit, {value_claim(*own)});
  if (other != nullptr) {
    const bool as_long = value_of(*own) == value_of(*other);
    put(value.text, value.claims,
        say(as_long ? ", and in {} {}" : " where {} takes {}", {number_claim(*other), value_claim(*other)}));
  }
  if (explain::Said memory = memory_words(run, *own); !memory.text.empty()) {
    put(e.what, e.claims, std::move(memory));
    put(e.why, e.claims, std::move(value));
  } else if (share >= kLeastWait && own->turns) {
    const double waits = share * own->warp_cycles();
    put(e.what, e.claims,
        say(fmt::format("a warp waits {{}} of {{}} cycles a {} {}", turn, for_what(p, wait)),
            {of_step(cycles(waits), Quantity::wait_of_turn, waits, time::name(wait)),
             of_step(cycles(own->warp_cycles()), Quantity::cycles_of_turn, own->warp_cycles(), "")}));
    put(e.why, e.claims, std::move(value));
  } else {
    put(e.what, e.claims, std::move(value));
    put(e.why, e.claims, of_bars(own->turns ? why_words(p) : headline_said(p)));
    if (!own->turns && other != nullptr) say_recorded(said, *own, *other);
  }
  return said;
}

Result<scene::Scene> draw_waits(const Subject& subject, scene::Size size, const scene::TextMeasure& measure) {
  const auto found = shown(subject);
  if (!found) return found.error();
  return waits_scene(subject, found->times, found->own, size, measure);
}

Result<std::string> waits_table(const Subject& subject) {
  const auto found = shown(subject);
  if (!found) return found.error();
  std::string csv = "step,seconds,turns,sm_cycles_a_turn,warp_cycles_a_turn";
  for (const StallColor& row : stall_colors()) csv += "," + std::string(time::name(row.stall));
  csv += "\n";
  for (const StepTime& step : found->times.steps) {
    csv += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g}", step.number, step.predicted.seconds,
                       step.turns ? step.turns->count : 0, step.sm_cycles(), step.warp_cycles());
    for (const StallColor& row : stall_colors())
      csv += fmt::format(",{:.4f}", share_of(step.predicted, row.stall));
    csv += "\n";
  }
  return csv;
}

}  // namespace warplens::figures
