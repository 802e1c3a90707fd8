// Runs the built program as a user would, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warplens::app {

struct ChildResult {
  int exit_code = -1;  // 128 + n where signal n ended it
  std::string out, err;
};

// words: the program's path first. variables: added to (or replacing) the environment of this process.
ChildResult run_child(const std::vector<std::string>& words,
                      const std::map<std::string, std::string>& variables = {});

// That of this process, with the variables added or replaced: "NAME=value".
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables);

}  // namespace warplens::app
