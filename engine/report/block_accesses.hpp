// The accesses of one recorded block by warp, and which of them belong together: the same instruction in the
// same turn of each warp. Built once for a block in one pass; asking is then quick.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/trace/trace.hpp"

namespace warplens::report {

class BlockAccesses {
 public:
  // b: a position in trace.blocks(). The trace must outlive this.
  BlockAccesses(const trace::Trace& trace, std::size_t b);

  std::uint32_t warps() const { return static_cast<std::uint32_t>(events_.size()); }
  // Events of one warp in the order of execution; an access of the warp is a position in it.
  std::span<const std::uint32_t> of_warp(std::uint32_t warp) const;
  // Nothing for a warp or an access that does not exist.
  std::optional<trace::Access> at(std::uint32_t warp, std::uint32_t access) const;
  // Whether the warp has an access to this space.
  bool uses(std::uint32_t warp, ptx::Space space) const;
  // The access of each warp that corresponds to this one, itself included; warps ascending.
  std::vector<trace::Access> together(std::uint32_t warp, std::uint32_t access) const;

  const trace::Trace& trace() const { return *trace_; }
  std::size_t block() const { return b_; }

 private:
  struct Turn {
    std::uint32_t pc = 0, turn = 0;
  };
  const trace::Trace* trace_;
  std::size_t b_;
  std::vector<std::vector<std::uint32_t>> events_;  // of each warp
  std::vector<std::vector<Turn>> turns_;            // of each access
  std::vector<std::uint32_t> spaces_;               // of each warp, as bits
  // (pc, warp) -> its events
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_pc_;
};

}  // namespace warplens::report
