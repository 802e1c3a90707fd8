// warplens live: the live tab without a display, on a GPU, for a while: how quick its frames are, what the
// plots cost the host, and a picture of it.
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <thread>

#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/pages/pages.hpp"
#include "app/window/platform/picture_file.hpp"
#include "app/window/stage.hpp"
#include "app/window/window_commands.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/gpu/worker/client.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The value that this share of them does not pass; 0 where there are none.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

constexpr double a_frame = 1.0 / 60;

struct Frames {
  std::vector<double> each;  // seconds
  double seconds = 0;        // of all
  gpu::MapTimes maps;        // of these frames
  double rate() const { return seconds > 0 ? static_cast<double>(each.size()) / seconds : 0; }
};

// All that is reported. Seconds.
struct LiveRun {
  std::string kernel, chip, renderer, unit;
  int width = 0, height = 0;
  Frames paced, unpaced, moving;
  int moves = 0;
  gpu::LiveStatus status;
  double checked_rate = 0, rate = 0;  // 1e9 a second
  bool interop = false, verified = false, slices_verified = false;
  std::string explanation;
};

Json times_json(const std::vector<double>& seconds, double unit) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return {{"count", seconds.size()},
          {"mean", seconds.empty() ? 0 : sum / static_cast<double>(seconds.size()) * unit},
          {"p50", quantile(seconds, 0.5) * unit},
          {"p95", quantile(seconds, 0.95) * unit},
          {"p99", quantile(seconds, 0.99) * unit},
          {"most", quantile(seconds, 1) * unit}};
}

Json to_json(const LiveRun& run) {
  return {{"kernel", run.kernel},
          {"device", run.chip},
          {"renderer", run.renderer},
          {"width", run.width},
          {"height", run.height},
          {"through_host", !run.interop},
          {"frames_per_second", run.unpaced.rate()},
          {"frame_ms", times_json(run.unpaced.each, 1e3)},
          {"paced_frames_per_second", run.paced.rate()},
          {"paced_frame_ms", times_json(run.paced.each, 1e3)},
          {"map_us", times_json(run.unpaced.maps.map, 1e6)},
          {"unmap_us", times_json(run.unpaced.maps.unmap, 1e6)},
          {"paced_map_us", times_json(run.paced.maps.map, 1e6)},
          {"paced_unmap_us", times_json(run.paced.maps.unmap, 1e6)},
          {"moves", run.moves},
          {"frame_ms_while_moving", times_json(run.moving.each, 1e3)},
          {"launches", run.status.entries * run.status.launches_per_entry},
          {"launches_per_entry", run.status.launches_per_entry},
          {"watched_launches", run.status.watched},
          {"slices", run.status.slices},
          {"giga_per_second", run.rate},
          {"giga_per_second_when_checked", run.checked_rate},
          {"unit", run.unit},
          {"verified", run.verified},
          {"slices_verified", run.slices_verified},
          {"explanation", run.explanation}};
}

std::string to_text(const LiveRun& run) {
  const auto line = [](const char* name, const std::vector<double>& seconds, double unit, const char* word) {
    return fmt::format("{} p50 {:.1f} {}, p99 {:.1f} {}\n", name, quantile(seconds, 0.5) * unit, word,
                       quantile(seconds, 0.99) * unit, word);
  };
  std::string text = fmt::format("{} live on {}, {} x {} on {}\n", run.kernel, run.chip, run.width,
                                 run.height, run.renderer);
  text += fmt::format("{:.0f} frames a second; ", run.unpaced.rate()) +
          line("a frame", run.unpaced.each, 1e3, "ms");
  text += fmt::format("paced as a display {:.1f} frames a second; ", run.paced.rate()) +
          line("a frame", run.paced.each, 1e3, "ms");
  if (run.interop)
    text += line("map", run.unpaced.maps.map, 1e6, "µs") + line("unmap", run.unpaced.maps.unmap, 1e6, "µs") +
            line("paced as a display map", run.paced.maps.map, 1e6, "µs") +
            line("paced as a display unmap", run.paced.maps.unmap, 1e6, "µs");
  else
    text += "the plots' data came through the host\n";
  text += fmt::format("{} launches, {:.1f} G{} live, {:.1f} G{} when checked\n",
                      run.status.entries * run.status.launches_per_entry, run.rate, run.unit,
                      run.checked_rate, run.unit);
  return text + (run.verified ? "result verified\n" : "");
}

