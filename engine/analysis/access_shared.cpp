// Shared memory: lanes' addresses -> wavefronts. Each rule serves one generation and cites its source; it
// tells a sink which wavefront of a phase gives which words to which lanes:
//   sink.serve(wavefront, lanes, address, bytes)   any number of times, in no order of wavefronts
//   sink.end_phase(number, extra)                  after each phase that moves data;
//                                                  extra: wavefronts without words
// One sink counts, another keeps the pieces.
#include <algorithm>

#include "engine/analysis/access_sets.hpp"
#include "engine/analysis/other_access.hpp"
#include "engine/analysis/pieces.hpp"

namespace warplens::analysis {
namespace {

template <class ServePhase>
void in_phases(std::uint32_t active, int lanes, ServePhase serve_phase) {
  for (int p = 0; p < 32 / lanes; ++p)
    if (const std::uint32_t mask = active & phase_mask(p, lanes); mask != 0) serve_phase(p, mask);
}

// Phases of `lanes` lanes, in which each place (the banks that a unit of `unit` bytes covers) gives one unit
// a wavefront. With every address a multiple of the unit, a phase takes as many wavefronts as the most wanted
// bank has distinct 4-byte words. fold(address): where the bytes lie when some banks are one place.
template <class Sink, class Fold>
void serve_units(const WarpAccess& access, int unit, int lanes, int extra, Sink& sink, Fold fold) {
  const int shift = std::countr_zero(static_cast<unsigned>(unit));
  const unsigned places = 128u / static_cast<unsigned>(unit);
  in_phases(access.active, lanes, [&](int phase, std::uint32_t mask) {
    DistinctKeys units;
    std::array<std::uint8_t, 32> length{};
    std::array<std::uint8_t, 64> wavefront_of;  // each of `units`
    for_each_lane(mask, [&](int lane) {
      const std::uint64_t key = fold(access.address[lane]) >> shift;
      const auto [slot, is_new] = units.place(key);
      const int wavefront = is_new ? wavefront_of[slot] = length[key % places]++ : wavefront_of[slot];
      sink.serve(wavefront, 1u << lane, access.address[lane], access.width);
    });
    sink.end_phase(phase, extra);
  });
}

template <class Sink>
void serve_units(const WarpAccess& access, int unit, int lanes, int extra, Sink& sink) {
  serve_units(access, unit, lanes, extra, sink, [](std::uint64_t address) { return address; });
}

// Whether no active pair of lanes (i, i xor distance) reads two addresses.
bool pairs_agree(const WarpAccess& access, int distance) {
  std::uint64_t differs = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int other = lane ^ distance;
    const bool both = (access.active >> lane & access.active >> other & 1u) != 0;
    differs |= both ? access.address[lane] ^ access.address[other] : 0;
  }
  return differs == 0;
}

// Measured on an H100 (9.0), assumed for every capability from 5.0 on: phases of 32, 16 or 8 lanes for up to
// 4, 8 or 16 bytes. A load whose neighbours read the same addresses is served in phases of twice as many
// lanes.
template <class Sink>
void measured(const WarpAccess& access, int unit, Sink& sink) {
  const bool agree =
      unit > 4 && access.op == AccessOp::load && (pairs_agree(access, 1) || pairs_agree(access, 2));
  serve_units(access, unit, 128 / unit * (agree ? 2 : 1), 0, sink);
}

// 3.x in its 4-byte mode, the default. CUDA C Programming Guide 4.2, F.5.3: a bank gives 64 bits a clock, so
// words i and i + 32 of one aligned 64-word segment do not conflict: both halves of 256 bytes are one place.
// Wider words: a clock moves 256 bytes, hence phases of 32 and 16 lanes for 8 and 16 bytes; the guide gives
// no rule for these and none was measured.
template <class Sink>
void kepler(const WarpAccess& access, int unit, Sink& sink) {
  serve_units(access, unit, std::min(32, 256 / unit), 0, sink,
              [](std::uint64_t address) { return address / 256 * 128 + address % 128; });
}

// 2.x. Guide 4.2, F.4.3: 32 banks, any number of words broadcast; 64-bit accesses by half-warps; 128-bit by
// quarter-warps, whose ways are one more than the banks alone would give.
template <class Sink>
void fermi(const WarpAccess& access, int unit, Sink& sink) {
  serve_units(access, unit, 128 / unit, unit == 16 ? 1 : 0, sink);
}

// The requests of one half-warp of a 1.x device for 32-bit words, as one entry for each distinct word in the
// order of their lowest lanes, which breaks ties.
struct HalfWarpWords {
  struct Word {
    std::uint64_t index;
    std::uint32_t lanes;  // still to be served
    int wanted() const { return std::popcount(lanes); }
  };
  std::array<Word, 16> words;
  int count = 0;

