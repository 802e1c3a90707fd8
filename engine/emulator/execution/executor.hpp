// Runs blocks: the warps of one block take turns on one thread of the host, each until it waits or ends.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/emulator/execution/launch_state.hpp"
#include "engine/emulator/lowering/code.hpp"
#include "engine/emulator/lowering/warp.hpp"

namespace warplens::emulator {

// A block of those that run together.
struct Companion {
  std::uint64_t block = 0;
  BlockObserver* observer = nullptr;
  BlockWatcher* watcher = nullptr;
};

// One thread of the host: register files, shared and local memory, which are used for block after block.
class Executor {
 public:
  Executor(std::shared_ptr<const Code> code, const LaunchState& launch, Worker& worker);
  ~Executor();

  // Runs one block to its end, or to a fault (worker.fault). observer may be null.
  // watcher: the code must have been lowered for one.
  // may_wait: it may have to wait for blocks that have not begun, as at a barrier of the grid that is made of
  // atomics. Where all of its warps do, it is put aside, and false is returned.
  bool run_block(std::uint64_t block, BlockObserver* observer, BlockWatcher* watcher = nullptr,
                 bool may_wait = false);
  std::size_t aside() const { return aside_.size(); }
  // Gives each of the blocks that were put aside a turn, and returns those that have ended. Where all of them
  // only wait, and not for each other, the first of them goes on alone, to its fault.
  std::vector<std::uint64_t> run_aside();

  // Runs several blocks, each in turn until it waits, to the end of all of them.
  void run_together(std::span<const Companion> blocks);

  // Registers (of the flat function before sharing) that turned out not to be uniform or affine; cleared.
  std::vector<ptx::RegisterId> take_demoted();
  void use(std::shared_ptr<const Code> code);

 private:
  struct FreeAligned {
    void operator()(std::byte* p) const;
  };
  using Bytes = std::unique_ptr<std::byte, FreeAligned>;
  // All that belongs to one block. While it has its turn this is the executor's own, and that of the executor
  // is here.
  struct Context {
    std::vector<Warp> warps;
    Bytes registers, shared, local;
    std::array<std::uint32_t, 16> arrived{}, expected{};
    int time_outs = 0;
    BlockState state;
    bool has_ended = false;
    Cluster* cluster = nullptr;
  };
  void exchange(Context& context);
  void start_together(std::span<const Companion> blocks, std::vector<Context>& contexts,
                      std::vector<Cluster>& clusters);
  bool turn_of(Context& context);
  bool waits_for_blocks() const;
  void put_aside();
  bool release_clusters(std::vector<Context>& contexts, std::vector<Cluster>& clusters);
  void end_waits(std::vector<Context>& contexts);
  bool take_turns(bool& alive);
  void make_room();
  void prepare_registers();
  void start_block(std::uint64_t block);
  void start_warp(Warp& warp);
  void spend(Warp& warp) const;
  void end_block();
  void set_special(Warp& warp, ptx::Special special, std::uint32_t value) const;
  void clear_reserved();

  bool run_warp(Warp& warp);  // until it waits or ends; true where anything was executed
  bool pick_group(Warp& warp, std::uint32_t& stop);
  void run_group(Warp& warp, std::uint32_t stop);
  void handle_event(Warp& warp);
  void park(Warp& warp, const Group& group);  // puts a group back, merging it with one at the same place
  void split_branch(Warp& warp, const MicroOp* op);
  void split_indexed(Warp& warp, const MicroOp* op);
  bool find_function(Warp& warp, const MicroOp* op, const PtxDetail& detail, std::uint32_t lane,
                     std::uint64_t& index);
  void arrive(Warp& warp, const MicroOp* op);
  bool release_barriers();
  void release(int barrier);
  void tell_release(int barrier) const;
  const MicroOp* entry(const Warp& warp, std::uint32_t pc) const;
  void release_warp_barriers(Warp& warp);
  std::uint64_t slice() const;
  bool spins(const MicroOp& op) const;
  std::uint64_t state_of(const Warp& warp) const;
  bool looks_outside(const MicroOp& op) const;
  void check_slice(Warp& warp);
  int worth_telling(const Warp& warp, const Group& group) const;
  void report_stuck();
  std::string others_at(const Group& missing) const;
  std::string others_at_phases(const Group& here) const;
  std::string words_of_wait(const Warp& warp, const Group& group) const;
  bool time_out();

  // Fast and general code.
  bool needs_general(const Warp& warp, std::uint32_t stop);
  bool find_conflict(std::uint32_t pc, std::uint32_t stop, const std::vector<std::uint32_t>& waiting) const;
  void make_general(Warp& warp, std::uint32_t pc);
  void demote(ptx::RegisterId shared);
  void demote_results(std::uint32_t pc);
  bool make_fast(Warp& warp);
  const std::vector<ptx::RegisterId>& live_scalars(std::uint32_t pc);

  std::shared_ptr<const Code> code_;
  const LaunchState& launch_;
  Worker& worker_;
  std::uint32_t warp_count_ = 0;
  std::vector<Warp> warps_;
  Bytes registers_, shared_, local_;
  std::size_t local_size_ = 0;
  // Caches over pcs.
  std::map<std::vector<std::uint32_t>, bool> conflicts_;
  std::vector<std::unique_ptr<std::vector<ptx::RegisterId>>> live_scalars_;
  std::vector<std::uint8_t> give_up_;  // pcs at which going back to the fast code has failed
  std::vector<ptx::RegisterId> demoted_;
  std::array<std::uint32_t, 16> arrived_{}, expected_{};  // by bar.arrive, of each barrier
  std::vector<Group> released_;                           // those of one warp, while a barrier lets them go
  int time_outs_ = 0;                                     // of the block
  std::vector<Context> aside_;
  bool may_wait_ = false;  // for other blocks: the one that runs
};

}  // namespace warplens::emulator
