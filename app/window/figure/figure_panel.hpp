// The open figure on screen: its tabs, its picture with what must be said above it, and what the pointer does
// there.
#pragma once

#include <span>
#include <string>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/ui.hpp"
#include "engine/explain/doubt.hpp"

namespace warplens::app {

// From the left, so that the first ones stay where they are. Returns where they end.
double draw_figure_tabs(const Ui& ui, const Rect& rect, bool with_code);
// says_errors: above the picture; false: somebody else does, and the last picture stays. look: where the window
// is not on stage.
void draw_figure_canvas(const Ui& ui, FigureCanvas& canvas, const Rect& rect, bool says_errors = true,
                        figures::Look look = figures::Look::file);
// What is known against a run, drawn if no picture says it; a click on it asks for its line.
struct DrawnNotice {
  double height = 0;
  bool clicked = false;
};
DrawnNotice draw_notice(const Ui& ui, const Rect& rect, const explain::Notice& notice,
                        const std::string& mark = "notice");
// That of the run on screen, whose click goes to its line. Returns the height; 0 where nothing is to be said.
double draw_notice(const Ui& ui, const Rect& rect);
// Above the occupancy figure: its numbers, to be set by hand. Returns the height, 0 where there are none yet.
double draw_occupancy_fields(const Ui& ui, const Rect& rect);
// Above the data flow: whose traffic it shows. Returns the height.
double draw_flow_fields(const Ui& ui, const Rect& rect);
// Of the map that was drawn last; null where none was.
double draw_map_fields(const Ui& ui, const Rect& rect, const time::SpeedMap* map);
// Screen pixels of one scene pixel on stage: captions are 2.5 % of the height, more or less as the text is
// set.
double stage_scale(const Ui& ui);
bool has_transport(const Ui& ui);  // whether the open figure shows accesses that can be gone through
// Whether an error stands in the place of all that a run shows: there is none, or it failed before its first
// access and the open figure shows accesses.
bool shows_only_error(const Ui& ui);
// With the places of files below the folder of kernels and assets as that has them, which is shorter.
Error without_home(const Ui& ui, Error error);
// Lights what is pointed at in a picture that stands `at` the place, with so many screen pixels of one of its
// own, and these boxes of it. name: of the marks, before the ids.
void show_lit(const Ui& ui, const scene::Scene& scene, scene::Point at, double scale, const std::string& name,
              std::span<const Rect> boxes = {});
// The same of what is pointed at in another picture.
void show_lit(const Ui& ui, const Pointed& pointed, const scene::Scene& scene, scene::Point at, double scale,
              const std::string& name, std::span<const Rect> boxes = {});
// Says what the scene has there and lets a click choose it. For the ImGui item that was drawn last.
void use_names(const Ui& ui, const scene::Scene& scene, scene::Point at);

}  // namespace warplens::app
