#include "engine/run/vectorized_check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "engine/emulator/flow/dominators.hpp"

namespace warplens::run {
namespace {

using Widths = std::array<int, 6>;               // accesses of 1, 2, 4, 8, 16, 32 bytes
using Place = std::pair<bool, int>;              // whether a store, source line
using Blocks = std::map<std::uint32_t, Widths>;  // what each basic block of the PTX has there

int& of_width(Widths& widths, std::uint32_t bytes) {
  return widths.at(static_cast<std::size_t>(std::countr_zero(bytes)));
}

std::map<Place, Widths> found_in(const compile::MachineCode& code) {
  std::map<Place, Widths> found;
  for (const auto& i : code.memory) {
    const bool store = i.opcode == compile::MemoryOpcode::shared_store;
    if (store || i.opcode == compile::MemoryOpcode::shared_load)
      ++of_width(found[{store, i.line}], i.width_bytes);
  }
  return found;
}

std::map<Place, Blocks> expected_in(const ptx::Function& function, const emulator::Flow& flow,
                                    const std::vector<emulator::VectorizedAccess>& expected) {
  std::map<Place, Blocks> blocks;
  for (std::uint32_t pc = 0; pc < expected.size(); ++pc) {
    if (expected[pc].width == 0 || expected[pc].leader != pc) continue;
    const auto& i = function.code[pc];
    const int line = i.location >= 0 ? function.locations[static_cast<std::size_t>(i.location)].line : 0;
    Widths& widths = blocks[{i.opcode == ptx::Opcode::st, line}][flow.block_of(pc)];
    ++of_width(widths, expected[pc].width);
  }
  return blocks;
}

// Whether `rest` is a sum of the rows from `next` on, each any number of times.
bool is_sum(Widths rest, const std::vector<Widths>& rows, std::size_t next, int& steps) {
  if (rest == Widths{}) return true;
  if (next == rows.size() || --steps < 0) return false;
  for (;;) {
    if (is_sum(rest, rows, next + 1, steps)) return true;
    for (std::size_t w = 0; w < rest.size(); ++w)
      if ((rest[w] -= rows[next][w]) < 0) return false;
  }
}

bool is_made_of(const Widths& found, const Blocks& blocks, const std::set<std::uint32_t>& in_loop) {
  Widths rest = found;
  std::set<Widths> copied;
  for (const auto& [block, widths] : blocks) {
    for (std::size_t w = 0; w < rest.size(); ++w)
      if ((rest[w] -= widths[w]) < 0) return false;
    if (in_loop.contains(block)) copied.insert(widths);
  }
  int steps = 100'000;  // a sum not found by then is taken not to exist
  return is_sum(rest, {copied.begin(), copied.end()}, 0, steps);
}

}  // namespace

bool vectorized_as_expected(const ptx::Function& function,
                            const std::vector<emulator::VectorizedAccess>& expected,
                            const compile::MachineCode& machine_code) {
  const emulator::Flow flow(function);
  const auto found = found_in(machine_code);
  const auto wanted = expected_in(function, flow, expected);
  if (found.size() != wanted.size()) return false;
  std::set<std::uint32_t> in_loop;
  const emulator::Dominators dominators(flow);
  for (const auto& loop : dominators.loops())
    loop.body.for_each([&](std::size_t block) { in_loop.insert(static_cast<std::uint32_t>(block)); });
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& line) {
    const auto there = found.find(line.first);
    return there != found.end() && is_made_of(there->second, line.second, in_loop);
  });
}

}  // namespace warplens::run
