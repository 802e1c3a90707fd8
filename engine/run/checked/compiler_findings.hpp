// What the compiler warns of that is a fault of the kernel: it then makes anything of it, so that no run
// shows it.
#pragma once

#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/compile/build.hpp"
#include "engine/run/report.hpp"

namespace warplens::run {

// warnings: of compile::Build. kernel: whose text they are of.
void add_compiler_findings(Report& report, const std::vector<compile::Warning>& warnings,
                           const catalog::KernelSpec& kernel);
// Whether a warning of Build::warnings becomes a finding.
bool is_finding(const compile::Warning& warning);

}  // namespace warplens::run
