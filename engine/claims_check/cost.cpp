// Sectors and wavefronts of one access, counted in the plainest way.
#include <bit>
#include <map>
#include <set>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

using trace::Access;

bool is_active(const Access& access, std::size_t lane) { return (access.active >> lane & 1) != 0; }

// Of local memory in the warp's own area: word w of lane l lies behind those of the lanes before it.
std::set<std::uint64_t> bytes_of(const Access& access) {
  const bool is_local = access.space == ptx::Space::local;
  std::set<std::uint64_t> bytes;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::uint64_t b = 0; is_active(access, lane) && b < access.width; ++b) {
      const std::uint64_t byte = access.address[lane] + b;
      bytes.insert(is_local ? byte / 4 * 128 + lane * 4 + byte % 4 : byte);
    }
  return bytes;
}

double sectors_of(const Access& access) {
  std::set<std::uint64_t> sectors;
  for (const std::uint64_t byte : bytes_of(access)) sectors.insert(byte / 32);
  return static_cast<double>(sectors.size());
}

// 1.2 and 1.3: each half of a warp takes segments, from the lowest lane on, each halved while one half of it
// is enough.
double segments_of(const Access& access) {
  const std::uint64_t whole = access.width == 1 ? 32 : access.width == 2 ? 64 : 128;
  double sectors = 0;
  for (std::size_t half = 0; half < 32; half += 16) {
    std::set<std::size_t> waiting;
    for (std::size_t lane = half; lane < half + 16; ++lane)
      if (is_active(access, lane)) waiting.insert(lane);
    while (!waiting.empty()) {
      const std::uint64_t segment = access.address[*waiting.begin()] / whole;
      std::set<std::uint64_t> pieces;  // of 32 bytes
      std::erase_if(waiting, [&](std::size_t lane) {
        if (access.address[lane] / whole != segment) return false;
        for (std::uint64_t b = 0; b < access.width; ++b) pieces.insert((access.address[lane] + b) / 32);
        return true;
      });
      std::uint64_t size = 32;  // the smallest aligned piece that holds them all
      while (*pieces.begin() * 32 / size != *pieces.rbegin() * 32 / size) size *= 2;
      sectors += static_cast<double>(size) / 32;
    }
  }
  return sectors;
}

// Neighbours, or neighbours' neighbours, that ask for one address are served together.
bool agrees(const Access& access, std::size_t apart) {
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (is_active(access, lane) && is_active(access, lane ^ apart) &&
        access.address[lane] != access.address[lane ^ apart])
      return false;
  return true;
}

std::size_t phase_of(const Access& access) {
  const std::size_t width = std::max<std::size_t>(access.width, 4);
  const bool agree =
      width > 4 && access.kind == emulator::AccessKind::load && (agrees(access, 1) || agrees(access, 2));
  return 128 / width * (agree ? 2 : 1);
}

// An atomic updates a word of a bank in a turn, for one lane. Of 8 bytes the turn is that of the first word.
Cost turns_of_atomic(const Access& access) {
  std::map<std::uint64_t, double> turns;  // taken, by bank
  Cost cost;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (!is_active(access, lane)) continue;
    const std::uint64_t word = access.address[lane] / 4;
    const double turn = turns[word % 32] + 1;
    for (std::size_t w = 0; w < std::max<std::size_t>(access.width / 4, 1); ++w)
      turns[(word + w) % 32] = turn;
    cost.units = std::max(cost.units, turn), cost.least = 1;
  }
  return cost;
}

// From 5.0 on: 128 bytes a turn, 32 banks of a word each.
Cost banks_of(const Access& access) {
  if (access.kind == emulator::AccessKind::atomic) return turns_of_atomic(access);
  const std::size_t width = std::max<std::size_t>(access.width, 4), lanes = phase_of(access);
  Cost cost;
  for (std::size_t first = 0; first < 32; first += lanes) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    for (std::size_t lane = first; lane < std::min<std::size_t>(first + lanes, 32); ++lane)
      for (std::size_t b = 0; is_active(access, lane) && b < width; b += 4)
        words_of_bank[(access.address[lane] + b) / 4 % 32].insert((access.address[lane] + b) / 4);
    std::size_t most = 0;
    for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
    cost.units += static_cast<double>(most), cost.least += most > 0 ? 1 : 0;
  }
  return cost;
}

