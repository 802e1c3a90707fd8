// Which figures there are: one row each, which tabs, export, states, help and tests walk. A new figure is its
// two files and a row in figure.cpp, which names what has to be known of a run for it (engine/study/facts.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/kinds.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/plot/plot.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::figures {

// What a figure's picture shows, in words: of the access that it shows, or of the step as a whole where it is
// of more. Empty where no rule applies. And what a class is asked before it sees it.
struct Said {
  explain::Explanation explanation = {};
  std::string question = {};
  std::string unit = {};  // of the picture's numbers, where they do not say it themselves
  // "this access costs 94 % of the kernel's time, by the model", of an access; empty: not known
  std::string share = {};
};

struct Figure {
  std::string_view id, title;  // id: in states and on the command line
  Of of = Of::access;
  // Scene pixels that it needs: with so many every text has its room. Where there is less it is drawn
  // smaller, so that these numbers are how small text becomes.
  scene::Size least = {};
  study::Facts needs = {};                // without which there is nothing to draw ...
  study::Facts wants = {};                // ... with which more is said ...
  study::Facts on_stage = {};             // ... and those that only a class sees
  std::optional<ptx::Space> memory = {};  // whose accesses it shows; empty: of all
  Traits traits = {};
  Result<scene::Scene> (*draw)(const Subject&, scene::Size, const scene::TextMeasure&) = nullptr;
  plot::Plot (*plot)(const PerformanceInput&) = nullptr;  // instead of draw, for those that are zoomed
  explain::Explanation (*words)(const PerformanceInput&) = nullptr;  // what such a plot says; may be null
  Result<std::string> (*csv)(const Subject&) = nullptr;
  // What the picture says of the subject, which has a run; nothing: what is said of the step. May be null.
  std::optional<Said> (*says)(const Figure&, const Subject&) = nullptr;
  // What is under a point of the scene that `draw` made in so much room where scene::hit_test() does not
  // know; may be null.
  std::optional<Pick> (*pick)(const Subject&, const scene::Scene&, scene::Size, const scene::TextMeasure&,
                              Point) = nullptr;
  // Where cells stand in such a scene, without those that it does not show; may be null.
  std::vector<Rect> (*places)(const Subject&, const scene::Scene&, scene::Size, const scene::TextMeasure&,
                              std::span<const CellId>) = nullptr;

  constexpr bool has(Trait trait) const { return traits.has(trait); }
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
// The look whose words can be read in so much room (design pixels): the wanted one, or as a class sees it, which needs
// less.
Look readable_look(const Figure& figure, Look wanted, scene::Size room);
Said what_it_says(const Figure& figure, const Subject& subject);
// The plot of a figure that has one; for a class without the lines that say where its numbers are from.
plot::Plot plot_of(const Figure& figure, const PerformanceInput& input, Look look);
// What the plot says; empty where nothing is known. A class hears it from the stage's head.
explain::Explanation plot_words(const Figure& figure, const PerformanceInput& input);
// What is left of a scene for a plot above such words, and the words below it.
scene::Size room_above(const explain::Explanation& said, scene::Size size, const scene::TextMeasure& measure);
void add_words_below(scene::Scene& plot, const explain::Explanation& said, scene::Size size,
                     const scene::TextMeasure& measure);
inline bool is_drawn(const Figure& figure) { return figure.of != Of::window; }
// Whether it is of the speeds of a ladder or of a device, which is a plot and reads no run.
constexpr bool is_plot(const Figure& figure) { return figure.plot != nullptr; }
// Whether it is of one access; and of that or of all accesses of a block.
inline bool is_of_access(const Figure& figure) { return figure.of == Of::access || figure.of == Of::source; }
inline bool is_of_block(const Figure& figure) { return is_of_access(figure) || figure.of == Of::block; }
// What has to be known of a run for its picture, for somebody who looks at it like this.
inline study::Facts facts_for(const Figure& figure, Look look) {
  return figure.needs | figure.wants | (is_on_stage(look) ? figure.on_stage : study::Facts{});
}
// What the picture waits for, in words; empty: all that it needs is known.
std::string what_is_missing(const Figure& figure, const study::Known& known);

// Why a picture of times is not shown of a subject whose speed is hidden; empty: it is.
std::optional<Error> why_hidden(const Figure& figure, const Subject& subject);

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
