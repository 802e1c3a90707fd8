// The parts of the window, one file each. A panel reads the model, draws into its rectangle, and changes the
// state; it keeps nothing of its own.
#pragma once

#include <functional>

#include "app/window/ui.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

void draw_top_bar(const Ui& ui, const Rect& rect);
// A button with every chip behind it; a click chooses it for the whole window. with_gpus: those of this
// machine too, on which kernels then run.
void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus = false);
double gpu_strip_height(const Ui& ui);  // 0 where the engine is the emulator
void draw_gpu_strip(const Ui& ui, const Rect& rect);
void draw_steps(const Ui& ui, const Rect& rect);
float steps_height(const Ui& ui);                      // what the whole list would take
void draw_parameters(const Ui& ui, const Rect& rect);  // sliders, launch, and what to watch
// A slider over the listed values. A value that is not legal beside the others cannot be chosen; its reason
// is shown below, or only while the pointer is on it. Answers where it ends.
double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose, bool with_reason = true);
void draw_figure_tabs(const Ui& ui, const Rect& rect, bool with_code);
void draw_figure_canvas(const Ui& ui, const Rect& rect);
void draw_transport(const Ui& ui, const Rect& rect);
void draw_number_cards(const Ui& ui, const Rect& rect, bool compact);
void draw_code(const Ui& ui, const Rect& rect);
void draw_access_table(const Ui& ui, const Rect& rect);
double access_table_height(const Ui& ui, double column);  // of the right column, which is so high
// Says what the scene has there and lets a click choose it. For the ImGui item that was drawn last.
void use_names(const Ui& ui, const scene::Scene& scene, scene::Point at);
std::string access_tsv(const Model& model);  // the same for a spreadsheet; empty where there is no access

}  // namespace warplens::app
