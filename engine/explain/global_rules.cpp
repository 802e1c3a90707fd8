#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>

#include "engine/base/text.hpp"
#include "engine/explain/access_rule.hpp"
#include "engine/explain/around_access.hpp"

namespace warplens::explain {
namespace {

// "half of each", or "12 % of their bytes": of the sectors that are moved.
Claim share_claim(const Facts& f) {
  const bool is_whole = f.used > 0 && f.moved % f.used == 0;
  const int parts = is_whole ? f.moved / f.used : 0;
  const double share = static_cast<double>(f.used) / std::max(f.moved, 1);
  const std::string words = parts == 2    ? "half"
                            : parts == 3  ? "a third"
                            : parts == 4  ? "a quarter"
                            : parts == 8  ? "an eighth"
                            : parts == 16 ? "a sixteenth"
                                          : fmt::format("{:.0f} %", 100 * share);
  const bool is_even = std::ranges::all_of(f.pieces.global.sectors, [&](const analysis::Sector& sector) {
    return std::popcount(sector.used) == std::popcount(f.pieces.global.sectors.front().used);
  });
  return is_even && is_of_sectors(f)
             ? claim::every(words + " of each", Quantity::share_used_of_a_sector, share)
             : claim::words(words + " of their bytes", Quantity::share_used, share);
}

Said share_words(const Facts& f) { return say("{}: {} is used", {units(f), share_claim(f)}); }

// Where half a warp, or a warp, has to start for the fewest sectors.
int start_of(const Facts& f) { return is_by_halves(f) ? 64 : 32; }
Quantity start_quantity(const Facts& f) {
  return is_by_halves(f) ? Quantity::segment_bytes : Quantity::sector_bytes;
}
// Whether the array, and each of its rows, begins where a warp may start: then the index does not.
bool is_array_aligned(const Facts& f) {
  if (f.face == nullptr) return false;
  const auto start = static_cast<std::uint64_t>(start_of(f));
  const bool rows = f.face->fold > 0 || f.face->rows <= 1 ||
                    static_cast<std::uint64_t>(f.face->pitch) * f.face->element_bytes % start == 0;
  return rows && f.face->address % start == 0;
}

Said why_misaligned(const Facts& f) {
  const auto behind = static_cast<double>(first_address(f) % static_cast<std::uint64_t>(start_of(f)));
  if (is_by_halves(f))
    return say("it starts {} behind a multiple of {}, where half a warp has to start",
               {claim::amount(Quantity::start_in_segment, behind),
                claim::number(Quantity::segment_bytes, 64, Scope::device)});
  return say("the warp starts {} into a sector", {claim::amount(Quantity::start_in_sector, behind)});
}

Said fix_of_misaligned(const Facts& f) {
  const Claim start = claim::number(start_quantity(f), start_of(f), Scope::device);
  return is_array_aligned(f)
             ? say("start the warp's index on a multiple of {} bytes: its array does", {start})
             : say("start rows and arrays on multiples of {} bytes: pad them", {start});
}

// Exchanging the indices mends no array where another one is walked along by the same index.
Said fix_of_rows(const Facts& f) {
  if (has_other_side(f)) return say("a tile in shared memory, filled and emptied along rows");
  return say("let {} walk along the row", {claim::name(f.walker)});
}

std::string count_word(std::int64_t count) {
  return count == 2 ? "two" : count == 4 ? "four" : std::to_string(count);
}

Said grids_words(const Facts& f) {
  const auto [turns, apart_] = turns_of(f);
  const std::int64_t grids = grids_apart(f), elements = elements_of_thread(f);
  const Claim read =
      claim::amount(Quantity::elements_of_thread, static_cast<double>(elements), Scope::thread);
  const Claim how_far = claim::words(grids == 1 ? "one grid" : fmt::format("{} grids", grids),
                                     Quantity::grids_apart, static_cast<double>(grids), Scope::thread);
  const std::string_view most = has_last_turn_of_some(f) ? "up to " : "";
  if (elements == turns)
    return say(fmt::format("a thread {{}} {}{{}}, {{}} apart", most), {claim::name(verb(f)), read, how_far});
  return say(fmt::format("a thread {{}} {}{{}} in {{}} turns, {{}} apart", most),
             {claim::name(verb(f)), read,
              claim::number(Quantity::turns, static_cast<double>(turns), Scope::thread), how_far});
}

constexpr std::array kGlobalRules = {
    AccessRule{
        RuleId::rows_of_broadcasts, Verdict::good,
        [](const Facts& f) {
          return !is_shared(f) && is_ideal(f) && f.stride && *f.stride == 0 && f.row_lanes < 32;
        },
        least, in_rows,
        [](const Facts& f) { return nothing_to_fix(f, "lanes with one address are served together"); }},
    AccessRule{RuleId::rows_of_broadcasts_apart, Verdict::neutral,
               [](const Facts& f) {
                 return !is_shared(f) && f.stride && *f.stride == 0 && f.row_lanes < 32 &&
                        f.pieces.units <= 32 / f.row_lanes;
               },
               cost_against_ideal, in_rows, nothing},
    AccessRule{
        RuleId::broadcast_by_halves, Verdict::neutral,
        [](const Facts& f) { return !is_shared(f) && !is_ideal(f) && f.is_broadcast && is_by_halves(f); },
        [](const Facts& f) {
          return say("{} for {}", {units(f), claim::amount(Quantity::lanes, f.lanes)});
        },
        [](const Facts& f) {
          return say("{} want one element of {}: the halves of the warp ask one after the other",
                     {claim::every("all lanes", Quantity::distinct_addresses, 1), claim::name(f.array)});
        },
        nothing},
    // Their number counts each lane, as the device does: it is no matter of where they lie.
    AccessRule{
        RuleId::atomics_at_one_address, Verdict::costly,
        [](const Facts& f) {
          return !is_shared(f) && !is_ideal(f) && f.access.kind == emulator::AccessKind::atomic &&
                 distinct_addresses(f) < f.lanes;
        },
        [](const Facts& f) {
          const int addresses = distinct_addresses(f);
          return say("{} update {} of {}",
                     {claim::amount(Quantity::lanes, f.lanes),
                      claim::words(addresses == 1 ? "one element" : fmt::format("{} elements", addresses),
                                   Quantity::distinct_addresses, addresses),
                      claim::name(f.array)});
        },
        [](const Facts&) { return say("atomics at one address go there one after another"); },
        [](const Facts&) { return say("add up within the warp or block first, and let one thread update"); }},
    AccessRule{RuleId::structure, Verdict::costly,
               [](const Facts& f) { return !is_shared(f) && !is_ideal(f) && is_part_of_structure(f); },
               [](const Facts& f) {
                 return say("{} for {}: {} is used",
                            {units(f), claim::amount(Quantity::bytes_asked, f.used), share_claim(f)});
               },
               [](const Facts& f) {
                 const auto parts = static_cast<double>(distance(f) / f.element_bytes());
                 return say("a structure's {} parts lie side by side",
                            {claim::number(Quantity::parts_of_structure, parts)});
               },
               [](const Facts&) { return say("a structure of arrays, or pass through shared memory"); }},
    AccessRule{RuleId::misaligned, Verdict::costly,
               [](const Facts& f) {
                 return !is_shared(f) && !is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32 &&
                        first_address(f) % static_cast<std::uint64_t>(start_of(f)) != 0;
               },
               [](const Facts& f) {
                 return say("{} for {}: {} would do",
                            {units(f), claim::amount(Quantity::bytes_asked, f.used),
                             claim::number(Quantity::least_sectors, f.pieces.ideal)});
               },
               why_misaligned, fix_of_misaligned},
    AccessRule{RuleId::sector_a_lane, Verdict::costly,
               [](const Facts& f) {
                 return is_of_sectors(f) && !is_ideal(f) && distance(f) >= 32 &&
                        f.used == f.pieces.units * f.access.width;
               },
               [](const Facts& f) {
                 return say("{}: {} times as many as needed",
                            {units(f), claim::words(fmt::format("{:.3g}", f.traffic_ratio()),
                                                    Quantity::times_the_least, f.traffic_ratio())});
               },
               apart,
               [](const Facts& f) {
                 return f.walks_down ? fix_of_rows(f) : say("give neighbouring lanes neighbouring elements");
               }},
    AccessRule{
        RuleId::strided, Verdict::costly,
        [](const Facts& f) {
          return is_of_sectors(f) && !is_ideal(f) && distance(f) > f.access.width && f.row_lanes == 32;
        },
        share_words, apart,
        [](const Facts&) { return say("give lanes neighbours, or read whole rows through shared memory"); }},
    AccessRule{RuleId::too_many_sectors, Verdict::costly,
               [](const Facts& f) { return !is_shared(f) && !is_ideal(f); }, cost_against_ideal, apart,
               nothing},
    AccessRule{RuleId::global_broadcast, Verdict::good,
               [](const Facts& f) { return !is_shared(f) && is_ideal(f) && f.is_broadcast; },
               [](const Facts& f) {
                 return say(f.pieces.units == 1 ? "{} serves {}" : "{} serve {}",
                            {units(f), claim::amount(Quantity::lanes, f.lanes)});
               },
               [](const Facts& f) {
                 return say(
                     "{} ask for the same element of {}",
                     {claim::every("all lanes", Quantity::distinct_addresses, 1), claim::name(f.array)});
               },
               [](const Facts& f) { return nothing_to_fix(f, "a broadcast is free"); }},
    AccessRule{RuleId::global_vectors_in_part, Verdict::neutral,
               [](const Facts& f) {
                 const int computed = words_computed_with(f);
                 return !is_shared(f) && is_ideal(f) && computed > 0 && computed < words_of_load(f);
               },
               [](const Facts& f) {
                 const int all = words_of_load(f), computed = words_computed_with(f);
                 return say("a lane loads {} at once and computes with {}",
                            {claim::amount(Quantity::lane_elements, all),
                             claim::number(Quantity::words_computed_with, computed)});
               },
               [](const Facts& f) {
                 const int unused = words_of_load(f) - words_computed_with(f);
                 return say(unused == 1 ? "one instruction brings {}; {} element of a lane goes on unchanged"
                                        : "one instruction brings {}; {} elements of a lane go on unchanged",
                            {units(f), claim::number(Quantity::words_passed_on, unused)});
               },
               nothing},
    AccessRule{
        RuleId::global_vectors, Verdict::good,
        [](const Facts& f) { return !is_shared(f) && is_ideal(f) && f.access.width > f.element_bytes(); },
        [](const Facts& f) {
          const std::int64_t elements = f.access.width / f.element_bytes();
          return say("{}, one instruction instead of {}",
                     {units(f), claim::words(count_word(elements), Quantity::lane_elements,
                                             static_cast<double>(elements))});
        },
        [](const Facts& f) {
          const auto elements = static_cast<double>(f.access.width / f.element_bytes());
          return say("{} {} {} at once",
                     {claim::every("each lane", Quantity::lane_elements, elements), claim::name(verb(f)),
                      claim::amount(Quantity::lane_elements, elements)});
        },
        nothing_to_fix},
    AccessRule{RuleId::grid_stride, Verdict::good,
               [](const Facts& f) {
                 return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32 &&
                        grids_apart(f) > 0;
               },
               grids_words,
               [](const Facts& f) {
                 Said said = neighbours(f);
                 Said turn = say(", and the next turn is {} further on",
                                 {claim::number(Quantity::elements_apart,
                                                static_cast<double>(turns_of(f).apart), Scope::thread)});
                 said.text += turn.text;
                 std::ranges::move(turn.claims, std::back_inserter(said.claims));
                 return said;
               },
               nothing_to_fix},
    AccessRule{
        RuleId::tile_of_a_thread, Verdict::good, feeds_a_tile,
        [](const Facts& f) {
          const Tile tile = tile_of_thread(f);
          return say(
              "{} serve {} of {} in a thread",
              {claim::amount(Quantity::loads_of_a_turn, static_cast<double>(loads_of_turn(f)), Scope::thread),
               claim::amount(Quantity::tile_elements, static_cast<double>(tile.elements), Scope::thread),
               claim::name(tile.array)});
        },
        [](const Facts& f) {
          const Tile tile = tile_of_thread(f);
          return say(
              "a thread makes {} × {} elements: what it reads serves a row or a column of them",
              {claim::number(Quantity::tile_rows, static_cast<double>(tile.rows), Scope::thread),
               claim::number(Quantity::tile_columns, static_cast<double>(tile.columns), Scope::thread)});
        },
        nothing_to_fix},
    AccessRule{RuleId::coalesced, Verdict::good,
               [](const Facts& f) {
                 return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32;
               },
               [](const Facts& f) {
                 return f.used == f.moved
                            ? say("{}, {} {} used",
                                  {units(f), claim::every("all", Quantity::share_used_of_a_sector, 1),
                                   claim::amount(Quantity::bytes_asked, f.used)})
                            : least(f);
               },
               neighbours, nothing_to_fix},
    AccessRule{
        RuleId::rows_of_lanes, Verdict::good,
        [](const Facts& f) { return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes > 2; },
        [](const Facts& f) {
          const int count = places(f);
          return count > 1 && count <= f.pieces.units && !rows_coincide(f)
                     ? say("{} in {}", {units(f), claim::amount(Quantity::places, count)})
                     : least(f);
        },
        [](const Facts& f) {
          const Claim lanes = claim::amount(Quantity::row_of_lanes, f.row_lanes);
          const double elements = static_cast<double>(f.used) / static_cast<double>(f.element_bytes());
          return rows_coincide(f)
                     ? say("{} of {} {} the same {}",
                           {claim::of(claim::every("each group", Quantity::distinct_addresses, f.row_lanes),
                                      std::to_string(f.row_lanes)),
                            lanes, claim::name(verb(f)),
                            claim::amount(Quantity::distinct_elements, elements)})
                     : side_by_side(f);
        },
        nothing_to_fix},
    AccessRule{RuleId::permuted, Verdict::good,
               [](const Facts& f) { return is_of_sectors(f) && is_ideal(f) && f.used == f.moved; },
               [](const Facts& f) {
                 return say("{} in any order, {} {} used",
                            {units(f), claim::every("all", Quantity::share_used_of_a_sector, 1),
                             claim::amount(Quantity::bytes_asked, f.used)});
               },
               [](const Facts&) { return say("the order within the sectors does not matter"); },
               nothing_to_fix},
};

}  // namespace

std::span<const AccessRule> global_rules() { return kGlobalRules; }

}  // namespace warplens::explain
