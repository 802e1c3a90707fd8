// Host libraries by what devices have of them: nvcc includes the real ones, and NVRTC has none.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/source/pieces.hpp"

namespace warplens::compile {

using source::Names;
using Headers = std::map<std::string, std::string>;  // as #include names them -> text

// The text for a header that only hosts have, or that devices have a part of; empty: it is none of them.
std::string stand_in(const std::string& name);
// Whether a header is of a library that this code of the device does not use, such as Thrust's algorithms.
bool is_of_host_library(const std::string& name, const Names& used);
// CUB's header of what blocks and warps do together, such as BlockScan, in cub/; empty: it is none of these.
std::string_view header_of_cub(const std::string& name);
// Of headers of CUB that have functions of the host among them what this code of the device uses; empty: the header as
// it is. Functions for whole devices launch kernels, and NVRTC takes none of that.
std::string device_part_of_cub(const std::string& name, const Names& used);
// "/etc/passwd", "C:/mine.h"
bool is_absolute(const std::string& name);
// "../common/book.h": a file that the author had in another folder.
bool leads_up(const std::string& name);
// For a header that is not to be had: the compiler's log then says that it was left out, where it is
// included.
std::string left_out_header(const std::string& name);
inline constexpr std::string_view kIsLeftOut = " is not there and was left out";
// What those texts include themselves.
void add_parts(Headers& headers);

// What nvcc knows without any #include, and what others include along: uint, int32_t, INFINITY, std::max. To
// be included before a source that is without it in want of a name.
inline constexpr const char* kPreludeName = "warplens/prelude";
// What else a source is in want of: CUDA's headers that it does not include, such as that of half, and macros
// of its author's that look at what a call of CUDA's returns.
struct Missing {
  std::map<std::string, std::string> headers;  // -> the name that is of it
  Names checks;
};
// log: the compiler's. Of names that no header is known for nothing is missing.
Missing what_is_missing(const std::string& log, const std::string& source);
void add_prelude(Headers& headers, const Missing& missing);

}  // namespace warplens::compile
