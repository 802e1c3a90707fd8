// The predicted speed of a kernel over its parameters: a map of cells over two of them, a curve over one.
// Each set that the file takes is in it; those that cannot be launched are hatched and say why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "viz/figures/map/speed_slice.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

// What becomes of the parameters that a map does not go over: whether they are as they are chosen.
inline constexpr std::pair<bool, std::string_view> kOthersNames[] = {{false, "best"}, {true, "now"}};
// over: "BM,BN". Nothing for another word.
std::optional<MapOptions> map_options(std::string_view over, std::string_view others);

using study::SharedSpeedMap, study::speed_map_of;
using SharedMeasured = std::shared_ptr<const MeasuredSets>;

// A set as clicks name it: "set:BM=64,BN=64".
std::string set_id(const catalog::Values& values);

// The map itself; cells that can be chosen have the ids of their sets.
scene::Scene map_scene(const Subject& subject, const time::SpeedMap& map, const Slice& slice,
                       scene::Size size, const scene::TextMeasure& measure);
plot::Plot curve_plot(const Subject& subject, const time::SpeedMap& map, const Slice& slice);

// "Best predicted: BM = 64, BN = 64, 1.3 times this one".
TimeSaid map_words(const Subject& subject, const time::SpeedMap& map);
// The heading of the picture: its parameters, and what becomes of the others.
struct MapTitle {
  std::string title, subtitle;
};
MapTitle map_title(const Subject& subject, const time::SpeedMap& map, const Slice& slice);
// The measured time of a set; null: it was not measured.
const MeasuredSet* find_measured(const Subject& subject, const catalog::Values& values);
// What is said where one points at a set or a cell.
std::string set_words(const Subject& subject, const time::MapSet& set, const MeasuredSet* measured);
std::string cell_words(const Subject& subject, const Slice& slice, std::size_t cell);

// For the table of figures. Errors: not made yet, nothing to choose.
Result<scene::Scene> draw_speed_map(const Subject& subject, scene::Size size,
                                    const scene::TextMeasure& measure);
// Rows "NAME,...,predicted_us,speed,unit,limiter,measured_us,why_not" of all sets.
Result<std::string> speed_map_table(const Subject& subject);

}  // namespace warplens::figures
