// What a compilation may touch: NVRTC reads whatever file a kernel names, and a kernel of a stranger could so
// print keys. Linux' Landlock (5.13) takes the right away, whatever the text says and links lead to.
#pragma once

#include <filesystem>
#include <vector>

namespace warplens::compile {

// From now on the calling thread, and what it starts, opens no files but those below these folders and the
// system's libraries, to read them; it makes, changes and removes none, and reaches no network. What is open
// already stays open. It cannot be taken back. False, and nothing has changed: this kernel has no Landlock.
bool confine_this_thread(const std::vector<std::filesystem::path>& readable);

// Whether it would be true.
bool can_confine();

}  // namespace warplens::compile
