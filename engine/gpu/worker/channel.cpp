#include "engine/gpu/worker/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace warplens::gpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Header {
  std::uint32_t magic = 0x57504c31;  // "WPL1"
  std::uint32_t text_bytes = 0;
  std::uint64_t attachment_bytes = 0;
};
constexpr std::uint64_t kLargest = std::uint64_t{1}
                                   << 30;  // of a cubin; anything above is no message of ours

Status send_all(int socket, const std::byte* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return Error{"the GPU's process is gone", ""};
    data += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return Done{};
}

// The header carries the descriptor, as unix(7) has it.
Status send_header(int socket, Header header, int descriptor) {
  iovec part{&header, sizeof header};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
  }
  ssize_t sent = 0;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  // Sixteen bytes into a socket whose reader keeps up are never cut.
  if (sent != static_cast<ssize_t>(sizeof header)) return Error{"the GPU's process is gone", ""};
  return Done{};
}

// A reader with a deadline.
class Reader {
 public:
  Reader(int socket, std::optional<double> seconds) : socket_(socket) {
    if (seconds)
      end_ =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  }

  Channel::State read(std::byte* data, std::size_t bytes, Descriptor* descriptor) {
    while (bytes > 0) {
      if (const auto state = wait(); state != Channel::State::message) return state;
      const ssize_t got = receive(data, bytes, descriptor);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) return Channel::State::closed;
      data += got;
      bytes -= static_cast<std::size_t>(got);
    }
    return Channel::State::message;
  }

 private:
  Channel::State wait() const {
    pollfd what{socket_, POLLIN, 0};
    for (;;) {
      const int ready = poll(&what, 1, milliseconds_left());
      if (ready > 0) return Channel::State::message;
      if (ready == 0) return Channel::State::late;
      if (errno != EINTR) return Channel::State::closed;
    }
  }

  int milliseconds_left() const {
    if (!end_) return -1;
    const std::chrono::duration<double, std::milli> left = *end_ - Clock::now();
    return static_cast<int>(std::ceil(std::clamp(left.count(), 0.0, 1e9)));
  }

  ssize_t receive(std::byte* data, std::size_t bytes, Descriptor* descriptor) const {
    iovec part{data, bytes};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
    const cmsghdr* first = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
    if (first != nullptr && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(first), sizeof number);
      Descriptor arrived(number);  // closes one that is not expected
      if (descriptor != nullptr) *descriptor = std::move(arrived);
    }
    return got;
  }

  int socket_;
  std::optional<Clock::time_point> end_;
};

}  // namespace

Result<std::pair<Channel, Channel>> Channel::pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{std::string("no socket for the GPU's process: ") + std::strerror(errno), ""};
  return std::pair(Channel(Descriptor(ends[0])), Channel(Descriptor(ends[1])));
}

Status Channel::send(std::string_view text, std::span<const std::byte> attachment, int descriptor) {
  const Header header{.text_bytes = static_cast<std::uint32_t>(text.size()),
                      .attachment_bytes = attachment.size()};
  if (const auto sent = send_header(number(), header, descriptor); !sent) return sent;
  if (const auto sent = send_all(number(), reinterpret_cast<const std::byte*>(text.data()), text.size());
      !sent)
    return sent;
  return send_all(number(), attachment.data(), attachment.size());
}

Channel::Received Channel::receive(std::optional<double> seconds) {
  Received received;
  Reader reader(number(), seconds);
  Header header;
  received.state =
      reader.read(reinterpret_cast<std::byte*>(&header), sizeof header, &received.message.descriptor);
  if (received.state != State::message) return received;
  if (header.magic != Header{}.magic || header.text_bytes > kLargest || header.attachment_bytes > kLargest) {
    received.state = State::garbled;
    return received;
  }
  received.message.text.resize(header.text_bytes);
  received.message.attachment.resize(header.attachment_bytes);
  received.state =
      reader.read(reinterpret_cast<std::byte*>(received.message.text.data()), header.text_bytes, nullptr);
  if (received.state == State::message)
    received.state = reader.read(received.message.attachment.data(), header.attachment_bytes, nullptr);
  return received;
}

}  // namespace warplens::gpu
