#include "engine/emulator/flow/source_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace warplens::emulator {

std::string source_name(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (name.size() < 3 || status != 0 || text == nullptr) return name;  // "i" would be "int"
  const std::string_view whole = text.get();
  const auto colon = whole.back() == ')' ? whole.npos : whole.rfind("::");
  return std::string(colon == std::string_view::npos ? whole : whole.substr(colon + 2));
}

}  // namespace warplens::emulator
