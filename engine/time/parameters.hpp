#pragma once

namespace warplens::time {

struct Parameters {
  double shared_latency = 24, l1_latency = 34, l2_latency = 285, dram_latency = 830;
  double special_latency = 18, constant_latency = 30, shuffle_latency = 24, register_latency = 20;
  double special_interval = 8, alu_interval = 2, heavy_interval = 2, fp64_interval = 2, tensor_interval = 8;
  double l2_port_sectors = 2;  // between an SM and L2, a cycle
  double l2_sectors = 90;      // all SMs together, a cycle
  double dram_efficiency = 0.9;
  double l1_sectors = 4;   // that L1 gives a cycle
  double l2_kept = 0.8;    // of L2, that a launch still finds
  double l2_shared = 0.5;  // the same, of what all SMs read
  double follow = 0.5;
  double queue = 64;         // turns of the data pipe that may wait
  double store_queue = 400;  // cycles
  double barrier_latency = 12;
  double block_interval = 1.19;  // cycles between two blocks, all SMs
  double block_latency = 300;    // of launching a block
  double warp_interval = 5;      // cycles between two warps of a block that is launched
  double read_window = 2;        // cycles in which operands are read
  double sm_jitter = 0.005;      // SMs run a little faster or slower than each other, this share
  double steps = 120'000;           // issues that are simulated at a time, about
  double launch_seconds = 2.2e-6;
  double atomic_cycles = 3.53;  // between two atomics at one address
};

}  // namespace warplens::time
