#include "app/window/pages/compare/compare_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/state/compare_choice.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/transport.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/model/pointed_view.hpp"
#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/compare/compare_panels.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/notice.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

constexpr double kHeadHeight = 42, kTransportHeight = 48;
// Below this room in design pixels only one part is shown at a time, and the sliders are behind a button.
constexpr double kRoomyHeight = 720;
constexpr const char* kNothingBeside =
    "No other kernel solves this problem, so there is nothing to compare with";

// Below the top of the place; returns its height. draw: false: only measures.
double draw_side_message(const Ui& ui, const Rect& rect, const Error& error, bool draw) {
  const float inner = static_cast<float>(rect.width) - ui.px(48);
  const std::string text =
      sentence(error.message) + (error.next_step.empty() ? "" : ". " + sentence(error.next_step));
  const float height = draw_paragraph(ui, {0, 0}, inner, text, {Type::body}, false);
  const Rect box{rect.x + ui.px(12), rect.y + ui.px(12), rect.width - ui.px(24), height + ui.px(24)};
  if (!draw) return ui.px(12) + box.height;
  fill(ui, box, Token::panel, 1, theme::metric::kCorner);
  frame(ui, box, Token::costly, 1, theme::metric::kCorner);
  draw_paragraph(ui, {static_cast<float>(box.x) + ui.px(12), static_cast<float>(box.y) + ui.px(12)}, inner,
                 text, {Type::body, Token::costly});
  return ui.px(12) + box.height;
}

std::optional<explain::Notice> notice_of(const Comparison& comparison, Side side) {
  const run::Run* run = comparison.run(side);
  return run == nullptr ? std::nullopt : explain::notice(*run);
}

// Why there is no run, or where it stopped, unless its notice says more of that.
std::optional<Error> error_of(const Comparison& comparison, Side side) {
  const auto error = comparison.error(side);
  const auto notice = notice_of(comparison, side);
  const bool is_told = error && notice && comparison.run(side)->fault && notice->words == error->message;
  return is_told ? std::nullopt : error;
}

// Where the sentence of a picture stands that has none itself. lines: that it takes.
Rect says_rect(const Ui& ui, const Rect& rect, figures::Look look, int lines) {
  const bool is_there = !ui.on_stage && !figures::has_words(look);
  return {rect.x + ui.px(16), rect.y + ui.px(4), rect.width - ui.px(32),
          is_there ? ui.px(4 + 20 * lines) : 0};
}
// What has no words has no margins of its own: it keeps away from its neighbour and from the edges.
Rect below(const Ui& ui, const Rect& rect, const Rect& words) {
  if (words.height == 0) return rect;
  const double taken = words.bottom() - rect.y, aside = ui.px(12), foot = ui.px(8);
  return {rect.x + aside, rect.y + taken, rect.width - 2 * aside, rect.height - taken - foot};
}

const char* name_of(Side side) { return side == Side::left ? "compare/left" : "compare/right"; }

}  // namespace

// Alike on both sides.
int ComparePage::lines_of_says(const Ui& ui, double width) const {
  constexpr int kMost = 2;
  const bool is_long = std::ranges::any_of(kBothSides, [&](Side side) {
    return text_width(ui, pictures_.says(side), Type::strong) > width - ui.px(32);
  });
  return is_long ? kMost : 1;
}

double ComparePage::draw_picture(const Ui& ui, Side side, const Rect& rect) {
  if (std::min(rect.width, rect.height) < 16) return 0;
  const double scale = ui.on_stage ? stage_scale(ui) : ui.scale;
  const auto size_of = [&](const Rect& place) {
    return scene::Size{std::floor(place.width / scale), std::floor(place.height / scale)};
  };
  const figures::Look look =
      ui.on_stage ? figures::Look::stage
                  : figures::readable_look(comparison_.figure(), figures::Look::file, size_of(rect));
  // What a small picture shows stands above it.
  const Rect words = says_rect(ui, rect, look, says_lines_), picture = below(ui, rect, words);
  const scene::Scene* scene =
      pictures_.picture(comparison_, side, ui.performance, size_of(picture), ui.painter.fonts(),
                        {.look = look,
                         .is_guessing = ui.is_asked,
                         .asked_later = ui.asked_later,
                         .reads_cost = words.height > 0});
  if (words.height > 0)
    draw_paragraph(ui, {static_cast<float>(words.x), static_cast<float>(words.y) + ui.px(3)},
                   static_cast<float>(words.width), std::string(pictures_.says(side)), {Type::strong}, true,
                   says_lines_);
  const std::string name = std::string(name_of(side)) + " says";
  ui.mark(name, words);
  if (text_width(ui, pictures_.says(side), Type::strong) > says_lines_ * words.width)
    ui.mark(name + "/cut", words);
  ui.mark(side == Side::left ? "compare/left picture" : "compare/right picture", picture);
  show_scene(
      ui, picture, scene, [] {}, scale);
  use_notice(ui, side, picture, scale);
  return scale;
}

