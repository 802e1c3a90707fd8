// What the pages have in common that show the kernel of the model: its picture and its marks in the ladder,
// and the ways from access to access, warp to warp and block to block.
#pragma once

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/ladder/one_speed.hpp"
#include "app/window/pages/ladder/cards.hpp"
#include "app/window/pages/ladder/page_head.hpp"
#include "viz/figures/parts/stage_words.hpp"

namespace warplens::app {

class KernelPage : public WindowPage {
 public:
  const FigureCanvas& canvas() const { return canvas_; }
  const SpeedWatch& speed() const { return speed_; }
  const SpeedsAhead& speeds_ahead() const { return speeds_ahead_; }

  StageWords stage_words(const Ui& ui) const override;
  PageHead page_head(const Ui& ui) const;  // of the picture that was drawn last
  std::optional<scene::Scene> scene() const override;
  FigureSnapshot snapshot() const override { return canvas_.snapshot(); }
  std::optional<std::string> numbers() const override;

  bool is_at_end() const override;
  void move_access(std::ptrdiff_t by) override;
  // From turn to turn of a loop, at the same line and array, where the state has it so; behind the last turn,
  // and where there is no loop, access by access.
  void play(std::ptrdiff_t by) override;
  void go_to_end(bool last) override;
  void move_warp(int by) override;
  void move_block(int by) override;
  void choose_step(std::ptrdiff_t away) override { model_.choose_step(away); }

  void run_again() override { model_.run_again(); }
  void swap_values() override;
  bool cancel() override;
  bool is_busy() const override { return canvas_.is_busy() || marks_.is_busy(); }
  bool is_moving() const override;

 private:
  std::ptrdiff_t to_next_turn() const;
  std::optional<NextStep> next_step() const, padding() const, own_step() const;
  // That the step was measured to be slower, or leaves most of the device idle.
  void add_speed(figures::AroundPicture& around) const;
  virtual bool shows_canvas() const { return true; }  // false: what is on the page now is no figure of it
  const catalog::KernelSpec& shown_kernel() const;    // of the picture; where there is none, of the code

 protected:
  // Of the figure of time, where it is shown: its keys are those of accesses, warps and blocks. False: not.
  bool move_cursor(int instructions, int warps);
  bool zoom_time(double factor);

  KernelPage(Page page, Model& model, ScenePainter& painter)
      : WindowPage(page),
        model_(model),
        marks_(model),
        canvas_(model, painter, marks_),
        speeds_ahead_(model) {}

  Model& model_;
  LadderMarks marks_;
  FigureCanvas canvas_;
  LastCards last_cards_;
  SpeedsAhead speeds_ahead_;
  SpeedWatch speed_;
};

}  // namespace warplens::app
