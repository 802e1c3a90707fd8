// How much was tried before a kernel was called right, in the same words on the command line and in the
// window.
#pragma once

#include <string>

#include "engine/run/report.hpp"

namespace warplens::app {

// "N=1003; N=131101; data: random, equal, zero; run too: rowSum (verified); fill was not looked at"
std::string tried_words(const run::Tried& tried);
// "M=512 N=512"
std::string to_words(const run::NamedValues& values);

}  // namespace warplens::app
