// A launch kept as it found memory, so that it can be run and looked at again by itself.
#pragma once

#include <memory>

#include "engine/catalog/recorded_launch.hpp"
#include "engine/program/examine.hpp"

namespace warplens::program {

// memory: as it is before the launch. Errors: why it cannot be kept: more than so many bytes, code that stands in
// several files, clusters that the launch alone asks for.
Result<std::shared_ptr<catalog::RecordedLaunch>> record_launch(const Subject& subject,
                                                               const emulator::GlobalMemory& memory,
                                                               std::uint64_t most_bytes);
// memory: as it is behind the launch.
void mark_outputs(catalog::RecordedLaunch& launch, const emulator::GlobalMemory& memory);

}  // namespace warplens::program
