// A program that wants more than it may have: hostile WHAT [PATH]. It says "reached" of what it got to, else "kept out".
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/protocol/protocol.hpp"

extern "C" int cudaMalloc(void**, std::size_t);

namespace {

namespace protocol = warplens::protocol;
constexpr int kSocket = 198, kMemory = 199;  // as start.cpp gives them
std::string path;

bool opens(int flags) { return open(path.c_str(), flags, 0600) >= 0; }
bool reads() { return opens(O_RDONLY); }
bool writes() { return opens(O_WRONLY); }
bool makes() { return opens(O_WRONLY | O_CREAT); }
bool deletes() { return unlink(path.c_str()) == 0; }
bool links() { return link(path.c_str(), (path + ".link").c_str()) == 0 || rename(path.c_str(), (path + ".moved").c_str()) == 0; }
bool changes_rights() { return chmod(path.c_str(), 0777) == 0; }
bool connects() {
  const int one = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return one >= 0 && (connect(one, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0 || true);
}
bool connects_locally() { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
bool forks() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}
bool executes() {
  char* words[] = {const_cast<char*>("/bin/true"), nullptr};
  execv("/bin/true", words);
  return std::system("true") == 0;
}
bool traces() { return ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0; }
bool signals_others() { return kill(getppid(), 0) == 0 || kill(1, 0) == 0; }
bool allocates() {
  rlimit most{};
  getrlimit(RLIMIT_DATA, &most);
  const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
  return std::malloc(std::size_t{64} << 30) != nullptr || most.rlim_cur == RLIM_INFINITY || setrlimit(RLIMIT_DATA, &more) == 0;
}
bool mounts() { return mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 || chroot("/tmp") == 0; }
bool shrinks_memory() { return ftruncate(kMemory, 4096) == 0; }

[[noreturn]] void spins() {
  for (volatile std::uint64_t i = 0;; i = i + 1) {
  }
}
[[noreturn]] void floods() {
  for (;;) std::puts("a line that goes on and on and on and on and on and on and on and on and on and on and on");
}
[[noreturn]] void ignores_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  spins();
}

void send_all(const void* bytes, std::size_t size) { [[maybe_unused]] const auto sent = send(kSocket, bytes, size, MSG_NOSIGNAL); }

// Requests that no runtime makes. It may say what it will of itself; the session goes on.
bool lies() {
  void* p = nullptr;
  cudaMalloc(&p, 4096);
  struct {
    protocol::Head head;
    protocol::Launch launch;
    char name[3];
  } message{};
  message.head = {static_cast<std::uint32_t>(protocol::Request::launch), 0, sizeof message.launch + 3};
  message.launch.module = 77;
  message.launch.name_size = 0xffffffff;
  for (auto* of : {message.launch.grid, message.launch.block}) of[0] = of[1] = of[2] = 0xffffffff;
  send_all(&message, sizeof message.head + sizeof message.launch + 3);
  const protocol::Head endless{static_cast<std::uint32_t>(protocol::Request::module), 0, ~std::uint64_t{0}};
  send_all(&endless, sizeof endless);
  return false;
}
bool talks_nonsense() {
  std::string noise(100000, '\0');
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(i * 2654435761u >> 24);
  send_all(noise.data(), noise.size());
  return false;
}
bool hangs_up() {
  void* p = nullptr;
  cudaMalloc(&p, 4096);
  close(kSocket);
  return false;
}

struct Attempt {
  const char* name;
  bool (*reaches)();
};
constexpr Attempt kAttempts[] = {
    {"read", reads},           {"write", writes},     {"make", makes},         {"delete", deletes},
    {"link", links},           {"rights", changes_rights}, {"connect", connects}, {"local", connects_locally},
    {"fork", forks},           {"exec", executes},    {"ptrace", traces},      {"signal", signals_others},
    {"memory", allocates},     {"mount", mounts},     {"shrink", shrinks_memory}, {"lie", lies},
    {"nonsense", talks_nonsense}, {"hang_up", hangs_up}};

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  path = count > 2 ? words[2] : "/etc/passwd";
  if (what == "spin") spins();
  if (what == "flood") floods();
  if (what == "ignore") ignores_signals();
  for (const Attempt& attempt : kAttempts)
    if (what == attempt.name) std::puts(attempt.reaches() ? "reached" : "kept out");
}
