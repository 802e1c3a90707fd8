#include "engine/check/order/lane_order.hpp"

#include <algorithm>

#include "engine/check/order/lanes.hpp"

namespace warplens::check {

void join(std::array<std::uint32_t, 32>& to, const std::array<std::uint32_t, 32>& from) {
  for (std::size_t e = 0; e < to.size(); ++e) to[e] = std::max(to[e], from[e]);
}

std::uint32_t LaneOrder::unmet(std::uint32_t time, std::uint32_t lanes, std::uint32_t lane) const {
  std::uint32_t others = lanes & ~(1u << lane);
  if (all_met_ > time) return 0;
  if (known_.empty()) return others;
  for_each_lane(others, [&](std::uint32_t other) {
    if (known_[lane][other] > time) others &= ~(1u << other);
  });
  return others;
}

void LaneOrder::meet(std::uint32_t lanes, std::uint32_t alive) {
  ++now_;
  if ((alive & ~lanes) == 0) {
    all_met_ = now_;
    return;
  }
  if (known_.empty()) known_.resize(32);
  for_each_lane(
      lanes, [&](std::uint32_t a) { for_each_lane(lanes, [&](std::uint32_t b) { known_[a][b] = now_; }); });
}

void LaneOrder::fence(std::uint32_t lanes) {
  ++now_;
  if (fenced_.empty()) fenced_.resize(32);
  for_each_lane(lanes, [&](std::uint32_t lane) {
    if (!known_.empty()) fenced_[lane] = known_[lane];
    fenced_[lane][lane] = now_;
  });
}

void LaneOrder::tell(std::uint32_t lanes, LaneClocks& to) const {
  if (!fenced_.empty()) for_each_lane(lanes, [&](std::uint32_t lane) { join(to, fenced_[lane]); });
}

void LaneOrder::hear(std::uint32_t lanes, const LaneClocks& told) {
  if (known_.empty()) known_.resize(32);
  for_each_lane(lanes, [&](std::uint32_t lane) { join(known_[lane], told); });
}

}  // namespace warplens::check
