#include "engine/base/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace warplens {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

off_t Descriptor::size() const {
  struct stat status {};
  return fstat(number_, &status) == 0 ? status.st_size : 0;
}

std::string Descriptor::text(off_t from, off_t most) const {
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(size() - from, 0, most)), '\0');
  const ssize_t got = pread(number_, text.data(), text.size(), from);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

Descriptor memory_file() { return Descriptor(memfd_create("warplens", MFD_CLOEXEC)); }

Result<Process> Process::start(Start start) {
  if (start.words.empty()) return Error{std::strerror(EINVAL), ""};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (start.own_session) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::vector<Descriptor> kept;
  for (const auto& [theirs, ours] : start.descriptors) {
    if (ours == kNull) {
      posix_spawn_file_actions_addopen(&actions, theirs, "/dev/null", O_RDWR, 0);
      continue;
    }
    // The low numbers could be closed in this program; then dup2 in the child would overwrite what it needs.
    kept.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, 10));
    posix_spawn_file_actions_adddup2(&actions, kept.back().number(), theirs);
  }
  auto words = pointers(start.words), environment = pointers(start.environment);
  pid_t child = 0;
  const bool all = std::ranges::all_of(kept, [](const Descriptor& one) { return one.number() >= 0; });
  const int failed = !all ? EBADF
                          : posix_spawn(&child, words.front(), &actions, &attributes, words.data(),
                                        start.environment.empty() ? environ : environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{std::strerror(failed), ""};
  return Process(child);
}

bool Process::wait(std::optional<double> seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds.value_or(0));
  while (!ended_) {
    const pid_t got = waitpid(child_, &status_, seconds ? WNOHANG : 0);
    ended_ = got == child_ || (got < 0 && errno != EINTR);
    if (ended_ || (seconds && Clock::now() > end)) break;
    if (seconds) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return ended_;
}

void Process::send_signal(int number) {
  if (!ended_) kill(child_, number);
}

void Process::end_session() {
  if (!ended_) kill(-child_, SIGKILL);
}

std::optional<int> Process::signal() const {
  return WIFSIGNALED(status_) ? std::optional(WTERMSIG(status_)) : std::nullopt;
}

int Process::exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

}  // namespace warplens
