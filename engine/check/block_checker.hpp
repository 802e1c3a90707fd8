// The checkers of one block. See checker.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "engine/check/arrays.hpp"
#include "engine/check/async_proxy.hpp"
#include "engine/check/between_blocks.hpp"
#include "engine/check/order/quick.hpp"
#include "engine/check/races.hpp"

namespace warplens::check {

class BlockChecker : public emulator::BlockWatcher {
 public:
  BlockChecker(Scene& scene, GlobalArrays& arrays, Channels& channels, CodeTables& tables,
               std::uint64_t block, Companions& companions, Ending& ending);
  // How much there was to look at, in instructions that touch no memory.
  std::uint64_t effort() const { return steps_ + touches_; }
  void on_step(const emulator::WatchedStep& step) override;
  void on_release(int barrier, std::span<const emulator::BarrierArrival> arrivals) override;
  emulator::Stuck on_slice(const emulator::Slice& slice) override;
  void on_matrix(const emulator::AccessEvent& event) override;
  void finish(bool ended);  // see AsyncProxy

 private:
  bool take_stretch(const emulator::WatchedStep& step);
  static Span span_of(const LanePlaces& places, std::uint64_t first, ptx::Space space);
  Piece piece_of(const Touch& touch, std::size_t operand, const Span& span, std::uint32_t width);
  QuickAccess quick_access(const Touch& touch, const Piece& piece);
  // Of one place of it, until one has to be looked at closely: false, then.
  template <class Visit>
  bool each_word(const Piece& piece, const Touch& touch, Visit visit) {
    const int shift = std::countr_zero(scene_.unit());
    const std::uint64_t offset = touch.address - piece.begin;
    for (std::uint64_t word = offset >> shift; word < (offset + touch.width) >> shift; ++word)
      if (!visit((*piece.cells)[static_cast<std::size_t>(word)])) return false;
    ++touches_;
    return true;
  }
  bool is_held_to_array(const emulator::WatchedStep& step, std::size_t operand, ptx::Space space) const;
  Touch touch_of(const emulator::WatchedStep& step, Access kind, std::uint32_t width) const;
  bool is_inside(const emulator::WatchedStep& step, std::size_t operand, const Span& span,
                 std::uint32_t width) const;
  void load(const emulator::WatchedStep& step);
  void load_elements(Touch& one, const std::array<std::uint64_t, 32>& address, const LanePlaces& places,
                     const Span& span);
  const std::byte* memory_at(const emulator::WatchedStep& step, std::uint64_t address,
                             std::uint32_t width) const;
  bool reads_input(const emulator::WatchedStep& step, std::uint64_t low, std::uint64_t high,
                   std::uint32_t width);
  void store(const emulator::WatchedStep& step);
  void atomic(const emulator::WatchedStep& step);
  std::uint32_t touch(const Touch& touch, std::uint16_t& origin);
  std::uint32_t touch_shared(const Touch& touch, std::uint16_t& origin);
  void note_array(const Touch& touch, std::size_t operand);
  void note_early_read(const Touch& touch, Cell& cell, std::uint16_t origin);
  void note_late_write(const Touch& touch, const Cell& cell);
  void check_scope(const Touch& touch, std::uint64_t offset, std::uint32_t lane);
  std::uint32_t touch_local(const Touch& touch, std::uint16_t& origin);
  std::uint32_t touch_global(const Touch& touch, std::uint16_t& origin);
  void touch_cells(Cells& cells, std::uint64_t offset, const Touch& touch, bool shared);
  bool in_its_array(const emulator::WatchedStep& step, std::size_t operand, std::uint64_t address,
                    std::uint32_t width, std::uint32_t lane, ptx::Space space);
  void check_address(const emulator::WatchedStep& step, std::size_t operand);
  void check_sums(const emulator::WatchedStep& step);
  void check_guard(const emulator::WatchedStep& step);
  void reach(const emulator::WatchedStep& step, std::uint32_t lane, std::uint16_t origin,
             const std::string& what);
  void tell_undefined(Finding& finding, const Origin& origin, bool never, const std::string& what);
  void warp_sync(const emulator::WatchedStep& step, std::size_t mask_operand);
  void divide(const emulator::WatchedStep& step);
  void call(const emulator::WatchedStep& step);
  void copy(const emulator::WatchedStep& step);
  void copy_closely(const Touch& one);
  void land(const emulator::WatchedStep& step, std::int64_t keep);
  void at_shared_barrier(const emulator::WatchedStep& step);
  std::uint64_t phase_at(const emulator::WatchedStep& step, std::size_t operand, std::uint32_t lane) const;
  void arrive_at(const emulator::WatchedStep& step, std::uint32_t lane, std::uint64_t phase);
  void wait_at(const emulator::WatchedStep& step);
  Mark mark_of_write(std::uint32_t warp, std::uint32_t pc, std::uint32_t lane);
  void tie_copies(const emulator::WatchedStep& step, std::uint32_t lane, std::uint64_t phase);
  bool asynchronous(const emulator::WatchedStep& step);
  void product(const emulator::WatchedStep& step);
  void wait_for_products(const emulator::WatchedStep& step);
  void read_chunks(const emulator::WatchedStep& step, std::uint32_t lanes, const Chunks& chunks);
  void bulk_copy(const emulator::WatchedStep& step);
  void copy_bytes(const emulator::WatchedStep& step, std::uint32_t lane);
  void tensor_copy(const emulator::WatchedStep& step, std::uint32_t lane);
  std::uint32_t touch_end(const emulator::WatchedStep& step, std::uint32_t lane, Access kind,
                          std::uint64_t address, std::uint32_t width, bool shared);
  void read_for_copy(const emulator::WatchedStep& step, std::uint32_t lane, std::uint64_t offset,
                     std::uint32_t width, bool late);
  void write_by_copy(const emulator::WatchedStep& step, std::uint32_t lane, std::size_t barrier,
                     std::uint64_t target, std::uint32_t width);
  void note_brought(const emulator::WatchedStep& step, std::uint32_t lane, std::size_t barrier,
                    std::uint64_t told, std::uint32_t width);
  void note_expected(const emulator::WatchedStep& step, std::size_t operand, std::size_t count);
  void at_cluster_barrier(const emulator::WatchedStep& step);
  Phase& phase_of_blocks(std::uint64_t first, std::uint32_t number);
  void at_grid_barrier(const emulator::WatchedStep& step);
  Cells* cells_of(std::uint64_t address);
  // Those of the own shared memory that the bytes lie in.
  template <class Visit>
  void for_each_word(std::uint32_t offset, std::uint32_t width, Visit visit) {
    for (std::uint32_t word = offset / scene_.unit(); word * scene_.unit() < offset + width; ++word)
      visit(shared_[word]);
  }
  // lanes: those at the address.
  void synchronize(const emulator::WatchedStep& step, std::uint32_t lanes, std::uint64_t address,
                   bool acquires, bool releases);
  void replace(const emulator::WatchedStep& step, std::uint32_t lane, std::uint64_t address,
               std::uint32_t moment);
  void change_lock(const emulator::WatchedStep& step, LockOrder::Change change);
  void set_flag(const emulator::WatchedStep& step, std::uint64_t address, std::uint32_t moment);
  void hear_flag(const emulator::WatchedStep& step, std::uint64_t address);
  void read_only(const Touch& touch, Cells& cells, Cell& cell);

