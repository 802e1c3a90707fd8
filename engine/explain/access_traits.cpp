#include "engine/explain/access_traits.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "engine/explain/around_access.hpp"

namespace warplens::explain {
namespace {

template <class Visit>
void for_lanes(const trace::Access& access, Visit visit) {
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0) visit(access.address[lane]);
}

int most_words_of_a_bank(const analysis::SharedPieces& pieces) {
  std::size_t most = 0;
  for (int phase = 0; phase < pieces.phases; ++phase)
    for (const analysis::Bank& bank : analysis::bank_map(pieces, phase)) {
      std::set<std::uint64_t> words;  // 1.x gives one of them in several turns
      for (const analysis::BankWord& word : bank.words) words.insert(word.word);
      most = std::max(most, words.size());
    }
  return static_cast<int>(most);
}

using Moved = std::function<std::uint64_t(std::uint64_t word)>;  // of the array

// Whether the access takes no more than the least where each word of its array lies elsewhere, by the device's own rule.
bool is_free_with(const Facts& f, const Moved& moved) {
  trace::Access access = f.access;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.active >> lane & 1) == 0) continue;
    const std::uint64_t place = access.address[lane] - f.face->address;
    access.address[lane] = 4 * moved(place / 4) + place % 4;
  }
  const report::AccessPieces pieces =
      report::access_pieces(access, f.run.kernel->function().code[access.pc], f.run.device());
  return pieces.units <= pieces.ideal && most_words_of_a_bank(pieces.shared) <= 1;
}

bool touches_face(const Facts& f, const trace::Access& other) {
  if (f.face == nullptr || other.active == 0 || other.space != f.access.space) return false;
  return report::has(*f.face, other.address[static_cast<std::size_t>(std::countr_zero(other.active))]);
}

// The first of each instruction's accesses that this warp makes. Of many the first and the last ones are looked at: what a
// warp does once stands before or behind its loops.
std::vector<trace::Access> of_each_instruction(const Facts& f) {
  constexpr std::size_t most = 4096;
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  std::vector<trace::Access> found;
  std::vector<bool> seen(f.run.instructions.size());
  const auto look_at = [&](std::span<const std::uint32_t> events) {
    for (const std::uint32_t event : events) {
      const std::uint32_t pc = trace.pc(block, event);
      if (seen[pc]) continue;
      seen[pc] = true;
      found.push_back(trace.access(block, event));
    }
  };
  const auto events = of_warp(f).events;
  look_at(events.first(std::min(events.size(), most)));
  look_at(events.last(std::min(events.size(), most)));
  return found;
}

// Whether each active lane is as far behind the one before as it is wide.
bool runs_along(const trace::Access& access) {
  for (std::size_t lane = 0; lane + 1 < 32; ++lane)
    if ((access.active >> lane & 3) == 3 && access.address[lane + 1] - access.address[lane] != access.width)
      return false;
  return std::popcount(access.active) > 1;
}

}  // namespace

bool is_shared(const Facts& f) { return f.pieces.is_shared; }
bool is_ideal(const Facts& f) { return f.pieces.units <= f.pieces.ideal; }
int fewest_wavefronts(const Facts& f) {
  std::set<std::uint64_t> words;
  for_lanes(f.access, [&](std::uint64_t address) {
    for (std::uint64_t part = 0; part < std::max<std::uint64_t>(f.access.width, 4); part += 4)
      words.insert((address + part) / 4);
  });
  const int banks = std::max(f.pieces.shared.banks, 1),
            lanes = is_by_halves(f) ? 16 : 256 / std::max<int>(f.access.width, 4);
  const auto turns = [](int of, int at_a_time) { return (of + at_a_time - 1) / at_a_time; };
  return std::max(turns(static_cast<int>(words.size()), banks), turns(f.lanes, lanes));
}
bool is_least_in_any_order(const Facts& f) { return !is_shared(f) || f.pieces.units <= fewest_wavefronts(f); }
bool is_by_halves(const Facts& f) {
  const device::GlobalRule rule = f.run.device().global_rule;
  return rule == device::GlobalRule::half_warp_strict || rule == device::GlobalRule::half_warp_segments;
}
bool is_of_sectors(const Facts& f) {
  return !is_shared(f) && f.run.device().global_rule == device::GlobalRule::sectors_32;
}
std::int64_t distance(const Facts& f) { return f.stride ? std::abs(*f.stride) : 0; }
bool is_side_by_side(const Facts& f) { return distance(f) == f.access.width; }
bool rows_coincide(const Facts& f) { return f.used == f.row_lanes * f.access.width; }

std::uint64_t first_address(const Facts& f) {
  std::uint64_t first = ~std::uint64_t{0};
  for_lanes(f.access, [&](std::uint64_t address) { first = std::min(first, address); });
  return first;
}

int distinct_addresses(const Facts& f) {
  std::set<std::uint64_t> addresses;
  for_lanes(f.access, [&](std::uint64_t address) { addresses.insert(address); });
  return static_cast<int>(addresses.size());
}

