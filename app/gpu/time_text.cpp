#include "app/gpu/time_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

#include "engine/time/why/stalls_by_line.hpp"

namespace warplens::app {

std::string time_words(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} µs", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

namespace {

template <class Shares>
Json reasons_json(const Shares& shares) {
  Json reasons = Json::object();
  for (const auto& [stall, share] : time::reasons_of(shares)) reasons[std::string(time::name(stall))] = share;
  return reasons;
}

}  // namespace

Json stalls_by_instruction(const time::Prediction& p) {
  Json instructions = Json::array();
  for (const time::StallsAt& at : p.stalls_at) {
    double share = 0;
    for (const float part : at.shares) share += static_cast<double>(part);
    instructions.push_back({{"address", at.offset},
                            {"line", at.line},
                            {"ptx_line", at.ptx_line},
                            {"share", share},
                            {"reasons", reasons_json(at.shares)}});
  }
  return instructions;
}

Json to_json(const time::Prediction& p) {
  Json units = Json::object(), stalls = Json::object();
  for (const auto& [name, share] : time::shares_of(p.units)) units[std::string(name)] = share;
  for (std::size_t i = 1; i < time::kStalls; ++i)
    stalls[std::string(time::name(static_cast<time::Stall>(i)))] = p.stalls[i];
  Json lines = Json::array();
  for (const time::LineStalls& line : time::stalls_by_line(p))
    lines.push_back({{"line", line.line}, {"share", line.share}, {"reasons", reasons_json(line.reasons)}});
  return {{"seconds", p.seconds},
          {"cycles", p.cycles},
          {"limiter", p.limiter},
          {"units", units},
          {"stalls", stalls},
          {"stalls_by_line", lines},
          {"waves", p.waves},
          {"tail", p.tail},
          {"longest_block", p.longest_block},
          {"waits_for_longest_block", p.waits_for_longest},
          {"hit_rates", p.has_caches ? Json{{"l1", p.l1_hits}, {"l2", p.l2_hits}} : Json(nullptr)},
          {"warp_instructions", p.warp_instructions},
          {"basis", p.basis}};
}

std::string to_text(const time::Prediction& p) {
  std::string text = fmt::format("predicted      {}, {:.0f} cycles of an SM; busiest unit {}\n",
                                 time_words(p.seconds), p.cycles, p.limiter);
  text += "busy          ";
  for (const auto& [name, share] : time::shares_of(p.units))
    text += fmt::format(" {} {:.0f} %", name, share * 100);
  text += "\nwarps         ";
  for (std::size_t i = 1; i < time::kStalls; ++i)
    if (p.stalls[i] >= 0.005)
      text += fmt::format(" {} {:.0f} %", time::nsight_name(static_cast<time::Stall>(i)), p.stalls[i] * 100);
  text += fmt::format("\nwaves          {:.2f}, of which the last blocks leave {:.0f} % idle\n", p.waves,
                      p.tail * 100);
  if (p.longest_block > 1)
    text += fmt::format(
        "blocks         unequal: the longest executes {:.1f} times as many instructions as their mean, and "
        "the device waits for it for {:.0f} % of the kernel's time\n",
        p.longest_block, p.waits_for_longest * 100);
  const std::string local =
      p.local_accesses > 0
          ? fmt::format(", of global memory; L1 {:.0f} % of local memory", p.local_hits * 100)
          : "";
  if (p.has_caches)
    text += fmt::format("hits           L1 {:.0f} % of loads, L2 {:.0f} % of loads and stores{}\n",
                        p.l1_hits * 100, p.l2_hits * 100, local);
  return text + fmt::format("instructions   {:.0f} of a warp, in {}\n", p.warp_instructions,
                            p.basis == "sass" ? "machine code" : "PTX, or the machine code of another chip");
}

std::string lines_text(const time::Prediction& p, const run::Lines& source) {
  constexpr double kLeast = 0.02;
  constexpr std::size_t kMost = 5, kReasons = 2;
  std::string text;
  const auto lines = time::stalls_by_line(p);
  for (std::size_t i = 0; i < std::min(kMost, lines.size()) && lines[i].share >= kLeast; ++i) {
    const time::LineStalls& line = lines[i];
    text += fmt::format("{:<15}{:>3.0f} % of the warps' time, of which {}\n",
                        line.line > 0 ? fmt::format("line {}", line.line) : "no line", 100 * line.share,
                        time::reason_words(time::reasons_of(line.reasons), kReasons, &p));
    if (line.line < 1 || static_cast<std::size_t>(line.line) > source.size()) continue;
    const std::string_view words = source[static_cast<std::size_t>(line.line) - 1];
    const std::size_t first = words.find_first_not_of(" \t");
    if (first != std::string_view::npos) text += fmt::format("{:<15}{}\n", "", words.substr(first));
  }
  return text;
}

}  // namespace warplens::app
