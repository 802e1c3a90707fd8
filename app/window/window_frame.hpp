// The frames of the window: the model and the interface behind what a platform shows.
#pragma once

#include <optional>
#include <string>

#include "app/state/kept_state.hpp"
#include "app/window/interface.hpp"
#include "app/window/platform/frame.hpp"

namespace warplens::app {

class WindowFrame final : public Frame {
 public:
  // All outlive it. kept: may be null.
  WindowFrame(Model& model, Interface& interface, KeptState* kept = nullptr)
      : model_(model), interface_(interface), kept_(kept) {}

  // Asks whether to go on where a window was that died; until it is answered, this is what is kept.
  void offer(State left);
  // As a start can go on from it.
  State state_to_keep() const;

  bool update() override;
  void look_for_changes() override;
  Status draw(double display_scale) override;
  void draw_all() override { interface_.draw_all(); }
  bool grant(const std::function<scene::Raster()>& pixels) override;
  void open_dropped(const std::string& file) override { dropped_ = file; }
  void note_size(int width, int height) override;
  bool is_moving() const override { return interface_.is_moving(); }
  // Then the spinner starts to turn.
  std::optional<double> sign_due() const override;

 private:
  void go_on();

  Model& model_;
  Interface& interface_;
  KeptState* kept_;
  std::optional<State> left_;  // what is offered
  std::optional<std::string> dropped_;
};

}  // namespace warplens::app
