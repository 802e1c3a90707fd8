// TOML as strangers write it. toml++ follows the parts of a name such as a.b.c by recursion: tens of
// thousands of them end the program. It takes for granted that the name of a table begins as names do.
#pragma once

#include <toml++/toml.h>
#include <string_view>

#include "engine/base/toml_depth.hpp"

namespace warplens {

// As toml::parse; names of very many parts, and tables without one, are errors of the text too.
inline toml::table parse_toml(std::string_view text, std::string_view file = {}) {
  if (const int line = line_of_deep_name(text); line > 0)
    throw toml::parse_error("a name has more than 200 parts",
                            toml::source_position{static_cast<toml::source_index>(line), 1});
  if (const int line = line_of_nameless_table(text); line > 0)
    throw toml::parse_error("a table has no name",
                            toml::source_position{static_cast<toml::source_index>(line), 1});
  return toml::parse(text, file);
}

}  // namespace warplens
