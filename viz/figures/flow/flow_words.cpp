#include "viz/figures/flow/flow_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::Claims, explain::Quantity, explain::say;

std::string bytes(double value) {
  return value < 1000 ? plot::plain(value, value < 10 ? 2 : 3) + " B" : plot::si(value, 3, " ", "B");
}
std::string number_of(double value) {
  return value < 1000 ? plot::plain(value, 3) : plot::si(value, 3, " ", "");
}
std::string time(double seconds) { return plot::si(seconds, 3, " ", "s"); }

std::string_view place_name(const Flow& flow, Pipe::Id id) {
  switch (id) {
    case Pipe::Id::memory_l2:
      return "Global memory";
    case Pipe::Id::l2_l1:
    case Pipe::Id::l2_shared:
      return "L2";
    case Pipe::Id::global_registers:
      return flow.has_l1 ? "L1" : flow.has_l2 ? "L2" : "Global memory";
    case Pipe::Id::shared_registers:
      break;
  }
  return "Shared memory";
}

std::string with_article(std::string_view noun) {
  return fmt::format(
      "{} {}", std::string_view("aeio").find(noun.front()) != std::string_view::npos ? "an" : "a", noun);
}

// "0.023-66.2 B", "8 B-1.2 kB": the unit once where it is the same.
std::string range_of(double least, double most) {
  std::string low = bytes(least);
  const std::string high = bytes(most);
  const auto unit = [](const std::string& text) { return std::string_view(text).substr(text.rfind(' ')); };
  if (unit(low) == unit(high)) low.resize(low.rfind(' '));
  return low + "-" + high;
}

// No line breaks before its unit.
std::string percent(double share) {
  std::string text = plot::percent(share, 2);
  if (const auto space = text.find(' '); space != std::string::npos) text.replace(space, 1, "\u00a0");
  return text;
}

// Within a sentence.
std::string lower(std::string_view name) {
  std::string text(name);
  if (!text.starts_with("L")) text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

// "1.05 M sectors", "0.094 wavefronts".
std::string units_of(const Pipe& pipe, double shown) {
  return fmt::format("{} {}", number_of(shown), pipe.is_wavefronts ? "wavefronts" : "sectors");
}

// The same of one operation: "124 multiply-adds per sector", where it takes less than one.
std::vector<std::string> shares_of(const Pipe& pipe, double shown, const std::string& operations) {
  if (shown >= 1) return {units_of(pipe, shown)};
  const std::string many = number_of(1 / shown), one = pipe.is_wavefronts ? "wavefront" : "sector";
  return {fmt::format("{} {} per {}", many, operations, one), fmt::format("{} per {}", many, one)};
}

// How many times what is needed passes.
std::string times_needed(const Pipe& pipe) {
  return plot::plain(pipe.bytes() / (pipe.bytes() - pipe.wasted()), 2);
}

// The longest of the texts that fits; the last one where none does.
std::string fitting(const std::vector<std::string>& texts, double width, const TextStyle& style,
                    const scene::TextMeasure& measure) {
  for (const std::string& text : texts)
    if (measure.width(text, style) <= width) return text;
  return texts.back();
}

}  // namespace

std::string FlowWords::title() const {
  if (per == FlowOptions::Per::kernel) return "What does the whole kernel move?";
  if (per == FlowOptions::Per::block) return "What does one block move?";
  if (flow.unit == "element") return "Which way does an element take?";
  return fmt::format("Where does {} get its numbers?", with_article(flow.unit));
}

std::string FlowWords::part() const {
  return per == FlowOptions::Per::kernel ? "launch" : per == FlowOptions::Per::block ? "block" : flow.unit;
}

std::string FlowWords::of_what() const { return is_brief(look) ? "/ " + part() : with_article(part()); }

