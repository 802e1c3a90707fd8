#include "engine/time/ptx_code.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/emulator/flow/flow.hpp"
#include "engine/time/anchors.hpp"
#include "engine/time/async_work.hpp"
#include "engine/time/flow_equations.hpp"
#include "engine/time/ptx_work.hpp"

namespace warplens::time {
namespace {

using ptx::Opcode, ptx::Space;

// Cycles until the result of arithmetic may be read, and barriers that wait for everything else.
constexpr int kLatency = 4, kBarriers = 6;

Access access_of(const ptx::Instruction& i) {
  const bool is_shared = i.space == Space::shared;
  switch (i.opcode) {
    case Opcode::ld:
      return is_shared                    ? Access::shared_load
             : i.space == Space::constant ? Access::constant_load
             : i.space == Space::local    ? Access::local_load
                                          : Access::global_load;
    case Opcode::st:
      return is_shared                 ? Access::shared_store
             : i.space == Space::local ? Access::local_store
                                       : Access::global_store;
    case Opcode::ldmatrix:
      return Access::shared_load;
    case Opcode::wmma_load:
      return is_shared ? Access::shared_load : Access::global_load;
    case Opcode::wmma_store:
      return is_shared ? Access::shared_store : Access::global_store;
    case Opcode::stmatrix:
      return Access::shared_store;
    case Opcode::atom:
    case Opcode::red:
      return is_shared ? Access::shared_atomic : Access::global_atomic;
    case Opcode::cp_async:
      return Access::async_copy;
    case Opcode::cp_async_bulk:
    case Opcode::cp_async_bulk_tensor:
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor:
      return async_of(i) == Async::load ? Access::bulk_load : Access::bulk_store;
    default:
      return Access::global_load;
  }
}

Control control_of(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::bra:
      return Control::branch;
    case Opcode::exit:
    case Opcode::ret:
      return Control::exit;
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
      return Control::barrier;
    case Opcode::cp_async_commit_group:
      return Control::end_of_copies;
    case Opcode::cp_async_wait_group:
    case Opcode::cp_async_wait_all:
      return Control::wait_for_copies;
    default:
      return Control::none;
  }
}

bool is_variable(Unit unit) {
  return unit == Unit::memory || unit == Unit::shuffle || unit == Unit::special || unit == Unit::tensor;
}

// Walks the code in order and makes every instruction wait for what it reads, as ptxas would.
class Scheduler {
 public:
  explicit Scheduler(std::size_t registers) : ready_(registers), barrier_(registers, -1) {}
  // Of the instructions [first, code.size()) that one of PTX became.
  void place(std::vector<Instruction>& code, std::size_t first, const ptx::Instruction& i) {
    emulator::registers_of(i, written_, read_);
    Instruction& head = code[first];
    for (const ptx::RegisterId id : read_) {
      if (barrier_[id] >= 0) head.waits |= static_cast<std::uint8_t>(1 << barrier_[id]);
      if (ready_[id] > now_ && first > 0) {
        const int more = std::min(ready_[id] - now_, kLatency);
        code[first - 1].stall = static_cast<std::uint8_t>(code[first - 1].stall + more);
        now_ += more;
      }
    }
    now_ += static_cast<int>(code.size() - first);
    Instruction& last = code.back();
    const bool varies = is_variable(last.unit) && last.control == Control::none && !written_.empty();
    if (varies) last.write_barrier = static_cast<std::uint8_t>(next_++ % kBarriers);
    for (const ptx::RegisterId id : written_) {
      ready_[id] = varies ? 0 : now_ - 1 + kLatency;
      barrier_[id] = varies ? last.write_barrier : -1;
    }
  }
  // What is done nothing else became: its result is there when what it reads is.
  void pass(const ptx::Instruction& i) {
    emulator::registers_of(i, written_, read_);
    for (const ptx::RegisterId to : written_) {
      ready_[to] = 0, barrier_[to] = -1;
      for (const ptx::RegisterId from : read_) {
        ready_[to] = std::max(ready_[to], ready_[from]);
        if (barrier_[from] >= 0) barrier_[to] = barrier_[from];
      }
    }
  }

