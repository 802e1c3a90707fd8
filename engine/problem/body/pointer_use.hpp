// What the body of a kernel does with a pointer, read off its text.
#pragma once

#include <string>
#include <string_view>

namespace warplens::problem {

struct PointerUse {
  bool is_read = false, is_written = false;
  bool is_added_to = false;   // by atomics alone: starts at zero, mostly
  bool is_passed_on = false;  // to a function: then nobody knows what else
};

// Both without comments and texts; file: where the functions are that the body calls.
PointerUse use_of(std::string_view body, const std::string& pointer, std::string_view file = {});

}  // namespace warplens::problem
