// Who does what in a block whose threads have roles: a few have tiles copied by the tensor memory accelerator
// (TMA), and whole warp groups multiply (wgmma). Lanes load neither fragments nor tiles there, so accesses are
// not what such a step is about.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

// Four warps side by side, in one recorded block.
struct WarpGroupWork {
  std::uint64_t boxes = 0, boxes_stored = 0;  // that its threads have TMA bring, and take out
  std::uint64_t products = 0;                 // wgmma, each of all 128 threads
  std::uint64_t arrivals = 0;                 // of threads, at barriers in shared memory
  std::uint64_t filled = 0;                   // of these the ones that expect the bytes of copies
  std::uint64_t tiles = 0;                    // of the output: turns of the loop that ends with its stores
  std::vector<std::uint32_t> copying;         // threads of the block that have boxes brought
  std::vector<std::uint32_t> storing;         // and taken out
  int registers = 0;                          // of a thread, from setmaxnreg; 0: those of the launch
};
struct Roles {
  int line = 0;  // of the first product in the kernel's own text
  std::vector<WarpGroupWork> groups;
  bool waits_by_parity = false, loops_over_tiles = false;
  std::uint32_t blocks_of_a_box = 1;  // of the cluster, that get what one copy brings
  double products_a_number = 0;       // multiply-adds for each number that the launch's copies bring
  std::uint64_t global_stores = 0;    // by threads of the launch
  std::uint64_t blocks = 1;           // of the grid
};
// block: a position in the run's trace. Nothing of a kernel without wgmma, and where nobody looked at its lanes.
std::optional<Roles> roles_of(const run::Run& run, std::size_t block);

// What the newest of these techniques does: stores by TMA, multicast, bare barriers, persistent blocks, registers
// that move, roles, larger tiles, and else that one thread copies and all of them multiply.
Explanation explain(const Roles& roles);

}  // namespace warplens::explain
