// How deep the names of a TOML text go.
#pragma once

#include <string_view>

namespace warplens {

// The first line, from 1, that has a name of more than 200 parts; 0: none has.
int line_of_deep_name(std::string_view toml);

}  // namespace warplens
