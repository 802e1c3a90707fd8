#include "engine/compile/guarded.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "engine/base/process.hpp"
#include "engine/compile/parcel.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostSeconds = 20, kMostBytes = rlim_t{2} << 30;

bool has_one_thread() {
  std::error_code failed;
  const fs::directory_iterator threads("/proc/self/task", failed);
  return !failed && std::distance(begin(threads), end(threads)) == 1;
}

// What this process has mapped already.
rlim_t bytes_mapped() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

std::string packed(const Result<Nvrtc::Outcome>& result) {
  Parcel parcel;
  if (!result) {
    const Error& error = result.error();
    for (const std::string& part : {std::string("error"), error.message, error.next_step, error.place.file,
                                    std::to_string(error.place.line)})
      parcel.add(part);
    return parcel.text();
  }
  const CompilerOutput& output = result->output;
  parcel.add(result->ok ? "ok" : "failed");
  parcel.add(output.ptx);
  parcel.add(std::string_view(reinterpret_cast<const char*>(output.cubin.data()), output.cubin.size()));
  parcel.add(output.log);
  parcel.add(output.compiler);
  return parcel.text();
}

Error stopped(const std::string& why, const std::string& file) {
  return {"the compilation was stopped: it took more than " + why,
          "look for a template, a macro or an unrolled loop without an end",
          {file, 0, 0}};
}

std::optional<Result<Nvrtc::Outcome>> unpacked(const std::string& text, const std::string& file) {
  Unpacking parts(text);
  const std::string kind = parts.next();
  if (kind == "error") {
    Error error{parts.next(), parts.next(), {parts.next(), 0, 0}};
    error.place.line = std::atoi(parts.next().c_str());
    if (error.message.find("OUT_OF_MEMORY") != std::string::npos) return stopped("2 GiB of memory", file);
    return parts.is_broken() ? std::nullopt : std::optional<Result<Nvrtc::Outcome>>(error);
  }
  Nvrtc::Outcome outcome;
  outcome.ok = kind == "ok";
  outcome.output.ptx = parts.next();
  const std::string cubin = parts.next();
  outcome.output.cubin.resize(cubin.size());
  std::memcpy(outcome.output.cubin.data(), cubin.data(), cubin.size());
  outcome.output.log = parts.next();
  outcome.output.compiler = parts.next();
  if (parts.is_broken()) return std::nullopt;
  if (!outcome.ok && outcome.output.log.find("out of memory") != std::string::npos)
    return stopped("2 GiB of memory", file);
  return outcome;
}

[[noreturn]] void run_child(const std::function<Result<Nvrtc::Outcome>()>& compile, rlim_t most_bytes,
                            int output) {
  const rlimit seconds{kMostSeconds, kMostSeconds + 1}, bytes{most_bytes, most_bytes}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &seconds), setrlimit(RLIMIT_AS, &bytes), setrlimit(RLIMIT_CORE, &no_core);
  signal(SIGXCPU, SIG_DFL), signal(SIGABRT, SIG_DFL);
  const int nothing = open("/dev/null", O_WRONLY);  // what the compiler itself says of its end
  if (nothing >= 0) dup2(nothing, 1), dup2(nothing, 2);
  try {
    const std::string text = packed(compile());
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

std::optional<Result<Nvrtc::Outcome>> compile_guarded(const std::function<Result<Nvrtc::Outcome>()>& compile,
                                                      const std::string& file_name,
                                                      const std::function<bool()>& is_stopped) {
  if (!has_one_thread()) return std::nullopt;
  const Descriptor answer = memory_file();
  if (!answer) return std::nullopt;
  const rlim_t most_bytes = bytes_mapped() + kMostBytes;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) run_child(compile, most_bytes, answer.number());
  int status = 0;
  bool stopped_it = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!stopped_it && is_stopped && is_stopped()) stopped_it = true, kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  if (stopped_it) return Error{"the compilation was stopped", ""};
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return stopped(std::to_string(kMostSeconds) + " seconds", file_name);
  if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) return stopped("2 GiB of memory", file_name);
  return unpacked(answer.text(), file_name);
}

}  // namespace warplens::compile
