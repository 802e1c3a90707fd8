// The stops of a lesson as states of the window: each is the state before it with the keys that its own block
// names, by the rules of docs/lessons.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/state/state.hpp"
#include "engine/lesson/grade.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/lesson/runs.hpp"
#include "engine/lesson/subject.hpp"

namespace warplens::app {

struct StopState {
  State state;                // its access is set by settle(), once the run is there
  lesson::AccessWish access;  // which access of the run is shown
  bool reveal = true;         // false: covered until the question is answered
  int line = 0;               // of its block in the lesson's file; of its heading where it has none
  bool operator==(const StopState&) const = default;
};

struct LessonStops {
  std::vector<StopState> stops;  // one for each of lesson.stops; one with a mistake is as the one before it
  std::vector<Error> errors;     // each with file and line
};

// data: the program's folder of kernels and assets. A kernel file that a lesson names stands below it or in
// the lesson's own folder.
LessonStops stops_of(const lesson::Lesson& lesson, const KnownNames& known,
                     const std::filesystem::path& data);

// The run that a stop shows.
lesson::RunKey run_key(const State& state);

// Sets the access that the stop shows, and answers it with its run. Error: the block did not run, or its warp
// has no such access; the state is then left as it is.
Result<lesson::Subject> settle(StopState& stop, run::SharedRun run);

// The access of its own that a stop in the playground shows; nothing for other stops. Errors: an index that
// is not understood, an unknown device.
Result<std::optional<lesson::OwnAccess>> own_access(const State& state, const device::DeviceTable& devices);

}  // namespace warplens::app