// Without the sentence above it.
Rect ComparePage::picture_in(const Ui& ui, const Rect& rect) const {
  if (ui.on_stage) return rect;
  const scene::Size size{std::floor(rect.width / ui.scale), std::floor(rect.height / ui.scale)};
  const figures::Look look = figures::readable_look(comparison_.figure(), figures::Look::file, size);
  return below(ui, rect, says_rect(ui, rect, look, says_lines_));
}

void ComparePage::show_line(Side side, int line) {
  asked_line_ = AskedLine{side, line};
  if (state().part != ComparePart::all) state().part = ComparePart::source;
}

void ComparePage::use_notice(const Ui& ui, Side side, const Rect& rect, double scale) {
  const scene::Scene* shown = pictures_.shown(side);
  const auto box = shown == nullptr ? std::nullopt : figures::notice_box(*shown, ui.painter.fonts());
  if (!box) return;
  const Rect placed{rect.x + box->x * scale, rect.y + box->y * scale, box->width * scale,
                    box->height * scale};
  ui.mark(std::string(name_of(side)) + " notice", placed);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto notice = notice_of(comparison_, side);
  if (!ui.on_stage && notice && notice->line > 0 && ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) &&
      placed.contains({mouse.x, mouse.y}))
    show_line(side, notice->line);
}

double ComparePage::draw_notices(const Ui& ui, const Rect& rect) {
  const double half = std::floor(rect.width / 2), gap = ui.px(12);
  double most = 0;
  for (const Side side : kBothSides) {
    const auto notice = notice_of(comparison_, side);
    if (!notice) continue;
    const double x = side == Side::left ? rect.x : rect.x + half;
    const auto drawn = draw_notice(ui, {x + gap, rect.y + gap, half - 2 * gap, rect.height}, *notice,
                                   std::string(name_of(side)) + " notice");
    if (drawn.clicked) show_line(side, notice->line);
    most = std::max(most, drawn.height + gap);
  }
  return most;
}

double ComparePage::draw_warnings(const Ui& ui, const Rect& rect) {
  const double half = std::floor(rect.width / 2);
  double most = 0;
  for (const bool draw : {false, true})
    for (const Side side : kBothSides) {
      const auto warning = error_of(comparison_, side);
      const double x = side == Side::left ? rect.x : rect.x + half;
      if (warning)
        most = std::max(most, draw_side_message(ui, {x, rect.y, half, rect.height}, *warning, draw));
    }
  return std::min(most, rect.height / 2);
}

void ComparePage::light_pointed(const Ui& ui, const std::array<Rect, 2>& rects, double scale) {
  if (ui.mouse_rests) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const scene::TextMeasure& measure = ui.painter.fonts();
  std::string id;
  for (const Side side : kBothSides) {
    const Rect& rect = rects[static_cast<std::size_t>(side)];
    const scene::Scene* shown = pictures_.shown(side);
    if (shown == nullptr || !rect.contains({mouse.x, mouse.y}) || !ImGui::IsWindowHovered()) continue;
    const scene::Point at{(mouse.x - rect.x) / scale, (mouse.y - rect.y) / scale};
    if (const auto cell = pictures_.pick(side, at, measure))
      id = cell->id;
    else if (const auto hit = scene::hit_test(*shown, at, measure))
      id = hit->id;
  }
  if (id.empty()) return;
  for (const Side side : kBothSides) {
    const Rect& rect = rects[static_cast<std::size_t>(side)];
    const scene::Scene* shown = pictures_.shown(side);
    if (shown == nullptr) continue;
    const Pointed pointed = pointed_at(
        PointedView{comparison_.run(side), comparison_.trace_block(side), comparison_.selection(side)}, id);
    show_lit(ui, pointed, *shown, {rect.x, rect.y}, scale,
             side == Side::left ? "compare/left lit/" : "compare/right lit/",
             pictures_.places(side, pointed.cells, measure));
  }
}

