// What runs beside the threads of a block: products of warp groups (wgmma) and bulk and tensor copies. They read
// and write shared memory past the loads and stores of threads, in a proxy of their own, and hold registers, until
// they are waited for. PTX ISA 9.0, sections 8.6 "Proxies", 9.7.15 (wgmma), 9.7.9.25 (bulk copies), 9.7.19
// (setmaxnreg).
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/check/order/order.hpp"
#include "engine/check/scene.hpp"

namespace warplens::check {

inline constexpr std::uint32_t kWarpsOfGroup = 4;

// Registers that wgmma sums up in or takes A from: of each register of the kernel whether it is one.
struct ProductRegisters {
  explicit ProductRegisters(const ptx::Function& function);
  bool any = false;
  std::vector<bool> sums, factors;
};

// 16 bytes of shared memory, by number.
using Chunks = std::vector<std::uint32_t>;

// Bytes that the copies of a barrier bring, and that its phases expect, in all.
struct ExpectedBytes {
  std::uint64_t expected = 0, brought = 0;
  std::uint32_t expect_pc = 0, copy_pc = 0;
  ThreadId thread;  // that expects them
};
using BytesOfBarriers = std::map<std::pair<std::uint32_t, std::uint32_t>, ExpectedBytes>;  // block, offset
// Where the two differ. stopped: the launch waits for ever.
void tell_bytes(Scene& scene, const BytesOfBarriers& bytes, bool stopped);

class AsyncProxy {
 public:
  AsyncProxy(Scene& scene, const ProductRegisters& registers, std::uint32_t block, std::uint32_t warps);

  // ---- registers
  // Of any instruction but those of warp groups: read and written are its registers.
  bool watches_registers() const { return registers_.any; }
  void other_step(const emulator::WatchedStep& step, const std::vector<ptx::RegisterId>& read,
                  const std::vector<ptx::RegisterId>& written);
  void fence_registers(const emulator::WatchedStep& step);  // wgmma.fence
  // wgmma.mma_async. True for the first warp of its group that comes to it.
  bool begin_product(const emulator::WatchedStep& step);
  void commit_products(const emulator::WatchedStep& step) { ++warps_[step.warp].committed; }
  // What the products that are over now have read.
  Chunks wait_for_products(const emulator::WatchedStep& step, std::int64_t keep);
  void set_registers(const emulator::WatchedStep& step, std::uint32_t count);

  // ---- shared memory
  void fence(const emulator::WatchedStep& step, std::uint32_t moment);  // fence.proxy.async
  // Whether threads have shown what they wrote: a fence came behind it, by who wrote it or by who reads.
  bool is_shown(const Stamp& write, const emulator::WatchedStep& reader) const;
  void tell_not_shown(const Stamp& write, const emulator::WatchedStep& reader, std::uint32_t offset);
  void read_by_product(const emulator::WatchedStep& step, Chunks chunks);
  void read_by_copy(const emulator::WatchedStep& step, std::uint32_t lane, Chunks chunks);
  void commit_copies(const emulator::WatchedStep& step);
  void wait_for_copies(const emulator::WatchedStep& step, std::int64_t keep);
  // Something else is put there. width: bytes.
  bool is_reading() const { return !readings_.empty(); }
  void write(const emulator::WatchedStep& step, std::uint32_t lane, std::uint32_t offset,
             std::uint32_t width);

  void finish(bool ended);  // ended: the block has, and does not wait for ever

 private:
  struct Reading {
    bool by_product = false;
    std::uint32_t who = 0;     // the warp group, or warp * 32 + lane
    std::uint32_t number = 0;  // of its commit group
    std::uint32_t pc = 0;
    ThreadId thread;
    Chunks chunks;
  };
  struct Held {  // registers of a product under way
    std::uint32_t pc = 0, group = 0;
  };
  struct WarpState {
    std::uint32_t issued = 0, committed = 0, first_pc = 0;       // of products
    bool fenced = false;                                         // since its start
    std::unordered_map<ptx::RegisterId, std::uint32_t> changed;  // since the latest fence; the pc
    std::unordered_map<ptx::RegisterId, Held> sums, factors;
    std::uint32_t registers = 0, registers_pc = 0;  // a thread, by setmaxnreg; 0: as launched
    std::array<std::uint32_t, 32> shown{};          // moment of each lane's latest fence
    std::array<std::uint32_t, 32> copies_committed{};
  };
  void check_held(const emulator::WatchedStep& step, const std::unordered_map<ptx::RegisterId, Held>& held,
                  ptx::RegisterId r, const char* does);
  void check_fence(const emulator::WatchedStep& step, ptx::RegisterId r);
  template <class IsDue>
  Chunks retire(IsDue is_due);
  void check_pool();
  void check_groups();
  void check_register_groups();
  void check_stores();
  void add(Kind kind, const emulator::WatchedStep& step, std::uint32_t lane, std::uint32_t other_pc,
           std::string what, std::string fix);

  Scene& scene_;
  const ProductRegisters& registers_;
  std::uint32_t block_;
  std::vector<WarpState> warps_;
  std::vector<std::uint32_t> begun_;     // products of each warp group
  std::vector<Reading> readings_;        // under way
  std::vector<std::uint16_t> read_now_;  // of each chunk: how many read it
};

}  // namespace warplens::check
