#include "engine/explain/reuse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "engine/base/text.hpp"
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

// The rows and columns of C that have elements of a thread, or of a warp, and how many these are.
struct Made {
  std::set<std::int64_t> rows = {}, columns = {};
  std::size_t elements = 0;
  bool is_tile() const {
    return rows.size() > 1 && columns.size() > 1 && elements == rows.size() * columns.size();
  }
  // Of a column of A and a row of B, for a product with each element of the tile.
  double words() const { return static_cast<double>(rows.size() + columns.size()); }
};
template <class Takes>
Made made_by(const Facts& f, Takes takes) {
  Made made;
  for (const auto& owned : f.story.owned((*f.story.product())[2]))
    if (takes(owned.thread))
      made.rows.insert(owned.cell.row), made.columns.insert(owned.cell.column), ++made.elements;
  return made;
}
Made made_by_thread(const Facts& f) {
  const std::uint32_t first =
      f.access.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(f.access.active));
  return made_by(f, [first](std::uint32_t thread) { return thread == first; });
}
Made made_by_warp(const Facts& f) {
  return made_by(f, [warp = f.access.warp](std::uint32_t thread) { return thread / 32 == warp; });
}

// No element that the thread keeps in a register serves more. What it brings for other threads may.
double most_served(const Facts& f, const Made& made) {
  const std::size_t face = face_of(f), rows = made.rows.size(), columns = made.columns.size();
  return static_cast<double>(face == (*f.story.product())[0]   ? columns
                             : face == (*f.story.product())[1] ? rows
                                                               : std::max(rows, columns));
}

// Whether the elements of a thread lie in several places: those of its warp lie between them.
bool is_scattered(const Made& made) {
  return *made.rows.rbegin() - *made.rows.begin() >= std::ssize(made.rows) &&
         *made.columns.rbegin() - *made.columns.begin() >= std::ssize(made.columns);
}
// As high as wide, or nearly: the tile with the fewest words for its products.
bool is_square(const Made& made) {
  const std::size_t rows = made.rows.size(), columns = made.columns.size();
  return made.is_tile() && 2 * std::min(rows, columns) >= std::max(rows, columns);
}

// How an access is served, where nothing but that is to be said of it; those of other rules have a trick of
// their own.
bool is_plain(RuleId rule) {
  using enum RuleId;
  constexpr std::array plain = {a_word_of_each_bank, shared_broadcast, coalesced,
                                global_broadcast,    rows_of_lanes,    rows_of_broadcasts};
  return std::ranges::find(plain, rule) != plain.end();
}

// What the rules ask for.
struct Use {
  const Facts& facts;
  bool is_plain = false, is_wide = false, is_load = false;  // wide: of words that several lanes ask for
  double served = 0, reads = 0;
  bool is_even = false;   // each word is read as often
  Made thread = {};       // of a product
  std::size_t ahead = 0;  // tiles under way while one is multiplied; 0 for an access that brings none
};

Use use_of(const Facts& facts, RuleId rule) {
  Use use{facts, is_plain(rule), rule == RuleId::wide_loads_shared,
          facts.access.kind == emulator::AccessKind::load};
  // That lanes share a word is a point of its own where no product is made of it.
  if (facts.face == nullptr || (!facts.story.product() && rule != RuleId::a_word_of_each_bank)) return use;
  use.reads = facts.pieces.is_shared ? reads_a_word(facts.story, face_of(facts)) : 0;
  const auto traffic = facts.story.traffic(face_of(facts));
  use.is_even = traffic && traffic->is_read_evenly;
  if (!facts.story.product()) return use;
  if (brings_a_tile(facts.access)) {
    const auto flights = overlapping_flights(facts.run, facts.story, facts.access.warp);
    if (!flights.empty()) use.ahead = report::under_way(flights, 0);
  }
  use.thread = made_by_thread(facts);
  const double served = multiply_adds_an_element(facts.run, facts.story, face_of(facts));
  if (served <= 1.05 * most_served(facts, use.thread)) use.served = served;
  return use;
}