int most_lanes_at_one_address(const Facts& f) {
  std::map<std::uint64_t, int> lanes;
  for_lanes(f.access, [&](std::uint64_t address) { ++lanes[address]; });
  return std::ranges::max_element(lanes, {}, &std::pair<const std::uint64_t, int>::second)->second;
}

int barriers_behind(const Facts& f) {
  const auto barriers = f.story.accesses().trace().barriers(f.story.accesses().block());
  return static_cast<int>(std::ranges::count_if(
      barriers, [&](const trace::Barrier& barrier) { return barrier.before_event > f.access.event; }));
}

int places(const Facts& f) {
  std::set<std::uint64_t> starts, ends;
  for_lanes(f.access,
            [&](std::uint64_t address) { starts.insert(address), ends.insert(address + f.access.width); });
  return static_cast<int>(
      std::ranges::count_if(starts, [&](std::uint64_t start) { return !ends.contains(start); }));
}

int distinct_bytes(const Facts& f) { return distinct_addresses(f) * f.access.width; }

std::int64_t row_words(const Facts& f) {
  return f.face == nullptr || !f.face->is_shared || f.face->shared_rows == report::SharedArray::Rows::banks
             ? 0
             : f.face->fold;
}

int words_of_a_bank(const Facts& f) { return most_words_of_a_bank(f.pieces.shared); }

int banks_touched(const Facts& f) {
  std::set<std::uint64_t> banks;
  const auto all = static_cast<std::uint64_t>(std::max(f.pieces.shared.banks, 1));
  for_lanes(f.access, [&](std::uint64_t address) { banks.insert(address / 4 % all); });
  return static_cast<int>(banks.size());
}

namespace {

// Accesses of several words have to stay on multiples of their own size.
int padding_of_rows(const Facts& f, std::int64_t row_words) {
  if (row_words <= 0 || f.face == nullptr) return 0;
  const auto row = static_cast<std::uint64_t>(row_words);
  for (const std::uint64_t padding : {1, 2, 4})
    if (4 * padding >= f.access.width &&
        is_free_with(f, [&](std::uint64_t word) { return word + word / row * padding; }))
      return static_cast<int>(padding);
  return 0;
}

}  // namespace

int padding(const Facts& f) { return padding_of_rows(f, row_words(f)); }

// Cells as wide as the access, exchanged within their row by its number: by exclusive or, or turned on.
bool helps_swizzle(const Facts& f) {
  if (row_words(f) <= 0 || f.face == nullptr) return false;
  const std::uint64_t cell = std::max<std::uint64_t>(f.access.width / 4, 1),
                      cells = static_cast<std::uint64_t>(row_words(f)) / cell, row = cells * cell;
  if (cells < 2 || row != static_cast<std::uint64_t>(row_words(f))) return false;
  const auto exchanged = [&](auto to) {
    return is_free_with(f, [&](std::uint64_t word) {
      return word / row * row + to(word % row / cell, word / row) * cell + word % cell;
    });
  };
  const auto by_or = [&](std::uint64_t at, std::uint64_t row_number) { return at ^ row_number % cells; };
  const auto turned = [&](std::uint64_t at, std::uint64_t row_number) { return (at + row_number) % cells; };
  return (std::has_single_bit(cells) && exchanged(by_or)) || exchanged(turned);
}

int skipped_words(const Facts& f) { return padding_of_rows(f, f.pieces.shared.banks); }

bool is_swizzled(const Facts& f) {
  const bool is_regular = row_words(f) == 0 && f.stride && f.row_lanes == 32;
  if (f.lanes != 32 || f.access.width != 4 || row_words(f) % 32 != 0 || is_regular) return false;
  const auto row = static_cast<std::uint64_t>(std::max<std::int64_t>(row_words(f), 32));
  std::set<std::uint64_t> rows, columns;
  for_lanes(f.access, [&](std::uint64_t address) {
    rows.insert(address / 4 / row), columns.insert(address / 4 % row);
  });
  return rows.size() == 32 && columns.size() == 32;
}

bool is_part_of_structure(const Facts& f) {
  const std::int64_t parts = distance(f) / f.element_bytes();
  if (parts < 2 || parts > 4 || f.row_lanes != 32) return false;
  std::set<std::int64_t> seen;
  for (const trace::Access& other : of_each_instruction(f)) {
    if (other.kind != f.access.kind || other.active != f.access.active || !touches_face(f, other)) continue;
    const auto lane = static_cast<std::size_t>(std::countr_zero(other.active));
    const auto away = static_cast<std::int64_t>(other.address[lane] - f.access.address[lane]);
    if (std::abs(away) < distance(f)) seen.insert(away);
  }
  return std::ssize(seen) == parts;
}

bool has_other_side(const Facts& f) {
  return std::ranges::any_of(of_each_instruction(f), [&](const trace::Access& other) {
    return other.space == ptx::Space::global && other.active == f.access.active && !touches_face(f, other) &&
           runs_along(other);
  });
}

const report::ReductionTree* tree_of(const Facts& f) {
  const auto& trees = f.run.trees;
  const std::size_t block = f.story.accesses().block();
  return block < trees.size() ? trees[block].get() : nullptr;
}

