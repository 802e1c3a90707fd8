// What the compiler warns of that is a fault of the kernel: it then makes anything of it, so that no run
// shows it.
#pragma once

#include <string>

#include "engine/compile/build.hpp"
#include "engine/run/report.hpp"

namespace warplens::run {

// file: the kernel's, as Build::warnings call it.
void add_compiler_findings(Report& report, const compile::Build& build, const std::string& file);
// Whether a warning of Build::warnings becomes a finding.
bool is_finding(const std::string& warning);

}  // namespace warplens::run
