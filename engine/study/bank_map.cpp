#include "engine/study/bank_map.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/report/pieces.hpp"

namespace warplens::study {
namespace {

void add_access(const run::Run& run, const trace::Access& access, BankMap::Line& line) {
  const auto pieces = report::access_pieces(access, run.kernel->function().code[access.pc], run.device());
  std::uint64_t asked = 0;  // banks, in this phase
  int phase = 0;
  for (const auto& wavefront : pieces.shared.wavefronts) {
    if (std::exchange(phase, wavefront.phase) != wavefront.phase) asked = 0;
    for (const auto& word : wavefront.words) {
      const auto bank = static_cast<std::size_t>(word.bank);
      line.words[bank] += 1;
      if ((asked >> bank & 1) == 0) line.ideal_words[bank] += 1;
      asked |= std::uint64_t{1} << bank;
    }
  }
  ++line.requests;
  line.elsewhere += pieces.elsewhere != 0 ? 1 : 0;
  line.wavefronts += static_cast<std::uint64_t>(pieces.units);
  line.ideal += static_cast<std::uint64_t>(pieces.ideal);
  line.without_words += static_cast<std::uint64_t>(analysis::wavefronts_without_words(pieces.shared));
}

// The array that an access asks; empty: none that has a name.
std::string array_of(const BankMap& map, const trace::Access& access) {
  if (access.active == 0) return "";
  const std::uint64_t address =
      report::offset_in_block(access.address[static_cast<std::size_t>(std::countr_zero(access.active))]);
  for (const report::SharedArray& array : map.arrays)
    if (address >= array.offset && address < array.offset + array.bytes) return array.name;
  return "";
}

}  // namespace

BankMap bank_map_of(const run::Run& run, std::size_t block) {
  const report::BlockAccesses& accesses = run.stories[block]->accesses();
  BankMap map;
  map.banks = run.device().shared_banks;
  map.arrays = report::shared_arrays({*run.kernel, run.plan().spec.code, run.plan().parameters}, accesses);
  std::map<int, BankMap::Line> lines;
  const trace::PcIndex index(accesses.trace(), accesses.block());
  for (const std::uint32_t pc : index.pcs()) {
    const auto events = index.events(pc);
    if (accesses.trace().access(accesses.block(), events.front()).space != ptx::Space::shared) continue;
    const int number = run.kernel_lines[pc];
    BankMap::Line& line = lines[number];
    line.line = number;
    line.words.resize(static_cast<std::size_t>(map.banks));
    line.ideal_words.resize(static_cast<std::size_t>(map.banks));
    map.cut |= events.size() > kMostAccessesMapped;
    const trace::Access first = accesses.trace().access(accesses.block(), events.front());
    const std::string array = array_of(map, first);
    line.array = line.requests == 0 || line.array == array ? array : "";
    line.stores |= first.kind == emulator::AccessKind::store;
    for (std::size_t e = 0; e < std::min(events.size(), kMostAccessesMapped); ++e)
      add_access(run, accesses.trace().access(accesses.block(), events[e]), line);
  }
  for (auto& [number, line] : lines) map.lines.push_back(std::move(line));
  return map;
}

std::optional<WorstAccess> worst_access(const run::Run& run, std::size_t block, int line) {
  const report::BlockAccesses& accesses = run.stories[block]->accesses();
  std::optional<WorstAccess> worst;
  int most = 0;
  std::map<std::uint32_t, std::size_t> looked;  // at accesses of each instruction
  for (std::uint32_t warp = 0; warp < accesses.warps(); ++warp) {
    const auto events = accesses.of_warp(warp);
    for (std::uint32_t at = 0; at < events.size(); ++at) {
      const trace::Trace& trace = accesses.trace();
      const std::uint32_t pc = trace.pc(accesses.block(), events[at]);
      const bool is_of_line =
          run.kernel_lines[pc] == line && trace.space(accesses.block(), events[at]) == ptx::Space::shared;
      if (!is_of_line || ++looked[pc] > kMostAccessesMapped) continue;
      const trace::Access access = trace.access(accesses.block(), events[at]);
      const auto pieces = report::access_pieces(access, run.kernel->function().code[pc], run.device());
      const int lost = pieces.units - pieces.ideal - analysis::wavefronts_without_words(pieces.shared);
      if (lost <= 0) continue;
      const bool is_as_all = !worst || (worst->is_as_all && lost == most);
      if (lost > most) worst = WorstAccess{warp, at}, most = lost;
      worst->is_as_all = is_as_all;
    }
  }
  return worst;
}

}  // namespace warplens::study
