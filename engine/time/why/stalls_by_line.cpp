#include "engine/time/why/stalls_by_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace warplens::time {

std::vector<LineStalls> stalls_by_line(const Prediction& prediction) {
  std::map<int, LineStalls> lines;
  for (const StallsAt& at : prediction.stalls_at) {
    LineStalls& line = lines[at.line];
    line.line = at.line;
    for (std::size_t i = 0; i < kStalls; ++i) line.reasons[i] += at.shares[i], line.share += at.shares[i];
  }
  std::vector<LineStalls> ordered;
  for (const auto& [number, line] : lines) ordered.push_back(line);
  std::ranges::stable_sort(ordered, std::greater{}, &LineStalls::share);
  return ordered;
}

std::string_view plain_words(Stall stall) {
  constexpr std::array<std::string_view, kStalls> kWords{
      "is not there",
      "issues an instruction",
      "waits for the instruction before",
      "waits for global memory",
      "waits for shared memory, a function or a special register",
      "waits at a barrier",
      "waits for an arithmetic unit",
      "waits for the queue of the load/store unit",
      "waits for the registers' ports",
      "could issue, another warp goes first"};
  return kWords[static_cast<std::size_t>(stall)];
}

bool is_for_local_memory(const Prediction& prediction, Stall stall) {
  constexpr double kMost = 0.5;
  return stall == Stall::long_scoreboard && prediction.local_accesses >= kMost;
}

bool is_for_constants(const Prediction& prediction, Stall stall) {
  const UnitShares& units = prediction.units;
  return stall == Stall::short_scoreboard && units.constant > units.shared + units.sfu;
}

std::string_view plain_words(const Prediction& prediction, Stall stall) {
  return is_for_local_memory(prediction, stall) ? "waits for local memory"
         : is_for_constants(prediction, stall)  ? "waits for constant memory"
                                                : plain_words(stall);
}

std::string_view nsight_name(Stall stall) {
  return stall == Stall::memory_throttle ? "lg_throttle/mio_throttle" : name(stall);
}

template <class Shares>
std::vector<Reason> reasons_of(const Shares& shares) {
  constexpr double kLeast = 0.001;
  std::vector<Reason> reasons;
  for (std::size_t i = 1; i < kStalls; ++i)
    if (shares[i] >= kLeast) reasons.push_back({static_cast<Stall>(i), shares[i]});
  std::ranges::stable_sort(reasons, std::greater{}, &Reason::share);
  return reasons;
}
template std::vector<Reason> reasons_of(const std::array<double, kStalls>&);
template std::vector<Reason> reasons_of(const std::array<float, kStalls>&);

std::string reason_words(const std::vector<Reason>& reasons, std::size_t most, const Prediction* of) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i)
    text += fmt::format("{}{:.{}f} % {} ({})", text.empty() ? "" : ", ", 100 * reasons[i].share,
                        reasons[i].share < 0.0095 ? 1 : 0,
                        of != nullptr ? plain_words(*of, reasons[i].stall) : plain_words(reasons[i].stall),
                        nsight_name(reasons[i].stall));
  return text;
}

}  // namespace warplens::time
