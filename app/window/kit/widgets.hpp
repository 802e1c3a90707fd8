// The few widgets that the panels share, drawn as the design has them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/window/kit/ui.hpp"
#include "app/window/model/words.hpp"
#include "engine/base/text.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::app {

struct Label {
  Type type = Type::body;
  Token color = Token::text;
  double alpha = 1;
};
enum class Align { left, center, right };

// One line, shortened with an ellipsis where it is wider than the rectangle; vertically centred. Answers
// whether it was shortened.
bool draw_text(const Ui& ui, const Rect& rect, std::string_view text, Label label = {},
               Align align = Align::left);
float text_width(const Ui& ui, std::string_view text, Type type);
// The first of these forms of a text that is no wider (pixels), the longest first; the last where none is.
const std::string& fitting(const Ui& ui, std::span<const std::string> forms, double width, Type type);
float line_height(const Ui& ui, Type type);
// Where the first line of a text ends that may be so wide (pixels, at the font's own size): behind a space;
// where there is none, behind a folder of a path.
const char* line_end(const ImFont* font, const char* begin, const char* end, float width);
// Wrapped text below a point; answers its height. With draw = false it only measures. What does not fit into
// so many lines ends in an ellipsis.
float draw_paragraph(const Ui& ui, ImVec2 at, float width, std::string_view text, Label label,
                     bool draw = true, int most_lines = 1000);

void fill(const Ui& ui, const Rect& rect, Token token, double alpha = 1, double radius = 0);
void frame(const Ui& ui, const Rect& rect, Token token, double alpha = 1, double radius = 0);
// Upright, one pixel wide.
void rule(const Ui& ui, double x0, double y0, double x1, double y1);
// ring: the width of a circle's line, or 0 for all of its inside. Screen pixels.
void draw_disc(const Ui& ui, scene::Point center, double radius, Token token, double ring = 0);

enum class Icon { none, first, previous, play, pause, next, last, down, run, stop };
void draw_icon(const Ui& ui, ImVec2 center, float size, Icon icon, ImU32 color);

// The sign of where a number comes from, as plots mark it: disc recorded, square modelled, ring emulated,
// diamond live.
void draw_provenance(const Ui& ui, ImVec2 center, plot::Provenance provenance);

enum class Look { plain, primary, tab, flat };  // flat: on the ground until it is pointed at
struct ButtonOptions {
  Look look = Look::plain;
  Icon icon = Icon::none;
  bool enabled = true;
  bool chosen = false;  // a tab that is open, a switch that is on
  std::string_view tip = {};
  bool menu = false;  // a small arrow at its right end
};
// Design pixels that a button with an arrow needs beside its text.
inline constexpr double kMenuArrowWidth = 32;
// name: unique, also its mark.
bool button(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
            const ButtonOptions& options = {});

// Offers the last item of ImGui to the keyboard: its ring, and whether Enter clicks it. name: unique, as its mark.
bool clicked_by_key(const Ui& ui, std::string_view name, const Rect& rect);

// The popup of this name, opened with ImGui::OpenPopup(), hangs below its button within the window, or stands
// above it where there is more room. Answers whether it is open; then pair with ImGui::EndPopup().
bool begin_menu(const char* popup, const Rect& below);
// A popup where the pointer is; for the rest as begin_menu(). Escape closes either.
bool begin_popup(const char* popup);

// The dialog of this name in the middle of the window, opened with ImGui::OpenPopup(); as large as is set for the next
// window. Answers whether it is open; then pair with ImGui::EndPopup().
bool begin_dialog(const Ui& ui, const char* popup);

struct MenuItemOptions {
  const char* keys = nullptr;  // at its right end
  bool chosen = false, enabled = true;
  std::string mark = {};  // its name, also for the keyboard; empty: "item/" with its words
};
// An item of the open menu: whether the mouse or the keyboard clicked it, which closes the menu.
bool menu_item(const Ui& ui, const std::string& words, const MenuItemOptions& options = {});

// Draws a cover in the place of what a class shall guess first.
void draw_cover(const Ui& ui, const Rect& rect);

void tooltip(const Ui& ui, std::string_view text);   // of the last item, where the pointer rests on it
void show_tip(const Ui& ui, std::string_view text);  // beside the pointer
void spinner(const Ui& ui, ImVec2 center, float radius);

// Dims everything around the box of a popup; called in the popup before its contents.
void draw_veil(const Ui& ui, const Rect& box);

// A child window that fills a rectangle of the screen; pair with ImGui::EndChild().
void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags flags = 0);
// The same as ImGui::EndChild(); where there is more below, the last lines fade away into the ground.
void end_fading_panel(const Ui& ui, const Rect& rect, Token ground = Token::panel);
// The number that a text says, with or without commas; empty if it is no whole number. One that is no int is the nearest that is.
std::optional<int> typed_number(std::string_view text);
// A number to type, in the whole of `rect`, shown with commas: ImGui's item of this id afterwards.
void input_number(const Ui& ui, const Rect& rect, const std::string& id, int& number);
// How far to scroll, by whole rows, for a row that begins at `top` to stand a third of `height` below the
// edge.
float scroll_above(double top, double height, double row);

// A slider over the listed values of a kernel's parameter. A value that is not legal beside the others cannot
// be chosen; its reason is shown while the pointer is on it, and below the slider where it is the value. Returns
// where it ends.
// before: the value that it had before it was moved, which keeps a mark.
double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose,
                   std::optional<std::int64_t> before = {});

// A button with every device whose rules count behind it; a click chooses it for the whole window. with_gpus:
// the GPUs of this machine too, on which kernels then run.
void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus = false);
std::string short_name(const device::Device& device);  // without the brand

// A picture that is pointed at, drawn by the scene's painter and clipped to its place; what is under the
// pointer says what it is. above: draws over it. scale: screen pixels of one of its own; 0: the window's.
void show_scene(
    const Ui& ui, const Rect& rect, const scene::Scene* scene, const std::function<void()>& above = [] {},
    double scale = 0);

}  // namespace warplens::app