void ComparePage::draw_both(const Ui& ui, const Rect& rect) {
  const double half = std::floor(rect.width / 2), gap = ui.px(12), warnings = draw_warnings(ui, rect);
  ui.mark("compare/pictures", rect);
  ui.mark("picture", rect);
  const double top = rect.y + warnings, height = rect.height - warnings;
  const std::array<Rect, 2> rects = {Rect{rect.x, top, half, height},
                                     Rect{rect.x + half, top, rect.width - half, height}};
  // Of the sentences that were said last: where others take another height, a frame with that follows.
  says_lines_ = lines_of_says(ui, half);
  draw_picture(ui, Side::left, rects[0]);
  const double scale = draw_picture(ui, Side::right, rects[1]);
  grows_ = says_lines_ != lines_of_says(ui, half);
  if (scale > 0) light_pointed(ui, {picture_in(ui, rects[0]), picture_in(ui, rects[1])}, scale);
  rule(ui, rect.x + half, rect.y + gap, rect.x + half, rect.bottom() - gap);
}

StageWords ComparePage::stage_words(const Ui&) const {
  const catalog::KernelSpec *left = comparison_.spec(Side::left), *right = comparison_.spec(Side::right);
  StageWords words{.place = "Compare"};
  if (left != nullptr && right != nullptr) words.headline = left->title + " against " + right->title;
  return words;
}

// A step beside itself is told apart by what it is set to.
std::string ComparePage::title_for_a_class(Side side) const {
  const catalog::KernelSpec* spec = comparison_.spec(side);
  const Side beside = side == Side::left ? Side::right : Side::left;
  const auto &own = comparison_.shared_run(side), &other = comparison_.shared_run(beside);
  if (spec == nullptr) return "";
  if (comparison_.spec(beside) == nullptr || comparison_.spec(beside)->id != spec->id) return spec->title;
  if (own == nullptr || other == nullptr) return spec->title;
  const std::string set = figures::few_words(other->plan().parameters, own->plan().parameters);
  return set.empty() ? spec->title : spec->title + ", " + set;
}

// The titles of both and their pictures.
void ComparePage::draw_for_a_class(const Ui& ui, const Rect& rect) {
  comparison_.update();
  const double title = ui.px(40), half = std::floor(rect.width / 2);
  for (const Side side : kBothSides)
    draw_text(ui, {side == Side::left ? rect.x : rect.x + half, rect.y, half, title}, title_for_a_class(side),
              {Type::number}, Align::center);
  draw_both(ui, {rect.x, rect.y + title, rect.width, rect.height - title});
}

void ComparePage::draw_pictures(const Ui& ui, const Rect& rect) {
  CompareState& compare = ui.state().compare;
  const bool has_transport = figures::is_of_block(comparison_.figure());
  const double below = has_transport ? ui.px(kTransportHeight) : 0, gap = ui.px(12);
  if (const double height = rect.height - below - 2 * ui.px(8); height > ui.px(40))
    draw_both(ui, {rect.x, rect.y, rect.width, height});
  if (!has_transport) return;
  const auto place = [&](Side side) {
    const std::size_t count = comparison_.steps(side);
    return count == 0
               ? std::string("no accesses")
               : fmt::format("{} of {}", grouped(comparison_.selection(side).step + 1), grouped(count));
  };
  draw_transport(ui, {rect.x + gap, rect.bottom() - below - ui.px(8), rect.width - 2 * gap, below},
                 {.steps = comparison_.steps(),
                  .step = comparison_.step(),
                  .block = compare.block,
                  .blocks = comparison_.blocks(),
                  .warp = compare.warp,
                  .warps = comparison_.warps(),
                  .here = fmt::format("left {}, right {}", place(Side::left), place(Side::right)),
                  .go_to = [&](std::uint32_t step) { compare.step = step; },
                  .choose_block = [&](std::uint64_t b) { compare.block = b, compare.step = kOpeningAccess; },
                  .choose_warp = [&](std::uint32_t w) { compare.warp = w, compare.step = kOpeningAccess; }});
}

void ComparePage::draw_part(const Ui& ui, const Rect& rect) {
  const double notices = draw_notices(ui, rect);
  const Rect below{rect.x, rect.y + notices, rect.width, rect.height - notices};
  if (state().part == ComparePart::source) return draw_compare_source(ui, comparison_, below, asked_line_);
  draw_compare_table(ui, comparison_, below);
}

