#include "engine/explain/roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/explain/made_of.hpp"

namespace warplens::explain {
namespace {

using ptx::Opcode;

// [map, coordinates], [source]; a load has a barrier, and one to several blocks names them last.
bool stores_box(const ptx::Instruction& i) {
  return i.opcode == Opcode::cp_async_bulk_tensor && i.operands.size() == 2;
}
bool loads_box(const ptx::Instruction& i) {
  return i.opcode == Opcode::cp_async_bulk_tensor && i.operands.size() > 2;
}
bool is_multicast(const ptx::Instruction& i) { return loads_box(i) && i.operands.size() == 4; }
bool expects_bytes(const ptx::Instruction& i) { return i.opcode == Opcode::mbarrier_arrive_expect_tx; }
bool arrives(const ptx::Instruction& i) { return i.opcode == Opcode::mbarrier_arrive || expects_bytes(i); }
bool multiplies(const ptx::Instruction& i) { return i.opcode == Opcode::wgmma_mma_async; }
bool stores(const ptx::Instruction& i, const run::Run& run, std::size_t pc) {
  return stores_box(i) ||
         (i.opcode == Opcode::st && run.instructions[pc].counters.space == ptx::Space::global);
}

void note(std::vector<std::uint32_t>& threads, std::uint32_t warp, std::uint32_t lanes) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t thread = warp * 32 + lane;
    if ((lanes >> lane & 1) != 0 && std::ranges::find(threads, thread) == threads.end())
      threads.push_back(thread);
  }
}

// Whether a loop holds the instruction and a product.
bool is_in_loop_of_products(const ptx::Function& function, std::size_t pc) {
  for (std::size_t at = pc; at < function.code.size(); ++at) {
    const ptx::Instruction& i = function.code[at];
    if (i.opcode != Opcode::bra || i.operands.empty() || i.operands[0].target > pc) continue;
    const auto first = function.code.begin() + i.operands[0].target,
               end = function.code.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::any_of(first, end, multiplies)) return true;
  }
  return false;
}

void add(WarpGroupWork& group, const ptx::Instruction& i, const trace::LaneStep& step) {
  const auto lanes = static_cast<std::uint64_t>(std::popcount(step.lanes));
  if (loads_box(i)) group.boxes += lanes, note(group.copying, step.warp, step.lanes);
  if (stores_box(i)) group.boxes_stored += lanes, note(group.storing, step.warp, step.lanes);
  if (multiplies(i) && step.warp % 4 == 0) ++group.products;
  if (arrives(i)) group.arrivals += lanes;
  if (expects_bytes(i)) group.filled += lanes;
  if (i.opcode == Opcode::setmaxnreg) group.registers = static_cast<int>(i.operands[0].bits);
}

// ---- what is said

struct Sum {
  std::uint64_t boxes = 0, boxes_stored = 0, products = 0, arrivals = 0, filled = 0, tiles = 0;
  std::uint64_t multiplying = 0, copying_threads = 0, storing_threads = 0;
  int copying_alone = 0;  // groups that have tiles brought and do not multiply
  int most_registers = 0, least_registers = 0;
};
Sum sum_of(const Roles& roles) {
  Sum sum;
  for (const WarpGroupWork& group : roles.groups) {
    sum.boxes += group.boxes, sum.boxes_stored += group.boxes_stored, sum.products += group.products;
    sum.arrivals += group.arrivals, sum.filled += group.filled;
    sum.tiles = std::max(sum.tiles, group.tiles);
    sum.multiplying += group.products > 0 ? 1 : 0;
    sum.copying_threads += group.copying.size(), sum.storing_threads += group.storing.size();
    sum.copying_alone += group.boxes > 0 && group.products == 0 ? 1 : 0;
    if (group.registers == 0) continue;
    sum.most_registers = std::max(sum.most_registers, group.registers);
    if (sum.least_registers == 0 || group.registers < sum.least_registers)
      sum.least_registers = group.registers;
  }
  return sum;
}

