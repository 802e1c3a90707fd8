// TOML as strangers write it. toml++ follows the parts of a name such as a.b.c by recursion: tens of
// thousands of them end the program. It takes for granted that the name of a table begins as names do.
#pragma once

#include <toml++/toml.h>
#include <string_view>

namespace warplens {

// What toml++ does not take in a text: it ends the program, or may.
// The first line, from 1, that has a name of more than 200 parts; 0: none has.
int line_of_deep_name(std::string_view toml);
// The first line that begins a table with what no name begins with, such as [*]; 0: none does.
int line_of_nameless_table(std::string_view toml);

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
