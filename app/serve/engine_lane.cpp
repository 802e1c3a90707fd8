#include "app/serve/engine_lane.hpp"

#include <fmt/format.h>

#include <chrono>

#include "app/serve/patient_server.hpp"
#include "engine/base/text.hpp"

namespace warplens::app::serve {
namespace {

std::int64_t milliseconds_now() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

Json said(const std::string& why, const std::string& next_step) {
  return {{"error", why + "; " + next_step}, {"message", sentence(why)}, {"next_step", sentence(next_step)}};
}

}  // namespace

EngineLane::EngineLane(std::unique_ptr<page::Session> session)
    : session_(std::move(session)), watcher_([this](const std::stop_token& stop) { watch(stop); }) {}

void EngineLane::watch(const std::stop_token& stop) {
  for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
    const std::int64_t begun = begun_;
    if (begun == 0) continue;
    const bool is_late = milliseconds_now() - begun > kMostSeconds * 1000;
    if (is_late) took_too_long_ = true;
    if (is_late || PatientServer::is_client_gone(socket_)) session_->cancel();
  }
}

std::optional<Json> EngineLane::answer(std::string_view request, const Json& asked, int socket) {
  if (++waiting_ > kMostWaiting) {
    --waiting_;
    return std::nullopt;
  }
  const std::lock_guard lock(engine_);
  --waiting_;
  if (PatientServer::is_client_gone(socket)) return said("nobody waits for it", "");
  socket_ = socket, took_too_long_ = false, begun_ = milliseconds_now();
  Json answer = session_->answer(request, asked);
  begun_ = 0, socket_ = -1;
  if (took_too_long_)
    return said(fmt::format("this takes longer than {} seconds here", kMostSeconds),
                "choose a smaller size or another figure");
  return answer;
}

Result<compile::Request> EngineLane::to_compile(const Json& asked) {
  const std::lock_guard lock(engine_);
  return session_->to_compile(asked);
}

}  // namespace warplens::app::serve
