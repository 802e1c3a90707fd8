// What can be chosen on the pages beside the ladder, as parts of the state (state.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/program_options.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

// The access that makes the step's point, until a run tells which that is.
// In the place of a figure's name: the one that the kernel's ladder opens on (catalog::Ladder::opens).
inline constexpr std::string_view kOpeningFigure = "opening";
inline constexpr std::uint32_t kOpeningAccess = 0xffffffff;

// Two kernels of one problem side by side; size and device are the state's own.
struct CompareSide {
  std::string kernel;      // empty: chosen when the comparison is opened
  catalog::Values params;  // those that differ from the kernel's own values, or all of them
  bool operator==(const CompareSide&) const = default;
};
enum class ComparePart { all, pictures, counters, source };
enum class Pace { share, number };  // of the side with fewer accesses: the same share of them, or number
struct CompareState {
  CompareSide left, right;
  std::string figure = "access";
  ComparePart part = ComparePart::all;
  Pace pace = Pace::share;
  std::uint64_t block = 0;
  std::uint32_t warp = 0, step = kOpeningAccess;  // step: of the side with more accesses
  std::string array, op;     // of the access that each side opens on; empty: the one that makes its point
  std::uint32_t number = 0;  // of those; from 1
  bool operator==(const CompareState&) const = default;
};

// One warp-wide access that no kernel makes.
inline constexpr std::int64_t kLargestStride = std::int64_t{1} << 32;  // and offset, either way
enum class Memory { both, global, shared };
struct PlaygroundState {
  std::string index = "stride*lane + offset";  // of the element that a lane touches
  std::int64_t stride = 1, offset = 0;         // the names that `index` may use beside lane and warp
  Memory memory = Memory::both;
  bool store = false;
  int width = 4;  // bytes a lane: 4, 8 or 16
  std::uint32_t mask = 0xffffffffu;
  bool operator==(const PlaygroundState&) const = default;
};

// The numbers of the occupancy calculator that were set by hand; the others are the kernel's.
inline constexpr int kMostThreadsByHand = 4096, kMostRegistersByHand = 512;
inline constexpr std::int64_t kMostSharedByHand = std::int64_t{1} << 20;
struct OccupancyState {
  std::optional<int> threads, registers;  // a block, a thread
  std::optional<std::int64_t> shared;     // bytes a block
  bool operator==(const OccupancyState&) const = default;
};

// The page that edits shows the state's kernel.
struct EditState {
  std::string original;  // the kernel of the program that it is a copy of; empty: none
  std::string file;      // whose unsaved text it opens first, in a state that was kept; empty: none
  std::string exercise;  // the assignment whose kernel it has (engine/exercise), a file; empty: none
  bool operator==(const EditState&) const = default;
};

// The whole program that the window has open. It runs when somebody asks for it.
struct ProgramState {
  std::string file = {};        // a .cu file with main(); empty: none
  std::string arguments = {};   // what it is given, with spaces between, quotes around what has spaces
  std::string input = {};       // what it reads on stdin
  std::string input_file = {};  // a file in place of that; empty: none
  ProgramLimits limits = {};
  std::string read = {}, write = {};  // files and folders that it may read, or write, too; as arguments
  bool settings = false;              // these are shown
  catalog::Values values = {};        // in place of the file's own, by their keys, see program::SourceValue
  std::int64_t launch = 0;            // the chosen one, from 1; 0: none
  bool operator==(const ProgramState&) const = default;
};

struct LessonState {     // that is open beside the page
  std::string file;      // the name of one of the program's, or a path; empty: none
  std::size_t stop = 0;  // files count from 1
  bool answered = false;
  bool operator==(const LessonState&) const = default;
};

}  // namespace warplens::app