 private:
  std::vector<int> ready_, barrier_;
  std::vector<ptx::RegisterId> written_, read_;
  int now_ = 0, next_ = 0;
};

// The instructions of a block as ptxas orders them, more or less: loads, and what computes their addresses,
// as early as may be.
class Order {
 public:
  Order(const ptx::Function& function, const emulator::BasicBlock& block)
      : function_(function), begin_(block.begin), nodes_(block.end - block.begin) {
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) add(pc);
    for (std::size_t i = nodes_.size(); i-- > 0;)
      for (const std::uint32_t next : nodes_[i].before)
        nodes_[i].feeds_load = nodes_[i].feeds_load || nodes_[next].feeds_load;
  }
  std::vector<std::uint32_t> list() {
    std::set<std::pair<bool, std::uint32_t>> ready;  // not before a load; place
    const auto enter = [&](std::uint32_t i) { ready.emplace(!nodes_[i].feeds_load, i); };
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].waits == 0) enter(i);
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
      const std::uint32_t i = ready.begin()->second;
      ready.erase(ready.begin());
      order.push_back(begin_ + i);
      for (const std::uint32_t next : nodes_[i].before)
        if (--nodes_[next].waits == 0) enter(next);
    }
    return order;
  }

 private:
  struct Node {
    std::vector<std::uint32_t> before;  // which it must come before
    int waits = 0;
    bool feeds_load = false;
  };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  void follow(std::uint32_t first, std::uint32_t then) {
    if (first == kNobody || first == then) return;
    nodes_[first].before.push_back(then);
    ++nodes_[then].waits;
  }
  void add(std::uint32_t pc) {
    const ptx::Instruction& i = function_.code[pc];
    const std::uint32_t here = pc - begin_;
    emulator::registers_of(i, written_, read_);
    for (const ptx::RegisterId id : read_) follow(writer(id), here), readers_[id].push_back(here);
    for (const ptx::RegisterId id : written_) {
      follow(writer(id), here);
      for (const std::uint32_t reader : readers_[id]) follow(reader, here);
      readers_[id].clear();
      writers_[id] = here;
    }
    const bool is_load =
        i.opcode == Opcode::ld || i.opcode == Opcode::ldmatrix || i.opcode == Opcode::wmma_load;
    nodes_[here].feeds_load = is_load && i.space != Space::param;
    if (is_load) {
      follow(last_, here);
      loads_.push_back(here);
    } else if (work_of(i).pieces[0].unit == Unit::memory || control_of(i) != Control::none) {
      follow(last_, here);
      for (const std::uint32_t load : loads_) follow(load, here);
      loads_.clear();
      last_ = here;
    }
    // The end of a block comes behind all of it.
    if (here + 1 == nodes_.size())
      for (std::uint32_t other = 0; other < here; ++other) follow(other, here);
  }
  std::uint32_t writer(ptx::RegisterId id) const {
    const auto found = writers_.find(id);
    return found == writers_.end() ? kNobody : found->second;
  }

  const ptx::Function& function_;
  std::uint32_t begin_ = 0, last_ = kNobody;  // last_: that changed memory, or waited
  std::vector<Node> nodes_;
  std::map<ptx::RegisterId, std::uint32_t> writers_;
  std::map<ptx::RegisterId, std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> loads_;  // since then
  std::vector<ptx::RegisterId> written_, read_;
};

// As in machine code: by the bytes of a row of A.
Product product_of(const ptx::Instruction& i) {
  constexpr int kWhole = 32;
  if (i.matrix_types[1] == ptx::Type::f64) return Product::doubles;
  const int depth = i.opcode == ptx::Opcode::mma_sp ? i.shape[2] / 2 : i.shape[2];  // half is not there
  return depth * ptx::size_in_bytes(i.matrix_types[1]) < kWhole ? Product::half : Product::whole;
}

Instruction plain(const ptx::Function& function, const ptx::Instruction& i, Unit unit) {
  Instruction one;
  one.unit = unit;
  one.line = line_of(function, i);
  one.ptx_line = i.ptx_line;
  one.async = async_of(i);
  if (unit == Unit::tensor && one.async == Async::none) one.product = product_of(i);
  one.guarded = i.predicated;
  one.doubles = i.opcode == Opcode::cvt && (i.type == ptx::Type::f64 || i.source_type == ptx::Type::f64);
  if (unit == Unit::memory) {
    one.access = access_of(i);
    one.of_lanes = one.access == Access::constant_load;
    one.width = static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * i.vector);
  }
  return one;
}

