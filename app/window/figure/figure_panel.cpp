// The figure with what must be said above it: why there is none, or that its numbers are not to be trusted.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_clicks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/panels.hpp"
#include "engine/base/text.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

constexpr double widest_error = 640;  // design pixels, in the middle

// An error in words, the next step apart.
struct ErrorText {
  std::string message, advice;
  Label label{Type::body, Token::costly};
  int most_lines = 1000;
};

// The words in their frame, from the top of `rect` on; answers its height. With draw = false it only
// measures.
double draw_error_box(const Ui& ui, const Rect& rect, const ErrorText& text, double pad, bool draw) {
  const Label next{Type::caption, Token::dim};
  const float inner = static_cast<float>(rect.width) - ui.px(32);
  const float first = draw_paragraph(ui, {0, 0}, inner, text.message, text.label, false, text.most_lines);
  const float second =
      text.advice.empty() ? 0 : draw_paragraph(ui, {0, 0}, inner, text.advice, next, false) + ui.px(4);
  const Rect box{rect.x, rect.y, rect.width, first + second + 2 * ui.px(pad)};
  if (!draw) return box.height;
  ui.mark("error", box);
  fill(ui, box, Token::panel, 1, theme::metric::corner);
  frame(ui, box, Token::costly, 1, theme::metric::corner);
  const ImVec2 at{static_cast<float>(box.x) + ui.px(16), static_cast<float>(box.y) + ui.px(pad)};
  draw_paragraph(ui, at, inner, text.message, text.label, true, text.most_lines);
  if (second > 0) draw_paragraph(ui, {at.x, at.y + first + ui.px(4)}, inner, text.advice, next);
  return box.height;
}

std::string words_of(const Error& error) {
  const std::string where = to_string(error.place);
  return where.empty() ? sentence(error.message) : where + ": " + error.message;
}

// Without the file's folder, and without the address of "out of bounds at 0x7f0017d7c270, 4 bytes past the
// end of A": the buffer says more.
std::string brief_words_of(Error error) {
  error.place.file = std::filesystem::path(error.place.file).filename().string();
  const std::size_t at = error.message.find(" at 0x");
  if (at != std::string::npos) {
    const std::size_t end = error.message.find_first_not_of("0123456789abcdef", at + 6);
    error.message.erase(at, end == std::string::npos ? end : end - at);
  }
  return words_of(error);
}

// Of the open figure; of the first one where there is no such.
figures::Reads figure_reads(const Ui& ui) {
  const figures::Figure* figure = figures::find_figure(ui.state().view.figure);
  return figure == nullptr ? figures::Reads::access : figure->reads;
}
double least_height(const Ui& ui) {
  const figures::Figure* figure = figures::find_figure(ui.state().view.figure);
  return (figure == nullptr ? figures::all_figures().front() : *figure).least.height;
}

// What stands in the way of the picture, with what to do about it. Answers the height it took. in_middle:
// where there is no picture at all. A picture that would be drawn small keeps more of the height: then the
// words are small and few, and the pointer on them shows all.
double draw_error(const Ui& ui, Rect rect, const Error& whole, bool in_middle = false) {
  const Error error = without_home(ui, whole);
  if (in_middle) {
    const double width = std::min<double>(rect.width, ui.px(widest_error));
    rect = {std::floor(rect.center().x - width / 2), rect.y + std::floor(rect.height / 4), width,
            rect.height};
  }
  ErrorText text{words_of(error), sentence(error.next_step)};
  const std::string all = text.message + "\n" + text.advice;
  double pad = 12;
  const double least = least_height(ui) * ui.scale;
  const bool little = !in_middle && rect.height - draw_error_box(ui, rect, text, pad, false) < least;
  if (little) {
    text = {text.message, "", {Type::caption, Token::costly}}, pad = 6;
    ErrorText brief{text.message, "", text.label, 2};
    const auto is_cut = [&] {
      return draw_error_box(ui, rect, text, pad, false) > draw_error_box(ui, rect, brief, pad, false);
    };
    if (is_cut()) text.message = brief.message = brief_words_of(error);
    if (is_cut()) ui.mark("error/cut", rect);
    text = std::move(brief);
  }
  const double height = draw_error_box(ui, rect, text, pad, true);
  if (little) {
    ImGui::SetCursorScreenPos(corner(rect));
    ImGui::Dummy({static_cast<float>(rect.width), static_cast<float>(height)});
    tooltip(ui, all);
  }
  return height + ui.px(8);
}

scene::Point pointer_in(const Ui& ui, const Rect& rect) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {(mouse.x - rect.x) / ui.canvas.scale(), (mouse.y - rect.y) / ui.canvas.scale()};
}

void choose_target(const Ui& ui, const FigureTarget& target) {
  if (const Status chosen = choose(ui.model, target); !chosen)
    ui.wishes.say = sentence(to_line(chosen.error()));
}

// "what" and "what a click does", a line each; nothing where there is neither.
void tell_target(const Ui& ui, std::string text, const std::optional<FigureTarget>& target) {
  if (const std::string click = target ? proposal(ui.model, *target) : ""; !click.empty())
    text += (text.empty() ? "" : "\n") + click;
  if (!text.empty()) tooltip(ui, text);
}

bool was_clicked() {
  return ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) &&
         ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16;
}

void use_name(const Ui& ui, std::string_view id, const std::string& title) {
  const auto target = ui.model.is_current() ? target_of(id) : std::optional<FigureTarget>();
  tell_target(ui, title, target);
  if (target && was_clicked()) choose_target(ui, *target);
}