  void add(std::uint64_t index, std::uint32_t lane) {
    for (int w = 0; w < count; ++w)
      if (words[w].index == index) return void(words[w].lanes |= lane);
    words[count++] = {index, lane};
  }
};

// The word to broadcast: of the bank with most lanes waiting, the word that most of them want. -1 when all
// are served.
int broadcast_word(const HalfWarpWords& half) {
  std::array<int, 16> waiting{};
  for (int w = 0; w < half.count; ++w) waiting[half.words[w].index % 16] += half.words[w].wanted();
  int best = -1;
  const auto rank = [&](int w) { return waiting[half.words[w].index % 16] * 32 + half.words[w].wanted(); };
  for (int w = 0; w < half.count; ++w)
    if (half.words[w].lanes != 0 && (best < 0 || rank(w) > rank(best))) best = w;
  return best;
}

// Guide 4.2, F.3.3.2: each step serves all lanes of one broadcast word and one lane of every other bank.
// Which word is broadcast is unspecified; this takes the choice that shortens the longest queue. A bank's one
// lane is taken from its least wanted word.
template <class Sink>
void tesla_load(const WarpAccess& access, std::uint32_t mask, unsigned offset, Sink& sink) {
  HalfWarpWords half;
  for_each_lane(mask, [&](int lane) { half.add((access.address[lane] + offset) / 4, 1u << lane); });
  for (int step = 0;; ++step) {
    const int broadcast = broadcast_word(half);
    if (broadcast < 0) return;
    std::array<int, 16> served;  // word of each bank that this step serves, or -1
    served.fill(-1);
    for (int w = 0; w < half.count; ++w) {
      int& choice = served[half.words[w].index % 16];
      if (half.words[w].lanes != 0 && (choice < 0 || half.words[w].wanted() < half.words[choice].wanted()))
        choice = w;
    }
    served[half.words[broadcast].index % 16] = broadcast;
    for (const int w : served) {
      if (w < 0) continue;
      HalfWarpWords::Word& word = half.words[w];
      const std::uint32_t lanes = w == broadcast ? word.lanes : word.lanes & (0u - word.lanes);
      sink.serve(step, lanes, word.index * 4, 4);
      word.lanes &= ~lanes;
    }
  }
}

// A store has no broadcast; of the lanes that write one address only one does (guide 4.2, F.3.3).
template <class Sink>
void tesla_store(const WarpAccess& access, std::uint32_t mask, unsigned offset, Sink& sink) {
  DistinctKeys addresses;
  std::array<int, 16> length{};
  std::array<int, 64> wavefront_of;  // each of `addresses`
  for_each_lane(mask, [&](int lane) {
    const std::uint64_t address = access.address[lane] + offset;
    const auto [slot, is_new] = addresses.place(address);
    if (is_new) wavefront_of[slot] = length[address / 4 % 16]++;
    sink.serve(wavefront_of[slot], 1u << lane, address, 1);
  });
}

// 1.x. Guide 4.2, F.3.3: 16 banks, half-warps; F.3.3.4: wider accesses are split into 32-bit ones.
template <class Sink>
void tesla(const WarpAccess& access, Sink& sink) {
  int phase = 0;
  for (unsigned offset = 0; offset < static_cast<unsigned>(access.width); offset += 4)
    in_phases(access.active, 16, [&](int, std::uint32_t mask) {
      if (access.op == AccessOp::store)
        tesla_store(access, mask, offset, sink);
      else
        tesla_load(access, mask, offset, sink);
      sink.end_phase(phase++, 0);
    });
}

template <class Sink>
void serve(const WarpAccess& access, const device::Device& device, Sink& sink) {
  const int unit = std::max(access.width, 4);
  switch (device.compute_capability / 10) {
    case 1:
      return tesla(access, sink);
    case 2:
      return fermi(access, unit, sink);
    case 3:
      return kepler(access, unit, sink);
    default:
      return measured(access, unit, sink);
  }
}

template <class Sink>
void serve_matrices(const WarpAccess& rows, Sink& sink) {
  serve_units(rows, 16, 8, 0, sink);
}

template <class Sink>
void serve_atomics(const WarpAccess& access, Sink& sink) {
  std::array<int, 32> taken{};  // wavefronts of each bank so far
  for_each_lane(access.active, [&](int lane) {
    // A lane of 8 bytes has two banks that no other lane has only half of: its turn is that of its first one.
    const std::uint64_t word = access.address[lane] / 4;
    const int turn = taken[word % 32];
    for (int w = 0; w < std::max(access.width / 4, 1); ++w)
      taken[(word + static_cast<unsigned>(w)) % 32] = turn + 1;
    sink.serve(turn, 1u << lane, access.address[lane], access.width);
  });
  if (access.active != 0) sink.end_phase(0, 0);
}

struct Counting {
  SharedCounts counts;
  int longest = 0;  // wavefronts of the phase so far

