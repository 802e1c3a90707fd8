// The parts of the ladder's page, one file each. A panel reads the model, draws into its rectangle, and
// changes the state; it keeps nothing of its own.
#pragma once

#include <string>

#include "app/window/kit/ui.hpp"

namespace warplens::app {

struct LastCards;

class LadderMarks;

double gpu_strip_height(const Ui& ui);  // 0 where the engine is the emulator
void draw_gpu_strip(const Ui& ui, const Rect& rect);
void draw_steps(const Ui& ui, const Rect& rect);
double steps_height(const Ui& ui, double most);  // of the whole list, else of whole rows
// What to watch, sliders, and launch; before them where the step does not keep what its ladder promises.
void draw_parameters(const Ui& ui, const Rect& rect, const LadderMarks& marks);
void draw_ladder_transport(const Ui& ui, const Rect& rect);
// While a run is on its way the last numbers of the same kernel stand there, pale.
void draw_number_cards(const Ui& ui, const Rect& rect, const LadderMarks& marks, LastCards& last);
void draw_access_table(const Ui& ui, const Rect& rect);
double access_table_height(const Ui& ui, double column);  // of the right column, which is so high

std::string access_tsv(const Model& model);  // the same for a spreadsheet; empty where there is no access

}  // namespace warplens::app
