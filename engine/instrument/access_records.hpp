// The rewritten kernel writes down its own memory accesses and barriers, warp by warp, as it runs on a GPU.
//
//   auto records = instrument::with_access_records(build.ptx, build.kernel_name);
//   auto head = instrument::make_head(records->variables.size(), blocks, {0}, bytes);
//   // a buffer of `bytes` that starts with the head; its address is one parameter more, behind all others
//   auto recording = instrument::read_recording(...);  // recording.hpp: the emulator's kind of trace::Trace
//
// Before each load, store, atomic and cp.async, one lane of the warp takes a place in the buffer and every
// active lane writes its address there. Nothing of the kernel itself changes: no registers of its own, no
// barriers, no branch that could part the lanes of a warp. Blocks that were not chosen only test one
// predicate an instruction. What is recorded are the accesses of the PTX; the reader makes vectorized loads
// of them, as the emulator does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/emulator/observer.hpp"
#include "engine/instrument/record_buffer.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::instrument {

// Local memory (spilled arrays) is recorded where asked for; constant memory and parameters never are.
struct RecordOptions {
  bool local = false;
};

// An instruction that appends records; a cp.async has two, for the side that it reads and the one that it
// writes.
struct Site {
  std::uint32_t pc = 0;  // index into the entry's code, before the rewriting
  // then each lane's "address" is the barrier's number, and its threads (0: all) times 2^32
  bool barrier = false;
  ptx::Space space = ptx::Space::global;  // generic: each lane tells its own
  emulator::AccessKind kind = emulator::AccessKind::load;
  std::uint8_t width = 4;   // bytes a lane
  std::int64_t offset = 0;  // what the PTX adds to the address register
};

// A variable whose address the kernel writes into the head, since its place on the device is the compiler's
// choice.
struct VariablePlace {
  bool of_module = false;  // index into Program::variables, else into the entry's Function::variables
  std::uint32_t symbol = 0;
  ptx::Space space = ptx::Space::shared;
};

struct AccessRecords {
  std::string ptx;
  std::string entry;
  std::string parameter;  // the name of the buffer's
  std::vector<Site> sites;
  std::vector<VariablePlace> variables;
  // instructions that access memory and are not recorded, each once: "wmma.load"
  std::vector<std::string> left_out;
};

// entry: empty for the only one. Errors: PTX that is not understood, no such entry, calls of functions that
// the compiler did not inline (their accesses would be missed).
Result<AccessRecords> with_access_records(std::string_view ptx, std::string_view entry = {},
                                          const RecordOptions& options = {});

}  // namespace warplens::instrument