struct Rule {
  RuleId id;
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

// "16 words serve 64 multiply-adds": of a column of A and a row of B, those of a thread or of a warp.
Said tile_words(const Use& u, const Made& made, Scope scope, std::string_view sentence) {
  return say(sentence, {claim::of(claim::amount(Quantity::tile_words, made.words(), scope), u.facts.array),
                        claim::words(fmt::format("{} multiply-adds", grouped(made.elements)),
                                     Quantity::tile_elements, static_cast<double>(made.elements), scope)});
}

// A word that a thread reads serves a row or a column of its tile, and nothing else.
bool feeds_whole_tile(const Use& u) {
  const Made& made = u.thread;
  return u.is_load && made.is_tile() &&
         (u.served == static_cast<double>(made.rows.size()) ||
          u.served == static_cast<double>(made.columns.size()));
}

constexpr std::array kRules = {
    Rule{RuleId::tiles_under_way, [](const Use& u) { return u.ahead > 0; },
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
    Rule{RuleId::warp_tile,
         [](const Use& u) {
           return u.is_load && u.facts.pieces.is_shared && feeds_whole_tile(u) && is_scattered(u.thread) &&
                  is_square(made_by_warp(u.facts));
         },
         [](const Use& u) {
           return tile_words(u, made_by_warp(u.facts), Scope::warp, "a warp's {} serve {}");
         },
         [](const Use& u) {
           const Made made = made_by_warp(u.facts);
           return made.rows.size() == made.columns.size()
                      ? say("its elements are a square, which has the fewest words for its products")
                      : say("its elements are nearly a square, which has the fewest words for its products");
         },
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts&) { return std::string("How many multiply-adds do the words of a warp serve?"); }},
    Rule{RuleId::register_tile, [](const Use& u) { return (u.is_plain || u.is_wide) && feeds_whole_tile(u); },
         [](const Use& u) { return tile_words(u, u.thread, Scope::thread, "{} serve {} of a thread"); },
         [](const Use&) { return say("a word serves a row or a column of the thread's elements"); },
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts&) { return std::string("How many multiply-adds do the words of a thread serve?"); }},
    Rule{RuleId::register_reuse,
         [](const Use& u) { return u.is_plain && u.is_load && u.served >= kLeastServed; }, serves_words,
         [](const Use&) { return say("a lane keeps it in a register for its products"); },
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts& f) {
           return fmt::format("How many multiply-adds does {} of {} serve?",
                              f.pieces.is_shared ? "a word" : "an element", f.array);
         }},
    Rule{RuleId::tile_reuse, [](const Use& u) { return u.is_plain && u.is_load && u.reads >= kLeastReads; },
         reads_words,
         [](const Use&) {
           return say("a block takes it from global memory once, and its threads read it in shared memory");
         },
         [](const Use& u) {
           return u.served > 0 && u.served < kLeastServed ? say("keep a tile of sums in registers")
                                                          : nothing_to_fix(u.facts);
         },
         [](const Facts& f) { return fmt::format("How often is a word of {} read?", f.array); }},
    Rule{RuleId::passed_through,
         [](const Use& u) { return u.is_plain && u.is_load && u.is_even && u.reads == 1; },
         [](const Use& u) {
           return say(
               "{} of {} is read once, and passes through",
               {claim::of(claim::every("each word", Quantity::reads_a_word, 1, Scope::block), u.facts.array),
                claim::name(u.facts.array)});
         },
         [](const Use&) { return Said{}; },  // what it saves is not in how often it is read
         [](const Use& u) { return nothing_to_fix(u.facts); },
         [](const Facts& f) { return fmt::format("How often is a word of {} read?", f.array); }},
};

constexpr auto kIds = [] {
  std::array<RuleId, kRules.size()> ids{};
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

std::span<const RuleId> reuse_rules() { return kIds; }

Explanation explain_use(const Facts& facts) { return explain_use(facts, explain(facts)); }

Explanation explain_use(const Facts& facts, Explanation cost) {
  if (cost.verdict == Verdict::costly) return cost;
  if (Explanation about = explain_about(facts); !about.what.empty()) return about;
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
