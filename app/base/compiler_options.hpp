// How this program finds NVRTC, and where it keeps what was compiled.
#pragma once

#include "app/base/paths.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {

compile::Compiler::Options compiler_options(const Environment& environment, const CommonOptions& common);

// The words that start this program as the process which compiles what is being typed
// (engine/compile/worker.hpp).
std::vector<std::string> compile_worker_words(const Environment& environment, const CommonOptions& common);

}  // namespace warplens::app