Claim of_block(Quantity quantity, std::uint64_t number) {
  return claim::amount(quantity, static_cast<double>(number), Scope::block);
}
Claim plain(Quantity quantity, std::uint64_t number) {
  return claim::number(quantity, static_cast<double>(number), Scope::block);
}
// Its plural has a syllable more.
Claim boxes(Quantity quantity, std::uint64_t number) {
  return claim::words(fmt::format("{} box{}", grouped(number), number == 1 ? "" : "es"), quantity,
                      static_cast<double>(number), Scope::block);
}
Claim copying(const Sum& s) { return of_block(Quantity::copying_threads, s.copying_threads); }

struct Rule {
  bool (*holds)(const Roles&, const Sum&);
  Said (*what)(const Roles&, const Sum&);
  Said (*why)(const Roles&, const Sum&);
};

constexpr std::array kRules = {
    // Stores by TMA.
    Rule{[](const Roles& r, const Sum& s) { return s.boxes_stored > 0 && r.global_stores == 0; },
         [](const Roles&, const Sum& s) {
           return say("{} to global memory: {} by TMA",
                      {claim::every("no thread stores", Quantity::thread_stores, 0, Scope::kernel),
                       boxes(Quantity::boxes_stored, s.boxes_stored)});
         },
         [](const Roles&, const Sum& s) {
           return say(
               "{} have them taken out of shared memory, and stores are waited for before their tile is "
               "written again",
               {of_block(Quantity::storing_threads, s.storing_threads)});
         }},
    // Multicast.
    Rule{[](const Roles& r, const Sum&) { return r.blocks_of_a_box > 1; },
         [](const Roles& r, const Sum&) {
           return say("a tile that is copied once arrives in {}",
                      {of_block(Quantity::blocks_of_a_box, r.blocks_of_a_box)});
         },
         [](const Roles& r, const Sum&) {
           return say("a number that is copied serves {}",
                      {claim::words(fmt::format("{:.3g} multiply-adds", r.products_a_number),
                                    Quantity::products_a_number, r.products_a_number, Scope::kernel)});
         }},
    // Bare barriers.
    Rule{
        [](const Roles& r, const Sum& s) { return r.waits_by_parity && s.copying_alone > 0 && s.filled > 0; },
        [](const Roles&, const Sum& s) {
          const double each = static_cast<double>(s.arrivals) / static_cast<double>(s.filled);
          return say("{} for a stage that is filled",
                     {claim::words(fmt::format("{:.3g} arrivals", each), Quantity::arrivals_a_stage, each,
                                   Scope::block)});
        },
        [](const Roles&, const Sum&) {
          return say("a thread arrives for its role, and phases are waited for by their parity");
        }},
    // Persistent blocks.
    Rule{[](const Roles& r, const Sum& s) { return r.loops_over_tiles && s.tiles > 0; },
         [](const Roles&, const Sum& s) {
           return say("a block takes {} of C at this size", {of_block(Quantity::tiles_of_block, s.tiles)});
         },
         [](const Roles& r, const Sum& s) {
           return s.tiles > 1
                      ? say("{} copies for the next one while the sums of the last are stored", {copying(s)})
                      : say("with more tiles than {} it would go on with the next one",
                            {claim::amount(Quantity::blocks, static_cast<double>(r.blocks), Scope::kernel)});
         }},
    // Registers that move from a role to another.
    Rule{[](const Roles&, const Sum& s) {
           return s.most_registers > s.least_registers && s.copying_alone > 0;
         },
         [](const Roles&, const Sum& s) {
           return say("{} copies, {} multiply",
                      {copying(s), plain(Quantity::multiplying_threads, 128 * s.multiplying)});
         },
         [](const Roles&, const Sum& s) {
           return say("setmaxnreg: {} for who multiplies, {} for who copies",
                      {claim::amount(Quantity::most_registers, s.most_registers, Scope::thread),
                       claim::number(Quantity::least_registers, s.least_registers, Scope::thread)});
         }},
    // Roles.
    Rule{[](const Roles&, const Sum& s) { return s.copying_alone > 0; },
         [](const Roles&, const Sum& s) {
           return say("{} copies, {} others multiply",
                      {copying(s), plain(Quantity::multiplying_threads, 128 * s.multiplying)});
         },
         [](const Roles&, const Sum& s) {
           return say("{} and {} of a warp group, which meet at barriers in shared memory",
                      {boxes(Quantity::boxes, s.boxes), of_block(Quantity::products_of_groups, s.products)});
         }},
    // Several times 64 rows with one tile of B.
    Rule{[](const Roles&, const Sum& s) { return s.filled > 0 && s.products > 4 * s.filled; },
         [](const Roles& r, const Sum&) {
           return say("a number that is copied serves {}",
                      {claim::words(fmt::format("{:.3g} multiply-adds", r.products_a_number),
                                    Quantity::products_a_number, r.products_a_number, Scope::kernel)});
         },
         [](const Roles&, const Sum& s) {
           return say("{} of the warp group with {}",
                      {of_block(Quantity::products_of_groups, s.products), boxes(Quantity::boxes, s.boxes)});
         }},
    Rule{[](const Roles&, const Sum& s) { return s.boxes > 0; },
         [](const Roles&, const Sum& s) {
           return say("{} has tiles copied, {} multiply them",
                      {copying(s), plain(Quantity::multiplying_threads, 128 * s.multiplying)});
         },
         [](const Roles&, const Sum& s) {
           return say("{} by TMA, which wgmma reads in shared memory: {}",
                      {boxes(Quantity::boxes, s.boxes),
                       claim::every("no lane loads them", Quantity::thread_loads, 0, Scope::kernel)});
         }}};

}  // namespace

