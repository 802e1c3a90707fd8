// The usual access to a word: nothing that the word remembers can race with it, and what it reads was
// written. What was found out of one key (see Mark) holds for all words that the instruction accesses, and
// those mostly have the keys of their neighbours.
#pragma once

#include <array>
#include <cstdint>

#include "engine/check/order/cells.hpp"
#include "engine/check/order/order.hpp"

namespace warplens::check {

// Memory in which all lanes of an access are, where only its words are left to look at.
struct Piece {
  Cells* cells = nullptr;   // null: there is more
  std::uint64_t begin = 0;  // the address of the first of them
  bool needs_value = true;  // a word that nobody wrote must not be read
};

class QuickAccess {
 public:
  // now: of the instruction. unit: bytes of a word. lanes_go_together: those of a warp are never at different
  // instructions.
  QuickAccess(const Order& order, const Piece& piece, Stamp now, std::uint32_t unit, bool lanes_go_together);

  // These lanes read all of a word. False: nothing was done, it has to be looked at closely.
  bool load(Cell& cell, std::uint32_t lanes);
  // One lane writes all of a word, with a value that is defined.
  bool store(Cell& cell, std::uint32_t lane);

 private:
  // What an earlier access is to the instruction.
  struct Earlier {
    std::uint32_t key = 0;
    bool is_own = false;      // of the same warp ...
    bool is_current = false;  // ... and neither it nor its lanes have met anybody since
    bool is_ordered = false;  // it was over before
  };
  const Earlier& find(Earlier& known, Mark mark) const {
    if (known.key != mark.key) look_up(known, mark);
    return known;
  }
  void look_up(Earlier& known, Mark mark) const;
  bool is_before(Earlier& known, Mark mark, std::uint32_t lane) const {
    if (mark.key == 0 || find(known, mark).is_ordered) return true;
    return known.is_own && (mark.lanes & ~lane) == 0;  // the lane's own
  }
  void remember(Cell& cell, std::uint32_t lanes);

  const Order& order_;
  const Moments& moments_;
  Moment now_;
  std::uint32_t key_;
  std::uint8_t all_;  // bytes of a word
  bool lanes_go_together_, needs_value_;
  Earlier write_;
  std::array<Earlier, 2> reads_;
};

inline bool QuickAccess::load(Cell& cell, std::uint32_t lanes) {
  if (needs_value_ && (cell.defined & all_) != all_) return false;
  if ((cell.undefined & all_) != 0 || cell.in_flight || cell.visits != 0) return false;
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    const Mark& read = cell.reads[r];
    if (read.key != 0 && find(reads_[r], read).is_current && (lanes & ~read.lanes) == 0 &&
        (read.key & all_) == all_)
      return true;  // a write since then would have cleared that
  }
  if (cell.write.key != 0 && !find(write_, cell.write).is_ordered) return false;
  remember(cell, lanes);
  return true;
}

// As Races does: the own warp's slot, or one that is empty or ordered.
inline void QuickAccess::remember(Cell& cell, std::uint32_t lanes) {
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    Mark& read = cell.reads[r];
    if (read.key == 0 || !find(reads_[r], read).is_own) continue;
    read = {key_, reads_[r].is_current ? read.lanes | lanes : lanes};
    return;
  }
  for (std::size_t r = 0; r < reads_.size(); ++r) {
    Mark& read = cell.reads[r];
    if (read.key != 0 && !find(reads_[r], read).is_ordered) continue;
    read = {key_, lanes};
    return;
  }
}

inline bool QuickAccess::store(Cell& cell, std::uint32_t lane) {
  if (cell.in_flight || cell.visits != 0 || !is_before(write_, cell.write, lane)) return false;
  for (std::size_t r = 0; r < reads_.size(); ++r)
    if (!is_before(reads_[r], cell.reads[r], lane)) return false;
  cell.reads = {};
  cell.write = {key_, lane};
  cell.defined |= all_;
  cell.undefined &= static_cast<std::uint8_t>(~all_);
  return true;
}

}  // namespace warplens::check
