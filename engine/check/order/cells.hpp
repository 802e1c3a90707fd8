// What each word of some memory remembers of those who accessed it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/check/order/order.hpp"

namespace warplens::check {

// An access that a word remembers. Most words that an instruction accesses get the same key from it, and what
// is known of a key needs no second look.
struct Mark {
  // 16 times the number of its Moment, and the bytes of the word, a bit each; 0: nobody
  std::uint32_t key = 0;
  std::uint32_t lanes = 0;
};

// The latest accesses of four bytes of memory. What few words have stands apart: the cells of a large array
// are what checking it takes time for.
struct Cell {
  Mark write;
  std::array<Mark, 2> reads;   // of different warps
  std::uint32_t visits = 0;    // its place in a VisitPool, from 1
  std::uint8_t defined = 0;    // bytes that were written, a bit each
  std::uint8_t undefined = 0;  // bytes that were written with a value that is not defined
  bool in_flight = false;      // an asynchronous copy that nobody has waited for, by `write`
};

struct Visits {
  std::array<Stamp, 2> atomics;    // of different warps
  std::uint32_t last_atomic = 0;   // the block of the newest one, its index + 1
  std::uint32_t read_only_pc = 0;  // + 1: a load through the read-only cache
  Stamp early_read;                // before anybody had written it
  std::uint16_t early_origin = 0;  // of the value that it read; 0: nobody did
};

// The moments that the marks of some cells are of.
class Moments {
 public:
  const Moment& of(Mark mark) const { return moments_[mark.key >> 4]; }
  // Nobody's where there is no mark.
  Stamp stamp(Mark mark) const {
    Stamp stamp{of(mark)};
    stamp.lanes = mark.lanes;
    stamp.bytes = mark.key & 15;
    return stamp;
  }
  Mark mark(const Stamp& stamp) {
    const Moment& moment = stamp;
    if (moments_.back() != moment) moments_.push_back(moment);
    return {static_cast<std::uint32_t>(moments_.size() - 1) << 4 | stamp.bytes, stamp.lanes};
  }
  std::size_t count() const { return moments_.size(); }
  void clear() { moments_.resize(1); }  // no cell has any mark, then

 private:
  std::vector<Moment> moments_{Moment{}};
};

class VisitPool {
 public:
  // Null where the cell has none.
  Visits* find(const Cell& cell) const { return cell.visits == 0 ? nullptr : &at(cell.visits - 1); }
  Visits& of(Cell& cell) {
    if (cell.visits == 0) cell.visits = add();
    return at(cell.visits - 1);
  }
  void clear() { count_ = 0; }  // no cell has any, then

 private:
  static constexpr std::size_t kOfChunk = 512;
  Visits& at(std::size_t place) const { return chunks_[place / kOfChunk][place % kOfChunk]; }
  std::uint32_t add() {
    if (count_ == chunks_.size() * kOfChunk) chunks_.push_back(std::make_unique<Visits[]>(kOfChunk));
    at(count_) = Visits{};
    return ++count_;
  }
  std::vector<std::unique_ptr<Visits[]>> chunks_;
  std::uint32_t count_ = 0;
};

// The cells of some memory, in pages that are made when they are first asked for: what a sample of the blocks
// touches of a large array lies far apart.
class Cells {
 public:
  explicit Cells(std::size_t count) : size_(count / kOfPage + 1), pages_(new_table(size_)) {}
  Cell& operator[](std::size_t cell) {
    Page*& page = pages_[cell / kOfPage];
    if (page == nullptr) page = add();
    return (*page)[cell % kOfPage];
  }
  VisitPool& visits() { return visits_; }
  Moments& moments() { return moments_; }
  // Lets go of the moments that no cell has a mark of, where there are more than `most` and twice those that
  // were kept the last time. Marks get other keys.
  void tidy(std::size_t most);
  void clear() {
    std::memset(pages_.get(), 0, size_ * sizeof(Page*));
    count_ = 0;
    visits_.clear();
    moments_.clear();
  }

 private:
  static constexpr std::size_t kOfPage = 32, kOfChunk = 256;
  using Page = std::array<Cell, kOfPage>;
  struct Free {
    void operator()(Page** table) const { std::free(table); }
  };
  using Table = std::unique_ptr<Page*[], Free>;
  // Zeros that take no memory until they are touched.
  static Table new_table(std::size_t size) {
    return Table(static_cast<Page**>(std::calloc(size, sizeof(Page*))));
  }
  Page* add() {
    if (count_ == chunks_.size() * kOfChunk)
      chunks_.push_back(std::make_unique_for_overwrite<Page[]>(std::min(kOfChunk, size_)));
    Page& page = chunks_[count_ / kOfChunk][count_ % kOfChunk];
    ++count_;
    page.fill(Cell{});
    return &page;
  }

  std::size_t size_;
  Table pages_;  // null: nobody was there
  std::vector<std::unique_ptr<Page[]>> chunks_;
  std::size_t count_ = 0;
  VisitPool visits_;
  Moments moments_;
  std::size_t kept_ = 0;  // of the moments, the last time that they were tidied
};

}  // namespace warplens::check
