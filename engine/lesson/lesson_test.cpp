#include "engine/lesson/lesson.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/testing/test_folder.hpp"
#include "engine/lesson/grade.hpp"

namespace warplens::lesson {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

const std::string kFront = "+++\ntitle = \"T\"\nsummary = \"S\"\nminutes = 5\n+++\n";

std::string lines_of(const Parsed& parsed) {
  std::string lines;
  for (const Error& error : parsed.errors) lines += to_line(error) + "\n";
  return lines;
}

TEST(Lesson, HasFrontMatterStopsAndBlocks) {
  const Parsed parsed = parse(R"(+++
title    = "The title"
summary  = "What it is about."
minutes  = 12
source   = "Somebody"
exhibits = ["N1", "P2"]
+++

## First

```state
kernel = "matmul/01_naive"
```

One paragraph
over two lines.

```claim
verified   # always
sectors("A#", 'ld') == 1
```

## Second

More.

```ask
question = "How many?"
choices  = [1, 4, "10 times"]
answer   = "2 + 2"
wrong    = { 1 = "Too few.", "10 times" = "Too many." }
```

```try
task = "Do it."
goal = "TILE == 8"
best = "TILE"
hint = "Think."
```
)",
                              "a/01_x.md");
  ASSERT_TRUE(parsed.is_fine()) << lines_of(parsed);
  const Lesson& lesson = parsed.lesson;
  EXPECT_EQ(lesson.name(), "01_x");
  EXPECT_EQ(lesson.minutes, 12);
  EXPECT_THAT(lesson.exhibits, ElementsAre("N1", "P2"));
  ASSERT_THAT(lesson.stops, SizeIs(2));
  EXPECT_EQ(lesson.stops[0].heading, "First");
  EXPECT_EQ(lesson.stops[0].find<StateBlock>()->line, 12);
  const auto& paragraph = std::get<Paragraph>(lesson.stops[0].find<Prose>()->blocks[0]);
  EXPECT_EQ(plain_text(paragraph.spans), "One paragraph over two lines.");
  const auto& claims = lesson.stops[0].find<Claims>()->claims;
  ASSERT_THAT(claims, SizeIs(2));
  EXPECT_EQ(claims[0].expression.text(), "verified");
  EXPECT_EQ(claims[1].expression.text(), "sectors(\"A#\", 'ld') == 1");
  EXPECT_EQ(claims[1].line, 20);
  const Ask& ask = *lesson.stops[1].find<Ask>();
  ASSERT_THAT(ask.choices, SizeIs(3));
  EXPECT_EQ(ask.choices[0].wrong, "Too few.");
  EXPECT_EQ(ask.choices[2].number, 10);
  EXPECT_EQ(ask.choices[2].wrong, "Too many.");
  EXPECT_EQ(ask.answer_line, 30);
  EXPECT_EQ(lesson.stops[1].find<Try>()->best.text(), "TILE");
}

TEST(Lesson, ReadsTextAsSpansListsAndTables) {
  EXPECT_THAT(parse_spans("a **b `c*` d** *e* `**f**` 2 * 3 * 4, a*b*c \\*g\\*"),
              ElementsAre(Span{"a "}, Span{"b ", Style::bold}, Span{"c*", Style::code},
                          Span{" d", Style::bold}, Span{" "}, Span{"e", Style::italic}, Span{" "},
                          Span{"**f**", Style::code}, Span{" 2 * 3 * 4, a*b*c *g*"}));
  const Parsed parsed = parse(
      kFront + "## H\nText:\n\n- one\n  goes on\n- **two**\n\n| a | b \\| c |\n|---|:-:|\n| 1 | `x|y` |\n",
      "x.md");
  ASSERT_TRUE(parsed.is_fine()) << lines_of(parsed);
  const auto& blocks = parsed.lesson.stops[0].find<Prose>()->blocks;
  ASSERT_THAT(blocks, SizeIs(3));
  const auto& list = std::get<List>(blocks[1]);
  ASSERT_THAT(list.items, SizeIs(2));
  EXPECT_EQ(plain_text(list.items[0]), "one goes on");
  const auto& table = std::get<Table>(blocks[2]);
  ASSERT_THAT(table.rows, SizeIs(2));
  EXPECT_EQ(plain_text(table.rows[0][1]), "b | c");
  EXPECT_EQ(table.rows[1][1], Spans({{"x|y", Style::code}}));
}

struct Mistake {
  std::string text;  // behind the front matter, which has 5 lines
  std::string said;
};

