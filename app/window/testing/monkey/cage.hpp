// Keeps what the monkey does away from everybody's files: it saves wherever a dialog lets it.
#pragma once

#include <filesystem>
#include <vector>

namespace warplens::app::monkey {

// From now on this process, and what it starts, makes, changes and removes files below these folders alone.
// False, and nothing has changed: this system has no Landlock (Linux 5.13).
bool keep_writes_below(const std::vector<std::filesystem::path>& folders);

}  // namespace warplens::app::monkey
