// One function a command, one file each. Each prints its answer to stdout and returns the exit code,
// or returns the error that the caller prints as one line.
#pragma once

#include "app/commands/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

inline constexpr int kExitFine = 0;
inline constexpr int kExitWrongResult = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitFindings = 3;  // of exec: the program ended well, and its kernels are wrong

Result<int> list_command(const CommonOptions& common);
Result<int> new_command(const CommonOptions& common, const NewOptions& options);
Result<int> run_command(const CommonOptions& common, const RunOptions& options);
Result<int> bench_command(const CommonOptions& common, const BenchOptions& options);
Result<int> gpus_command(const CommonOptions& common);
Result<int> transfers_command(const CommonOptions& common, const TransfersOptions& options);
Result<int> cpu_command(const CommonOptions& common, const CpuOptions& options);
// The hidden command of the process that launches kernels (engine/gpu/worker/client.hpp). Serves
// descriptor 3.
Result<int> gpu_worker_command();
// The hidden command of the process that compiles what is being typed (engine/compile/worker.hpp). Serves
// descriptor 0.
Result<int> compile_worker_command(const CommonOptions& common);
Result<int> access_command(const CommonOptions& common, const AccessOptions& options);
Result<int> sass_command(const CommonOptions& common, const SassOptions& options);
Result<int> time_command(const CommonOptions& common, const TimeOptions& options);
Result<int> claims_command(const CommonOptions& common, const ClaimsOptions& options);
Result<int> tune_command(const CommonOptions& common, const TuneOptions& options);
Result<int> exec_command(const CommonOptions& common, const ExecOptions& options);
// Becomes nvcc with these words.
Result<int> nvcc_command(const std::vector<std::string>& words);
Result<int> serve_command(const CommonOptions& common, const ServeCommandOptions& options);
Result<int> occupancy_command(const CommonOptions& common, const OccupancyOptions& options);

}  // namespace warplens::app
