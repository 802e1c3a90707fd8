#include "engine/explain/reuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "engine/explain/access_rule.hpp"
#include "engine/explain/made_of.hpp"
#include "engine/run/device_needs.hpp"

namespace warplens::explain {

std::size_t face_of(const Facts& facts) {
  return static_cast<std::size_t>(facts.face - facts.story.faces().data());
}

namespace {

// Less is no reuse that a step is for.
constexpr double kLeastServed = 1.5, kLeastReads = 4;

// Multiply-adds of the block: one for each element of C and each column of A. Nothing where it does not read
// the whole rows of A that they need, as where blocks share the depth of a product.
double multiply_adds(const run::Run& run, const report::AccessStory& story) {
  const auto product = story.product();
  if (!product || !run.plan().problem->has_multiply_adds()) return 0;
  const auto [a, b, c] = *product;
  const auto traffic = story.traffic(a);
  const auto& area = story.owned_area(c);
  if (!traffic || !area) return 0;
  const auto depth = static_cast<double>(story.faces()[a].columns);
  const double needed = static_cast<double>(area->second.row - area->first.row + 1) * depth;
  return traffic->loaded + traffic->copied < 0.99 * needed
             ? 0
             : static_cast<double>(story.owned(c).size()) * depth;
}

// Rows and columns of the elements of C that the access's first thread makes: no element that it keeps in a
// register serves more. What it brings for other threads may.
double most_served(const Facts& f) {
  const std::size_t c = (*f.story.product())[2], face = face_of(f);
  const std::uint32_t thread =
      f.access.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(f.access.active));
  std::set<std::int64_t> rows, columns;
  for (const auto& owned : f.story.owned(c))
    if (owned.thread == thread) rows.insert(owned.cell.row), columns.insert(owned.cell.column);
  return static_cast<double>(face == (*f.story.product())[0]   ? columns.size()
                             : face == (*f.story.product())[1] ? rows.size()
                                                               : std::max(rows.size(), columns.size()));
}

// How an access is served, where nothing but that is to be said of it; those of other rules have a trick of
// their own.
bool is_plain(std::string_view rule) {
  constexpr std::array plain = {
      std::string_view("a word of each bank"), std::string_view("shared broadcast"),
      std::string_view("coalesced"),           std::string_view("global broadcast"),
      std::string_view("rows of lanes"),       std::string_view("rows of broadcasts")};
  return std::ranges::find(plain, rule) != plain.end();
}

// What the rules ask for.
struct Use {
  const Facts& facts;
  bool is_plain = false, is_load = false;
  double served = 0, reads = 0;
  bool is_even = false;   // each word is read as often
  std::size_t ahead = 0;  // tiles under way while one is multiplied; 0 for an access that brings none
};

Use use_of(const Facts& facts, std::string_view rule) {
  Use use{facts, is_plain(rule), facts.access.kind == emulator::AccessKind::load};
  if (facts.face == nullptr || !facts.story.product()) return use;
  if (brings_a_tile(facts.access)) {
    const auto flights = overlapping_flights(facts.run, facts.story, facts.access.warp);
    if (!flights.empty()) use.ahead = report::under_way(flights, 0);
  }
  const double served = multiply_adds_an_element(facts.run, facts.story, face_of(facts));
  if (served <= 1.05 * most_served(facts)) use.served = served;
  use.reads = facts.pieces.is_shared ? reads_a_word(facts.story, face_of(facts)) : 0;
  const auto traffic = facts.story.traffic(face_of(facts));
  use.is_even = traffic && traffic->is_read_evenly;
  return use;
}

struct Rule {
  std::string_view id;
  bool (*holds)(const Use&);
  Said (*what)(const Use&);
  Said (*why)(const Use&);
  Said (*fix)(const Use&);
  std::string (*question)(const Facts&);
};

// "an element of B serves 8 multiply-adds"; of a block that counts other numbers of elements and products, on
// average.
Said serves_words(const Use& u) {
  const bool is_whole = u.served == std::round(u.served);
  const Claim served =
      claim::of(is_whole ? claim::amount(Quantity::multiply_adds_an_element, u.served, Scope::thread)
                         : claim::words(fmt::format("{:.3g} multiply-adds", u.served),
                                        Quantity::multiply_adds_an_element, u.served, Scope::thread),
                u.facts.array);
  return say(
      is_whole ? "{} of {} serves {}" : "{} of {} serves {} on average",
      {claim::name(u.facts.pieces.is_shared ? "a word" : "an element"), claim::name(u.facts.array), served});
}

Said reads_words(const Use& u) {
  const Claim times = claim::of(rounded(Quantity::reads_a_word, u.reads, 3, Scope::block), u.facts.array);
  const Claim array = claim::name(u.facts.array);
  if (!u.is_even)
    return say("a word of {} is read {} times {}",
               {array, times,
                claim::of(claim::average("on average", Quantity::reads_a_word, u.reads, Scope::block),
                          u.facts.array)});
  return say(
      "{} of {} is read {} times",
      {claim::of(claim::every("each word", Quantity::reads_a_word, u.reads, Scope::block), u.facts.array),
       array, times});
}

constexpr std::array kRules = {
    Rule{"tiles under way", [](const Use& u) { return u.ahead > 0; },
         [](const Use& u) {
           const auto ahead = static_cast<double>(u.ahead);
           return u.ahead == 1 ? say("the {} travels while this one is multiplied",
                                     {claim::words("next tile", Quantity::tiles_ahead, 1, Scope::warp)})
                               : say("{} travel while one is multiplied",
                                     {claim::amount(Quantity::tiles_ahead, ahead, Scope::warp)});
         },
         [](const Use& u) {
           return u.is_load ? say("its loads come before the multiply-adds, its stores behind them")
                            : say("cp.async brings them, past the registers");
         },
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts&) { return std::string("What happens while a tile is multiplied?"); }},
    Rule{"register reuse", [](const Use& u) { return u.is_plain && u.is_load && u.served >= kLeastServed; },
         serves_words, [](const Use&) { return say("a lane keeps it in a register for its products"); },
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts& f) {
           return fmt::format("How many multiply-adds does {} of {} serve?",
                              f.pieces.is_shared ? "a word" : "an element", f.array);
         }},
    Rule{"tile reuse", [](const Use& u) { return u.is_plain && u.is_load && u.reads >= kLeastReads; },
         reads_words,
         [](const Use&) {
           return say("it comes from global memory once: a tile in shared memory serves the whole block");
         },
         [](const Use& u) {
           return u.served > 0 && u.served < kLeastServed ? say("keep a tile of sums in registers")
                                                          : nothing_to_fix(u.facts);
         },
         [](const Facts& f) { return fmt::format("How often is a word of {} read?", f.array); }},
};

