// Which files a kernel may include: those of its folder and below, CUDA's, and the program's own. A kernel of
// a stranger can put the text of any file that it may include into what it prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"

namespace warplens::compile {

// The first #include of the source or of its headers that leads elsewhere; nothing: none does. What a kernel
// has from beside it is in Request::headers.
std::optional<Error> forbidden_include(const Request& request);

// The source with its #line directives blanked, each line where it was: they would give a finding another
// file's name.
std::string without_line_directives(std::string_view source);

}  // namespace warplens::compile
