// One warp-wide access taken apart, for drawing: which lanes each transaction, sector, wavefront and bank
// serves. One rule makes the pieces and the counts of engine/analysis/access.hpp, which are sums over them.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "engine/analysis/access.hpp"

namespace warplens::analysis {

// ---- global memory

// 32 bytes of memory, aligned.
struct Sector {
  std::uint64_t id = 0;     // address / 32
  std::uint32_t lanes = 0;  // that ask for bytes of it
  std::uint32_t used = 0;   // the bytes asked for, bit i for byte i
};
// What one request to memory moves. Since compute capability 3.x: one sector.
struct Transaction {
  std::uint64_t address = 0;  // of the segment, line or sector
  std::uint32_t size = 32;    // bytes of it: 32, 64 or 128
  std::uint32_t sectors = 1;  // 32-byte units that are moved; less than size / 32 for a 2.x store
  std::uint32_t lanes = 0;    // that it serves
  int phase = 0;              // half-warp (1.x), half- or quarter-warp (2.x)
};
struct GlobalPieces {
  std::vector<Sector> sectors;  // touched, ascending
  std::vector<Transaction> transactions;
};
GlobalPieces global_pieces(const WarpAccess& access, const device::Device& device);
// Local memory is interleaved by lanes: word w of lane l lies at 128 * w + 4 * l of the warp's own area.
GlobalPieces local_pieces(const WarpAccess& access);
GlobalCounts counts_of(const GlobalPieces& pieces);
// A store of 2.x is one transaction a line, of which only the sectors asked for are moved.
bool moves_all(const Transaction& transaction);
// The 32-byte sectors that are moved, asked for or not: address / 32.
std::set<std::uint64_t> moved_sectors(const GlobalPieces& pieces);

// ---- shared memory

// A 4-byte word that a bank gives in one wavefront.
struct BankWord {
  int bank = 0;
  std::uint64_t word = 0;   // address / 4
  std::uint32_t lanes = 0;  // that get it
  bool is_broadcast() const { return (lanes & (lanes - 1)) != 0; }
};
struct Wavefront {
  int phase = 0;                // of the access; the first wavefront of a phase is free of conflict
  std::uint32_t lanes = 0;      // served
  std::vector<BankWord> words;  // ascending banks
};
struct SharedPieces {
  int banks = 32;
  int phases = 0;  // those that move data: the ideal number of wavefronts
  // Phase by phase; within one, the word of the lowest lane goes first in each bank.
  std::vector<Wavefront> wavefronts;
};
// A load or store by the device's rule.
SharedPieces shared_pieces(const WarpAccess& access, const device::Device& device);
// Of ldmatrix and stmatrix, and of atom and red: see the counts in engine/analysis/other_access.hpp.
SharedPieces matrix_pieces(const WarpAccess& rows);
SharedPieces shared_atomic_pieces(const WarpAccess& access);
SharedCounts counts_of(const SharedPieces& pieces);
// Wavefronts that no bank asks for: those which 16-byte accesses of 2.x take beyond what their banks need.
int wavefronts_without_words(const SharedPieces& pieces);
// Words that several lanes get at once; one that several wavefronts give counts once.
std::size_t broadcast_words(const SharedPieces& pieces);

// What each bank is asked for by one phase: its words in the order of their wavefronts. The longest list is
// the number of ways of the conflict.
struct Bank {
  std::vector<BankWord> words;
};
std::vector<Bank> bank_map(const SharedPieces& pieces, int phase);

}  // namespace warplens::analysis
