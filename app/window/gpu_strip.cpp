// One line above the figure, where the engine is a GPU: what that made of the kernel on screen.
#include <fmt/format.h>

#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"

namespace warplens::app {
namespace {

struct Words {
  std::string text, tip;
  Token color = Token::dim;
};

std::string milliseconds(double seconds) { return fmt::format("{:.4g} ms", 1e3 * seconds); }

Words words_of(const RunReport& report) {
  if (!report.gpu) return {};
  const std::string& chip = report.gpu->chip;
  if (!report.verified)
    return {"Wrong result on " + chip + ", so its time is not shown", report.explanation, Token::costly};
  const gpu::Statistics& times = report.gpu->timing.kernel;
  Words words{fmt::format("Measured now on {}: {}", chip, milliseconds(times.median)), "", Token::text};
  words.text += fmt::format(", {} to {}", milliseconds(times.p10), milliseconds(times.p90));
  if (const double speed = gflops(*report.gpu, times); speed > 0)
    words.text +=
        speed < 1e4 ? fmt::format(", {:.4g} GFLOP/s", speed) : fmt::format(", {:.4g} TFLOP/s", 1e-3 * speed);
  words.text += ", verified";
  words.tip = fmt::format("Median of {} samples of {} launches each, and where eight in ten of them lie",
                          times.samples, times.launches_per_sample);
  return words;
}

Words words_of(const Model& model) {
  const GpuRuns& gpus = model.gpus();
  if (gpus.is_looking()) return {"Looking for a GPU…", "", Token::dim};
  if (gpus.devices().empty()) return {gpus.note(), gpus.note(), Token::dim};
  if (const GpuAnswer* answer = model.gpu_answer()) {
    if (answer->report) return words_of(*answer->report);
    const std::string line = to_line(answer->report.error());
    return {line, line, Token::costly};
  }
  const auto chosen = static_cast<std::size_t>(model.state.gpu);
  if (chosen >= gpus.devices().size()) return {fmt::format("There is no GPU {}", chosen), "", Token::costly};
  return {"Waits for " + gpus.devices()[chosen].name + "…", "", Token::dim};
}

}  // namespace

double gpu_strip_height(const Ui& ui) { return ui.state().engine == Engine::gpu ? ui.px(32) : 0; }

void draw_gpu_strip(const Ui& ui, const Rect& rect) {
  const Words words = words_of(ui.model);
  fill(ui, rect, Token::panel, 1, theme::metric::corner);
  const double dot = ui.px(5);
  ImGui::GetWindowDrawList()->AddCircleFilled(
      {static_cast<float>(rect.x + ui.px(16)), static_cast<float>(rect.center().y)}, static_cast<float>(dot),
      ui.color(words.color == Token::text ? Token::good : words.color));
  draw_text(ui, {rect.x + ui.px(30), rect.y, rect.width - ui.px(42), rect.height}, words.text,
            {Type::body, words.color});
  ui.mark("gpu strip", rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  if (!words.tip.empty()) tooltip(ui, words.tip);
}

}  // namespace warplens::app
