// Of the block at an access, and of what its warp does around it.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/report/tile_flights.hpp"

namespace warplens::claims_check {
namespace {

using emulator::AccessKind, explain::Quantity, explain::Scope;
using trace::Access;

const trace::Trace& trace_of(const Subject& s) { return *s.run.trace; }

// The accesses of the block's warps that are this one's: the same instruction, as often before.
std::vector<Access> together(const Subject& s, const Access& access) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_warp;
  for (const std::uint32_t event : trace_of(s).find(s.place.block, {.pc = access.pc}))
    by_warp[trace_of(s).warp(s.place.block, event)].push_back(event);
  const auto& own = by_warp[access.warp];
  const auto turn = static_cast<std::size_t>(std::ranges::find(own, access.event) - own.begin());
  std::vector<Access> found;
  for (const auto& [warp, events] : by_warp)
    if (turn < events.size()) found.push_back(trace_of(s).access(s.place.block, events[turn]));
  std::erase_if(found, [](const Access& each) { return each.active == 0; });
  return found;
}

using OfBlock = Measured (*)(const Subject&, const Access&, const std::vector<Access>&);
template <OfBlock measure>
Measured with_block(const Subject& s) {
  const auto access = access_of(s);
  return access ? measure(s, *access, together(s, *access)) : std::nullopt;
}

double lanes_of(const Access& access) { return std::popcount(access.active); }
double warps_of_block(const Subject& s) {
  const auto& block = s.run.plan().launch.block;
  return std::ceil(static_cast<double>(block[0]) * block[1] * block[2] / 32);
}
Measured idle_lanes(const Subject&, const Access&, const std::vector<Access>& all) {
  std::vector<double> idle;
  for (const Access& each : all) idle.push_back(32 - lanes_of(each));
  return over(idle);
}
Measured warps_at_work(const Subject&, const Access&, const std::vector<Access>& all) {
  return one(static_cast<double>(all.size()));
}
Measured warps_done(const Subject& s, const Access&, const std::vector<Access>& all) {
  return one(warps_of_block(s) - static_cast<double>(all.size()));
}
Measured block_warps(const Subject& s, const Access&, const std::vector<Access>&) {
  return one(warps_of_block(s));
}
Measured threads_at_work(const Subject&, const Access&, const std::vector<Access>& all) {
  double threads = 0;
  for (const Access& each : all) threads += lanes_of(each);
  return one(threads);
}
Measured first_threads_at_work(const Subject&, const Access&, const std::vector<Access>& all) {
  std::set<std::uint32_t> threads;
  for (const Access& each : all)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((each.active >> lane & 1) != 0) threads.insert(each.warp * 32 + lane);
  const bool are_first = !threads.empty() && *threads.rbegin() + 1 == threads.size();
  return are_first ? Measured(one(static_cast<double>(threads.size()))) : std::nullopt;
}
// In the accesses of this instruction and turn; a warp that has none does nothing there.
Measured lanes_of_warps_done(const Subject& s, const Access& access, const std::vector<Access>& all) {
  if (static_cast<double>(all.size()) >= warps_of_block(s)) return std::nullopt;
  double lanes = 0;
  for (const Access& each : together(s, access))
    if (std::ranges::none_of(all, [&](const Access& one) { return one.warp == each.warp; }))
      lanes += lanes_of(each);
  return one(lanes);
}
Measured barriers_behind(const Subject& s, const Access& access, const std::vector<Access>&) {
  double count = 0;
  for (const trace::Barrier& barrier : trace_of(s).barriers(s.place.block))
    count += barrier.before_event > access.event ? 1 : 0;
  return one(count);
}

// ---- around it

bool is_in_same_array(const Subject& s, const Access& access, const Access& other) {
  return other.active != 0 && other.space == access.space && array_of(s, access) != nullptr &&
         array_of(s, access) == array_of(s, other);
}
// The first elements of the turns: accesses of the warp in the same line to the same array.
std::vector<double> starts_of_turns(const Subject& s, const Access& access) {
  std::vector<double> starts;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = trace_of(s).access(s.place.block, event);
    if (s.run.kernel_lines[other.pc] == s.run.kernel_lines[access.pc] && is_in_same_array(s, access, other))
      starts.push_back(static_cast<double>(addresses_of(other).front()));
  }
  return starts;
}
Measured turns(const Subject& s, const Access& access, const std::vector<Access>&) {
  return one(static_cast<double>(starts_of_turns(s, access).size()));
}
Measured elements_apart(const Subject& s, const Access& access, const std::vector<Access>&) {
  const auto starts = starts_of_turns(s, access);
  std::vector<double> apart;
  for (std::size_t i = 1; i < starts.size(); ++i)
    apart.push_back((starts[i] - starts[i - 1]) / static_cast<double>(array_of(s, access)->element_bytes));
  return over(apart);
}
Measured grids_apart(const Subject& s, const Access& access, const std::vector<Access>& all) {
  const auto apart = elements_apart(s, access, all);
  const auto& block = s.run.plan().launch.block;
  const double threads =
      static_cast<double>(catalog::blocks_in_grid(s.run.plan().launch)) * block[0] * block[1] * block[2];
  return apart ? Measured(Found{apart->least / threads, apart->most / threads, apart->mean / threads})
               : std::nullopt;
}
Measured elements_of_thread(const Subject& s, const Access& access, const std::vector<Access>&) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(access.active));
  double bytes = 0;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = trace_of(s).access(s.place.block, event);
    if ((other.active >> lane & 1) != 0 && other.kind == access.kind && is_in_same_array(s, access, other))
      bytes += other.width;
  }
  return one(bytes / static_cast<double>(array_of(s, access)->element_bytes));
}
// That lanes of the warp still execute behind the access, as the recorded lanes have them.
Measured shuffle_rounds(const Subject& s, const Access& access, const std::vector<Access>&) {
  if (s.run.lanes == nullptr) return std::nullopt;
  const trace::BlockLanes* lanes = s.run.lanes->of(trace_of(s).blocks()[s.place.block].block);
  if (lanes == nullptr) return std::nullopt;
  double rounds = 0;
  for (const trace::LaneStep& step : lanes->steps)
    if (step.warp == access.warp && step.pc > access.pc && step.lanes != 0 &&
        s.run.instructions[step.pc].text.find("shfl") != std::string::npos)
      ++rounds;
  return one(rounds);
}
Measured shared_accesses_behind(const Subject& s, const Access& access, const std::vector<Access>&) {
  double count = 0;
  for (const std::uint32_t event : events_of_warp(s))
    count += event > access.event && trace_of(s).space(s.place.block, event) == ptx::Space::shared ? 1 : 0;
  return one(count);
}
Measured loads_of_a_turn(const Subject& s, const Access& access, const std::vector<Access>&) {
  double loads = 0;
  for (const std::uint32_t event : events_of_warp(s)) {
    if (event < access.event) continue;
    if (event > access.event && trace_of(s).pc(s.place.block, event) == access.pc) return one(loads);
    loads += trace_of(s).space(s.place.block, event) == ptx::Space::global ? 1 : 0;
  }
  return std::nullopt;
}
// What the first thread of the warp, or all of the warp, stores in one matrix of global memory.
struct Tile {
  std::set<std::uint64_t> elements, rows, columns;
};
Tile find_tile(const Subject& s) {
  std::map<const report::Face*, Tile> tiles;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = trace_of(s).access(s.place.block, event);
    const report::Face* array = array_of(s, other);
    if (other.kind != AccessKind::store || array == nullptr) continue;
    const auto pitch = static_cast<std::uint64_t>(std::max<std::int64_t>(array->pitch, 1));
    for (std::size_t lane = 0; lane < (s.claim.scope == Scope::warp ? 32 : 1); ++lane)
      for (std::uint64_t b = 0; (other.active >> lane & 1) != 0 && b < other.width;
           b += array->element_bytes) {
        const std::uint64_t element = (other.address[lane] - array->address + b) / array->element_bytes;
        tiles[array].elements.insert(element);
        tiles[array].rows.insert(element / pitch), tiles[array].columns.insert(element % pitch);
      }
  }
  for (const auto& [array, tile] : tiles)
    if (tile.rows.size() > 1 && tile.columns.size() > 1) return tile;
  return {};
}
Tile tile_of(const Subject& s) {
  const bool is_of_warp = s.claim.scope == Scope::warp;
  return once(s, fmt::format("tile of {} {} {}", s.place.block, s.place.warp, is_of_warp),
              [&] { return find_tile(s); });
}
Measured tile_elements(const Subject& s, const Access&, const std::vector<Access>&) {
  return one(static_cast<double>(tile_of(s).elements.size()));
}
// The one side of the tile: which of the two are rows is how the matrix lies in memory.
Measured tile_rows(const Subject& s, const Access&, const std::vector<Access>&) {
  return one(static_cast<double>(tile_of(s).rows.size()));
}
Measured tile_columns(const Subject& s, const Access&, const std::vector<Access>&) {
  return one(static_cast<double>(tile_of(s).columns.size()));
}
Measured parts_of_structure(const Subject& s, const Access& access, const std::vector<Access>&) {
  if (addresses_of(access).size() < 2) return std::nullopt;
  const auto addresses = addresses_of(access);
  const auto apart = static_cast<std::int64_t>(addresses[1] - addresses[0]);
  std::set<std::int64_t> parts;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = trace_of(s).access(s.place.block, event);
    if (other.active != access.active || other.kind != access.kind || !is_in_same_array(s, access, other))
      continue;
    const auto away = static_cast<std::int64_t>(addresses_of(other).front() - addresses.front());
    if (std::abs(away) < std::abs(apart)) parts.insert(away);
  }
  return one(static_cast<double>(parts.size()));
}
// The most that an access of the warp to global memory with these lanes takes, if each takes the fewest.
Measured staged_sectors(const Subject& s, const Access& access, const std::vector<Access>&) {
  std::vector<double> sectors;
  for (const std::uint32_t event : events_of_warp(s)) {
    const Access other = trace_of(s).access(s.place.block, event);
    const bool gives_back = event < access.event && other.space == ptx::Space::shared &&
                            other.kind == AccessKind::store && addresses_of(other) == addresses_of(access);
    if (gives_back) return std::nullopt;  // each lane reads what it stored: nothing is staged
    if (sectors.size() >= 64) break;
    if (other.space != ptx::Space::global || other.active != access.active) continue;
    const Cost cost = cost_of(other, s.run);
    if (cost.units > cost.least) return std::nullopt;
    sectors.push_back(cost.units);
  }
  const auto found = over(sectors);
  return found ? Measured(one(found->most)) : std::nullopt;
}
Measured sectors_in_order(const Subject& s, const Access& access, const std::vector<Access>&) {
  const auto addresses = addresses_of(access);
  const std::uint64_t first = *std::ranges::min_element(addresses);
  Access moved = access;
  moved.space = ptx::Space::global;
  for (std::uint64_t& address : moved.address) address -= first;
  return one(cost_of(moved, s.run).units);
}
// Tiles by the barriers between accesses: the report's.
Measured tiles_ahead(const Subject& s, const Access& access, const std::vector<Access>&) {
  const auto& flights = s.run.stories[s.place.block]->flights(access.warp);
  return flights.empty() ? std::nullopt : Measured(one(static_cast<double>(report::under_way(flights, 0))));
}

