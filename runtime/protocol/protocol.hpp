// What a program's runtime library asks of the session that stands in for its GPU: requests over a stream
// socket, each a head and a body; and device memory, one sparse file that both have mapped. A device pointer
// is an address of the emulator. Both ends are of the same build and machine, so structures travel as they
// are; the session believes none of them.
#pragma once

#include <cstdint>

namespace warplens::protocol {

// Where the program has device memory mapped (emulator::kGlobalBase), and how much there is of it at most.
inline constexpr std::uint64_t kArenaBase = 0x7000'0000'0000, kArenaBytes = std::uint64_t{128} << 30;
// The program finds the descriptors of the socket and of the file in this variable: "SOCKET,FILE".
inline constexpr const char* kVariable = "WARPLENS_EXEC";
inline constexpr std::uint64_t kMostBody = std::uint64_t{1} << 31;

enum class Request : std::uint32_t {
  hello = 1,    // -> Device
  module,       // a fat binary's bytes -> Module, its entries
  kernel,       // KernelQuestion, its name -> Kernel, its parameters
  launch,       // Launch, the parameters' bytes -> Launched, what was printed, what is said on stderr
  allocate,     // Allocate -> std::uint64_t: the address; 0: no room
  release,      // std::uint64_t: the address -> nothing
  fill,         // Fill -> nothing, once the bytes are there
  occupancy,    // OccupancyQuestion, the kernel's name -> std::int32_t: blocks on an SM
  copy,         // Copy; no answer, as those below
  unsupported,  // the name of a function that is not there
  lost,         // std::uint64_t: bytes that kernels printed and nobody waited for
  host_access,  // HostAccess: the host's own code touched device memory
  visible,      // std::uint64_t: the address of an array that the host's own code writes at any time
  changed,      // Changed: what is no copy and no launch wrote device memory
  library,      // LibraryCall, its name: of what a library did in place of kernels
  out_of_room,  // nothing: the host's own code was given no memory
};

struct Head {
  std::uint32_t request = 0;
  std::int32_t status = 0;  // of an answer: a cudaError_t
  std::uint64_t size = 0;   // of the body
};

// Numbers of the device that is emulated.
struct Device {
  char name[256] = {};
  std::int32_t major = 0, minor = 0, sm_count = 0, clock_khz = 0, memory_clock_khz = 0, bus_bits = 0;
  std::int32_t threads_per_block = 0, threads_per_sm = 0, blocks_per_sm = 0, warp_size = 0;
  std::int32_t registers_per_sm = 0, registers_per_block = 0, reserved = 0;
  std::int64_t shared_per_block = 0, shared_per_block_optin = 0, shared_per_sm = 0, shared_reserved = 0;
  std::int64_t l2_bytes = 0;
  std::uint64_t memory_bytes = 0;
  double memory_bytes_per_second = 0, host_bytes_per_second = 0;  // of copies on it, and between it and the host
  double copy_seconds = 0, launch_seconds = 0;  // that any copy takes; that a launch takes of the host
};

struct Module {
  std::uint32_t id = 0, entries = 0;
};
// One of a module's variables or of its kernels. The name follows.
struct Entry {
  std::uint64_t address = 0, size = 0;
  std::uint32_t name_size = 0, is_constant = 0;
};

struct KernelQuestion {
  std::uint32_t module = 0;
};
struct Kernel {
  std::uint64_t static_shared = 0, local = 0, constant = 0;
  std::int32_t registers = 0, max_threads = 0, ptx_version = 0, binary_version = 0;
  std::uint32_t cluster[3] = {}, parameters = 0;
};
struct Parameter {
  std::uint32_t offset = 0, size = 0;
};

struct Launch {
  std::uint32_t module = 0, grid[3] = {}, block[3] = {}, cluster[3] = {};  // cluster: 0 where the launch has none
  std::uint64_t shared = 0, shared_allowed = 0, stream = 0;
  std::uint64_t stack = 0;   // bytes of a thread's, as the program asked for them (cudaLimitStackSize)
  std::uint64_t caller = 0;  // the address behind its call, as the program's file counts them; 0: not known
  std::uint32_t is_cooperative = 0, name_size = 0;  // the name comes first in the body, then the parameters
};
// The head's status is that of the launch itself; `fault` comes to light when the program waits.
struct Launched {
  std::int32_t fault = 0;
  std::uint32_t reserved = 0;
  double seconds = 0;  // as predicted
  std::uint64_t printed = 0, said = 0;
};

struct Allocate {
  std::uint64_t size = 0;
  std::uint32_t kind = 0, reserved = 0;  // Memory
};
enum class Memory : std::uint32_t { device, pinned, managed };

struct OccupancyQuestion {
  std::uint32_t module = 0;
  std::int32_t block = 0;
  std::uint64_t shared = 0;
};

enum class Direction : std::uint32_t { to_device, to_host, on_device, on_host };
struct Copy {
  std::uint64_t bytes = 0, to = 0, span = 0;  // span: from the first to the last that it writes
  Direction direction = Direction::to_device;
  std::uint32_t reserved = 0;
};

struct Fill {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t value = 0, reserved = 0;  // of each byte
};

struct Changed {
  std::uint64_t address = 0, bytes = 0;
};

struct HostAccess {
  std::uint64_t address = 0;
};

struct LibraryCall {
  double seconds = 0;
};

}  // namespace warplens::protocol
