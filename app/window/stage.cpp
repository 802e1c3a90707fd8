#include "app/window/stage.hpp"

#include <chrono>
#include <optional>
#include <thread>

#include "app/window/file_wishes.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/pages/pages.hpp"

namespace warplens::app {
namespace {

constexpr float kFrameTime = 1.0f / 60;
constexpr float kWaitingFrameTime = 1e-5f;  // ImGui takes no 0

}  // namespace

Result<std::unique_ptr<Stage>> Stage::open(const CommonOptions& common, State state, ModelOptions options,
                                           std::shared_ptr<LiveEngine> live) {
  if (!live) live = make_gpu_live_engine(common);
  std::unique_ptr<Stage> stage(new Stage(live));
  auto offscreen = Offscreen::create(state.view.width, state.view.height);
  if (!offscreen) return offscreen.error();
  stage->offscreen_ = *std::move(offscreen);
  auto model = Model::open(common, std::move(state), std::move(options));
  if (!model) return model.error();
  stage->model_ = *std::move(model);
  auto interface = Interface::create(*stage->model_, std::move(live));
  if (!interface) return interface.error();
  stage->interface_ = *std::move(interface);
  compat::set_mouse(ImGui::GetIO(), -1e6f, -1e6f, false);
  return stage;
}

Status Stage::frame() { return frame_after(kFrameTime); }

Status Stage::frame_after(float seconds) {
  model_->update();
  if (const Status composed = compose_frame_after(seconds); !composed) return composed;
  submit_frame();
  return Done{};
}

void Stage::submit_frame() {
  offscreen_->bind();
  interface_->submit();
}

Status Stage::compose_frame() { return compose_frame_after(kFrameTime); }

Status Stage::compose_frame_after(float seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(offscreen_->width()), static_cast<float>(offscreen_->height())};
  io.DeltaTime = seconds;
  return interface_->compose();
}

Status Stage::grant() {
  grant_files(interface_->take_wishes(), *model_, *interface_, [this] { return picture(); });
  return frame();
}

Status Stage::settle(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  // Three more frames after the last answer: ImGui measures popups and scroll bars one frame late.
  bool busy = false;
  for (int quiet = 0; quiet < 4;) {
    if (const Status drawn = frame_after(busy ? kWaitingFrameTime : kFrameTime); !drawn) return drawn.error();
    busy = model_->busy_seconds() || model_->ladder_traffic().is_busy() || model_->gpus().busy_seconds() ||
           interface_->is_busy();
    quiet = busy ? 0 : quiet + 1;
    if (Clock::now() > end)
      return Error{"the window did not come to rest", "look for a kernel that runs on and on"};
    if (busy) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
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

Result<Rect> Stage::find(std::string_view mark) const {
  const auto found = interface_->marks().find(mark);
  if (found == interface_->marks().end())
    return Error{"nothing on screen is called " + std::string(mark), ""};
  return found->second;
}

Status Stage::move_to(scene::Point at) {
  compat::set_mouse(ImGui::GetIO(), static_cast<float>(at.x), static_cast<float>(at.y), false);
  return frame();
}

Status Stage::click(std::string_view mark) { return drag(mark, 0.5, 0.5); }

Status Stage::click_at(scene::Point at) {
  for (const bool down : {false, false, true, true, false}) {
    compat::set_mouse(ImGui::GetIO(), static_cast<float>(at.x), static_cast<float>(at.y), down);
    if (const Status drawn = frame(); !drawn) return drawn;
  }
  return frame();
}

Status Stage::click_other(std::string_view mark) {
  const auto rect = find(mark);
  if (!rect) return rect.error();
  if (const Status moved = move_to(rect->center()); !moved) return moved;
  for (const bool down : {true, false}) {
    compat::set_other_button(ImGui::GetIO(), down);
    if (const Status drawn = frame(); !drawn) return drawn;
  }
  return frame();
}

Status Stage::wheel_at(scene::Point at, double notches) {
  for (int i = 0; i < 2; ++i) {
    if (const Status moved = move_to(at); !moved) return moved;
  }
  compat::set_wheel(ImGui::GetIO(), static_cast<float>(notches));
  if (const Status drawn = frame(); !drawn) return drawn;
  return frame();
}

Status Stage::drag(std::string_view mark, double from, double to) {
  const auto rect = find(mark);
  if (!rect) return rect.error();
  const auto at = [&](double share) { return static_cast<float>(rect->x + share * rect->width); };
  const float y = static_cast<float>(rect->center().y);
  struct Move {
    float x;
    bool down;
  };
  // ImGui takes a press only where the pointer was hovering the frame before.
  for (const Move move : {Move{at(from), false}, Move{at(from), false}, Move{at(from), true},
                          Move{at(to), true}, Move{at(to), true}, Move{at(to), false}}) {
    compat::set_mouse(ImGui::GetIO(), move.x, y, move.down);
    if (const Status drawn = frame(); !drawn) return drawn;
  }
  return frame();
}

Status Stage::press(compat::Key key, bool control, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
  compat::set_modifiers(io, control, shift);
  for (const bool down : {true, false}) {
    compat::set_key(io, key, down);
    if (const Status drawn = frame(); !drawn) return drawn;
  }
  compat::set_modifiers(io, false, false);
  return frame();
}

Status Stage::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  if (const Status drawn = frame(); !drawn) return drawn;
  return frame();
}

}  // namespace warplens::app
