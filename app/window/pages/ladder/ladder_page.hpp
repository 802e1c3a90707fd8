// One kernel of a ladder: its steps and sliders at the left, its figure with transport and numbers in the
// middle, its code at the right.
#pragma once

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/model/ladder_marks.hpp"
#include "app/window/pages/ladder/code_panel.hpp"
#include "app/window/pages/live/live_page.hpp"

namespace warplens::app {

class LadderPage : public WindowPage {
 public:
  // live: the page that stands among the figures.
  LadderPage(Model& model, ScenePainter& painter, LivePage& live);

  const FigureCanvas& canvas() const { return canvas_; }
  CodePanel& code() { return code_; }

  void draw(const Ui& ui, const Rect& rect) override;
  void draw_for_a_class(const Ui& ui, const Rect& rect) override { draw_middle(ui, rect, true); }
  StageWords stage_words(const Ui& ui) const override;
  void draw_sliders(const Ui& ui, const Rect& rect) override;
  std::optional<scene::Scene> scene() const override;
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override;
  std::string file_name(const Model& model) const override;

  bool is_at_end() const override;
  void move_access(std::ptrdiff_t by) override {
    if (!is_flow()) model_.move_step(by);
  }
  void go_to_end(bool last) override;
  void move_warp(int by) override;
  void move_block(int by) override;
  void choose_step(std::ptrdiff_t away) override { model_.choose_step(away); }

  void run_again() override { model_.run_again(); }
  bool cancel() override;
  bool is_busy() const override { return canvas_.is_busy() || marks_.is_busy() || code_.is_busy(); }
  bool is_moving() const override;

 private:
  void draw_center(const Ui& ui, const Rect& rect, bool with_code);
  void draw_middle(const Ui& ui, const Rect& rect, bool with_code);
  // Packets move there, not accesses.
  bool is_flow() const { return model_.state.view.figure == "flow"; }
  bool is_live() const { return model_.state.view.figure == "live"; }

  Model& model_;
  FigureCanvas canvas_;
  CodePanel code_;
  LadderMarks marks_;
  LivePage& live_;
};

}  // namespace warplens::app
