// How much was tried before a kernel was called right, in the same words on the command line and in the
// window.
#pragma once

#include <cstddef>
#include <string>

#include "engine/run/report.hpp"

namespace warplens::app {

// "N=1003; N=131101; data: random, equal, zero; run too: rowSum (verified); fill was not looked at"
// most: of the sizes; the others are counted.
std::string tried_words(const run::Tried& tried, std::size_t most = 1000);
// "M=512 N=512"
std::string to_words(const run::NamedValues& values);

}  // namespace warplens::app
