// A kernel lowered for one launch: micro-operations, twice, and the layout of a warp's register file.
//
// The fast code keeps uniform and affine registers as scalars and writes varying ones without a mask. It is
// right as long as no write hits a value that a waiting group of lanes still needs, which the executor checks
// where lanes part. The general code keeps every register varying and masks every write; it is always right.
// Both have the same pcs, so a warp can change from one to the other at any PTX instruction.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "engine/emulator/flow/apart_loads.hpp"
#include "engine/emulator/flow/flow.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/flow/vectorized_loads.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/emulator/lowering/handlers.hpp"
#include "engine/emulator/lowering/register_plan.hpp"

namespace warplens::emulator {

struct RegisterPlace {
  RegisterClass cls = RegisterClass::varying;
  int bytes = 4;             // of a lane; 0: predicate
  std::uint32_t scalar = 0;  // scalar form, or the mask of a predicate
  std::uint32_t vector = 0;
  bool vector_kept = false;  // the fast code keeps the vector form up to date
};

// Where the special registers lie that differ between warps or blocks; 0 for all others.
struct SpecialPlaces {
  struct Place {
    std::uint32_t scalar = 0, vector = 0;
  };
  std::array<Place, static_cast<std::size_t>(ptx::Special::pm) + 1> places{};
  Place& operator[](ptx::Special special) { return places[static_cast<std::size_t>(special)]; }
  const Place& operator[](ptx::Special special) const { return places[static_cast<std::size_t>(special)]; }
};

// Everything a launch fixes.
struct LaunchConstants {
  const ptx::Program* program = nullptr;
  const SharedLayout* layout = nullptr;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared_bytes = 0;
  std::array<std::uint32_t, 3> cluster{1, 1, 1};
  bool is_explicit_cluster = false;
  std::uint64_t grid_workspace = 0;  // address of what grid.sync() counts in
  bool watched = false;              // make Code::watched too
  std::vector<std::byte> arguments;
  std::uint64_t parameter_address = 0;                        // of a copy of the arguments in constant memory
  std::vector<std::uint64_t> variable_address;                // of the module's global and constant variables
  const std::vector<VectorizedAccess>* vectorized = nullptr;  // one a pc
  const ApartLoads* apart = nullptr;                          // where there are those
  int sm_count = 1, warps_per_sm = 64;
};

// Details of instructions that a table of handlers executes by reading the PTX (warp_ops, atomics, ...).
struct OperandPlace {
  ColdOperand place;
  std::vector<ColdOperand> elements;  // of a vector operand
  std::int64_t offset = 0;            // of a memory operand
};
struct PtxDetail {
  const ptx::Instruction* instruction = nullptr;
  std::vector<OperandPlace> operands;
  std::uint32_t site = 0;
  std::vector<std::uint32_t> targets;  // brx: pcs
  bool of_functions = false;           // brx: see ptx::BranchTable
};
inline const PtxDetail& detail_of(const MicroOp* op) { return *static_cast<const PtxDetail*>(op->detail); }

struct Code {
  ptx::Function function;  // registers shared; what the ops refer to
  std::vector<std::vector<ptx::RegisterId>> members;
  std::unique_ptr<Flow> flow;
  std::vector<bool> endless;         // of each pc, see without_way_out()
  std::vector<std::uint32_t> turns;  // see turns_of()
  std::vector<MicroOp> fast, general;
  // the general code, each instruction told to a watcher; empty unless asked for
  std::vector<MicroOp> watched;
  std::vector<std::uint32_t> fast_start, general_start,
      watched_start;  // first op of each pc, and of the implicit ret at the end
  std::vector<RegisterPlace> registers;
  SpecialPlaces special;
  std::uint32_t register_bytes = 0;   // of a warp
  std::uint32_t constants_begin = 0;  // [constants_begin, register_bytes) is `constants`
  std::vector<std::byte> constants;
  std::uint32_t site_count = 0;  // one a pc
  bool sub_word_shared = false;  // some access to shared memory is narrower than 4 bytes
  bool maps_shared = false;      // blocks of a cluster use each other's shared memory
  std::deque<MemoryDetail> memory_details;
  std::deque<ColdDetail> cold_details;
  std::deque<PtxDetail> ptx_details;

  std::uint32_t turn(std::uint32_t pc) const { return turns.empty() ? pc : turns[pc]; }
  const MicroOp* entry(bool general_code, std::uint32_t pc) const {
    return general_code ? &general[general_start[pc]] : &fast[fast_start[pc]];
  }
};

// flat: the function without calls. forced: registers of it that must be varying. Errors: the list of PTX
// forms that the emulator does not know, each with its line.
Result<std::shared_ptr<const Code>> lower(const ptx::Function& flat, const LaunchConstants& launch,
                                          const BitSet& forced, const HandlerTable& handlers);

}  // namespace warplens::emulator
