// What an expression of a lesson comes to.
#pragma once

#include <string>
#include <variant>

namespace warplens::lesson {

using Value = std::variant<double, std::string>;  // true and false are 1 and 0

bool is_true(const Value& value);           // a number other than 0, a text that is not empty
std::string to_string(const Value& value);  // "1,024", "0.25", "shared"

}  // namespace warplens::lesson
