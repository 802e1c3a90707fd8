// What the model knows of a chip beyond engine/device. The same for all kernels. Where a value comes from:
//   [H200]  measured on an H200 (compute capability 9.0, 1980 MHz) by kernels of a few lines, 2026-11;
//           most of them again by tools/chip_probe
//   [PG]    CUDA C++ Programming Guide 13.1, of compute capability 9.0
//   [fit]   fitted on the even rows of testdata/h100_times.csv
// Other chips take the same but for what their rows of assets/devices.toml give: chip/parameters_of.hpp.
#pragma once

namespace warplens::time {

struct Parameters {
  // Cycles from issue to the result, where nothing is busy.
  double shared_latency = 24;   // [H200]: 23 to 29 by width
  double shuffle_latency = 24;  // as shared memory, whose pipe it takes
  double l1_latency = 34;       // [H200]: 42 of a chain of loads with its address arithmetic
  double l2_latency = 285;      // [H200]: 276 to 340 by SM and half of L2
  double dram_latency = 720;    // [fit]: 660 of a lone chain [H200], more where pages change
  // What is added where memory is half busy, and where it is busy for a share s of the time s / (1 - s) times
  // as much: requests meet in its banks, each of which is busy for some 90 cycles with a row (tRC). [fit]
  double dram_queue = 85;
  double special_latency = 18;   // [fit]
  double constant_latency = 30;  // [fit]
  // Cycles between two instructions of one pipe of a part.
  double tensor_interval = 8;  // not measured; those of arithmetic are the device's, by its throughput
  // How an SM issues: so many parts, each an instruction of a warp in so many cycles; one with an operand in
  // shared memory keeps it for so many more (on 1.x such a load is part of the instruction that uses it). The
  // distances that the compiler wrote for 9.0's arithmetic, 4 cycles, times this: longer pipelines.
  // replay_issue: share of the turns of a bank conflict in which nothing else is issued.
  double parts = 4, issue_interval = 1, shared_issue = 1, stall_scale = 1, replay_issue = 0;
  double read_window = 2;  // in which operands may be read: one bank's port is late by no more. MICRO 2025
  // Memory.
  double l1_sectors = 4;       // that L1 delivers a cycle [PG]
  double queue = 512;          // cycles of work that may wait for the load/store unit [fit]
  double l2_port_sectors = 2;  // between an SM and L2, a cycle: 64 bytes
  double l2_sectors = 95;      // of all SMs, a cycle [fit]: 6.0 TB/s
  double l2_again = 0.56;      // cost of a sector that other SMs read too, over one that none else does [fit]
  double l2_packets = 67;      // on the way from all SMs to L2, a cycle [H200]: 133 billion a second
  double store_queue = 400;    // cycles that stores may be behind [fit]
  double dram_efficiency = 0.94;  // of the data sheet's bandwidth [fit]: 3.15 of 3.35 TB/s
  double dram_write = 1.2;        // cost of a sector that is written, over one that is read [fit]
  double l2_kept = 0.8;           // of L2, what the next launch still finds [fit]
  double l2_shared = 0.65;        // the same of what SMs of both halves read [fit]
  // Where there are no caches, see chip/partitions.hpp. 0 partitions: not looked at. open_pages: of all of
  // them; page_seconds: from opening one page of a partition to the next.
  double partitions = 0, partition_bytes = 256, page_bytes = 2048, open_pages = 64, page_seconds = 0;
  double atomic_cycles = 3.53;  // between two atomics at one address [fit]
  // Blocks.
  double barrier_latency = 12;     // [fit]
  double block_interval = 1.19;    // cycles between two launched blocks, of all SMs [H200]: 0.6 ns
  double block_latency = 300;      // of launching a block [fit]
  double warp_interval = 5;        // between the warps of a block [H200]
  double launch_seconds = 1.9e-6;  // [fit]
  double sm_jitter = 0.03;         // by how much SMs run apart, a share [fit]
  // Not of a chip: issues that are simulated at a time, about.
  double steps = 200'000;
};

}  // namespace warplens::time
