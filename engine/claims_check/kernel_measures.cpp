// Of the whole run: the numbers of its report, its counters by instruction, and the device.
#include <array>
#include <bit>
#include <map>
#include <set>
#include <string>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity, explain::Scope;

double number(std::uint64_t value) { return static_cast<double>(value); }
Measured ratio(double over, double under) { return under > 0 ? Measured(one(over / under)) : std::nullopt; }
const emulator::Counts& counts(const Subject& s) { return s.run.report.counts; }

struct Amounts {
  double sectors = 0, least_sectors = 0, wavefronts = 0, least_wavefronts = 0;
};
Amounts amounts(const Subject& s) {
  const emulator::Counts& all = counts(s);
  return {number(all.global_load.sectors + all.global_store.sectors),
          number(all.global_load.ideal_sectors + all.global_store.ideal_sectors),
          number(all.shared_load.wavefronts + all.shared_store.wavefronts),
          number(all.shared_load.ideal_wavefronts + all.shared_store.ideal_wavefronts)};
}
// As the compiler said.
Measured spill_stores(const Subject& s) { return one(number(s.run.job->build.spill_store_bytes)); }
Measured spill_loads(const Subject& s) { return one(number(s.run.job->build.spill_load_bytes)); }
Measured registers(const Subject& s) { return one(s.run.report.registers); }
Measured sectors_over_least(const Subject& s) { return ratio(amounts(s).sectors, amounts(s).least_sectors); }
Measured wavefronts_over_least(const Subject& s) {
  return ratio(amounts(s).wavefronts, amounts(s).least_wavefronts);
}
Measured atomic_wavefronts_over_least(const Subject& s) {
  const auto& atomics = counts(s).shared_atomic;
  return ratio(number(atomics.wavefronts), number(atomics.ideal_wavefronts));
}
Measured more_sectors(const Subject& s) {
  return ratio(amounts(s).sectors - amounts(s).least_sectors, amounts(s).least_sectors);
}
Measured more_wavefronts(const Subject& s) {
  return ratio(amounts(s).wavefronts - amounts(s).least_wavefronts, amounts(s).least_wavefronts);
}
// Sectors, wavefronts and lanes together: nothing of one makes up for the other.
Measured wasted_of_kernel(const Subject& s) {
  const Amounts all = amounts(s);
  const double lanes = 32 * number(counts(s).warp_instructions) - number(counts(s).thread_instructions);
  const auto& atomics = counts(s).shared_atomic;
  return over({all.sectors - all.least_sectors, all.wavefronts - all.least_wavefronts,
               number(atomics.wavefronts) - number(atomics.ideal_wavefronts), lanes});
}
Measured diverged_branches(const Subject& s) {
  double count = 0;
  for (const auto& row : s.run.instructions) count += number(row.counters.diverged);
  return one(count);
}
Measured branches(const Subject& s) {
  double count = 0;
  for (const auto& row : s.run.instructions)
    count += row.counters.diverged > 0 ? number(row.counters.executed) : 0;
  return one(count);
}

// ---- lanes of a line: of its instruction at which most wait, of all times, unless it was moved behind a later test

