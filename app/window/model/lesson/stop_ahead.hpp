// The next stop of a lesson, made while nobody waits: what it shows is run and what it asks is computed, so
// that both are kept when somebody goes there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lesson/stops.hpp"
#include "app/window/model/model.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/measured/recorded.hpp"

namespace warplens::app {

// The runs that the window asks for where it has this state: of its kernel, and of both sides that it
// compares. Unknown names have none.
std::vector<run::Request> runs_of(State state, const catalog::Catalog& catalog,
                                  const device::DeviceTable& devices);

class StopAhead {
 public:
  struct Stop {
    std::shared_ptr<const lesson::Lesson> lesson;
    std::shared_ptr<const catalog::Catalog> catalog;
    std::size_t stop;  // of the lesson's
    StopState state;
    std::string expression;  // of its question; empty where nothing is computed for it
    bool is(const Stop& other) const { return lesson == other.lesson && stop == other.stop; }
  };

  // wake: called from the worker, which gives way to all others, when a stop is there.
  StopAhead(std::filesystem::path data, device::DeviceTable devices, std::shared_ptr<run::Runner> runner,
            std::function<void()> wake);

  // Goes on with it where it is the same as before.
  void make(Stop stop);
  // Somebody waits for something else. The next make() begins again, with what was kept.
  void stop();
  bool is_busy() const { return worker_.busy_seconds().has_value(); }

 private:
  std::optional<Stop> asked_;
  LatestWins<Stop, bool> worker_;
};

}  // namespace warplens::app
