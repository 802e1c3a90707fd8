#include "engine/base/error.hpp"

#include <algorithm>

namespace warplens {

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (text.empty() || place.line == 0) return text;
  text += ":" + std::to_string(place.line);
  if (place.column != 0) text += ":" + std::to_string(place.column);
  return text;
}

std::string to_line(const Error& error) {
  std::string line = to_string(error.place);
  if (!line.empty()) line += ": ";
  line += error.message;
  if (!error.next_step.empty()) line += "; " + error.next_step;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace warplens
