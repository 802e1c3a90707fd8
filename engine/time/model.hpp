// All that a prediction follows from, as a value: the instructions of a kernel with what each costs and how
// often it runs, and its grid. What a kernel asks for can be changed in it before it is scheduled.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "engine/time/predict.hpp"

namespace warplens::time {

// Blocks that do not do equally much, see chip/uneven.hpp.
struct UnevenGrid {
  // Of a block: its flow, with how much its warps execute on average; where they do not do equally much, that of each.
  struct Kind {
    std::vector<Block> flow;
    double instructions = 0;
    std::vector<WarpRole> roles;
    double length = 1;  // as below
  };
  Kind longest, usual;
  std::vector<Lengths> blocks;  // in the order in which they are started
  double times_mean = 1;        // instructions of the block with the most, over the mean of all blocks
};

struct Model {
  Parameters parameters;
  SmWork work;
  std::vector<double> executed;  // how often each instruction ran in the blocks that were counted
  double instructions = 0;       // of a warp
  double blocks = 0;             // of the grid
  int held = 1, sms = 1;         // held: blocks that fit on an SM
  double clock_hz = 0;
  Traffic traffic;
  double useful_sectors = 1, useful_wavefronts = 1, mean_lanes = 32;  // see Prediction
  // Of blocks that do not do equally much; null: they do. The work above is then that of their mean.
  std::shared_ptr<const UnevenGrid> uneven;
  bool divides_warps = false;
  bool has_local_arrays = false, has_group_products = false;
  std::string_view basis = "sass";

  double blocks_at_a_time() const { return held * static_cast<double>(sms); }
  double warps() const { return work.warps_per_block * blocks; }  // of the grid
  double seconds_of(double cycles) const { return cycles / clock_hz + parameters.launch_seconds; }
};

// Errors: machine code that cannot be read; a device that is no product.
Result<Model> model_of(const Input& input, const Settings& instead = {});
// As predict() of an input has it: of PTX where the machine code's flow was not found.
struct Modelled {
  Model model;
  Prediction prediction;
};
Result<Modelled> modelled(const Input& input, const Settings& instead = {}, SmHistory* history = nullptr);

Prediction predict(const Model& model, SmHistory* history = nullptr);
// The same threads in so many times as many blocks. Precondition: it divides the warps of a block.
Model in_smaller_blocks(const Model& model, int times);
// So many of them on an SM at a time.
Model with_blocks_on_sm(const Model& model, int blocks);
// So many such blocks.
Model with_grid_of(const Model& model, double blocks);
// With fewer turns of loops scheduled, in a fifth of the time: for what is predicted many times with changes.
Modelled in_short(const Modelled& of);

// What the units do for one warp.
struct Demand {
  std::array<double, kUnits> pipes{};                 // cycles of one of the four parts' pipe
  double instructions = 0, barriers = 0, spills = 0;  // spills: accesses to local memory
  double shared_turns = 0, shuffles = 0;              // shared_turns: without those of shuffles
  double constant_turns = 0;                          // of loads of constant memory
  double l1_turns = 0, l2_sectors = 0, l2_packets = 0, dram_sectors = 0;
  double requests = 0, l1_misses = 0,
         l2_misses = 0;  // accesses to global memory; those that wait for L2, memory
};
Demand demand_of(const SmWork& work);
// Sectors' worth of memory's time for each sector, where partitions are looked at; else 1.
double crowding_of(const Model& model);
Demand demand_of_line(const SmWork& work, int line);

inline bool is_local(const Step& step) {
  return step.access == Access::local_load || step.access == Access::local_store;
}
inline bool is_global(const Step& step) {
  return step.unit == Unit::memory && step.access != Access::constant_load && !is_shared(step.access) &&
         !is_local(step);
}

}  // namespace warplens::time
