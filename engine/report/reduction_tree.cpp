#include "engine/report/reduction_tree.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace warplens::report {
namespace {

using ptx::Opcode, trace::Exchange;
using Tree = ReductionTree;

bool reads(const ptx::Operand& operand, ptx::RegisterId number) {
  if (operand.kind == ptx::Operand::Kind::vector)
    return std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const ptx::Operand& element) { return reads(element, number); });
  return operand.kind == ptx::Operand::Kind::reg && operand.register_id == number;
}

bool combines(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
    case Opcode::addc:
    case Opcode::and_:
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::max:
    case Opcode::min:
    case Opcode::mul:
    case Opcode::or_:
    case Opcode::setp:  // the larger one, by a comparison
    case Opcode::xor_:
      return true;
    default:
      return false;
  }
}

// Whether what this load or shuffle gets is put together with what the thread has, as its next use tells.
bool adds(const ptx::Function& function, std::uint32_t pc) {
  constexpr std::uint32_t reach = 24;
  const ptx::Instruction& got = function.code[pc];
  if (got.destinations == 0 || got.operands[0].kind != ptx::Operand::Kind::reg) return true;
  for (std::uint32_t next = pc + 1; next < function.code.size() && next < pc + reach; ++next) {
    const ptx::Instruction& use = function.code[next];
    for (std::size_t o = use.destinations; o < use.operands.size(); ++o) {
      if (!reads(use.operands[o], got.operands[0].register_id)) continue;
      // A shuffle moves bits: its float comes by a move.
      return use.opcode == Opcode::mov ? adds(function, next) : combines(use.opcode);
    }
  }
  return false;
}

// Rounds in the order in which the first warp that takes part comes to them.
class Rounds {
 public:
  Rounds(const ptx::Function& function, const std::vector<int>& lines, std::uint32_t warps)
      : function_(function), lines_(lines), warps_(warps) {}

  void add(const Exchange& exchange) {
    if (exchange.kind == Exchange::Kind::store) return keep_writers(exchange);
    Tree::Round& round = round_at(exchange);
    if (std::find(round.pcs.begin(), round.pcs.end(), exchange.pc) == round.pcs.end())
      round.pcs.push_back(exchange.pc);
    round.lanes[exchange.warp] |= exchange.lanes;
    for (std::uint32_t left = exchange.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      add_arcs(round, exchange, lane);
    }
  }
  std::vector<Tree::Round> finish() && {
    std::erase_if(rounds_, [](const Tree::Round& round) { return round.arcs.empty(); });
    return std::move(rounds_);
  }

 private:
  void keep_writers(const Exchange& exchange) {
    ++stores_[exchange.warp];
    for (std::uint32_t left = exchange.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      for (std::uint32_t w = 0; w < exchange.words; ++w)
        writers_[exchange.at[lane] + w] = exchange.warp * 32 + lane;
    }
  }

  // How often a warp stored between its loads of this line in this turn: a function that adds, called again
  // and again, has one line for all of its calls.
  std::uint32_t repeats_of(const Exchange& exchange, std::uint64_t place) {
    Visits& visits = visits_[{exchange.warp, place, exchange.turn}];
    const std::uint32_t stores = stores_[exchange.warp];
    if (visits.begun && visits.stores != stores) ++visits.repeats;
    visits.begun = true, visits.stores = stores;
    return visits.repeats;
  }

  // Loads of one line in one turn are one round until the warp stores: what a thread has and what it adds may
  // both come from others.
  Tree::Round& round_at(const Exchange& exchange) {
    const int line = exchange.pc < lines_.size() ? lines_[exchange.pc] : 0;
    const bool shuffle = exchange.kind == Exchange::Kind::shuffle;
    const std::uint64_t place =
        shuffle ? exchange.pc : (std::uint64_t{1} << 32) + static_cast<unsigned>(line);
    const std::uint32_t repeats = shuffle ? 0 : repeats_of(exchange, place);
    const auto [found, is_new] = numbers_.emplace(std::tuple{place, exchange.turn, repeats}, rounds_.size());
    if (is_new) {
      Tree::Round round{
          .pcs = {}, .line = line, .turn = exchange.turn, .is_shuffle = shuffle, .lanes = {}, .arcs = {}};
      round.lanes.assign(warps_, 0);
      round.adds = adds(function_, exchange.pc);
      rounds_.push_back(std::move(round));
    }
    return rounds_[found->second];
  }

  void add_arcs(Tree::Round& round, const Exchange& exchange, std::uint32_t lane) {
    const std::uint32_t to = exchange.warp * 32 + lane;
    if (exchange.kind == Exchange::Kind::shuffle) {
      if (exchange.at[lane] != lane) round.arcs.push_back({exchange.warp * 32 + exchange.at[lane], to});
      return;
    }
    for (std::uint32_t w = 0; w < exchange.words; ++w) {
      const auto writer = writers_.find(exchange.at[lane] + w);
      if (writer != writers_.end() && writer->second != to) round.arcs.push_back({writer->second, to});
    }
  }

