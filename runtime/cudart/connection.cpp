#include "runtime/cudart/connection.hpp"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warplens::runtime {
namespace {

using protocol::kArenaBase, protocol::kArenaBytes;

// The host's code used a device pointer. A GPU's machine ends the program there, too; the session is told, so
// that its report can say why. Only calls that a signal handler may make.
struct Watch {
  int socket = -1;
  struct sigaction before {};
};
Watch& watch() {
  static Watch one;
  return one;
}

void on_host_access(int number, siginfo_t* information, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(information->si_addr);
  if (address >= kArenaBase && address < kArenaBase + kArenaBytes) {
    struct {
      protocol::Head head;
      protocol::HostAccess access;
    } message{{static_cast<std::uint32_t>(protocol::Request::host_access), 0, sizeof(protocol::HostAccess)},
              {address}};
    [[maybe_unused]] const auto sent = write(watch().socket, &message, sizeof message);
  }
  sigaction(number, &watch().before, nullptr);  // returning runs into the same fault again
}

void watch_host(int socket) {
  watch().socket = socket;
  struct sigaction action {};
  action.sa_sigaction = on_host_access;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &watch().before);
}

[[noreturn]] void end_without_session() {
  std::fflush(stdout);
  std::fputs("warplens: the emulator is gone\n", stderr);
  _exit(3);
}

}  // namespace

bool Connection::map(int file) {
  void* const own = reinterpret_cast<void*>(kArenaBase);
  const int flags = MAP_SHARED | MAP_NORESERVE;
  void* const at = mmap(own, kArenaBytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, file, 0);
  void* const alias = mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (at != own || alias == MAP_FAILED) return false;
  alias_ = static_cast<char*>(alias);
  return true;
}

bool Connection::open() {
  if (socket_ >= 0) return true;
  if (has_failed_) return false;
  const char* places = std::getenv(protocol::kVariable);
  int socket = -1, file = -1;
  if (places == nullptr || std::sscanf(places, "%d,%d", &socket, &file) != 2) {
    has_failed_ = true;
    std::fputs("warplens: this program was built for the emulator: start it with 'warplens exec'\n", stderr);
    return false;
  }
  if (!map(file)) {
    has_failed_ = true;
    std::fputs("warplens: there is no room for device memory in this program\n", stderr);
    return false;
  }
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  fcntl(file, F_SETFD, FD_CLOEXEC);
  socket_ = socket;
  watch_host(socket_);
  return true;
}

bool Connection::send(const void* bytes, std::size_t size) const {
  const char* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool Connection::receive(void* bytes, std::size_t size) const {
  char* to = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = recv(socket_, to, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void Connection::tell(protocol::Request request, std::string_view head, std::string_view rest) {
  const protocol::Head message{static_cast<std::uint32_t>(request), 0, head.size() + rest.size()};
  if (!send(&message, sizeof message) || !send(head.data(), head.size()) || !send(rest.data(), rest.size()))
    end_without_session();
}

Answer Connection::ask(protocol::Request request, std::string_view head, std::string_view rest) {
  tell(request, head, rest);
  protocol::Head message;
  if (!receive(&message, sizeof message)) end_without_session();
  Answer answer{message.status, std::string(message.size, '\0')};
  if (!receive(answer.body.data(), answer.body.size())) end_without_session();
  return answer;
}

bool Connection::is_device_address(const void* p) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  return address >= kArenaBase && address < kArenaBase + kArenaBytes;
}

void* Connection::reachable(const void* p) const {
  if (!is_device_address(p)) return const_cast<void*>(p);
  return alias_ + (reinterpret_cast<std::uint64_t>(p) - kArenaBase);
}

// Allocations share no pages.
void Connection::open_to_host(std::uint64_t address, std::uint64_t size, bool open) const {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t begin = address / kPage * kPage, end = (address + size + kPage - 1) / kPage * kPage;
  mprotect(reinterpret_cast<void*>(begin), end - begin, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace warplens::runtime
