#include "engine/catalog/recorded_launch.hpp"

namespace warplens::catalog {

std::uint64_t RecordedLaunch::bytes() const {
  std::uint64_t sum = 0;
  for (const auto* list : {&arrays, &others})
    for (const RecordedArray& array : *list) sum += array.bytes.size();
  return sum;
}

}  // namespace warplens::catalog
