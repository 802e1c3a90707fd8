#include "engine/program/wire.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace warplens::program {
namespace {

bool receive_all(int socket, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(socket, to, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_all(int socket, std::string_view from) {
  while (!from.empty()) {
    const ssize_t sent = ::send(socket, from.data(), from.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

// The body is taken as it comes: a lie about its size takes no memory.
std::optional<Message> Wire::receive() const {
  constexpr std::size_t kPiece = 1 << 20;
  Message message;
  if (!receive_all(socket_, reinterpret_cast<char*>(&message.head), sizeof message.head)) return std::nullopt;
  if (message.head.size > protocol::kMostBody) return std::nullopt;
  while (message.body.size() < message.head.size) {
    const std::size_t before = message.body.size();
    message.body.resize(std::min(before + kPiece, static_cast<std::size_t>(message.head.size)));
    if (!receive_all(socket_, message.body.data() + before, message.body.size() - before))
      return std::nullopt;
  }
  return message;
}

bool Wire::send(int status, std::string_view body) const {
  protocol::Head head;
  head.status = status;
  head.size = body.size();
  std::string all;
  append(all, head);
  all += body;
  return send_all(socket_, all);
}

}  // namespace warplens::program
