// The kernel on a GPU, over and over. In the window it is a tab among the ladder's figures.
#pragma once

#include "app/window/kit/page.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/pages/live/live_session.hpp"

namespace warplens::app {

// Precondition of every call, the destructor included: see LivePanel.
class LivePage : public WindowPage {
 public:
  LivePage(Model& model, PerformanceData& performance, const ScenePainter& painter,
           std::shared_ptr<LiveEngine> engine);

  LiveSession& session() { return session_; }
  const LivePanel& panel() const { return panel_; }

  void toggle(const Ui& ui) override;  // starts or stops it
  PageButton button(const Ui& ui) const override;
  void update() override;
  void draw(const Ui& ui, const Rect& rect) override;  // in the middle of the ladder's page
  // Of the live plots, which are drawn from memory that only the GPU reads, what goes into a file: the blocks
  // of the last watched launch.
  std::optional<scene::Scene> scene() const override;
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override { return std::nullopt; }
  std::string file_name(const Model& model) const override;
  void choose_step(std::ptrdiff_t away) override;
  bool is_busy() const override { return session_.is_busy(); }
  bool is_moving() const override { return session_.is_on() || session_.is_stopping(); }

 private:
  void note_measured_speed();

  Model& model_;
  PerformanceData& performance_;
  const ScenePainter& painter_;
  LivePanel panel_;  // before the session: its buffer outlives the feed that writes it
  LiveSession session_;
};

}  // namespace warplens::app
