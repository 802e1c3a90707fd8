// What the bars of the list of steps compare, and what is said of that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace warplens::app {

enum class Compared : std::uint8_t { recorded, predicted, sectors, instructions, error };

// What the head of the list says of its bars.
struct ComparedWords {
  Compared by;
  std::string_view mark, name, short_name, item, tip;  // item: of the menu
  std::string_view longer = {};                        // what a longer bar means, where it is no speed
};
inline constexpr std::array kComparedWords = {
    ComparedWords{Compared::recorded, "recorded", "speed-up", "speed-up", "",
                  "Recorded speed of each step over that of the first, or of the step that is named"},
    ComparedWords{
        Compared::predicted, "predicted", "speed-up", "speed-up", "Speed-up, predicted",
        "Speed of each step over that of the first, or of the step that is named, for as much work: "
        "predicted by the model of time, each at its own default values and this size"},
    ComparedWords{
        Compared::sectors, "sectors", "fewer sectors", "fewer", "Fewer sectors, emulated",
        "How many times fewer global memory sectors than the first step, or the one that is named, "
        "emulated, each at its own default values or the nearest that the device takes, and this size",
        "longer bar: fewer"},
    ComparedWords{
        Compared::instructions, "instructions", "fewer instructions", "fewer", "Fewer instructions, emulated",
        "How many times fewer instructions than the first step, or the one that is named, emulated, "
        "for as many operations: all steps move the same",
        "longer bar: fewer"},
    ComparedWords{Compared::error, "error", "smaller error", "smaller", "Smaller error, emulated",
                  "How many times smaller the largest relative error of its result is than that of the first "
                  "step, or of the one that is named, emulated at this size",
                  "longer bar: smaller"}};

inline const ComparedWords& words_of(Compared by) {
  return *std::ranges::find(kComparedWords, by, &ComparedWords::by);
}

}  // namespace warplens::app
