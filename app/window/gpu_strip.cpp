// One line above the figure, where the engine is a GPU: what that made of the kernel on screen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <tuple>

#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"
#include "viz/figures/parts.hpp"

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
  Words words{fmt::format("Measured now on {}: {} ({:.4g} to {:.4g})", short_chip(chip),
                          milliseconds(times.median), 1e3 * times.p10, 1e3 * times.p90),
              "", Token::text};
  if (const double speed = gflops(*report.gpu, times); speed > 0)
    words.text +=
        speed < 1e4 ? fmt::format(", {:.4g} GFLOP/s", speed) : fmt::format(", {:.4g} TFLOP/s", 1e-3 * speed);
  words.text += ", verified";
  words.tip = fmt::format("{}\nMedian of {} samples of {} launches each, and where eight in ten of them lie",
                          chip, times.samples, times.launches_per_sample);
  return words;
}

// "global_load.sectors" as "Global load sectors"
std::string title_of(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '_' || c == '.'; }, ' ');
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

void add_counters(Words& words, const Result<std::vector<CounterPair>>& counters) {
  if (!counters) {
    words.tip += "\nIts own counters were not read: " + to_line(counters.error());
    return;
  }
  const auto differ =
      std::ranges::count_if(*counters, [](const CounterPair& pair) { return pair.counted != pair.emulated; });
  words.text += differ == 0 ? fmt::format(", {} counters as emulated", counters->size())
                            : fmt::format(", {} of {} counters differ", differ, counters->size());
  words.tip += "\n\nThe GPU's own counters";
  for (const CounterPair& pair : *counters) {
    words.tip += fmt::format("\n{} {}", title_of(pair.name), grouped(pair.counted));
    if (pair.counted != pair.emulated) words.tip += fmt::format(", emulated {}", grouped(pair.emulated));
  }
  if (differ == 0) return;
  words.tip += "\nWavefronts of shared memory vary from launch to launch where all multiprocessors are busy";
}

// What pictures show, where the GPU's own accesses are wanted.
Words words_of(const Result<GpuAccesses>& recorded, const std::string& chip) {
  if (!recorded) {
    const std::string line = "Not recorded: " + to_line(recorded.error());
    return {line, line, Token::costly};
  }
  const trace::Trace& trace = recorded->run->trace;
  Words words{fmt::format("Recorded on {}: {} accesses", chip, grouped(trace.events())), "", Token::text};
  const instrument::TraceComparison& compared = recorded->compared;
  if (recorded->dropped > 0) {
    words.text += fmt::format(", {} more had no room", grouped(recorded->dropped));
  } else if (compared.different > 0) {
    words.text += fmt::format(", {} of {} warps unlike the emulator's", compared.different, compared.warps);
    words.color = Token::costly;
    words.tip = "The first difference is in " + compared.first;
  } else {
    words.text += ", every address as emulated";
  }
  if (!recorded->left_out.empty())
    words.text += fmt::format(", without {}", fmt::join(recorded->left_out, ", "));
  if (words.tip.empty())
    words.tip = fmt::format("The kernel wrote down its own accesses, {} of {}",
                            figures::counted(compared.warps, "warp"),
                            figures::counted(trace.blocks().size(), "block"));
  return words;
}

Words words_of(const Model& model) {
  const GpuRuns& gpus = model.gpus();
  if (gpus.is_looking()) return {"Looking for a GPU…", "", Token::dim};
  if (gpus.devices().empty()) return {gpus.note(), gpus.note(), Token::dim};
  if (const GpuAnswer* answer = model.gpu_answer()) {
    const bool recorded = model.state.accesses == Accesses::recorded && answer->report;
    if (recorded && answer->accesses) return words_of(*answer->accesses, answer->report->gpu->chip);
    if (recorded) return {"Recording every access on " + answer->report->gpu->chip + "…", "", Token::dim};
    if (answer->report) {
      Words words = words_of(*answer->report);
      if (answer->counters) add_counters(words, *answer->counters);
      return words;
    }
    const std::string line = to_line(answer->report.error());
    return {line, line, Token::costly};
  }
  const auto chosen = static_cast<std::size_t>(model.state.gpu);
  if (chosen >= gpus.devices().size()) return {fmt::format("There is no GPU {}", chosen), "", Token::costly};
  return {"Waits for " + gpus.devices()[chosen].name + "…", "", Token::dim};
}

}  // namespace

double gpu_strip_height(const Ui& ui) { return ui.state().engine == Engine::gpu ? ui.px(32) : 0; }

namespace {

// Whose accesses pictures show; answers where the choice begins.
double draw_choice(const Ui& ui, const Rect& rect) {
  static constexpr std::array<std::tuple<Accesses, const char*, const char*>, 2> choices = {
      {{Accesses::recorded, "Recorded", "Pictures show the accesses that the GPU itself wrote down"},
       {Accesses::emulated, "Emulated", "Pictures show the emulator's accesses"}}};
  double right = rect.right() - ui.px(4);
  for (const auto& [which, name, tip] : choices) {
    const double width = text_width(ui, name, Type::body) + ui.px(20);
    const Rect place{right - width, rect.y, width, rect.height};
    if (button(ui, std::string("accesses/") + name, place, name,
               {.look = Look::tab, .chosen = ui.state().accesses == which, .tip = tip}))
      ui.state().accesses = which;
    right -= width + ui.px(4);
  }
  return right;
}

}  // namespace

void draw_gpu_strip(const Ui& ui, const Rect& rect) {
  const Words words = words_of(ui.model);
  fill(ui, rect, Token::panel, 1, theme::metric::corner);
  const double dot = ui.px(5);
  ImGui::GetWindowDrawList()->AddCircleFilled(
      {static_cast<float>(rect.x + ui.px(16)), static_cast<float>(rect.center().y)}, static_cast<float>(dot),
      ui.color(words.color == Token::text ? Token::good : words.color));
  const double right = ui.model.gpus().devices().empty() ? rect.right() : draw_choice(ui, rect);
  const Rect text{rect.x + ui.px(30), rect.y, right - rect.x - ui.px(42), rect.height};
  const bool cut = draw_text(ui, text, words.text, {Type::body, words.color});
  ui.mark("gpu strip", rect);
  ImGui::SetCursorScreenPos(corner(text));
  ImGui::Dummy(extent(text));
  const std::string tip = (cut ? words.text : "") + (cut && !words.tip.empty() ? "\n" : "") + words.tip;
  if (!tip.empty()) tooltip(ui, tip);
}

}  // namespace warplens::app
