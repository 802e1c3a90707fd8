// How JSON leaves the program: keys in the order they were said, two spaces of indent, always valid UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplens {

using Json = nlohmann::ordered_json;

// The value of this key, or null. The library's own [] of a constant object must not be given a missing key.
const Json& at(const Json& object, const char* key);

std::string to_text(const Json& json);  // ends with a newline

}  // namespace warplens
