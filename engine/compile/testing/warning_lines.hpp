// A build's warnings as they are printed, for tests that compare them.
#pragma once

#include <string>
#include <vector>

#include "engine/compile/build.hpp"

namespace warplens::compile {

inline std::vector<std::string> lines_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings) lines.push_back(to_line(warning));
  return lines;
}

}  // namespace warplens::compile
