#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/explain/access_rule.hpp"
#include "engine/explain/around_access.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {
namespace {

bool is_arrival(const Facts& f) {
  return f.access.kind == emulator::AccessKind::async_copy && f.access.space == ptx::Space::shared;
}

bool is_constant(const Facts& f) { return f.access.space == ptx::Space::constant; }

Said lanes_elsewhere(const Facts& f) {
  const int there = std::popcount(f.pieces.elsewhere);
  const Claim lanes = claim::amount(Quantity::lanes_elsewhere, there);
  const Claim verb_ = claim::name(there == 1 ? verb(f) : verb_of_several(f));
  if (f.pieces.units == 0)
    return say("{} {} shared memory of other blocks: {}",
               {lanes, verb_, claim::every("no wavefronts", Quantity::wavefronts, 0)});
  return say("{} {} shared memory of other blocks: {} for the others", {lanes, verb_, units(f)});
}

// ---- idle lanes

Said waiting_lanes(const Facts& f) {
  const double idle = 32 - static_cast<double>(f.working_lanes) / f.working_warps;
  const Claim all = claim::amount(Quantity::warp_lanes, 32, Scope::warp);
  const auto say_here = [&](std::string words, Claims claims) {
    return say(words + (has_rounds_of_other_lanes(f) ? " in this round" : ""), std::move(claims));
  };
  if (!f.is_even)
    return say_here("{} of {} wait {}",
                    {claim::words(fmt::format("{:.3g}", idle), Quantity::mean_idle_lanes, idle, Scope::block),
                     all, claim::average("on average", Quantity::mean_idle_lanes, idle, Scope::block)});
  const Claim waiting = claim::number(Quantity::idle_lanes, idle, Scope::block);
  if (f.block_warps == 1) return say_here("{} of {} wait", {waiting, all});
  if (f.working_warps == f.block_warps)
    return say_here("{} of {} wait in {}",
                    {waiting, all, claim::every("every warp", Quantity::idle_lanes, idle, Scope::block)});
  return say_here("{} of {} wait in {} {} working warps",
                  {waiting, all, claim::every("each of", Quantity::idle_lanes, idle, Scope::block),
                   claim::number(Quantity::warps_at_work, f.working_warps, Scope::block)});
}

Said only_condition(const Facts& f) {
  if (f.condition.empty()) return {};
  const AtWork work = at_work(f);
  const bool is_one = work.lanes == 1;
  return say("{} with {} {} at work here", {claim::every(is_one ? "only the thread" : "only threads",
                                                         Quantity::threads_at_work, work.lanes, Scope::block),
                                            claim::name(f.condition), claim::name(is_one ? "is" : "are")});
}

// One lane of each working warp, and not in a loop.
bool is_said_once(const Facts& f) {
  if (f.lanes != 1 || !f.is_even || f.working_warps < 2 || !is_ideal(f)) return false;
  const trace::Trace& trace = f.story.accesses().trace();
  const auto events = of_warp(f).events;
  return std::ranges::count_if(events, [&](std::uint32_t event) {
           return trace.pc(f.story.accesses().block(), event) == f.access.pc;
         }) == 1;
}

bool is_combined(const Facts& f) {
  return f.lanes > 1 && f.is_broadcast && f.run.kernel->function().code[f.access.pc].combined;
}
Said combined_for(const Facts& f) {
  return say("one lane updates {} for {}", {claim::name(f.array), claim::amount(Quantity::lanes, f.lanes)});
}
Said combined_by_compiler(const Facts&) {
  return say("{} update one element: the compiler combines their values within the warp first",
             {claim::every("all lanes", Quantity::distinct_addresses, 1)});
}

constexpr std::array kLaneRules = {
    AccessRule{RuleId::arrival, Verdict::neutral, is_arrival,
               [](const Facts& f) {
                 return say("{} arrive in {}",
                            {claim::words(fmt::format("{} lanes' copies", f.lanes), Quantity::lanes, f.lanes),
                             claim::name(f.array)});
               },
               [](const Facts&) { return say("cp.async brings them, past the registers"); },
               [](const Facts&) { return say("leave it so: the copy goes past the registers"); }},
    AccessRule{
        RuleId::another_block_of_the_cluster, Verdict::neutral,
        [](const Facts& f) { return f.pieces.elsewhere != 0; }, lanes_elsewhere,
        [](const Facts& f) {
          return say("they use {} of {}",
                     {claim::name(f.array), claim::of(claim::name(f.elsewhere), "cluster")});
        },
        [](const Facts&) { return say("leave it so: they pass the network between SMs instead of banks"); }},
    // What a warp has to say, once: the others have nothing to add.
    AccessRule{RuleId::one_lane_of_each_warp, Verdict::neutral, is_said_once,
               [](const Facts& f) {
                 return say("{} {} {}",
                            {claim::every("one lane of each warp", Quantity::idle_lanes, 31, Scope::block),
                             claim::name(verb(f)), claim::name(f.array)});
               },
               only_condition, nothing},
    // Whichever lanes are at work, one of them goes; in shared memory that is one wavefront.
    AccessRule{RuleId::combined_atomics, Verdict::neutral,
               [](const Facts& f) { return is_shared(f) && is_combined(f); }, combined_for,
               combined_by_compiler, nothing},
    AccessRule{RuleId::combined_atomics, Verdict::costly, is_combined, combined_for, combined_by_compiler,
               [](const Facts&) { return say("add up within the block first, and let one thread update"); }},
    AccessRule{RuleId::lanes_scattered, Verdict::costly,
               [](const Facts& f) { return f.lane_ratio() >= 1.5 && f.lane_ratio() >= f.traffic_ratio(); },
               waiting_lanes,
               [](const Facts& f) {
                 return f.condition.empty() ? say("the lanes at work are scattered over the warps")
                                            : only_condition(f);
               },
               [](const Facts& f) {
                 return others_work(f.run, f.story.accesses().block(), f.access.warp, f.access.active)
                            ? say(kOneWay)
                            : say("let neighbouring threads work: whole warps finish early");
               }},
    // Each lane has a word of its own there, whatever its address: the words of neighbours alternate.
    AccessRule{
        RuleId::local_memory, Verdict::neutral,
        [](const Facts& f) { return f.access.space == ptx::Space::local; },
        [](const Facts& f) {
          return say("{} of local memory for {}", {units(f), claim::amount(Quantity::bytes_asked, f.used)});
        },
        [](const Facts&) { return say("an array of the thread's own lies outside of the registers"); },
        [](const Facts&) { return say("index it by what the compiler knows, or use less of it"); }},
    AccessRule{RuleId::constant_broadcast, Verdict::good,
               [](const Facts& f) { return is_constant(f) && distinct_addresses(f) == 1; },
               [](const Facts& f) {
                 return say("{} of constant memory serves {}",
                            {claim::words("one word", Quantity::distinct_addresses, 1),
                             claim::amount(Quantity::lanes, f.lanes)});
               },
               [](const Facts&) {
                 return say("{} ask for the same one",
                            {claim::every("all lanes", Quantity::distinct_addresses, 1)});
               },
               [](const Facts& f) { return nothing_to_fix(f, "as quick as it gets"); }},
    AccessRule{
        RuleId::constant_turns, Verdict::neutral, is_constant,
        [](const Facts& f) {
          return say("{} of constant memory for {}",
                     {claim::words(fmt::format("{} different words", distinct_addresses(f)),
                                   Quantity::distinct_addresses, distinct_addresses(f)),
                      claim::amount(Quantity::lanes, f.lanes)});
        },
        [](const Facts&) { return say("it gives one after the other, to the lanes that ask for it"); },
        [](const Facts&) {
          return say(
              "let the whole warp ask for the same word; shared memory where lanes need different ones");
        }},
    AccessRule{RuleId::one_lane, Verdict::neutral, [](const Facts& f) { return f.lanes == 1 && is_ideal(f); },
               [](const Facts& f) {
                 return say("{} {} {}", {claim::words("one lane", Quantity::lanes, 1), claim::name(verb(f)),
                                         claim::name(f.array)});
               },
               only_condition, nothing},
};

CostKind cost_of(const Facts& f, Verdict verdict, RuleId rule) {
  if (verdict != Verdict::costly) return CostKind::none;
  if (rule == RuleId::lanes_scattered) return CostKind::idle_lanes;
  if (rule == RuleId::atomics_at_one_address || rule == RuleId::combined_atomics)
    return CostKind::none;  // what pays is predicted: see payoff.hpp
  const bool reads =
      f.access.kind == emulator::AccessKind::load || f.access.kind == emulator::AccessKind::async_copy;
  if (is_shared(f)) return reads ? CostKind::wasted_load_wavefronts : CostKind::wasted_store_wavefronts;
  return reads ? CostKind::wasted_load_sectors : CostKind::wasted_store_sectors;
}

const std::vector<const AccessRule*>& all_rules() {
  static const std::vector<const AccessRule*> rules = [] {
    std::vector<const AccessRule*> all;
    for (const auto table : {lane_rules(), global_rules(), shared_rules()})
      for (const AccessRule& rule : table) all.push_back(&rule);
    return all;
  }();
  return rules;
}

}  // namespace