// A round number of bytes, about a third of the thickest pipe.
std::pair<double, std::string> FlowWords::scale_mark(double most_of_a_launch) const {
  const double wanted = shown(most_of_a_launch) / 3;
  if (!(wanted > 0)) return {};
  double round = std::pow(10, std::floor(std::log10(wanted)));
  for (const double times : {5.0, 2.0})
    if (round * times <= wanted) {
      round *= times;
      break;
    }
  std::string text = bytes(round) + (is_brief(look) ? " " + of_what() : " per " + part());
  if (is_brief(look)) return {round, says_unit() ? bytes(round) : text};
  const bool is_of_ladder = per == FlowOptions::Per::operation && flow.widest > 0;
  return {round, is_of_ladder
                     ? text + " at the scale of all steps; the widest pipe is in step " + flow.widest_step
                     : text};
}

std::string FlowWords::unit_words() const {
  if (per == FlowOptions::Per::kernel) return "a pipe is as wide as what passes it";
  if (per == FlowOptions::Per::block) return "width: bytes a block, on average";
  return "width: bytes of " + with_article(flow.unit);
}

std::string FlowWords::subtitle(double width, const scene::TextMeasure& measure) const {
  const auto& plan = run.plan();
  const std::string size = measured::size_words(plan.sizes, plan.problem->size_names());
  const std::string what = unit_words();
  const std::string sample = flow.sampled ? fmt::format(", {} of {} blocks counted", grouped(*flow.sampled),
                                                        grouped(static_cast<std::uint64_t>(flow.blocks)))
                                          : "";
  return fitting({fmt::format("{}, {}, {}{}; {}", plan.spec.title, size, run.device().name, sample, what),
                  fmt::format("{}, {}{}; {}", plan.spec.title, size, sample, what),
                  fmt::format("{}, {}", plan.spec.title, what)},
                 width, caption(), measure);
}

std::vector<LabelLine> FlowWords::label_of(std::size_t index, double width, double height,
                                           const scene::TextMeasure& measure) const {
  const Pipe& pipe = flow.pipes[index];
  const bool is_narrow = flow.narrow == index;
  const Color color = is_narrow ? narrow_color() : Color{Token::text};
  std::vector<LabelLine> lines;
  const auto add = [&](const std::vector<std::string>& texts, const TextStyle& style) {
    const std::string text = fitting(texts, width, style, measure);
    if (measure.width(text, style) <= width) lines.push_back({text, style});
  };
  const TextStyle large = sized(number(color), 18);
  if (is_brief(look)) {  // the headline and the outlines say the rest
    const std::string range =
        pipe.most > 0 ? range_of(shown(pipe.bytes()), shown(pipe.most)) : bytes(shown(pipe.bytes()));
    const std::string whole = is_narrow ? range + " " + of_what() : range;
    if (measure.width(whole, large) <= width) return {{whole, large}};
    add({range}, measure.width(range, large) <= width ? large : sized(large, 14));
    if (is_narrow) add({of_what()}, caption());
    return lines;
  }
  const std::string amount = bytes(shown(pipe.bytes()));
  const std::vector<std::string> amounts =
      pipe.most > 0 ? std::vector{"at least " + amount, "≥ " + amount} : std::vector{amount};
  add(amounts, measure.width(amounts.back(), large) <= width ? large : sized(large, 14));
  if (is_narrow)
    add({has_model()   ? "limits, by the model"
         : knows_all() ? "the bottleneck"
                       : "the narrowest known",
         has_model() ? "limits" : "narrow"},
        caption(color));
  if (pipe.most > 0)
    add({fmt::format("at most {}: {}", bytes(shown(pipe.most)),
                     pipe.id == Pipe::Id::l2_l1 ? "L1 may keep some" : "caches may keep some"),
         fmt::format("at most {}", bytes(shown(pipe.most)))},
        caption());
  else if (pipe.id == Pipe::Id::memory_l2)
    add({"where L2 starts empty", "L2 empty at first"}, caption());
  else if (pipe.units > 0)
    add(shares_of(pipe, shown(pipe.units), flow.units), caption());
  if (pipe.before)
    add({fmt::format("{} in step {}", *pipe.before > 0 ? bytes(shown(*pipe.before)) : "none",
                     before->number)},
        caption(Token::accent));
  // Bytes are not all that takes time there: what the figure of time says of the unit, where that is known.
  if (has_model()) {
    const std::string needs = time(time::seconds_on_sms(payoffs->now) * pipe.busy);
    if (pipe.busy > 0 && !hides_speed) add({needs + " a launch, by the model", "needs " + needs}, caption());
  } else if (pipe.seconds > 0) {
    add({fmt::format("at least {} a launch", time(pipe.seconds)), "at least " + time(pipe.seconds)},
        caption());
  }
  const auto most = static_cast<std::size_t>(std::max(1.0, 1 + std::floor((height - 22) / 17)));
  if (lines.size() > most) lines.resize(most);
  return lines;
}

