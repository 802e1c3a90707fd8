// What a recording kernel wrote, as the immutable Trace that the emulator makes: the same figures show it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/instrument/access_records.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::instrument {

// A buffer on the device and its place in the trace (that of the emulator's run, or
// itself).
struct BufferPlace {
  std::uint64_t device = 0, trace = 0, bytes = 0;
};

struct RecordingInput {
  const AccessRecords* records = nullptr;
  // The kernel as written, for its layout of shared memory, its vectorized loads and its rows.
  const emulator::Kernel* kernel = nullptr;
  std::vector<BufferPlace> buffers;
  std::uint32_t threads_per_block = 1;
  std::uint64_t byte_budget = std::uint64_t{1} << 30;  // of the trace
};

struct Recording {
  trace::Trace trace;
  // One row a row of Kernel::function().code, and the totals, of the recorded blocks. What the records do not
  // say is 0: instructions executed and their lanes (but those of memory accesses), divergent branches.
  emulator::Counters counters;
  std::uint64_t kept = 0;     // records in the buffer
  std::uint64_t dropped = 0;  // that came when it was full: the latest of all blocks
  // Lanes' addresses in no buffer and no variable; the trace has them as they are on the device.
  std::uint64_t unknown_addresses = 0;
  // False where the compiler put the shared variables at other distances from each other than the emulator
  // does. The trace has the emulator's places; bank conflicts between variables may then differ from the
  // hardware's.
  bool shared_layout_matches = true;
};

// buffer: from the head to the last record that was written (filled_bytes), or longer. device: for the
// counts. Errors: a buffer that is cut short or not of this kernel.
Result<Recording> read_recording(const RecordingInput& input, std::span<const std::byte> buffer,
                                 const device::Device& device);

}  // namespace warplens::instrument
