// One page of the window: what fills it below the top bar, and what keys, menus, palette, transport, copying
// and saving do while it is open. A page owns what it shows; what can be chosen is in the state. The table of
// all pages is in app/window/actions/pages.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/kit/ui.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

struct FigureSnapshot;

// What the palette offers.
struct Command {
  std::string title, group, keys;
  std::function<void(const Ui&)> act;
  std::string words = {};  // by which it is found too
};

// How the page's button in the top bar looks.
struct PageButton {
  bool chosen = false, primary = false, enabled = true;
  std::string tip = {};  // empty: that of the table
};

// What a stage says about the picture.
struct StageWords {
  std::string place = {};         // small, above: "Matmul, step 3: Shared-memory tiling"
  std::string headline = {};      // what it costs
  std::string question = {};      // instead, while the picture is hidden
  std::string sentence = {};      // below: why
  std::size_t at = 0, count = 1;  // which of the steps it is
  std::size_t chosen = 0;         // the one whose picture comes, where it is not there yet; else the same
};

class WindowPage {
 public:
  // page: what states call it; nothing for a page that is a tab of the ladder's.
  explicit WindowPage(std::optional<Page> page) : page_(page) {}
  virtual ~WindowPage() = default;
  WindowPage(const WindowPage&) = delete;
  WindowPage& operator=(const WindowPage&) = delete;

  bool is_open(const View& view) const { return page_ == view.page; }
  // Opens it, or goes back to the ladder where it is open.
  virtual void toggle(const Ui& ui);
  virtual PageButton button(const Ui& ui) const { return {.chosen = is_open(ui.state().view)}; }

  // Once a frame, before anything is drawn, open or not.
  virtual void update() {}
  virtual void draw(const Ui& ui, const Rect& rect) = 0;
  // The picture alone, as large as the room allows, for a stage.
  virtual void draw_for_a_class(const Ui& ui, const Rect& rect) { draw(ui, rect); }
  virtual StageWords stage_words(const Ui&) const { return {.headline = "Warplens"}; }
  // Beside it, where the teacher asks for them.
  virtual bool has_sliders() const { return false; }
  virtual void draw_sliders(const Ui&, const Rect&) {}

  // What is copied and saved; empty if nothing is shown yet.
  virtual std::optional<scene::Scene> scene() const = 0;
  virtual FigureSnapshot snapshot() const = 0;                  // the same, with what films and tables are of
  virtual std::optional<std::string> numbers() const = 0;       // a table: columns by tabs
  virtual std::string file_name(const Model& model) const = 0;  // without an ending
  // The page as text, for who does not see it: headline, reason, share, speed, limit; a line each.
  virtual std::string words(const Ui& ui) const;

  // Time: accesses that follow each other, of one warp of one block.
  virtual bool plays() const { return true; }
  virtual bool is_at_end() const { return true; }
  virtual void move_access(std::ptrdiff_t) {}
  virtual void play(std::ptrdiff_t by) { move_access(by); }  // by so many pictures
  virtual void go_to_end(bool) {}                            // true: of the last access; false: of the first
  virtual void move_warp(int) {}
  virtual void move_block(int) {}
  virtual void choose_step(std::ptrdiff_t away) = 0;  // of the ladder, or what else comes next here

  // Runs of kernels.
  virtual bool has_runs() const { return true; }  // whether sizes and Run mean something here
  virtual void run_again() {}
  virtual bool cancel() { return false; }  // what somebody waits for; false: there is nothing
  virtual bool is_busy() const { return false; }
  virtual bool is_moving() const { return false; }  // by itself, so that frames must follow each other

  // A text of its own, which has the keyboard; and which Ctrl+S saves. False: it has none, and the state is
  // saved.
  virtual bool is_typing() const { return false; }
  virtual bool save(const Ui&) { return false; }
  virtual std::optional<std::string> text() const { return std::nullopt; }
  virtual void put_text(std::string_view) {}     // instead of it; can be undone
  virtual void keep_passed(std::string_view) {}  // the right answer of an exercise, if this is its text still
  virtual std::string unsaved() const { return ""; }  // of what was typed here, now or before, in words
  virtual Page page_behind() const { return Page::ladder; }  // that is shown when it is closed

  // What can be varied of a launch of this page's program, drawn on the page that shows it. Returns where it ends.
  virtual double draw_values(const Ui&, const Rect& rect) { return rect.y; }

  virtual void swap_values() {}  // of sliders: back to those that were set before, and forth again

  // Figures, by their ids. Where a page has none of its own, the ladder shows them.
  virtual std::string_view figure(const View& view) const { return view.figure; }
  virtual bool shows_figure(std::string_view) const { return true; }
  virtual void open_figure(const Ui& ui, std::string_view id);

  // For the palette: while it is open, and at any time.
  virtual void add_commands(const Ui& ui, std::vector<Command>& list);
  virtual void add_lasting_commands(std::vector<Command>&) const {}

 private:
  std::optional<Page> page_;
};

// The one that is open; the first where none is.
WindowPage& open_page(std::span<const std::unique_ptr<WindowPage>> pages, const View& view);

// The parameters of sliders as commands. before: of the titles. set: takes the window, the parameter's name
// and its value.
using SetParameter = std::function<void(const Ui&, const std::string&, std::int64_t)>;
void add_parameters(const std::vector<Slider>& sliders, const std::string& before, const char* group,
                    const SetParameter& set, std::vector<Command>& list);

// Moved by so much, and no further than to the ends; true where it is another one then.
template <class Number>
bool move_within(Number& value, std::int64_t by, std::uint64_t count) {
  const auto now = static_cast<std::int64_t>(value), last = static_cast<std::int64_t>(count) - 1;
  const std::int64_t next = now + by < 0 ? 0 : now + by > last ? last : now + by;
  value = static_cast<Number>(next);
  return next != now;
}

}  // namespace warplens::app