// ---- all that the block does with an array

struct Words {
  std::map<std::uint64_t, double> reads, writes;
};
Words words_of(const Subject& s, const report::Face& array) {
  Words words;
  trace_of(s).for_each(s.place.block, [&](const Access& access) {
    if (access.active == 0 || array_of(s, access) != &array) return;
    for (const std::uint64_t address : addresses_of(access))
      for (std::uint64_t b = 0; b < access.width; b += 4)
        ++(access.kind == AccessKind::load ? words.reads : words.writes)[(address + b) / 4];
  });
  return words;
}
// Of a block and the array `of`, whatever the claim is.
template <Quantity quantity, Measure measure>
Measured of_array(const Subject& s) {
  const std::string key(explain::row_of(quantity).name);
  return once(s, key + " " + std::to_string(s.place.block) + " " + s.claim.of, [&] { return measure(s); });
}
Measured reads_a_word(const Subject& s) {
  const report::Face* array = array_named(s, s.claim.of);
  if (array == nullptr) return std::nullopt;
  Words words = words_of(s, *array);
  std::vector<double> times;
  double reads = 0, writes = 0;
  for (const auto& [word, written] : words.writes)
    times.push_back(words.reads[word] / written), reads += words.reads[word], writes += written;
  auto found = over(times);
  if (found) found->mean = reads / writes;  // of what is written each time
  return found;
}
// Products of the block: an element that it stores takes one for each column of the left matrix.
Measured multiply_adds_an_element(const Subject& s) {
  const report::Face* array = array_named(s, s.claim.of);
  const auto product = s.run.stories[s.place.block]->product();
  if (array == nullptr || !product) return std::nullopt;
  const auto& faces = s.run.stories[s.place.block]->faces();
  std::set<std::uint64_t> made;
  double loaded = 0;
  trace_of(s).for_each(s.place.block, [&](const Access& access) {
    const report::Face* touched = access.active == 0 ? nullptr : array_of(s, access);
    if (touched == nullptr) return;
    for (const std::uint64_t address : addresses_of(access))
      for (std::uint64_t b = 0; b < access.width; b += touched->element_bytes) {
        if (touched == array && access.kind == AccessKind::load) ++loaded;
        if (touched == &faces[(*product)[2]] && access.kind == AccessKind::store) made.insert(address + b);
      }
  });
  const auto depth = static_cast<double>(faces[(*product)[0]].columns);
  return loaded > 0 ? Measured(one(static_cast<double>(made.size()) * depth / loaded)) : std::nullopt;
}
// As many as its rows and columns, if a thread's word of the array serves just a row or a column of its own.
Measured tile_words(const Subject& s) {
  explain::Claim claim = s.claim;
  claim.scope = Scope::thread;
  const Tile own = tile_of({s.run, s.place, claim}), tile = tile_of(s);
  const auto served = of_array<Quantity::multiply_adds_an_element, multiply_adds_an_element>(s);
  if (!served || tile.elements.size() != tile.rows.size() * tile.columns.size()) return std::nullopt;
  const bool is_side = served->mean == static_cast<double>(own.rows.size()) ||
                       served->mean == static_cast<double>(own.columns.size());
  return is_side ? Measured(one(static_cast<double>(tile.rows.size() + tile.columns.size()))) : std::nullopt;
}

}  // namespace

