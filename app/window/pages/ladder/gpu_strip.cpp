// One line above the figure, where the engine is a GPU: what that made of the kernel on screen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <tuple>
#include <vector>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::app {
namespace {

// texts: the same, the longest first; the first that has room is shown.
struct Words {
  std::vector<std::string> texts;
  std::string tip;
  Token color = Token::dim;
};

std::string milliseconds(double seconds) { return fmt::format("{:.4g} ms", 1e3 * seconds); }

// "global_load.sectors" as "Global load sectors"
std::string title_of(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '_' || c == '.'; }, ' ');
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

bool is_other_traffic(const CounterPair& pair, const std::vector<CounterPair>& pairs) {
  const auto own = std::ranges::find(pairs, kOwnWavefronts, &CounterPair::name);
  return app::is_other_traffic(pair.name, pair.emulated, pair.counted,
                               own != pairs.end() && own->counted == own->emulated);
}

struct CounterWords {
  std::string text, short_text, tip;
  bool alarming = false;
};

// blocks: of a sample; nothing: the whole grid was counted.
CounterWords words_of(const Result<std::vector<CounterPair>>& counters, std::optional<std::uint64_t> blocks) {
  if (!counters) return {"", "", "\nIts own counters were not read: " + to_line(counters.error())};
  CounterWords words;
  std::size_t differ = 0, equal = 0;
  bool traffic = false;
  words.tip = "\n\nThe GPU’s own counters";
  if (blocks)
    words.tip += fmt::format(", of a launch in which only the emulator’s {} blocks work", grouped(*blocks));
  for (const CounterPair& pair : *counters) {
    words.tip += fmt::format("\n{} {}", title_of(pair.name), grouped(pair.counted));
    const bool is_equal = pair.counted == pair.emulated;
    equal += is_equal ? 1 : 0;
    if (is_equal) continue;
    words.tip += fmt::format(", emulated {}", grouped(pair.emulated));
    const bool explained = is_other_traffic(pair, *counters);
    (explained ? traffic : words.alarming) = true;
    differ += explained ? 0 : 1;
  }
  if (traffic)
    words.tip +=
        "\nWhile the L1 cache is busy with other data, shared accesses are tried again: these counters have "
        "that too.\nWhat the instructions themselves need is as emulated";
  words.text = differ == 0 ? fmt::format(", {} counters as emulated", equal)
                           : fmt::format(", {} of {} counters differ", differ, counters->size());
  words.short_text = differ == 0 ? ", counters agree" : fmt::format(", {} counters differ", differ);
  return words;
}

Words words_of(const run::Report& report, const CounterWords& counters) {
  if (!report.gpu) return {};
  const std::string& device = report.gpu->device;
  if (!report.verified)
    return {{"Wrong result on " + device + ", so its time is not shown", "Wrong result, so no time"},
            report.explanation,
            Token::costly};
  const gpu::Statistics& times = report.gpu->timing.kernel;
  const std::string name = measured::short_device_name(device), time = milliseconds(times.median);
  std::string speed;
  if (const auto [rate, unit] = rate_of(*report.gpu); rate > 0)
    speed = rate < 1e4 ? fmt::format(", {:.4g} {}", rate, unit)
                       : fmt::format(", {:.4g} T{}", 1e-3 * rate, unit.substr(1));
  return {{fmt::format("Measured now on {}: {} ({:.4g} to {:.4g}){}, verified{}", name, time, 1e3 * times.p10,
                       1e3 * times.p90, speed, counters.text),
           fmt::format("{} now: {}{}, verified{}", name, time, speed, counters.text),
           fmt::format("{} now: {}, verified{}", name, time, counters.short_text),
           fmt::format("{}, verified{}", time, counters.short_text),
           time + (counters.short_text.empty() ? ", verified" : counters.short_text)},
          fmt::format("{}\nMedian of {} samples of {} launches each, and where eight in ten of them lie{}",
                      device, times.samples, times.launches_per_sample, counters.tip),
          counters.alarming ? Token::costly : Token::text};
}

// "The kernel did not end within 10 s…": up to each mark or "and" that is in no parentheses, the longest
// first.
std::vector<std::string> beginnings(const std::string& text) {
  std::vector<std::string> found;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    const std::string_view rest = std::string_view(text).substr(i);
    const bool ends = rest.starts_with("; ") || rest.starts_with(": ") || rest.starts_with(", ") ||
                      rest.starts_with(" and ");
    if (ends && depth == 0) found.insert(found.begin(), text.substr(0, i) + "…");
  }
  return found;
}

// The whole, what happened, and its beginnings. Where even those have no room, what is left would say little:
// the tip has the whole.
Words words_of(const Error& error, const std::string& before = "") {
  const std::string message = before.empty() ? sentence(error.message) : before + ": " + error.message;
  Words words{{to_line({message, error.next_step, error.place}), message}, "", Token::costly};
  for (std::string& text : beginnings(message)) words.texts.push_back(std::move(text));
  words.texts.push_back(before.empty() ? "Failed on the GPU" : before);
  return words;
}

