// What is said of a run on a GPU, beside what every run says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/json_text.hpp"
#include "app/text_table.hpp"
#include "engine/gpu/types.hpp"

namespace warplens::app {

struct GpuReport {
  std::string chip;      // "NVIDIA H100 80GB HBM3"
  std::string driver;    // "580.159.04"; empty where not known
  int cuda_version = 0;  // of the driver: 13000
  gpu::Timing timing;
  std::int64_t checked_elements = 0;    // of the output; the rest was only seen to be written
  std::optional<bool> cublas_verified;  // nothing: it did not run
  double operations = 0;                // of one launch
  double least_bytes = 0;               // that any kernel of the problem must move
};

// 1e9 operations a second; 0 where nothing was timed.
double gflops(const GpuReport& report, const gpu::Statistics& statistics);

Json to_json(const gpu::Statistics& statistics);
Json to_json(const gpu::Conditions& conditions);
Json to_json(const GpuReport& report);
// Lines of to_text(RunReport): heading and words.
std::vector<TextRow> to_rows(const GpuReport& report);

Json system_json(const gpu::System& system);
std::string cuda_version_name(int version);  // 13000 -> "13.0"

}  // namespace warplens::app