std::string FlowWords::title_of(const Pipe& pipe) const {
  std::string text = fmt::format("{}: {} to the registers, {} back, in a launch", place_name(flow, pipe.id),
                                 bytes(pipe.down), bytes(pipe.up));
  if (pipe.most > 0) text += fmt::format("\nAt least: each element once. At most {}", bytes(pipe.most));
  if (pipe.units > 0) text += "\n" + units_of(pipe, pipe.units);
  if (pipe.wasted() > 0) text += fmt::format("\n{} more than with the ideal access", bytes(pipe.wasted()));
  if (has_model() && pipe.busy > 0)
    text += fmt::format("\nBusy {} of a launch, by the model", percent(pipe.busy));
  else if (!has_model() && pipe.seconds > 0)
    text += fmt::format("\nAt the device’s rate its bytes alone take {}", time(pipe.seconds));
  if (pipe.id == Pipe::Id::memory_l2) text += "\nThe least is that of an empty L2";
  return text;
}

FlowWords::Named FlowWords::memory() const {
  std::vector<std::string> names;
  double size = 0;
  for (const report::PlacedBuffer& placed : run.buffers) {
    names.push_back(placed.buffer.name);
    size += static_cast<double>(placed.buffer.elements * problem::size_in_bytes(placed.buffer.type));
  }
  std::vector<std::string> notes;
  if (run.device().memory_gb_per_s > 0)
    notes.push_back(plot::si(1e9 * run.device().memory_gb_per_s, 3, " ", "B/s"));
  notes.push_back(fmt::format("{}: {}", fmt::join(names, ", "), bytes(size)));
  return {"Global memory", notes};
}

FlowWords::Named FlowWords::l2() const {
  std::vector<std::string> notes;
  if (run.device().l2_bytes > 0)
    notes.push_back("holds " + bytes(static_cast<double>(run.device().l2_bytes)));
  notes.push_back("what it keeps is not known");
  return {"L2 cache", notes};
}

FlowWords::Named FlowWords::on_chip() const {
  std::vector<std::string> notes;
  if (run.device().sm_count > 0) notes.push_back(fmt::format("of each of {} SMs", run.device().sm_count));
  if (run.report.shared_bytes > 0)
    notes.push_back(fmt::format("{} shared a block", bytes(static_cast<double>(run.report.shared_bytes))));
  return {flow.has_l1 ? "L1, shared memory" : "Shared memory", notes};
}

FlowWords::Named FlowWords::registers() const {
  std::vector<std::string> notes;
  if (run.report.device_registers > 0)
    notes.push_back(fmt::format("{} a thread", run.report.device_registers));
  if (!has_model() && flow.arithmetic_seconds > 0)
    notes.push_back("arithmetic at least " + time(flow.arithmetic_seconds));
  else if (has_model() && flow.arithmetic_busy > 0 && !hides_speed)
    notes.push_back("arithmetic needs " + time(time::seconds_on_sms(payoffs->now) * flow.arithmetic_busy));
  return {"Registers", notes};
}

// The pipe that passes most in vain, where that is worth a word; null where none does.
const Pipe* FlowWords::wasteful() const {
  constexpr double worth_a_word = 0.2;
  const Pipe* most = nullptr;
  for (const Pipe& pipe : flow.pipes)
    if (pipe.wasted() > worth_a_word * pipe.bytes() && (most == nullptr || pipe.wasted() > most->wasted()))
      most = &pipe;
  return most;
}

