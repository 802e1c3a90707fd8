// What is wrong with a kernel, as marks at the lines of its text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/check/finding.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {

struct LineMark {
  check::Severity severity = check::Severity::error;
  int line = 0, other_line = 0;  // from 1; 0: none
  std::string message, fix;
  std::string where = {};   // "thread (3,0,0) of block (0,0,0)"; empty where it is of none
  bool is_result = false;   // what is wrong with the output, behind what made it so
  bool is_finding = false;  // of the checkers, in code that compiles and runs
  bool operator==(const LineMark&) const = default;
};

// file: what errors and warnings call the text.
LineMark mark_of(const Error& error, const std::string& file);
LineMark mark_of(const compile::Warning& warning, const std::string& file);
LineMark mark_of(const check::Finding& finding);

// Once each, the worst first, and then by line.
void put_in_order(std::vector<LineMark>& marks);

}  // namespace warplens::app