// What pictures show, where the GPU's own accesses are wanted.
Words words_of(const Result<GpuAccesses>& recorded, const std::string& device) {
  if (!recorded) return words_of(recorded.error(), "Not recorded");
  const trace::Trace& trace = *recorded->run->trace;
  const instrument::TraceComparison& compared = recorded->compared;
  Words words{
      {fmt::format("Recorded on {}: {} accesses", device, grouped(trace.events())), "Recorded"},
      fmt::format("The kernel wrote down its own accesses, {} of {}",
                  figures::counted(compared.warps, "warp"), figures::counted(trace.blocks().size(), "block")),
      Token::text};
  std::string result = ", every address as emulated", in_short = ", as emulated";
  if (recorded->dropped > 0) {
    result = in_short = fmt::format(", {} more had no room", grouped(recorded->dropped));
  } else if (compared.different > 0) {
    result = fmt::format(", {} of {} warps unlike the emulator’s", compared.different, compared.warps);
    in_short = fmt::format(", {} warps differ", compared.different);
    words.color = Token::costly;
    words.tip = "The first difference is in " + compared.first;
  }
  words.texts[0] += result;
  words.texts[1] += in_short;
  if (!recorded->left_out.empty())
    words.texts[0] += fmt::format(", without {}", fmt::join(recorded->left_out, ", "));
  return words;
}

Words words_of(const Ui& ui) {
  const Model& model = ui.model;
  const GpuRuns& gpus = model.gpus();
  if (gpus.is_looking()) return {{"Looking for a GPU…"}, ""};
  if (gpus.devices().empty()) return {{sentence(gpus.note())}, ""};
  if (const GpuAnswer* answer = model.gpu_answer()) {
    if (!answer->report) return words_of(without_home(ui, answer->report.error()));
    const std::string& device = answer->report->gpu->device;
    const bool recorded = model.state.accesses == Accesses::recorded;
    if (recorded && answer->accesses) return words_of(*answer->accesses, device);
    if (recorded) return {{"Recording every access on " + device + "…", "Recording…"}, ""};
    return words_of(*answer->report, answer->counters
                                         ? words_of(*answer->counters, answer->run->report.sampled_blocks)
                                         : CounterWords{});
  }
  const auto chosen = static_cast<std::size_t>(model.state.gpu);
  if (chosen >= gpus.devices().size())
    return {{fmt::format("There is no GPU {}", chosen)}, "", Token::costly};
  return {{"Waits for " + gpus.devices()[chosen].name + "…"}, ""};
}

// Whose accesses pictures show; answers where the choice begins.
double draw_choice(const Ui& ui, const Rect& rect) {
  static constexpr std::array<std::tuple<Accesses, const char*, const char*>, 2> choices = {
      {{Accesses::recorded, "Recorded", "Pictures show the accesses that the GPU itself wrote down"},
       {Accesses::emulated, "Emulated", "Pictures show the emulator’s accesses"}}};
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

double gpu_strip_height(const Ui& ui) { return ui.state().engine == Engine::gpu ? ui.px(32) : 0; }

void draw_gpu_strip(const Ui& ui, const Rect& rect) {
  const Words words = words_of(ui);
  fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  // One run that came out right is no praise of a kernel that has a race.
  const run::Run* run = ui.model.run();
  const bool is_good = words.color == Token::text && run != nullptr && explain::reserve(*run).empty();
  draw_disc(ui, {rect.x + ui.px(16), rect.center().y}, ui.px(5), is_good ? Token::good : words.color);
  const double right = ui.model.gpus().devices().empty() ? rect.right() : draw_choice(ui, rect);
  const Rect place{rect.x + ui.px(30), rect.y, right - rect.x - ui.px(42), rect.height};
  ui.mark("gpu strip", rect);
  if (words.texts.empty()) return;
  const auto fits = std::ranges::find_if(
      words.texts, [&](const std::string& text) { return text_width(ui, text, Type::body) <= place.width; });
  const std::string& shown = fits == words.texts.end() ? words.texts.back() : *fits;
  const bool cut = draw_text(ui, place, shown, {Type::body, words.color});
  ui.mark(cut ? "gpu strip/cut" : "gpu strip/whole", place);
  ImGui::SetCursorScreenPos(corner(place));
  ImGui::Dummy(extent(place));
  std::string tip = cut || shown != words.texts.front() ? words.texts.front() : "";
  if (!tip.empty() && !words.tip.empty()) tip += "\n";
  tip += words.tip;
  if (!tip.empty()) tooltip(ui, tip);
}

}  // namespace warplens::app
