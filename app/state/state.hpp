// What the window shows, as one readable TOML file, for lessons, screenshots and the remembered window. Every
// field has a default; a file may leave any out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/paths.hpp"
#include "app/state/page_states.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/device/device.hpp"

namespace warplens::app {

// The "now" of every view. block is a linear index; step counts the warp's accesses from 0, files from 1.
struct Selection {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, step = kOpeningAccess;
  int lane = 0;
  int line = 0;  // of the source, without an access: its lanes are shown; 0: the access
  std::uint32_t shown_step() const { return step == kOpeningAccess ? 0 : step; }  // until a run tells
  bool operator==(const Selection&) const = default;
};

// What fills the window below its top bar.
enum class Page { ladder, compare, playground, start, edit, program };
enum class CodeView { source, ptx, both, sass, source_sass };             // both: source and PTX
enum class Counter { sectors, wavefronts, executed, lanes, time, none };  // in the gutter of the code
// What bars of steps show: speeds at the state's size, recorded or else predicted (or what the ladder is about,
// where that is no speed); those recorded nearest to it, or where most was recorded; sectors.
enum class StepsBy { speed, speed_here, sectors, speed_most };

struct View {
  Page page = Page::ladder;
  std::string figure{kOpeningFigure};  // or the id of a figure, as `warplens export` names it
  CodeView code = CodeView::source;
  Counter counter = Counter::sectors;
  StepsBy steps_by = StepsBy::speed;
  bool dark = true;
  double text_scale = 1;                // 0.75 to 2.5
  bool presenter = false;               // on stage: one picture for a class
  bool motion = true;                   // pictures move from one to the next
  double speed = 4;                     // accesses a second while playing
  bool by_iteration = true;             // playing stays at one line and array, from turn to turn of its loop
  bool source = true, details = false;  // what stands at the right of a picture is open
  double left_width = 0,
         right_width = 0;          // of the side panels, pixels at text scale 1; 0: as the window has room
  int width = 1600, height = 900;  // of the window, pixels
  std::string export_folder;       // where figures were last saved; empty: the current one
  bool operator==(const View&) const = default;
};

// How figures are drawn, and their size in a file; the window has its own size.
struct Drawing {
  std::string colors = "classic";  // or colour-blind, lanes: figures::color_names
  bool whole = false;              // whole matrices instead of the part at work
  std::string per = "operation";   // whose traffic the data flow has: figures::kPerNames
  std::string over;             // of the speed map, one or two parameters: "BM,BN"; empty: what matters most
  std::string others = "best";  // the other parameters: figures::kOthersNames
  // Of the figure of time: "4096,4352", and where its cursor is, "4219,5" (cycle and warp of the SM).
  std::string cycles, cursor;
  std::string
      element;  // that figures of tensor cores follow: "A,5,37" (row, column); empty: one of the lane's
  bool all_arrays = false;  // of the access figure, for a class too
  int steps = 0;            // of the size curve: the first so many of the ladder; 0: all
  std::int64_t mark = 0;    // of the size curve: the size that it marks; 0: that of the run
  std::string kinds;        // of the copies between host and device, memories: "pageable,pinned"; empty: all
  std::string curve;  // of the occupancy for a class: "threads", "registers" or "shared"; empty: what limits
  int width = 1280, height = 720;
  bool operator==(const Drawing&) const = default;
};

// What runs the kernel. The emulator counts in any case; a GPU verifies, times, and may record accesses.
enum class Engine { emulator, gpu };
enum class Accesses { emulated, recorded };

struct State {
  std::string kernel = "matmul/01_naive";
  catalog::Values params;  // those that differ from the kernel's own values, or all of them
  catalog::Values size;    // empty: the problem's own
  std::string device = "h100";
  Engine engine = Engine::emulator;
  int gpu = 0;                             // which, where the engine is gpu
  Accesses accesses = Accesses::emulated;  // in pictures, where the engine is gpu
  Selection selection;
  View view;
  CompareState compare;
  PlaygroundState playground;
  OccupancyState occupancy;
  Drawing drawing;
  LessonState lesson;
  EditState edit;
  ProgramState program;
  bool operator==(const State&) const = default;
};

// What there is to name: names are checked, and what only a kernel can tell is left to it (state_names.cpp).
struct KnownNames {
  const catalog::Catalog& catalog;
  const device::DeviceTable& devices;
};

std::string to_toml(const State& state);
// Errors have the file's line: no TOML, unknown keys, wrong types, values out of range, unknown names.
Result<State> parse_state(std::string_view text, std::string_view file, const KnownNames* known = nullptr);
Result<State> read_state(const std::filesystem::path& file, const KnownNames* known = nullptr);
// Of a file that the user names: kernels and devices are those of the workspace.
Result<State> read_named_state(const CommonOptions& common, const std::filesystem::path& file);
// Whole or not at all: written beside the file, then renamed. Makes the folder where it is missing.
Status write_state(const std::filesystem::path& file, const State& state);

}  // namespace warplens::app