std::optional<Roles> roles_of(const run::Run& run, std::size_t block) {
  if (!run.complete || run.kernel == nullptr || run.lanes == nullptr || block >= run.trace->blocks().size())
    return std::nullopt;
  const trace::BlockLanes* lanes = run.lanes->of(run.trace->blocks()[block].block);
  const ptx::Function& function = run.kernel->function();
  const auto product = std::ranges::find_if(function.code, multiplies);
  if (lanes == nullptr || lanes->is_cut || product == function.code.end()) return std::nullopt;
  Roles roles;
  roles.line = run.kernel_lines[static_cast<std::size_t>(product - function.code.begin())];
  roles.blocks = catalog::blocks_in_grid(run.plan().launch);
  roles.groups.resize(static_cast<std::size_t>(catalog::warps_in_block(run.plan().launch) + 3) / 4);
  std::optional<std::uint32_t> last;  // the last store of a tile
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    if (stores(i, run, pc) && run.instructions[pc].counters.executed > 0) last = pc;
    const bool is_parity =
        i.opcode == Opcode::mbarrier_try_wait_parity || i.opcode == Opcode::mbarrier_test_wait_parity;
    roles.waits_by_parity |= is_parity;
    if (is_multicast(i) && run.instructions[pc].counters.executed > 0)
      roles.blocks_of_a_box = function.cluster[0] * function.cluster[1] * function.cluster[2];
  }
  for (const trace::LaneStep& step : lanes->steps) {
    WarpGroupWork& group = roles.groups[std::min<std::size_t>(step.warp / 4, roles.groups.size() - 1)];
    add(group, function.code[step.pc], step);
    if (last && step.pc == *last && step.warp % 4 == 0 && step.lanes != 0) ++group.tiles;
  }
  if (!run.job->build.instructions.moves_registers)  // ptxas left setmaxnreg out
    for (WarpGroupWork& group : roles.groups) group.registers = 0;
  roles.loops_over_tiles = last && is_in_loop_of_products(function, *last);
  const emulator::Counters& all = run.emulation.outcome.counters;
  roles.global_stores = all.global_store.requests;
  constexpr double kSector = 32, kMultiplyAdd = 2;  // bytes; operations
  const double numbers =
      kSector / ptx::size_in_bytes(product->matrix_types[1]) * static_cast<double>(all.tensor.load_sectors);
  if (numbers > 0)
    roles.products_a_number = static_cast<double>(all.tensor.operations) / kMultiplyAdd / numbers;
  return roles;
}

Explanation explain(const Roles& roles) {
  const Sum sum = sum_of(roles);
  for (const Rule& rule : kRules)
    if (rule.holds(roles, sum))
      return made_of(RuleId::roles, Verdict::good, {rule.what(roles, sum), rule.why(roles, sum), {}});
  return {};
}

}  // namespace warplens::explain
