// The rewritten kernel looks at each address before it uses it, and at the time in each loop: what would end
// in a fault of the GPU, or never end, stops the thread instead and is written down.
//
//   auto guard = instrument::with_access_guard(build.ptx, build.kernel_name);
//   auto start = instrument::guard_start(*guard, bytes_of_buffers, limit);
//   // a buffer that starts with these bytes; its address is one parameter more, behind all others
//   auto found = instrument::read_guard(*guard, buffer);
//   // nothing: the kernel is fit to be launched as it is
//
// Why: a fault ends the driver for the process it happens in, and stops all other work of the GPU meanwhile,
// windows that it draws included (see engine/gpu/worker/client.hpp); and it does not say where it was. A
// thread that is stopped here ends by `exit`, for which barriers and shuffles do not wait since 7.0.
//
// Global addresses must lie in a buffer of the launch, in a variable of the kernel, in the workspace of
// grid.sync(), or in what malloc() returned so far, to its end or the next multiple of 16 bytes; what was
// freed since is let through. Shared addresses must lie in what the block has, those of a kernel with
// clusters in what some block of the cluster has. All must be multiples of their width. Not looked at is what
// `left_out` says: a fault there is still a fault.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/emulator/observer.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::instrument {

// A place of the code where a thread may be stopped: a memory access, or a branch back.
struct GuardSite {
  std::uint32_t pc = 0;  // index into the entry's code, before the rewriting
  bool loop = false;
  ptx::Space space = ptx::Space::global;
  emulator::AccessKind kind = emulator::AccessKind::load;
  std::uint8_t width = 4;  // bytes a lane
};

struct AccessGuard {
  std::string ptx;
  std::vector<GuardSite> sites;
  std::vector<Place> places;          // of the sites in the kernel's source; line 0 where not known
  std::vector<std::size_t> pointers;  // parameters that may be addresses, by their place in the launch
  std::vector<std::string> left_out;  // what of this kernel is not looked at: "bulk copies"
  bool in_clusters = false;           // its shared addresses may be those of another block of the cluster
  bool allocates = false;             // it calls malloc()
};

// entry: empty for the only one. Errors: PTX that is not understood, no such entry, memory that is allocated
// in a function which the compiler did not inline.
Result<AccessGuard> with_access_guard(std::string_view ptx, std::string_view entry = {});

// The buffer's contents before the launch; it needs no more bytes than these. bytes_of_parameter: of the
// buffer that each parameter of the kernel points to, 0 where it is none. thread_limit: so many nanoseconds
// one thread may run.
std::vector<std::byte> guard_start(const AccessGuard& guard,
                                   std::span<const std::uint64_t> bytes_of_parameter,
                                   std::uint64_t thread_limit);

// The first stop of a launch. Which of several threads was first is up to the GPU.
struct GuardFinding {
  enum class Kind : std::uint8_t { outside, misaligned, endless };
  Kind kind = Kind::outside;
  GuardSite site;
  Place place;
  bool is_shared = false;               // the address, generic or not, is one of shared memory
  bool in_heap = false;                 // it lies between pieces of memory from malloc()
  std::uint64_t address = 0;            // as the instruction has it; 0 for endless
  std::uint32_t block = 0, thread = 0;  // linear
};
// Error: a buffer that is cut short or not of this kernel.
Result<std::optional<GuardFinding>> read_guard(const AccessGuard& guard, std::span<const std::byte> buffer);

}  // namespace warplens::instrument
