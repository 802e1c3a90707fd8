// A whole program: the offer to run it, then its kernels, all of its launches and copies over time, and what it printed. A
// launch opens where kernels are shown, with its own data.
#pragma once

#include "app/window/kit/page.hpp"
#include "app/window/pages/program/launch_strip.hpp"
#include "app/window/pages/program/program_session.hpp"

namespace warplens::app {

class ProgramPage : public WindowPage {
 public:
  ProgramPage(Model& model, std::function<void()> wake)
      : WindowPage(Page::program), model_(model), session_(model, std::move(wake)) {}

  ProgramSession& session() { return session_; }

  void toggle(const Ui& ui) override;
  void update() override;
  void draw(const Ui& ui, const Rect& rect) override;
  StageWords stage_words(const Ui& ui) const override;
  std::optional<scene::Scene> scene() const override { return std::nullopt; }
  FigureSnapshot snapshot() const override;
  std::optional<std::string> numbers() const override;
  std::string file_name(const Model&) const override { return "program"; }
  std::string words(const Ui& ui) const override;

  double draw_values(const Ui& ui, const Rect& rect) override;

  bool plays() const override { return false; }
  void move_access(std::ptrdiff_t by) override { choose(chosen() + by); }
  void go_to_end(bool last) override { choose(last ? std::ptrdiff_t{1} << 40 : 0); }
  void move_warp(int by) override { choose_kernel(by); }
  void choose_step(std::ptrdiff_t away) override { choose_kernel(away); }
  bool has_runs() const override { return false; }
  bool shows_figure(std::string_view) const override { return false; }
  void run_again() override;
  bool cancel() override;
  bool is_busy() const override { return session_.is_busy(); }
  Page page_behind() const override { return model_.launch() != nullptr ? Page::ladder : from_; }
  void add_commands(const Ui& ui, std::vector<Command>& list) override;

 private:
  std::ptrdiff_t chosen() const { return static_cast<std::ptrdiff_t>(model_.state.program.launch) - 1; }
  void choose(std::ptrdiff_t launch);  // or the nearest
  void choose_kernel(std::ptrdiff_t away);
  void open(const Ui& ui, std::size_t launch);
  void act(const Ui& ui);
  void draw_page(const Ui& ui, const Rect& rect);
  double draw_head(const Ui& ui, const Rect& rect);
  double draw_values_set(const Ui& ui, const Rect& rect);
  void draw_offer(const Ui& ui, const Rect& rect);
  double draw_verdict(const Ui& ui, const Rect& rect);
  double draw_strip(const Ui& ui, const Rect& rect);
  double draw_chosen(const Ui& ui, const Rect& rect);
  double draw_kernels(const Ui& ui, const Rect& rect);
  void draw_output(const Ui& ui, const Rect& rect);
  void draw_notes(const Ui& ui, const Rect& rect);
  std::string state_words() const;
  std::string headline() const;

  Model& model_;
  ProgramSession session_;
  LaunchStrip strip_;
  std::optional<std::size_t> to_open_;  // was clicked in this frame
  bool runs_ = false;                   // likewise
  Page from_ = Page::start;             // which page was open before
};

}  // namespace warplens::app