// Those of one instruction of PTX; the last of them has its result.
void append(std::vector<Instruction>& code, const ptx::Function& function, std::uint32_t pc,
            const std::vector<emulator::VectorizedAccess>& accesses, bool old, Scheduler& scheduler) {
  const ptx::Instruction& i = function.code[pc];
  const std::size_t first = code.size();
  for (const PtxWork::Piece& piece : work_at(function, pc, accesses, old).pieces)
    for (int n = 0; n < piece.count; ++n) code.push_back(plain(function, i, piece.unit));
  if (code.size() == first) return scheduler.pass(i);
  if (pc < accesses.size() && accesses[pc].width != 0)
    code.back().width = static_cast<std::uint8_t>(accesses[pc].width);
  code.back().control = control_of(i);
  if (code.back().async != Async::none || code.back().control == Control::barrier) code.back().pc = pc;
  if (i.opcode == Opcode::bar_arrive) code.back().async = Async::arrive;
  if (i.opcode == Opcode::wgmma_mma_async)
    code.back().closes_group =
        pc + 1 < function.code.size() && function.code[pc + 1].opcode != Opcode::wgmma_mma_async;
  if (i.opcode == Opcode::wgmma_wait_group && !i.operands.empty())
    code.back().pending = static_cast<std::uint8_t>(i.operands[0].bits);
  if (i.opcode == Opcode::cp_async_wait_group && !i.operands.empty())
    code.back().pending = static_cast<std::uint8_t>(i.operands[0].bits);
  scheduler.place(code, first, i);
}

std::vector<Edge> edges_of(const emulator::BasicBlock& block, const ptx::Function& function) {
  std::vector<Edge> edges;
  for (const std::uint32_t next : block.successors) edges.push_back({next, 0});
  const ptx::Instruction& last = function.code[block.end - 1];
  if (edges.empty() || ((last.opcode == Opcode::exit || last.opcode == Opcode::ret) && last.predicated))
    edges.push_back({kLeave, 0});
  if (edges.size() > 2) edges.resize(2);
  return edges;
}

// The ways between blocks of which it is known how often they ran.
void find_edges(std::vector<Block>& blocks) {
  const Unknowns unknowns(blocks);
  auto equations = flow_equations(blocks, unknowns);
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    Equation equation{{}, blocks[b].executed, 100.0};
    for (const int i : unknowns.into(b)) equation.terms.emplace_back(i, 1.0);
    equations.push_back(std::move(equation));
  }
  const auto x = solve_not_negative(equations, costs_of(blocks, unknowns));
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t i = 0; i < blocks[b].edges.size(); ++i)
      blocks[b].edges[i].taken = x[static_cast<std::size_t>(unknowns.edge(b, i))];
}

}  // namespace

namespace {

PtxCode blocks_of(const ptx::Function& function, const emulator::Flow& flow,
                  const emulator::Counters& counters, const std::vector<emulator::VectorizedAccess>& accesses,
                  double warps, bool old, Scheduler& scheduler) {
  PtxCode result;
  for (const emulator::BasicBlock& from : flow.blocks()) {
    Block block;
    block.first = static_cast<std::uint32_t>(result.code.size());
    for (const std::uint32_t pc : Order(function, from).list())
      append(result.code, function, pc, accesses, old, scheduler);
    if (result.code.size() == block.first)  // a block has an instruction
      result.code.push_back(plain(function, function.code[from.begin], Unit::none));
    block.end = static_cast<std::uint32_t>(result.code.size());
    block.executed = static_cast<double>(counters.instructions[from.begin].executed) / warps;
    block.edges = edges_of(from, function);
    result.flow.instructions += block.executed * (block.end - block.first);
    result.flow.blocks.push_back(std::move(block));
  }
  return result;
}

}  // namespace

PtxCode code_of_ptx(const ptx::Function& function, const emulator::Counters& counters,
                    const std::vector<emulator::VectorizedAccess>& accesses, double warps, bool old) {
  const emulator::Flow flow(function);
  Scheduler scheduler(function.registers.size());
  // Twice: a loop begins with what its last turn left.
  blocks_of(function, flow, counters, accesses, warps, old, scheduler);
  PtxCode result = blocks_of(function, flow, counters, accesses, warps, old, scheduler);
  find_edges(result.flow.blocks);
  return result;
}

}  // namespace warplens::time
