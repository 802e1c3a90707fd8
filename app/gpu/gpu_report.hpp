// What is said of a run on a GPU, beside what every run says.
#pragma once

#include <string>
#include <vector>

#include "app/base/text_table.hpp"
#include "engine/base/json_text.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/report.hpp"

namespace warplens::app {

// 1e9 operations a second; 0 where nothing was timed.
double gflops(const run::GpuReport& report, const gpu::Statistics& statistics);
// Of the kernel: operations or bytes, 0 where nothing was timed.
measured::Rate rate_of(const run::GpuReport& report);

Json to_json(const gpu::Statistics& statistics);
Json to_json(const gpu::Conditions& conditions);
Json to_json(const run::GpuReport& report);
// Lines of to_text(run::Report): heading and words.
std::vector<TextRow> to_rows(const run::GpuReport& report);

Json system_json(const gpu::System& system);
std::string cuda_version_name(int version);  // 13000 -> "13.0"

}  // namespace warplens::app