  void serve(int wavefront, std::uint32_t, std::uint64_t, int) { longest = std::max(longest, wavefront + 1); }
  void end_phase(int, int extra) {
    counts.wavefronts += longest + extra;
    ++counts.ideal_wavefronts;
    longest = 0;
  }
};

struct Collecting {
  SharedPieces pieces;
  std::size_t first = 0;  // wavefront of the phase

  // Adds the words of `bytes` bytes at an address.
  void serve(int number, std::uint32_t lanes, std::uint64_t address, int bytes) {
    const std::size_t at = first + static_cast<std::size_t>(number);
    if (pieces.wavefronts.size() <= at) pieces.wavefronts.resize(at + 1);
    Wavefront& wavefront = pieces.wavefronts[at];
    wavefront.lanes |= lanes;
    for (std::uint64_t word = address / 4; word * 4 < address + static_cast<unsigned>(bytes); ++word) {
      const auto same = std::find_if(wavefront.words.begin(), wavefront.words.end(),
                                     [&](const BankWord& known) { return known.word == word; });
      if (same != wavefront.words.end())
        same->lanes |= lanes;
      else
        wavefront.words.push_back(
            {static_cast<int>(word % static_cast<unsigned>(pieces.banks)), word, lanes});
    }
  }
  void end_phase(int number, int extra) {
    pieces.wavefronts.resize(pieces.wavefronts.size() + static_cast<std::size_t>(extra));
    for (; first < pieces.wavefronts.size(); ++first) {
      pieces.wavefronts[first].phase = number;
      std::ranges::sort(pieces.wavefronts[first].words, {},
                        [](const BankWord& word) { return std::pair(word.bank, word.word); });
    }
    ++pieces.phases;
  }
};

}  // namespace

SharedCounts count_shared(const WarpAccess& access, const device::Device& device) {
  if (access.active == 0) return {};
  Counting sink;
  serve(access, device, sink);
  sink.counts.requests = 1;
  return sink.counts;
}

int matrix_wavefronts(const WarpAccess& rows) {
  Counting sink;
  serve_matrices(rows, sink);
  return sink.counts.wavefronts;
}

int shared_atomic_wavefronts(const WarpAccess& access) {
  Counting sink;
  serve_atomics(access, sink);
  return sink.counts.wavefronts;
}

SharedPieces shared_pieces(const WarpAccess& access, const device::Device& device) {
  Collecting sink;
  if (device.compute_capability < 20) sink.pieces.banks = 16;
  serve(access, device, sink);
  return std::move(sink.pieces);
}

SharedPieces matrix_pieces(const WarpAccess& rows) {
  Collecting sink;
  serve_matrices(rows, sink);
  return std::move(sink.pieces);
}

SharedPieces shared_atomic_pieces(const WarpAccess& access) {
  Collecting sink;
  serve_atomics(access, sink);
  return std::move(sink.pieces);
}

SharedCounts counts_of(const SharedPieces& pieces) {
  return {.requests = pieces.wavefronts.empty() ? 0 : 1,
          .wavefronts = static_cast<int>(pieces.wavefronts.size()),
          .ideal_wavefronts = pieces.phases};
}

int wavefronts_without_words(const SharedPieces& pieces) {
  return static_cast<int>(
      std::ranges::count_if(pieces.wavefronts, [](const Wavefront& one) { return one.words.empty(); }));
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

}  // namespace warplens::analysis
