// What is wrong with the text, readable without a pointer: a verdict, and a line for each error, warning and
// finding.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/problem_words.hpp"
#include "app/base/tried_words.hpp"
#include "app/base/verdict_words.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/edit/edit_panels.hpp"
#include "app/window/pages/edit/edit_session.hpp"
#include "app/window/pages/edit/editor_view.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

// Nothing compiles for so long.
constexpr double kRunsAfter = 2;  // seconds

constexpr double kVerdict = 34, kMostHeight = 190;  // of the verdict; of the list
constexpr int kMostWhyLines = 4;
constexpr std::size_t kMostSizes = 3;  // that were tried and are said

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

// Where the texts of a row begin, and how wide they are, in a strip of this width.
double text_left(const Ui& ui) { return ui.px(90); }
float text_room(const Ui& ui, double width) { return static_cast<float>(width - text_left(ui)) - ui.px(24); }

std::string below_of(const LineMark& mark) { return sentence(mark.fix.empty() ? mark.where : mark.fix); }

float paragraph(const Ui& ui, double x, double y, float width, const std::string& text, Token color,
                bool draw = true, int most_lines = 1000) {
  if (text.empty()) return 0;
  return draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, width, text,
                        {Type::caption, color}, draw, most_lines);
}

double row_height(const Ui& ui, const LineMark& mark, double width) {
  const float room = text_room(ui, width);
  return paragraph(ui, 0, 0, room, sentence(mark.message), Token::text, false) +
         paragraph(ui, 0, 0, room, below_of(mark), Token::dim, false) + ui.px(8);
}

double list_height(const Ui& ui, const EditSession& session, double width) {
  double height = 0;
  for (const LineMark& mark : session.marks()) height += row_height(ui, mark, width);
  return height;
}

// What the list below says already is not said twice.
std::string why_words(const TextVerdict& verdict, const EditSession& session) {
  const bool is_listed = std::ranges::any_of(session.marks(), [&](const LineMark& mark) {
    return !mark.message.empty() && verdict.why.find(mark.message) != std::string::npos &&
           verdict.why.size() < mark.message.size() + 24;
  });
  return is_listed ? "" : sentence(verdict.why);
}

double head_height(const Ui& ui, const EditSession& session, const TextVerdict& verdict, double width) {
  const double after = text_width(ui, capitalized(verdict.word), Type::strong) + ui.px(28);
  const float room = static_cast<float>(width - after) - ui.px(24);
  return std::max<double>(ui.px(kVerdict), ui.px(14) + paragraph(ui, 0, 0, room, why_words(verdict, session),
                                                                 Token::dim, false, kMostWhyLines));
}

void draw_row(const Ui& ui, const Rect& rect, const LineMark& mark, std::size_t number, EditorView& view) {
  ui.mark(fmt::format("edit/problem/{}", number), rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(static_cast<int>(number));
  const bool by_mouse = ImGui::InvisibleButton("problem", extent(rect));
  const bool clicked = clicked_by_key(ui, fmt::format("edit/problem/{}", number), rect) || by_mouse;
  if (ImGui::IsItemHovered()) fill(ui, rect, Token::raised);
  tooltip(ui, tip_of(mark));
  ImGui::PopID();
  const double line = ui.px(20), x = rect.x + ui.px(16);
  draw_disc(ui, {x + ui.px(4), rect.y + line / 2 + ui.px(2)}, ui.px(4), severity_color(mark.severity));
  draw_text(ui, {x + ui.px(14), rect.y + ui.px(2), text_left(ui) - ui.px(30), line}, line_words(mark),
            {Type::small_code, Token::dim});
  const double text = rect.x + text_left(ui);
  const float room = text_room(ui, rect.width);
  const double below =
      rect.y + ui.px(2) + paragraph(ui, text, rect.y + ui.px(2), room, sentence(mark.message), Token::text);
  paragraph(ui, text, below, room, below_of(mark), Token::dim);
  if (!clicked || mark.line == 0) return;
  view.show(mark.line);
  ui.model.choose_line(mark.line);
}

// The race that decides the verdict; of what may be a guess's fault the words of the verdict begin with it.
const check::Finding* race_of(const run::Report& report) {
  for (const check::Finding& finding : report.findings)
    if (check::is_race(finding.kind) &&
        (finding.severity == check::Severity::error ||
         (!finding.message.empty() && report.not_checked.find(finding.message) != std::string::npos)))
      return &finding;
  return nullptr;
}

// "N = 1,048,576"
std::string size_words(const run::NamedValues& sizes) {
  std::string words;
  for (const auto& [name, value] : sizes)
    words +=
        fmt::format("{}{} = {}", words.empty() ? "" : ", ", name, grouped(static_cast<std::uint64_t>(value)));
  return words;
}

// Of a result that nothing is known to be right for: what the checkers found instead.
std::string words_without_check(const run::Report& report) {
  const bool is_of_finding = std::ranges::any_of(report.findings, [&](const check::Finding& finding) {
    return !finding.message.empty() && report.not_checked.find(finding.message) != std::string::npos;
  });
  if (is_of_finding || !report.tried || report.tried->data.empty()) return report.not_checked;
  return fmt::format("no errors found at {} with {} numbers, but {}", size_words(report.size),
                     report.tried->data.front(), report.not_checked);
}

// "; tried too: ...", where the checkers are done.
std::string with_tried(std::string words, const run::Report& report) {
  if (!report.tried) return words;
  return words + (words.empty() ? "" : "; ") + "tried too: " + tried_words(*report.tried, kMostSizes);
}

}  // namespace

