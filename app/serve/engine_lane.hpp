// One engine, which answers one request after another; who has gone, or asks for too much, is not waited for.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "app/page/session.hpp"

namespace warplens::app::serve {

using page::Json;

class EngineLane {
 public:
  static constexpr int kMostSeconds = 20, kMostWaiting = 16;

  explicit EngineLane(std::unique_ptr<page::Session> session);
  // socket: of the client; -1: it stays. Nothing: too many wait.
  std::optional<Json> answer(std::string_view request, const Json& asked, int socket);
  // See Session.
  Result<compile::Request> to_compile(const Json& asked);

 private:
  void watch(const std::stop_token& stop);

  std::unique_ptr<page::Session> session_;
  std::mutex engine_;
  std::atomic<int> waiting_ = 0, socket_ = -1;
  std::atomic<std::int64_t> begun_ = 0;  // milliseconds of the steady clock; 0: nothing is being answered
  std::atomic<bool> took_too_long_ = false;
  std::jthread watcher_;
};

}  // namespace warplens::app::serve
