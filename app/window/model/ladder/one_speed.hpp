// The one speed of the launch on screen, wherever it is shown: measured on this computer, else recorded at its
// size with its values, else predicted. And what a moved slider made of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/window/model/performance_data.hpp"
#include "engine/time/predict.hpp"

namespace warplens::app {

struct OneSpeed {
  measured::SpeedSource source = measured::SpeedSource::none;
  double value = 0;       // in units of `unit`
  std::string unit = {};  // "GFLOP/s"
  std::string how = {};   // the formula behind it, or how it was measured
  double of_cublas = 0;   // share of its speed, measured beside it; 0: not known
};

// Of the same kernel, size and device with the values that were set before; both from one source.
struct SpeedChange {
  double from = 0, to = 0;
  std::string unit = {};
  measured::SpeedSource source = measured::SpeedSource::none;
};
// "4 % more", "2.1 times as much", "the same"
std::string change_words(const SpeedChange& change);
// "498 GFLOP/s" as "498" and "GFLOP/s"
std::pair<std::string, std::string> speed_words(measured::Rate rate);

class SpeedWatch {
 public:
  // Once a frame. predicted: of the model's run; null while it is being made, and where there is none.
  void update(const Model& model, const PerformanceData& performance, const time::Prediction* predicted);
  // Empty while it is not known; of a wrong kernel there is none.
  const std::optional<OneSpeed>& now() const { return now_; }
  std::optional<SpeedChange> change() const;
  const catalog::Values& values_before() const { return before_.values; }  // empty: nothing was moved

 private:
  struct Launch {
    std::string place;  // kernel, text, size, device
    catalog::Values values = {};
    std::map<measured::SpeedSource, double> speeds = {};
    bool operator==(const Launch&) const = default;
  };
  Launch current_, before_;
  std::optional<OneSpeed> now_;
};

}  // namespace warplens::app
