// What a program did on its emulated GPU, as values: kernels by name and shape, every launch, copies, and what
// it asked for that there is not.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/recorded_launch.hpp"
#include "engine/check/finding.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::program {

struct Shape {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0;  // dynamic
  auto operator<=>(const Shape&) const = default;
};

// All launches of a kernel with one shape.
struct KernelRecord {
  std::string name, title;  // as the linker knows it; as a reader does: "scale<float>"
  Shape shape;
  std::uint64_t caller = 0;  // of the first launch: see LaunchRecord
  std::uint64_t launches = 0;
  std::uint64_t repeats = 0;  // of those: that were not run, since they would have changed nothing
  std::uint64_t sampled = 0;  // of which some blocks ran alone
  emulator::Counts counts;    // of all of them together, each with its own
  // Whether accesses are counted as the machine code makes them: else wavefronts are a guess. Nothing: not known.
  std::optional<bool> vectorized_as_in_cubin;
  int registers = 0;               // a thread; 0: not known
  std::int64_t static_shared = 0;  // bytes of a block
  double occupancy = 0;            // 0 to 1
  int blocks_per_sm = 0;
  double predicted_seconds = 0;  // of all launches together; 0: not predicted
  std::string limiter, basis;    // of the first one; basis "sass" or "ptx"
  std::string why_not_predicted;
  check::Findings findings;  // the worst first
  std::uint64_t checked_blocks = 0;
  std::string not_checked;   // why the checkers did not look; empty: they did
  std::string not_executed;  // why the emulator could not run it; empty: it could
};

// refused: by the device. not_executed: the emulator cannot, what a GPU would run.
enum class Ran : std::uint8_t { whole, repeat, sample, refused, faulted, not_executed };
std::string_view name(Ran ran);
// Whether blocks of it were executed, now or by a launch that it repeats.
constexpr bool was_executed(Ran ran) { return ran != Ran::refused && ran != Ran::not_executed; }

struct LaunchRecord {
  std::size_t kernel = 0;  // index into ProgramRecord::kernels
  std::uint64_t stream = 0;
  std::uint64_t caller = 0;  // an address of the program's file behind the call; see HostLines. 0: not known
  Ran ran = Ran::whole;
  int error = 0;  // cudaError_t of the launch, or of its fault
  emulator::Counts counts;
  double predicted_seconds = 0, seconds = 0;  // on the device; of the emulator
  std::vector<std::uint64_t> arguments;       // their first eight bytes each
  // What it found, where that was kept, see SessionOptions::most_kept; and why it was wanted and is not there.
  std::shared_ptr<const catalog::RecordedLaunch> data = nullptr;
  std::string why_no_data = {};
};

struct CopyRecord {
  std::uint64_t copies = 0, bytes = 0;
};

// One of them, in the order of launches.
struct CopyOfRecord {
  std::uint64_t launches = 0;   // before it
  std::uint32_t direction = 0;  // protocol::Direction
  std::uint64_t bytes = 0;
  double seconds = 0;  // that it is taken to last
};

struct LibraryRecord {
  std::uint64_t calls = 0;
  double seconds = 0;  // of this computer
};

struct ProgramRecord {
  std::vector<KernelRecord> kernels;   // as they came
  std::vector<LaunchRecord> launches;  // the first kMostLaunches
  std::uint64_t launch_count = 0;
  std::array<CopyRecord, 4> copies;     // by protocol::Direction
  std::vector<CopyOfRecord> copy_list;  // the first kMostLaunches
  std::map<std::string, LibraryRecord> libraries;
  std::vector<std::string> not_emulated;  // functions, once each; allocations that are too large
  std::vector<std::string> problems;      // modules and kernels that could not be understood, and why
  std::uint64_t lost_print_bytes = 0;     // that kernels printed and the program did not wait for
  std::string host_access;                // what of the device the host's own code touched; empty: nothing
  std::uint64_t most_memory = 0;          // bytes that were allocated at a time
  // Bytes of an allocation that the device has room for, and SessionOptions::most_memory has not; 0: there was none.
  std::uint64_t refused_memory = 0;
  bool host_is_out_of_memory = false;  // operator new of the host's own code was given none
  double emulated_seconds = 0, predicted_seconds = 0;
};
inline constexpr std::size_t kMostLaunches = 100'000;

// Findings that are errors, and launches that were not executed: what the program says is then not its result.
bool has_error(const ProgramRecord& record);
void add(emulator::Counts& to, const emulator::Counts& more);
void scale(emulator::Counts& counts, double times);

}  // namespace warplens::program
