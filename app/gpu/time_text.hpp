// A predicted time, as JSON and in words.
#pragma once

#include <string>

#include "engine/base/json_text.hpp"
#include "engine/time/predict.hpp"

namespace warplens::app {

Json to_json(const time::Prediction& prediction);
std::string to_text(const time::Prediction& prediction);
// "31.20 µs", "2.120 ms"
std::string time_words(double seconds);

}  // namespace warplens::app
