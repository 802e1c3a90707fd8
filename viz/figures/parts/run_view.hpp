// One execution of a kernel as figures see it: pointers into values that outlive the call, so that the window
// and the command line can keep them as they like.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/tables.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::figures {

// No pointer is null but the last.
struct RunView {
  const catalog::KernelSpec* spec = nullptr;
  const catalog::LaunchShape* launch = nullptr;
  const device::Device* device = nullptr;
  const emulator::Kernel* kernel = nullptr;  // its function() is what pcs index
  const emulator::Counters* counters = nullptr;
  const trace::Trace* trace = nullptr;
  const std::vector<report::PlacedBuffer>* buffers = nullptr;
  const report::LineTable* lines = nullptr;
  // Blocks counted where only a sample ran: every figure that shows counts says so.
  std::optional<std::uint64_t> sampled_blocks = {};
  std::uint64_t blocks_in_grid = 1;
  // Of the kernel, as it was compiled; null where they are not known.
  const catalog::Values* parameters = nullptr;
  // The GPU that recorded the trace, which every figure of it says; empty: the emulator did.
  std::string recorded_on = {};
};

// The text of line `line` (from 1) of the kernel file without its indentation; empty where there is none.
std::string source_line(const catalog::KernelSpec& spec, int line);
// The same without a comment behind it.
std::string source_statement(const catalog::KernelSpec& spec, int line);
// Where instructions stand in the kernel file; 0 where that is unknown. Made once for many.
class SourcePlaces {
 public:
  explicit SourcePlaces(const RunView& run);
  int line(std::uint32_t pc) const;
  // The same in the text of the kernel itself: for an instruction of a device function that was inlined, the
  // line that calls it there.
  int kernel_line(std::uint32_t pc) const;

 private:
  const ptx::Function* function_;
  int file_, first_line_;  // of the kernel
};
int line_of(const RunView& run, std::uint32_t pc);
int kernel_line_of(const RunView& run, std::uint32_t pc);
// "line 28", or "line 120 calls 37" for an instruction of line 37 that was inlined into line 120 of the
// kernel.
std::string place_of(const RunView& run, std::uint32_t pc);
// The same of lines that are known.
std::string place_words(int line, int kernel_line);
// ", recorded on NVIDIA H100 80GB HBM3"; empty for the emulator's.
std::string recorded_words(const RunView& run);
// "128 x 128 x 64" of an array of three, without trailing ones.
std::string dimensions(const std::array<std::uint32_t, 3>& sizes);

}  // namespace warplens::figures
