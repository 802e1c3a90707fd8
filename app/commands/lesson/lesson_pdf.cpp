#include "app/commands/lesson/lesson_pdf.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/lesson/lesson_answer.hpp"
#include "app/commands/lesson/lesson_pictures.hpp"
#include "viz/lesson/prose.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::app {
namespace {

using lesson_scene::ProseLook;
using scene::Group, scene::Point, scene::Rect, scene::Weight, theme::Token;

constexpr scene::Size kPage{794, 1123};  // A4 at 96 pixels an inch
constexpr double kMargin = 68, kFoot = 40;
constexpr double kWidth = kPage.width - 2 * kMargin, kBottom = kPage.height - kMargin;
constexpr double kPictureWidth = 940;  // scene pixels across a page: its captions become type of 7 points
constexpr double kPictureHeight = 560;
constexpr double kRoom = 3, kLine = 26;  // to write in: lines, and from one to the next
constexpr double kGap = 12, kBar = 14;   // between blocks; the text beside a question's bar
const ProseLook kText{.size = 14}, kStrong{.size = 14, .weight = Weight::semibold};
const ProseLook kHeading{.size = 20, .weight = Weight::bold}, kTitle{.size = 30, .weight = Weight::bold};
const ProseLook kCode{.size = 11};
const ProseLook kAbout{.size = 13, .color = Token::dim};

lesson::Spans plain(std::string text) { return {{std::move(text), lesson::Style::plain}}; }

// Blocks below each other; one that does not fit begins a page.
class Pages {
 public:
  Pages(std::string foot, const paint::Fonts& fonts) : foot_(std::move(foot)), fonts_(fonts) { add_page(); }

  // draw(group) draws at the origin, kWidth wide at most, and returns its height. keep: room that has to be
  // below it on the same page.
  template <class Draw>
  void add(Draw draw, double keep = 0) {
    Group block;
    const double height = draw(block);
    if (height <= 0) return;
    if (y_ + height + keep > kBottom && y_ > kMargin) add_page();
    block.origin = {kMargin, y_};
    pages_.back().root.group(std::move(block));
    y_ += height + kGap;
  }
  void skip(double height) {
    if (y_ > kMargin) y_ += height;
  }
  const std::vector<scene::Scene>& all() const { return pages_; }

 private:
  void add_page() {
    pages_.emplace_back(kPage);
    pages_.back().background = theme::rgb(0xffffff);  // as paper is
    y_ = kMargin;
    scene::TextStyle style{.size = 11, .color = Token::dim};
    Group& root = pages_.back().root;
    root.text({kMargin, kPage.height - kFoot}, foot_, style);
    const std::string number = std::to_string(pages_.size());
    root.text({kPage.width - kMargin - fonts_.width(number, style), kPage.height - kFoot}, number, style);
  }

  std::string foot_;
  const paint::Fonts& fonts_;
  std::vector<scene::Scene> pages_;
  double y_ = kMargin;
};

class Handout {
 public:
  Handout(LessonDesk& desk, const OpenLesson& open, Edition edition)
      : desk_(desk), open_(open), edition_(edition), pages_(open.lesson.title, desk.fonts()) {}

  Result<paint::Bytes> bytes() {
    const lesson::Lesson& lesson = open_.lesson;
    add_text(plain(lesson.title), kTitle);
    add_text(plain(lesson.summary), kText);
    add_text(plain(fmt::format("{} minutes{}{}", lesson.minutes,
                               lesson.source.empty() ? "" : ". Sources: ", lesson.source)),
             kAbout);
    for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop)
      if (const Status added = add_stop(stop); !added) return added.error();
    return paint::to_pdf(pages_.all(), theme::light(), desk_.fonts());
  }

 private:
  void add_text(const lesson::Spans& spans, const ProseLook& look, double keep = 0) {
    pages_.add(
        [&](Group& group) {
          return lesson_scene::add_spans(group, {0, 0}, spans, kWidth, look, desk_.fonts());
        },
        keep);
  }

