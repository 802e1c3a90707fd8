// What is wrong with the text, readable without a pointer: a verdict, and a line for each error, warning and
// finding.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/kit/widgets.hpp"
#include "app/window/pages/edit/edit_panels.hpp"
#include "app/window/pages/edit/edit_session.hpp"
#include "app/window/pages/edit/editor_view.hpp"

namespace warplens::app {
namespace {

constexpr double kVerdict = 34, kRow = 42;
constexpr std::size_t kMostRows = 3;

Token color_of(check::Severity severity) {
  return severity == check::Severity::error     ? Token::costly
         : severity == check::Severity::warning ? Token::series_2
                                                : Token::dim;
}

std::string line_words(const LineMark& mark) {
  if (mark.line == 0) return "";
  return mark.other_line > 0 && mark.other_line != mark.line
             ? fmt::format("{}, {}", mark.line, mark.other_line)
             : std::to_string(mark.line);
}

std::string tip_of(const LineMark& mark) {
  std::string tip = sentence(mark.message);
  if (!mark.where.empty()) tip += "\n" + sentence(mark.where);
  if (!mark.fix.empty()) tip += "\n" + sentence(mark.fix);
  return tip;
}

void draw_row(const Ui& ui, const Rect& rect, const LineMark& mark, std::size_t number, EditorView& view) {
  ui.mark(fmt::format("edit/problem/{}", number), rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(static_cast<int>(number));
  const bool clicked = ImGui::InvisibleButton("problem", extent(rect));
  if (ImGui::IsItemHovered()) fill(ui, rect, Token::raised);
  tooltip(ui, tip_of(mark));
  ImGui::PopID();
  const double half = rect.height / 2, x = rect.x + ui.px(16), lines = ui.px(74);
  draw_disc(ui, {x + ui.px(4), rect.y + half / 2 + ui.px(2)}, ui.px(4), color_of(mark.severity));
  draw_text(ui, {x + ui.px(14), rect.y + ui.px(2), lines - ui.px(14), half}, line_words(mark),
            {Type::small_code, Token::dim});
  const double text = x + lines, width = rect.right() - text - ui.px(16);
  draw_text(ui, {text, rect.y + ui.px(2), width, half}, sentence(mark.message), {Type::caption, Token::text});
  const std::string& below = mark.fix.empty() ? mark.where : mark.fix;
  draw_text(ui, {text, rect.y + half - ui.px(2), width, half}, sentence(below), {Type::caption, Token::dim});
  if (!clicked || mark.line == 0) return;
  view.show(mark.line);
  ui.model.choose_line(mark.line);
}

bool is_race(check::Kind kind) {
  return kind == check::Kind::race_shared || kind == check::Kind::race_warp ||
         kind == check::Kind::race_async || kind == check::Kind::race_global;
}

// The race that decides the verdict; of what may be a guess's fault the words of the verdict begin with it.
const check::Finding* race_of(const run::Report& report) {
  for (const check::Finding& finding : report.findings)
    if (is_race(finding.kind) &&
        (finding.severity == check::Severity::error ||
         (!finding.message.empty() && report.not_checked.find(finding.message) != std::string::npos)))
      return &finding;
  return nullptr;
}

}  // namespace

TextVerdict verdict_of(const Model& model, const EditSession& session) {
  if (!session.is_open()) return {};
  const auto errors = std::ranges::count(session.marks(), check::Severity::error, &LineMark::severity);
  const run::Run* run = model.run();
  const bool is_own = model.state.kernel == session.kernel() && !session.text_error();
  if (session.is_blank()) return {"empty page", "paste a kernel, or begin with one of New", Token::dim};
  if (is_own && model.error() && run != nullptr && run->fault)
    return {"stopped", "the picture has what ran until then", Token::costly};
  if (session.text_error() || (is_own && model.error()))
    return {"does not compile", session.has_picture() ? "the picture is of the last text that did" : "",
            Token::costly};
  if (!is_own || !model.is_current() || session.is_waiting()) return {"compiling", "", Token::dim};
  if (run == nullptr || !run->complete) return {"running", "", Token::dim};
  const run::Report* checked = session.checks().report(run);
  const run::Report& report = checked != nullptr ? *checked : run->report;
  if (const check::Finding* race = race_of(report))
    return {"race", report.not_checked.empty() ? race->message : report.not_checked, Token::costly};
  if (report.is_wrong()) return {"wrong", report.explanation, Token::costly};
  if (checked == nullptr && session.checks().error())
    return {"not checked", to_line(*session.checks().error()), Token::series_2};
  if (checked == nullptr) return {"checking", "the checkers are at work", Token::dim};
  if (errors > 0) return {"wrong", "", Token::costly};
  if (!report.verified) return {"not checked", report.not_checked, Token::series_2};
  return {"verified", "every element is right, and the checkers found no error", Token::good};
}

double problem_strip_height(const Ui& ui, const EditSession& session) {
  return ui.px(kVerdict) + ui.px(kRow) * static_cast<double>(std::min(session.marks().size(), kMostRows));
}

void draw_problem_strip(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.y, rect.right(), rect.y);
  const TextVerdict verdict = verdict_of(ui.model, session);
  const double x = rect.x + ui.px(16), head = ui.px(kVerdict);
  const std::string word = capitalized(verdict.word);
  ui.mark("edit/verdict", {rect.x, rect.y, rect.width, head});
  if (!verdict.word.empty()) ui.mark("edit/verdict/" + verdict.word, {rect.x, rect.y, rect.width, head});
  draw_text(ui, {x, rect.y, rect.width / 2, head}, word, {Type::strong, verdict.color});
  const double after = x + text_width(ui, word, Type::strong) + ui.px(12);
  const auto count = session.marks().size();
  const std::string counted = count > kMostRows ? fmt::format("{} in all", count) : "";
  const double room = rect.right() - after - ui.px(90);
  draw_text(ui, {after, rect.y, room, head}, sentence(verdict.why), {Type::caption, Token::dim});
  draw_text(ui, {rect.right() - ui.px(96), rect.y, ui.px(80), head}, counted, {Type::caption, Token::dim},
            Align::right);
  const Rect list{rect.x, rect.y + head, rect.width, rect.height - head};
  if (count == 0 || list.height < 1) return;
  begin_panel("problems", list);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double row = ui.px(kRow);
  const std::vector<LineMark> marks = session.marks();  // a click may make them again
  for (std::size_t i = 0; i < marks.size(); ++i)
    draw_row(ui, {list.x, at.y + row * static_cast<double>(i), list.width, row}, marks[i], i, view);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, static_cast<float>(row * static_cast<double>(count)) - 1});
  end_fading_panel(ui, list);
}

}  // namespace warplens::app
