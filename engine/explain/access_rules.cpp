#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <set>
#include <span>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/explain/around_access.hpp"
#include "engine/explain/explain.hpp"

namespace warplens::explain {
namespace {

std::string number(std::int64_t value) { return grouped(static_cast<std::uint64_t>(std::abs(value))); }
std::string counted(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", number(count), one, count == 1 ? "" : "s");
}
// "A third of", "an eighth of", or "12 % of" what is moved is used.
std::string share_words(int used, int moved) {
  if (used == 0 || moved % used != 0)
    return fmt::format("{} % of", (100 * used + moved / 2) / std::max(moved, 1));
  switch (moved / used) {
    case 2:
      return "half of";
    case 3:
      return "a third of";
    case 4:
      return "a quarter of";
    case 8:
      return "an eighth of";
    case 16:
      return "a sixteenth of";
    default:
      return fmt::format("1/{} of", moved / used);
  }
}

bool is_shared(const Facts& f) { return f.pieces.is_shared; }
bool is_arrival(const Facts& f) {
  return f.access.kind == emulator::AccessKind::async_copy && f.access.space == ptx::Space::shared;
}
bool is_staged(const Facts& f) { return staging_of(f).is_worth_it(); }
bool is_ideal(const Facts& f) { return f.pieces.units <= f.pieces.ideal; }
// On 1.x each half of a warp is served by itself.
bool is_by_halves(const Facts& f) {
  const device::GlobalRule rule = f.run.device().global_rule;
  return rule == device::GlobalRule::half_warp_strict || rule == device::GlobalRule::half_warp_segments;
}
std::string unit(const Facts& f, std::int64_t count) {
  return counted(count, is_shared(f) ? "wavefront" : "sector");
}
bool is_of_sectors(const Facts& f) {
  return !is_shared(f) && f.run.device().global_rule == device::GlobalRule::sectors_32;
}
std::int64_t distance(const Facts& f) { return f.stride ? std::abs(*f.stride) : 0; }
// Lanes side by side: in one row, or in rows of several lanes.
bool is_side_by_side(const Facts& f) { return distance(f) == f.access.width; }
bool rows_coincide(const Facts& f) { return f.used == f.row_lanes * f.access.width; }
std::uint64_t first_address(const Facts& f) {
  std::uint64_t first = ~std::uint64_t{0};
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (f.access.active >> lane & 1) first = std::min(first, f.access.address[lane]);
  return first;
}

// "2 wavefronts: the least for 32 lanes of 16 bytes": else a class cannot tell whether that is good.
std::string least(const Facts& f) {
  return fmt::format("{}: the least for {}{}", unit(f, f.pieces.units), counted(f.lanes, "lane"),
                     is_shared(f) && f.access.width > 4 ? fmt::format(" of {} bytes", f.access.width) : "");
}

std::string cost_against_ideal(const Facts& f) {
  return fmt::format("{} where {} would do", unit(f, f.pieces.units), number(f.pieces.ideal));
}

// "lane + 1 is 2,048 bytes away: threadIdx.x walks down the rows of A"
std::string apart(const Facts& f) {
  if (f.walks_down)
    return fmt::format("{} walks down the rows of {}: lane + 1 is {} bytes away", f.walker, f.array,
                       number(*f.stride));
  if (f.stride && f.row_lanes == 32)
    return distance(f) % f.element_bytes() == 0 && distance(f) != f.access.width
               ? fmt::format("lane + 1 {} {} elements further on", verb(f),
                             number(distance(f) / f.element_bytes()))
               : fmt::format("lane + 1 is {} bytes away in {}", number(distance(f)), f.array);
  if (is_side_by_side(f)) return fmt::format("only rows of {} lanes lie side by side", f.row_lanes);
  return "";
}

// How many words a row of the array in shared memory has, and 0 where that is not known.
std::int64_t row_words(const Facts& f) {
  return f.face == nullptr || !f.face->is_shared || f.face->shared_rows == report::SharedArray::Rows::banks
             ? 0
             : f.face->fold;
}
int most_words_of_a_bank(const Facts& f) {
  std::size_t most = 0;
  for (int phase = 0; phase < f.pieces.shared.phases; ++phase)
    for (const analysis::Bank& bank : analysis::bank_map(f.pieces.shared, phase))
      most = std::max(most, bank.words.size());
  return static_cast<int>(most);
}

// Whether the next accesses of the same warp take the elements between: parts of one structure.
bool is_part_of_structure(const Facts& f) {
  const std::int64_t parts = distance(f) / f.element_bytes();
  if (parts < 2 || parts > 4 || f.row_lanes != 32) return false;
  const auto& trace = f.story.accesses().trace();
  std::set<std::int64_t> seen;
  for (std::size_t w = f.story.accesses().block(), event = 0; event < trace.blocks()[w].events && event < 64;
       ++event) {
    if (trace.warp(w, static_cast<std::uint32_t>(event)) != f.access.warp) continue;
    const trace::Access other = trace.access(w, static_cast<std::uint32_t>(event));
    if (other.kind != f.access.kind || other.active != f.access.active || other.active == 0) continue;
    const auto lane = static_cast<std::size_t>(std::countr_zero(other.active));
    const auto away = static_cast<std::int64_t>(other.address[lane] - f.access.address[lane]);
    if (std::abs(away) < distance(f)) seen.insert(away);
  }
  return seen.size() >= 2;
}

// 32 lanes that read one word of each of 32 rows, all of them in other columns: a column of what the array
// stands for lies on its rows as a permutation, and no word is left over for padding.
bool is_swizzled(const Facts& f) {
  const bool is_regular = row_words(f) == 0 && f.stride && f.row_lanes == 32;
  if (f.lanes != 32 || f.access.width != 4 || row_words(f) % 32 != 0 || is_regular) return false;
  const auto row = static_cast<std::uint64_t>(std::max<std::int64_t>(row_words(f), 32));
  std::set<std::uint64_t> rows, columns;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t word = f.access.address[lane] / 4;
    rows.insert(word / row), columns.insert(word % row);
  }
  return rows.size() == 32 && columns.size() == 32;
}

// ---- reductions

const report::ReductionTree* tree_of(const Facts& f) {
  const auto& trees = f.run.trees;
  const std::size_t block = f.story.accesses().block();
  return block < trees.size() ? trees[block].get() : nullptr;
}
bool is_free_load(const Facts& f) {
  return is_shared(f) && is_ideal(f) && f.access.kind == emulator::AccessKind::load;
}
// Warps of the block that make this access, and their lanes.
struct AtWork {
  int warps = 0, lanes = 0;
};
AtWork at_work(const Facts& f) {
  AtWork all;
  const auto here = static_cast<std::uint32_t>(of_warp(f).here);
  for (const trace::Access& each : f.story.accesses().together(f.access.warp, here)) {
    all.warps += each.active != 0 ? 1 : 0;
    all.lanes += std::popcount(each.active);
  }
  return all;
}
// Shuffles that follow an access by which a warp of a reduction gets what it passes on.
std::ptrdiff_t shuffles_behind(const Facts& f) {
  const report::ReductionTree* tree = tree_of(f);
  if (tree == nullptr) return 0;
  const auto next = std::ranges::find_if(
      tree->rounds, [&](const auto& round) { return !round.pcs.empty() && round.pcs.front() > f.access.pc; });
  if (next == tree->rounds.end() || !next->is_shuffle) return 0;
  return std::ranges::count_if(tree->rounds, &report::ReductionTree::Round::is_shuffle);
}

// ---- tiles

// What the thread of lane 0 writes of a matrix, where that is a tile of several rows and columns.
struct Tile {
  std::string array;
  std::size_t rows = 0, columns = 0, elements = 0;
};
Tile tile_of_thread(const Facts& f) {
  const auto& faces = f.story.faces();
  for (std::size_t face = 0; face < faces.size(); ++face) {
    std::set<std::int64_t> rows, columns;
    std::set<std::uint64_t> elements;
    for (const auto& owned : f.story.owned(face))
      if (owned.thread == f.access.warp * 32)
        rows.insert(owned.cell.row), columns.insert(owned.cell.column), elements.insert(owned.element);
    if (rows.size() > 1 && columns.size() > 1 && faces[face].fold == 0)
      return {faces[face].name, rows.size(), columns.size(), elements.size()};
  }
  return {};
}
// Loads of global memory in a turn of the loop that this one is in; 0 where there is no other turn.
std::int64_t loads_of_turn(const Facts& f) {
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  const auto [events, here] = of_warp(f);
  std::int64_t loads = 0;
  for (std::size_t e = here; e < events.size() && e < here + 256; ++e) {
    if (e > here && trace.pc(block, events[e]) == f.access.pc) return loads;
    loads += trace.space(block, events[e]) == ptx::Space::global ? 1 : 0;
  }
  return 0;
}
// Of kernels that bring nothing into shared memory first.
bool feeds_a_tile(const Facts& f) {
  const auto& faces = f.story.faces();
  return !is_shared(f) && is_ideal(f) && f.access.kind == emulator::AccessKind::load && f.lanes == 32 &&
         std::ranges::none_of(faces, &report::Face::is_shared) && loads_of_turn(f) > 0 &&
         static_cast<std::int64_t>(tile_of_thread(f).elements) > loads_of_turn(f);
}

struct Rule {
  std::string_view id;
  Verdict verdict;
  bool (*holds)(const Facts&);
  std::string (*what)(const Facts&);
  std::string (*why)(const Facts&);
  std::string (*fix)(const Facts&);
};

std::string nothing(const Facts&) { return ""; }
std::string nothing_to_fix(const Facts&) { return "nothing to fix"; }

constexpr std::string_view kScattered = "lanes scattered";

// The order matters: the first that holds is said. Worst first, so that what is good is said of accesses that
// waste nothing at all.
constexpr std::array kRules = {
    Rule{"arrival", Verdict::neutral, is_arrival,
         [](const Facts& f) { return fmt::format("{} lanes' copies arrive in {}", f.lanes, f.array); },
         [](const Facts&) { return std::string("cp.async brings them while warps compute"); },
         [](const Facts&) { return std::string("nothing to fix: the copy needs no register on its way"); }},
    Rule{"another block of the cluster", Verdict::neutral,
         [](const Facts& f) { return f.pieces.elsewhere != 0; },
         [](const Facts& f) {
           const int there = std::popcount(f.pieces.elsewhere);
           return fmt::format(
               "{} {} shared memory of other blocks: {}", counted(there, "lane"),
               there == 1 ? verb(f) : verb_of_several(f),
               f.pieces.units == 0 ? "no wavefronts" : unit(f, f.pieces.units) + " for the others");
         },
         [](const Facts& f) { return fmt::format("they use {} of {}", f.array, f.elsewhere); },
         [](const Facts&) {
           return std::string("nothing to fix: the network between SMs serves them, and has no banks");
         }},
    // ---- idle lanes
    Rule{kScattered, Verdict::costly,
         [](const Facts& f) { return f.lane_ratio() >= 1.5 && f.lane_ratio() >= f.traffic_ratio(); },
         [](const Facts& f) {
           const int idle = 32 - f.working_lanes / f.working_warps;
           return f.block_warps == 1
                      ? fmt::format("{} of 32 lanes wait", idle)
                      : fmt::format("{} of 32 lanes wait in {} warp", idle,
                                    f.working_warps == f.block_warps
                                        ? "every"
                                        : fmt::format("each of {}", f.working_warps) + " working");
         },
         [](const Facts& f) {
           return f.condition.empty() ? std::string("the lanes at work are scattered over the warps")
                                      : fmt::format("only threads with {} are at work here", f.condition);
         },
         [](const Facts&) { return std::string("let neighbouring threads work: whole warps finish early"); }},
    // ---- global memory
    Rule{"rows of broadcasts", Verdict::good,
         [](const Facts& f) {
           return !is_shared(f) && is_ideal(f) && f.stride && *f.stride == 0 && f.row_lanes < 32;
         },
         least,
         [](const Facts& f) {
           return fmt::format("each row of {} lanes asks for one element of {}", f.row_lanes, f.array);
         },
         [](const Facts&) { return std::string("nothing to fix: a broadcast is free"); }},
    Rule{"rows of broadcasts apart", Verdict::neutral,
         [](const Facts& f) {
           return !is_shared(f) && f.stride && *f.stride == 0 && f.row_lanes < 32 &&
                  f.pieces.units <= 32 / f.row_lanes;
         },
         cost_against_ideal,
         [](const Facts& f) {
           return fmt::format("each row of {} lanes asks for one element of {}", f.row_lanes, f.array);
         },
         nothing},
    Rule{"broadcast by halves", Verdict::neutral,
         [](const Facts& f) { return !is_shared(f) && !is_ideal(f) && f.is_broadcast && is_by_halves(f); },
         [](const Facts& f) { return fmt::format("{} for {} lanes", unit(f, f.pieces.units), f.lanes); },
         [](const Facts& f) {
           return fmt::format("all lanes want one element of {}: each half of the warp asks for it", f.array);
         },
         nothing},
    Rule{"structure", Verdict::costly,
         [](const Facts& f) { return !is_shared(f) && !is_ideal(f) && is_part_of_structure(f); },
         [](const Facts& f) {
           return fmt::format("{} for {} bytes: {} each is used", unit(f, f.pieces.units), number(f.used),
                              share_words(f.used, f.moved));
         },
         [](const Facts& f) {
           return fmt::format("a point's {} parts lie side by side", number(distance(f) / f.element_bytes()));
         },
         [](const Facts&) { return std::string("a structure of arrays, or pass through shared memory"); }},
    Rule{"misaligned", Verdict::costly,
         [](const Facts& f) {
           return !is_shared(f) && !is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32 &&
                  first_address(f) % (is_by_halves(f) ? 64 : 32) != 0;
         },
         [](const Facts& f) {
           return fmt::format("{} for {} bytes: {} would do", unit(f, f.pieces.units), number(f.used),
                              number(f.pieces.ideal));
         },
         [](const Facts& f) {
           return is_by_halves(f)
                      ? fmt::format(
                            "it starts {} bytes behind a multiple of 64, where half a warp has to start",
                            first_address(f) % 64)
                      : fmt::format("the warp starts {} bytes into a sector", first_address(f) % 32);
         },
         [](const Facts& f) {
           return fmt::format("start rows and arrays on multiples of {} bytes: pad them",
                              is_by_halves(f) ? 64 : 32);
         }},
    Rule{"sector a lane", Verdict::costly,
         [](const Facts& f) {
           return is_of_sectors(f) && !is_ideal(f) && distance(f) >= 32 &&
                  f.used == f.pieces.units * f.access.width;
         },
         [](const Facts& f) {
           return fmt::format("{}: {:.3g} times too much traffic", unit(f, f.pieces.units),
                              f.traffic_ratio());
         },
         apart,
         [](const Facts& f) {
           return f.walks_down ? fmt::format("let {} walk along the row", f.walker)
                               : std::string("give neighbouring lanes neighbouring elements");
         }},
    Rule{"strided", Verdict::costly,
         [](const Facts& f) {
           return is_of_sectors(f) && !is_ideal(f) && distance(f) > f.access.width && f.row_lanes == 32;
         },
         [](const Facts& f) {
           return fmt::format("{}: {} each is used", unit(f, f.pieces.units), share_words(f.used, f.moved));
         },
         apart,
         [](const Facts&) {
           return std::string("give lanes neighbours, or read whole rows through shared memory");
         }},
    Rule{"too many sectors", Verdict::costly, [](const Facts& f) { return !is_shared(f) && !is_ideal(f); },
         cost_against_ideal, apart, nothing},
    Rule{"one lane", Verdict::neutral, [](const Facts& f) { return f.lanes == 1 && is_ideal(f); },
         [](const Facts& f) { return fmt::format("one lane {} {}", verb(f), f.array); },
         [](const Facts& f) {
           return f.condition.empty() ? ""
                                      : fmt::format("only the thread with {} is at work here", f.condition);
         },
         nothing},
    Rule{"global broadcast", Verdict::good,
         [](const Facts& f) { return !is_shared(f) && is_ideal(f) && f.is_broadcast; },
         [](const Facts& f) { return fmt::format("1 sector serves {} lanes", f.lanes); },
         [](const Facts& f) { return fmt::format("all lanes ask for the same element of {}", f.array); },
         [](const Facts&) { return std::string("nothing to fix: a broadcast is free"); }},
    Rule{"global vectors", Verdict::good,
         [](const Facts& f) { return !is_shared(f) && is_ideal(f) && f.access.width > f.element_bytes(); },
         [](const Facts& f) {
           return fmt::format("{}, one instruction instead of {}", unit(f, f.pieces.units),
                              f.access.width == 4 * f.element_bytes()   ? "four"
                              : f.access.width == 2 * f.element_bytes() ? "two"
                                                                        : "more");
         },
         [](const Facts& f) {
           return fmt::format("each lane {} {} elements at once", verb(f),
                              f.access.width / f.element_bytes());
         },
         nothing_to_fix},
    Rule{"grid stride", Verdict::good,
         [](const Facts& f) {
           return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32 &&
                  grids_apart(f) > 0;
         },
         [](const Facts& f) {
           const std::int64_t grids = grids_apart(f);
           return fmt::format("a thread {} {} elements, {} apart", verb(f), number(turns_of(f).count),
                              grids == 1 ? "one grid" : fmt::format("{} grids", grids));
         },
         [](const Facts& f) {
           return fmt::format("lane + 1 {} the next element of {}, and the next turn is {} further on",
                              verb(f), f.array, number(turns_of(f).apart));
         },
         nothing_to_fix},
    Rule{"tile of a thread", Verdict::good, feeds_a_tile,
         [](const Facts& f) {
           const Tile tile = tile_of_thread(f);
           return fmt::format("{} loads serve {} elements of {} in each thread", number(loads_of_turn(f)),
                              tile.elements, tile.array);
         },
         [](const Facts& f) {
           const Tile tile = tile_of_thread(f);
           return fmt::format(
               "a thread makes {} × {} elements: what it reads serves a row or a column of them", tile.rows,
               tile.columns);
         },
         nothing_to_fix},
    Rule{"coalesced", Verdict::good,
         [](const Facts& f) {
           return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes == 32;
         },
         [](const Facts& f) {
           return f.used == f.moved
                      ? fmt::format("{}, all {} bytes used", unit(f, f.pieces.units), number(f.used))
                      : least(f);
         },
         [](const Facts& f) { return fmt::format("lane + 1 {} the next element of {}", verb(f), f.array); },
         nothing_to_fix},
    Rule{"rows of lanes", Verdict::good,
         [](const Facts& f) { return !is_shared(f) && is_ideal(f) && is_side_by_side(f) && f.row_lanes > 2; },
         [](const Facts& f) {
           const int rows = (f.lanes + f.row_lanes - 1) / f.row_lanes;
           return rows <= f.pieces.units && !rows_coincide(f)
                      ? fmt::format("{} in {} places", unit(f, f.pieces.units), rows)
                      : least(f);
         },
         [](const Facts& f) {
           return rows_coincide(f) ? fmt::format("each row of {} lanes {} the same {} elements", f.row_lanes,
                                                 verb(f), f.row_lanes)
                                   : fmt::format("each row of {} lanes lies side by side", f.row_lanes);
         },
         nothing_to_fix},
    Rule{"permuted", Verdict::good,
         [](const Facts& f) { return is_of_sectors(f) && is_ideal(f) && f.used == f.moved; },
         [](const Facts& f) {
           return fmt::format("{} in any order, all {} bytes used", unit(f, f.pieces.units), number(f.used));
         },
         [](const Facts&) { return std::string("the order within the sectors does not matter"); },
         nothing_to_fix},
    // ---- shared memory
    Rule{"column in one bank", Verdict::costly,
         [](const Facts& f) { return is_shared(f) && !is_ideal(f) && f.walks_down && row_words(f) > 0; },
         cost_against_ideal,
         [](const Facts& f) {
           return fmt::format("{} lanes of a column share a bank: rows of {} are {} words long",
                              most_words_of_a_bank(f), f.array, row_words(f));
         },
         [](const Facts&) { return std::string("one word of padding a row, or a swizzle"); }},
    Rule{"bank stride", Verdict::costly,
         [](const Facts& f) { return is_shared(f) && !is_ideal(f) && distance(f) > f.access.width; },
         cost_against_ideal,
         [](const Facts& f) {
           return fmt::format("{} lanes share a bank: lane + 1 is {} words further on",
                              most_words_of_a_bank(f), number(distance(f) / 4));
         },
         [](const Facts&) {
           return std::string("give neighbouring lanes neighbouring words, or pad the rows");
         }},
    Rule{"bank conflict", Verdict::costly, [](const Facts& f) { return is_shared(f) && !is_ideal(f); },
         cost_against_ideal,
         [](const Facts& f) {
           return most_words_of_a_bank(f) > 1 ? fmt::format("lanes ask one bank for {} different words of {}",
                                                            most_words_of_a_bank(f), f.array)
                                              : "";
         },
         nothing},
    Rule{"before shuffles", Verdict::good,
         [](const Facts& f) { return is_free_load(f) && shuffles_behind(f) > 0; },
         [](const Facts& f) { return fmt::format("{} rounds by shuffles: no barrier", shuffles_behind(f)); },
         [](const Facts& f) {
           return fmt::format("lanes add each other's registers: {} is read no more", f.array);
         },
         nothing_to_fix},
    Rule{"lanes at the front", Verdict::good,
         [](const Facts& f) {
           return is_free_load(f) && tree_of(f) != nullptr && !f.condition.empty() &&
                  at_work(f).warps < f.block_warps;
         },
         [](const Facts& f) {
           return fmt::format("{} of {} warps are done", f.block_warps - at_work(f).warps, f.block_warps);
         },
         [](const Facts& f) {
           return fmt::format("the first {} threads add the rest, without bank conflicts", at_work(f).lanes);
         },
         [](const Facts&) { return std::string("nothing lost: idle warps cost nothing"); }},
    Rule{"shared broadcast", Verdict::good,
         [](const Facts& f) { return is_shared(f) && is_ideal(f) && f.is_broadcast; },
         [](const Facts& f) {
           return f.pieces.units == 1 ? fmt::format("1 wavefront serves {} lanes", f.lanes) : least(f);
         },
         [](const Facts& f) {
           return fmt::format("all lanes want the same {} of {}",
                              f.access.width > 4 ? fmt::format("{} bytes", f.access.width) : "word", f.array);
         },
         [](const Facts& f) {
           return std::string(f.pieces.units == 1 ? "nothing to fix: a broadcast is free"
                                                  : "nothing to fix: as quick as it gets");
         }},
    Rule{"padded column", Verdict::good,
         [](const Facts& f) { return is_shared(f) && is_ideal(f) && f.walks_down && row_words(f) % 2 == 1; },
         [](const Facts& f) {
           return fmt::format("{}: the column walks through all banks", unit(f, f.pieces.units));
         },
         [](const Facts& f) {
           return fmt::format("{} words a row: each row starts one bank further on", row_words(f));
         },
         [](const Facts&) { return std::string("nothing to fix: that is the padding at work"); }},
    Rule{"swizzled column", Verdict::good,
         [](const Facts& f) { return is_shared(f) && is_ideal(f) && is_swizzled(f); },
         [](const Facts& f) { return fmt::format("{}: a column meets all banks", unit(f, f.pieces.units)); },
         [](const Facts& f) { return fmt::format("each row of {} is permuted in its own way", f.array); },
         [](const Facts&) {
           return std::string("nothing to fix: a swizzle needs no unused word of padding");
         }},
    Rule{"staged", Verdict::good, is_staged,
         [](const Facts& f) {
           const Staging staging = staging_of(f);
           return fmt::format("{}, not {}: lanes take {} from shared memory",
                              counted(staging.least, "sector"), staging.apart,
                              distance(f) == 2 * f.access.width ? "every other word"
                              : distance(f) == 3 * f.access.width
                                  ? "every third word"
                                  : fmt::format("words {} apart", distance(f) / 4));
         },
         [](const Facts& f) {
           return fmt::format("warps copy in order through {}; lane + 1 reads {} words further on there",
                              f.array, distance(f) / 4);
         },
         [](const Facts&) { return std::string("nothing to fix: that is what staging is for"); }},
    Rule{"wide loads shared", Verdict::good,
         [](const Facts& f) {
           return is_shared(f) && is_ideal(f) && f.access.width == 16 && f.lanes == 32 && f.pieces.units < 4;
         },
         [](const Facts& f) { return fmt::format("{} instead of 4", unit(f, f.pieces.units)); },
         [](const Facts&) { return std::string("several lanes ask for the same 16 bytes"); },
         [](const Facts&) { return std::string("nothing to fix: as quick as it gets"); }},
    Rule{"wide loads", Verdict::good,
         [](const Facts& f) {
           return is_shared(f) && is_ideal(f) && f.access.width == 16 && f.pieces.units == 4;
         },
         [](const Facts& f) {
           return fmt::format("4 wavefronts: the least for {} bytes", f.lanes * f.access.width);
         },
         [](const Facts& f) {
           return fmt::format("every lane {} 16 bytes of its own, 128 bytes a cycle", verb(f));
         },
         [](const Facts&) { return std::string("nothing to fix: no lane waits for a bank"); }},
    Rule{"a word of each bank", Verdict::good, [](const Facts& f) { return is_shared(f) && is_ideal(f); },
         least,
         [](const Facts& f) {
           return is_side_by_side(f) && f.row_lanes == 32
                      ? fmt::format("lane + 1 {} the next word of {}, in the next bank", verb(f), f.array)
                      : std::string("no two lanes ask one bank for different words");
         },
         nothing_to_fix},
};

CostKind cost_of(const Facts& f, Verdict verdict, std::string_view rule) {
  if (verdict != Verdict::costly) return CostKind::none;
  if (rule == kScattered) return CostKind::idle_lanes;
  const bool reads =
      f.access.kind == emulator::AccessKind::load || f.access.kind == emulator::AccessKind::async_copy;
  if (is_shared(f)) return reads ? CostKind::wasted_load_wavefronts : CostKind::wasted_store_wavefronts;
  return reads ? CostKind::wasted_load_sectors : CostKind::wasted_store_sectors;
}

constexpr auto kIds = [] {
  std::array<std::string_view, kRules.size()> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kRules[i].id;
  return ids;
}();

}  // namespace

std::span<const std::string_view> access_rules() { return kIds; }

Explanation explain(const Facts& facts) {
  for (const Rule& rule : kRules)
    if (rule.holds(facts))
      return {rule.id,         rule.verdict,    rule.what(facts),
              rule.why(facts), rule.fix(facts), cost_of(facts, rule.verdict, rule.id)};
  return {};
}

}  // namespace warplens::explain
