// The best that an exercise of a lesson can reach: all sets of parameters of its kernel are tried beside the
// window.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "app/lesson/stops.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/measured/recorded.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

class ExerciseSearch {
 public:
  struct Found {
    std::optional<double> best;       // of the sets that reach the goal; nothing is to be made large: 1
    std::size_t reached = 0;          // how many do
    std::size_t tried = 0, sets = 0;  // fewer tried than there are: it goes on, or its time was up
    bool is_whole() const { return tried == sets; }
  };
  // An exercise as it stands at a stop whose run is the goal's kernel.
  struct Request {
    std::shared_ptr<const lesson::Lesson> lesson;
    std::shared_ptr<const catalog::Catalog> catalog;
    StopState stop;
    lesson::Try exercise;
  };

  // data: the program's folder. wake: called from the worker when there is something new.
  ExerciseSearch(std::filesystem::path data, device::DeviceTable devices, std::shared_ptr<run::Runner> runner,
                 std::function<void()> wake);

  void begin(Request request) { search_.submit(std::move(request)); }
  void cancel() { search_.cancel(); }
  // Returns what is new since the last call; empty if nothing is.
  std::optional<Found> poll() { return search_.poll(); }

 private:
  LatestWins<Request, Found> search_;
};

}  // namespace warplens::app
