// What `warplens export` can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/commands/options.hpp"
#include "app/state/state.hpp"
#include "engine/base/result.hpp"

namespace CLI {
class App;
}

namespace warplens::app {

struct ExportOptions {
  std::string figure;
  KernelOptions kernel;
  std::string output;  // the ending says what is made
  std::string theme = "light";
  std::string ground = "theme";  // white, transparent
  std::string title = {};        // "auto": what the picture says
  double type = 1;               // times as large as designed
  bool page = false;             // the whole step: picture, code and numbers
  bool on_stage = false;         // the page of the window's stage
  std::string colors = "classic";
  std::string block = "0";                        // X, X,Y or X,Y,Z
  std::uint32_t warp = 0, step = kOpeningAccess;  // step: --access, from 0
  std::string index, op = "ld";                   // a free access instead of a kernel's
  int access_width = 4;                           // bytes a lane, of a free access
  // Of a state whose expression names them, and whose access leaves lanes out.
  std::int64_t index_stride = 1, index_offset = 0;
  std::uint32_t mask = 0xffffffffu;
  bool whole = false;
  std::string per = "operation";
  std::string element;                // that figures of tensor cores follow, as State has it
  std::string cycles, cursor;         // of the figure of time, as State has them
  std::string over, others = "best";  // of the speed map: "BM,BN", and "best" or "now"
  std::string code = "ptx";           // beside the source: or sass
  double scale = 1;
  int width = 1280, height = 720;
  int frames = 240;                // at most, of a film
  double speed = 8;                // accesses a second
  bool cuts = false;               // films cut from access to access, where otherwise they move
  std::string play = "iteration";  // of a film: or every "access"
  std::string tour;                // folder: draws assets/tour/*.toml there
  // Occupancy: instead of the compiled kernel's numbers.
  std::optional<int> threads, registers;
  std::optional<std::int64_t> shared;
};

// What each number may be, both ends included.
template <class Number>
struct Bounds {
  Number low, high;
};
inline constexpr Bounds<int> kFigureWidth{320, 8192}, kFigureHeight{240, 8192}, kFilmFrames{1, 10000};
inline constexpr Bounds<double> kPictureScale{0.1, 16}, kFilmSpeed{0.1, 60}, kTypeScale{0.5, 3};

void add_export_options(CLI::App& command, ExportOptions& options);
// Whether a file of this ending, ".gif", has moving pictures.
bool is_film(std::string_view ending);
// Error: no figure of this name.
Status check_figure_name(const std::string& figure);
// Refuses options that the figure or the kind of file does not take, after parsing: passed over in silence
// they would seem to be in the picture. What figures start from, such as --warp 0, asks for nothing.
// Precondition: the figure is a known one.
Status check_options_of_figure(const CLI::App& command, const ExportOptions& options);
Result<int> export_command(const CommonOptions& common, const ExportOptions& options);

}  // namespace warplens::app
