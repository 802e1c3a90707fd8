// Two threads at one word of memory, one of them writing, with nothing that says who is first.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/check/order.hpp"
#include "engine/check/scene.hpp"

namespace warplens::check {

inline constexpr std::string_view kFixOfWarpRace = "put __syncwarp() between them";
inline constexpr std::string_view kFixOfBlockRace = "put __syncthreads() between them";

// The latest accesses of four bytes of memory. Most words of an output are written once and that is all, so
// that what others did there stands apart: the cells of a large array are what checking it takes time for.
struct Cell {
  Stamp write;
  std::uint32_t visits = 0;    // its place in a VisitPool, from 1
  std::uint8_t defined = 0;    // bytes that were written, a bit each
  std::uint8_t undefined = 0;  // bytes that were written with a value that is not defined
  bool in_flight = false;      // an asynchronous copy that nobody has waited for, by `write`
};

struct Visits {
  std::array<Stamp, 2> reads, atomics;  // of different warps
  std::uint32_t last_atomic = 0;        // the block of the newest one, its index + 1
  std::uint32_t read_only_pc = 0;       // + 1: a load through the read-only cache
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
    std::uint32_t& page = pages_[cell / kOfPage];
    if (page == 0) page = add();
    return at(page - 1)[cell % kOfPage];
  }
  VisitPool& visits() { return visits_; }
  void clear() {
    std::memset(pages_.get(), 0, size_ * sizeof(std::uint32_t));
    count_ = 0;
    visits_.clear();
  }

 private:
  static constexpr std::size_t kOfPage = 32, kOfChunk = 256;
  using Page = std::array<Cell, kOfPage>;
  struct Free {
    void operator()(std::uint32_t* table) const { std::free(table); }
  };
  using Table = std::unique_ptr<std::uint32_t[], Free>;
  // Zeros that take no memory until they are touched.
  static Table new_table(std::size_t size) {
    return Table(static_cast<std::uint32_t*>(std::calloc(size, sizeof(std::uint32_t))));
  }
  Page& at(std::size_t page) { return chunks_[page / kOfChunk][page % kOfChunk]; }
  std::uint32_t add() {
    if (count_ == chunks_.size() * kOfChunk)
      chunks_.push_back(std::make_unique_for_overwrite<Page[]>(kOfChunk));
    at(count_).fill(Cell{});
    return ++count_;
  }

  std::size_t size_;
  Table pages_;  // of each page its place in the chunks, from 1; 0: nobody was there
  std::vector<std::unique_ptr<Page[]>> chunks_;
  std::uint32_t count_ = 0;
  VisitPool visits_;
};

enum class Access : std::uint8_t { load, store, atomic };

// Where an access is: what a message calls it.
struct Target {
  bool shared = false;
  std::uint64_t address = 0;  // generic, or the offset in shared memory
  std::uint32_t width = 4;    // of the access
};

class Races {
 public:
  explicit Races(Scene& scene) : scene_(scene) {}

  // lanes of now.lanes access bytes (a bit each) of a cell, whose visits are in the pool. same: what a store
  // puts there is there already.
  void access(const Order& order, Cell& cell, VisitPool& pool, const Stamp& now, Access kind, bool same,
              const Target& target);

 private:
  struct Pair {
    const Stamp& before;
    const Stamp& now;
    std::uint32_t lane_before, lane_now;
    bool wrote_before, writes_now;
  };
  bool clash(const Order& order, const Stamp& before, const Stamp& now, Pair& pair) const;
  void check_write(const Order& order, const Cell& cell, const Stamp& now, Access kind, bool same,
                   const Target& target);
  void check_atomic(const Order& order, const Visits& visits, const Stamp& now, Access kind,
                    const Target& target);
  void check_reads(const Order& order, const Visits& visits, const Stamp& now, const Target& target);
  // Of several warps those that nothing orders.
  void remember(const Order& order, std::array<Stamp, 2>& slots, const Stamp& now) const;
  void report(const Pair& pair, bool harmless, const Target& target);
  void report_in_flight(const Cell& cell, const Stamp& now, bool writes, const Target& target);

  Scene& scene_;
};

}  // namespace warplens::check
