#include "engine/check/order/quick.hpp"

namespace warplens::check {

QuickAccess::QuickAccess(const Order& order, const Piece& piece, Stamp now, std::uint32_t unit,
                         bool lanes_go_together)
    : order_(order),
      moments_(piece.cells->moments()),
      now_(now),
      all_(static_cast<std::uint8_t>((1u << unit) - 1)),
      lanes_go_together_(lanes_go_together),
      needs_value_(piece.needs_value) {
  now.bytes = all_;
  key_ = piece.cells->moments().mark(now).key;
}

void QuickAccess::look_up(Earlier& known, Mark mark) const {
  const Moment& earlier = moments_.of(mark);
  known.key = mark.key;
  known.is_own = earlier.block == now_.block && earlier.warp == now_.warp;
  known.is_current = known.is_own && earlier.clock == now_.clock && earlier.meeting == now_.meeting;
  known.is_ordered =
      known.is_own ? lanes_go_together_ || order_.all_met_since(earlier) : order_.knows(now_.warp, earlier);
}

}  // namespace warplens::check
