// The lessons of a page: a stop with its text, its question and its exercise; whether an answer is right, whether a goal is reached.
// A class's progress is the page's own: here nothing is kept of who answered what.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/lesson/stop_context.hpp"
#include "app/page/page_state.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app::page {

class Lessons {
 public:
  // What is named must outlive this. home: the folder of lessons, kernels and assets.
  Lessons(const std::filesystem::path& home, const catalog::Catalog& catalog,
          const device::DeviceTable& devices, measured::Recorded& recorded, run::Runner& runner);

  // name, title, summary, minutes and number of stops of each.
  Json list() const;
  // asked: lesson, stop (from 1). Text before and behind the question, its choices, the task of the exercise, the state that is shown;
  // `covered`: not before the answer. Errors: no such lesson or stop.
  Result<Json> stop(const Json& asked);
  // asked: lesson. The kernels that its stops show, for who has to fetch them.
  Result<Json> kernels(const Json& asked);
  // asked: as of stop(), and choice (from 0) or number. Errors: the stop asks nothing, what cannot be computed.
  Result<Json> answer(const Json& asked);
  // Whether the exercise's goal is reached with this state. Errors: the stop has none, what cannot be run.
  Result<Json> reached(const Json& asked, const State& state);

 private:
  struct Opened {
    lesson::Lesson lesson;
    std::vector<StopState> stops;
  };
  struct Place {
    const Opened* opened;
    std::size_t stop;
    const lesson::Stop& text() const { return opened->lesson.stops[stop]; }
  };
  Result<Place> find(const Json& asked);

  LessonSources sources_;
  std::map<std::string, Opened> opened_;  // by name
};

}  // namespace warplens::app::page
