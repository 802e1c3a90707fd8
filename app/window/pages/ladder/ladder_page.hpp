// One kernel of a ladder: its steps and sliders at the left, its figure with transport and numbers in the
// middle, its code at the right.
#pragma once

#include "app/window/pages/ladder/code_panel.hpp"
#include "app/window/pages/ladder/kernel_page.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "viz/figures/parts/stage_words.hpp"

namespace warplens::app {

class LadderPage : public KernelPage {
 public:
  // live: the page that stands among the figures.
  LadderPage(Model& model, ScenePainter& painter, LivePage& live);

  CodePanel& code() { return code_; }

  void draw(const Ui& ui, const Rect& rect) override;
  Page page_behind() const override { return model_.launch() != nullptr ? Page::program : Page::ladder; }
  void draw_for_a_class(const Ui& ui, const Rect& rect) override { draw_middle(ui, rect, true); }
  bool has_sliders() const override { return true; }
  void draw_sliders(const Ui& ui, const Rect& rect) override;
  std::optional<scene::Scene> scene() const override;
  FigureSnapshot snapshot() const override;
  std::string file_name(const Model& model) const override;
  std::string words(const Ui& ui) const override;

  bool is_at_end() const override { return !is_flow() && KernelPage::is_at_end(); }
  void play(std::ptrdiff_t by) override {
    if (!is_flow()) KernelPage::play(by);
  }
  void move_access(std::ptrdiff_t by) override {
    if (!is_flow()) KernelPage::move_access(by);
  }

  bool is_busy() const override { return KernelPage::is_busy() || code_.is_busy(); }

 private:
  void draw_center(const Ui& ui, const Rect& rect, bool with_code);
  void draw_left(const Ui& ui, const Rect& rect);
  void draw_top_row(const Ui& ui, const Rect& rect, bool with_code, bool with_transport, bool low);
  void draw_middle(const Ui& ui, const Rect& rect, bool with_code);
  void draw_side(const Ui& ui, const Rect& rect, double share);
  bool shows_code(bool with_code) const { return with_code && model_.state.view.figure == "code"; }
  bool lists_code(const Ui& ui, bool with_code) const;     // in the middle, in its panel
  bool shows_picture(const Ui& ui, bool with_code) const;  // there: nothing else does
  // Packets move there, not accesses.
  bool is_flow() const { return model_.state.view.figure == "flow"; }
  bool stands_alone(const Ui& ui) const;
  bool shows_canvas() const override { return !is_live(); }
  bool is_live() const { return model_.state.view.figure == "live"; }

  void leave_empty_live(const Ui& ui);

  PageHead head_;              // of this frame
  std::string kernel_before_;  // the state's, in the frame before
  CodePanel code_;
  LivePage& live_;
};

}  // namespace warplens::app