std::span<const AccessRule> lane_rules() { return kLaneRules; }

std::span<const RuleId> access_rules() {
  static const std::vector<RuleId> ids = [] {
    std::vector<RuleId> all;
    for (const AccessRule* rule : all_rules()) all.push_back(rule->id);
    return all;
  }();
  return ids;
}

bool says(std::string_view text, std::string_view words) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + words.size();
    if (words.empty()) return true;
    const bool cuts_before = at > 0 && is_of_word(text[at - 1]) && is_of_word(words.front());
    const bool cuts_behind = end < text.size() && is_of_word(text[end]) && is_of_word(words.back());
    if (!cuts_before && !cuts_behind) return true;
  }
  return false;
}

void drop_unsaid(Explanation& said) {
  const auto is_said = [&](std::string_view words) {
    return says(said.what, words) || says(said.why, words) || says(said.fix, words);
  };
  const std::string text = said.what + said.why + said.fix;
  // A number alone may stand in the words that took its place, as another one: its unit then does not.
  std::erase_if(said.claims, [&](const Claim& claim) {
    const bool is_digits =
        std::ranges::all_of(claim.shown, [](char c) { return c == ',' || (c >= '0' && c <= '9'); });
    return !is_said(claim.shown) ||
           (is_digits && !claim.unit().empty() && text.find(claim.unit()) == std::string::npos);
  });
}

