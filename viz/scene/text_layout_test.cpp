#include "viz/scene/text_layout.hpp"

#include <gmock/gmock.h>

#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::scene {
namespace {

using testing::ElementsAre;

const FixedMeasure kTextMeasure;
const TextStyle kTen{.size = 10};  // 6 pixels a character

TEST(Place, AnchorsAndBaselines) {
  EXPECT_EQ(place({{100, 50}, "abcd", kTen}, kTextMeasure).baseline, (Point{100, 50}));
  TextStyle style = kTen;
  style.anchor = Anchor::end;
  style.baseline = Baseline::top;
  EXPECT_EQ(place({{100, 50}, "abcd", style}, kTextMeasure).baseline, (Point{76, 57.3}));
  style.anchor = Anchor::middle;
  style.baseline = Baseline::middle;
  const PlacedText placed = place({{100, 50}, "abcd", style}, kTextMeasure);
  EXPECT_EQ(placed.baseline, (Point{88, 53.65}));
  EXPECT_EQ(placed.box, (Rect{88, 53.65 - 9.5, 24, 12}));
}

TEST(Shortened, EndsInAnEllipsisAtAWholeCharacter) {
  EXPECT_EQ(shortened("abcdef", 36, kTen, kTextMeasure), "abcdef");
  EXPECT_EQ(shortened("abcdef", 35, kTen, kTextMeasure), "abcd…");
  EXPECT_EQ(shortened("äöüßé", 20, kTen, kTextMeasure), "äö…");
  EXPECT_EQ(shortened("ab cdef", 25, kTen, kTextMeasure), "ab…");
  EXPECT_EQ(shortened("abc", 2, kTen, kTextMeasure), "…");
}

TEST(Wrapped, BreaksAtSpacesAndKeepsLineBreaks) {
  EXPECT_THAT(wrapped("one two three", 48, kTen, kTextMeasure), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one\n\ntwo", 48, kTen, kTextMeasure), ElementsAre("one", "", "two"));
  EXPECT_THAT(wrapped("a incomprehensible b", 48, kTen, kTextMeasure), ElementsAre("a", "incompr…", "b"));
}

TEST(Wrapped, KeepsUnitsBesideTheirNumbers) {
  EXPECT_THAT(wrapped("it is 4 µs", 42, kTen, kTextMeasure), ElementsAre("it is", "4 µs"));
  EXPECT_THAT(wrapped("it is 4 or", 42, kTen, kTextMeasure), ElementsAre("it is 4", "or"));
  EXPECT_EQ(with_plain_spaces(with_units_kept("100 %, 3 GB/s and 5 more")), "100 %, 3 GB/s and 5 more");
  EXPECT_EQ(with_units_kept("100 %."), "100\u00a0%.");
}

TEST(Paragraph, IsAsHighAsItsLines) {
  Group group;
  EXPECT_EQ(add_paragraph(group, {0, 0}, "one two three", 48, kTen, kTextMeasure), 28);
  EXPECT_EQ(paragraph_height("one two three", 48, kTen, kTextMeasure), 28);
  ASSERT_EQ(group.items.size(), 2u);
  EXPECT_EQ(std::get<TextShape>(group.items[1].shape).at.y - std::get<TextShape>(group.items[0].shape).at.y,
            14);
}

TEST(Utf8, ReadsEveryLengthAndMendsWhatIsBroken) {
  EXPECT_EQ(first_code_point("é").value, 0xe9u);
  EXPECT_EQ(first_code_point("…").value, 0x2026u);
  EXPECT_EQ(first_code_point("😀").value, 0x1f600u);
  for (const std::string_view broken : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xe2\x28\xa1"}) {
    EXPECT_EQ(first_code_point(broken).value, 0xfffdu);
    EXPECT_EQ(first_code_point(broken).length, 1u);
  }
}

}  // namespace
}  // namespace warplens::scene
