#include "engine/base/ptx_file_name.hpp"

#include <fmt/format.h>

#include <charconv>

namespace warplens {

std::string ptx_file_name(std::string_view file) {
  std::string name;
  for (const char c : file) {
    const bool ends_it = c == '"' || c == '\\' || c == '%' || (c >= 0 && c < ' ');
    name += ends_it ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return name;
}

std::string file_of_ptx_name(std::string_view name) {
  std::string file;
  for (std::size_t at = 0; at < name.size(); ++at) {
    unsigned code = 0;
    const char* digits = name.data() + at + 1;
    const bool is_code = name[at] == '%' && at + 2 < name.size() &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    file += is_code ? static_cast<char>(code) : name[at];
    if (is_code) at += 2;
  }
  return file;
}

}  // namespace warplens
