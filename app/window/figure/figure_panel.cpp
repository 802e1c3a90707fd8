#include "app/window/figure/figure_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/window/figure/figure_clicks.hpp"
#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/notice.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/lit.hpp"

namespace warplens::app {
namespace {

constexpr double kWidestError = 640;  // design pixels, in the middle

std::string words_of(const Error& error) {
  const std::string where = to_string(error.place);
  return where.empty() ? sentence(error.message) : where + ": " + error.message;
}

// That is open; the first one where there is no such.
const figures::Figure& open_figure(const Ui& ui) {
  const figures::Figure* figure = figures::find_figure(ui.state().view.figure);
  return figure == nullptr ? figures::all_figures().front() : *figure;
}

// What stands in the way of the picture, with what to do about it. Returns the height it took. in_middle:
// where there is no picture at all.
// One's own Esc is no alarm.
double draw_error(const Ui& ui, Rect rect, const Error& whole, bool in_middle = false) {
  const bool is_alarm = !ui.model.is_cancelled();
  const Error error = without_home(ui, whole);
  if (in_middle) {
    const double width = std::min<double>(rect.width, ui.px(kWidestError));
    rect = {std::floor(rect.center().x - width / 2), rect.y + std::floor(rect.height / 4), width,
            rect.height};
  }
  const std::string message = words_of(error), advice = sentence(error.next_step);
  const Label label{Type::body, is_alarm ? Token::costly : Token::text}, next{Type::caption, Token::dim};
  const float pad = ui.px(12), inner = static_cast<float>(rect.width) - ui.px(32);
  const float first = draw_paragraph(ui, {0, 0}, inner, message, label, false);
  const float second = advice.empty() ? 0 : draw_paragraph(ui, {0, 0}, inner, advice, next, false) + ui.px(4);
  const Rect box{rect.x, rect.y, rect.width, first + second + 2 * pad};
  ui.mark("error", box);
  if (!is_alarm) ui.mark("error/stopped", box);
  fill(ui, box, Token::panel, 1, theme::metric::kCorner);
  frame(ui, box, is_alarm ? Token::costly : Token::line, 1, theme::metric::kCorner);
  const ImVec2 at{static_cast<float>(box.x) + ui.px(16), static_cast<float>(box.y) + pad};
  draw_paragraph(ui, at, inner, message, label);
  if (second > 0) draw_paragraph(ui, {at.x, at.y + first + ui.px(4)}, inner, advice, next);
  return box.height + ui.px(8);
}

scene::Point pointer_of(const FigureCanvas& canvas, const Rect& rect, const ImVec2& mouse) {
  return {(mouse.x - rect.x) / canvas.scale(), (mouse.y - rect.y) / canvas.scale()};
}
scene::Point pointer_in(const FigureCanvas& canvas, const Rect& rect) {
  return pointer_of(canvas, rect, ImGui::GetIO().MousePos);
}

void choose_target(const Ui& ui, const FigureTarget& target) {
  if (const Status chosen = choose(ui.model, target); !chosen)
    ui.wishes.say = sentence(to_line(chosen.error()));
}

// "what" and "what a click does", a line each; empty if there is neither.
void tell_target(const Ui& ui, std::string text, const std::optional<FigureTarget>& target) {
  if (const std::string click = target ? proposal(ui.model, *target) : ""; !click.empty())
    text += (text.empty() ? "" : "\n") + click;
  if (!text.empty()) tooltip(ui, text);
}

bool was_clicked() {
  return ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) &&
         ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16;
}

// by_key: the keyboard clicks it.
void use_name(const Ui& ui, std::string_view id, const std::string& title, bool by_key = false) {
  ui.model.pointing.at(std::string(id));
  const bool is_shown = ui.model.is_current() || (ui.model.run() != nullptr && ui.model.run()->fault);
  const auto target = is_shown ? target_of(id) : std::optional<FigureTarget>();
  tell_target(ui, title, target);
  if (target && (by_key || was_clicked())) choose_target(ui, *target);
}

std::optional<explain::Notice> notice_of(const Ui& ui) {
  const run::Run* run = ui.model.run();
  return run == nullptr ? std::nullopt : explain::notice(*run);
}

// Where the picture has it.
void mark_notice(const Ui& ui, const FigureCanvas& canvas, const Rect& rect) {
  if (canvas.shown() == nullptr || canvas.is_moving(ImGui::GetTime())) return;
  if (const auto box = figures::notice_box(*canvas.shown(), ui.painter.fonts()))
    ui.mark("notice", {rect.x + box->x * canvas.scale(), rect.y + box->y * canvas.scale(),
                       box->width * canvas.scale(), box->height * canvas.scale()});
}

// Whether the error is where the run on screen stopped, which the notice of its picture says.
bool notice_says(const Ui& ui, const Error& error) {
  const auto notice = notice_of(ui);
  return notice && ui.model.run()->fault && notice->words == error.message &&
         ui.model.run()->plan().spec.code == ui.model.spec().code;
}

// A dotted line below the words that the glossary explains.
void mark_terms(const Ui& ui, const FigureCanvas& canvas, const Rect& rect) {
  if (ui.on_stage || canvas.shown() == nullptr || canvas.is_moving(ImGui::GetTime())) return;
  scene::Scene over(canvas.shown()->size);
  for (const figures::SceneTerm& each : canvas.terms()) {
    over.root.line({each.box.x, each.below}, {each.box.right(), each.below}, {Token::dim, 1, {1.5, 2.5}});
    ui.mark("term/" + std::string(each.term->word),
            {rect.x + each.box.x * canvas.scale(), rect.y + each.box.y * canvas.scale(),
             each.box.width * canvas.scale(), each.box.height * canvas.scale()});
  }
  ui.painter.paint(over, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, canvas.scale());
}

// The sentence of the word at this point; empty where there is none.
std::string term_at(const FigureCanvas& canvas, scene::Point at) {
  const auto found = std::ranges::find_if(
      canvas.terms(), [&](const figures::SceneTerm& each) { return each.box.contains(at); });
  return found == canvas.terms().end() ? "" : explain::sentence_of(*found->term);
}

// Says what the figure has under the pointer, and does what a click on it proposes.
void use_named(const Ui& ui, const FigureCanvas& canvas, scene::Point at, bool by_key) {
  if (const std::string meaning = ui.on_stage ? "" : term_at(canvas, at); !meaning.empty())
    show_tip(ui, meaning);
  else if (const auto pick = canvas.pick(at))
    use_name(ui, pick->id, pick->title, by_key);
  else if (const auto hit = scene::hit_test(*canvas.shown(), at, ui.painter.fonts()))
    use_name(ui, hit->id, hit->title, by_key);
}

// What stands at a point of the picture, by name; empty: nothing that says something.
std::string part_at(const Ui& ui, const FigureCanvas& canvas, scene::Point at) {
  if (canvas.plot().is_shown()) {
    const auto near = canvas.plot().nearest(at);
    return near ? fmt::format("point {} {}", near->series, near->index) : "";
  }
  if (const std::string meaning = term_at(canvas, at); !meaning.empty()) return meaning;
  if (const auto pick = canvas.pick(at)) return pick->id;
  const auto hit = scene::hit_test(*canvas.shown(), at, ui.painter.fonts());
  return hit ? hit->id : "";
}

// The nearest other part in a direction, also beside the straight way; nothing where there is none.
std::optional<scene::Point> next_part(const Ui& ui, const FigureCanvas& canvas, scene::Point from,
                                      scene::Point step) {
  constexpr double kStep = 3;
  const scene::Size size = canvas.shown()->size;
  const std::string here = part_at(ui, canvas, from);
  const auto is_other = [&](scene::Point at) {
    const std::string part = part_at(ui, canvas, at);
    return !part.empty() && part != here;
  };
  const double reach = step.x != 0 ? size.width : size.height;
  for (const double slope : {0.0, 0.2, -0.2, 0.5, -0.5, 1.0, -1.0})
    for (double away = kStep; away < reach; away += kStep) {
      const scene::Point at{from.x + away * (step.x != 0 ? step.x : slope),
                            from.y + away * (step.x != 0 ? slope : step.y)};
      if (at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height) break;
      if (is_other(at))
        return scene::Point{at.x + (step.x != 0 ? step.x : 0), at.y + (step.x != 0 ? 0 : step.y)};
    }
  return std::nullopt;
}

// Where the keyboard is on the picture, arrows move the pointer from part to part: what it tells there is told.
void move_pointer_by_keys(const Ui& ui, const FigureCanvas& canvas, const Rect& rect) {
  using compat::Key;
  const auto is_down = [](Key key) { return compat::pressed(key) ? 1.0 : 0.0; };
  const scene::Point step{is_down(Key::right) - is_down(Key::left), is_down(Key::down) - is_down(Key::up)};
  if ((step.x == 0) == (step.y == 0) || canvas.shown() == nullptr) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_inside = rect.contains({mouse.x, mouse.y});
  const scene::Point from =
      is_inside ? pointer_in(canvas, rect) : scene::Point{1, canvas.shown()->size.height / 2};
  const auto next = next_part(ui, canvas, from, is_inside ? step : scene::Point{1, 0});
  if (next)
    compat::move_mouse(static_cast<float>(rect.x + next->x * canvas.scale()),
                       static_cast<float>(rect.y + next->y * canvas.scale()));
}

// A turn of the wheel by one notch.
constexpr double kZoomStep = 1.25;

// Wheel, drag and double click; the point under the pointer is ringed and explained, and chosen by a click.
void use_plot(const Ui& ui, FigureCanvas& canvas, const Rect& rect, bool hovered, bool active, bool by_key) {
  const ImGuiIO& io = ImGui::GetIO();
  const scene::Point at = pointer_in(canvas, rect);
  if (active && ImGui::IsMouseDragging(0, 4))
    canvas.move_plot({io.MouseDelta.x / canvas.scale(), io.MouseDelta.y / canvas.scale()});
  if (!hovered) return;
  if (io.MouseWheel != 0) canvas.zoom_plot(at, std::pow(kZoomStep, io.MouseWheel));
  if (ImGui::IsMouseDoubleClicked(0)) canvas.reset_plot();
  const auto near = canvas.plot().nearest(at);
  if (!near) return use_named(ui, canvas, at, by_key);
  const double scale = canvas.scale();
  draw_disc(ui, {rect.x + near->at.x * scale, rect.y + near->at.y * scale}, ui.px(9), Token::text, ui.px(2));
  const plot::Series& series = canvas.plot().plot().series[near->series];
  const auto target =
      near->index < series.ids.size() ? target_of(series.ids[near->index]) : std::optional<FigureTarget>();
  tell_target(ui, plot::describe(canvas.plot().plot(), near->series, near->index), target);
  if (target && (by_key || was_clicked())) choose_target(ui, *target);
}

// The wheel zooms around the pointer, a drag moves, a double click goes back; a line says which cycle it is.
void use_time(const Ui& ui, const FigureCanvas& canvas, const Rect& rect, bool hovered, bool active,
              bool by_key) {
  const ImGuiIO& io = ImGui::GetIO();
  const scene::Point at = pointer_in(canvas, rect);
  Drawing& drawing = ui.state().drawing;
  const time::Schedule& schedule = *canvas.schedule();
  const figures::TimeOptions options = time_options(drawing);
  const auto cursor = canvas.time_cursor(at);
  if (active && ImGui::IsMouseDragging(0, 4) && io.MouseDelta.x != 0) {
    const auto start =
        canvas.time_cursor(pointer_of(canvas, rect, {io.MouseClickedPos[0].x, io.MouseClickedPos[0].y}));
    const double chart = start ? start->chart.width : 0;
    if (chart > 0)
      set_time_options(drawing, moved(schedule, options,
                                      -io.MouseDelta.x / canvas.scale() / chart *
                                          shown_cycles(schedule, options).number()));
  }
  if (!hovered) return;
  if (cursor && io.MouseWheel != 0)
    set_time_options(drawing, zoomed(schedule, options, cursor->cycle, std::pow(kZoomStep, io.MouseWheel)));
  if (cursor && ImGui::IsMouseDoubleClicked(0)) drawing.cycles.clear();
  if (cursor) {
    scene::Scene over(canvas.shown()->size);
    figures::add_cursor(over.root, *cursor, ui.painter.fonts());
    ui.mark("time/cursor", {rect.x + cursor->x * canvas.scale(), rect.y, 1, rect.height});
    ui.painter.paint(over, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, canvas.scale());
  }
  use_named(ui, canvas, at, by_key);
}

void use_figure(const Ui& ui, FigureCanvas& canvas, const Rect& rect) {
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton("figure", extent(rect));
  const bool hovered = ImGui::IsItemHovered() && !ui.mouse_rests, active = ImGui::IsItemActive();
  if (canvas.shown() == nullptr) return;
  const bool by_key = !ui.on_stage && clicked_by_key(ui, "figure", rect);
  if (ui.focus.is_on("figure")) move_pointer_by_keys(ui, canvas, rect);
  if (canvas.plot().is_shown()) return use_plot(ui, canvas, rect, hovered, active, by_key);
  if (canvas.schedule() != nullptr && !canvas.is_moving(ImGui::GetTime()))
    return use_time(ui, canvas, rect, hovered, active, by_key);
  if (!hovered) return;
  use_named(ui, canvas, pointer_in(canvas, rect), by_key);
}

// What is pointed at anywhere, over the picture.
void light_pointed(const Ui& ui, const FigureCanvas& canvas, const Rect& rect) {
  const Pointed& pointed = ui.model.pointing.now();
  if (pointed.id.empty() || ui.mouse_rests || canvas.shown() == nullptr || canvas.plot().is_shown()) return;
  const auto cells = canvas.places(pointed.cells);
  for (const Rect& cell : cells)  // all of them are at one mark: the last one
    ui.mark("lit/cell", {rect.x + cell.x * canvas.scale(), rect.y + cell.y * canvas.scale(),
                         cell.width * canvas.scale(), cell.height * canvas.scale()});
  show_lit(ui, *canvas.shown(), {rect.x, rect.y}, canvas.scale(), "lit/", cells);
}

// Below words that stand in the place of a picture: a click shows one that there is.
void draw_instead(const Ui& ui, const FigureCanvas& canvas, const Rect& rect) {
  const figures::Figure* figure = ui.on_stage ? nullptr : canvas.instead(ui.model);
  // What only another device has.
  const auto device = ui.model.device_table().find(ui.performance.transfers_elsewhere());
  const bool is_elsewhere =
      !ui.on_stage && open_figure(ui).of == figures::Of::device && !canvas.plot().is_shown() && device;
  if (figure == nullptr && !is_elsewhere) return;
  const std::string words =
      fmt::format("Show {}", is_elsewhere ? short_name(*device) : std::string(figure->title));
  const double width = text_width(ui, words, Type::strong) + ui.px(40);
  const Rect place{std::floor(rect.center().x - width / 2), std::floor(rect.center().y + ui.px(44)), width,
                   ui.px(34)};
  if (place.bottom() > rect.bottom()) return;
  if (!button(ui, "figure/instead", place, words, {.look = Look::primary})) return;
  is_elsewhere ? ui.model.choose_device(device->id) : void(ui.state().view.figure = figure->id);
}

// Before the first picture, where that takes long: large problems, or a kernel that was never compiled.
void draw_waiting(const Ui& ui, const Rect& rect) {
  if (ui.model.run() != nullptr || ui.model.error() || !(ui.model.busy_seconds().value_or(0) > kBusyAfter))
    return;
  const Rect line{rect.x, rect.y + std::floor(rect.height / 2 - ui.px(14)), rect.width, ui.px(28)};
  ui.mark("figure/waiting", line);
  draw_text(ui, line, "Compiling the kernel and running its first blocks", {Type::body, Token::dim},
            Align::center);
}

// The picture of the run before steps back until the chosen one is there, as its numbers do; not where that
// comes at once, which would flicker. Plots of a whole ladder are of no run.
void draw_outdated(const Ui& ui, const FigureCanvas& canvas, const Rect& rect, bool says_errors) {
  const run::Run* run = ui.model.run();
  const bool is_of_run = run != nullptr && !is_plot(open_figure(ui)),
             has_error = ui.model.error().has_value();
  // So does that of a run whose values are not the chosen ones, because those are refused.
  const bool is_refused = is_of_run && has_error && says_errors && !run->fault;
  const bool waits_for_run =
      is_of_run && !has_error && !ui.model.is_current() && ui.model.busy_seconds().value_or(0) > kBusyAfter;
  if (!is_refused && !waits_for_run && !(canvas.outdated_for(ImGui::GetTime()).value_or(0) > kBusyAfter))
    return;
  ui.mark("figure/outdated", rect);
  fill(ui, rect, Token::background, 1 - kOutdatedAlpha);
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

void show_lit(const Ui& ui, const scene::Scene& scene, scene::Point at, double scale, const std::string& name,
              std::span<const Rect> boxes) {
  show_lit(ui, ui.model.pointing.now(), scene, at, scale, name, boxes);
}

void show_lit(const Ui& ui, const Pointed& pointed, const scene::Scene& scene, scene::Point at, double scale,
              const std::string& name, std::span<const Rect> boxes) {
  if (pointed.id.empty()) return;
  scene::Scene over(scene.size);
  for (const Rect& box : boxes) scene::light_box(over.root, box);
  const auto lit = scene::light(
      scene, [&](std::string_view id) { return pointed.has(id); }, ui.painter.fonts(), over.root);
  for (const scene::LitItem& item : lit)
    ui.mark(name + item.id, {at.x + item.bounds.x * scale, at.y + item.bounds.y * scale,
                             item.bounds.width * scale, item.bounds.height * scale});
  ui.painter.paint(over, ui.theme, *ImGui::GetWindowDrawList(), at, scale);
}

void use_names(const Ui& ui, const scene::Scene& scene, scene::Point at) {
  if (const auto hit = scene::hit_test(scene, at, ui.painter.fonts())) use_name(ui, hit->id, hit->title);
}

bool has_transport(const Ui& ui) {
  const figures::Figure* figure = figures::find_figure(ui.state().view.figure);
  return figure == nullptr || figures::is_of_block(*figure);
}

bool shows_only_error(const Ui& ui) {
  const run::Run* run = ui.model.run();
  if (!ui.model.error() || run == nullptr) return ui.model.error().has_value();
  const std::size_t block = ui.model.trace_block();
  return run->fault && has_transport(ui) &&
         (block >= run->stories.size() || run->stories[block]->accesses().warps() == 0);
}

DrawnNotice draw_notice(const Ui& ui, const Rect& rect, const explain::Notice& notice,
                        const std::string& mark) {
  const double scale = ui.on_stage ? stage_scale(ui) : ui.scale;
  const scene::Scene scene = figures::notice_scene(notice, rect.width / scale, ui.painter.fonts());
  const Rect box{rect.x, rect.y, rect.width, scene.size.height * scale};
  ui.mark(mark, box);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {box.x, box.y}, scale);
  ImGui::SetCursorScreenPos(corner(box));
  const bool by_mouse = ImGui::InvisibleButton(mark.c_str(), extent(box));
  const bool clicked = (notice.line > 0 && clicked_by_key(ui, mark, box)) || by_mouse;
  if (notice.line > 0) tooltip(ui, fmt::format("Click to go to line {}", notice.line));
  return {box.height + ui.px(8), clicked && notice.line > 0};
}

double draw_notice(const Ui& ui, const Rect& rect) {
  const auto notice = notice_of(ui);
  if (!notice || rect.width < 16) return 0;
  const DrawnNotice drawn = draw_notice(ui, rect, *notice);
  if (drawn.clicked) ui.model.choose_line(notice->line);
  return drawn.height;
}

double stage_scale(const Ui& ui) {
  constexpr double kStageCaption = 20;  // pixels at 1280 x 720: the smallest words that a class reads
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const double type = std::clamp(ui.state().view.text_scale, 0.75, 1.5);
  return type * kStageCaption / theme::metric::kCaption * std::min(window.x / 1280, window.y / 720);
}

constexpr double kFieldsAside = 20;  // as far from the side as the headline

void draw_figure_canvas(const Ui& ui, FigureCanvas& canvas, const Rect& rect, bool says_errors,
                        figures::Look look) {
  Rect rest = rect;
  const auto shrink = [&](double by) { rest = {rest.x, rest.y + by, rest.width, rest.height - by}; };
  if (shows_only_error(ui)) {
    canvas.clear();
    draw_error(ui, rest, *ui.model.error(), true);
    return;
  }
  const double aside = ui.on_stage ? 0 : ui.px(kFieldsAside);
  const auto fields = [&] { return Rect{rest.x + aside, rest.y, rest.width - 2 * aside, rest.height}; };
  if (ui.model.error() && says_errors && !notice_says(ui, *ui.model.error()))
    shrink(draw_error(ui, fields(), *ui.model.error()));
  const figures::Figure& figure = open_figure(ui);
  const auto takes = [&](figures::Trait trait) { return figure.has(trait) && !ui.on_stage; };
  if (says_errors && is_plot(figure)) shrink(draw_notice(ui, rest));
  if (takes(figures::Trait::resources)) shrink(draw_occupancy_fields(ui, fields()));
  if (takes(figures::Trait::per)) shrink(draw_flow_fields(ui, fields()));
  if (takes(figures::Trait::axes)) shrink(draw_map_fields(ui, fields(), canvas.speed_map()));
  ui.mark("figure", rest);
  ui.mark("picture", rest);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner(rest), far_corner(rest), true);
  const View& view = ui.state().view;
  if (ui.is_uncovered && figure.has(figures::Trait::per)) ui.playing_since = ImGui::GetTime();
  const Clock clock{ImGui::GetTime(), ui.is_playing(), ui.has_motion && view.motion, view.speed,
                    ui.is_uncovered};
  canvas.draw(ui.model, ui.performance, ui.theme, list, rest, ui.on_stage ? stage_scale(ui) : ui.scale, clock,
              {ui.on_stage ? figures::Look::stage : look, ui.is_asked, ui.asked_later, says_errors});
  mark_notice(ui, canvas, rest);
  mark_terms(ui, canvas, rest);
  light_pointed(ui, canvas, rest);
  draw_outdated(ui, canvas, rest, says_errors);
  draw_waiting(ui, rest);
  draw_instead(ui, canvas, rest);
  use_figure(ui, canvas, rest);
  list.PopClipRect();
}

}  // namespace warplens::app
