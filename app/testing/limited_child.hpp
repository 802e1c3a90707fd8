// Runs the built program as a user would, and says what it took.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/testing/child_process.hpp"

namespace warplens::app {

struct LimitedResult : ChildResult {
  double processor_seconds =
      0;                  // of it and of those whose end it waited for: the same however busy the machine is
  double most_bytes = 0;  // of memory that it held at once
  bool ran_too_long = false;
};

// Ends it after so many seconds, and lets it have no more than 8 GiB of addresses. folder: its current one.
LimitedResult run_limited(const std::vector<std::string>& words,
                          const std::map<std::string, std::string>& variables, const std::string& folder,
                          double seconds);

}  // namespace warplens::app
