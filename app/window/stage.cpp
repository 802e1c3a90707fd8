#include "app/window/stage.hpp"

#include <chrono>
#include <optional>
#include <thread>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/live/live_page.hpp"

namespace warplens::app {
namespace {

constexpr float kFrameTime = 1.0f / 60;
constexpr float kWaitingFrameTime = 1e-5f;  // ImGui takes no 0
constexpr std::chrono::milliseconds kWaitForWorkers{4};

}  // namespace

Stage::Stage(const CommonOptions& common, std::shared_ptr<LiveEngine> live)
    : live_end_(live ? std::move(live) : make_gpu_live_engine(common)) {}

Status Stage::set_up(const CommonOptions& common, State state, ModelOptions options) {
  auto offscreen = Offscreen::create(state.view.width, state.view.height);
  if (!offscreen) return offscreen.error();
  offscreen_ = *std::move(offscreen);
  auto model = Model::open(common, std::move(state), std::move(options));
  if (!model) return model.error();
  model_ = *std::move(model);
  auto interface = Interface::create(*model_, live_end_.engine);
  if (!interface) return interface.error();
  interface_ = *std::move(interface);
  compat::set_mouse(ImGui::GetIO(), -1e6f, -1e6f, false);
  return Done{};
}

Status Stage::frame() { return frame_after(kFrameTime); }

Status Stage::frame_after(float seconds) {
  update();
  if (const Status composed = compose_frame_after(seconds); !composed) return composed;
  end_frame();
  return Done{};
}

Status Stage::frame_unseen() {
  update();
  return compose_frame();
}

void Stage::update() {
  interface_->attempt([this] { model_->update(); });
}

void Stage::submit_frame() {
  end_frame();
  render();
}

void Stage::end_frame() {
  if (interface_->end_frame()) is_rendered_ = false;
}

void Stage::render() {
  if (std::exchange(is_rendered_, true)) return;
  offscreen_->bind();
  interface_->render();
}

scene::Raster Stage::picture() {
  render();
  return offscreen_->read();
}

void Stage::finish() {
  render();
  offscreen_->finish();
}

Status Stage::resize(int width, int height) {
  if (const Status resized = offscreen_->resize(width, height); !resized) return resized;
  interface_->draw_all();
  return Done{};
}

Status Stage::compose_frame() { return compose_frame_after(kFrameTime); }

Status Stage::compose_frame_after(float seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(offscreen_->width()), static_cast<float>(offscreen_->height())};
  io.DeltaTime = seconds;
  return interface_->compose();
}

Status Stage::settle(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  // Three more frames after the last answer: ImGui measures popups and scroll bars one frame late.
  bool busy = false;
  for (int quiet = 0; quiet < 4;) {
    update();
    if (const Status composed = compose_frame_after(busy ? kWaitingFrameTime : kFrameTime); !composed)
      return composed.error();
    busy = model_->busy_seconds() || model_->ladder_traffic().is_busy() || model_->gpus().busy_seconds() ||
           model_->is_checking() || interface_->is_busy();
    quiet = busy ? 0 : quiet + 1;
    if (Clock::now() > end)
      return Error{"the window did not come to rest", "look for a kernel that runs on and on"};
    if (busy) std::this_thread::sleep_for(kWaitForWorkers);
  }
  end_frame();  // nobody sees those before
  return Done{};
}

Status Stage::go_live(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr double shown = 2;  // seconds of launches in a picture
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  if (model_->error()) return *model_->error();
  LiveSession& live = interface_->pages().get<LivePage>().session();
  live.start();
  const auto start = Clock::now();
  std::optional<Clock::time_point> running;
  while (!running || since(*running) < shown) {
    if (!live.is_on() || live.phase() == LiveSession::Phase::failed)
      return Error{live.words() + (live.error() ? ": " + live.error()->message : ""),
                   live.error() ? live.error()->next_step : ""};
    if (const Status drawn = frame(); !drawn) return drawn;
    if (!running && live.phase() == LiveSession::Phase::running) running = Clock::now();
    if (since(start) > seconds) return Error{"the live run did not start", "choose a smaller size"};
    std::this_thread::sleep_for(std::chrono::milliseconds(running ? 16 : 50));
  }
  return Done{};
}

}  // namespace warplens::app
