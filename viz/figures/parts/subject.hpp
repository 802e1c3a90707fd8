// What a figure is drawn from: a place of a run, or one of the inputs that are no run.
#pragma once

#include <cstdint>
#include <optional>

#include "viz/figures/parts/places.hpp"

namespace warplens::figures {

struct AccessOptions {
  enum class Colors : std::uint8_t {
    classic,       // orange, blue, black
    colour_blind,  // apart in lightness too, and the first thread is crossed
    lanes,         // one colour for each lane of the warp
  };
  Colors colors = Colors::classic;
  bool whole = false;  // whole matrices, several elements a cell where they are large; else the part at work
  int trail = 64;      // older accesses of each matrix that are shown
  // In a low figure, of a problem that is no product: the words stand at the right of the matrices, or above
  // them; nothing: wherever the matrices become larger.
  std::optional<bool> words_beside = {};
  bool operator==(const AccessOptions&) const = default;
};

struct BankMap;
struct OccupancyInput;
struct PerformanceInput;
struct WarpAccessView;

// What a figure is drawn from. Figure::reads says which of it one reads; an error says what is missing.
struct Subject {
  const run::Run* run = nullptr;
  Place place = {};
  AccessOptions access = {};
  const BankMap* banks = nullptr;              // of the place's block
  const WarpAccessView* own_access = nullptr;  // of no kernel, instead of that at the place
  const OccupancyInput* occupancy = nullptr;
  const PerformanceInput* performance = nullptr;
  const Subject* beside = nullptr;  // of the picture that this one is compared with: both look alike
};

}  // namespace warplens::figures
