#include "viz/scene/morph.hpp"

#include <gtest/gtest.h>

namespace warplens::scene {
namespace {

const Rect kLeft{0, 0, 10, 10}, kRight{100, 0, 10, 30};

Scene with(std::initializer_list<Item> items) {
  Scene scene{{200, 100}};
  scene.root.items = items;
  return scene;
}
Item box(const std::string& id, const Rect& rect, Color color = Token::accent) {
  return {RectShape{rect, 0, {.fill = color}}, id};
}
template <class Shape>
const Shape& shape(const Scene& scene, std::size_t i = 0) {
  return std::get<Shape>(scene.root.items.at(i).shape);
}

TEST(Morph, MovesWhatHasTheSameId) {
  const Morph morph(with({box("lane:0", kLeft)}), with({box("lane:0", kRight)}));
  EXPECT_EQ(shape<RectShape>(morph.at(0)).rect, kLeft);
  EXPECT_EQ(shape<RectShape>(morph.at(0.5)).rect, (Rect{50, 0, 10, 20}));
  EXPECT_EQ(morph.at(0.5).root.items.at(0).id, "lane:0");
  EXPECT_EQ(shape<RectShape>(morph.at(1)).rect, kRight);
}

TEST(Morph, FadesWhatOnlyOneHas) {
  const Morph morph(with({box("lane:1", kLeft)}), with({box("sector:2", kRight)}));
  const Scene middle = morph.at(0.25);
  ASSERT_EQ(middle.root.items.size(), 2u);
  EXPECT_EQ(middle.root.items[0].id, "") << "what goes is nothing to point at";
  EXPECT_DOUBLE_EQ(shape<RectShape>(middle, 0).style.fill->alpha, 0.75);
  EXPECT_EQ(middle.root.items[1].id, "sector:2");
  EXPECT_DOUBLE_EQ(shape<RectShape>(middle, 1).style.fill->alpha, 0.25);
  EXPECT_EQ(morph.at(1).root.items.size(), 1u);
}

// Sectors of other addresses: two go to the place of one, and come out of one again.
TEST(Morph, FoldsManyIntoFew) {
  const Rect above{0, 0, 10, 10}, below{0, 50, 10, 10};
  const Scene two = with({box("sector:8", above), box("sector:9", below)}),
              one = with({box("sector:100", kRight)});
  const Scene folding = Morph(two, one).at(0.5);
  ASSERT_EQ(folding.root.items.size(), 2u);
  EXPECT_EQ(shape<RectShape>(folding, 0).rect, (Rect{50, 25, 10, 20})) << "the second, on its way out";
  EXPECT_EQ(shape<RectShape>(folding, 0).style.fill->alpha, 0.5);
  EXPECT_EQ(folding.root.items[0].id, "");
  EXPECT_EQ(folding.root.items[1].id, "sector:100");
  EXPECT_EQ(shape<RectShape>(folding, 1).style.fill->alpha, 1);
  const Scene unfolding = Morph(one, two).at(0.5);
  ASSERT_EQ(unfolding.root.items.size(), 2u);
  EXPECT_EQ(unfolding.root.items[1].id, "sector:9");
  EXPECT_EQ(shape<RectShape>(unfolding, 1).rect, (Rect{50, 25, 10, 20}));
  EXPECT_EQ(shape<RectShape>(unfolding, 1).style.fill->alpha, 0.5);
}

// Two tokens are no colour together: the second is laid over the first.
TEST(Morph, MixesColours) {
  const Morph morph(with({box("bank:3", kLeft, Token::good)}), with({box("bank:3", kLeft, Token::costly)}));
  const Scene middle = morph.at(0.5);
  ASSERT_EQ(middle.root.items.size(), 2u);
  EXPECT_EQ(*shape<RectShape>(middle, 0).style.fill, Color{Token::good});
  EXPECT_EQ(*shape<RectShape>(middle, 1).style.fill, (Color{Token::costly, 0.5}));
}

TEST(Morph, MovesInsideGroups) {
  Group a, b;
  a.origin = {0, 0}, b.origin = {20, 0};
  a.line({0, 0}, {0, 10}, {Token::text, 1});
  a.items[0].id = "way", b = a, b.origin = {20, 0};
  std::get<LineShape>(b.items[0].shape).to = {40, 10};
  const Morph morph(with({{std::move(a), "step"}}), with({{std::move(b), "step"}}));
  const Scene middle = morph.at(0.5);
  const auto& group = shape<Group>(middle);
  EXPECT_EQ(group.origin, (Point{10, 0}));
  EXPECT_EQ(std::get<LineShape>(group.items[0].shape).to, (Point{20, 10}));
}

TEST(Morph, CountsNumbersAtTheirPlace) {
  const auto text = [](const std::string& words) { return Item{TextShape{{5, 5}, words, {}}}; };
  const Morph morph(with({text("32 sectors, ideal 4")}), with({text("4 sectors, ideal 4")}));
  EXPECT_EQ(shape<TextShape>(morph.at(0.5)).text, "18 sectors, ideal 4");
  const Morph one(with({text("32 sectors, ideal 4")}), with({text("2 sectors, ideal 2")}));
  EXPECT_EQ(shape<TextShape>(one.at(0.5)).text, "17 sectors, ideal 3");
}

// One over the other they could not be read.
TEST(Morph, ChangesWordsAtOnce) {
  const auto text = [](Point at, const std::string& words, Color color = Token::text) {
    return Item{TextShape{at, words, {.color = color}}};
  };
  const Morph other(with({text({5, 5}, "costly")}), with({text({5, 5}, "good")}));
  for (const double share : {0.1, 0.5, 0.9}) {
    ASSERT_EQ(other.at(share).root.items.size(), 1u);
    EXPECT_EQ(shape<TextShape>(other.at(share)).text, "good");
    EXPECT_EQ(shape<TextShape>(other.at(share)).style.color, Color{Token::text});
  }
  const Morph moved(with({text({5, 5}, "2,048 bytes apart")}), with({text({90, 60}, "2,048 bytes apart")}));
  EXPECT_EQ(shape<TextShape>(moved.at(0.5)).at, (Point{90, 60})) << "words do not fly through the picture";
  const Morph gone(with({text({5, 5}, "costly")}), with({}));
  EXPECT_TRUE(gone.at(0.1).root.items.empty());
  const Morph coloured(with({text({5, 5}, "32 sectors", Token::costly)}),
                       with({text({5, 5}, "4 sectors", Token::good)}));
  const Scene middle = coloured.at(0.5);
  ASSERT_EQ(middle.root.items.size(), 2u) << "the same words, one colour over the other";
  EXPECT_EQ(shape<TextShape>(middle, 0).text, "18 sectors");
  EXPECT_EQ(shape<TextShape>(middle, 1).text, "18 sectors");
}

// What is on its way passes below the words, also below those of groups that are drawn before it.
TEST(Morph, NothingPassesOverWords) {
  const auto scene = [](const Rect& mark) {
    Group card;
    card.origin = {20, 10};
    card.rect({0, 0, 60, 20}, {.fill = Color{Token::panel}});
    card.text({5, 15}, "words of a card", {});
    return with({{std::move(card), "card"}, box("mark", mark)});
  };
  const Scene middle = Morph(scene(kLeft), scene(kRight)).at(0.5);
  ASSERT_EQ(middle.root.items.size(), 3u);
  EXPECT_EQ(middle.root.items[0].id, "card");
  EXPECT_EQ(middle.root.items[1].id, "mark");
  const auto& words = shape<Group>(middle, 2);
  EXPECT_EQ(words.origin, (Point{20, 10}));
  EXPECT_EQ(std::get<TextShape>(words.items.at(0).shape).text, "words of a card");
}

// The marks of a lane, which have no ids: one becomes two, and two one.
TEST(Morph, FoldsTheRectanglesOfANamedGroup) {
  const auto row = [](std::initializer_list<Rect> marks) {
    Group group;
    for (const Rect& mark : marks) group.rect(mark, {.fill = Color{Token::accent}});
    return Item{std::move(group), "lane:3"};
  };
  const Rect first{0, 0, 10, 10}, second{20, 0, 10, 10}, only{100, 0, 10, 10};
  const Morph morph(with({row({first, second})}), with({row({only})}));
  const Scene middle = morph.at(0.5);
  const auto& marks = shape<Group>(middle).items;
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(std::get<RectShape>(marks[0].shape).rect.x, 60);
  EXPECT_EQ(std::get<RectShape>(marks[1].shape).rect.x, 50);
}

TEST(Morph, CountsInTheFormOfTheNumbers) {
  EXPECT_EQ(counted_text("1,024 B", "3,072 B", 0.5), "2,048 B");
  EXPECT_EQ(counted_text("999 B", "1,999 B", 1), "1,999 B");
  EXPECT_EQ(counted_text("12.5 %", "100 %", 0.5), "56 %");
  EXPECT_EQ(counted_text("0.25", "0.75", 0.5), "0.50");
  EXPECT_EQ(counted_text("rows 0-31, columns 0", "rows 32-63, columns 0", 0.5), "rows 16-47, columns 0");
  EXPECT_FALSE(counts_to("3 sectors", "3 wavefronts"));
}

TEST(Tween, GoesFromWhatIsShown) {
  Tween tween;
  tween.show(with({box("a", kLeft)}), 10, kWithinKernel);
  EXPECT_FALSE(tween.is_moving(10)) << "the first picture comes from nowhere";
  tween.show(with({box("a", kRight)}), 10, 1);
  EXPECT_TRUE(tween.is_moving(10.5));
  EXPECT_EQ(shape<RectShape>(tween.at(10.5)).rect.x, 50);
  tween.show(with({box("a", kLeft)}), 10.5, 1);  // back again, before it was there
  EXPECT_EQ(shape<RectShape>(tween.at(10.5)).rect.x, 50);
  EXPECT_FALSE(tween.is_moving(11.5));
  EXPECT_EQ(shape<RectShape>(tween.at(11.5)).rect, kLeft);
}

// Accesses that are played faster than they move.
TEST(Tween, KeepsNoRestOfPicturesThatCameTooEarly) {
  Tween tween;
  tween.show(with({box("a:1", kLeft), {TextShape{{5, 5}, "one", {}}}}), 0, 0);
  for (int i = 1; i < 50; ++i) {
    const double now = 0.1 * i;
    const std::string id = std::string(i % 2 == 0 ? "a:" : "b:") + std::to_string(i);
    tween.show(with({box(id, i % 2 == 0 ? kLeft : kRight, i % 2 == 0 ? Token::good : Token::costly),
                     {TextShape{{5, 5}, i % 2 == 0 ? "one" : "two", {}}}}),
               now, 1);
    EXPECT_LE(tween.at(now + 0.05).root.items.size(), 4u) << i;
  }
}

TEST(Tween, OfAnotherSizeIsThereAtOnce) {
  Tween tween;
  tween.show(with({box("a", kLeft)}), 0, 0);
  Scene larger{{400, 100}};
  tween.show(larger, 1, 1);
  EXPECT_FALSE(tween.is_moving(1.1));
  tween.show(with({box("a", kRight)}), 2, 0);
  EXPECT_FALSE(tween.is_moving(2)) << "no motion is wanted";
}

TEST(Tween, StartsAndEndsAtRest) {
  EXPECT_EQ(eased(0), 0);
  EXPECT_EQ(eased(0.5), 0.5);
  EXPECT_EQ(eased(1), 1);
  EXPECT_LT(eased(0.1), 0.05);
}

}  // namespace
}  // namespace warplens::scene
