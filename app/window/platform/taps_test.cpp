#include "app/window/platform/taps.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <string>

namespace warplens::app {
namespace {

// What somebody does: "+" and "-" before a key, a letter in quotes.
class Keyboard {
 public:
  void press(int key, int modifiers = 0) { taps_.add({key, 0, GLFW_PRESS, modifiers, 0}); }
  void let_go(int key, int modifiers = 0) { taps_.add({key, 0, GLFW_RELEASE, modifiers, 0}); }
  void tap(int key, int modifiers = 0) { press(key, modifiers), let_go(key, modifiers); }
  void type(char letter) {
    const int key = letter - 'a' + GLFW_KEY_A;
    press(key), taps_.add({0, 0, 0, 0, static_cast<unsigned>(letter)}), let_go(key);
  }
  // Of the next frame: "+257" for a key that is pressed.
  std::string frame() {
    std::string told;
    for (const Taps::Event& event : taps_.take())
      told += event.letter != 0
                  ? std::string(1, static_cast<char>(event.letter))
                  : (event.action == GLFW_RELEASE ? " -" : " +") + std::to_string(event.key) + " ";
    return told;
  }
  bool is_done() const { return taps_.is_empty(); }

 private:
  Taps taps_;
};

TEST(Taps, ATapBetweenTwoFramesIsDownForOneFrame) {
  Keyboard keys;
  keys.tap(GLFW_KEY_HOME);
  EXPECT_EQ(keys.frame(), " +268 ");
  EXPECT_FALSE(keys.is_done());
  EXPECT_EQ(keys.frame(), " -268 ");
  EXPECT_TRUE(keys.is_done());
}

TEST(Taps, AKeyThatWasDownInAFrameIsLetGoAtOnce) {
  Keyboard keys;
  keys.press(GLFW_KEY_HOME);
  EXPECT_EQ(keys.frame(), " +268 ");
  keys.let_go(GLFW_KEY_HOME);
  keys.press(GLFW_KEY_END);
  EXPECT_EQ(keys.frame(), " -268  +269 ");
  EXPECT_TRUE(keys.is_done());
}

// Ctrl is down for frames, Tab and its end come within one: Tab alone would be another key.
TEST(Taps, AModifierStaysDownWithWhatIsPressed) {
  Keyboard keys;
  keys.press(GLFW_KEY_LEFT_CONTROL);
  EXPECT_EQ(keys.frame(), " +341 ");
  keys.tap(GLFW_KEY_TAB, GLFW_MOD_CONTROL);
  keys.let_go(GLFW_KEY_LEFT_CONTROL);
  EXPECT_EQ(keys.frame(), " +258 ");
  EXPECT_EQ(keys.frame(), " -258  -341 ");
  EXPECT_TRUE(keys.is_done());
}

// Somebody who pages on quickly, or a slow frame.
TEST(Taps, EachOfManyTapsOfOneKeyHasAFrameOfItsOwn) {
  Keyboard keys;
  for (int i = 0; i < 6; ++i) keys.tap(GLFW_KEY_PAGE_UP);
  int pressed = 0;
  for (int i = 0; i < 20 && !keys.is_done(); ++i)
    pressed += keys.frame().find("+266") != std::string::npos ? 1 : 0;
  EXPECT_EQ(pressed, 6);
  EXPECT_TRUE(keys.is_done());
}

TEST(Taps, LettersComeTogetherButNotAcrossReturn) {
  Keyboard keys;
  keys.type('a'), keys.type('b'), keys.tap(GLFW_KEY_ENTER), keys.type('c');
  std::string letters;
  int frames = 0;
  for (; frames < 20 && !keys.is_done(); ++frames) {
    const std::string told = keys.frame();
    for (const char c : {'a', 'b', 'c'})
      if (told.find(c) != std::string::npos) letters += c;
    if (told.find("+257") != std::string::npos) letters += '\n';
  }
  EXPECT_EQ(letters, "ab\nc");
  EXPECT_LE(frames, 4);
}

TEST(Taps, AChordIsOneAndWhatFollowsIsNotPartOfIt) {
  Keyboard keys;
  keys.press(GLFW_KEY_LEFT_CONTROL);
  keys.tap(GLFW_KEY_S, GLFW_MOD_CONTROL);
  keys.let_go(GLFW_KEY_LEFT_CONTROL);
  keys.press(GLFW_KEY_T);
  EXPECT_EQ(keys.frame(), " +341  +83 ");
  EXPECT_EQ(keys.frame(), " -83  -341  +84 ");
  EXPECT_TRUE(keys.is_done());
}

}  // namespace
}  // namespace warplens::app
