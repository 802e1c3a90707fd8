// The drawer below the source: what is known of the run beside its headline, picture and speed.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/base/problem_words.hpp"
#include "app/gpu/report_text.hpp"
#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/ladder/ladder_panels.hpp"
#include "app/window/pages/ladder/page_head.hpp"
#include "engine/base/text.hpp"
#include "engine/run/device_needs.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

constexpr double kHead = 40, kPad = 16, kBetween = 14;

// Where what is drawn goes on.
struct Flow {
  const Ui& ui;
  double x, y, width;

  void paragraph(const std::string& text, const Label& label) {
    if (text.empty()) return;
    y += draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)}, static_cast<float>(width), text,
                        label);
  }
  void titled(const std::string& title, const std::string& text, const Label& label) {
    if (text.empty()) return;
    paragraph(title, {Type::caption, Token::accent});
    paragraph(text, label);
    y += ui.px(8);
  }
};

// What the headline leaves out: what else there is to say of the access, and of the step against another one.
void draw_explained(Flow& flow, const PageHead& head, const figures::StepWords* step) {
  flow.titled("Fix", sentence(head.fix), {Type::body});
  if (step == nullptr) return;
  const bool compares = !step->before.empty() && !step->against.words.empty();
  if (compares)
    flow.titled(
        step->before,
        sentence(step->against.speed) + (step->against.speed.empty() ? "" : ": ") + step->against.words,
        {Type::body});
  if (step->whole.verdict == explain::Verdict::costly && step->whole.what != head.headline)
    flow.titled("The whole step",
                sentence(step->whole.what) + (step->whole.why.empty() ? "" : ": ") + step->whole.why,
                {Type::body});
}

// Where the step is slower than the one before it: by how much, and why.
void draw_slower(Flow& flow, const LadderMarks& marks) {
  const Ui& ui = flow.ui;
  if (!marks.slower() || ui.is_asked || ui.hides_speed) return;
  const study::SharedAgainst& said = marks.said();
  const std::string why = said != nullptr && !said->words.empty() ? sentence(said->words) + "."
                          : marks.is_comparing()                  ? "Looking for the reason…"
                                                                  : "The model of time sees no reason.";
  const std::string at = marks.judged() ? " at " + marks.judged()->size : "";
  const double top = flow.y;
  flow.paragraph(fmt::format("Slower than step {}", marks.slower()->than), {Type::strong, Token::costly});
  flow.paragraph(fmt::format("Recorded{}: {}. {}", at, marks.slower()->speeds, why), {Type::caption});
  ui.mark("slower", {flow.x, top, flow.width, flow.y - top});
  flow.y += ui.px(8);
}

// Where other instructions stand in for those that the step is about it speaks of other devices.
std::string watch_on_device(const Ui& ui) {
  const run::Run* run = ui.model.run();
  const std::string& watch = ui.model.spec().watch;
  if (run == nullptr || run->kernel == nullptr || watch.empty()) return watch;
  const std::string replaced =
      run::replaced_instruction(run->plan().spec.code, run->kernel->function(), run->device());
  return replaced.empty() ? watch : sentence(replaced) + ". Elsewhere: " + watch;
}

void draw_watch(Flow& flow) {
  const Ui& ui = flow.ui;
  const std::string watch = watch_on_device(ui);
  if (watch.empty() || ui.is_asked || ui.lessons.leads()) return;  // a lesson says itself what to watch
  // The text speaks of the file's own values: all of them are named.
  const std::string own = run::changed_words(ui.state().params, catalog::default_values(ui.model.spec()));
  const double top = flow.y;
  flow.titled(own.empty() ? "Watch" : "Watch, with " + own, watch, {Type::body});
  const Rect box{flow.x, top, flow.width, flow.y - top};
  ui.mark("watch", box);
  if (!own.empty()) ui.mark("watch/own values", box);
}

void draw_numbers(Flow& flow, const LadderMarks& marks, LastCards& last) {
  flow.y +=
      draw_number_grid(flow.ui, {flow.x, flow.y, flow.width, 0}, marks, last) + flow.ui.px(kBetween - 8);
}

void draw_access(Flow& flow) {
  const Ui& ui = flow.ui;
  const Rect rect{flow.x - ui.px(kPad), flow.y, flow.width + 2 * ui.px(kPad), access_table_height(ui)};
  ui.is_asked ? draw_cover(ui, rect) : draw_access_table(ui, rect);
  flow.y = rect.bottom() + ui.px(kBetween);
}

void draw_launch(Flow& flow) {
  const run::Run* run = flow.ui.model.run();
  if (run == nullptr || run->plan().spec.id != flow.ui.state().kernel || flow.ui.is_asked) return;
  const auto line = [&](const std::string& text) { flow.paragraph(text, {Type::caption, Token::dim}); };
  const auto& launch = run->plan().launch;
  line(fmt::format("Block {}, grid {}", figures::dimensions(launch.block), figures::dimensions(launch.grid)));
  if (run->complete && run->report.device_registers == 0)
    line("Registers not known for this device, so that occupancy is a bound");
  else if (run->complete && flow.ui.state().occupancy != OccupancyState{})
    line("Registers and occupancy: of the calculator, set by hand");
  else if (run->complete)
    line(fmt::format("{} registers a thread", run->report.device_registers));
  if (run->report.shared_bytes > 0)
    line(fmt::format("{} bytes of shared memory",
                     grouped(static_cast<std::uint64_t>(run->report.shared_bytes))));
  if (run->complete && !run->report.not_checked.empty())
    line("Result not checked: " + run->report.not_checked);
  if (run->report.spill_bytes > 0) line(spill_words(run->report));
}

}  // namespace

double details_head_height(const Ui& ui) { return ui.px(kHead); }

void draw_details(const Ui& ui, const Rect& rect, const PageHead& head, const figures::StepWords* step,
                  const LadderMarks& marks, LastCards& last) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.y, rect.right(), rect.y);
  bool& open = ui.state().view.details;
  const Rect bar{rect.x, rect.y, rect.width, ui.px(kHead)};
  ui.mark(open ? "details/open" : "details/closed", bar);
  if (button(ui, "details", bar, "",
             {.look = Look::flat, .tip = "Numbers, this access, the step against another (Ctrl+Shift+B)"}))
    open = !open;
  draw_text(ui, {bar.x + ui.px(kPad), bar.y, bar.width, bar.height}, "Details", {Type::strong, Token::dim});
  draw_icon(ui, {static_cast<float>(bar.right()) - ui.px(24), static_cast<float>(bar.center().y)}, ui.px(5),
            open ? Icon::down : Icon::previous, ui.color(Token::dim));
  if (!open) return;
  const Rect body{rect.x, bar.bottom(), rect.width, rect.height - bar.height};
  ui.mark("details panel", body);
  begin_panel("details panel", body);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Flow flow{ui, rect.x + ui.px(kPad), at.y + ui.px(4), rect.width - 2 * ui.px(kPad)};
  draw_slower(flow, marks);
  if (!ui.is_asked) draw_explained(flow, head, step);
  draw_numbers(flow, marks, last);
  draw_watch(flow);
  if (has_transport(ui)) draw_access(flow);
  draw_launch(flow);
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(flow.y)});
  ImGui::Dummy({1, ui.px(12)});
  end_fading_panel(ui, body);
}

}  // namespace warplens::app
