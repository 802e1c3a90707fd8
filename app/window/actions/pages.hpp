// The table of the window's pages. A page is a folder beside this file and a row in pages.cpp; its name in
// states is a row of app/state.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/page.hpp"

namespace warplens::app {

class LiveEngine;
class Pages;

// What pages are made with; all of it outlives them.
struct PageParts {
  Model& model;
  PerformanceData& performance;
  ScenePainter& painter;
  std::shared_ptr<LiveEngine> live;  // who makes live runs
  std::function<void()> wake = {};   // called from workers when there is something to draw
};

struct PageRow {
  // The place of its button in the top bar; the menu File has those without one. All other pages lead back to the page that has none.
  enum class Place { none, right, beside_run };
  std::string_view id;      // of its button, and of its action
  std::string_view action;  // what its key does, in menus, palette and docs/keyboard.md; empty: no action
  compat::Key key;
  std::string_view button, tip;
  double width;  // of the button, design pixels
  Place place;
  // made: the pages of the rows above.
  std::unique_ptr<WindowPage> (*make)(const PageParts& parts, const Pages& made);
};
std::span<const PageRow> page_rows();

// All pages of one window, in the order of the rows.
class Pages {
 public:
  explicit Pages(const PageParts& parts);
  std::span<const std::unique_ptr<WindowPage>> all() const { return pages_; }
  // The one of this type. Precondition: there is one.
  template <class P>
  P& get() const {
    for (const auto& page : pages_)
      if (auto* const found = dynamic_cast<P*>(page.get())) return *found;
    std::abort();
  }

 private:
  std::vector<std::unique_ptr<WindowPage>> pages_;
};

}  // namespace warplens::app