  Scene& scene_;
  GlobalArrays& arrays_;
  CodeTables& tables_;
  const std::vector<RegisterUse>& uses_;
  std::uint32_t block_, warps_;
  Order order_;
  Races races_;
  Meetings meetings_;
  Registers registers_;
  AsyncProxy async_;
  Companions& companions_;
  Cells& shared_;
  std::vector<std::uint8_t> local_;  // of each byte of all threads: 1 defined, 2 by a value that is not
  std::unordered_map<std::uint64_t, std::uint16_t> origins_;  // of words stored with such values
  std::vector<std::vector<Copy>> copies_;
  std::vector<std::array<std::uint32_t, 32>> committed_;
  std::vector<Arriving> arriving_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> arrived_;  // lanes, by phase and warp
  std::vector<std::array<std::uint32_t, 32>> cluster_phases_;                 // arrivals of each thread
  std::uint32_t grid_phases_ = 0;                                             // of the block
  std::vector<Turns> turns_;                                                  // of each warp
  std::vector<std::uint32_t> slices_;
  std::uint32_t endless_warps_ = 0;                      // a bit each
  std::uint64_t steps_ = 0, touches_ = 0, counted_ = 0;  // counted_: steps that are in the sum of all blocks
  Ending& ending_;
};

}  // namespace warplens::check
