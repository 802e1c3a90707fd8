#include "engine/problem/own/grid_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace warplens::problem {
namespace {

struct Pair {
  std::int64_t size = 0, blocks = 0;
};

// Multiples of what blocks mostly cover, and numbers with a rest.
constexpr std::int64_t kTrials[] = {1000, 4096, 4097, 8191, 65536, 65537, 98311, 131071, 1 << 20};
// A grid that is limited to so many blocks has no more here.
constexpr std::int64_t kLarge = 1 << 30;
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

enum class Rounding : std::uint8_t { up, down, down_and_one };

std::int64_t blocks_of(std::int64_t size, std::int64_t each, Rounding rounding) {
  if (rounding == Rounding::up) return (size + each - 1) / each;
  return size / each + (rounding == Rounding::down ? 0 : 1);
}

std::string words_of(const std::string& name, std::int64_t each, Rounding rounding) {
  if (each == 1) return rounding == Rounding::down_and_one ? name + " + 1" : name;
  if (rounding == Rounding::up) return fmt::format("ceil_div({}, {})", name, each);
  return fmt::format("floor_div({}, {}){}", name, each, rounding == Rounding::down ? "" : " + 1");
}

}  // namespace

std::optional<std::string> grid_form(const std::string& name, const Trial& size, const Trial& blocks) {
  std::int64_t most = kUnlimited;
  const auto large = blocks(kLarge);
  if (!large) return std::nullopt;
  if (large == blocks(2 * kLarge)) most = *large;
  if (large == blocks(kTrials[0])) return std::nullopt;  // it does not depend on it
  std::vector<Pair> pairs;
  for (const std::int64_t trial : kTrials) {
    const auto known = size(trial), made = blocks(trial);
    if (!known || !made || *known < 1) return std::nullopt;
    pairs.push_back({*known, *made});
  }
  const auto last =
      std::find_if(pairs.rbegin(), pairs.rend(), [&](const Pair& pair) { return pair.blocks < most; });
  if (last == pairs.rend() || last->blocks < 1 || pairs.front().blocks == last->blocks) return std::nullopt;
  const std::int64_t about = last->size / last->blocks;
  for (std::int64_t each = std::max<std::int64_t>(about - 1, 1); each <= about + 1; ++each)
    for (const Rounding rounding : {Rounding::up, Rounding::down, Rounding::down_and_one}) {
      const bool fits = std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return pair.blocks == std::min(blocks_of(pair.size, each, rounding), most);
      });
      if (!fits) continue;
      const std::string words = words_of(name, each, rounding);
      return most == kUnlimited ? words : fmt::format("min({}, {})", words, most);
    }
  return std::nullopt;
}

}  // namespace warplens::problem
