// One kernel compiled, run and recorded for a figure: everything that its RunView points to.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "app/run_job.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/tables.hpp"
#include "engine/session/emulate.hpp"
#include "engine/trace/trace.hpp"
#include "viz/figures/run_view.hpp"

namespace warplens::app {

struct FigureRun {
  RunPlan plan;
  device::Device device;
  compile::Build build;
  std::shared_ptr<const problem::Instance> instance;
  std::shared_ptr<const emulator::Kernel> kernel;
  session::Emulation emulation;
  trace::Trace trace;
  std::vector<report::PlacedBuffer> buffers;
  report::LineTable lines;

  figures::RunView view() const;  // points into this
};

// Records block 0 and `block` (a linear index). Errors: what cannot be compiled or run, a fault of the
// kernel, a result that is wrong: no figure shows one.
Result<std::unique_ptr<FigureRun>> run_for_figure(compile::Compiler& compiler, const RunPlan& plan,
                                                  const device::Device& device, std::uint64_t block);

}  // namespace warplens::app
