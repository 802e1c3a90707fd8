#include "engine/sass/machine_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "engine/catalog/launches.hpp"
#include "engine/sass/address.hpp"
#include "engine/time/anchors.hpp"
#include "engine/time/machine_counts.hpp"

namespace warplens::sass {
namespace {

using time::Access;
using time::Instruction;

constexpr int kNoBarrier = 7;
int barrier_of(std::uint8_t field) { return field == kNoBarrier ? -1 : field; }

std::string guard_text(const Instruction& i) {
  if (i.guard == kNoBarrier) return {};
  const int number = i.guard & 7;
  return fmt::format("@{}{} ", i.guard > 7 ? "!" : "", number == 7 ? "PT" : fmt::format("P{}", number));
}

// The text of an instruction, as far as it is known without nvdisasm.
std::string own_text(const Instruction& i) {
  const std::string_view name = time::mnemonic(i.operation);
  std::string text = guard_text(i);
  text += name.empty() ? fmt::format("operation 0x{:03x}", i.operation) : std::string(name);
  if (i.access != Access::none && i.width != 4) text += fmt::format(".{}", 8 * i.width);
  if (i.control == time::Control::branch) text += " 0x" + address_text(i.target * 16);
  return text;
}

// Whether the machine's instruction makes the accesses of the PTX's.
bool makes_accesses_of(const Instruction& machine, const ptx::Instruction& ptx) {
  if (machine.access == Access::local_load || machine.access == Access::local_store)
    return ptx.space == ptx::Space::local;
  if (machine.access == Access::shared_atomic) return ptx.space == ptx::Space::shared;
  if (machine.access == Access::none) return false;
  const time::Anchor anchor = time::anchor_of(machine);
  return anchor != time::Anchor::none && anchor == time::anchor_of(ptx);
}

Row row_of(const Instruction& i, const run::Run& run) {
  Row row{.address = i.offset,
          .text = own_text(i),
          .stall = i.stall,
          .yields = i.yields,
          .write_barrier = barrier_of(i.write_barrier),
          .read_barrier = barrier_of(i.read_barrier),
          .waits = i.waits,
          .line = i.line,
          .kernel_line = i.line};
  const auto line = static_cast<std::size_t>(i.ptx_line) - 1;
  if (i.ptx_line <= 0 || line >= run.row_of_ptx_line.size()) return row;
  row.pc = run.row_of_ptx_line[line];
  if (row.pc < 0) return row;
  const auto pc = static_cast<std::size_t>(row.pc);
  row.is_access = makes_accesses_of(i, run.kernel->function().code[pc]);
  row.line = run.instructions[pc].line, row.kernel_line = run.kernel_lines[pc];
  if (row.is_access) row.pc = leader_of(run, row.pc);
  return row;
}

// Warps of the counted blocks.
double counted_warps(const run::Run& run) {
  const double of_a_block = static_cast<double>((catalog::threads_in_block(run.plan().launch) + 31) / 32);
  return of_a_block * static_cast<double>(run.emulation.outcome.counters.blocks_run);
}

// All that the emulator counted of instructions.
std::vector<double> known_counts(const emulator::Counters& counters) {
  std::vector<double> known;
  for (const auto& row : counters.instructions)
    if (row.executed > 0) known.push_back(static_cast<double>(row.executed));
  std::ranges::sort(known);
  return known;
}

// What was solved for is a part in ten thousand off: the emulator's count that is so near is meant, else so
// many turns of all warps.
double exact_count(double solved, const std::vector<double>& known, double warps) {
  constexpr double kNear = 1e-4;
  const auto is_near = [&](double count) { return std::abs(count - solved) <= kNear * count; };
  const auto above = std::ranges::lower_bound(known, solved);
  const auto first = above == known.begin() ? above : std::prev(above);
  const auto last = above == known.end() ? above : std::next(above);
  const auto nearest = std::min_element(
      first, last, [&](double a, double b) { return std::abs(a - solved) < std::abs(b - solved); });
  if (nearest != last && is_near(*nearest)) return *nearest;
  const double turns = warps * std::round(solved / warps);
  return turns > 0 && is_near(turns) ? turns : std::round(solved);
}

void add_executed(Listing& listing, const std::vector<Instruction>& code, const run::Run& run) {
  const auto& counters = run.emulation.outcome.counters;
  const double warps = counted_warps(run);
  if (!run.complete || warps == 0) return;
  const auto flow =
      time::count_blocks(code, run.kernel->function(), counters, run.kernel->shared_accesses(), warps);
  listing.is_counted = flow.least_kept >= time::kLeastKept;
  if (!listing.is_counted) return;
  const auto known = known_counts(counters);
  for (const time::Block& block : flow.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) listing.rows[i].executed = block.executed * warps;
  for (Row& row : listing.rows) row.executed = exact_count(row.executed, known, warps);
}

void add_traffic(Listing& listing, const run::Run& run) {
  if (!listing.is_counted) return;
  std::map<int, double> executed;
  for (const Row& row : listing.rows)
    if (row.is_access) executed[row.pc] += row.executed;
  for (Row& row : listing.rows) {
    if (!row.is_access || executed[row.pc] <= 0) continue;
    const auto& counters = run.instructions[static_cast<std::size_t>(row.pc)].counters;
    const double share = row.executed / executed[row.pc];
    if (counters.space == ptx::Space::global) row.sectors = share * static_cast<double>(counters.sectors);
    if (counters.space == ptx::Space::shared)
      row.wavefronts = share * static_cast<double>(counters.wavefronts);
  }
}

void add_text(Listing& listing, const Text& text) {
  auto line = text.begin();
  for (Row& row : listing.rows) {
    while (line != text.end() && line->address < row.address) ++line;
    if (line == text.end() || line->address != row.address) continue;
    row.text = line->text;
    row.live_registers = line->live_registers;
  }
}

}  // namespace

std::size_t Listing::row_at(std::uint32_t address) const {
  const auto found = std::ranges::lower_bound(rows, address, {}, &Row::address);
  return found != rows.end() && found->address == address ? static_cast<std::size_t>(found - rows.begin())
                                                          : rows.size();
}

int leader_of(const run::Run& run, int pc) {
  const auto& accesses = run.kernel->shared_accesses();
  const auto at = static_cast<std::size_t>(pc);
  if (at >= accesses.size() || accesses[at].width == 0) return pc;
  if (accesses[at].leader == emulator::VectorizedAccess::kDropped) return pc;
  return static_cast<int>(accesses[at].leader);
}

Result<Listing> list(const run::Run& run, Disassembler& disassembler) {
  const compile::Build& build = run.job->build;
  const int wanted = run.device().compute_capability;
  if (build.cubin.empty() || build.arch > wanted || (build.arch < wanted && wanted < 75))
    return Error{
        fmt::format("no compiler makes machine code for {} any more, which has compute capability {}.{}",
                    run.device().name, wanted / 10, wanted % 10),
        "choose a device of 7.5 or later"};
  const auto code = run.kernel != nullptr ? time::read_instructions(build.cubin, run.kernel->function())
                                          : time::read_instructions(build.cubin, build.kernel_name);
  if (!code) return code.error();
  Listing listing{.rows = {},
                  .architecture = fmt::format("sm_{}", build.arch),
                  .registers = build.registers,
                  .is_counted = false,
                  .without_text = {}};
  for (const Instruction& instruction : *code) listing.rows.push_back(row_of(instruction, run));
  add_executed(listing, *code, run);
  add_traffic(listing, run);
  const auto text = disassembler.text_of(build.cubin, build.kernel_name);
  if (text)
    add_text(listing, **text);
  else
    listing.without_text = text.error();
  return listing;
}

std::string barriers_text(std::uint8_t waits) {
  std::string text;
  for (int barrier = 0; barrier < 6; ++barrier)
    if ((waits >> barrier & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : " ", barrier);
  return text;
}

}  // namespace warplens::sass