Explanation explain(const Facts& facts) {
  for (const AccessRule* rule : all_rules()) {
    if (!rule->holds(facts)) continue;
    Explanation said =
        made_of(rule->id, rule->verdict, {rule->what(facts), rule->why(facts), rule->fix(facts)},
                cost_of(facts, rule->verdict, rule->id));
    if (said.cost == CostKind::idle_lanes) said.line = facts.line;
    return said;
  }
  return {};
}

// ---- words of several rules

Claim units(const Facts& f) {
  return claim::amount(is_shared(f) ? Quantity::wavefronts : Quantity::sectors, f.pieces.units);
}

Said least(const Facts& f) {
  const Claim least = is_shared(f) ? claim::words("the least", Quantity::fewest_wavefronts, f.pieces.units)
                                   : claim::words("the least", Quantity::least_sectors, f.pieces.ideal);
  if (!is_shared(f))
    return say("{}: {} for {}", {units(f), least, claim::amount(Quantity::bytes_asked, f.used)});
  const Claim lanes = claim::amount(Quantity::lanes, f.lanes),
              bytes = claim::amount(Quantity::lane_bytes, f.access.width);
  if (!is_least_in_any_order(f)) return say("{} for these {} of {}", {units(f), lanes, bytes});
  return f.access.width <= 4 ? say("{}: {} for {}", {units(f), least, lanes})
                             : say("{}: {} for these {} of {}", {units(f), least, lanes, bytes});
}

