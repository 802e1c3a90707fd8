#include "app/window/kit/focus.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

struct Frame {
  std::ptrdiff_t move = 0;
  bool clicks = false, popup = false;
};
// A frame that offers these; which of them was clicked.
std::string show(Focus& focus, const Frame& frame, const std::vector<std::string>& things) {
  focus.begin_frame(frame.clicks, frame.popup);
  if (frame.move != 0) focus.move(frame.move);
  std::string clicked;
  for (const std::string& thing : things)
    if (focus.offers(thing, frame.popup)) clicked = thing;
  return clicked;
}

TEST(Focus, GoesFromThingToThingAndRound) {
  Focus focus;
  const std::vector<std::string> things = {"a", "b", "c"};
  show(focus, {}, things);
  EXPECT_EQ(focus.name(), "");
  for (const char* next : {"a", "b", "c", "a"}) {
    show(focus, {.move = 1}, things);
    EXPECT_EQ(focus.name(), next);
  }
  show(focus, {.move = -1}, things);
  EXPECT_EQ(focus.name(), "c");
  focus.clear();
  show(focus, {.move = -1}, things);
  EXPECT_EQ(focus.name(), "c");
}

TEST(Focus, ClicksOnce) {
  Focus focus;
  show(focus, {}, {"a", "b"});
  EXPECT_EQ(show(focus, {.clicks = true}, {"a", "b"}), "") << "it is on nothing";
  show(focus, {.move = 1}, {"a", "b"});
  EXPECT_EQ(show(focus, {.clicks = true}, {"a", "b"}), "a");
  EXPECT_EQ(show(focus, {}, {"a", "b"}), "");
}

TEST(Focus, LeavesWhatIsNotThereAnyMore) {
  Focus focus;
  show(focus, {}, {"a", "b"});
  show(focus, {.move = 1}, {"b"});
  EXPECT_EQ(focus.name(), "a");
  show(focus, {}, {"b"});
  EXPECT_EQ(focus.name(), "");
}

TEST(Focus, IsOfAnOpenPopupAlone) {
  Focus focus;
  show(focus, {}, {"a"});
  focus.begin_frame(false, true);
  focus.offers("a", false), focus.offers("save", true);
  show(focus, {.move = 1, .popup = true}, {"save"});
  EXPECT_EQ(focus.name(), "save");
}

}  // namespace
}  // namespace warplens::app
