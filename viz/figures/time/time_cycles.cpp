// Which cycles the figure of time shows, and where its cursor is.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "viz/figures/time/time.hpp"

namespace warplens::figures {
namespace {

constexpr double kFewest = 16;  // cycles that are shown

// "12,34"; empty if it is not that.
std::optional<std::pair<double, double>> two_numbers(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<double> {
    double value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_one = code == std::errc() && end == digits.data() + digits.size() && value >= 0;
    return is_one ? std::optional(value) : std::nullopt;
  };
  const auto first = number(text.substr(0, comma)), second = number(text.substr(comma + 1));
  return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

// Within what was scheduled, and as many.
TimeOptions within_schedule(const time::Schedule& schedule, TimeOptions options, double from, double number) {
  number = std::clamp(number, kFewest, std::max(schedule.end, kFewest));
  from = std::clamp(from, 0.0, std::max(schedule.end - number, 0.0));
  options.from = std::round(from * 10) / 10, options.to = std::round((from + number) * 10) / 10;
  return options;
}

std::size_t stretch_at(const std::vector<time::Stretch>& stretches, double cycle) {
  const auto found = std::ranges::upper_bound(stretches, cycle, {}, &time::Stretch::to);
  return static_cast<std::size_t>(found - stretches.begin());
}

// The issue that comes so many behind this cycle; the last one, or the first, where there are fewer.
double issue_from(const std::vector<time::Stretch>& stretches, double cycle, int instructions) {
  const std::ptrdiff_t way = instructions < 0 ? -1 : 1;
  auto at = static_cast<std::ptrdiff_t>(stretch_at(stretches, cycle));
  double found = cycle;
  for (at += way; at >= 0 && at < std::ssize(stretches) && instructions != 0; at += way) {
    const time::Stretch& stretch = stretches[static_cast<std::size_t>(at)];
    if (stretch.what != time::Stall::selected) continue;
    found = stretch.from;
    instructions -= static_cast<int>(way);
  }
  return found;
}

}  // namespace

std::optional<TimeOptions> time_options(std::string_view cycles, std::string_view cursor) {
  TimeOptions options;
  if (!cycles.empty()) {
    const auto both = two_numbers(cycles);
    if (!both || both->second <= both->first) return std::nullopt;
    std::tie(options.from, options.to) = *both;
  }
  if (!cursor.empty()) {
    constexpr double kMostWarps = 4096;
    const auto both = two_numbers(cursor);
    if (!both || both->second > kMostWarps) return std::nullopt;
    options.cycle = both->first, options.warp = static_cast<int>(both->second);
  }
  return options;
}

std::string cycles_text(const TimeOptions& options) {
  return options.to > options.from ? fmt::format("{:.6g},{:.6g}", options.from, options.to) : std::string();
}
std::string cursor_text(const TimeOptions& options) {
  return options.cycle < 0 ? std::string() : fmt::format("{:.6g},{}", options.cycle, options.warp);
}

Cycles shown_cycles(const time::Schedule& schedule, const TimeOptions& options) {
  if (options.to <= options.from) return {schedule.from, schedule.to};
  const TimeOptions fit = within_schedule(schedule, options, options.from, options.to - options.from);
  return {fit.from, fit.to};
}

TimeOptions zoomed(const time::Schedule& schedule, TimeOptions options, double around, double factor) {
  const Cycles now = shown_cycles(schedule, options);
  const double number = std::clamp(now.number() / factor, kFewest, std::max(schedule.end, kFewest));
  return within_schedule(schedule, options, around - (around - now.from) * number / now.number(), number);
}

TimeOptions moved(const time::Schedule& schedule, TimeOptions options, double by) {
  const Cycles now = shown_cycles(schedule, options);
  return within_schedule(schedule, options, now.from + by, now.number());
}

TimeOptions cursor_moved(const time::Schedule& schedule, TimeOptions options, int instructions, int warps) {
  if (schedule.warps.empty()) return options;
  const Cycles now = shown_cycles(schedule, options);
  if (options.cycle < 0) options.cycle = std::floor((now.from + now.to) / 2);
  options.warp = std::clamp(options.warp + warps, 0, static_cast<int>(schedule.warps.size()) - 1);
  const auto& stretches = schedule.warps[static_cast<std::size_t>(options.warp)].stretches;
  if (instructions != 0) options.cycle = issue_from(stretches, options.cycle, instructions);
  options.cycle = std::round(options.cycle * 10) / 10;
  if (options.cycle < now.from) return moved(schedule, options, options.cycle - now.from - now.number() / 4);
  if (options.cycle >= now.to) return moved(schedule, options, options.cycle - now.to + now.number() / 4);
  return options;
}

}  // namespace warplens::figures
