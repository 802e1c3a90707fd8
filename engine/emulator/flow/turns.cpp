#include "engine/emulator/flow/turns.hpp"

#include <algorithm>

#include "engine/emulator/flow/dominators.hpp"

namespace warplens::emulator {

namespace {

// Whether lanes come back to a block from more than one that stands behind it in the code.
bool some_are_met_again(const Flow& flow) {
  const auto& blocks = flow.blocks();
  std::vector<std::uint32_t> backward(blocks.size());
  for (std::uint32_t b = 0; b < blocks.size(); ++b)
    for (const std::uint32_t next : blocks[b].successors)
      if (next <= b && ++backward[next] > 1) return true;
  return false;
}

class Order {
 public:
  explicit Order(const Flow& flow) : flow_(flow) {
    for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) order_.push_back(b);
  }

  // Puts what stands before the head of a loop behind the rest of it, where only so all lanes meet at the end of a turn.
  void put_right(const Dominators::Loop& loop) {
    const auto is_inside = [&](std::uint32_t b) { return loop.body.test(b); };
    const auto first = std::ranges::find_if(order_, is_inside);
    if (edges_to(*first, loop) < 2 || edges_to(loop.header, loop) != 1) return;
    const auto header = std::ranges::find(order_, loop.header);
    std::vector<std::uint32_t> moved;
    std::copy_if(first, header, std::back_inserter(moved), is_inside);
    order_.erase(std::remove_if(first, header, is_inside), header);
    const auto last = std::find_if(order_.rbegin(), order_.rend(), is_inside);
    order_.insert(last.base(), moved.begin(), moved.end());
  }

  std::vector<std::uint32_t> turns() const {
    std::vector<std::uint32_t> turns(flow_.blocks().back().end + std::size_t{1});
    std::uint32_t next = 0;
    for (const std::uint32_t b : order_)
      for (std::uint32_t pc = flow_.blocks()[b].begin; pc < flow_.blocks()[b].end; ++pc) turns[pc] = next++;
    turns.back() = next;
    return turns;
  }

 private:
  std::size_t edges_to(std::uint32_t block, const Dominators::Loop& loop) const {
    std::size_t edges = 0;
    loop.body.for_each([&](std::size_t b) {
      edges += static_cast<std::size_t>(std::ranges::count(flow_.blocks()[b].successors, block));
    });
    return edges;
  }

  const Flow& flow_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> turns_of(const Flow& flow) {
  if (!some_are_met_again(flow)) return {};
  const Dominators dominators(flow);
  Order order(flow);
  // The inner loops first.
  for (auto loop = dominators.loops().rbegin(); loop != dominators.loops().rend(); ++loop)
    order.put_right(*loop);
  auto turns = order.turns();
  return std::ranges::is_sorted(turns) ? std::vector<std::uint32_t>{} : turns;
}

}  // namespace warplens::emulator
