// Where a newcomer begins: what this is about in two pictures, topics, the lessons, the ladders, a kernel of one's own.
#pragma once

#include "app/state/topics.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/pages/start/start_pictures.hpp"

namespace warplens::app {

class StartPage : public WindowPage {
 public:
  explicit StartPage(Model& model);

  void update() override;
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
  void add_lasting_commands(std::vector<Command>& list) const override;
  bool is_busy() const override { return is_open(model_.state.view) && pictures_.is_busy(); }
  bool is_moving() const override {
    return is_open(model_.state.view) && model_.state.view.motion && pictures_.is_moving(ImGui::GetTime());
  }

 private:
  double draw_pictures(const Ui& ui, const Rect& column);

  Model& model_;
  StartPictures pictures_;
  std::vector<Topic> topics_;
};

}  // namespace warplens::app
