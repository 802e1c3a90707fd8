// Instructions in a row that only compute values from values. Where all that they read is defined, all that
// they write is defined behind them and there is nothing else to find out, so they are looked at once for all
// of them: they are most of what a kernel executes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/check/registers.hpp"

namespace warplens::check {

struct Stretch {
  std::uint32_t end = 0;                       // the pc behind the last
  std::vector<ptx::RegisterId> read, written;  // read before the stretch writes it; each register once
};

class Stretches {
 public:
  Stretches(const ptx::Function& function, const std::vector<RegisterUse>& uses);
  // The one whose first instruction is at pc; null: none is.
  const Stretch* at(std::uint32_t pc) const {
    return numbers_[pc] == 0 ? nullptr : &stretches_[numbers_[pc] - 1];
  }

 private:
  std::vector<std::uint32_t> numbers_;  // of each pc, from 1
  std::vector<Stretch> stretches_;
};

}  // namespace warplens::check
