// The wavefronts of shared-memory accesses, by the rules of analysis/access_shared.cpp: hardware/README.md
// for what was measured, CUDA C Programming Guide 4.2, appendix F, for older devices.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "engine/report/pieces.hpp"

namespace warplens::report {
namespace {

using analysis::AccessOp, analysis::WarpAccess;

template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

std::uint32_t lanes_of_phase(int phase, int lanes) {
  return (lanes == 32 ? 0xffffffffu : (1u << lanes) - 1) << (phase * lanes);
}

// Adds the words of `bytes` bytes at an address, for one lane.
void add_words(Wavefront& wavefront, std::uint64_t address, int bytes, std::uint32_t lanes, int banks) {
  wavefront.lanes |= lanes;
  for (std::uint64_t word = address / 4; word < (address + static_cast<std::uint64_t>(bytes) + 3) / 4;
       ++word) {
    const auto same = std::find_if(wavefront.words.begin(), wavefront.words.end(),
                                   [&](const BankWord& known) { return known.word == word; });
    if (same != wavefront.words.end())
      same->lanes |= lanes;
    else
      wavefront.words.push_back({static_cast<int>(word % static_cast<unsigned>(banks)), word, lanes});
  }
}

void sort_words(std::vector<Wavefront>& wavefronts, std::size_t first) {
  for (std::size_t w = first; w < wavefronts.size(); ++w)
    std::sort(wavefronts[w].words.begin(), wavefronts[w].words.end(),
              [](const BankWord& a, const BankWord& b) {
                return a.bank != b.bank ? a.bank < b.bank : a.word < b.word;
              });
}

// One phase in which each place (the banks that a unit covers) gives one unit a wavefront. fold: the unit's
// key.
template <class Fold>
void add_ranked(SharedPieces& pieces, const WarpAccess& access, std::uint32_t mask, int phase, int unit,
                Fold fold) {
  const std::size_t first = pieces.wavefronts.size();
  std::map<std::uint64_t, std::size_t> rank_of;  // of each unit in its place
  std::vector<std::size_t> length(static_cast<std::size_t>(128 / unit), 0);
  for_each_lane(mask, [&](std::size_t lane) {
    const std::uint64_t key = fold(access.address[lane]) / static_cast<unsigned>(unit);
    const auto [known, fresh] = rank_of.try_emplace(key, length[key % length.size()]);
    if (fresh) ++length[key % length.size()];
    while (pieces.wavefronts.size() <= first + known->second) pieces.wavefronts.push_back({phase, 0, {}});
    add_words(pieces.wavefronts[first + known->second], access.address[lane], access.width, 1u << lane,
              pieces.banks);
  });
  sort_words(pieces.wavefronts, first);
  ++pieces.phases;
}

template <class AddPhase>
void in_phases(std::uint32_t active, int lanes, AddPhase add_phase) {
  for (int p = 0; p < 32 / lanes; ++p)
    if (const std::uint32_t mask = active & lanes_of_phase(p, lanes); mask != 0) add_phase(p, mask);
}

std::uint64_t as_it_is(std::uint64_t address) { return address; }

bool pairs_agree(const WarpAccess& access, std::size_t distance) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::size_t other = lane ^ distance;
    if ((access.active >> lane & access.active >> other & 1u) != 0 &&
        access.address[lane] != access.address[other])
      return false;
  }
  return true;
}

void measured(SharedPieces& pieces, const WarpAccess& access) {
  const int unit = std::max(access.width, 4);
  int lanes = 128 / unit;
  if (unit > 4 && access.op == AccessOp::load && (pairs_agree(access, 1) || pairs_agree(access, 2)))
    lanes *= 2;
  in_phases(access.active, lanes,
            [&](int p, std::uint32_t mask) { add_ranked(pieces, access, mask, p, unit, as_it_is); });
}

// 3.x: words i and i + 32 of an aligned 256-byte segment come together.
void kepler(SharedPieces& pieces, const WarpAccess& access) {
  const int unit = std::max(access.width, 4);
  in_phases(access.active, std::min(32, 256 / unit), [&](int p, std::uint32_t mask) {
    add_ranked(pieces, access, mask, p, unit,
               [](std::uint64_t address) { return address / 256 * 128 + address % 128; });
  });
}

// 2.x: a phase of 16-byte accesses takes one wavefront more than its banks ask for, drawn as one without
// words.
void fermi(SharedPieces& pieces, const WarpAccess& access) {
  const int unit = std::max(access.width, 4);
  in_phases(access.active, 128 / unit, [&](int p, std::uint32_t mask) {
    add_ranked(pieces, access, mask, p, unit, as_it_is);
    if (unit == 16) pieces.wavefronts.push_back({p, 0, {}});
  });
}

