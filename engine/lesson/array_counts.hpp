// What the accesses of a recorded block to one array count, and which array an access goes to.
#pragma once

#include <string>
#include <string_view>

#include "engine/emulator/launch.hpp"
#include "engine/lesson/subject.hpp"
#include "engine/report/faces.hpp"

namespace warplens::lesson {

// "ld", "st" or "atom". Copies to shared memory are loads.
std::string_view op_of(emulator::AccessKind kind);
// By its first active lane. Null: no array of the kernel.
const report::Face* face_of(const report::AccessStory& story, const trace::Access& access);
// "A, B, C, As": for messages.
std::string array_names(const run::Run& run);

// Where a number exists: sectors of global and local memory, wavefronts of shared memory.
enum class Kind { any, sectors, wavefronts };

// array: a buffer or a shared array. op: "ld", "st" or empty. Error: no array of this name and kind.
Result<emulator::AccessCounts> count_array(const Subject& subject, std::string_view array,
                                           std::string_view op, Kind kind);
// memory: "global", "shared" or "local"; the whole grid: where only some of the blocks ran, as many times
// more.
emulator::AccessCounts count_memory(const run::Run& run, std::string_view memory, std::string_view op);

}  // namespace warplens::lesson
