// Who copies, multiplies and stores in blocks whose threads have roles: by the text of the PTX, and by the lanes that
// were seen to execute it.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>
#include <string_view>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;

std::string_view without_guard(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(text.find(' ') + 1);
  return text;
}
bool is_box(std::string_view text) { return text.starts_with("cp.async.bulk.tensor."); }
// [to], [map, {x, y}], [barrier], and behind that the blocks that get it; or [map, {x, y}], [from].
bool brings(std::string_view text) { return is_box(text) && std::ranges::count(text, '[') == 3; }
bool takes_out(std::string_view text) { return is_box(text) && std::ranges::count(text, '[') == 2; }
bool multiplies(std::string_view text) { return text.starts_with("wgmma.mma_async."); }
bool stores(std::string_view text) { return text.starts_with("st.global.") || takes_out(text); }

using Is = bool (*)(std::string_view text);

const trace::BlockLanes* lanes_of(const Subject& s) {
  const auto& blocks = s.run.trace->blocks();
  return s.run.lanes == nullptr || s.place.block >= blocks.size()
             ? nullptr
             : s.run.lanes->of(blocks[s.place.block].block);
}
std::string_view text_at(const Subject& s, std::uint32_t pc) {
  return without_guard(s.run.instructions[pc].text);
}

template <Is is>
Measured threads(const Subject& s) {
  const trace::BlockLanes* lanes = lanes_of(s);
  if (lanes == nullptr) return std::nullopt;
  std::set<std::uint32_t> found;
  for (const trace::LaneStep& step : lanes->steps)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if ((step.lanes >> lane & 1) != 0 && is(text_at(s, step.pc))) found.insert(step.warp * 32 + lane);
  return one(static_cast<double>(found.size()));
}
// Executions by single threads; divided among so many of them.
template <Is is, int together>
Measured executed(const Subject& s) {
  const trace::BlockLanes* lanes = lanes_of(s);
  if (lanes == nullptr) return std::nullopt;
  double count = 0;
  for (const trace::LaneStep& step : lanes->steps)
    if (is(text_at(s, step.pc))) count += std::popcount(step.lanes);
  return one(count / together);
}
// From a product to a store: of the warp that makes most of them.
Measured tiles_of_block(const Subject& s) {
  const trace::BlockLanes* lanes = lanes_of(s);
  if (lanes == nullptr) return std::nullopt;
  struct Warp {
    bool multiplied = false;
    double tiles = 0;
  };
  std::map<std::uint32_t, Warp> warps;
  double most = 0;
  for (const trace::LaneStep& step : lanes->steps) {
    const std::string_view text = text_at(s, step.pc);
    Warp& warp = warps[step.warp];
    if (multiplies(text)) warp.multiplied = true;
    if (stores(text) && step.lanes != 0 && warp.multiplied) warp.multiplied = false, ++warp.tiles;
    most = std::max(most, warp.tiles);
  }
  return one(most);
}

double lanes_in_all(const Subject& s, Is is) {
  double lanes = 0;
  for (const auto& row : s.run.instructions)
    if (is(without_guard(row.text))) lanes += static_cast<double>(row.counters.lanes);
  return lanes;
}
Measured thread_stores(const Subject& s) {
  return one(lanes_in_all(s, [](std::string_view text) { return text.starts_with("st.global."); }));
}
Measured thread_loads(const Subject& s) {
  return one(lanes_in_all(s, [](std::string_view text) {
    return text.starts_with("ld.global.") || text.starts_with("ld.shared.") || text.starts_with("ldmatrix.");
  }));
}
Measured arrivals_a_stage(const Subject& s) {
  const double all = lanes_in_all(s,
                                  [](std::string_view text) { return text.starts_with("mbarrier.arrive."); }),
               filled = lanes_in_all(
                   s, [](std::string_view text) { return text.starts_with("mbarrier.arrive.expect_tx."); });
  return filled > 0 ? Measured(one(all / filled)) : std::nullopt;
}
Measured blocks_of_a_box(const Subject& s) {
  const bool is_multicast =
      lanes_in_all(s, [](std::string_view text) {
        return brings(text) && text.find(',', text.rfind(']')) != std::string_view::npos;
      }) > 0;
  const auto cluster = s.run.kernel->together().cluster;
  return one(is_multicast ? static_cast<double>(cluster[0]) * cluster[1] * cluster[2] : 1);
}
// The problem's own multiply-adds, over the numbers of 16 bits that TMA brings.
Measured products_a_number(const Subject& s) {
  const run::Emulation& ran = s.run.emulation;
  const double numbers =
      16.0 * static_cast<double>(ran.outcome.counters.tensor.load_sectors) / ran.counted_share();
  return numbers > 0 ? Measured(one(s.run.job->instance->operations() / 2 / numbers)) : std::nullopt;
}
// "setmaxnreg.inc.sync.aligned.u32 240;"
template <bool most>
Measured registers(const Subject& s) {
  if (!s.run.job->build.instructions.moves_registers) return std::nullopt;
  std::vector<double> given;
  for (const auto& row : s.run.instructions) {
    const std::string_view text = without_guard(row.text);
    if (text.starts_with("setmaxnreg.") && row.counters.executed > 0)
      given.push_back(std::atof(std::string(text.substr(text.find(' ') + 1)).c_str()));
  }
  if (given.empty()) return std::nullopt;
  return one(most ? *std::ranges::max_element(given) : *std::ranges::min_element(given));
}

}  // namespace

std::vector<Row> role_measures() {
  return {{Quantity::copying_threads, threads<brings>},
          {Quantity::storing_threads, threads<takes_out>},
          {Quantity::multiplying_threads, threads<multiplies>},
          {Quantity::boxes, executed<brings, 1>},
          {Quantity::boxes_stored, executed<takes_out, 1>},
          {Quantity::products_of_groups, executed<multiplies, 128>},
          {Quantity::thread_stores, thread_stores},
          {Quantity::thread_loads, thread_loads},
          {Quantity::blocks_of_a_box, blocks_of_a_box},
          {Quantity::products_a_number, products_a_number},
          {Quantity::arrivals_a_stage, arrivals_a_stage},
          {Quantity::tiles_of_block, tiles_of_block},
          {Quantity::most_registers, registers<true>},
          {Quantity::least_registers, registers<false>}};
}

}  // namespace warplens::claims_check
