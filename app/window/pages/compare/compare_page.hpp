// Two kernels side by side.
#pragma once

#include <array>
#include <string>

#include "app/window/kit/page.hpp"
#include "app/window/model/compare_model.hpp"
#include "app/window/pages/compare/compare_panels.hpp"
#include "app/window/pages/compare/compare_pictures.hpp"

namespace warplens::app {

class ComparePage : public WindowPage {
 public:
  ComparePage(Model& model, const PerformanceData& performance);

  Comparison& comparison() { return comparison_; }

  void draw(const Ui& ui, const Rect& rect) override;
  void draw_for_a_class(const Ui& ui, const Rect& rect) override;
  StageWords stage_words(const Ui& ui) const override;
  std::optional<scene::Scene> scene() const override { return pictures_.together(); }
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override;
  std::string file_name(const Model& model) const override;

  bool is_at_end() const override;
  void move_access(std::ptrdiff_t by) override { comparison_.move_step(by); }
  void go_to_end(bool last) override;
  void move_warp(int by) override;
  void move_block(int by) override;
  void choose_step(std::ptrdiff_t away) override { comparison_.choose_next(Side::right, away); }

  // What is compared from the editor goes back to it.
  void update() override;
  void toggle(const Ui& ui) override;
  PageButton button(const Ui& ui) const override;
  // The editor has nothing to do with what a lesson compares behind an exercise.
  Page page_behind() const override {
    return from_ == Page::edit && model_.state.kernel == kernel_before_ ? Page::edit : Page::ladder;
  }

  void run_again() override { comparison_.run_again(); }
  bool cancel() override;
  bool is_busy() const override { return comparison_.is_busy(); }
  bool is_moving() const override { return is_open(model_.state.view) && grows_; }

  std::string_view figure(const View&) const override { return state().figure; }
  bool shows_figure(std::string_view id) const override;
  void open_figure(const Ui& ui, std::string_view id) override;
  void add_commands(const Ui& ui, std::vector<Command>& list) override;

 private:
  // A kernel beside itself shows something only where it has sliders.
  bool has_sides() const { return comparison_.candidates().size() > 1 || !model_.sliders().empty(); }
  CompareState& state() const { return model_.state.compare; }
  std::string title_for_a_class(Side side) const;
  void draw_both(const Ui& ui, const Rect& rect);
  void draw_pictures(const Ui& ui, const Rect& rect);
  void draw_part(const Ui& ui, const Rect& rect);  // counters or source alone
  // What is known against either run, above a part that has no pictures; returns its height.
  double draw_notices(const Ui& ui, const Rect& rect);
  // A click on it shows the line in the source, where there is one.
  void use_notice(const Ui& ui, Side side, const Rect& rect, double scale);
  void show_line(Side side, int line);
  // Why there is no run, above both pictures; returns its height.
  double draw_warnings(const Ui& ui, const Rect& rect);
  // Its scale; 0 where nothing is drawn.
  double draw_picture(const Ui& ui, Side side, const Rect& rect);
  int lines_of_says(const Ui& ui, double width) const;
  Rect picture_in(const Ui& ui, const Rect& rect) const;
  // What is under the pointer in either picture is lit in both.
  void light_pointed(const Ui& ui, const std::array<Rect, 2>& rects, double scale);

  Model& model_;
  const PerformanceData& performance_;
  Comparison comparison_;
  ComparePictures pictures_;
  std::optional<AskedLine> asked_line_;
  int says_lines_ = 1;         // of the sentences above both pictures
  bool grows_ = false;         // they take another height than they had in the last frame
  Page from_ = Page::ladder;   // that was open before
  std::string kernel_before_;  // and its kernel
};

}  // namespace warplens::app