void ComparePage::draw(const Ui& ui, const Rect& rect) {
  comparison_.update();
  const bool roomy = rect.height >= ui.px(kRoomyHeight);
  const double head = ui.px(kHeadHeight);
  draw_compare_head(ui, comparison_, {rect.x, rect.y, rect.width, head}, roomy);
  const double sides = compare_sides_height(ui, comparison_, std::floor(rect.width / 2), roomy);
  draw_compare_sides(ui, comparison_, {rect.x, rect.y + head, rect.width, sides}, roomy);
  const Rect body{rect.x, rect.y + head + sides, rect.width, rect.height - head - sides};
  switch (ui.state().compare.part) {
    case ComparePart::all:
      if (roomy) break;
      [[fallthrough]];
    case ComparePart::pictures:
      return draw_pictures(ui, body);
    case ComparePart::counters:
    case ComparePart::source:
      return draw_part(ui, body);
  }
  const double pictures = std::floor(body.height * 0.65), lower = body.height - pictures - 1;
  draw_pictures(ui, {body.x, body.y, body.width, pictures});
  rule(ui, body.x, body.y + pictures, body.right(), body.y + pictures);
  // At least as wide as its texts, as far as the source has room beside it.
  const double needed = std::min(compare_table_width(ui, comparison_), body.width * 0.55);
  const double table =
      std::clamp<double>(std::max(std::floor(body.width * 0.38), std::ceil(needed)), ui.px(380), ui.px(660));
  draw_compare_table(ui, comparison_, {body.x, body.y + pictures + 1, table, lower});
  rule(ui, body.x + table, body.y + pictures + 1, body.x + table, body.bottom());
  draw_compare_source(ui, comparison_,
                      {body.x + table + 1, body.y + pictures + 1, body.width - table - 1, lower},
                      asked_line_);
}

ComparePage::ComparePage(Model& model, const PerformanceData& performance)
    : WindowPage(Page::compare), model_(model), performance_(performance), comparison_(model, {}) {}

PageButton ComparePage::button(const Ui& ui) const {
  const bool is_open = this->is_open(ui.state().view), enabled = is_open || has_sides();
  return {.chosen = is_open, .enabled = enabled, .tip = enabled ? "" : kNothingBeside};
}

void ComparePage::toggle(const Ui& ui) {
  if (!is_open(ui.state().view) && !has_sides()) return void(ui.wishes.say = kNothingBeside);
  WindowPage::toggle(ui);
  if (is_open(ui.state().view)) forget_other_sides(ui.state());
}

void ComparePage::update() {
  if (!is_open(model_.state.view)) from_ = model_.state.view.page, kernel_before_ = model_.state.kernel;
}

FigureSnapshot ComparePage::snapshot() const { return still_figure("compare", scene()); }

std::optional<std::string> ComparePage::numbers() const {
  const run::Run *left = comparison_.run(Side::left), *right = comparison_.run(Side::right);
  if (left == nullptr || !left->complete || right == nullptr || !right->complete) return std::nullopt;
  return tsv_of(*left, *right, performance_.recorded());
}

std::string ComparePage::file_name(const Model& model) const {
  const auto of = [&](Side side) {
    const catalog::KernelSpec* spec = comparison_.spec(side);
    return spec == nullptr ? "" : "-" + file_part(spec->id);
  };
  return file_part(model.ladder()) + "-compare" + of(Side::left) + of(Side::right) + "-" +
         model.state.compare.figure;
}

bool ComparePage::is_at_end() const { return comparison_.step() + std::size_t{1} >= comparison_.steps(); }

void ComparePage::go_to_end(bool last) {
  const auto all = static_cast<std::ptrdiff_t>(comparison_.steps());
  comparison_.move_step(last ? all : -all);
}

void ComparePage::move_warp(int by) {
  if (move_within(state().warp, by, comparison_.warps())) state().step = kOpeningAccess;
}

void ComparePage::move_block(int by) {
  if (move_within(state().block, by, comparison_.blocks())) state().step = kOpeningAccess;
}

bool ComparePage::cancel() {
  if (!comparison_.busy_seconds()) return false;
  comparison_.cancel();
  return true;
}

bool ComparePage::shows_figure(std::string_view id) const {
  return std::ranges::find(figures::figures_of_a_run(), id, &figures::Figure::id) !=
         figures::figures_of_a_run().end();
}

// What takes more than one run the ladder shows.
void ComparePage::open_figure(const Ui& ui, std::string_view id) {
  if (!shows_figure(id)) return WindowPage::open_figure(ui, id);
  state().figure = std::string(id);
}

void ComparePage::add_commands(const Ui&, std::vector<Command>& list) {
  for (const Side side : kBothSides) {
    const std::string name = side == Side::left ? "Left: " : "Right: ";
    for (const auto* spec : comparison_.candidates())
      list.push_back({name + spec->title, "Compare", "",
                      [this, side, id = spec->id](const Ui&) { comparison_.choose_kernel(side, id); }});
    const auto set = [this, side](const Ui&, const std::string& parameter, std::int64_t value) {
      comparison_.set_parameter(side, parameter, value);
    };
    add_parameters(comparison_.sliders(side), name, "Compare", set, list);
  }
}

}  // namespace warplens::app