  Status add_stop(std::size_t number) {
    const lesson::Stop& stop = open_.lesson.stops[number];
    StopContext context(desk_.sources(), open_.lesson, open_.stops[number]);
    pages_.skip(20);
    const bool is_teachers = edition_ == Edition::teacher, is_students = edition_ == Edition::student;
    const bool is_new =
        (number == 0 || stop.find<lesson::StateBlock>() != nullptr) && stop.find<lesson::Write>() == nullptr;
    const bool covered = !context.stop().reveal && stop.find<lesson::Ask>() != nullptr;
    // A heading stays with what follows it.
    const double keep = is_new && !covered ? kPictureHeight * kWidth / kPictureWidth + kGap : 80;
    add_text(plain(fmt::format("{}. {}", number + 1, stop.heading)), kHeading, keep);
    if (is_teachers) add_text(plain(time_words(open_.lesson, number)), kAbout);
    if (is_new && !covered)
      if (const Status drawn = add_picture(context); !drawn) return drawn;
    for (const lesson::Part& part : stop.parts) {
      if (const auto* prose = std::get_if<lesson::Prose>(&part)) add_prose(*prose);
      if (const auto* exercise = std::get_if<lesson::Try>(&part)) add_try(*exercise);
      if (const auto* teach = std::get_if<lesson::Teach>(&part); teach != nullptr && is_teachers)
        add_notes(*teach);
      if (const auto* write = std::get_if<lesson::Write>(&part))
        if (const Status added = add_writing(*write); !added) return added;
      if (const auto* ask = std::get_if<lesson::Ask>(&part)) {
        if (is_students) {  // what follows of the stop gives the answer away
          add_choices(*ask);
          add_room("What do you think, and why?");
          if (const auto* exercise = stop.find<lesson::Try>()) add_try(*exercise);
          return Done{};
        }
        if (const Status asked = add_question(*ask, context); !asked) return asked;
        if (is_new && covered)
          if (const Status drawn = add_picture(context); !drawn) return drawn;
      }
    }
    return Done{};
  }

  void add_prose(const lesson::Prose& prose) {
    for (const lesson::Block& block : prose.blocks)
      pages_.add([&](Group& group) {
        return lesson_scene::add_prose(group, {0, 0}, std::array{block}, kWidth, kText, desk_.fonts());
      });
  }

  Status add_picture(StopContext& context) {
    if (is_of_window(context.stop().state)) return Done{};
    auto picture = stop_picture(desk_, context, {kPictureWidth, kPictureHeight});
    if (!picture) return in_lesson(open_.lesson, context.stop().line, picture.error());
    const double scale = kWidth / kPictureWidth;
    pages_.add([&](Group& group) {
      const Rect frame{0, 0, kWidth, picture->size.height * scale};
      group.rect(frame, {.fill = picture->background, .stroke = scene::Stroke{Token::line}}, 6);
      picture->root.scale *= scale;
      group.group(std::move(picture->root));
      return frame.height;
    });
    return Done{};
  }

  // Lines beside a bar: of each its text and look.
  void add_marked(const std::vector<std::pair<lesson::Spans, ProseLook>>& lines, scene::Color bar) {
    pages_.add([&](Group& group) {
      double y = 0;
      for (const auto& [spans, look] : lines)
        y += lesson_scene::add_spans(group, {kBar, y}, spans, kWidth - kBar, look, desk_.fonts()) + 3;
      group.rect({0, 0, 3, y}, {.fill = bar});
      return y;
    });
  }

  void add_choices(const lesson::Ask& ask) {
    std::vector<std::pair<lesson::Spans, ProseLook>> lines{{lesson::parse_spans(ask.question), kStrong}};
    char letter = 'A';
    for (const lesson::Choice& choice : ask.choices)
      lines.emplace_back(plain(fmt::format("{}. {}", letter++, choice.text)), kText);
    add_marked(lines, Token::accent);
  }
  void add_room(const std::string& title) {
    pages_.add([&](Group& group) {
      const double top = lesson_scene::add_spans(group, {0, 0}, plain(title), kWidth, kAbout, desk_.fonts());
      for (int line = 1; line <= kRoom; ++line)
        group.rect({0, top + line * kLine, kWidth, 0.7}, {.fill = Token::dim});
      return top + kRoom * kLine + kGap;
    });
  }

