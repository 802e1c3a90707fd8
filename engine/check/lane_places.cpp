#include "engine/check/lane_places.hpp"

#include <algorithm>

#include "engine/check/order/lanes.hpp"

namespace warplens::check {
namespace {

using Addresses = std::array<std::uint64_t, 32>;

bool is_same(const LanePlaces& places, const Addresses& address, std::uint32_t exec) {
  const std::uint64_t first = address[lowest(exec)];
  std::uint64_t differs = places.exec ^ exec;
  for (std::size_t lane = 0; lane < 32; ++lane)
    differs |= ((address[lane] - first) ^ places.offsets[lane]) & places.is_there[lane];
  return differs == 0;
}

std::uint32_t lanes_at(const Addresses& offsets, std::uint32_t lanes, std::uint64_t wanted) {
  std::uint32_t same = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) same |= offsets[lane] == wanted ? 1u << lane : 0;
  return same & lanes;
}

LanePlaces places_of(const Addresses& address, std::uint32_t exec) {
  LanePlaces places;
  places.exec = exec;
  const std::uint64_t first = address[lowest(exec)];
  for_each_lane(exec, [&](std::uint32_t lane) {
    const std::uint64_t offset = address[lane] - first;
    places.offsets[lane] = offset;
    places.is_there[lane] = ~std::uint64_t{0};
    places.low = std::min(places.low, static_cast<std::int64_t>(offset));
    places.high = std::max(places.high, static_cast<std::int64_t>(offset));
    places.bits |= offset;
  });
  for (std::uint32_t rest = exec; rest != 0; rest &= ~places.lanes[places.count++])
    places.lanes[places.count] = lanes_at(places.offsets, rest, places.offsets[lowest(rest)]);
  return places;
}

}  // namespace

const LanePlaces& PlacesOfLanes::at(std::uint32_t pc, const Addresses& address, std::uint32_t exec) {
  auto& last = last_[pc];
  if (last == nullptr)
    last = std::make_unique<LanePlaces>(places_of(address, exec));
  else if (!is_same(*last, address, exec))
    *last = places_of(address, exec);
  return *last;
}

}  // namespace warplens::check
