// Messages between the program and its worker: over a socket pair, each a JSON text, bytes that are none
// (machine code), and perhaps a descriptor (shared memory). Both ends are this program, but what arrives is
// checked all the same: a worker can end in the middle of a message.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/process.hpp"

namespace warplens::gpu {

struct Message {
  std::string text;
  std::vector<std::byte> attachment;
  Descriptor descriptor;
};

class Channel {
 public:
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}
  static Result<std::pair<Channel, Channel>> pair();

  // Error: the other end is gone.
  Status send(std::string_view text, std::span<const std::byte> attachment = {}, int descriptor = -1);

  enum class State { message, closed, late, garbled };
  struct Received {
    State state = State::closed;
    Message message;
  };
  // seconds: how long to wait for the whole message; nothing: for ever.
  Received receive(std::optional<double> seconds = std::nullopt);
  int number() const { return socket_.number(); }

 private:
  Descriptor socket_;
};

}  // namespace warplens::gpu
