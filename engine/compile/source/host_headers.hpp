// Host libraries by what devices have of them: nvcc includes the real ones, and NVRTC has none.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warplens::compile {

using Headers = std::map<std::string, std::string>;  // as #include names them -> text

// The text for a header that only hosts have, or that devices have a part of; empty: it is none of them.
std::string stand_in(const std::string& name);
// What those texts include themselves.
void add_parts(Headers& headers);

// What nvcc knows without any #include, and what others include along: uint, int32_t, INFINITY, std::max. To
// be included before a source that is without it in want of a name.
inline constexpr const char* kPreludeName = "warplens/prelude";
void add_prelude(Headers& headers);

}  // namespace warplens::compile
