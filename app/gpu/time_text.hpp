// A predicted time, as JSON and in words.
#pragma once

#include <string>

#include "engine/base/json_text.hpp"
#include "engine/run/run.hpp"
#include "engine/time/predict.hpp"

namespace warplens::app {

Json to_json(const time::Prediction& prediction);
std::string to_text(const time::Prediction& prediction);
// What warps do at each instruction, in the order of the code.
Json stalls_by_instruction(const time::Prediction& prediction);
// The lines at which warps spend most of their time, and with what; source: of the kernel's file.
std::string lines_text(const time::Prediction& prediction, const run::Lines& source);
// "31.20 µs", "2.120 ms", "1.50 s"
std::string time_words(double seconds);

}  // namespace warplens::app