  const ptx::Function& function_;
  const std::vector<int>& lines_;
  std::uint32_t warps_;
  std::vector<Tree::Round> rounds_;
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, std::size_t> numbers_;
  struct Visits {
    std::uint32_t stores = 0, repeats = 0;
    bool begun = false;
  };
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, Visits> visits_;
  std::map<std::uint32_t, std::uint32_t> stores_;             // of each warp, so far
  std::unordered_map<std::uint32_t, std::uint32_t> writers_;  // of each word, the last thread
};

// Backwards from the results: whose values come to them.
void find_what_counts(Tree& tree) {
  std::vector<bool> wanted(tree.threads);  // by thread, as those below
  for (const std::uint32_t thread : tree.results) wanted[thread] = true;
  for (auto round = tree.rounds.rbegin(); round != tree.rounds.rend(); ++round) {
    std::vector<bool> before(tree.threads), fed(tree.threads);
    for (Tree::Arc& arc : round->arcs) {
      arc.counts = wanted[arc.to];
      if (arc.counts) before[arc.from] = true, fed[arc.to] = true;
    }
    // Where values are handed on, a lane of a warp that gets some has nothing from before but its own word.
    const auto is_replaced = [&](std::uint32_t thread) {
      const std::uint32_t takers = round->lanes[thread / 32];
      return !round->adds && takers != 0 && (fed[thread] || (takers >> (thread % 32) & 1) == 0);
    };
    for (std::uint32_t thread = 0; thread < tree.threads; ++thread)
      if (wanted[thread] && !is_replaced(thread)) before[thread] = true;
    wanted = std::move(before);
  }
}

std::vector<std::uint32_t> writers_of_results(const AccessStory& story) {
  std::set<std::uint32_t> threads;
  for (std::size_t f = 0; f < story.faces().size(); ++f)
    for (const AccessStory::Owned& owned : story.owned(f)) threads.insert(owned.thread);
  return {threads.begin(), threads.end()};
}

}  // namespace

std::uint32_t Tree::Round::working_lanes() const {
  std::uint32_t working = 0;
  for (const std::uint32_t mask : lanes) working += static_cast<std::uint32_t>(std::popcount(mask));
  return working;
}

std::uint32_t Tree::Round::working_warps() const {
  return static_cast<std::uint32_t>(
      std::count_if(lanes.begin(), lanes.end(), [](std::uint32_t mask) { return mask != 0; }));
}

std::uint32_t Tree::Round::useful_lanes() const {
  std::vector<std::uint32_t> into(lanes.size());  // of each warp, a bit a lane
  for (const Arc& arc : arcs)
    if (arc.counts) into[arc.to / 32] |= 1u << (arc.to % 32);
  return std::accumulate(into.begin(), into.end(), 0u, [](std::uint32_t sum, std::uint32_t mask) {
    return sum + static_cast<std::uint32_t>(std::popcount(mask));
  });
}

std::optional<std::int64_t> Tree::Round::distance() const {
  std::optional<std::int64_t> all;
  for (const Arc& arc : arcs) {
    const std::int64_t here = std::int64_t{arc.from} - std::int64_t{arc.to};
    if (all && *all != here) return std::nullopt;
    all = here;
  }
  return all;
}

std::optional<std::size_t> Tree::round_of(std::uint32_t pc, std::uint32_t turn) const {
  for (std::size_t r = 0; r < rounds.size(); ++r)
    if (rounds[r].turn == turn &&
        std::find(rounds[r].pcs.begin(), rounds[r].pcs.end(), pc) != rounds[r].pcs.end())
      return r;
  return std::nullopt;
}

std::shared_ptr<const ReductionTree> reduction_tree(const trace::BlockLanes& lanes,
                                                    const ptx::Function& function,
                                                    const std::vector<int>& kernel_lines,
                                                    const AccessStory& story) {
  if (lanes.exchanges.empty() || lanes.is_cut) return nullptr;
  auto tree = std::make_shared<ReductionTree>();
  tree->results = writers_of_results(story);
  for (const trace::LaneStep& step : lanes.steps) tree->warps = std::max(tree->warps, step.warp + 1);
  tree->threads = 32 * tree->warps;
  if (tree->results.empty() || 4 * tree->results.size() > tree->threads) return nullptr;
  Rounds rounds(function, kernel_lines, tree->warps);
  for (const Exchange& exchange : lanes.exchanges) rounds.add(exchange);
  tree->rounds = std::move(rounds).finish();
  find_what_counts(*tree);
  const auto additions =
      std::count_if(tree->rounds.begin(), tree->rounds.end(),
                    [](const Tree::Round& round) { return round.adds && round.useful_lanes() > 0; });
  return additions < 2 ? nullptr : tree;
}

}  // namespace warplens::report