TEST(Lesson, SaysEachMistakeWithItsLine) {
  const std::string stop = "## H\nText.\n";
  const Mistake mistakes[] = {
      {"", "x.md: the lesson has no stops"},
      {"Text.\n" + stop, "x.md:6: there is text before the first stop"},
      {"## H\n```claim\ntrue\n```\n", "x.md:6: the stop 'H' has no text"},
      {"##  \nText.\n", "x.md:6: this stop has no heading"},
      {stop + "```clam\n```\n", "x.md:8: unknown block 'clam'; did you mean claim?"},
      {stop + "```\ncode\n```\n",
       "x.md:8: this block has no name; choose state, ask, claim, try, write, teach or stage"},
      {stop + "```claim\ntrue\n", "x.md:8: the block 'claim' has no end"},
      {stop + "```claim\n# nothing\n```\n", "this block claims nothing"},
      {stop + "```claim\ntrue\n\nsector('A')\n```\n",
       "x.md:11: there is no sector(), at character 1; did you mean sectors?"},
      {stop + "```state\nsize = 1\n```\n```state\nsize = 2\n```\n",
       "x.md:11: this stop has a second block 'state'"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1]\nanswer = 1\n```\n",
       "x.md:10: choices are no list of 2 to 9"},
      {stop + "```ask\nquestion = \"Q\"\nanswer = 1\n```\n",
       "x.md:9: choices is missing; add choices = [1, 4, 16], or type"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1, 1]\nanswer = 1\n```\n",
       "the choice '1' is there twice"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1, 2]\nanswr = 1\n```\n",
       "x.md:11: unknown key 'answr'; did you mean answer?"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1, 2]\n```\n", "answer is missing"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1, 2]\nanswer = \"1 +\"\n```\n",
       "x.md:11: the expression ends too early"},
      {stop + "```ask\nquestion = \"Q\"\nchoices = [1, 2]\nanswer = 1\nwrong = { 3 = \"No.\" }\n```\n",
       "'3' is no choice of this question"},
      {stop + "```ask\nquestion = \"Q\n```\n", "x.md:9: "},
      {stop + "```try\ntask = \"T\"\n```\n", "goal is missing"},
      {stop + "### Deeper\n", "x.md:8: a lesson's text has no heading that opens no stop"},
      {stop + "1. one\n2. two\n", "x.md:8: a lesson's text has no numbered list"},
      {stop + "![a](b.png)\n", "x.md:8: a lesson's text has no image; show a state instead"},
      {stop + "\n| a | b |\n|--|--|\n| 1 |\n", "x.md:11: this row has 1 cells, the heading 2"},
      {stop + "A bell \a.\n", "x.md:8: there is a control character, number 7; remove it"},
      {stop + "Broken \xff\xfe.\n", "x.md:8: this is no UTF-8; save the file as UTF-8"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(lines_of(parse(kFront + mistake.text, "x.md")), HasSubstr(mistake.said)) << mistake.text;
}

TEST(Lesson, SaysMistakesOfTheFrontMatter) {
  const std::string stop = "## H\nText.\n";
  EXPECT_THAT(lines_of(parse(stop, "x.md")),
              HasSubstr("x.md:1: the lesson has no front matter; begin it with title"));
  EXPECT_THAT(lines_of(parse("+++\ntitle = \"T\"\n" + stop, "x.md")),
              HasSubstr("x.md:1: the front matter has no end"));
  const std::string three = lines_of(parse("+++\ntitel = \"T\"\nminutes = \"5\"\n+++\n" + stop, "x.md"));
  EXPECT_THAT(three, HasSubstr("x.md:2: summary is missing; add summary = \"...\""));
  EXPECT_THAT(three, HasSubstr("x.md:2: unknown key 'titel'; did you mean title?"));
  EXPECT_THAT(three, HasSubstr("x.md:3: minutes is no number from 1 to 600"));
  EXPECT_EQ(std::count(three.begin(), three.end(), '\n'), 3) << three;  // title is only mistyped
}

