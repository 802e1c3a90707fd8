// The counters of both sides and which of them is better.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/compare/compare_panels.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/performance/performance_input.hpp"

namespace warplens::app {
namespace {

constexpr double kRowHeight = 26;

struct Columns {
  Rect name, left, right, verdict;
};

// Design pixels: in wider tables the eye would lose the row between a name and its numbers.
constexpr double kWidestTable = 720, kAround = 42;  // around: its edges and the bar for scrolling

// What the texts in the columns take, pixels.
struct Needs {
  double name = 0, value = 0, verdict = 0;
  double all() const { return name + 2 * value + verdict; }
};

Columns columns_at(const Ui& ui, const Rect& rect, double y, const Needs& needs) {
  const double room = rect.width - ui.px(kAround), width = std::min<double>(room, ui.px(kWidestTable));
  const double x = rect.x + ui.px(16) + std::floor((room - width) / 2), height = ui.px(kRowHeight);
  double value = std::max(std::min<double>(ui.px(96), width * 0.19), needs.value);
  double verdict = std::max(std::min<double>(ui.px(136), width * 0.29), needs.verdict);
  if (width - 2 * value - verdict < needs.name) value = needs.value, verdict = needs.verdict;
  const double name = width - 2 * value - verdict;
  return {{x, y, name, height},
          {x + name, y, value, height},
          {x + name + value, y, value, height},
          {x + name + 2 * value + ui.px(12), y, verdict - ui.px(12), height}};
}

constexpr double kVerdictSign = 18;

// Sign and colour: a triangle for the direction, and teal or orange for what it means.
void draw_verdict(const Ui& ui, const Rect& rect, const Verdict& verdict) {
  const Token color = verdict.kind == Verdict::Kind::better  ? Token::good
                      : verdict.kind == Verdict::Kind::worse ? Token::costly
                                                             : Token::dim;
  const bool judged = verdict.kind == Verdict::Kind::better || verdict.kind == Verdict::Kind::worse;
  double x = rect.x;
  if (verdict.kind != Verdict::Kind::same) {
    const ImVec2 c{static_cast<float>(x) + ui.px(6), static_cast<float>(rect.center().y)};
    const float r = ui.px(5), d = verdict.up ? -r : r;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 a{c.x - r, c.y - d * 0.6f}, b{c.x + r, c.y - d * 0.6f}, tip{c.x, c.y + d * 0.8f};
    // ImGui smooths the edges of clockwise triangles only.
    list.AddTriangleFilled(verdict.up ? b : a, verdict.up ? a : b, tip, ui.color(color));
    x += ui.px(kVerdictSign);
  }
  draw_text(ui, {x, rect.y, rect.right() - x, rect.height}, verdict.text,
            {judged ? Type::strong : Type::body, color});
}

// known: of each side; a preview counts nothing yet. is_fair: neither of the runs is wrong.
void draw_row(const Ui& ui, const Rect& rect, double y, const Needs& needs, const Number& left,
              const Number& right, std::array<bool, 2> known, bool is_fair) {
  const Columns columns = columns_at(ui, rect, y, needs);
  const Verdict verdict = known[0] && known[1] && is_fair ? compare(left, right) : Verdict{};
  if (draw_text(ui, columns.name, left.row->title, {Type::body, Token::dim}))
    ui.mark("compare/cut " + std::string(left.row->title), columns.name);
  draw_text(ui, columns.left, known[0] ? text_of(left) : "…", {Type::strong}, Align::right);
  draw_text(ui, columns.right, known[1] ? text_of(right) : "…", {Type::strong}, Align::right);
  draw_verdict(ui, columns.verdict, verdict);
  ImGui::SetCursorScreenPos({static_cast<float>(rect.x), static_cast<float>(y)});
  ImGui::Dummy({static_cast<float>(rect.width), ui.px(kRowHeight)});
  const std::string_view judged = verdict.kind == Verdict::Kind::better  ? ". The right side is better"
                                  : verdict.kind == Verdict::Kind::worse ? ". The left side is better"
                                                                         : "";
  tooltip(ui, fmt::format("{}{}", left.row->meaning, judged));
}

std::string recorded_name(const run::Run& left, std::string_view unit) {
  return fmt::format("Recorded at {}, {}", measured::short_size(left.plan().sizes), unit);
}

// Measured on a GPU, while all other rows are emulated: its sign says so. Returns where the row ends.
double draw_recorded(const Ui& ui, const Rect& rect, double y, const Needs& needs, const run::Run& left,
                     const run::Run& right, bool is_fair) {
  const measured::RecordedSpeeds& all = ui.performance.recorded();
  const Number of_left = recorded_number(all, left), of_right = recorded_number(all, right);
  if (!of_left.value && !of_right.value) return y;
  const auto is_hidden = [&](const run::Run& run) { return ui.asked_later.contains(run.plan().spec.id); };
  const Rect row{rect.x, y, rect.width, ui.px(kRowHeight)};
  ui.mark("compare/recorded", row);
  const Columns columns = columns_at(ui, rect, y, needs);
  const std::string name = recorded_name(left, (of_left.value ? of_left : of_right).unit);
  if (draw_text(ui, columns.name, name, {Type::body, Token::dim}))
    ui.mark("compare/cut " + name, columns.name);
  const auto value = [&](const Number& of, const run::Run& run, const Rect& place) {
    const bool is_there = of.value.has_value();
    const std::string text = is_hidden(run) ? "?" : is_there ? text_of(of) : "none";
    draw_text(ui, place, text, {is_there ? Type::strong : Type::body}, Align::right);
    ui.mark(fmt::format("compare/recorded/{}/{}", &of == &of_left ? "left" : "right", text), place);
  };
  const double after = std::min<double>(text_width(ui, name, Type::body) + ui.px(12), columns.name.width);
  draw_provenance(ui, {static_cast<float>(columns.name.x + after), static_cast<float>(row.center().y)},
                  plot::Provenance::recorded);
  value(of_left, left, columns.left);
  value(of_right, right, columns.right);
  if (of_left.value && of_right.value && is_fair && !is_hidden(left) && !is_hidden(right))
    draw_verdict(ui, columns.verdict, compare(of_left, of_right));
  ImGui::SetCursorScreenPos(corner(row));
  ImGui::Dummy(extent(row));
  std::string how;
  for (const run::Run* run : {&left, &right})
    if (const auto* speed = is_hidden(*run) ? nullptr : recorded_speed(all, *run))
      how += (how.empty() ? "" : "\n\n") + run->plan().spec.title + "\n" +
             figures::measured_speed(all, *speed).how;
  tooltip(ui, how);
  rule(ui, columns.name.x, row.bottom() + ui.px(2), columns.verdict.right(), row.bottom() + ui.px(2));
  return row.bottom() + ui.px(5);
}

// "Left: its result is wrong": then no side is better than the other. Empty: both are right.
struct Unfair {
  std::string why;
  Token color = Token::costly;  // of what is known; not of what the checkers have still to say
};
Unfair why_unfair(const run::Run& left, const run::Run& right) {
  const std::string_view of_left = explain::reserve(left), of_right = explain::reserve(right);
  const bool is_known = !explain::doubt(left).empty() || !explain::doubt(right).empty();
  const Token color = is_known ? Token::costly : Token::dim;
  if (of_left.empty() && of_right.empty()) return {};
  if (of_left == of_right) return {fmt::format("Both: {}", of_left), color};
  if (of_left.empty()) return {fmt::format("Right: {}", of_right), color};
  if (of_right.empty()) return {fmt::format("Left: {}", of_left), color};
  return {fmt::format("Left: {}; right: {}", of_left, of_right), color};
}

// How the numbers came about, for both sides; the longest form first.
std::vector<std::string> source_of(const run::Run& left, const run::Run& right) {
  const std::string rules = ", " + left.device().name + " rules";
  for (const run::Run* run : {&left, &right})
    if (run->emulation.is_sampled())
      return {"Estimated from a sample of blocks" + rules, "Estimated from a sample", "Estimated"};
  return {"Emulated" + rules, "Emulated"};
}

// Of all that the table says of these runs.
Needs needs_of(const Ui& ui, const run::Run& left, const run::Run& right) {
  constexpr double kApart = 10, kDot = 18;
  Needs needs;
  const auto take = [&](double& need, std::string_view text, Type type, double more) {
    need = std::max<double>(need, std::ceil(text_width(ui, text, type)) + ui.px(more));
  };
  const auto take_row = [&](std::string_view name, const Number& of_left, const Number& of_right,
                            double more) {
    take(needs.name, name, Type::body, kApart + more);
    for (const Number& number : {of_left, of_right}) take(needs.value, text_of(number), Type::strong, kApart);
    take(needs.verdict, compare(of_left, of_right).text, Type::strong, kVerdictSign + kApart + 12);
  };
  take(needs.verdict, "Right against left", Type::caption, kApart + 12);
  const Number of_left = recorded_number(ui.performance.recorded(), left),
               of_right = recorded_number(ui.performance.recorded(), right);
  if (of_left.value || of_right.value)
    take_row(recorded_name(left, (of_left.value ? of_left : of_right).unit), of_left, of_right, kDot);
  const auto lefts = numbers_of(left), rights = numbers_of(right);
  for (std::size_t i = 0; i < lefts.size(); ++i) take_row(lefts[i].row->title, lefts[i], rights[i], 0);
  return needs;
}

}  // namespace

double compare_table_width(const Ui& ui, const Comparison& comparison) {
  const run::Run *left = comparison.run(Side::left), *right = comparison.run(Side::right);
  return left == nullptr || right == nullptr ? 0 : needs_of(ui, *left, *right).all() + ui.px(kAround);
}

void draw_compare_table(const Ui& ui, const Comparison& comparison, const Rect& rect) {
  fill(ui, rect, Token::panel);
  ui.mark("compare/table", rect);
  const run::Run *left = comparison.run(Side::left), *right = comparison.run(Side::right);
  const double head = ui.px(36);
  const Needs needs = left == nullptr || right == nullptr ? Needs{} : needs_of(ui, *left, *right);
  const Columns columns = columns_at(ui, rect, rect.y + (head - ui.px(kRowHeight)) / 2, needs);
  draw_text(ui, columns.left, "Left", {Type::caption, Token::dim}, Align::right);
  draw_text(ui, columns.right, "Right", {Type::caption, Token::dim}, Align::right);
  rule(ui, rect.x, rect.y + head - 1, rect.right(), rect.y + head - 1);
  const auto [unfair, unfair_color] =
      left == nullptr || right == nullptr ? Unfair{} : why_unfair(*left, *right);
  if (unfair.empty())
    draw_text(ui, columns.verdict, "Right against left", {Type::caption, Token::dim});
  else
    draw_text(
        ui, {columns.verdict.x, columns.verdict.y, rect.right() - columns.verdict.x, columns.verdict.height},
        unfair, {Type::caption, unfair_color});
  if (!unfair.empty()) ui.mark("compare/unfair", rect);
  if (left == nullptr || right == nullptr) return;
  draw_provenance(
      ui, {static_cast<float>(columns.name.x) + ui.px(4), static_cast<float>(columns.name.center().y)},
      plot::Provenance::emulated);
  const Rect source{columns.name.x + ui.px(14), columns.name.y, columns.name.width - ui.px(14),
                    columns.name.height};
  draw_text(ui, source, fitting(ui, source_of(*left, *right), source.width, Type::caption),
            {Type::caption, Token::dim});
  begin_panel("counters compared", {rect.x, rect.y + head, rect.width, rect.height - head});
  double y = ImGui::GetCursorScreenPos().y + ui.px(4);
  y = draw_recorded(ui, rect, y, needs, *left, *right, unfair.empty());
  const auto lefts = numbers_of(*left), rights = numbers_of(*right);
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    draw_row(ui, rect, y, needs, lefts[i], rights[i], {left->complete, right->complete}, unfair.empty());
    y += ui.px(kRowHeight);
  }
  end_fading_panel(ui, rect);
}

}  // namespace warplens::app
