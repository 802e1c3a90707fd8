// A recorded block as the access figure tells it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/report/block_accesses.hpp"
#include "engine/report/element_traffic.hpp"
#include "engine/report/faces.hpp"
#include "engine/report/tile_flights.hpp"

namespace warplens::report {

// What can be said of a recorded block whichever of its accesses is looked at: what it touches, laid out as
// planes, and which elements it writes. Immutable.
class AccessStory {
 public:
  // b: a position in trace->blocks(). The text is only read.
  AccessStory(std::shared_ptr<const trace::Trace> trace, std::size_t b, std::span<const PlacedBuffer> buffers,
              const KernelText& text);

  const BlockAccesses& accesses() const { return accesses_; }
  // One a buffer of the problem, then one an array in shared memory.
  const std::vector<Face>& faces() const { return faces_; }
  // What the block writes.
  struct Owned {
    std::uint64_t element = 0;
    std::uint32_t thread = 0;  // in the block
    Cell cell = {};            // of the element
  };
  const std::vector<Owned>& owned(std::size_t face) const { return owned_[face]; }
  // The first and the last rows and columns of these.
  using Area = std::optional<std::pair<Cell, Cell>>;
  const Area& owned_area(std::size_t face) const { return owned_areas_[face]; }
  // The same of all that the block reads and writes of a buffer; nothing for arrays in shared memory, and
  // where the block has more accesses than a picture may look through.
  const Area& touched_area(std::size_t face) const { return touched_areas_[face]; }
  // What lanes read and write of a face of a product, or of a block with arrays in shared memory; nothing for
  // others, and where the block has too many accesses to count them.
  std::optional<ElementTraffic> traffic(std::size_t face) const {
    return traffic_.empty() ? std::nullopt : std::optional(traffic_[face]);
  }
  // Whose face this access of the block touches; nothing for local memory and accesses without lanes.
  std::optional<std::size_t> touched_face(std::uint32_t event) const;
  // The faces of a product: C = A * B with A left of C and B above; nothing for other problems.
  std::optional<std::array<std::size_t, 3>> product() const { return product_; }

  // See tile_flights: found once of each warp.
  const std::vector<TileFlight>& flights(std::uint32_t warp) const;

 private:
  std::shared_ptr<const trace::Trace> trace_;  // that accesses_ points into
  BlockAccesses accesses_;
  std::vector<Face> faces_;
  std::vector<std::vector<Owned>> owned_;
  std::vector<Area> owned_areas_, touched_areas_;
  std::vector<ElementTraffic> traffic_;
  std::optional<std::array<std::size_t, 3>> product_;
  mutable std::mutex mutex_;                                          // guards what is below
  mutable std::map<std::uint32_t, std::vector<TileFlight>> flights_;  // by warp
};

}  // namespace warplens::report
