#include "engine/program/start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "engine/base/whole_file.hpp"
#include "engine/program/confine_program.hpp"
#include "runtime/protocol/protocol.hpp"

namespace warplens::program {
namespace {

namespace fs = std::filesystem;

// All that the child needs, made before it is there: in it there are only system calls.
struct Prepared {
  std::vector<std::string> words, environment;
  std::vector<char*> word_places, environment_places;
  Descriptor rules;
  std::vector<sock_filter> filter;
  Limits limits;
  bool is_confined = true;
  int socket = -1, memory = -1, failure = -1, output = -1, input = -1;
  std::string folder;
};

std::vector<char*> places_of(std::vector<std::string>& texts) {
  std::vector<char*> places;
  for (std::string& text : texts) places.push_back(text.data());
  places.push_back(nullptr);
  return places;
}

// The user's, but for what leads the loader elsewhere.
std::vector<std::string> environment_of(const StartOptions& options) {
  std::vector<std::string> list;
  std::string libraries = options.libraries.string();
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one, name = text.substr(0, text.find('='));
    if (name == "LD_LIBRARY_PATH" && text.size() > name.size() + 1)
      libraries += ":" + std::string(text.substr(name.size() + 1));
    else if (name != "LD_PRELOAD" && name != "LD_AUDIT" && (name != "TMPDIR" || options.scratch.empty()))
      list.emplace_back(text);
  }
  list.push_back("LD_LIBRARY_PATH=" + libraries);
  if (!options.scratch.empty()) list.push_back("TMPDIR=" + options.scratch.string());
  for (const auto& [variable, library] : options.forwarded) list.push_back(variable + "=" + library.string());
  return list;
}

void limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// In the child. Never returns: where something fails it sends the number of the error.
[[noreturn]] void become(Prepared& prepared) {
  constexpr int kSocket = 198, kMemory = 199;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(prepared.socket, kSocket);
  dup2(prepared.memory, kMemory);
  if (prepared.input >= 0) dup2(prepared.input, 0);
  if (prepared.output >= 0) {
    dup2(prepared.output, 1);
    dup2(prepared.output, 2);
  }
  limit(RLIMIT_CORE, 0);
  if (prepared.is_confined) {
    limit(RLIMIT_DATA, prepared.limits.memory);
    limit(RLIMIT_FSIZE, prepared.limits.file);
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(prepared.limits.processor_seconds));
  }
  int error = 0;
  if (!prepared.folder.empty() && chdir(prepared.folder.c_str()) != 0) error = errno;
  if (error == 0 && prepared.is_confined && !lay_on(prepared.rules, prepared.filter)) error = errno;
  if (error == 0) {
    execve(prepared.words.front().c_str(), prepared.word_places.data(), prepared.environment_places.data());
    error = errno;
  }
  [[maybe_unused]] const auto sent = write(prepared.failure, &error, sizeof error);
  _exit(127);
}

Result<Prepared> prepare(const StartOptions& options) {
  Prepared prepared;
  prepared.words = options.words;
  prepared.environment = environment_of(options);
  prepared.environment.push_back(std::string(protocol::kVariable) + "=198,199");
  prepared.word_places = places_of(prepared.words);
  prepared.environment_places = places_of(prepared.environment);
  prepared.limits = options.limits;
  prepared.is_confined = options.confinement.is_on;
  prepared.output = options.output;
  prepared.input = options.input;
  prepared.folder = options.folder.string();
  if (!prepared.is_confined) return prepared;
  std::error_code ignored;
  const fs::path program = fs::absolute(options.words.front(), ignored);
  std::vector<fs::path> readable = options.confinement.readable, writable = options.confinement.writable;
  readable.insert(readable.end(), {program.parent_path(), options.libraries});
  for (const auto& [variable, library] : options.forwarded) readable.push_back(library);
  if (!options.scratch.empty()) writable.push_back(options.scratch);
  prepared.rules = landlock_rules(program, readable, writable);
  if (!prepared.rules)
    return Error{"this system cannot keep the program from your files (it has no Landlock, Linux 5.13 on)",
                 "add --unconfined if you trust it"};
  prepared.filter = system_call_filter();
  return prepared;
}

Error cannot_start(const std::string& program, int error) {
  return {fmt::format("{} does not start: {}", program, std::strerror(error)),
          error == ENOENT ? "give the path of a program or of a .cu file" : ""};
}

}  // namespace

bool can_confine_programs() { return has_landlock(); }

Result<Started> start(const StartOptions& options, const Descriptor& memory) {
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  int pair[2], pipe_ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 || pipe2(pipe_ends, O_CLOEXEC) != 0)
    return cannot_start(options.words.front(), errno);
  Descriptor ours(pair[0]), theirs(pair[1]), failure(pipe_ends[0]), failing(pipe_ends[1]);
  prepared->socket = theirs.number();
  prepared->memory = memory.number();
  prepared->failure = failing.number();
  const pid_t child = fork();
  if (child < 0) return cannot_start(options.words.front(), errno);
  if (child == 0) become(*prepared);
  theirs = Descriptor();
  failing = Descriptor();
  int error = 0;
  if (read(failure.number(), &error, sizeof error) == sizeof error) {
    waitpid(child, nullptr, 0);
    return cannot_start(options.words.front(), error);
  }
  return Started(child, std::move(ours));
}

void Started::stop() const { kill(child_, SIGKILL); }

int Started::wait() {
  int status = 0;
  rusage used{};
  while (wait4(child_, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  processor_seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// The names of the libraries that a program asks for stand in it as they are.
Status check_runtime(const fs::path& program) {
  const auto bytes = read_whole_file(program);
  if (!bytes) return bytes.error();
  const auto has = [&](std::string_view text) { return bytes->find(text) != std::string::npos; };
  if (!bytes->starts_with("\x7f"
                          "ELF"))
    return Done{};  // the system says what it is
  if (has(std::string_view("libcudart.so.13\0", 16))) return Done{};
  if (has("libcudart.so."))
    return Error{program.string() + " asks for the runtime of another CUDA than 13",
                 "build it again with nvcc of CUDA 13"};
  // A program of the driver's interface has a fat binary too; the name of this error is the runtime's alone.
  if (has(".nv_fatbin") && has("cudaErrorCudartUnloading"))
    return Error{program.string() + " has CUDA's runtime inside",
                 "build it with 'warplens nvcc', or with nvcc -cudart shared"};
  return Done{};
}

}  // namespace warplens::program
