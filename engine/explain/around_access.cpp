#include "engine/explain/around_access.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace warplens::explain {
namespace {

std::int64_t threads_in_grid(const Facts& f) {
  const auto& launch = f.run.plan().launch;
  return static_cast<std::int64_t>(catalog::blocks_in_grid(launch)) * launch.block[0] * launch.block[1] *
         launch.block[2];
}

}  // namespace

OfWarp of_warp(const Facts& f) {
  const auto events = f.story.accesses().of_warp(f.access.warp);
  const auto here = std::ranges::lower_bound(events, f.access.event);
  return {events, static_cast<std::size_t>(here - events.begin())};
}

bool has_rounds_of_other_lanes(const Facts& f) {
  constexpr std::size_t most = 4096;
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  const auto events = of_warp(f).events;
  return std::ranges::any_of(events.first(std::min(events.size(), most)), [&](std::uint32_t event) {
    return trace.pc(block, event) == f.access.pc && trace.access(block, event).active != f.access.active;
  });
}

namespace {

// The first addresses of the accesses that the warp makes in the same line to the same array, and their instructions.
struct InLine {
  std::vector<std::uint64_t> addresses;
  std::set<std::uint32_t> pcs;
};
InLine in_line(const Facts& f) {
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  constexpr std::size_t most = 4096;
  InLine found;
  const auto events = of_warp(f).events;
  for (std::size_t e = 0; e < std::min(events.size(), most); ++e) {
    const std::uint32_t pc = trace.pc(block, events[e]);
    if (f.run.kernel_lines[pc] != f.line || trace.space(block, events[e]) != f.access.space) continue;
    const auto address = trace.first_address(block, events[e]);
    if (!address || f.face == nullptr || !report::has(*f.face, *address)) continue;
    found.addresses.push_back(*address);
    found.pcs.insert(pc);
  }
  return found;
}

Turns turns_of(const Facts& f, const std::vector<std::uint64_t>& addresses) {
  if (addresses.size() < 2) return {};
  const std::uint64_t step = addresses[1] - addresses[0];
  for (std::size_t i = 2; i < addresses.size(); ++i)
    if (addresses[i] - addresses[i - 1] != step) return {};
  return {std::ssize(addresses), static_cast<std::int64_t>(step) / f.element_bytes()};
}

}  // namespace

Turns turns_of(const Facts& f) { return turns_of(f, in_line(f).addresses); }

std::int64_t grids_apart(const Facts& f) {
  const std::int64_t threads = threads_in_grid(f), apart = turns_of(f).apart;
  const bool is_many = catalog::blocks_in_grid(f.run.plan().launch) > 1;
  return is_many && apart > 0 && apart % threads == 0 && apart / threads <= 16 ? apart / threads : 0;
}

bool has_row_of_thread(const Facts& f) {
  if (!f.walks_down || f.pieces.is_shared || f.face == nullptr) return false;
  const InLine line = in_line(f);
  const auto [turns, apart] = turns_of(f, line.addresses);
  if (apart * f.element_bytes() != f.access.width || turns * apart < 32) return false;
  const emulator::Counters& all = f.run.emulation.outcome.counters;
  std::uint64_t asked = 0;  // bytes, by the blocks that ran
  for (const std::uint32_t pc : line.pcs) asked += f.run.instructions[pc].counters.bytes_used;
  const auto of_array = static_cast<double>(f.face->elements) * static_cast<double>(f.element_bytes()),
             grid = static_cast<double>(catalog::blocks_in_grid(f.run.plan().launch)),
             ran = static_cast<double>(std::max<std::uint64_t>(all.blocks_run, 1));
  return static_cast<double>(asked) * grid / ran <= of_array;
}

bool has_last_turn_of_some(const Facts& f) {
  const auto [turns, apart] = turns_of(f);
  if (f.face == nullptr || turns == 0 || apart <= 0) return false;
  const auto rest = static_cast<std::int64_t>(f.face->elements) % apart;
  return rest > 0 && rest < threads_in_grid(f) * elements_of_thread(f) / turns;
}

namespace {

// What each lane reads here it stored itself: nothing was handed over.
bool is_own_word(const Facts& f) {
  const trace::Trace& trace = f.story.accesses().trace();
  const std::size_t block = f.story.accesses().block();
  const auto [events, here] = of_warp(f);
  for (std::size_t e = here; e-- > 0;) {
    if (trace.space(block, events[e]) != ptx::Space::shared) continue;
    const auto other = f.story.accesses().at(f.access.warp, static_cast<std::uint32_t>(e));
    if (other->kind == emulator::AccessKind::store && other->active == f.access.active &&
        other->address == f.access.address)
      return true;
  }
  return false;
}

}  // namespace

Staging staging_of(const Facts& f) {
  const std::int64_t step = f.stride ? std::abs(*f.stride) : 0;
  const bool is_free = f.pieces.is_shared && f.pieces.units <= f.pieces.ideal &&
                       f.run.device().global_rule == device::GlobalRule::sectors_32;
  if (!is_free || f.access.kind != emulator::AccessKind::load || f.row_lanes != 32 || step <= f.access.width)
    return {};
  if (is_own_word(f)) return {};
  Staging found;
  const std::span<const std::uint32_t> events = of_warp(f).events;
  constexpr std::size_t most = 64;
  for (std::uint32_t e = 0; e < std::min(events.size(), most); ++e) {
    const auto access = f.story.accesses().at(f.access.warp, e);
    if (access->space != ptx::Space::global || access->active != f.access.active) continue;
    const auto pieces =
        report::access_pieces(*access, f.run.kernel->function().code[access->pc], f.run.device());
    if (pieces.units > pieces.ideal) return {};
    found.least = std::max<std::int64_t>(found.least, pieces.units);
  }
  std::set<std::int64_t> sectors;
  for (std::int64_t lane = 0; lane < f.lanes; ++lane)
    for (std::int64_t byte = lane * step; byte < lane * step + f.access.width; byte += 4)
      sectors.insert(byte / 32);
  found.apart = std::ssize(sectors);
  return found;
}

}  // namespace warplens::explain
