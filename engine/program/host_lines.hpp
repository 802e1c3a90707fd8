// The lines of a program's host code by its addresses, as `warplens nvcc` has g++ write them.
#pragma once

#include <filesystem>

#include "engine/base/result.hpp"
#include "engine/compile/line_table.hpp"

namespace warplens::program {

class HostLines {
 public:
  // Of a program without lines, or with lines in another form: none.
  static HostLines read(const std::filesystem::path& program);
  // behind: the address behind a call. No file: not known.
  Place place_of_call(std::uint64_t behind) const;

 private:
  compile::LineTable table_;
};

}  // namespace warplens::program