// The pipe that takes longest is the cost, or one that passes much in vain: what comes behind it, as in L2,
// has no rate that is known.
const Pipe* FlowWords::costly() const {
  if (flow.narrow && flow.pipes[*flow.narrow].id != Pipe::Id::memory_l2) return &flow.pipes[*flow.narrow];
  return wasteful();
}

// L2 has no rate in a data sheet: what passes it may take longer than all that is known.
bool FlowWords::knows_all() const {
  return std::ranges::all_of(flow.pipes, [](const Pipe& pipe) { return pipe.seconds > 0; });
}

explain::Verdict FlowWords::verdict() const {
  return costly() != nullptr             ? explain::Verdict::costly
         : explain::reserve(run).empty() ? explain::Verdict::good
                                         : explain::Verdict::neutral;
}

Color FlowWords::narrow_color() const {
  const bool is_least = flow.narrow && flow.pipes[*flow.narrow].id == Pipe::Id::memory_l2;
  return is_least && costly() != nullptr ? Color{Token::text} : verdict_color(verdict());
}

// What is busiest beside the bottleneck: its name within a sentence; empty where nothing is known of
// others.
FlowWords::Busy FlowWords::busiest_other() const {
  Busy other{"arithmetic", flow.narrow ? flow.arithmetic_seconds : 0};
  for (std::size_t i = 0; i < flow.pipes.size(); ++i)
    if (flow.narrow != i && flow.pipes[i].seconds > other.seconds)
      other = {lower(place_name(flow, flow.pipes[i].id)), flow.pipes[i].seconds, name_of(flow.pipes[i].id)};
  return other.seconds > 0 ? other : Busy{};
}

namespace {

Claim of_launch(std::string words, Quantity quantity, double number, std::string_view of = {}) {
  return explain::claim::of(explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel),
                            std::string(of));
}
Claim of_pipe(std::string words, Quantity quantity, double number, const Pipe& pipe) {
  return of_launch(std::move(words), quantity, number, name_of(pipe.id));
}
Claim times_claim(const Pipe& pipe) {
  return of_pipe(times_needed(pipe), Quantity::times_needed_of_pipe,
                 pipe.bytes() / (pipe.bytes() - pipe.wasted()), pipe);
}
void append(std::string& text, Claims& claims, explain::Said more) {
  text += more.text;
  add(claims, std::move(more.claims));
}

}  // namespace

// "meanwhile arithmetic is busy 25 %".
explain::Said FlowWords::others() const {
  const double longest = flow.narrow ? flow.pipes[*flow.narrow].seconds : flow.arithmetic_seconds;
  const Busy other = busiest_other();
  if (other.name.empty()) return {};
  const double share = other.seconds / longest;
  return say(fmt::format("meanwhile {} is busy {{}}", other.name),
             {of_launch(percent(share), Quantity::busy_of_pipe, share, other.of)});
}

// ": 133 µs of 200 µs measured"; a class reads that below the picture.
explain::Said FlowWords::time_words(double seconds, std::string_view of) const {
  if (is_brief(look)) return {};
  if (recorded_seconds <= seconds)
    return say(": {} a launch at least", {of_launch(time(seconds), Quantity::seconds_of_pipe, seconds, of)});
  explain::Said said = share_words(seconds, of);
  said.text.insert(0, ": ");
  return said;
}

explain::Said FlowWords::share_words(double seconds, std::string_view of) const {
  return say("{} of {} measured",
             {of_launch(time(seconds), Quantity::seconds_of_pipe, seconds, of),
              of_launch(time(recorded_seconds), Quantity::measured_seconds, recorded_seconds)});
}

explain::Explanation FlowWords::step_fix() const {
  if (verdict() != explain::Verdict::costly) return {};
  const explain::Explanation step = explain::that_pays(explain::explain(run), payoffs);
  const bool is_shared = costly()->is_wavefronts;
  const bool of_shared =
      step.rule == explain::RuleId::bank_conflicts || step.rule == explain::RuleId::shared_loads;
  const bool of_global = step.rule == explain::RuleId::sectors || step.rule == explain::RuleId::reads_again;
  if (is_shared ? !of_shared : !of_global) return {};
  explain::Explanation fix;
  fix.fix = step.fix, fix.claims = step.claims;
  explain::drop_unsaid(fix);
  return fix;
}

