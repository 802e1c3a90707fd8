// How many elements of an array the lanes of a block read and write, one by one: an element that 32 lanes
// read is read 32 times.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/report/faces.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::report {

struct ElementTraffic {
  double loaded = 0;  // into registers
  double stored = 0;  // from registers
  double copied = 0;  // by cp.async: from global memory, or into shared memory
  // Of an array in shared memory: each of its words that is written is read as often for each time.
  bool is_read_evenly = false;
};

// Of each face. b: a position in trace.blocks(). Empty where the block has more accesses than a picture may
// look through.
std::vector<ElementTraffic> element_traffic(const trace::Trace& trace, std::size_t b,
                                            const std::vector<Face>& faces);

}  // namespace warplens::report
