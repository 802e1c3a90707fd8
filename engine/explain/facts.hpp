// What the addresses of one warp-wide access say about it: who sits next to whom, in which array, and which
// lanes wait. The rules of explain.hpp are chosen and filled by these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/report/access_story.hpp"
#include "engine/report/pieces.hpp"
#include "engine/run/run.hpp"

namespace warplens::explain {

// An access of a recorded block: position of the block in the trace, warp of the block, and which of the
// warp's accesses, from 0.
struct AccessPlace {
  std::size_t block = 0;
  std::uint32_t warp = 0, access = 0;
};

struct Facts {
  const run::Run& run;
  const report::AccessStory& story;
  trace::Access access;
  report::AccessPieces pieces;
  const report::Face* face = nullptr;  // the array; null where the address is in none
  std::string array = {};              // its name, else "memory"

  // Whose shared memory lanes use where it is another block's of the cluster: elsewhere_words(); else empty.
  std::string elsewhere = {};

  int lanes = 0;              // active
  int used = 0, moved = 0;    // bytes of global memory
  bool is_broadcast = false;  // all active lanes, more than one, at one address
  // Bytes from each lane to the next where it is the same for all neighbouring active lanes; and where it is
  // the same only within rows of 2, 4, 8 or 16 lanes, with the length of these rows.
  std::optional<std::int64_t> stride = {};
  int row_lanes = 32;
  // Whether lane + 1 is one row further down in the array, of this many bytes a row.
  bool walks_down = false;
  std::string walker = "threadIdx.x";  // the index of a thread that lane + 1 changes

  // Of the block, at this access: warps in all, warps that make it, lanes active in these.
  int block_warps = 0, working_warps = 0, working_lanes = 0;
  bool is_even = true;         // as many lanes of each of these warps
  bool reaches_edge = false;   // the array ends within the tiles of the last blocks: lanes may lie beyond it
  int line = 0;                // of the kernel's own text
  std::string condition = {};  // that the source asks before this access: "thread < distance"; empty: none

  // Warps that these lanes would fill.
  int needed_warps() const { return (working_lanes + 31) / 32; }
  // Whether warps work with some of their lanes where fewer full warps could do the same.
  bool lanes_are_scattered() const { return lanes > 0 && !reaches_edge && working_warps > needed_warps(); }
  // How many times as much as with the ideal is asked for, by sectors or wavefronts, and by idle lanes.
  double traffic_ratio() const {
    return pieces.ideal == 0 ? 1 : static_cast<double>(pieces.units) / pieces.ideal;
  }
  double lane_ratio() const { return lanes_are_scattered() ? 32.0 * working_warps / working_lanes : 1; }
  std::int64_t element_bytes() const {
    return face == nullptr ? 4 : static_cast<std::int64_t>(face->element_bytes);
  }
};

// Nothing where the warp has no such access.
std::optional<Facts> facts_at(const run::Run& run, const AccessPlace& place);

// "block 1 of the cluster, (1, 0, 0) of the grid", or "blocks 0, 1 and 3 of the cluster": whose shared memory
// the lanes of an access use, by rank; empty where it is their own.
std::string elsewhere_words(const run::Run& run, const trace::Access& access);

// "reads" of one lane, "read" of several.
std::string verb(const Facts& f);
std::string verb_of_several(const Facts& f);

// What the source asks with "if" in this line, or in the one above where that is nothing but the condition;
// empty where there is no such thing.
std::string condition_at(const run::Run& run, int line);

}  // namespace warplens::explain