void FlowWords::say_waste(explain::Explanation& said, const Pipe& waste, const Pipe* narrow) const {
  const std::string name(place_name(flow, waste.id));
  const double wasted = waste.units * waste.wasted() / waste.bytes();
  const Claim times = times_claim(waste),
              few = of_pipe(number_of(wasted), Quantity::wasted_of_pipe, wasted, waste),
              all = of_pipe(units_of(waste, waste.units), Quantity::units_of_pipe, waste.units, waste);
  if (is_brief(look)) {
    append(said.what, said.claims, say(name + " passes {} times what is needed", {times}));
    append(said.why, said.claims, say("{} of {} are wasted", {few, all}));
    return;
  }
  append(said.what, said.claims,
         say(fmt::format("{{}} times as much passes {} as is needed", lower(name)), {times}));
  append(said.why, said.claims, say("{} of {} are more than the ideal", {few, all}));
  if (narrow == nullptr) return;
  append(said.why, said.claims,
         say(fmt::format("; {} is busy {{}}", lower(place_name(flow, narrow->id))),
             {of_pipe(time(narrow->seconds), Quantity::seconds_of_pipe, narrow->seconds, *narrow)}));
}

// Not where most of a launch that was measured is something else: SMs without a block, and waiting.
bool FlowWords::is_mostly_arithmetic() const {
  constexpr double most = 0.6;
  return flow.arithmetic_seconds >= most * recorded_seconds;
}

// Arithmetic takes longer than any pipe whose rate is known: a class hears of the busiest of these.
void FlowWords::say_arithmetic(explain::Explanation& said) const {
  constexpr std::string_view of = "arithmetic";
  const Busy other = busiest_other();
  if (other.name.empty())
    said.what = "arithmetic takes longest of what is known";
  else if (is_brief(look))
    said.what = "arithmetic takes longer than " + other.name;
  else
    said.what = fmt::format("arithmetic takes longer than any memory{}", knows_all() ? "" : " of known rate");
  append(said.what, said.claims, time_words(flow.arithmetic_seconds, of));
  if (!is_mostly_arithmetic()) {
    said.verdict = explain::Verdict::neutral;
    const double unnamed = recorded_seconds - flow.arithmetic_seconds;
    const bool has_idle = !idle_words(run.emulation.blocks_in_grid, run.device().sm_count).empty();
    append(said.why, said.claims,
           say("{} is busy: ",
               {of_launch(time(unnamed) + " of the time no unit here", Quantity::seconds_unnamed, unnamed)}));
    const double sms = run.device().sm_count, blocks = static_cast<double>(run.emulation.blocks_in_grid);
    if (has_idle)
      append(said.why, said.claims,
             say("{}, or ", {of_launch("SMs have no block", Quantity::idle_sms, sms - blocks)}));
    said.why += "warps wait";
    return;
  }
  if (is_brief(look) && recorded_seconds > flow.arithmetic_seconds)
    append(said.why, said.claims, share_words(flow.arithmetic_seconds, of));
}

void FlowWords::say_narrow(explain::Explanation& said, const Pipe& pipe) const {
  said.what = fmt::format("{} is the {}", place_name(flow, pipe.id),
                          knows_all() ? "bottleneck" : "narrowest place known");
  append(said.what, said.claims, time_words(pipe.seconds, name_of(pipe.id)));
  const bool is_measured = is_brief(look) && recorded_seconds > pipe.seconds;
  if (is_measured)
    append(said.why, said.claims, share_words(pipe.seconds, name_of(pipe.id)));
  else if (pipe.id == Pipe::Id::memory_l2)
    append(said.why, said.claims,
           say("{} must pass once, where L2 starts empty",
               {of_pipe(bytes(pipe.bytes()), Quantity::bytes_of_pipe, pipe.bytes(), pipe)}));
  else
    append(said.why, said.claims,
           say(pipe.is_wavefronts ? "{} passes (wavefronts)" : "{} pass it",
               {of_pipe(pipe.is_wavefronts ? number_of(pipe.units) : units_of(pipe, pipe.units),
                        Quantity::units_of_pipe, pipe.units, pipe)}));
  if (wasteful() == &pipe && !is_measured)
    append(said.why, said.claims, say(", {} times as many as needed", {times_claim(pipe)}));
}

