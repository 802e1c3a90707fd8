// Vector loads that ptxas takes apart: of four words of which two are used that make no aligned pair, it
// loads each of the two by itself, from shared and from global memory (ptxas 13.0, sm_90: probes of every two
// words of four, and counters of an H100, whose warps made three requests for one float4 and x and z of
// another).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/vectorized_loads.hpp"

namespace warplens::emulator {

// Two words of four that are loaded one by one. One bit a word.
bool are_apart(std::uint32_t words);

class ApartLoads {
 public:
  explicit ApartLoads(const ptx::Function& flat);

  // The elements of a load that some instruction reads, one bit each.
  std::uint32_t wanted(const ptx::Instruction& load) const;

  // Bytes from what the PTX loads to the first and to the second word; equal: the load is not taken apart.
  struct Words {
    std::uint8_t first = 0, second = 0;
  };
  // access: of that pc. Of shared memory one that leads more than itself is no such load.
  Words words_of(std::uint32_t pc, const VectorizedAccess& access) const;

 private:
  const ptx::Function& flat_;
  std::vector<bool> used_;  // registers that some instruction reads
};

}  // namespace warplens::emulator
