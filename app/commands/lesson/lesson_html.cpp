#include "app/commands/lesson/lesson_html.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "app/base/text_table.hpp"
#include "app/commands/lesson/lesson_answer.hpp"
#include "app/commands/lesson/lesson_pictures.hpp"
#include "app/lesson/prose_html.hpp"
#include "engine/explain/glossary/glossary.hpp"
#include "viz/paint/files/svg.hpp"

namespace warplens::app {
namespace {

constexpr scene::Size kPicture{1120, 640};

// Light, as paper is.
constexpr std::string_view kStyle = R"(
:root { color: #17202b; background: #ffffff; font: 17px/1.55 Inter, "Helvetica Neue", Arial, sans-serif; }
body { max-width: 56rem; margin: 2rem auto; padding: 0 1.25rem; }
h1 { line-height: 1.2; margin-bottom: .3rem; } h2 { margin-top: 3rem; }
code { font-family: "JetBrains Mono", Menlo, monospace; font-size: .92em; background: #eef1f5; padding: 0 .2em; border-radius: 3px; }
.about, figcaption { color: #566373; }
figure { margin: 1.2rem 0; } figure svg { width: 100%; height: auto; border: 1px solid #d5dce4; border-radius: 6px; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { border-bottom: 1px solid #d5dce4; padding: .25rem .9rem .25rem 0; text-align: left; }
pre { background: #eef1f5; border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; font: .85em/1.45 "JetBrains Mono", Menlo, monospace; }
.room { height: 6.2rem; background: repeating-linear-gradient(transparent 0 1.95rem, #b9c4d0 1.95rem 2rem); margin: .4rem 0 1rem; }
.teach { background: #fdf6e3; border-left: 4px solid #b8860b; padding: .1rem 1rem; margin: 1.2rem 0; }
.time { color: #566373; font-weight: 400; font-size: .65em; }
.ask, .try { border-left: 4px solid #0b6bcb; padding: .1rem 0 .1rem 1rem; margin: 1.2rem 0; }
.try { border-color: #0c7a6d; }
.ask > p:first-child, .try > p:first-child { font-weight: 600; }
.answers { list-style: upper-alpha; }
summary { cursor: pointer; color: #0b6bcb; }
a.word { color: inherit; text-decoration: underline dotted #566373; text-underline-offset: .2em; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem 0; }
@media print {
  :root { font-size: 11pt; } body { max-width: none; margin: 0; }
  h2, figure, .ask, .try, .room, .teach, tr { break-inside: avoid; } h2 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; } summary { color: inherit; }
}
)";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Several pictures stand in one page: their ids must not meet.
std::string with_own_ids(std::string svg, std::size_t number) {
  svg.erase(0, svg.find("<svg"));
  const std::string own = fmt::format("s{}-", number);
  replace_all(svg, " id=\"", " id=\"" + own);
  replace_all(svg, "url(#", "url(#" + own);
  replace_all(svg, "href=\"#", "href=\"#" + own);
  return svg;
}

class Handout {
 public:
  Handout(LessonDesk& desk, const OpenLesson& open, Edition edition)
      : desk_(desk), open_(open), edition_(edition) {}

  Result<std::string> html_text() {
    const lesson::Lesson& lesson = open_.lesson;
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{2}</p>\n<p "
        "class=\"about\">{3} minutes{4}{5}</p>\n",
        escaped(lesson.title), kStyle, escaped(lesson.summary), lesson.minutes,
        lesson.source.empty() ? "" : ". Sources: ", escaped(lesson.source));
    for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop)
      if (const Status added = add_stop(stop); !added) return added.error();
    add_words();
    return text_ + "</body>\n</html>\n";
  }

 private:
  // Those that the text leads to.
  void add_words() {
    std::string words;
    for (const explain::Term& term : explain::glossary())
      if (text_.find(fmt::format("href=\"#{}\"", anchor_of(term))) != std::string::npos)
        words += fmt::format("<dt id=\"{}\">{}</dt>\n<dd>{}</dd>\n", anchor_of(term), escaped(term.word),
                             escaped(term.meaning));
    if (!words.empty()) text_ += fmt::format("<h2>Words</h2>\n<dl>\n{}</dl>\n", words);
  }

  Status add_stop(std::size_t number) {
    const lesson::Stop& stop = open_.lesson.stops[number];
    StopContext context(desk_.sources(), open_.lesson, open_.stops[number]);
    const bool is_teachers = edition_ == Edition::teacher, is_students = edition_ == Edition::student;
    text_ += fmt::format(
        "<h2 id=\"stop-{0}\">{0}. {1}{2}</h2>\n", number + 1, escaped(stop.heading),
        is_teachers ? fmt::format(" <span class=\"time\">{}</span>", time_words(open_.lesson, number)) : "");
    const bool is_new =
        (number == 0 || stop.find<lesson::StateBlock>() != nullptr) && stop.find<lesson::Write>() == nullptr;
    const bool covered = !context.stop().reveal && stop.find<lesson::Ask>() != nullptr;
    if (is_new && !covered)
      if (const Status drawn = add_picture(context, number); !drawn) return drawn;
    bool in_answer = false;
    for (const lesson::Part& part : stop.parts) {
      if (const auto* prose = std::get_if<lesson::Prose>(&part))
        for (const lesson::Block& block : prose->blocks) text_ += html(block);
      if (const auto* exercise = std::get_if<lesson::Try>(&part)) add_try(*exercise);
      if (const auto* teach = std::get_if<lesson::Teach>(&part); teach != nullptr && is_teachers)
        add_notes(*teach);
      if (const auto* write = std::get_if<lesson::Write>(&part))
        if (const Status added = add_writing(*write); !added) return added;
      if (const auto* ask = std::get_if<lesson::Ask>(&part)) {
        if (is_students) {
          add_open_question(*ask);
          if (const auto* exercise = stop.find<lesson::Try>()) add_try(*exercise);
          return Done{};
        }
        if (const Status asked = add_question(*ask, context); !asked) return asked;
        in_answer = !is_teachers;
        if (is_new && covered)
          if (const Status drawn = add_picture(context, number); !drawn) return drawn;
      }
    }
    if (in_answer) text_ += "</details>\n";
    return Done{};
  }

  Status add_picture(StopContext& context, std::size_t number) {
    if (is_of_window(context.stop().state)) return Done{};
    scene::PictureWords words;
    const auto picture = stop_picture(desk_, context, kPicture, &words);
    if (!picture) return in_lesson(open_.lesson, context.stop().line, picture.error());
    auto svg = paint::to_svg(*picture, theme::light(), desk_.fonts(), words);
    if (!svg) return in_lesson(open_.lesson, context.stop().line, svg.error());
    text_ += fmt::format("<figure>\n{}\n</figure>\n", with_own_ids(*std::move(svg), number + 1));
    return Done{};
  }

  void add_choices(const lesson::Ask& ask) {
    text_ += fmt::format("<div class=\"ask\">\n<p>{}</p>\n", html(lesson::parse_spans(ask.question)));
    if (ask.choices.empty()) return;
    text_ += "<ol class=\"answers\">\n";
    for (const lesson::Choice& choice : ask.choices)
      text_ += fmt::format("<li>{}</li>\n", escaped(choice.text));
    text_ += "</ol>\n";
  }
  // What follows of the stop gives the answer away.
  void add_open_question(const lesson::Ask& ask) {
    add_choices(ask);
    text_ += "</div>\n<p>What do you think, and why?</p>\n<div class=\"room\"></div>\n";
  }

  // The answer stays open: what follows of the stop gives it away, and belongs to it.
  Status add_question(const lesson::Ask& ask, StopContext& context) {
    add_choices(ask);
    const auto answer = answer_of(ask, context);
    if (!answer) return in_lesson(open_.lesson, ask.answer_line, answer.error());
    text_ += edition_ == Edition::teacher
                 ? fmt::format("</div>\n<p><strong>Answer: {}</strong></p>\n", escaped(*answer))
                 : fmt::format("</div>\n<details>\n<summary>Answer</summary>\n<p><strong>{}</strong></p>\n",
                               escaped(*answer));
    std::string reasons;
    for (const lesson::Choice& choice : ask.choices)
      if (!choice.wrong.empty())
        reasons +=
            fmt::format("<li>{}: {}</li>\n", escaped(choice.text), html(lesson::parse_spans(choice.wrong)));
    if (!reasons.empty()) text_ += fmt::format("<ul>\n{}</ul>\n", reasons);
    return Done{};
  }

  void add_try(const lesson::Try& exercise) {
    text_ +=
        fmt::format("<div class=\"try\">\n<p>Try it: {}</p>\n", html(lesson::parse_spans(exercise.task)));
    if (!exercise.hint.empty() && edition_ != Edition::student)
      text_ += fmt::format("<details>\n<summary>Hint</summary>\n<p>{}</p>\n</details>\n",
                           html(lesson::parse_spans(exercise.hint)));
    text_ += "</div>\n";
  }

  void add_notes(const lesson::Teach& teach) {
    text_ += "<div class=\"teach\">\n";
    for (const auto& [title, words] :
         {std::pair{"On the board", &teach.board}, std::pair{"What goes wrong", &teach.trap}})
      if (!words->empty())
        text_ += fmt::format("<p><strong>{}.</strong> {}</p>\n", title, html(lesson::parse_spans(*words)));
    text_ += "</div>\n";
  }

  void add_code(const std::vector<std::string>& lines) {
    text_ += "<pre>";
    for (const std::string& line : lines) text_ += escaped(line) + "\n";
    text_ += "</pre>\n";
  }
  // title: of what can be opened; of a teacher's it is open.
  template <class Add>
  void add_behind(const std::string& title, Add add) {
    const bool opens = edition_ == Edition::teacher;
    text_ += opens ? fmt::format("<p><strong>{}</strong></p>\n", title)
                   : fmt::format("<details>\n<summary>{}</summary>\n", title);
    add();
    if (!opens) text_ += "</details>\n";
  }

  Status add_writing(const lesson::Write& write) {
    const auto read = exercise::read(open_.lesson.assignment(write));
    if (!read) return in_lesson(open_.lesson, write.line, read.error());
    text_ += fmt::format("<div class=\"try\">\n<p>Write it: {}</p>\n<p>{}</p>\n", escaped(read->title),
                         html(lesson::parse_spans(read->task)));
    add_code(code_lines(read->start));
    text_ += "<p>What has to hold:</p>\n<ul>\n";
    for (const std::string& goal : goals_of(*read)) text_ += fmt::format("<li>{}</li>\n", escaped(goal));
    text_ += "</ul>\n";
    if (edition_ == Edition::student)
      text_ += "<div class=\"room\"></div>\n";
    else
      add_answers(*read);
    text_ += "</div>\n";
    return Done{};
  }
  void add_answers(const exercise::Assignment& assignment) {
    for (std::size_t i = 0; i < assignment.hints.size(); ++i)
      add_behind(fmt::format("Hint {}", i + 1), [&] {
        text_ += fmt::format("<p>{}</p>\n", html(lesson::parse_spans(assignment.hints[i])));
      });
    add_behind("Solution", [&] { add_code(written_lines(assignment.start, assignment.solution)); });
    if (edition_ != Edition::teacher) return;
    text_ += "<p><strong>What does not pass</strong></p>\n";
    for (const std::string& wrong : assignment.wrong) add_code(written_lines(assignment.start, wrong));
  }

  LessonDesk& desk_;
  const OpenLesson& open_;
  const Edition edition_;
  std::string text_;
};

}  // namespace

Result<std::string> lesson_html(LessonDesk& desk, const OpenLesson& open, Edition edition) {
  return Handout(desk, open, edition).html_text();
}

}  // namespace warplens::app