Result<State> state_of(const CommonOptions& common, const LiveOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  const auto plan = plan_one(*workspace, options.kernel, *device);
  if (!plan) return plan.error();
  State state;
  state.kernel = plan->spec.id;
  state.params = plan->parameters;
  state.size = plan->sizes;
  state.device = options.kernel.device;
  state.view.figure = "live";
  state.view.dark = options.theme != "light";
  state.view.width = options.width;
  state.view.height = options.height;
  return state;
}

// Frames until it runs. Error: why it cannot.
Status go_live(Stage& stage) {
  constexpr double patience = 120;
  const auto start = Clock::now();
  if (const Status settled = stage.settle(patience); !settled) return settled;
  LiveSession& live = stage.interface().pages().get<LivePage>().session();
  if (stage.model().error()) return *stage.model().error();
  live.start();
  while (live.phase() != LiveSession::Phase::running) {
    if (!live.is_on() || live.phase() == LiveSession::Phase::failed)
      return Error{live.words() + (live.error() ? ": " + live.error()->message : ""),
                   live.error() ? live.error()->next_step : ""};
    if (const Status drawn = stage.frame(); !drawn) return drawn;
    if (seconds_since(start) > patience) return Error{"the live run did not start", "choose a smaller size"};
    // Frames would take turns with the launches that are being timed.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return Done{};
}

gpu::MapTimes newer_than(std::size_t count, gpu::MapTimes times) {
  for (std::vector<double>* each : {&times.map, &times.unmap})
    each->erase(each->begin(), each->begin() + static_cast<std::ptrdiff_t>(std::min(count, each->size())));
  return times;
}

// Frames until so many seconds are over, the next after `pace` seconds or as soon as it can be. A frame is
// done when its pixels are.
Status draw_frames(Stage& stage, double seconds, double pace, Frames& frames) {
  for (int warm = 0; warm < 10; ++warm) {
    if (const Status drawn = stage.frame(); !drawn) return drawn;
  }
  stage.finish();
  const auto maps = [&] { return stage.interface().pages().get<LivePage>().session().feed()->map_times(); };
  const std::size_t maps_before = maps().map.size();
  const auto start = Clock::now();
  while (seconds_since(start) < seconds) {
    const auto before = Clock::now();
    if (const Status drawn = stage.frame(); !drawn) return drawn;
    stage.finish();
    frames.each.push_back(seconds_since(before));
    const LiveSession& live = stage.interface().pages().get<LivePage>().session();
    if (live.error()) return *live.error();
    const double next = pace * static_cast<double>(frames.each.size());
    if (pace > 0) std::this_thread::sleep_until(start + std::chrono::duration<double>(next));
  }
  frames.seconds = seconds_since(start);
  frames.maps = newer_than(maps_before, maps());
  return Done{};
}

void take_facts(Stage& stage, LiveRun& run) {
  LiveSession& live = stage.interface().pages().get<LivePage>().session();
  run.kernel = live.run()->plan().spec.id;
  run.chip = live.chip().name;
  const auto* renderer = glGetString(GL_RENDERER);
  run.renderer = renderer == nullptr ? "" : reinterpret_cast<const char*>(renderer);
  run.interop = !stage.interface().pages().get<LivePage>().panel().through_host();
  if (!run.interop)
    run.explanation = stage.interface().pages().get<LivePage>().panel().why_through_host()->message;
  run.status = live.feed()->status();
  const live::LiveFacts facts = live.facts(run.status, !run.interop);
  run.unit = facts.unit;
  run.rate = facts.rate;
  run.checked_rate = facts.checked_rate;
}

Status write_timeline(Stage& stage, const std::string& file) {
  Interface& interface = stage.interface();
  if (!file.ends_with(".csv")) return interface.save_figure(file);
  const auto timeline = interface.pages().get<LivePage>().session().timeline();
  if (!timeline) return Error{"no launch was watched", "let it run for longer"};
  return write_whole_file(file, figures::timeline_csv(figures::Timeline(*timeline)));
}

// As a display has it, with the picture of its last frame; then as quickly as frames can be drawn.
Status draw_all(Stage& stage, const LiveOptions& options, LiveRun& run) {
  if (const Status drawn = draw_frames(stage, options.seconds, a_frame, run.paced); !drawn) return drawn;
  take_facts(stage, run);
  if (!options.output.empty()) {
    if (const Status written = write_png(stage.picture(), options.output); !written) return written;
  }
  if (!options.timeline.empty()) {
    if (const Status written = write_timeline(stage, options.timeline); !written) return written;
  }
  return draw_frames(stage, options.seconds / 3, 0, run.unpaced);
}

// Frames until it runs with what the window was asked for, and so many seconds more.
Status draw_until_running(Stage& stage, double seconds, Frames& frames) {
  constexpr double patience = 60;
  LiveSession& live = stage.interface().pages().get<LivePage>().session();
  const auto start = Clock::now();
  std::optional<Clock::time_point> running;
  while (!running || seconds_since(*running) < seconds) {
    const auto before = Clock::now();
    if (const Status drawn = stage.frame(); !drawn) return drawn;
    stage.finish();
    frames.each.push_back(seconds_since(before));
    if (live.error()) return *live.error();
    const bool right = live.run() != nullptr && live.run()->plan().parameters == stage.model().state.params;
    if (!running && right && live.phase() == LiveSession::Phase::running) running = Clock::now();
    if (seconds_since(start) > patience) return Error{"the live run did not go on", "choose a smaller size"};
    std::this_thread::sleep_until(before + std::chrono::duration<double>(a_frame));
  }
  return Done{};
}

// As a hand at the sliders: other parameters again and again, every third time a stop and a start.
Status move_about(Stage& stage, const LiveOptions& options, LiveRun& run) {
  constexpr double seconds_between = 0.3;
  LiveSession& live = stage.interface().pages().get<LivePage>().session();
  const run::SharedRun first = live.run();
  const auto sets = catalog::legal_parameter_sets(first->plan().spec, first->plan().sizes);
  for (run.moves = 0; run.moves < options.moves; ++run.moves) {
    const auto before = Clock::now();
    if (run.moves % 3 == 2) {
      live.stop();
      if (const Status drawn = stage.frame(); !drawn) return drawn;
      live.start();
    } else {
      const auto next =
          static_cast<std::size_t>(run.moves) * sets.size() / static_cast<std::size_t>(options.moves);
      for (const auto& [name, value] : sets[next]) stage.model().set_parameter(name, value);
    }
    run.moving.each.push_back(seconds_since(before));
    if (const Status drawn = draw_until_running(stage, seconds_between, run.moving); !drawn) return drawn;
  }
  for (const auto& [name, value] : first->plan().parameters) stage.model().set_parameter(name, value);
  return draw_until_running(stage, seconds_between, run.moving);
}

Status check_results(const LiveSession& live, LiveRun& run) {
  const auto results = live.feed()->results(30);
  if (!results) return results.error();
  const problem::Instance& instance = *live.run()->job->instance;
  const auto whole = gpu::verify_output(instance, results->launched);
  run.verified = whole.verified;
  run.explanation = whole.explanation;
  if (results->sliced.empty()) return Done{};
  const auto sliced = gpu::verify_output(instance, results->sliced);
  run.slices_verified = sliced.verified;
  if (whole.verified) run.explanation = sliced.explanation;
  return Done{};
}

}  // namespace

Result<int> live_command(const CommonOptions& common, const LiveOptions& options) {
  if (!options.output.empty() && !options.output.ends_with(".png"))
    return Error{fmt::format("'{}' is no picture that live makes", options.output), "end its name in .png"};
  const auto state = state_of(common, options);
  if (!state) return state.error();
  auto stage = Stage::open(common, *state, {}, make_gpu_live_engine(common, options.through_host));
  if (!stage) return stage.error();
  if (const Status started = go_live(**stage); !started) return started.error();
  LiveRun run;
  run.width = options.width;
  run.height = options.height;
  if (const Status drawn = draw_all(**stage, options, run); !drawn) return drawn.error();
  if (options.moves > 0) {
    if (const Status moved = move_about(**stage, options, run); !moved) return moved.error();
  }
  if (const Status checked = check_results((*stage)->interface().pages().get<LivePage>().session(), run);
      !checked)
    return checked.error();
  fmt::print("{}", common.json ? to_text(to_json(run)) : to_text(run));
  if (run.verified) return exit_fine;
  print_error({run.kernel + " computed a wrong result: " + run.explanation, "", {}});
  return exit_wrong_result;
}

}  // namespace warplens::app
