// What the model knows of a chip beyond engine/device. The same for all kernels. The values, and where each
// comes from, stand in assets/devices.toml: [time] has those of compute capability 9.0, and rows of chips
// those in which they differ.
#pragma once

namespace warplens::time {

struct Parameters {
  // Cycles from issue to the result, where nothing is busy.
  double shared_latency = 0, shuffle_latency = 0, l1_latency = 0, l2_latency = 0, dram_latency = 0;
  // What is added where memory is half busy, and where it is busy for a share s of the time s / (1 - s) times
  // as much.
  double dram_queue = 0;
  double special_latency = 0, constant_latency = 0;
  // Of an SM, from one address of constant memory that a warp asks for to the next: it gives a word to all lanes
  // that ask for it, and then another one.
  double constant_interval = 0;
  double tensor_latency = 0;  // of a product of a warp
  // By an address of any kind: more than shared_latency; turns at least for each word of a lane.
  double generic_latency = 0, generic_turns = 0;
  double tensor_peak = 0;  // operations of an SM a cycle by the data sheet, of 16-bit operands; 0: not known
  // Cycles between two instructions of one pipe of a part; those of arithmetic are the device's, by its
  // throughput.
  // The same of products 16 x 8 with 32 bytes of each row, and what those of half the depth, and of doubles, take of it.
  double tensor_interval = 0, tensor_half = 0, tensor_doubles = 0;
  // Of what runs beside warps. Products of warp groups: cycles of a part for 8 columns with 32 bytes of each row, and at least,
  // and from the end of the last one to who waits for it. Bulk copies: from what asks to the first byte from L2, from the
  // last byte of a store that is read to who waits for it, sectors that come to an SM or leave it a cycle, and the cost of
  // one in L2, over one that a thread asks for; of one that other SMs ask for too, over one that none else does. Barriers in shared memory: from the end of a phase to who waits for it,
  // from a test to its answer, from an arrival to its count, of another block of the cluster so many more, between two warps that
  // arrive, and of meetings of a cluster.
  double group_interval = 0, group_least = 0, group_latency = 0;
  double bulk_latency = 0, bulk_read = 0, bulk_port = 0, bulk_stores = 0, bulk_load_cost = 0, bulk_again = 0,
         bulk_store_cost = 0;
  double phase_latency = 0, phase_test = 0, arrival_latency = 0, arrival_remote = 0, arrival_interval = 0,
         cluster_latency = 0;
  // Watts at the boost clock: of a chip that only waits, more where all tensor cores are busy, and where L2 gives all that it can;
  // and most that it may draw, 0: not known.
  double idle_watts = 0, product_watts = 0, l2_watts = 0, most_watts = 0;
  // How an SM issues: so many parts, each an instruction of a warp in so many cycles; one with an operand in
  // shared memory keeps it for so many more (on 1.x such a load is part of the instruction that uses it). The
  // distances that the compiler wrote for 9.0's arithmetic, 4 cycles, times stall_scale: longer pipelines.
  // replay_issue: share of the turns of a bank conflict in which nothing else is issued.
  double parts = 0, issue_interval = 0, shared_issue = 0, stall_scale = 0, replay_issue = 0;
  double issue_together =
      0;                   // independent ones of a warp that a part may issue at once; the model issues one
  double read_window = 0;  // in which operands may be read: one bank's port is late by no more
  // Memory.
  double l1_sectors = 0;  // that L1 delivers a cycle
  double l1_global = 0;   // share of L1 that keeps what is loaded from global memory; 0: loads pass it by
  double queue = 0;       // cycles of work that may wait for the load/store unit
  double l2_port_sectors = 0;  // between an SM and L2, a cycle
  double l2_sectors = 0;       // of all SMs, a cycle
  double l2_again = 0;         // cost of a sector that other SMs read too, over one that none else does
  double l2_packets = 0;       // on the way from all SMs to L2, a cycle
  double l2_efficiency = 0;    // of what its slices could do, where the way there is full
  double store_queue = 0;      // cycles that stores may be behind
  double dram_efficiency = 0;  // of the data sheet's bandwidth
  double dram_write = 0;       // cost of a sector that is written, over one that is read
  double l2_kept = 0;          // of L2, what the next launch still finds
  double l2_shared = 0;        // the same of what SMs of both halves read
  // Where there are no caches, see chip/partitions.hpp. 0 partitions: not looked at. open_pages: of all of
  // them; page_seconds: from opening one page of a partition to the next.
  double partitions = 0, partition_bytes = 0, page_bytes = 0, open_pages = 0, page_seconds = 0;
  double atomic_cycles = 0;  // between two atomics at one address
  // Blocks.
  double barrier_latency = 0;
  double block_interval = 0;  // cycles between two launched blocks, of all SMs
  double block_latency = 0;   // of launching a block
  double warp_interval = 0;   // between the warps of a block
  double launch_seconds = 0;
  double sm_jitter = 0;  // by how much SMs run apart, a share
  // Not of a chip: issues that are simulated at a time, about.
  double steps = 200'000;
};

}  // namespace warplens::time
