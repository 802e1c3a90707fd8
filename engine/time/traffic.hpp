// What the accesses of a kernel ask of L1, L2 and memory, by source line; and the machine code with the cost
// of each access.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/time/anchors.hpp"
#include "engine/time/async_work.hpp"
#include "engine/time/chip/memory_profile.hpp"
#include "engine/time/chip/uneven.hpp"
#include "engine/time/scheduler.hpp"

namespace warplens::time {

// What a prediction reads.
struct Input {
  const emulator::Kernel& kernel;
  const emulator::Counters& counters;  // of counters.blocks_run blocks
  std::span<const std::byte> cubin;
  std::string_view entry;
  const catalog::LaunchShape& launch;
  const device::Device& device;
  int blocks_per_sm = 1;       // that fit
  double footprint_bytes = 0;  // of the buffers
  double local_bytes = 0;      // of a thread, in local memory
  double l1_bytes = 0;         // that shared memory leaves of an SM's L1; 0: not known
  const std::map<std::uint32_t, AccessProfile>& profile;
  bool from_ptx = false;                        // although there may be machine code
  std::shared_ptr<const AsyncWork> async = {};  // what a block does that runs beside its warps; null: nothing
  std::shared_ptr<const UnevenCounts> uneven = {};  // null: all blocks do about equally much
};

// Sectors of the whole grid.
struct Traffic {
  bool has_caches = true;
  double asked = 0;         // of L1, by loads
  double missed = 0;        // of those, by L1
  double written = 0;       // to L2
  double read = 0;          // from memory
  double moved_out = 0;     // to memory, with what is read for it
  double first = 1;         // share of those that miss L1 that no other block reads before
  double local_missed = 0;  // share of the accesses to local memory that L1 does not have
  double meetings = 0;      // atomics of warps that meet at the address that most go to, one after another
};

class AccessCosts {
 public:
  AccessCosts(const Input& in, const Parameters& parameters);
  const Traffic& traffic() const { return traffic_; }
  // function: that the code is of. code: of a grid that executes each of its instructions `executed` times, per block that was counted.
  std::vector<Step> steps(const ptx::Function& function, const std::vector<Instruction>& code,
                          const std::vector<double>& executed) const;

 private:
  // By line and kind: sums over the counted blocks.
  struct Site {
    double requests = 0, wavefronts = 0, sectors = 0, turns = 0, missed = 0, waits = 0, moved = 0, filled = 0,
           wave = 0, whole = 0, uncached = 0, lines = 0, fresh = 0;
    double apart = 0;      // sectors as `whole`, if blocks shared nothing but with their neighbours
    double to_shared = 0;  // of the requests, by addresses of any kind
    double read = 0;       // sectors from memory
    double waiting = 0;    // share of the loads of what their block did not touch before that wait for memory
  };
  using Key = std::pair<int, Anchor>;
  void add_site(const Input& in, std::uint32_t pc);
  void add_traffic(const Input& in);
  void add_bulk(const Input& in);
  void add_uncached(const Input& in);
  AccessCost local_cost(const Instruction& instruction) const;
  static Access access_at(const Site& site, Access access);
  AccessCost bulk_cost(const Instruction& instruction) const;
  AccessCost product_cost(const ptx::Instruction& product) const;
  AccessCost cost_of(const Site& site, double executed, const Instruction& instruction) const;

  Parameters parameters_;
  bool has_caches_ = true;
  double wavefronts_per_clock_ = 1;
  double page_sectors_ = 0;  // that memory would give while a page is opened
  std::map<Key, Site> sites_;
  std::map<std::uint64_t, double> meetings_;  // of the counted blocks, by address
  Traffic traffic_;
  // Shares of the sectors of bulk loads that come from memory, and of bulk stores that go there.
  double bulk_read_ = 0, bulk_moved_out_ = 0;
  double bulk_first_ = 1;                      // of loads: that no other load brought before
  std::map<std::uint32_t, BulkTraffic> bulk_;  // by PTX instruction
};

}  // namespace warplens::time
