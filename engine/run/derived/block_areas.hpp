// The part of each matrix in global memory that each block of a launch touches, by the addresses of its warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/emulator/observer.hpp"
#include "engine/report/faces.hpp"

namespace warplens::run {

using Area = std::optional<std::pair<report::Cell, report::Cell>>;  // the first and the last cell

// Of the first `blocks` blocks, which run one after the other. faces: must outlive it; those that are in shared memory, or are folded
// vectors, have no areas.
class BlockAreas final : public emulator::Observer, private emulator::BlockObserver {
 public:
  BlockAreas(const std::vector<report::Face>& faces, std::size_t blocks)
      : faces_(faces), areas_(faces.size(), std::vector<Area>(blocks)) {}
  emulator::BlockObserver* begin_block(std::uint64_t block) override;
  const std::vector<Area>& of(std::size_t face) const { return areas_[face]; }

 private:
  struct At {
    std::size_t face = 0;
    report::Cell cell;
  };
  void on_access(const emulator::AccessEvent& event) override;
  std::optional<At> at(std::uint64_t byte) const;
  bool lie_in_one_line(const At& a, const At& b) const;
  void widen(const At& place);

  const std::vector<report::Face>& faces_;
  std::vector<std::vector<Area>> areas_;  // by face and block
  std::size_t block_ = 0;
};

}  // namespace warplens::run
