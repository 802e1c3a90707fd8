// Shared memory of a whole block as it is counted: how often each source line asks each bank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/shared_arrays.hpp"
#include "engine/run/run.hpp"

namespace warplens::study {

// Accesses of one instruction that are looked at; more are left out and BankMap::cut says so.
inline constexpr std::size_t kMostAccessesMapped = 4096;

struct BankMap {
  struct Line {
    int line = 0;
    std::vector<double> words;        // that each bank gave, of the recorded accesses
    std::vector<double> ideal_words;  // phases of accesses that asked the bank: it can give a word in each
    std::uint64_t requests = 0, wavefronts = 0, ideal = 0;  // of the recorded accesses
    std::string array = {};  // that it accesses; empty where it is none or several
    bool stores = false;
    std::uint64_t elsewhere = 0;      // of the requests: with lanes in the shared memory of other blocks
    std::uint64_t without_words = 0;  // of the wavefronts: see analysis::wavefronts_without_words
  };
  std::vector<Line> lines;  // ascending
  int banks = 32;
  std::vector<report::SharedArray> arrays;
  bool cut = false;  // kMostAccessesMapped was reached
};
// block: a position in the trace's blocks.
BankMap bank_map_of(const run::Run& run, std::size_t block);

// The access of a line that loses most wavefronts to bank conflicts, of the recorded ones.
struct WorstAccess {
  std::uint32_t warp = 0, access = 0;  // of the warp's, from 0
  bool is_as_all = true;               // all of the line that lose any lose as many
};
// Nothing where none of them loses any.
std::optional<WorstAccess> worst_access(const run::Run& run, std::size_t block, int line);

}  // namespace warplens::study
