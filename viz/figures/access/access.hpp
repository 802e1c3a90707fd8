// The access animation: the matrices of the problem as grids, and in them what the first thread, the first
// warp and the first block touch at one step, in the colours of the Programming Parallel Computers course
// (ppc.cs.aalto.fi): orange, blue, black. Older accesses of the warp fade away.
//
//   const AccessStory story(run, 0);  // once for a run and a block
//   scene = access_scene(run, story, selection, {}, {1280, 720}, fonts);  // for each step
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viz/figures/parts/block_accesses.hpp"
#include "viz/figures/parts/matrix_grid.hpp"
#include "viz/figures/parts/run_view.hpp"
#include "viz/figures/parts/selection.hpp"

namespace warplens::figures {

struct AccessOptions {
  enum class Colors : std::uint8_t {
    classic,       // orange, blue, black
    colour_blind,  // apart in lightness too, and the first thread is crossed
    lanes,         // one colour for each lane of the warp
  };
  Colors colors = Colors::classic;
  bool whole = false;  // whole matrices, several elements a cell where they are large; else the part at work
  int trail = 64;      // older accesses of each matrix that are shown
  // In a low figure, of a problem that is no product: the words stand at the right of the matrices, or above
  // them; nothing: wherever the matrices become larger.
  std::optional<bool> words_beside = {};
  bool operator==(const AccessOptions&) const = default;
};
// As states and the command line name them.
inline constexpr std::array<std::pair<AccessOptions::Colors, std::string_view>, 3> color_names = {
    {{AccessOptions::Colors::classic, "classic"},
     {AccessOptions::Colors::colour_blind, "colour-blind"},
     {AccessOptions::Colors::lanes, "lanes"}}};
std::optional<AccessOptions::Colors> colors_named(std::string_view name);

// What the figure has to know about a recorded block, apart from the step. Immutable.
class AccessStory {
 public:
  // b: a position in run.trace->blocks().
  AccessStory(const RunView& run, std::size_t b);

  const BlockAccesses& accesses() const { return accesses_; }
  // One a buffer of the problem, then one an array in shared memory.
  const std::vector<Face>& faces() const { return faces_; }
  // What the block writes.
  struct Owned {
    std::uint64_t element = 0;
    std::uint32_t thread = 0;  // in the block
    Cell cell = {};            // of the element
  };
  const std::vector<Owned>& owned(std::size_t face) const { return owned_[face]; }
  // The first and the last rows and columns of these.
  const std::optional<std::pair<Cell, Cell>>& owned_area(std::size_t face) const {
    return owned_areas_[face];
  }
  // The faces of a product: C = A * B with A left of C and B above; nothing for other problems.
  std::optional<std::array<std::size_t, 3>> product() const { return product_; }

 private:
  BlockAccesses accesses_;
  std::vector<Face> faces_;
  std::vector<std::vector<Owned>> owned_;
  std::vector<std::optional<std::pair<Cell, Cell>>> owned_areas_;
  std::optional<std::array<std::size_t, 3>> product_;
};

scene::Scene access_scene(const RunView& run, const AccessStory& story, const Selection& selection,
                          const AccessOptions& options, scene::Size size, const scene::TextMeasure& measure);

// A picture of a comparison. Refers to all three.
struct AccessPlace {
  const RunView& run;
  const AccessStory& story;
  const Selection& selection;
};
// Where the words of both should stand, so that they look alike: see AccessOptions. Nothing where that is
// no choice.
std::optional<bool> words_beside(const AccessPlace& one, const AccessPlace& other,
                                 const AccessOptions& options, scene::Size size,
                                 const scene::TextMeasure& measure);

// Rows "step,pc,line,space,kind,width,lane,buffer,row,column,address" of the warp's accesses.
std::string access_csv(const RunView& run, const AccessStory& story, const Selection& selection);

}  // namespace warplens::figures
