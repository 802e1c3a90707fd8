#include "engine/base/error.hpp"

#include "engine/base/printable.hpp"

#include <algorithm>

namespace warplens {

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (text.empty() || place.line == 0) return text;
  text += ":" + std::to_string(place.line);
  if (place.column != 0) text += ":" + std::to_string(place.column);
  return text;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 1900;
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool is_c1 = c == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (c == '\n') {
      line += ' ';
    } else if (c < ' ' || c == 0x7f || is_c1) {
      line += '?';
      at += is_c1 ? 1 : 0;
    } else {
      line += text[at];
    }
    if (line.size() < kMost || at + 1 == text.size()) continue;
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xc0) == 0x80) line.pop_back();
    return line + " ...";
  }
  return line;
}

std::string to_line(const Error& error) {
  std::string line = to_string(error.place);
  if (!line.empty()) line += ": ";
  line += error.message;
  if (!error.next_step.empty()) line += "; " + error.next_step;
  return printable(line);
}

}  // namespace warplens
