// The picture of the centre: the scene of the open figure, and its place on screen.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/figure_inputs.hpp"
#include "app/window/figure/figure_snapshot.hpp"
#include "app/window/figure/plot_view.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/model/ladder/steps_before.hpp"
#include "app/window/model/model.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/parts/terms.hpp"
#include "viz/scene/morph.hpp"
#include "viz/scene/scene.hpp"

struct ImDrawList;

namespace warplens::app {

// What moves pictures.
struct Clock {
  double now = 0;       // seconds
  bool plays = false;   // packets are on their way
  bool motion = false;  // pictures move into the next
  double speed = 4;     // accesses a second while they are played
  bool enters = false;  // it waited until now: it comes in, also where another figure was shown before
};

// Who looks at a picture.
struct Audience {
  figures::Look look = figures::Look::file;
  bool is_guessing = false;                // a question about it waits for its answer
  std::set<std::string> asked_later = {};  // kernels of which a lesson has still to ask how quick they are
  bool reads_notices = true;               // false: what was found in the kernel is said beside the picture
  bool reads_cost = false;                 // what the access costs is said above the picture
  bool will_guess(const std::string& kernel) const { return asked_later.contains(kernel); }
};

// Makes the scene anew only where the run, the selection or the size changed.
class FigureCanvas {
 public:
  FigureCanvas(const Model& model, ScenePainter& painter, const LadderMarks& marks);  // all outlive it

  void clear();  // nothing is shown then, copied or saved
  // scale: screen pixels of one scene pixel; less where the figure would not fit otherwise.
  void draw(const Model& model, const PerformanceData& performance, const theme::Theme& theme,
            ImDrawList& list, const scene::Rect& rect, double scale, const Clock& clock,
            const Audience& audience = {});
  double scale() const { return scale_; }  // of the last drawing
  // The scene that was drawn last; null if none was.
  const scene::Scene* shown() const { return scene_ ? &*scene_ : nullptr; }
  // The cell of a matrix or a tile at a place of the access figure or the bank map, in scene pixels.
  std::optional<figures::Pick> pick(scene::Point at) const;
  // The rectangles of these cells in the picture, in scene pixels.
  std::vector<scene::Rect> places(std::span<const figures::CellId> cells) const;
  // The words of the glossary in the picture that stands still; plots have none.
  std::span<const figures::SceneTerm> terms() const { return terms_; }
  FigureSnapshot snapshot() const;
  // The picture with all its words, as it stands alone in a file; empty where none was drawn.
  std::optional<scene::Scene> alone() const;
  // Another figure that has something to show of this place, the step's opening one first; null where this one
  // has, or where none has.
  const figures::Figure* instead(const Model& model) const;
  figures::NextSteps next() const { return key_.subject.next(); }  // what those that follow would gain
  const figures::StepWords* step() const { return key_.subject.step.get(); }  // null: not known
  // The figure of the last drawing, null before the first; and what its picture says, if a headline has to.
  const figures::Figure* figure() const { return key_.figure; }
  const figures::Said& said() const { return said_; }
  const run::Run* run() const { return key_.subject.run.get(); }  // null for a plot
  // The comparison with the other step, where a headline has it; empty while it is being found.
  const std::optional<figures::AgainstStep>& against() const { return against_; }
  // Whether that, or what fixes gain, is still being found: something else may be said of the picture then.
  bool is_deciding() const { return is_deciding_; }
  const time::SpeedMap* speed_map() const;  // that was drawn last; null where none was
  const time::Schedule* schedule() const;   // the same of the figure of time
  // The cycle and warp at a point of the scene, in the chart of the figure of time.
  std::optional<figures::TimeCursor> time_cursor(scene::Point at) const;
  const paint::Fonts& fonts() const { return painter_.fonts(); }
  // Whether the picture is on its way to the next one, or outlines of the one before a slider moved stand over it.
  bool is_moving(double now) const { return tween_.is_moving(now) || has_ghost(now); }
  // Whether the picture is that of the run before, and for how many seconds.
  std::optional<double> outdated_for(double now) const {
    return outdated_since_ ? std::optional(now - *outdated_since_) : std::nullopt;
  }
  // The scene as it was painted last, perhaps on its way to the next one.
  const scene::Scene* painted() const { return painted_ ? &*painted_ : shown(); }
  bool is_busy() const { return study_.busy_seconds().has_value(); }

  // Where the open figure is a plot: what it shows, and its zoom. Scene pixels.
  const PlotView& plot() const { return plot_; }
  void zoom_plot(scene::Point around, double factor) { redraw_ |= plot_.zoom(around, factor, fonts()); }
  void move_plot(scene::Point by) { redraw_ |= plot_.move(by, fonts()); }
  void reset_plot() { redraw_ |= plot_.reset(fonts()); }

 private:
  struct Key {
    const figures::Figure* figure = nullptr;
    figures::Subject subject = {};
    scene::Size size = {};
    std::uint64_t performance = 0;           // its version, for plots
    std::set<std::string> asked_later = {};  // the same
    bool operator==(const Key&) const = default;
  };
  std::optional<scene::Scene> make(const Key& key, const Model& model, const PerformanceData& performance);
  // What the figure is drawn from, as far as that is known by now.
  figures::Subject subject_of(const figures::Figure& figure, const Model& model,
                              const PerformanceData& performance, const Clock& clock,
                              const Audience& audience);
  bool compare(const Model& model, const Audience& audience);
  figures::Place place_in(const figures::Figure& figure, const Model& model) const;
  bool keeps_picture(const Key& next) const;
  double motion_to(const Key& next, const Clock& clock) const;
  void move(const Clock& clock, double seconds);
  void leave_ghost(const Key& next, const Clock& clock);
  bool has_ghost(double now) const { return ghost_ && now < ghost_until_; }
  scene::Scene draw_plot(const Key& key, const std::string& ladder, const PerformanceData& performance);
  const explain::Explanation& words_of_plot() const;  // wherever they stand
  scene::Scene plot_scene() const;  // with what it says below; precondition: plot_.is_shown()

  ScenePainter& painter_;
  Key key_;
  double scale_ = 1;
  std::optional<scene::Scene> scene_, ghost_;
  double ghost_until_ = 0;
  std::vector<figures::SceneTerm> terms_;
  figures::Said said_;
  std::optional<figures::AgainstStep> against_;
  bool is_message_ = false, is_deciding_ = false;
  std::optional<double> outdated_since_;
  PlotView plot_;
  explain::Explanation plot_words_;
  scene::Size plot_size_;  // with them
  bool redraw_ = false;
  double phase_ = 0;  // of packets
  scene::Tween tween_;
  std::optional<scene::Scene> painted_;  // on the way; nothing: it is the scene itself
  const LadderMarks& marks_;
  study::Inquiry study_;
  StepsBefore steps_before_;
};

}  // namespace warplens::app
