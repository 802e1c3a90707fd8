// What `warplens export` draws from: assets/tour/*.toml, the states of the tour of figures, which `warplens
// screenshot` and the window open too; and of a ladder what was recorded, or is counted in the emulator here
// and now.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/commands/export_options.hpp"
#include "app/state/state.hpp"
#include "engine/base/cancel.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {

struct TourStop {
  std::string name;  // of the file, without its ending
  ExportOptions options;
};

// What `warplens export` draws for a state: the open figure, of the chosen access. Error: sizes or parameters
// that are not legal.
Result<ExportOptions> export_options(const State& state, const catalog::Catalog& catalog);

// The stops in the order of their names. Errors: no such folder, a file that cannot be read, as
// parse_state.
Result<std::vector<TourStop>> read_tour(const std::filesystem::path& folder, const KnownNames& known);

// kernel: a ladder or one step. over_sizes: at all sizes where steps were recorded; else at --size, or where
// most was. Errors: unknown names, what cannot be compiled or run,
// cancelled.
Result<figures::PerformanceInput> performance_of(const Workspace& workspace, const KernelOptions& kernel,
                                                 bool over_sizes, bool with_time = false,
                                                 const std::atomic<bool>& cancel = kNeverCancelled);
// What was recorded of copies to this device. Errors: an unknown device, a file that cannot be read.
Result<figures::PerformanceInput> transfers_to(const Workspace& workspace, const std::string& device);

}  // namespace warplens::app
