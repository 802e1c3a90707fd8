// Text of strangers on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// One line without control characters, of 2 KB at most.
std::string printable(std::string_view text);

}  // namespace warplens
