// Other names that a source gives to types, and the words that types are written with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/conditionals.hpp"

namespace warplens::source {

// What stands for each name, its words joined by blanks: "const float *".
using Aliases = std::map<std::string, std::string, std::less<>>;

// Names and single signs, with "::" kept in names: "const", "float", "*", "std::size_t".
std::vector<std::string> parts_of_type(std::string_view text);
// "#define real float"
Aliases aliases_of(const Macros& macros);
// "typedef float real;", "using real = float;", and enumerations, which are whole numbers. plain: blanked().
void add_aliases(std::string_view plain, Aliases& aliases);

}  // namespace warplens::source
