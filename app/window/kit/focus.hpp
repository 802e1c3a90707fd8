// What the keyboard would click: Tab goes from one thing on screen to the next, Enter clicks it. Everything that can
// be clicked offers itself once a frame, in the order in which it is drawn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::app {

class Focus {
 public:
  // Before anything is drawn. clicks: what it is on is clicked in this frame. in_popup: only what popups offer counts.
  void begin_frame(bool clicks, bool in_popup);
  void move(
      std::ptrdiff_t by);  // to the next thing (1) or the previous one (-1), of those of the frame before
  // As soon as a thing of this name is on screen the keyboard is on it, until somebody clicks elsewhere.
  void expect(std::string name) { name_ = expected_ = std::move(name); }
  // A thing of this name. True where the keyboard clicks it now.
  bool offers(std::string_view name, bool is_in_popup);
  bool is_on(std::string_view name) const { return !name_.empty() && name == name_; }
  const std::string& name() const { return name_; }  // empty: on nothing
  bool has_moved() const { return has_moved_; }      // in this frame
  void clear() { name_.clear(), expected_.clear(); }

 private:
  std::string name_, expected_;            // expected_: what was not on screen yet
  std::vector<std::string> before_, now_;  // what was offered in the frame before, and in this one
  bool in_popup_ = false, clicks_ = false, has_moved_ = false;
};

}  // namespace warplens::app
