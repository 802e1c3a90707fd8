// The next stops of a lesson, made while nobody waits: what they show is run and counted and what they ask is
// computed, so that all of it is kept when somebody goes there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/stop_context.hpp"
#include "app/window/model/model.hpp"
#include "engine/base/memo.hpp"
#include "engine/lesson/lesson.hpp"

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
    std::vector<Stop> stops;
  };

  // wake: called from the worker, which gives way to all others, when they are there.
  StopAhead(SharedBench bench, std::shared_ptr<study::Library> library, std::function<void()> wake)
      : bench_(std::move(bench)), library_(std::move(library)), made_(std::move(wake)) {}

  // key: of the stops, which are asked for where it is another one than before.
  void make(const std::string& key, const std::function<Stops()>& stops);
  // Somebody waits for something else. The next make() begins again, with what was kept.
  void stop() { made_.rest(); }
  bool is_busy() const { return made_.busy_seconds().has_value(); }

 private:
  SharedBench bench_;
  std::shared_ptr<study::Library> library_;
  Asked<bool> made_;
};

}  // namespace warplens::app
