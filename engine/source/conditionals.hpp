// What the preprocessor leaves of a source, as far as declarations are concerned: the branches of #if that
// are taken, and what stands in files beside it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

using Macros = std::map<std::string, std::string, std::less<>>;  // those without arguments

// The code with the branches that are not taken blanked; every character stays where it is. macros: those
// before, and then those behind it.
std::string taken_branches(std::string_view code, Macros& macros);

// The files that the code includes by "" from the folder and below, one after the other, and what they
// include, each only with the branches that are taken. macros: gets those that they define.
std::string included_text(std::string_view code, const std::string& folder, Macros& macros);

struct Include {
  std::string name;
  bool is_quoted = false;  // else in <>
};
std::vector<Include> includes_of(std::string_view code);

// As NVRTC defines them.
Macros macros_of_compiler();

}  // namespace warplens::source
