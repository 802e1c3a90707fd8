// What each access of a kernel does to the caches, from the recorded addresses of the blocks that one SM
// holds together.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/device/device.hpp"
#include "engine/emulator/observer.hpp"

namespace warplens::time {

// How memory deals out addresses, see chip/partitions.hpp.
struct Partitions {
  std::uint64_t number = 0, bytes = 256;
  std::uint64_t page_bytes = 2048;  // of one partition
  double open_pages = 64;           // of all
  bool are_known() const { return number > 0; }
  std::uint64_t partition_of(std::uint64_t address) const { return address / bytes % number; }
  // With its partition.
  std::uint64_t page_of(std::uint64_t address) const {
    return address / (page_bytes * number) * number + partition_of(address);
  }
};

// One recorded access of a warp: the 32-byte sectors that it touches, ascending.
struct RecordedAccess {
  std::uint32_t pc = 0;
  std::uint32_t first = 0, count = 0;  // in RecordedBlock::sectors
  std::uint64_t address = 0;           // of its first active lane
  bool is_store = false;
  float turns = 1;  // of the data pipe, see turns_of()
  float pages = 0;  // how often the page changes from lane to lane, and 1
};
struct RecordedBlock {
  std::uint64_t block = 0;
  std::vector<std::vector<RecordedAccess>> warps;
  std::vector<std::uint64_t> sectors;
  std::vector<std::uint8_t> bytes;  // that the access touches in each
};

// Records the global accesses of some blocks. pcs: what their instructions are called, where it is not their
// place in the kernel that runs.
class AccessRecorder : public emulator::Observer {
 public:
  explicit AccessRecorder(std::vector<std::uint64_t> blocks, const Partitions& partitions = {},
                          std::vector<std::uint32_t> pcs = {});
  ~AccessRecorder() override;
  emulator::BlockObserver* begin_block(std::uint64_t block) override;
  const std::vector<RecordedBlock>& blocks() const { return recorded_; }
  std::vector<RecordedBlock> take_blocks() { return std::move(recorded_); }

 private:
  class Recorder;
  std::vector<std::uint32_t> pcs_;
  std::vector<RecordedBlock> recorded_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
};

// Means over the recorded executions of one PTX instruction.
struct AccessProfile {
  double requests = 0;    // recorded
  double turns = 0;       // of the data pipe, a request
  double sectors = 0;     // a request
  double missed = 0;      // sectors that L1 did not have, a request
  double miss_share = 0;  // requests that wait for L2: for sectors that L1 lacks or is getting
  double lines = 0;       // of 128 bytes that L2 is asked for, a request: each is a packet on the way there
  // Requests that touch 64 bytes, as much as memory gives at a time, that no earlier access of their block
  // did.
  double fresh = 0;
  // Sectors that memory moves for those that no earlier access of the block touched, a request: 64 bytes at a
  // time to read; to write at least two of a line of 128 bytes.
  double moved = 0;
  double filled = 0;   // sectors that memory gives first because only a part of them is written, a request
  double camping = 1;  // times its share that the fullest partition of memory has; pages that are opened, a
  double pages = 0;    // request: see chip/partitions.hpp
  double same_address = 0;            // of atomics: chance that two blocks begin at one address
  double addresses = 1;               // of a block, of the first lane at work
  std::uint64_t first_address = 0;    // at which most blocks begin
  double shared_x = 0, shared_y = 0;  // of those: what the next block to the right, or below, touches too
  double array_sectors = 0;           // its part of the array that it goes to; 0: not known
};

// together: how many of the blocks, from the first, one SM holds. right, below: neighbours of the first one,
// or 0 where they were not recorded. abreast: share of the blocks that began together with the others of
// their SM.
struct Neighbours {
  std::size_t together = 1, right = 0, below = 0;
  double abreast = 1;
};
std::map<std::uint32_t, AccessProfile> profile_of(const std::vector<RecordedBlock>& blocks,
                                                  const Neighbours& neighbours, std::int64_t l1_bytes);

// Cycles in which L1 looks up and delivers an access: in one, up to four lines whose tags are in different
// banks, and words whose data are. Measured on an H200 by gathers of 32 lanes at 24 distances, found to 3 %.
int turns_of(const emulator::AccessEvent& event);

}  // namespace warplens::time
