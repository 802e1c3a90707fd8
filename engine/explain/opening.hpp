// The access that a view of a step opens on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

// As opening_access() of explain.hpp. before: the code of the step before in the ladder, empty where there is
// none. Where nothing is wasted, what this step has and that one has not is the point: an order of its
// blocks, asynchronous copies, an array in shared memory, or an access in a line that it has not; of several
// lines those that read the memory which the step's idea speaks of first, and else shared memory.
std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp,
                             std::string_view before);

// What a view of a step opens on: an access, or a line without any (0: none) where the access wastes nothing
// and what the step costs is instructions, or lanes that wait elsewhere.
struct Opening {
  std::uint32_t access = 0;
  int line = 0;
};
Opening opening_of(const run::Run& run, std::size_t block, std::uint32_t warp, std::string_view before = {});
// The same with the step that this one is judged against, which is null where there is none: what the window
// and a file open on. memory: of a picture that shows accesses to this memory alone; it opens on one of those, and where it is shared
// memory on the worst bank conflict.
Opening opening_of(const run::Run& run, std::size_t block, std::uint32_t warp,
                   const catalog::KernelSpec* judged_against, std::optional<ptx::Space> memory = {});

}  // namespace warplens::explain
