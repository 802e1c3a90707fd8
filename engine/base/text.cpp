#include "engine/base/text.hpp"

namespace warplens {

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t end = text.size(); end > 3;) text.insert(end -= 3, ",");
  return text;
}

}  // namespace warplens
