// The next stops of a lesson, made while nobody waits: what they show is run and counted and what they ask is
// computed, so that all of it is kept when somebody goes there.
#pragma once

#include <functional>
#include <memory>
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
    StopState state;                // as it will be shown
    lesson::Expression expression;  // of its question; empty where nothing is computed for it
  };
  struct Stops {
    std::shared_ptr<const lesson::Lesson> lesson;
    std::shared_ptr<const catalog::Catalog> catalog;
    catalog::Ladders taught;
    std::size_t first = 0;    // of the lesson's
    std::vector<Stop> stops;  // that one and those behind it
  };

  // wake: called from the worker, which gives way to all others, when they are there.
  StopAhead(const Model& model, std::function<void()> wake);

  // Whether these are what was asked for last.
  bool is_at(const lesson::Lesson& lesson, std::size_t first) const {
    return lesson_.get() == &lesson && first_ == first;
  }
  void make(Stops stops);
  // Somebody waits for something else. The next make() begins again, with what was kept.
  void stop();
  bool is_busy() const { return worker_.busy_seconds().has_value(); }

 private:
  std::shared_ptr<const lesson::Lesson> lesson_;  // null: nothing is asked for
  std::size_t first_ = 0;
  LatestWins<Stops, bool> worker_;
};

}  // namespace warplens::app
