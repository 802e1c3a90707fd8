// NVIDIA's occupancy calculator: three curves with the kernel's own point, and what each resource allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/device/occupancy.hpp"
#include "engine/explain/explain.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// Which of the three curves a class sees, as states name it.
inline constexpr std::pair<int, std::string_view> kCurveNames[] = {
    {0, "threads"}, {1, "registers"}, {2, "shared"}};

struct OccupancyInput {
  device::Device device;
  device::ResourceUsage use;
  std::string title;  // where the numbers come from
  // The kernel's own numbers where `use` has others, set by hand: those are marked wherever they appear.
  std::optional<device::ResourceUsage> kernel = {};
  std::uint64_t grid =
      0;  // blocks of a launch that has as many at every size, or fewer than there are SMs; 0: of another
  explain::Explanation spills = {};  // of the kernel as it is; empty if nothing is spilled
};

Result<scene::Scene> occupancy_scene(const OccupancyInput& input, scene::Size size,
                                     const scene::TextMeasure& measure);
// For a class: the places of an SM, and beside them the curve of this name, or where it is empty what limits
// the blocks; below them where there is no room beside.
Result<scene::Scene> occupancy_for_class(const OccupancyInput& input, std::string_view curve,
                                         scene::Size size, const scene::TextMeasure& measure);

// How many blocks of the grid there are for each SM, where each SM gets some but more would fit.
std::optional<double> too_few_blocks(const OccupancyInput& input, const device::Occupancy& fit);
// Whether it has none for some of them.
bool has_idle_sms(const OccupancyInput& input);

// How many warps an SM holds, what is used up then, and with how much less of it one block more would fit.
// payoffs: of the kernel's run; null: not known, and then nothing is proposed for a kernel.
explain::Explanation occupancy_words(const OccupancyInput& input, const explain::Payoffs* payoffs = nullptr);
explain::Explanation occupancy_words(const Subject& subject);  // empty if its input is not known

// Rows "varied,x,warps_per_sm" of the three curves.
Result<std::string> occupancy_csv(const OccupancyInput& input);

// What a run's kernel uses, with the numbers that were set by hand instead of its own.
OccupancyInput occupancy_of(const run::Run& run, const SetByHand& by_hand);

// For the table of figures.
Result<scene::Scene> draw_occupancy(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure);
Result<std::string> occupancy_table(const Subject& subject);

}  // namespace warplens::figures
