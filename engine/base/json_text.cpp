#include "engine/base/json_text.hpp"

#include <nlohmann/json.hpp>

namespace warplens {

const Json& at(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? none : *found;
}

std::string to_text(const Json& json) {
  // replace: a title that is not UTF-8 must not stop the program.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warplens
