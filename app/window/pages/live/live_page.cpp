#include "app/window/pages/live/live_page.hpp"

#include <fmt/format.h>

#include "app/gpu/gpu_report.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "viz/figures/performance/timing.hpp"

namespace warplens::app {

LivePage::LivePage(Model& model, PerformanceData& performance, const ScenePainter& painter,
                   std::shared_ptr<LiveEngine> engine)
    : WindowPage(std::nullopt),
      model_(model),
      performance_(performance),
      painter_(painter),
      session_(std::move(engine)) {}

void LivePage::toggle(const Ui& ui) {
  if (session_.is_on()) return session_.stop();
  session_.start();
  open_figure(ui, "live");
}

PageButton LivePage::button(const Ui&) const {
  std::string tip = session_.words();
  if (session_.error()) tip += " (" + session_.error()->message + ")";
  if (session_.is_on()) tip = "Stop the launches on the GPU";
  return {.primary = session_.is_on(), .enabled = session_.can_start(), .tip = std::move(tip)};
}

void LivePage::update() {
  session_.update(model_);
  if (const Status fresh = panel_.refresh(session_); !fresh) session_.fail(fresh.error());
  note_measured_speed();
}

// The card and the plots show what this computer's GPU reached: the live run's, else that of the last run.
void LivePage::note_measured_speed() {
  if (const auto rate = session_.checked_rate())
    return performance_.note_live(session_.run(), {*rate, "before it went live"}, session_.gpu().name);
  const GpuAnswer* answer = model_.gpu_answer();
  if (answer == nullptr || !answer->report || !answer->report->verified || !answer->report->gpu) return;
  const run::GpuReport& gpu = *answer->report->gpu;
  const measured::Rate rate = rate_of(gpu);
  if (rate.value <= 0) return;
  const std::string how = fmt::format("median of {} samples of {} launches", gpu.timing.kernel.samples,
                                      gpu.timing.kernel.launches_per_sample);
  performance_.note_live(answer->run, {rate.value, how}, gpu.device, figures::timing_of(*answer->report));
}

void LivePage::draw(const Ui& ui, const Rect& rect) { panel_.draw(ui, session_, rect); }

std::optional<scene::Scene> LivePage::scene() const {
  constexpr scene::Size size{1280, 720};
  auto input = session_.timeline();
  if (!input) return std::nullopt;
  return figures::timeline_scene(figures::Timeline(*std::move(input)), size, painter_.fonts());
}

FigureSnapshot LivePage::snapshot() const { return still_figure("live", scene()); }

std::string LivePage::file_name(const Model& model) const { return model.ladder() + "-live"; }

void LivePage::choose_step(std::ptrdiff_t away) { model_.choose_step(away); }

}  // namespace warplens::app