// 1.x, one half of a warp, a word of each lane: in each turn one word goes to all that want it, and each
// other bank serves one lane.
double turns_of_half(std::map<std::uint64_t, int> lanes_of_word) {
  double turns = 0;
  while (!lanes_of_word.empty()) {
    ++turns;
    std::map<std::uint64_t, int> waiting;  // by bank
    for (const auto& [word, lanes] : lanes_of_word) waiting[word % 16] += lanes;
    auto to_all = lanes_of_word.begin();
    for (auto at = lanes_of_word.begin(); at != lanes_of_word.end(); ++at)
      if (std::pair(waiting[at->first % 16], at->second) >
          std::pair(waiting[to_all->first % 16], to_all->second))
        to_all = at;
    const std::uint64_t broadcast = to_all->first;
    std::map<std::uint64_t, std::uint64_t> served = {{broadcast % 16, broadcast}};
    for (const auto& [word, lanes] : lanes_of_word) {
      if (word % 16 == broadcast % 16) continue;
      const auto [at, is_new] = served.try_emplace(word % 16, word);
      if (!is_new && lanes < lanes_of_word[at->second]) at->second = word;
    }
    for (const auto& [bank, word] : served)
      if (word == broadcast || --lanes_of_word[word] == 0) lanes_of_word.erase(word);
  }
  return turns;
}

Cost old_banks_of(const Access& access) {
  const bool stores = access.kind == emulator::AccessKind::store;
  Cost cost;
  for (std::size_t half = 0; half < 32; half += 16)
    for (std::uint64_t b = 0; b < access.width; b += 4) {
      std::map<std::uint64_t, int> lanes_of_word;
      std::map<std::uint64_t, std::set<std::uint64_t>> stored;  // by bank
      for (std::size_t lane = half; lane < half + 16; ++lane) {
        if (!is_active(access, lane)) continue;
        ++lanes_of_word[(access.address[lane] + b) / 4];
        stored[(access.address[lane] + b) / 4 % 16].insert(access.address[lane] + b);
      }
      if (lanes_of_word.empty()) continue;
      std::size_t most = 0;
      for (const auto& [bank, words] : stored) most = std::max(most, words.size());
      cost.units += stores ? static_cast<double>(most) : turns_of_half(lanes_of_word);
      cost.least += 1;
    }
  return cost;
}

// Of those that update one word together the first.
Access first_lanes(Access access) {
  std::set<std::uint64_t> seen;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (is_active(access, lane) && !seen.insert(access.address[lane]).second) access.active &= ~(1u << lane);
  return access;
}

}  // namespace

std::size_t lanes_together(const Access& access, const device::Device& device) {
  return device.compute_capability < 20 ? 16 : phase_of(access);
}

std::uint32_t lanes_elsewhere(const Access& access) {
  constexpr std::uint64_t kMoreThanAnSmHas = 1 << 20;
  std::uint32_t lanes = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0 && access.space == ptx::Space::shared &&
        access.address[lane] >= kMoreThanAnSmHas)
      lanes |= 1u << lane;
  return lanes;
}

Cost cost_of(const Access& all, const run::Run& run) {
  Access access = run.kernel->function().code[all.pc].combined ? first_lanes(all) : all;
  // What goes to another block passes no banks here; atomics were measured to.
  if (access.kind != emulator::AccessKind::atomic) access.active &= ~lanes_elsewhere(access);
  const device::Device& device = run.device();
  if (is_shared(access)) return device.compute_capability < 20 ? old_banks_of(access) : banks_of(access);
  const auto bytes = static_cast<double>(bytes_of(access).size());
  const double least = static_cast<double>(static_cast<std::uint64_t>(bytes + 31) / 32);
  const bool by_sectors =
      device.global_rule == device::GlobalRule::sectors_32 || access.space == ptx::Space::local;
  return {by_sectors ? sectors_of(access) : segments_of(access), least};
}

}  // namespace warplens::claims_check
