#include "engine/base/testing/places.hpp"

namespace warplens {

std::string source_path(std::string_view below) {
  std::string path = WARPLENS_SOURCE_DIR;
  if (!below.empty()) path += '/';
  return path += below;
}

std::string test_cache_path() { return WARPLENS_TEST_CACHE "/warplens"; }

std::string program_path(std::string_view name) { return std::string(WARPLENS_PROGRAMS "/").append(name); }

}  // namespace warplens
