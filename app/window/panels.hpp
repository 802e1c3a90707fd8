// The parts of the window, one file each. A panel reads the model, draws into its rectangle, and changes the
// state; it keeps nothing of its own.
#pragma once

#include <functional>

#include "app/window/kit/ui.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

void draw_top_bar(const Ui& ui, const Rect& rect);
// A button with every chip behind it; a click chooses it for the whole window. with_gpus: those of this
// machine too, on which kernels then run.
void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus = false);
void draw_engine_menu(const Ui& ui, const Rect& rect);  // that menu: the emulator's rules, or a GPU
void draw_ladder_menu(const Ui& ui, const Rect& rect);
// A size's field. The typed number takes effect when the field is left, so that 1024 is not first 1, 10 and
// 102.
void draw_size(const Ui& ui, const Rect& field, const std::string& name, std::int64_t value);
void draw_sizes_menu(const Ui& ui, const Rect& rect);  // a button with all of them behind it
void draw_whole_menu(const Ui& ui, const Rect& rect);  // "Menu": all that has no place of its own
double gpu_strip_height(const Ui& ui);                 // 0 where the engine is the emulator
void draw_gpu_strip(const Ui& ui, const Rect& rect);
void draw_steps(const Ui& ui, const Rect& rect);
double steps_height(const Ui& ui, double most);  // of the whole list, else of whole rows
// Where the window is low, the list is a button: the chosen step, its neighbours, and all of them in a menu.
double step_picker_height(const Ui& ui);
// Between its arrows, where a bar stands.
Rect step_picker_middle(const Ui& ui, const Rect& picker);
void draw_step_picker(const Ui& ui, const Rect& rect);
void draw_parameters(const Ui& ui, const Rect& rect);  // sliders, launch, and what to watch
// A slider over the listed values. A value that is not legal beside the others cannot be chosen; its reason
// is shown below, or only while the pointer is on it. Answers where it ends.
double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose, bool with_reason = true);
void draw_figure_tabs(const Ui& ui, const Rect& rect, bool with_code);
void draw_figure_canvas(const Ui& ui, const Rect& rect);
// Above the occupancy figure: its numbers, to be set by hand. Answers the height, 0 where there are none yet.
double draw_occupancy_fields(const Ui& ui, const Rect& rect);
void draw_transport(const Ui& ui, const Rect& rect);
bool has_transport(const Ui& ui);  // whether the open figure shows accesses that can be gone through
// Whether an error stands in the place of all that a run shows: there is none, or it failed before its first
// access and the open figure shows accesses.
bool shows_only_error(const Ui& ui);
void draw_number_cards(const Ui& ui, const Rect& rect, bool compact);
// The same one below the other, a line each: as many as fit, two at least.
void draw_number_lines(const Ui& ui, const Rect& rect);
double number_lines_height(const Ui& ui, double room);
void draw_code(const Ui& ui, const Rect& rect);
void draw_access_table(const Ui& ui, const Rect& rect);
double access_table_height(const Ui& ui, double column);  // of the right column, which is so high
// With the places of files below the folder of kernels and assets as that has them, which is shorter.
Error without_home(const Ui& ui, Error error);
// Says what the scene has there and lets a click choose it. For the ImGui item that was drawn last.
void use_names(const Ui& ui, const scene::Scene& scene, scene::Point at);
// Windows in which nothing but the figure may be high: below 600 design pixels, as on a projector with large
// type. There is no top bar then; its parts and the numbers go to the side.
bool is_low(const Ui& ui);
void lay_out_low_ladder(const Ui& ui, const Rect& page, double side_width);

std::string access_tsv(const Model& model);  // the same for a spreadsheet; empty where there is no access

}  // namespace warplens::app
