// What the names in the scene of a figure stand for, and what a click on one proposes. The only place that
// parses them. A name is a kind and what it is of:
//   lane:7   warp:3   bank:3   block:5 (linear)   access:27 (step of the warp, from 0)   line:28
//   step:matmul/02_coalesced   threads:256   registers:64   shared:8192
//   cell:A:12,40 (row, column)   set:BM=64,BN=64 (of parameters)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/window/model/model.hpp"

namespace warplens::app {

struct FigureTarget {
  enum class Kind { lane, warp, bank, block, access, line, step, threads, registers, shared, cell, set };
  Kind kind = Kind::lane;
  std::int64_t number = 0;  // all kinds but step, cell and set
  std::string name = {};    // a step: its kernel; a cell, a set: as it is written
  bool operator==(const FigureTarget&) const = default;
};

// Nothing for a name that stands for nothing that can be chosen.
std::optional<FigureTarget> target_of(std::string_view name);

// What a click does, as a sentence for the tooltip; empty where it does nothing.
std::string proposal(const Model& model, const FigureTarget& target);
// Does it. Error: the element is not used by the chosen block.
Status choose(Model& model, const FigureTarget& target);

}  // namespace warplens::app
