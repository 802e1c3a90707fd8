#include "app/json_text.hpp"

namespace warplens::app {

std::string to_text(const Json& json) {
  // replace: a title that is not UTF-8 must not stop the program.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warplens::app
