#include "app/lesson/asked_speeds.hpp"

#include <regex>

namespace warplens::app {

std::map<std::string, std::size_t> asked_speeds(const lesson::Lesson& lesson,
                                                const std::vector<StopState>& stops) {
  // recorded('matmul/01_naive', 4096).speed, or recorded(kernel, 4096).speed of the stop's own kernel
  static const std::regex kSpeed(R"((?:recorded|tuned)\(\s*(?:(['"])(.*?)\1|kernel\b))");
  std::map<std::string, std::size_t> first;
  for (std::size_t stop = 0; stop < stops.size(); ++stop) {
    const auto* ask = lesson.stops[stop].find<lesson::Ask>();
    if (ask == nullptr) continue;
    for (std::sregex_iterator at(ask->answer.begin(), ask->answer.end(), kSpeed), end; at != end; ++at)
      first.try_emplace((*at)[1].matched ? (*at)[2].str() : stops[stop].state.kernel, stop);
  }
  return first;
}

}  // namespace warplens::app
