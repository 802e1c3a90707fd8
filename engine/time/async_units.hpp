// The barriers in shared memory of the blocks that an SM holds, and what each warp does at them and beside it, while
// the SM is scheduled. A barrier's phase is over when all threads that it counts have arrived and all bytes that they
// expect have come (PTX ISA, mbarrier).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/time/scheduler.hpp"

namespace warplens::time {

class AsyncUnits {
 public:
  // places: for warps, as many of a block as it has, block by block.
  AsyncUnits(const SmWork& work, const Parameters& parameters, std::size_t places);

  // A block begins at the places from this one on.
  void begin(std::size_t first_place);
  // When the warp may execute the step: what it waits for is over. Infinite while that is not known.
  double may_go_on(std::size_t place, const Step& step) const;
  // What an execution of an instruction is about; nothing where the block did it less often.
  struct Told {
    const AsyncOp* first = nullptr;
    std::size_t count = 0;
  };
  Told told(std::size_t place, const Step& step);  // moves on to the next execution

  // Whether that ends what others wait for.
  bool arrive(std::size_t place, const AsyncOp& op, double at);
  bool bring(std::size_t place, const AsyncOp& op, double at);

  void give_product(std::size_t place, double end, bool closes_group);
  void store(std::size_t place, double read);  // a bulk store, of which shared memory is read until then
  bool arrive_at_cluster(std::size_t place, double at);  // that all warps of the block have come
  void forced(std::size_t place) { warps_[place].is_forced = true; }

 private:
  struct Barrier {
    std::int64_t expected = 1, pending = 1, bytes = 0;
    double last = 0;
    std::vector<double> over;  // when each phase was
  };
  struct Block {
    std::map<std::uint32_t, Barrier> barriers;
    int at_cluster = 0;
    double last_at_cluster = 0;
    std::vector<double> cluster_over;
  };
  struct Warp {
    std::vector<std::uint32_t> executed;  // by site
    std::vector<double> groups;           // ends of committed groups of products
    double products = 0;                  // end of the last one
    double read = 0;                      // until when bulk stores read shared memory
    std::uint32_t met = 0;                // how often it waited for the cluster
    bool is_forced = false;
  };
  std::size_t block_of(std::size_t place) const { return place / warps_per_block_; }
  std::size_t warp_of(std::size_t place) const { return place % warps_per_block_; }
  const std::vector<AsyncOp>* ops_of(std::size_t place, const Step& step, std::size_t& site) const;
  bool end_phase(Barrier& barrier);
  Barrier& barrier(std::size_t place, std::uint32_t offset);

  const AsyncWork& work_;
  const Parameters& p_;
  std::size_t warps_per_block_;
  std::vector<Block> blocks_;
  std::vector<Warp> warps_;
  std::vector<std::vector<std::vector<std::uint32_t>>> begins_;  // by warp, site and execution: its first op
};

}  // namespace warplens::time
