#include "app/gpu/time_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <string_view>

namespace warplens::app {

std::string time_words(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.2f} µs", seconds * 1e6) : fmt::format("{:.3f} ms", seconds * 1e3);
}

Json to_json(const time::Prediction& p) {
  Json units = Json::object(), stalls = Json::object();
  for (const auto& [name, share] : time::shares_of(p.units)) units[std::string(name)] = share;
  for (std::size_t i = 1; i < time::kStalls; ++i)
    stalls[std::string(time::name(static_cast<time::Stall>(i)))] = p.stalls[i];
  return {{"seconds", p.seconds},
          {"cycles", p.cycles},
          {"limiter", p.limiter},
          {"units", units},
          {"stalls", stalls},
          {"waves", p.waves},
          {"tail", p.tail},
          {"hit_rates", {{"l1", p.l1_hits}, {"l2", p.l2_hits}}},
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
      text += fmt::format(" {} {:.0f} %", time::name(static_cast<time::Stall>(i)), p.stalls[i] * 100);
  text += fmt::format("\nwaves          {:.2f}, of which the last blocks leave {:.0f} % idle\n", p.waves,
                      p.tail * 100);
  text += fmt::format("hits           L1 {:.0f} %, L2 {:.0f} %\n", p.l1_hits * 100, p.l2_hits * 100);
  return text + fmt::format("instructions   {:.0f} of a warp, in {}\n", p.warp_instructions,
                            p.basis == "sass" ? "machine code" : "PTX, or the machine code of another chip");
}

}  // namespace warplens::app
