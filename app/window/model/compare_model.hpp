// Two kernels of one problem side by side: what runs on the workers, and which of their accesses belong
// together. Nothing is drawn here. The choices themselves are in State::compare.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/state/figure_inputs.hpp"
#include "app/window/model/compare_diff.hpp"
#include "app/window/model/model.hpp"
#include "engine/study/study.hpp"

namespace warplens::app {

class PerformanceData;

enum class Side : std::size_t { left, right };
inline constexpr std::array kBothSides = {Side::left, Side::right};

// The figure that both sides show: the state's, or the first one where it names none.
const figures::Figure& compared_figure(const State& state);

class Comparison {
 public:
  // The model must outlive this. wake: called from workers when there is something to draw.
  Comparison(Model& model, std::function<void()> wake);

  // Takes what the workers finished and asks for what the state now needs. Sides that the state does not
  // name, or that have another problem than the state's kernel, become the step before the state's kernel
  // and that kernel. Call it only while the comparison is open.
  void update();

  // Every kernel with the problem of the state's one, in the order of the catalog.
  std::vector<const catalog::KernelSpec*> candidates() const;
  const catalog::KernelSpec* spec(Side side) const;  // null where the state names none that there is
  const std::vector<Slider>& sliders(Side side) const { return at(side).view.sliders(); }

  // May be a preview, whose counts follow (run::Run::complete). Its report has what the checkers found.
  const run::Run* run(Side side) const { return at(side).shown.get(); }
  run::SharedRun shared_run(Side side) const { return at(side).shown; }
  std::optional<Error> error(Side side) const { return at(side).view.error(run(side)); }
  const figures::Figure& figure() const { return compared_figure(model_.state); }
  // What the side's figure is drawn from, as far as it is known by now; of no run it has none. Once a frame.
  // hides_speed: a lesson asks for that of its kernel later.
  figures::Subject subject(Side side, const PerformanceData& performance, figures::Look look, bool is_guessed,
                           bool hides_speed = false);
  std::optional<double> busy_seconds() const;  // of either side
  std::optional<double> busy_seconds(Side side) const { return at(side).view.busy_seconds(); }
  bool is_busy() const;  // with what is counted beside
  void cancel();
  void run_again();

  void choose_kernel(Side side, const std::string& id);
  void choose_next(Side side, std::ptrdiff_t away);  // of candidates()
  void set_parameter(Side side, const std::string& name, std::int64_t value);
  void swap_sides();

  // Accesses of the chosen warp; steps() is the larger of both sides.
  std::size_t steps(Side side) const { return at(side).view.events().size(); }
  std::size_t steps() const { return std::max(steps(Side::left), steps(Side::right)); }
  std::size_t trace_block(Side side) const { return at(side).view.trace_block(); }
  // What the side's figure shows: its access at the state's step.
  Selection selection(Side side) const;
  // The access of the side with more of them that the state is at.
  std::uint32_t step() const;
  void move_step(std::ptrdiff_t by);
  std::uint64_t blocks() const;  // the larger grid
  std::uint32_t warps() const;   // of the larger block

  // The sources without their front matter, and how their lines belong together.
  struct Sources {
    run::Lines left, right;
    std::size_t left_first = 0, right_first = 0;  // lines of the files that come before
    std::vector<DiffRow> rows;
  };
  const Sources& sources() const { return sources_; }

 private:
  struct Half {
    Half(const Model& model, std::function<void()> wake);
    KernelView view;
    JudgedRun judged;
    run::SharedRun shown = {};  // that of the view, with what the checkers found
    study::Inquiry study;
    std::uint32_t opening = 0;  // see CompareState::array
  };

  const Half& at(Side side) const { return halves_[static_cast<std::size_t>(side)]; }
  Half& at(Side side) { return halves_[static_cast<std::size_t>(side)]; }
  CompareSide& choice(Side side) const;
  void complete_choices();
  void refresh_sliders(Side side);
  bool update(Side side);
  void refresh_sources();

  Model& model_;
  std::array<Half, 2> halves_;
  // Block and warp that the events are of, and the access that was looked for in them.
  using Looked = std::tuple<std::uint64_t, std::uint32_t, std::string, std::string, std::uint32_t>;
  Looked shown_;
  std::string left_code_, right_code_;  // that sources_ points into
  Sources sources_;
};

}  // namespace warplens::app