constexpr auto kIds = [] {
  std::array<std::string_view, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

double multiply_adds_an_element(const run::Run& run, const report::AccessStory& story, std::size_t face) {
  const auto traffic = story.traffic(face);
  return traffic && traffic->loaded > 0 ? multiply_adds(run, story) / traffic->loaded : 0;
}

double reads_a_word(const report::AccessStory& story, std::size_t face) {
  const auto traffic = story.traffic(face);
  const double written = traffic ? traffic->stored + traffic->copied : 0;
  return written > 0 ? traffic->loaded / written : 0;
}

std::vector<report::TileFlight> overlapping_flights(const run::Run& run, const report::AccessStory& story,
                                                    std::uint32_t warp) {
  // Plain copies in the place of asynchronous ones are waited for.
  if (!run::replaced_instruction(run.plan().spec.code, run.kernel->function(), run.device()).empty())
    return {};
  const auto& flights = story.flights(warp);
  if (flights.size() < 3 || report::under_way(flights, 0) == 0) return {};
  return flights;
}

bool brings_a_tile(const trace::Access& access) {
  return access.kind == emulator::AccessKind::async_copy ||
         (access.kind == emulator::AccessKind::load && access.space == ptx::Space::global);
}

std::span<const std::string_view> reuse_rules() { return kIds; }

Explanation explain_use(const Facts& facts) { return explain_use(facts, explain(facts)); }

Explanation explain_use(const Facts& facts, Explanation cost) {
  if (cost.verdict == Verdict::costly) return cost;
  const Use use = use_of(facts, cost.rule);
  for (const Rule& rule : kRules)
    if (rule.holds(use))
      return made_of(rule.id, Verdict::good, {rule.what(use), rule.why(use), rule.fix(use)});
  return cost;
}

std::string question_of(const Explanation& said, const Facts& facts) {
  const auto rule = std::ranges::find(kRules, said.rule, &Rule::id);
  return rule == kRules.end() ? "" : rule->question(facts);
}

}  // namespace warplens::explain
