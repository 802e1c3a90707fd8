// What goes between this program and its compiling process: messages of a length and so many bytes.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "engine/compile/build.hpp"
#include "engine/compile/parcel.hpp"

namespace warplens::compile {

inline constexpr std::uint64_t kMostMessage = std::uint64_t{1} << 30;

// False: the other end is gone.
inline bool send_message(int socket, const std::string& text) {
  Parcel parcel;
  parcel.add(text);
  for (std::size_t at = 0; at < parcel.text().size();) {
    const ssize_t sent = send(socket, parcel.text().data() + at, parcel.text().size() - at, MSG_NOSIGNAL);
    if (sent <= 0 && errno != EINTR) return false;
    if (sent > 0) at += static_cast<std::size_t>(sent);
  }
  return true;
}

inline bool receive_bytes(int socket, char* to, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const ssize_t got = recv(socket, to + at, size - at, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += static_cast<std::size_t>(got);
  }
  return true;
}

// Waits for it. Nothing: the other end is gone.
inline std::optional<std::string> receive_message(int socket) {
  std::uint64_t size = 0;
  if (!receive_bytes(socket, reinterpret_cast<char*>(&size), sizeof size) || size > kMostMessage)
    return std::nullopt;
  std::string text(size, '\0');
  return receive_bytes(socket, text.data(), text.size()) ? std::optional(std::move(text)) : std::nullopt;
}

inline void add_texts(Parcel& parcel, const auto& pairs) {
  parcel.add(std::to_string(pairs.size()));
  for (const auto& [name, value] : pairs) parcel.add(name), parcel.add(value);
}

}  // namespace warplens::compile
