// Which speed of a launch is shown, wherever one is: in bars, on cards, in captions, plots, stages and files.
#pragma once

#include <cstdint>

namespace warplens::measured {

enum class SpeedSource : std::uint8_t { none, live, recorded, predicted };

// What is known of exactly this launch: its size and its values. A speed of another launch is never shown in
// its place, only beside it with what it is of.
struct KnownSpeeds {
  bool live = false;       // this computer's GPU ran it
  bool recorded = false;   // it is in the recordings that came with the program
  bool predicted = false;  // the model of time has it
};

// What was measured comes before what is computed, and what was measured here before all.
constexpr SpeedSource shown_source(const KnownSpeeds& known) {
  return known.live        ? SpeedSource::live
         : known.recorded  ? SpeedSource::recorded
         : known.predicted ? SpeedSource::predicted
                           : SpeedSource::none;
}

}  // namespace warplens::measured
