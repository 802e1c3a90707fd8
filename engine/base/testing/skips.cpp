#include "engine/base/testing/skips.hpp"

#include <fnmatch.h>

#include <sstream>

namespace warplens {

bool may_skip(std::string_view list, const std::string& test, const std::string& reason) {
  std::istringstream lines{std::string(list)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    const std::size_t begin = line.find_first_not_of(' ', space);
    if (begin == std::string::npos) continue;  // without a reason nothing is allowed
    if (::fnmatch(line.substr(0, space).c_str(), test.c_str(), 0) == 0 &&
        ::fnmatch(line.substr(begin).c_str(), reason.c_str(), 0) == 0)
      return true;
  }
  return false;
}

}  // namespace warplens