// Where nothing is as in a lesson, its lines have not each a mistake of their own.
TEST(Lesson, SaysOnceThatAFileIsNoLesson) {
  const std::string begin = "begin it with title, summary and minutes between two lines '+++'";
  EXPECT_THAT(lines_of(parse("", "x.md")), StartsWith("x.md:1: the file is empty; " + begin));
  EXPECT_THAT(lines_of(parse(" \n\n\t\n", "x.md")), StartsWith("x.md:1: the file is empty; "));
  const std::string bytes(
      "\x7f"
      "ELF\n\n\0\0\1\n\xff\xfe\n\x90\x90 +++ \n",
      21);
  for (const std::string& text :
       {std::string(), std::string("\n \n"), bytes, bytes + bytes, "\n\n" + bytes,
        std::string("Text.\n\n- and\n- a list\n"), std::string("+++\ntitle = \"T\"\n")})
    EXPECT_THAT(parse(text, "x.md").errors, SizeIs(1)) << lines_of(parse(text, "x.md"));
  EXPECT_THAT(lines_of(parse("\n\n" + bytes, "x.md")), StartsWith("x.md:3: this is no text; name"));
  // The remedy is one for the whole file.
  EXPECT_EQ(lines_of(parse(std::string(kFront) + "## H\nCaf\xe9.\nTh\xe9.\n", "x.md")),
            "x.md:7: this is no UTF-8; save the file as UTF-8\n");
  EXPECT_THAT(lines_of(parse("Text.\n", "x.md")),
              StartsWith("x.md:1: the file has neither front matter nor stops; " + begin));
}

TEST(Lesson, KeepsWhatCanBeReadAndTellsTwentyMistakes) {
  std::string text = kFront;
  for (int stop = 0; stop < 30; ++stop) text += "## H\n```nonsense\n```\nText.\n";
  const Parsed parsed = parse(text, "x.md");
  EXPECT_THAT(parsed.errors, SizeIs(kMostErrors));
  EXPECT_THAT(parsed.lesson.stops, SizeIs(30));
}

TEST(Lesson, RefusesWhatIsTooLargeInOneLine) {
  const Parsed parsed = parse(kFront + "## H\n" + std::string(10 << 20, 'a'), "x.md");
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_THAT(to_line(parsed.errors[0]), HasSubstr("x.md: the lesson has 10,485,"));
  const TestFolder folder;
  const auto file = folder.write("big.md", std::string(40 << 20, '\n'));
  EXPECT_THAT(lines_of(read(file)), HasSubstr("and 1,048,576 are the most; divide it"));
  EXPECT_THAT(lines_of(read(folder / "none.md")), HasSubstr("none.md"));
}

// Text that a careless reader would look through again and again.
TEST(Lesson, ReadsAMegabyteOfAnythingInAMoment) {
  for (const char* piece : {"*a ", "**a *b ", "`", "\\", "|", "| a ", "- *", "## H\n", "```state\n",
                            "```claim\n(\n```\n", "\x01\n", "\xff"}) {
    std::string text = kFront + "## H\nText.\n";
    while (text.size() < (1 << 20) - 64) text += piece;
    const Parsed parsed = parse(text, "x.md");
    EXPECT_LE(parsed.errors.size(), kMostErrors) << piece;
    EXPECT_LE(parsed.lesson.stops.size(), kMostStops) << piece;
  }
}

TEST(Lesson, ReadsWindowsLineEnds) {
  std::string text = kFront + "## H\nText.\n```claim\ntrue\n```\n";
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  const Parsed parsed = parse("\xef\xbb\xbf" + text, "x.md");
  EXPECT_TRUE(parsed.is_fine()) << lines_of(parsed);
  EXPECT_EQ(parsed.lesson.stops.at(0).heading, "H");
}

Ask ask_of(std::vector<std::string> choices) {
  Ask ask;
  for (std::string& text : choices) ask.choices.push_back({text, number_in(text), "no: " + text});
  return ask;
}
std::string right_of(const Ask& ask, const Value& answer) {
  const auto right = right_choice(ask, answer);
  return right ? ask.choices[*right].text : to_line(right.error());
}

TEST(Grade, FindsNumbersInWords) {
  EXPECT_EQ(number_in("10 times"), 10);
  EXPECT_EQ(number_in("not at all"), 1);
  EXPECT_EQ(number_in("none"), 0);
  EXPECT_EQ(number_in("about 1,024 bytes, or 4"), 1024);
  EXPECT_EQ(number_in("1.5 ms"), 1.5);
  EXPECT_EQ(number_in("-3 dB"), -3);
  EXPECT_EQ(number_in("much"), std::nullopt);
}

TEST(Grade, ChoosesTheNearestOnALogScale) {
  const Ask times = ask_of({"not at all", "2 times", "10 times", "32 times"});
  EXPECT_EQ(right_of(times, 9.6), "10 times");
  EXPECT_EQ(right_of(times, 1.02), "not at all");
  EXPECT_THAT(right_of(times, 5.0),
              HasSubstr("the answer is 5, and no choice is within 40 % of it; the nearest is"));
  EXPECT_THAT(right_of(ask_of({"3 times", "3 more"}), 3.0), HasSubstr("are as near to it"));
  EXPECT_EQ(right_of(ask_of({"none", "1", "2"}), 0.0), "none");
  EXPECT_THAT(right_of(ask_of({"few", "many"}), 3.0), HasSubstr("no choice has a number"));
}

