#include "engine/sass/machine_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/sass/address.hpp"
#include "engine/sass/executed.hpp"
#include "engine/time/anchors.hpp"

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
  row.pc = pc_of(i, run);
  if (row.pc < 0) return row;
  const auto pc = static_cast<std::size_t>(row.pc);
  row.is_access = makes_accesses_of(i, run.kernel->function().code[pc]);
  row.line = run.instructions[pc].line, row.kernel_line = run.kernel_lines[pc];
  if (row.is_access) row.pc = leader_of(run, row.pc);
  return row;
}

void add_executed(Listing& listing, const std::vector<Instruction>& code, const run::Run& run) {
  const auto executed = executions_of(code, run);
  listing.is_counted = !executed.empty();
  for (std::size_t i = 0; i < executed.size(); ++i) listing.rows[i].executed = executed[i];
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
  if (at >= accesses.size()) return pc;
  if (accesses[at].leader == emulator::VectorizedAccess::kDropped) return pc;
  return static_cast<int>(accesses[at].leader);
}

Result<Listing> list(const run::Run& run, Disassembler& disassembler) {
  const compile::Build& build = run.job->build;
  const int wanted = run.device().compute_capability;
  if (!has_machine_code(run))
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
