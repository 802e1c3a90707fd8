// How often each address may ask for what costs much.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace warplens::app::serve {

// May be used by several threads.
class Gate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr double kAtOnce = 6, kSecondsEach = 3;

  // kAtOnce at once, then one every kSecondsEach.
  bool lets_in(const std::string& address, Time now = std::chrono::steady_clock::now());

 private:
  struct Left {
    double tokens = kAtOnce;
    Time at;
  };
  std::mutex mutex_;                  // guards what is below
  std::map<std::string, Left> left_;  // by address; those that have waited long enough are forgotten
};

}  // namespace warplens::app::serve
