// A run as the GPU itself recorded it: every access of the chosen blocks, as a trace that all figures read.
//
//   auto recording = record_on_gpu(engine, job, {.blocks = {0}});
//   run::with_trace(run, (*recording)->recording.trace, gpu);  // figures of it as of the emulator's run
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/gpu/gpu_run.hpp"
#include "engine/instrument/recording.hpp"

namespace warplens::app {

struct GpuRecording {
  std::shared_ptr<const emulator::Kernel> kernel;
  instrument::Recording recording;
  std::vector<std::string> left_out;  // instructions that access memory and were not recorded
  std::uint64_t blocks_in_grid = 1;
  std::string gpu;          // "NVIDIA H100 80GB HBM3"
  bool verified = false;    // the result of the very launch that was recorded
  std::string explanation;  // why not; empty where it is
};

struct RecordRequest {
  std::vector<std::uint64_t> blocks = {};          // linear indices; empty: all of the grid
  std::uint64_t bytes = std::uint64_t{512} << 20;  // of the buffer on the GPU
};

// Errors: PTX that cannot be rewritten, a driver that does not take it, a fault of the kernel, no memory.
Result<std::unique_ptr<GpuRecording>> record_on_gpu(GpuEngine& engine, const run::Job& job,
                                                    const RecordRequest& request);

// The part of it that needs no GPU: from what came back. execution: of records.ptx with the job's launch.
Result<std::unique_ptr<GpuRecording>> recording_of(const run::Job& job,
                                                   const instrument::AccessRecords& records,
                                                   const gpu::Execution& execution);

}  // namespace warplens::app
