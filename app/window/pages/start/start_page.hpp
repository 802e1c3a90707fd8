// Where a newcomer begins: the lessons, the ladders, and the words that the pictures use.
#pragma once

#include "app/window/kit/page.hpp"

namespace warplens::app {

class StartPage : public WindowPage {
 public:
  StartPage() : WindowPage(Page::start) {}

  void draw(const Ui& ui, const Rect& rect) override;
  void draw_for_a_class(const Ui& ui, const Rect& rect) override;
  StageWords stage_words(const Ui&) const override { return {.headline = "Where to start"}; }
  std::optional<scene::Scene> scene() const override { return std::nullopt; }
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override { return std::nullopt; }
  std::string file_name(const Model&) const override { return "start"; }
  bool plays() const override { return false; }
  bool has_runs() const override { return false; }
  bool shows_figure(std::string_view) const override { return false; }
  void choose_step(std::ptrdiff_t) override {}
};

}  // namespace warplens::app
