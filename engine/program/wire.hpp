// Messages of the protocol over a socket, from the session's side. What comes in is a stranger's: sizes are
// bounded, and what is missing reads as zeros.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/process.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {

struct Message {
  protocol::Head head;
  std::string body;
  std::size_t at = 0;  // what was taken already

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof value, body.size() - at);
    std::memcpy(&value, body.data() + at, size);
    at += size;
    return value;
  }
  std::string_view take(std::size_t size) {
    const std::string_view part = std::string_view(body).substr(at, size);
    at += part.size();
    return part;
  }
  std::string rest() { return std::string(take(body.size())); }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(body).subspan(at)); }
};

template <class T>
void append(std::string& body, const T& value) {
  body.append(reinterpret_cast<const char*>(&value), sizeof value);
}

class Wire {
 public:
  explicit Wire(const Descriptor& socket) : socket_(socket.number()) {}
  // Nothing: the other end is closed, or sent what is too large.
  std::optional<Message> receive() const;
  // False: the other end is closed.
  bool send(int status, std::string_view body = {}) const;
  template <class T>
  requires(!std::is_convertible_v<T, std::string_view>) bool send(int status, const T& head,
                                                                  std::string_view rest = {}) const {
    std::string body;
    append(body, head);
    body += rest;
    return send(status, std::string_view(body));
  }

 private:
  int socket_;
};

}  // namespace warplens::program
