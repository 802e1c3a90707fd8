// An index typed or dragged, and its sectors and banks at once.
#pragma once

#include "app/window/kit/page.hpp"
#include "app/window/pages/playground/playground_model.hpp"

namespace warplens::app {

class PlaygroundPage : public WindowPage {
 public:
  explicit PlaygroundPage(Model& model);

  const Playground& playground() const { return playground_; }

  void draw(const Ui& ui, const Rect& rect) override;
  StageWords stage_words(const Ui&) const override {
    return {.place = "Playground", .headline = state().index};
  }
  std::optional<scene::Scene> scene() const override;
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override;
  std::string file_name(const Model&) const override { return "playground"; }

  // What moves through accesses elsewhere moves stride and offset here.
  bool plays() const override { return false; }
  void move_access(std::ptrdiff_t by) override;
  void move_warp(int by) override;
  void choose_step(std::ptrdiff_t away) override { choose_preset(state(), away); }
  bool has_runs() const override { return false; }
  void add_lasting_commands(std::vector<Command>& list) const override;

 private:
  PlaygroundState& state() const { return model_.state.playground; }

  Model& model_;
  Playground playground_;
};

}  // namespace warplens::app
