// What toml++ does not take in a TOML text: it ends the program, or may.
#pragma once

#include <string_view>

namespace warplens {

// The first line, from 1, that has a name of more than 200 parts; 0: none has.
int line_of_deep_name(std::string_view toml);
// The first line that begins a table with what no name begins with, such as [*]; 0: none does.
int line_of_nameless_table(std::string_view toml);

}  // namespace warplens