// 1.x load of a half-warp, 4 bytes at `offset`: each step serves every lane of one broadcast word and one
// lane of each other bank (guide 4.2, F.3.3.2).
void tesla_load(SharedPieces& pieces, const WarpAccess& access, std::uint32_t waiting, int phase,
                std::uint64_t offset) {
  const auto word_of = [&](std::size_t lane) { return (access.address[lane] + offset) / 4; };
  // The words in the order of their lowest lane among all lanes of the half-warp: that order breaks ties.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> words;  // and their waiting lanes
  for_each_lane(waiting, [&](std::size_t lane) {
    const auto same =
        std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == word_of(lane); });
    if (same != words.end())
      same->second |= 1u << lane;
    else
      words.emplace_back(word_of(lane), 1u << lane);
  });
  for (;;) {
    std::array<int, 16> queue{};
    for (const auto& [word, lanes] : words) queue[word % 16] += std::popcount(lanes);
    auto* broadcast = static_cast<std::pair<std::uint64_t, std::uint32_t>*>(nullptr);
    std::array<std::pair<std::uint64_t, std::uint32_t>*, 16> served{};
    const auto rank = [&](const auto& w) { return queue[w.first % 16] * 32 + std::popcount(w.second); };
    for (auto& word : words) {
      if (word.second == 0) continue;
      if (broadcast == nullptr || rank(word) > rank(*broadcast)) broadcast = &word;
      auto*& choice = served[word.first % 16];
      if (choice == nullptr || std::popcount(word.second) < std::popcount(choice->second)) choice = &word;
    }
    if (broadcast == nullptr) return;
    Wavefront step{phase, 0, {}};
    served[broadcast->first % 16] = nullptr;
    add_words(step, broadcast->first * 4, 4, broadcast->second, pieces.banks);
    broadcast->second = 0;
    for (auto* word : served) {
      if (word == nullptr) continue;
      const std::uint32_t lane = word->second & (0u - word->second);
      add_words(step, word->first * 4, 4, lane, pieces.banks);
      word->second &= ~lane;
    }
    pieces.wavefronts.push_back(step);
  }
}

// 1.x store: no broadcast, and of the lanes that write one address only one does (guide 4.2, F.3.3).
void tesla_store(SharedPieces& pieces, const WarpAccess& access, std::uint32_t mask, int phase,
                 std::uint64_t offset) {
  const std::size_t first = pieces.wavefronts.size();
  std::map<std::uint64_t, std::size_t> rank_of;
  std::array<std::size_t, 16> length{};
  for_each_lane(mask, [&](std::size_t lane) {
    const std::uint64_t address = access.address[lane] + offset;
    const auto [known, fresh] = rank_of.try_emplace(address, length[address / 4 % 16]);
    if (fresh) ++length[address / 4 % 16];
    while (pieces.wavefronts.size() <= first + known->second) pieces.wavefronts.push_back({phase, 0, {}});
    add_words(pieces.wavefronts[first + known->second], address, 1, 1u << lane, pieces.banks);
  });
}

// 1.x: 16 banks, half-warps, wider accesses in pieces of 4 bytes (guide 4.2, F.3.3 and F.3.3.4).
void tesla(SharedPieces& pieces, const WarpAccess& access) {
  pieces.banks = 16;
  int phase = 0;
  for (std::uint64_t offset = 0; offset < static_cast<std::uint64_t>(access.width); offset += 4)
    in_phases(access.active, 16, [&](int, std::uint32_t mask) {
      const std::size_t first = pieces.wavefronts.size();
      if (access.op == AccessOp::store)
        tesla_store(pieces, access, mask, phase++, offset);
      else
        tesla_load(pieces, access, mask, phase++, offset);
      sort_words(pieces.wavefronts, first);
      ++pieces.phases;
    });
}

}  // namespace

SharedPieces shared_pieces(const WarpAccess& access, const device::Device& device) {
  SharedPieces pieces;
  switch (device.compute_capability / 10) {
    case 1:
      tesla(pieces, access);
      break;
    case 2:
      fermi(pieces, access);
      break;
    case 3:
      kepler(pieces, access);
      break;
    default:
      measured(pieces, access);
  }
  return pieces;
}

SharedPieces matrix_pieces(const WarpAccess& rows) {
  SharedPieces pieces;
  in_phases(rows.active, 8,
            [&](int p, std::uint32_t mask) { add_ranked(pieces, rows, mask, p, 16, as_it_is); });
  return pieces;
}

SharedPieces shared_atomic_pieces(const WarpAccess& access) {
  SharedPieces pieces;
  std::array<std::size_t, 32> taken{};  // wavefronts of each bank so far
  for_each_lane(access.active, [&](std::size_t lane) {
    // A lane of 8 bytes has two banks that no other lane has only half of: its turn is that of its first one.
    const std::size_t turn = taken[access.address[lane] / 4 % 32];
    for (std::uint64_t at = access.address[lane];
         at < access.address[lane] + static_cast<unsigned>(access.width); at += 4)
      taken[at / 4 % 32] = turn + 1;
    while (pieces.wavefronts.size() <= turn) pieces.wavefronts.push_back({0, 0, {}});
    add_words(pieces.wavefronts[turn], access.address[lane], access.width, 1u << lane, pieces.banks);
  });
  sort_words(pieces.wavefronts, 0);
  pieces.phases = access.active != 0 ? 1 : 0;
  return pieces;
}

analysis::SharedCounts counts_of(const SharedPieces& pieces) {
  analysis::SharedCounts counts;
  counts.requests = pieces.wavefronts.empty() ? 0 : 1;
  counts.wavefronts = static_cast<int>(pieces.wavefronts.size());
  counts.ideal_wavefronts = pieces.phases;
  return counts;
}

int wavefronts_without_words(const SharedPieces& pieces) {
  return static_cast<int>(std::count_if(pieces.wavefronts.begin(), pieces.wavefronts.end(),
                                        [](const Wavefront& wavefront) { return wavefront.words.empty(); }));
}

std::size_t broadcast_words(const SharedPieces& pieces) {
  std::set<std::uint64_t> words;
  for (const Wavefront& wavefront : pieces.wavefronts)
    for (const BankWord& word : wavefront.words)
      if (word.is_broadcast()) words.insert(word.word);
  return words.size();
}

std::vector<Bank> bank_map(const SharedPieces& pieces, int phase) {
  std::vector<Bank> banks(static_cast<std::size_t>(pieces.banks));
  for (const Wavefront& wavefront : pieces.wavefronts)
    if (wavefront.phase == phase)
      for (const BankWord& word : wavefront.words)
        banks[static_cast<std::size_t>(word.bank)].words.push_back(word);
  return banks;
}

}  // namespace warplens::report