std::vector<Row> block_measures() {
  return {{Quantity::idle_lanes, with_block<idle_lanes>},
          {Quantity::warps_at_work, with_block<warps_at_work>},
          {Quantity::warps_done, with_block<warps_done>},
          {Quantity::block_warps, with_block<block_warps>},
          {Quantity::threads_at_work, with_block<threads_at_work>},
          {Quantity::first_threads_at_work, with_block<first_threads_at_work>},
          {Quantity::lanes_of_warps_done, with_block<lanes_of_warps_done>},
          {Quantity::barriers_behind, with_block<barriers_behind>},
          {Quantity::turns, with_block<turns>},
          {Quantity::elements_of_thread, with_block<elements_of_thread>},
          {Quantity::elements_apart, with_block<elements_apart>},
          {Quantity::grids_apart, with_block<grids_apart>},
          {Quantity::shuffle_rounds, with_block<shuffle_rounds>},
          {Quantity::shared_accesses_behind, with_block<shared_accesses_behind>},
          {Quantity::loads_of_a_turn, with_block<loads_of_a_turn>},
          {Quantity::tile_words, tile_words},
          {Quantity::tile_elements, with_block<tile_elements>},
          {Quantity::tile_rows, with_block<tile_rows>},
          {Quantity::tile_columns, with_block<tile_columns>},
          {Quantity::parts_of_structure, with_block<parts_of_structure>},
          {Quantity::staged_sectors, with_block<staged_sectors>},
          {Quantity::sectors_in_order, with_block<sectors_in_order>},
          {Quantity::tiles_ahead, with_block<tiles_ahead>},
          {Quantity::reads_a_word, of_array<Quantity::reads_a_word, reads_a_word>},
          {Quantity::multiply_adds_an_element,
           of_array<Quantity::multiply_adds_an_element, multiply_adds_an_element>}};
}

}  // namespace warplens::claims_check