bool is_of_line(const Subject& s, std::size_t pc, int line) {
  return s.run.instructions[pc].line == line || s.run.kernel_lines[pc] == line;
}
Measured lanes_where_most_wait(const Subject& s) {
  std::array<double, 2> most = {-1, -1};
  std::array<Measured, 2> lanes;  // where the source has it, and moved
  const std::vector<bool> is_moved = moved_behind_tests(s);
  for (std::size_t pc = 0; pc < s.run.instructions.size(); ++pc) {
    const auto& row = s.run.instructions[pc].counters;
    if (row.executed == 0 || !is_of_line(s, pc, s.place.line)) continue;
    const std::size_t moved = is_moved[pc] ? 1 : 0;
    const double waiting = 32 * number(row.executed) - number(row.lanes);
    if (waiting > most[moved])
      most[moved] = waiting, lanes[moved] = one(number(row.lanes) / number(row.executed));
  }
  return lanes[0] ? lanes[0] : lanes[1];
}
Measured mean_lanes(const Subject& s) {
  if (s.claim.scope == Scope::line) return lanes_where_most_wait(s);
  return ratio(number(counts(s).thread_instructions), number(counts(s).warp_instructions));
}
Measured mean_idle_lanes(const Subject& s) {
  if (s.claim.scope == Scope::line) {
    const auto lanes = lanes_where_most_wait(s);
    return lanes ? Measured(one(32 - lanes->mean)) : std::nullopt;
  }
  Subject same = s;
  return measure_of(Quantity::idle_lanes)(same);
}
// By the lines of its own and by those of the calls that it stands for, as sentences have either.
bool is_executed_line(const run::Run& run, int line) {
  for (std::size_t pc = 0; pc < run.instructions.size(); ++pc)
    if (run.instructions[pc].counters.executed > 0 &&
        (line == run.instructions[pc].line || line == run.kernel_lines[pc]))
      return true;
  return false;
}
// One that is named: it has instructions that ran.
Measured line(const Subject& s) {
  if (!s.claim.of.empty())
    if (const int named = std::stoi(s.claim.of); is_executed_line(s.run, named)) return one(named);
  if (s.place.line > 0) return one(s.place.line);
  const auto access = access_of(s);
  return access ? Measured(one(s.run.kernel_lines[access->pc])) : std::nullopt;
}
Measured line_of_most_idle(const Subject& s) {
  const std::vector<bool> is_moved = moved_behind_tests(s);
  double most = 0;
  int found = 0;
  for (const report::LineRow& row : s.run.lines.rows) {
    double idle = 32 * number(row.executed) - number(row.thread_instructions);
    for (std::size_t pc = 0; pc < s.run.instructions.size(); ++pc)
      if (const auto& moved = s.run.instructions[pc]; is_moved[pc] && moved.line == row.line)
        idle -= 32 * number(moved.counters.executed) - number(moved.counters.lanes);
    if (row.line > 0 && idle > most) most = idle, found = row.line;
  }
  return one(found);
}

// ---- the grid

double grid(const Subject& s) {
  const auto& size = s.run.report.grid;
  return static_cast<double>(size[0]) * size[1] * size[2];
}
Measured blocks(const Subject& s) { return one(grid(s)); }
Measured sms(const Subject& s) { return one(s.run.device().sm_count); }
Measured idle_sms(const Subject& s) { return one(std::max(s.run.device().sm_count - grid(s), 0.0)); }

// ---- what instructions do with an array, by what the recorded blocks touch

std::set<std::uint32_t> find_pcs(const Subject& s, const report::Face& array, emulator::AccessKind kind) {
  std::set<std::uint32_t> pcs;
  for (std::size_t b = 0; b < s.run.trace->blocks().size(); ++b)
    s.run.trace->for_each(b, [&](const trace::Access& access) {
      if (access.active == 0 || access.kind != kind || pcs.contains(access.pc)) return;
      const report::Face* touched = array_of({s.run, {.block = b}, s.claim}, access);
      if (touched != nullptr && touched->name == array.name) pcs.insert(access.pc);
    });
  return pcs;
}
std::set<std::uint32_t> pcs_of(const Subject& s, const report::Face& array, emulator::AccessKind kind) {
  return once(s, "instructions of " + array.name + " " + std::to_string(static_cast<int>(kind)),
              [&] { return find_pcs(s, array, kind); });
}
Measured reads_an_element(const Subject& s) {
  const report::Face* array = array_named(s, s.claim.of);
  if (array == nullptr) return std::nullopt;
  std::set<std::uint32_t> pcs = pcs_of(s, *array, emulator::AccessKind::load);
  pcs.merge(pcs_of(s, *array, emulator::AccessKind::async_copy));
  double bytes = 0;
  for (const std::uint32_t pc : pcs) bytes += number(s.run.instructions[pc].counters.bytes_used);
  const double ran = number(std::max<std::uint64_t>(s.run.emulation.outcome.counters.blocks_run, 1));
  return one(bytes * grid(s) / ran / number(array->elements * array->element_bytes));
}
Amounts of_line(const Subject& s) {
  Amounts all;
  const auto access = access_of(s);
  const report::Face* array = array_named(s, s.claim.of);
  if (!access) return all;
  std::set<std::uint32_t> pcs = {access->pc};
  if (array != nullptr) pcs.merge(pcs_of(s, *array, access->kind));
  for (const std::uint32_t pc : pcs) {
    if (s.run.kernel_lines[pc] != s.run.kernel_lines[access->pc]) continue;
    const auto& row = s.run.instructions[pc].counters;
    all.sectors += number(is_shared(*access) ? row.wavefronts : row.sectors);
    all.least_sectors += number(is_shared(*access) ? row.ideal_wavefronts : row.ideal_sectors);
  }
  return all;
}
Measured wasted_of_line(const Subject& s) { return one(of_line(s).sectors - of_line(s).least_sectors); }
Measured times_the_least_of_line(const Subject& s) {
  return ratio(of_line(s).sectors, of_line(s).least_sectors);
}

