// The parts of the ladder's page, one file each. A panel reads the model, draws into its rectangle, and
// changes the state; it keeps nothing of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/window/kit/ui.hpp"
#include "viz/figures/parts/explanation.hpp"

namespace warplens::app {

// Design pixels: in a left column that is narrower, margins are narrower, too.
inline constexpr double kNarrowColumn = 180;

struct LastCards;
struct PageHead;

class LadderMarks;
class SpeedWatch;
class SpeedsAhead;
struct OneSpeed;
class WindowPage;

// live: the page that the button beside it starts and stops.
double speed_panel_height(const Ui& ui);
void draw_speed_panel(const Ui& ui, const Rect& rect, const SpeedWatch& watch, const SpeedsAhead& ahead,
                      WindowPage& live);
// The same as text, a line each; empty while there is no speed.
std::string speed_words(const Ui& ui, const SpeedWatch& watch, const SpeedsAhead& ahead);
double gpu_strip_height(const Ui& ui);  // 0 where the engine is the emulator
void draw_gpu_strip(const Ui& ui, const Rect& rect);
// now: the speed of the step on screen.
void draw_steps(const Ui& ui, const Rect& rect, const std::optional<OneSpeed>& now);
double steps_height(const Ui& ui, double width, double most);  // of the whole list, else of whole rows
// Sliders, and the launch that they make. before: the values that were set before, which keep a mark.
void draw_parameters(const Ui& ui, const Rect& rect, const catalog::Values& before = {});
enum class TransportPlace : std::uint8_t { framed, foot, row };  // row: beside the tabs
void draw_ladder_transport(const Ui& ui, const Rect& rect, TransportPlace place = TransportPlace::framed);
// While a run is on its way the last numbers of the same kernel stand there, pale.
void draw_number_cards(const Ui& ui, const Rect& rect, const LadderMarks& marks, LastCards& last);
// The same below each other, in the width of the room from its top; returns their height.
double draw_number_grid(const Ui& ui, const Rect& room, const LadderMarks& marks, LastCards& last);
void draw_access_table(const Ui& ui, const Rect& rect);
double access_table_height(const Ui& ui);
// A drawer: closed it is its head alone. step: what is said of the step; may be null.
double details_head_height(const Ui& ui);
void draw_details(const Ui& ui, const Rect& rect, const PageHead& head, const figures::StepWords* step,
                  const LadderMarks& marks, LastCards& last);

std::string access_tsv(const Model& model);  // the same for a spreadsheet; empty where there is no access

}  // namespace warplens::app