  Status add_question(const lesson::Ask& ask, StopContext& context) {
    add_choices(ask);
    std::vector<std::pair<lesson::Spans, ProseLook>> lines;
    const auto answer = answer_of(ask, context);
    if (!answer) return in_lesson(open_.lesson, ask.answer_line, answer.error());
    lines = {{plain("Answer: " + *answer), kStrong}};
    for (const lesson::Choice& choice : ask.choices) {
      if (choice.wrong.empty()) continue;
      lesson::Spans reason = plain(choice.text + ": ");
      for (lesson::Span& span : lesson::parse_spans(choice.wrong)) reason.push_back(std::move(span));
      lines.emplace_back(std::move(reason), kText);
    }
    add_marked(lines, Token::line);
    return Done{};
  }

  void add_try(const lesson::Try& exercise) {
    lesson::Spans task{{"Try it: ", lesson::Style::bold}};
    for (lesson::Span& span : lesson::parse_spans(exercise.task)) task.push_back(std::move(span));
    std::vector<std::pair<lesson::Spans, ProseLook>> lines{{std::move(task), kText}};
    if (!exercise.hint.empty() && edition_ != Edition::student)
      lines.emplace_back(lesson::parse_spans("Hint: " + exercise.hint), kAbout);
    add_marked(lines, Token::good);
  }

  void add_notes(const lesson::Teach& teach) {
    std::vector<std::pair<lesson::Spans, ProseLook>> lines;
    if (!teach.board.empty())
      lines.emplace_back(lesson::parse_spans("**On the board.** " + teach.board), kText);
    if (!teach.trap.empty())
      lines.emplace_back(lesson::parse_spans("**What goes wrong.** " + teach.trap), kText);
    add_marked(lines, Token::first_thread);
  }

  void add_code(const std::vector<std::string>& code) {
    std::vector<std::pair<lesson::Spans, ProseLook>> lines;
    for (const std::string& line : code)
      lines.emplace_back(
          lesson::Spans{{scene::with_breakless_spaces(line.empty() ? " " : line), lesson::Style::code}},
          kCode);
    add_marked(lines, Token::line);
  }

  Status add_writing(const lesson::Write& write) {
    const auto read = exercise::read(open_.lesson.assignment(write));
    if (!read) return in_lesson(open_.lesson, write.line, read.error());
    add_marked({{plain("Write it: " + read->title), kStrong}, {lesson::parse_spans(read->task), kText}},
               Token::good);
    add_code(code_lines(read->start));
    std::vector<std::pair<lesson::Spans, ProseLook>> goals{{plain("What has to hold"), kStrong}};
    for (const std::string& goal : goals_of(*read)) goals.emplace_back(plain("– " + goal), kText);
    add_marked(goals, Token::good);
    if (edition_ == Edition::student)
      add_room("Your lines");
    else
      add_answers(*read);
    return Done{};
  }
  void add_answers(const exercise::Assignment& assignment) {
    std::vector<std::pair<lesson::Spans, ProseLook>> hints;
    for (std::size_t i = 0; i < assignment.hints.size(); ++i)
      hints.emplace_back(lesson::parse_spans(fmt::format("Hint {}: {}", i + 1, assignment.hints[i])), kAbout);
    if (!hints.empty()) add_marked(hints, Token::line);
    add_text(plain("Solution"), kStrong, kLine);
    add_code(written_lines(assignment.start, assignment.solution));
    if (edition_ != Edition::teacher) return;
    add_text(plain("What does not pass"), kStrong, kLine);
    for (const std::string& wrong : assignment.wrong) add_code(written_lines(assignment.start, wrong));
  }

  LessonDesk& desk_;
  const OpenLesson& open_;
  const Edition edition_;
  Pages pages_;
};

}  // namespace

Result<paint::Bytes> lesson_pdf(LessonDesk& desk, const OpenLesson& open, Edition edition) {
  return Handout(desk, open, edition).bytes();
}

}  // namespace warplens::app
