// The one speed of the launch on screen, wherever it is shown: measured on this computer, else recorded at its
// size with its values, else predicted, else estimated for the moment until it is, else that of the values before,
// which says so. And what a moved slider made of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/window/model/ladder/speeds_ahead.hpp"
#include "app/window/model/performance_data.hpp"

namespace warplens::app {

struct OneSpeed {
  measured::SpeedSource source = measured::SpeedSource::none;
  double value = 0;       // in units of `unit`
  std::string unit = {};  // "GFLOP/s"
  std::string how = {};   // the formula behind it, or how it was measured
  double of_cublas = 0;   // share of its speed, measured beside it; 0: not known
  bool is_about = false;  // estimated from other values of its sliders: the prediction is on its way
  // Those that it is of, where these are not those that are set: nothing is known of these yet.
  std::optional<catalog::Values> before = {};
};

// Of the same kernel, size and device with the values that were set before; both from one source.
struct SpeedChange {
  double from = 0, to = 0;
  std::string unit = {};
  measured::SpeedSource source = measured::SpeedSource::none;
  bool is_about = false;
  bool is_shown = true;  // both were the large number, in their turn
};
// "4 % more", "2.1 times as much", "the same"
std::string change_words(const SpeedChange& change);
// "498 GFLOP/s" as "498" and "GFLOP/s"
std::pair<std::string, std::string> speed_words(measured::Rate rate);

class SpeedWatch {
 public:
  void update(const Model& model, const PerformanceData& performance,
              const SpeedsAhead& ahead);  // once a frame, behind its update()
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
  struct Known {
    OneSpeed speed;
    catalog::Values values;
  };
  std::optional<OneSpeed> speed_before(const Model& model, const SpeedsAhead& ahead) const;

  Launch current_, before_;
  std::optional<OneSpeed> now_;
  std::optional<Known> known_;  // the newest that was, of the same kernel, size and device
};

}  // namespace warplens::app