TextVerdict verdict_of(const Model& model, const EditSession& session) {
  if (!session.is_open()) return {};
  const auto errors = std::ranges::count(session.marks(), check::Severity::error, &LineMark::severity);
  const run::Run* run = model.run();
  const bool is_own = model.state.kernel == session.kernel() && !session.text_error();
  if (session.is_blank()) return {"empty page", "paste a kernel, or begin with one of New", Token::dim};
  if (is_own && model.error() && run != nullptr && run->fault)
    return {std::string(kStopped), std::string(kUntilThen), Token::costly};
  if (is_own && model.is_cancelled()) return {"cancelled", "Run starts it again", Token::dim};
  if (session.text_error() || (is_own && model.error()))
    return {"does not compile", session.has_picture() ? "the picture is of the last text that did" : "",
            Token::costly};
  if (!is_own || !model.is_current() || session.is_waiting())
    return {model.busy_seconds().value_or(0) > kRunsAfter ? "running" : "compiling", "", Token::dim};
  if (run == nullptr || !run->complete) return {"running", "", Token::dim};
  const run::Report& report = run->report;
  if (const check::Finding* race = race_of(report))
    return {"race", report.not_checked.empty() ? check::words_of(*race) : report.not_checked, Token::costly};
  if (report.is_wrong()) return {"wrong", report.explanation, Token::costly};
  if (report.check == run::CheckState::failed) return {"not checked", report.why_unchecked, Token::series_2};
  if (report.check == run::CheckState::at_work) return {"checking", "the checkers are at work", Token::dim};
  if (errors > 0) return {"wrong", "", Token::costly};
  if (!report.verified)
    return {"not checked", with_tried(words_without_check(report), report), Token::series_2};
  if (is_wrong_elsewhere(report))
    return {std::string(words_of_elsewhere(report).here),
            fmt::format("{}; {}", problem_words(run->plan().spec), words_of_elsewhere(report).there),
            Token::series_2};
  const std::string right = fmt::format("every element is right ({})", problem_words(run->plan().spec));
  if (const auto warnings =
          std::ranges::count(session.marks(), check::Severity::warning, &LineMark::severity);
      warnings > 0)
    return {fmt::format("verified, {} warning{}", warnings, warnings == 1 ? "" : "s"),
            with_tried(right, report), Token::series_2};
  return {"verified", with_tried(right + ", and the checkers found no error", report), Token::good};
}

double problem_strip_height(const Ui& ui, const EditSession& session, double width) {
  return head_height(ui, session, verdict_of(ui.model, session), width) +
         std::min<double>(list_height(ui, session, width), ui.px(kMostHeight));
}

void draw_problem_strip(const Ui& ui, const Rect& rect, EditSession& session, EditorView& view) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.y, rect.right(), rect.y);
  const TextVerdict verdict = verdict_of(ui.model, session);
  const double x = rect.x + ui.px(16), line = ui.px(kVerdict);
  const double head = head_height(ui, session, verdict, rect.width);
  const std::string word = capitalized(verdict.word);
  ui.mark("edit/verdict", {rect.x, rect.y, rect.width, head});
  if (!verdict.word.empty()) ui.mark("edit/verdict/" + verdict.word, {rect.x, rect.y, rect.width, head});
  draw_text(ui, {x, rect.y, rect.width / 2, line}, word, {Type::strong, verdict.color});
  const double after = x + text_width(ui, word, Type::strong) + ui.px(12);
  const auto count = session.marks().size();
  const std::string why = why_words(verdict, session);
  const double all = list_height(ui, session, rect.width);
  const std::string counted = why.empty() && all > ui.px(kMostHeight) ? fmt::format("{} in all", count) : "";
  paragraph(ui, after, rect.y + ui.px(8), static_cast<float>(rect.right() - after) - ui.px(12), why,
            Token::dim, true, kMostWhyLines);
  draw_text(ui, {rect.right() - ui.px(96), rect.y, ui.px(80), line}, counted, {Type::caption, Token::dim},
            Align::right);
  const Rect list{rect.x, rect.y + head, rect.width, rect.height - head};
  if (count == 0 || list.height < 1) return;
  begin_panel("problems", list);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::vector<LineMark> marks = session.marks();  // a click may make them again
  double y = at.y;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const double height = row_height(ui, marks[i], list.width);
    draw_row(ui, {list.x, y, list.width, height}, marks[i], i, view);
    y += height;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, static_cast<float>(all) - 1});
  end_fading_panel(ui, list);
}

}  // namespace warplens::app