bool is_free_load(const Facts& f) {
  return is_shared(f) && is_ideal(f) && f.access.kind == emulator::AccessKind::load;
}

AtWork at_work(const Facts& f) {
  AtWork all;
  std::vector<std::uint64_t> threads = {0};  // one past the last one at work, of each warp that has any
  const auto here = static_cast<std::uint32_t>(of_warp(f).here);
  for (const trace::Access& each : f.story.accesses().together(f.access.warp, here)) {
    all.warps += each.active != 0 ? 1 : 0;
    all.lanes += std::popcount(each.active);
    if (each.active != 0)
      threads.push_back(std::uint64_t{each.warp} * 32 +
                        static_cast<std::uint64_t>(std::bit_width(each.active)));
  }
  all.are_first = std::ranges::max(threads) == static_cast<std::uint64_t>(all.lanes);
  return all;
}

std::int64_t shuffles_behind(const Facts& f) {
  const report::ReductionTree* tree = tree_of(f);
  if (tree == nullptr) return 0;
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  if (barriers_behind(f) > 0) return 0;
  const auto [events, here] = of_warp(f);
  for (std::size_t e = here + 1; e < events.size(); ++e)
    if (trace.space(block, events[e]) == ptx::Space::shared) return 0;
  return std::ranges::count_if(tree->rounds, [&](const report::ReductionTree::Round& round) {
    return round.is_shuffle && !round.pcs.empty() && round.pcs.front() > f.access.pc &&
           f.access.warp < round.lanes.size() && round.lanes[f.access.warp] != 0;
  });
}

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

namespace {

bool reads(const ptx::Operand& operand, ptx::RegisterId id) {
  using Kind = ptx::Operand::Kind;
  if (operand.kind == Kind::vector)
    return std::ranges::any_of(operand.elements, [&](const ptx::Operand& one) { return reads(one, id); });
  return (operand.kind == Kind::reg || operand.kind == Kind::address) && operand.register_id == id;
}
bool reads(const ptx::Instruction& i, ptx::RegisterId id) {
  for (std::size_t o = i.destinations; o < i.operands.size(); ++o)
    if (reads(i.operands[o], id)) return true;
  return false;
}
bool is_computed_with(const Facts& f, ptx::RegisterId id) {
  return std::ranges::any_of(f.run.kernel->function().code, [&](const ptx::Instruction& i) {
    return i.opcode != ptx::Opcode::st && reads(i, id);
  });
}
// To global memory, as it came.
bool is_passed_on(const Facts& f, ptx::RegisterId id) {
  const auto& code = f.run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    if (code[pc].opcode == ptx::Opcode::st && reads(code[pc], id))
      return f.run.instructions[pc].counters.space == ptx::Space::global;
  return false;
}
const ptx::Instruction& instruction_of(const Facts& f) { return f.run.kernel->function().code[f.access.pc]; }

}  // namespace

int words_of_load(const Facts& f) {
  const ptx::Instruction& i = instruction_of(f);
  return i.opcode == ptx::Opcode::ld && i.vector > 1 ? i.vector : 0;
}

int words_computed_with(const Facts& f) {
  if (words_of_load(f) == 0) return 0;
  int computed = 0;
  for (const ptx::Operand& one : instruction_of(f).operands.front().elements) {
    const bool is_word = one.kind == ptx::Operand::Kind::reg;
    if (is_word && is_computed_with(f, one.register_id))
      ++computed;
    else if (!is_word || !is_passed_on(f, one.register_id))
      return 0;
  }
  return computed;
}

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

bool feeds_a_tile(const Facts& f) {
  const auto& faces = f.story.faces();
  return !is_shared(f) && is_ideal(f) && f.access.kind == emulator::AccessKind::load && f.lanes == 32 &&
         std::ranges::none_of(faces, &report::Face::is_shared) && loads_of_turn(f) > 0 &&
         static_cast<std::int64_t>(tile_of_thread(f).elements) > loads_of_turn(f);
}

std::int64_t elements_of_thread(const Facts& f) {
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  std::int64_t bytes = 0;
  for (const std::uint32_t event : of_warp(f).events) {
    if (trace.space(block, event) != f.access.space) continue;
    const trace::Access other = trace.access(block, event);
    const bool same_thread = (other.active >> std::countr_zero(f.access.active) & 1) != 0;
    if (same_thread && other.kind == f.access.kind && touches_face(f, other)) bytes += other.width;
  }
  return bytes / f.element_bytes();
}

OfLine of_line(const Facts& f) {
  OfLine all;
  std::set<std::uint32_t> pcs = {f.access.pc};
  for (const trace::Access& other : of_each_instruction(f))
    if (f.run.kernel_lines[other.pc] == f.line && other.kind == f.access.kind && touches_face(f, other))
      pcs.insert(other.pc);
  for (const std::uint32_t pc : pcs) {
    const emulator::InstructionCounters& count = f.run.instructions[pc].counters;
    all.units += static_cast<double>(is_shared(f) ? count.wavefronts : count.sectors);
    all.least += static_cast<double>(is_shared(f) ? count.ideal_wavefronts : count.ideal_sectors);
  }
  return all;
}

}  // namespace warplens::explain