// "16 blocks on 132 SMs: 116 idle".
explain::Said FlowWords::idle() const {
  const std::string words = idle_words(run.emulation.blocks_in_grid, run.device().sm_count);
  if (words.empty()) return {};
  const auto blocks = static_cast<double>(run.emulation.blocks_in_grid);
  const double sms = run.device().sm_count;
  const std::size_t on = words.find(" on "), colon = words.find(": ");
  return {words,
          {of_launch(words.substr(0, on), Quantity::blocks, blocks),
           of_launch(words.substr(on + 4, colon - on - 4), Quantity::sms, sms),
           of_launch(words.substr(colon + 2), Quantity::idle_sms, sms - blocks)}};
}

// What limits the kernel by the model of time, which knows what caches keep and how units get in each other's
// way; of the pipes only what passes them. A picture that finds another bottleneck would contradict it.
explain::Explanation FlowWords::by_the_model() const {
  explain::Explanation said = figures::time_words(*run.job, payoffs->now, payoffs).explanation;
  said.rule = explain::RuleId::of_figure;
  const auto seconds = std::ranges::find(said.claims, Quantity::seconds, &Claim::quantity);
  if (hides_speed && seconds != said.claims.end()) {
    said.why.clear();
    explain::drop_unsaid(said);
  }
  explain::Explanation step = wasteful() != nullptr ? step_fix() : explain::Explanation{};
  const bool by_waste = !step.fix.empty();
  if (by_waste) {
    said.fix = std::move(step.fix);
    add(said.claims, std::move(step.claims));
    explain::drop_unsaid(said);
  }
  said.cost = by_waste && wasteful()->is_wavefronts ? explain::CostKind::wavefronts
              : by_waste                            ? explain::CostKind::sectors
                                                    : explain::CostKind::none;
  return explain::without_praise(std::move(said), run);
}

explain::Explanation FlowWords::explanation() const {
  if (run.fault) return {};
  if (has_model()) return by_the_model();
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure, said.verdict = verdict();
  if (!flow.narrow && flow.arithmetic_seconds <= 0) {
    if (flow.pipes.empty()) return {};
    const auto thick = std::ranges::max_element(flow.pipes, {}, &Pipe::bytes);
    said.verdict = explain::Verdict::neutral;
    said.what = fmt::format("the thickest pipe is that of {}", lower(place_name(flow, thick->id)));
    append(said.why, said.claims,
           say("{} has {}: choose a GPU to see the bottleneck",
               {explain::claim::of(explain::claim::name(run.device().name), "device"),
                of_launch("no clock and no memory", Quantity::sms, run.device().sm_count)}));
    return said;
  }
  const Pipe* narrow = flow.narrow ? &flow.pipes[*flow.narrow] : nullptr;
  if (const Pipe* waste = wasteful(); waste != nullptr && costly() == waste && waste != narrow)
    say_waste(said, *waste, narrow);
  else if (narrow == nullptr)
    say_arithmetic(said);
  else
    say_narrow(said, *narrow);
  const auto go_on = [&](explain::Said more) {
    if (more.text.empty()) return;
    said.why += said.why.empty() ? "" : "; ";
    append(said.why, said.claims, std::move(more));
  };
  if (narrow == nullptr || costly() == nullptr || costly() == narrow) go_on(others());
  go_on(idle());
  explain::Explanation step = step_fix();
  said.fix = std::move(step.fix);
  add(said.claims, std::move(step.claims));
  explain::drop_unsaid(said);
  if (costly() != nullptr)
    said.cost = costly()->is_wavefronts ? explain::CostKind::wavefronts : explain::CostKind::sectors;
  return said;
}

}  // namespace warplens::figures
