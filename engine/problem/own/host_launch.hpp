// What host code says of one launch, and of a struct that it passes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::problem {

struct HostLaunch {
  std::size_t at = 0;                               // in the text
  int line = 0;                                     // from 1
  std::vector<std::int64_t> grid, block;            // 1 to 3 edges; empty: not understood
  std::vector<std::string> grid_text, block_text;   // as written, names of dim3 resolved
  std::optional<std::int64_t> shared;               // bytes; nothing: none or not understood
  std::string shared_text;                          // as written
  bool has_shared = false;                          // that argument is there and not 0
  std::string template_arguments;                   // "256, 4", with numbers for names that have one
  std::vector<std::string> arguments;               // as written
  std::vector<std::optional<std::int64_t>> values;  // of arguments that are whole numbers
  std::vector<std::optional<double>> numbers;       // of arguments that are numbers
  bool is_read = false;                             // its shape is there, understood or not
  bool is_by_brackets = false;                      // <<<...>>>, else a function of the runtime
  bool is_cooperative = false;
  // Each name behind the number has one definition in the file, and nothing changes it.
  bool is_grid_certain = false, is_block_certain = false, is_shared_certain = false;
};

// A struct of the file, laid out as C++ does.
struct HostStruct {
  std::int64_t bytes = 0, alignment = 1;
  std::string element;    // "float" or "double" where all of it is that, else whole numbers that fill it
  std::int64_t used = 0;  // bytes, less what is between and behind its members
};

}  // namespace warplens::problem
