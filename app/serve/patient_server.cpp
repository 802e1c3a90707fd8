#include "app/serve/patient_server.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace warplens::app::serve {
namespace {

thread_local int answered_socket = -1;

class Connection final : public httplib::Stream {
 public:
  // part: milliseconds that the client may say nothing at all.
  Connection(int socket, int part) : socket_(socket), part_(part) {}

  bool is_readable() const override { return at_ < end_ || wait(POLLIN); }
  bool is_writable() const override { return wait(POLLOUT); }
  ssize_t read(char* to, size_t size) override {
    if (at_ == end_) {
      if (!wait(POLLIN)) return -1;
      const ssize_t got = recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (got <= 0) return got;
      at_ = 0, end_ = static_cast<size_t>(got);
    }
    const size_t part = std::min(size, end_ - at_);
    std::copy_n(buffer_.data() + at_, part, to);
    at_ += part;
    return static_cast<ssize_t>(part);
  }
  ssize_t write(const char* from, size_t size) override {
    return wait(POLLOUT) ? send(socket_, from, size, MSG_NOSIGNAL) : -1;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { name(getpeername, ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { name(getsockname, ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  bool wait(short events) const {
    if (left_ <= 0) return false;
    const auto begin = std::chrono::steady_clock::now();
    pollfd ready{socket_, events, 0};
    const bool is_ready = poll(&ready, 1, std::min(part_, left_)) > 0;
    using std::chrono::milliseconds;
    left_ -= static_cast<int>(
        std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin).count());
    return is_ready;
  }
  template <class Ask>
  void name(Ask ask, std::string& ip, int& port) const {
    sockaddr_in at{};
    socklen_t size = sizeof at;
    std::array<char, INET_ADDRSTRLEN> text{};
    if (ask(socket_, reinterpret_cast<sockaddr*>(&at), &size) != 0 || at.sin_family != AF_INET) return;
    ip = inet_ntop(AF_INET, &at.sin_addr, text.data(), text.size()), port = ntohs(at.sin_port);
  }

  int socket_, part_;
  mutable int left_ = PatientServer::kMostMilliseconds;
  std::array<char, 4096> buffer_{};
  size_t at_ = 0, end_ = 0;
};

bool has_more(int socket, time_t seconds) {
  pollfd ready{socket, POLLIN, 0};
  return poll(&ready, 1, static_cast<int>(seconds) * 1000) > 0;
}

}  // namespace

int PatientServer::socket_of_this_thread() { return answered_socket; }

bool PatientServer::is_client_gone(int socket) {
  char byte = 0;
  return socket >= 0 && recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool PatientServer::process_and_close_socket(socket_t socket) {
  answered_socket = socket;
  bool is_fine = true, is_closed = false;
  for (size_t left = keep_alive_max_count_; left > 0 && is_fine && !is_closed && svr_sock_ != INVALID_SOCKET;
       --left) {
    if (!has_more(socket, left == keep_alive_max_count_ ? read_timeout_sec_ : keep_alive_timeout_sec_)) break;
    Connection connection(socket, static_cast<int>(read_timeout_sec_) * 1000);
    is_fine = process_request(connection, left == 1, is_closed, nullptr);
  }
  answered_socket = -1;
  shutdown(socket, SHUT_RDWR);
  close(socket);
  return is_fine;
}

}  // namespace warplens::app::serve