Said cost_against_ideal(const Facts& f) {
  return say("{} where {} would do",
             {units(f), claim::number(is_shared(f) ? Quantity::least_wavefronts : Quantity::least_sectors,
                                      f.pieces.ideal)});
}

Claim lane_after(const Facts& f) {
  return of_rows(
      f, claim::every("the next lane", Quantity::distance_bytes, static_cast<double>(f.stride.value_or(0))));
}

Claim of_rows(const Facts& f, Claim claim) {
  return f.row_lanes < 32 ? claim::of(std::move(claim), std::to_string(f.row_lanes)) : claim;
}

Said neighbours(const Facts& f) {
  const std::string_view what = is_shared(f) ? "word" : "element";
  const bool is_before = f.stride.value_or(0) < 0;
  return say("{} {} the {} of {}",
             {lane_after(f), claim::name(verb(f)),
              claim::words(is_before ? fmt::format("previous {}", what) : fmt::format("next {}", what),
                           is_shared(f) ? Quantity::distance_words : Quantity::distance_elements,
                           is_before ? -1 : 1),
              claim::name(f.array)});
}

Said apart(const Facts& f) {
  if (f.walks_down) {
    Claims parts = {claim::name(f.walker),
                    of_rows(f, claim::every("walks down the rows", Quantity::distance_rows, 1)),
                    claim::name(f.array), lane_after(f),
                    of_rows(f, claim::amount(Quantity::distance_bytes, static_cast<double>(*f.stride)))};
    if (f.row_lanes == 32) return say("{} {} of {}: {} is {} away", std::move(parts));
    parts.push_back(claim::amount(Quantity::row_of_lanes, f.row_lanes));
    return say("{} {} of {}: {} is {} away in groups of {}", std::move(parts));
  }
  if (f.stride && f.row_lanes == 32) {
    if (distance(f) % f.element_bytes() != 0 || is_side_by_side(f))
      return say("{} is {} away in {}",
                 {lane_after(f), claim::amount(Quantity::distance_bytes, static_cast<double>(*f.stride)),
                  claim::name(f.array)});
    const auto elements = static_cast<double>(*f.stride / f.element_bytes());
    return say("{} {} {} further {}",
               {lane_after(f), claim::name(verb(f)), claim::amount(Quantity::distance_elements, elements),
                claim::name(elements < 0 ? "back" : "on")});
  }
  if (!is_side_by_side(f)) return {};
  Said said = side_by_side(f);
  said.text += ", the next group elsewhere";
  return said;
}

Said side_by_side(const Facts& f) {
  return say("{} of {} {} {} side by side",
             {of_rows(f, claim::every("each group", Quantity::distance_bytes,
                                      static_cast<double>(f.stride.value_or(0)))),
              claim::amount(Quantity::row_of_lanes, f.row_lanes), claim::name(verb(f)),
              claim::name(is_shared(f) ? "words" : "elements")});
}

Said in_rows(const Facts& f) {
  return say(
      "{} of {} asks for one element of {}",
      {claim::of(claim::every("each group", Quantity::distinct_addresses, 1), std::to_string(f.row_lanes)),
       claim::amount(Quantity::row_of_lanes, f.row_lanes), claim::name(f.array)});
}

Said nothing_to_fix(const Facts& f, std::string_view reason) {
  const OfLine all = of_line(f);
  if (all.units > all.least)
    return say("{}; line {} as a whole takes {} times the least",
               {claim::words("nothing here", Quantity::times_the_least, 1),
                claim::number(Quantity::line, f.line, Scope::line),
                claim::of(claim::words(fmt::format("{:.3g}", all.ratio()), Quantity::times_the_least_of_line,
                                       all.ratio(), Scope::line),
                          f.array)});
  Said said = say(
      "{}",
      {claim::of(claim::every("nothing to fix", Quantity::wasted_of_line, all.units - all.least, Scope::line),
                 f.array)});
  if (!reason.empty()) said.text += fmt::format(": {}", reason);
  return said;
}
Said nothing_to_fix(const Facts& f) { return nothing_to_fix(f, ""); }
Said nothing(const Facts&) { return {}; }

}  // namespace warplens::explain