// Says what the figure has under the pointer, and does what a click on it proposes.
void use_named(const Ui& ui, scene::Point at) {
  if (const auto pick = ui.canvas.pick(at))
    use_name(ui, pick->id, pick->title);
  else
    use_names(ui, *ui.canvas.shown(), at);
}

// A turn of the wheel by one notch.
constexpr double zoom_step = 1.25;

// Wheel, drag and double click; the point under the pointer is ringed and explained, and chosen by a click.
void use_plot(const Ui& ui, const Rect& rect, bool hovered, bool active) {
  const ImGuiIO& io = ImGui::GetIO();
  const scene::Point at = pointer_in(ui, rect);
  if (active && ImGui::IsMouseDragging(0, 4))
    ui.canvas.move_plot({io.MouseDelta.x / ui.canvas.scale(), io.MouseDelta.y / ui.canvas.scale()});
  if (!hovered) return;
  if (io.MouseWheel != 0) ui.canvas.zoom_plot(at, std::pow(zoom_step, io.MouseWheel));
  if (ImGui::IsMouseDoubleClicked(0)) ui.canvas.reset_plot();
  const auto near = ui.canvas.plot().nearest(at);
  if (!near) return use_named(ui, at);
  const double scale = ui.canvas.scale();
  draw_disc(ui, {rect.x + near->at.x * scale, rect.y + near->at.y * scale}, ui.px(9), Token::text, ui.px(2));
  const plot::Series& series = ui.canvas.plot().plot().series[near->series];
  const auto target =
      near->index < series.ids.size() ? target_of(series.ids[near->index]) : std::optional<FigureTarget>();
  tell_target(ui, plot::describe(ui.canvas.plot().plot(), near->series, near->index), target);
  if (target && was_clicked()) choose_target(ui, *target);
}

void use_figure(const Ui& ui, const Rect& rect) {
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton("figure", extent(rect));
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (ui.canvas.shown() == nullptr) return;
  if (ui.canvas.plot().is_shown()) return use_plot(ui, rect, hovered, active);
  if (!hovered) return;
  use_named(ui, pointer_in(ui, rect));
}

}  // namespace

Error without_home(const Ui& ui, Error error) {
  const std::string home = (ui.model.home() / "").string();
  if (error.place.file.starts_with(home)) error.place.file.erase(0, home.size());
  // The folder of a file that was opened by its path stands beside it.
  if (error.place.file == ui.state().kernel)
    error.place.file = std::filesystem::path(error.place.file).filename().string();
  return error;
}

void use_names(const Ui& ui, const scene::Scene& scene, scene::Point at) {
  if (const auto hit = scene::hit_test(scene, at, ui.canvas.fonts())) use_name(ui, hit->id, hit->title);
}

bool shows_only_error(const Ui& ui) {
  const run::Run* run = ui.model.run();
  if (!ui.model.error() || run == nullptr) return ui.model.error().has_value();
  const std::size_t block = ui.model.trace_block();
  return run->fault && has_transport(ui) &&
         (block >= run->stories.size() || run->stories[block]->accesses().warps() == 0);
}

namespace {

// Before the first picture, where that takes long: large problems, or a kernel that was never compiled.
void draw_waiting(const Ui& ui, const Rect& rect) {
  if (ui.model.run() != nullptr || ui.model.error() || !(ui.model.busy_seconds().value_or(0) > patience))
    return;
  const Rect line{rect.x, rect.y + std::floor(rect.height / 2 - ui.px(14)), rect.width, ui.px(28)};
  ui.mark("figure/waiting", line);
  draw_text(ui, line, "Compiling the kernel and running its first blocks", {Type::body, Token::dim},
            Align::center);
}

// The picture of the run before steps back until the chosen one is there, as its numbers do; not where that
// comes at once, which would flicker. Plots of a whole ladder are of no run.
void draw_outdated(const Ui& ui, const Rect& rect) {
  if (ui.model.run() == nullptr || ui.model.is_current() || ui.model.error() ||
      figure_reads(ui) == figures::Reads::ladder || !(ui.model.busy_seconds().value_or(0) > patience))
    return;
  ui.mark("figure/outdated", rect);
  fill(ui, rect, Token::background, 1 - outdated_alpha);
}

}  // namespace

void draw_figure_canvas(const Ui& ui, const Rect& rect) {
  Rect rest = rect;
  const auto shrink = [&](double by) { rest = {rest.x, rest.y + by, rest.width, rest.height - by}; };
  const run::Run* run = ui.model.run();
  if (shows_only_error(ui)) {
    ui.canvas.clear();
    draw_error(ui, rest, *ui.model.error(), true);
    return;
  }
  if (ui.model.error()) shrink(draw_error(ui, rest, *ui.model.error()));
  if (run != nullptr && run->complete && !run->fault && !run->report.verified)
    shrink(draw_error(ui, rest,
                      {"The result is wrong: " + run->report.explanation,
                       "Numbers and pictures show what ran, not a valid kernel"}));
  if (figure_reads(ui) == figures::Reads::occupancy) shrink(draw_occupancy_fields(ui, rest));
  ui.mark("figure", rest);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner(rest), far_corner(rest), true);
  ui.canvas.draw(ui.model, ui.performance, ui.theme, list, rest, ui.scale);
  draw_outdated(ui, rest);
  draw_waiting(ui, rest);
  use_figure(ui, rest);
  list.PopClipRect();
}

}  // namespace warplens::app
