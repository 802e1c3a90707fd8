#include "engine/compile/guarded.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "engine/base/process.hpp"
#include "engine/compile/confine.hpp"
#include "engine/compile/outcome_parcel.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostSeconds = 20, kMostBytes = rlim_t{2} << 30;

// What this process has mapped already.
rlim_t bytes_mapped() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

Error stopped(const std::string& why, const std::string& file) {
  return {"the compilation was stopped: it took more than " + why,
          "look for a template, a macro or an unrolled loop without an end",
          {file, 0, 0}};
}

// What the compiler said of its memory is said as a limit.
std::optional<Result<Nvrtc::Outcome>> answer_of(const std::string& text, const std::string& file) {
  auto answer = unpacked_outcome(text);
  if (!answer) return std::nullopt;
  const bool no_memory =
      *answer ? !(*answer)->ok && (*answer)->output.log.find("out of memory") != std::string::npos
              : answer->error().code == ErrorCode::out_of_memory;
  return no_memory ? std::optional<Result<Nvrtc::Outcome>>(stopped("2 GiB of memory", file))
                   : std::move(answer);
}

[[noreturn]] void run_child(const Compilation& compile, const Limits& limits, rlim_t most_bytes, int output) {
  const rlimit seconds{kMostSeconds, kMostSeconds + 1}, bytes{most_bytes, most_bytes}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &seconds), setrlimit(RLIMIT_AS, &bytes), setrlimit(RLIMIT_CORE, &no_core);
  signal(SIGXCPU, SIG_DFL), signal(SIGABRT, SIG_DFL);
  const int nothing = open("/dev/null", O_WRONLY);  // what the compiler itself says of its end
  if (nothing >= 0) dup2(nothing, 1), dup2(nothing, 2);
  if (limits.nice > 0) static_cast<void>(setpriority(PRIO_PROCESS, 0, limits.nice));
  confine_this_thread(limits.readable);
  try {
    const std::string text = packed_outcome(compile());
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(output, text.data() + at, text.size() - at);
      if (written <= 0) _exit(2);
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  } catch (...) {
    _exit(2);
  }
}

}  // namespace

int niceness() { return std::max(0, getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()))); }

bool has_one_thread() {
  std::error_code failed;
  const fs::directory_iterator threads("/proc/self/task", failed);
  return !failed && std::distance(begin(threads), end(threads)) == 1;
}

std::optional<Result<Nvrtc::Outcome>> compile_guarded(const Compilation& compile, const Limits& limits) {
  if (!has_one_thread()) return std::nullopt;
  const Descriptor answer = memory_file();
  if (!answer) return std::nullopt;
  const rlim_t most_bytes = bytes_mapped() + kMostBytes;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) run_child(compile, limits, most_bytes, answer.number());
  int status = 0;
  bool stopped_it = false, took_long = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kMostSecondsOfClock);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!took_long && std::chrono::steady_clock::now() > end) took_long = true, kill(child, SIGKILL);
    if (!stopped_it && limits.is_stopped && limits.is_stopped()) stopped_it = true, kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  if (stopped_it) return Error{"the compilation was stopped", ""};
  if (took_long)
    return stopped(std::to_string(kMostSecondsOfClock) + " seconds on a machine that does much else",
                   limits.file_name);
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return stopped(std::to_string(kMostSeconds) + " seconds", limits.file_name);
  if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) return stopped("2 GiB of memory", limits.file_name);
  return answer_of(answer.text(), limits.file_name);
}

Result<Nvrtc::Outcome> compile_confined(const Compilation& compile, const Limits& limits) {
  if (!can_confine()) return compile();
  std::optional<Result<Nvrtc::Outcome>> outcome;
  std::jthread([&] {
    confine_this_thread(limits.readable);
    outcome = compile();
  }).join();
  return *std::move(outcome);
}

}  // namespace warplens::compile
