// A kernel's text under the user's hands, and beside it what the kernel does: its figure, its numbers, its
// sliders.
#pragma once

#include "app/window/pages/edit/edit_session.hpp"
#include "app/window/pages/edit/editor_view.hpp"
#include "app/window/pages/ladder/kernel_page.hpp"

namespace warplens::app {

class EditPage : public KernelPage {
 public:
  EditPage(Model& model, ScenePainter& painter, std::function<void()> wake);

  EditSession& session() { return session_; }
  const EditSession& session() const { return session_; }
  EditorView& view() { return view_; }

  void toggle(const Ui& ui) override;
  void update() override;
  void draw(const Ui& ui, const Rect& rect) override;
  void draw_for_a_class(const Ui& ui, const Rect& rect) override;
  std::string file_name(const Model& model) const override;

  bool cancel() override;
  Page page_behind() const override {
    return session_.file() == model_.state.program.file ? Page::program : Page::ladder;
  }
  bool is_busy() const override { return KernelPage::is_busy() || (was_open_ && session_.is_busy()); }
  bool is_moving() const override;
  bool is_typing() const override;
  bool save(const Ui& ui) override;
  std::optional<std::string> text() const override;
  void put_text(std::string_view text) override;
  void keep_passed(std::string_view text) override { session_.keep_passed(text); }
  std::string unsaved() const override;
  void open_figure(const Ui& ui, std::string_view id) override { ui.state().view.figure = std::string(id); }
  void add_commands(const Ui& ui, std::vector<Command>& list) override;
  void add_lasting_commands(std::vector<Command>& list) const override;

 private:
  void draw_text_for_a_class(const Ui& ui, const Rect& rect);
  void draw_text_side(const Ui& ui, const Rect& rect);
  void draw_picture_side(const Ui& ui, const Rect& rect);
  void draw_picture(const Ui& ui, const Rect& rect);
  double draw_sliders_row(const Ui& ui, const Rect& rect, bool measure);
  bool is_shown() const { return is_open(model_.state.view); }

  EditSession session_;
  EditorView view_;
  bool was_open_ = false;
  std::string doomed_;  // see draw_edit_head
};

}  // namespace warplens::app
