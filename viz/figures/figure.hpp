// Which figures there are: one row each, which tabs, export, states, help and tests walk. A new figure is its
// two files and a row in figure.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/plot/plot.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::figures {

enum class Reads : std::uint8_t {
  access,     // a run and one access of it
  block,      // a run, one block of it and its bank map
  run,        // a run as a whole, and the step before in its ladder
  schedule,   // a run, and some cycles of one SM as the model schedules them
  warps,      // a run, and its predicted time with other numbers of warps on an SM
  map,        // a run, and the predicted times of its kernel with other parameters
  timeline,   // a run, and which block runs where and when by its predicted time
  steps,      // a run, and the predicted times of the steps of its ladder
  rounding,   // a run, and what the additions of one of its warps round away
  occupancy,  // what a kernel uses of a multiprocessor
  ladder,     // the speeds of a ladder
  window,     // nothing that a file could have: only the window draws it
};

struct Figure {
  std::string_view id, title;  // id: in states and on the command line
  Reads reads = Reads::access;
  // Scene pixels that it needs: with so many every text has its room. Where there is less it is drawn
  // smaller, so that these numbers are how small text becomes.
  scene::Size least = {};
  bool has_panel = false;     // the window has a panel of its own for it, which is no picture
  bool takes_index = false;   // may show an access of no kernel ...
  bool shows_shared = false;  // ... to shared memory; else to global memory
  bool takes_colors = false;
  bool needs_operations = false;  // nothing to draw of problems without floating-point operations
  bool of_transfers = false;      // of the device alone, and no kernel's
  bool takes_per = false;         // of a part of the work: FlowOptions
  bool takes_axes = false;        // over parameters that may be chosen: MapOptions
  bool takes_cycles = false;      // of some cycles: TimeOptions
  bool takes_code = false;        // may show machine code: Subject::machine_code
  bool over_sizes = false;        // of a ladder at several sizes
  bool moves = false;             // may be a film: of a warp's accesses, or of packets
  Result<scene::Scene> (*draw)(const Subject&, scene::Size, const scene::TextMeasure&) = nullptr;
  plot::Plot (*plot)(const PerformanceInput&) = nullptr;  // instead of draw, for those that are zoomed
  explain::Explanation (*words)(const PerformanceInput&) = nullptr;  // what such a plot says; may be null
  Result<std::string> (*csv)(const Subject&) = nullptr;
  // What is under a point of the scene that `draw` made in so much room where scene::hit_test() does not
  // know; may be null.
  std::optional<Pick> (*pick)(const Subject&, const scene::Scene&, scene::Size, const scene::TextMeasure&,
                              Point) = nullptr;
  // Where cells stand in such a scene, without those that it does not show; may be null.
  std::vector<Rect> (*places)(const Subject&, const scene::Scene&, scene::Size, const scene::TextMeasure&,
                              std::span<const CellId>) = nullptr;
};

// First those that one run is enough for, then those of a whole ladder, then those with a panel of their own.
std::span<const Figure> all_figures();
std::span<const Figure> figures_of_a_run();
std::span<const Figure> pictures();  // all without a panel of their own
const Figure* find_figure(std::string_view id);
// Of those that fulfil the condition, in the order of the table.
template <class Condition>
std::vector<std::string_view> figure_names(Condition condition) {
  std::vector<std::string_view> names;
  for (const Figure& figure : all_figures())
    if (condition(figure)) names.push_back(figure.id);
  return names;
}
// As Figure::least, or with the words of the look.
scene::Size least_size(const Figure& figure, Look look);
// What a figure's picture shows, in words: of the access that it shows, or of the step as a whole where it is
// of more. Empty where no rule applies. And what a class is asked before it sees it.
struct Said {
  explain::Explanation explanation = {};
  std::string question = {};
  std::string unit = {};   // of the picture's numbers, where they do not say it themselves
  std::string share = {};  // "94 % of the time by the model", of an access; empty: not known
};
Said what_it_says(const Figure& figure, const Subject& subject);
// The plot of a figure that has one; for a class without the lines that say where its numbers are from.
plot::Plot plot_of(const Figure& figure, const PerformanceInput& input, bool for_class);
// What the plot says; empty where nothing is known. A class hears it from the stage's head.
explain::Explanation plot_words(const Figure& figure, const PerformanceInput& input);
// What is left of a scene for a plot above such words, and the words below it.
scene::Size room_above(const explain::Explanation& said, scene::Size size, const scene::TextMeasure& measure);
void add_words_below(scene::Scene& plot, const explain::Explanation& said, scene::Size size,
                     const scene::TextMeasure& measure);
inline bool is_drawn(const Figure& figure) { return figure.reads != Reads::window; }
// Whether it is of one access, or of all of a block.
inline bool is_of_block(const Figure& figure) {
  return figure.reads == Reads::access || figure.reads == Reads::block;
}

// The access that a figure shows of this place: the nearest one to its own memory, where it has one. Nothing
// where the warp makes none.
std::optional<std::uint32_t> shown_access(const Figure& figure, const run::Run& run, const Place& place);

// Those of one access stand above what explains it. Errors: nothing to draw, in words for who looks at it.
Result<scene::Scene> draw(const Figure& figure, const Subject& subject, scene::Size size,
                          const scene::TextMeasure& measure);
// The scene, or the error as one.
scene::Scene draw_or_say(const Figure& figure, const Subject& subject, scene::Size size,
                         const scene::TextMeasure& measure);
// Why a figure has nothing to plot of this; empty if it has.
std::optional<Error> why_no_plot(const Figure& figure, const PerformanceInput& input);
// What is under a point of what draw() made, besides what scene::hit_test() knows.
std::optional<Pick> pick(const Figure& figure, const Subject& subject, const scene::Scene& shown,
                         const scene::TextMeasure& measure, Point point);
// Where these cells stand in it, of those that it shows.
std::vector<Rect> places(const Figure& figure, const Subject& subject, const scene::Scene& shown,
                         const scene::TextMeasure& measure, std::span<const CellId> cells);
// The numbers behind it. Errors: as of draw().
Result<std::string> csv(const Figure& figure, const Subject& subject);

}  // namespace warplens::figures
