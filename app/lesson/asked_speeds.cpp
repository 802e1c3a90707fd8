#include "app/lesson/asked_speeds.hpp"

namespace warplens::app {

std::map<std::string, std::size_t> asked_speeds(const lesson::Lesson& lesson) {
  std::map<std::string, std::size_t> first;
  for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop)
    if (const auto* ask = lesson.stops[stop].find<lesson::Ask>())
      for (const std::string& kernel : ask->answer.recorded_kernels()) first.try_emplace(kernel, stop);
  return first;
}

}  // namespace warplens::app