TEST(Grade, ChoosesTextsAndTruths) {
  EXPECT_EQ(right_of(ask_of({"warps", "Shared"}), std::string("shared")), "Shared");
  EXPECT_THAT(right_of(ask_of({"warps", "shared"}), std::string("blocks")), HasSubstr("which is no choice"));
  EXPECT_EQ(right_of(ask_of({"Yes, always", "No"}), 1.0), "Yes, always");
  EXPECT_EQ(right_of(ask_of({"yes", "no"}), 0.0), "no");
  EXPECT_EQ(right_of(ask_of({"1", "4"}), 1.0), "1");
}

TEST(Grade, SaysAnAnswerInTheWordsOfItsChoice) {
  const auto words = [](const Ask& ask, const Value& answer) {
    return answer_words(ask, answer, *right_choice(ask, answer));
  };
  EXPECT_EQ(words(ask_of({"1 %", "10 %"}), 0.9661), "1 % (computed: 0.966)");
  EXPECT_EQ(words(ask_of({"1,074", "4,438"}), 4438.0), "4,438");
  EXPECT_EQ(words(ask_of({"1,074", "4,438"}), 4437.9), "4,438");
  EXPECT_EQ(words(ask_of({"1,074", "4,400"}), 4437.9), "4,400 (computed: 4,438)");
  EXPECT_EQ(words(ask_of({"3 times", "10 times"}), 10.03), "10 times");
  EXPECT_EQ(words(ask_of({"yes", "no"}), 0.0), "no");
  EXPECT_EQ(words(ask_of({"warps", "shared"}), std::string("shared")), "shared");
  EXPECT_EQ(answer_words(Ask{}, 4438.0, {}), "4,438");
}

// Where answers are numbers a digit is one of them and no place in the list.
TEST(Grade, TakesADigitForTheChoiceThatReadsSo) {
  const Ask numbers = ask_of({"1", "4", "16", "32"}), times = ask_of({"not at all", "2 times", "10 times"}),
            words = ask_of({"full", "empty", "none"});
  EXPECT_EQ(choice_of_digit(numbers, 4), 1u);
  EXPECT_EQ(choice_of_digit(numbers, 1), 0u);
  EXPECT_FALSE(choice_of_digit(numbers, 3));
  EXPECT_EQ(choice_of_digit(times, 2), 1u);
  EXPECT_FALSE(choice_of_digit(times, 1)) << "that is what \"not at all\" counts as, and not what it reads";
  EXPECT_EQ(choice_of_digit(words, 1), 0u);
  EXPECT_EQ(choice_of_digit(words, 3), 2u);
  EXPECT_FALSE(choice_of_digit(words, 4));
  EXPECT_FALSE(choice_of_digit(words, 0));
  EXPECT_EQ(letter_of(2), 'C');
}

TEST(Lesson, HasAPointForTheStage) {
  const Parsed parsed =
      parse(kFront + "\n## One\n\nText.\n\n```stage\nThe point,\nin two lines.\n```\n", "x.md");
  ASSERT_TRUE(parsed.is_fine()) << lines_of(parsed);
  const auto* point = parsed.lesson.stops.front().find<OnStage>();
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(point->text, "The point, in two lines.");
  EXPECT_FALSE(parse(kFront + "\n## One\n\nText.\n\n```stage\n```\n", "x.md").is_fine());
}

TEST(Grade, GivesTheReasonOfAWrongChoice) {
  const Ask ask = ask_of({"1", "4"});
  EXPECT_TRUE(grade(ask, 4.0, 1)->right);
  EXPECT_FALSE(grade(ask, 4.0, 0)->right);
  EXPECT_EQ(grade(ask, 4.0, 0)->reason, "no: 1");
  Ask typed;
  EXPECT_TRUE(grade_number(typed, 100.0, 104)->right);
  EXPECT_FALSE(grade_number(typed, 100.0, 106)->right);
  typed.tolerance = 0;
  EXPECT_TRUE(grade_number(typed, 0.1 + 0.2, 0.3)->right);
  EXPECT_FALSE(grade_number(typed, 100.0, 101)->right);
}

}  // namespace
}  // namespace warplens::lesson