// ---- products

double multiply_adds(const Subject& s) {
  double count = 0;
  for (const auto& row : s.run.instructions)
    if (row.text.find("fma.") != std::string::npos || row.text.find("mad.f") != std::string::npos)
      count += number(row.counters.executed);
  return count;
}
Measured wavefronts_a_multiply_add(const Subject& s) {
  return ratio(number(counts(s).shared_load.wavefronts), multiply_adds(s));
}
// The width of a load stands in its text: "ld.shared.v4.f32".
Measured words_a_multiply_add(const Subject& s) {
  double words = 0;
  for (const auto& row : s.run.instructions) {
    if (row.text.find("ld.") == std::string::npos || row.counters.space != ptx::Space::shared) continue;
    const std::string from = row.text.substr(row.text.find("ld."));
    const std::string opcode = from.substr(0, from.find_first_of(" \t"));
    const double parts = opcode.find(".v4.") != std::string::npos   ? 4
                         : opcode.find(".v2.") != std::string::npos ? 2
                                                                    : 1;
    const double bytes = opcode.ends_with("64") ? 8 : 4;
    words += parts * bytes / 4 * number(row.counters.executed);
  }
  return ratio(words, multiply_adds(s));
}

}  // namespace

std::vector<Row> kernel_measures() {
  return {{Quantity::spill_stores, spill_stores},
          {Quantity::spill_loads, spill_loads},
          {Quantity::registers, registers},
          {Quantity::sectors_over_least, sectors_over_least},
          {Quantity::wavefronts_over_least, wavefronts_over_least},
          {Quantity::atomic_wavefronts_over_least, atomic_wavefronts_over_least},
          {Quantity::more_sectors, more_sectors},
          {Quantity::more_wavefronts, more_wavefronts},
          {Quantity::wasted_of_kernel, wasted_of_kernel},
          {Quantity::diverged_branches, diverged_branches},
          {Quantity::branches, branches},
          {Quantity::mean_lanes, mean_lanes},
          {Quantity::mean_idle_lanes, mean_idle_lanes},
          {Quantity::line, line},
          {Quantity::line_of_most_idle, line_of_most_idle},
          {Quantity::blocks, blocks},
          {Quantity::sms, sms},
          {Quantity::idle_sms, idle_sms},
          {Quantity::reads_an_element, reads_an_element},
          {Quantity::wasted_of_line, wasted_of_line},
          {Quantity::times_the_least_of_line, times_the_least_of_line},
          {Quantity::wavefronts_a_multiply_add, wavefronts_a_multiply_add},
          {Quantity::words_a_multiply_add, words_a_multiply_add}};
}

}  // namespace warplens::claims_check
