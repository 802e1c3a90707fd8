// What somebody may want to show a class, each as a state of the window: assets/topics/topics.toml, which says what
// may stand in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/state.hpp"

namespace warplens::app {

struct Topic {
  std::string title, words;  // words: what else people call it
  std::string slider, hint;  // the parameter to move, and what to do there; may be empty
  State state;
};

// home: the program's folder; none where it has no such file. Errors: whatever is wrong in it, with its line.
Result<std::vector<Topic>> read_topics(const std::filesystem::path& home, const KnownNames& known);

// What `chosen` looks at, with the device and all that users set for themselves as `now` has it.
State looking_at(const State& chosen, const State& now);

}  // namespace warplens::app
