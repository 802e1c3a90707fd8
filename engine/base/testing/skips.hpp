// A test that skips itself passes, and says nothing. Which may do so, and why, is listed in allowed_skips.txt
// beside this file; any other skip fails the program.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// list: lines of two wildcard patterns (* and ?) with a space between them, for the test's full name and for
// its reason; the reason's pattern may have spaces. Empty lines and those that begin with # are comments.
bool may_skip(std::string_view list, const std::string& test, const std::string& reason);

}  // namespace warplens
