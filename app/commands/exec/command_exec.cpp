// warplens exec: runs a CUDA program on the emulator; warplens nvcc: compiles one for it.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/exec/exec_report.hpp"
#include "app/program/program_setup.hpp"
#include "app/program/program_watch.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/program/session.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {
namespace {

using Clock = std::chrono::steady_clock;

// What runs, told by the session and asked for by whoever waits.
class Progress {
 public:
  void begin(std::string_view kernel) {
    const std::lock_guard lock(mutex_);
    launches_ += !kernel.empty();
    kernel_ = kernel;
    since_ = Clock::now();
  }
  // "warplens: runs for 20 s; launch 57, of init_array, for 3 s"
  std::string words(double seconds) const {
    const std::lock_guard lock(mutex_);
    const double of_kernel = std::chrono::duration<double>(Clock::now() - since_).count();
    const std::string now =
        kernel_.empty() ? fmt::format("{} launches, no kernel runs", launches_)
                        : fmt::format("launch {}, of {}, for {:.0f} s", launches_, kernel_, of_kernel);
    return fmt::format("warplens: runs for {:.0f} s; {}\n", seconds, now);
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t launches_ = 0;
  std::string kernel_;
  Clock::time_point since_;
};

// The signal waits, blocked, until it is asked for.
bool was_interrupted() {
  sigset_t waiting;
  sigpending(&waiting);
  return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1;
}

// Its time is up, or the user pressed Ctrl+C. Says every ten seconds that it runs.
ProgramWatch::WhyStop why_stop(double most_seconds, const Progress& progress) {
  return [most_seconds, &progress, next_word = 10.0](double seconds) mutable -> std::optional<Stop> {
    if (seconds > next_word) {
      next_word += 10;
      fmt::print(stderr, "{}", progress.words(seconds));
    }
    if (was_interrupted()) return Stop::by_user;
    if (seconds > most_seconds) return Stop::time;
    return std::nullopt;
  };
}

void block_interrupts() {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int number : {SIGINT, SIGTERM}) sigaddset(&blocked, number);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
}

Status say(const ExecReport& report, const std::string& json) {
  if (!json.empty()) return write_whole_file(json, warplens::to_text(to_json(report)));
  std::fflush(stdout);
  fmt::print(stderr, "{}", to_text(report));
  return Done{};
}

}  // namespace

Result<int> exec_command(const CommonOptions& common, const ExecOptions& options) {
  if (options.words.empty()) return Error{"no program is named", "warplens exec FILE.cu, or ./program"};
  const Environment environment = read_environment();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.device);
  if (!device) return device.error();
  const Scratch scratch;
  auto setup = set_up({common, options, environment, *workspace, *device, scratch.path()});
  if (!setup) return setup.error();
  std::atomic<bool> cancel = false;
  Progress progress;
  setup->session.cancel = &cancel;
  setup->session.on_launch = [&](std::string_view kernel) { progress.begin(kernel); };
  auto session = program::Session::create(setup->session);
  if (!session) return session.error();
  const auto begin = Clock::now();
  auto started = program::start(setup->start, (*session)->memory_file());
  if (!started) return started.error();
  block_interrupts();
  std::optional<Stop> stop;
  int code = 0;
  {
    const ProgramWatch watch(*started, cancel, why_stop(options.limits.seconds, progress));
    (*session)->serve(started->socket());
    code = started->wait();
    stop = watch.why();
  }
  const ExecReport report{(*session)->record(),
                          options.words.front(),
                          *device,
                          end_of(*started, code, stop, (*session)->record(), options),
                          options.limits,
                          std::chrono::duration<double>(Clock::now() - begin).count(),
                          !options.unconfined,
                          program::HostLines::read(setup->program)};
  if (const auto said = say(report, options.json); !said) return said.error();
  return code == 0 && program::has_error((*session)->record()) ? kExitFindings : code;
}

Result<int> nvcc_command(const std::vector<std::string>& words) {
  const Environment environment = read_environment();
  const auto workspace = Workspace::open({});
  if (!workspace) return workspace.error();
  const auto device = workspace->device(ProgramOptions().device);
  if (!device) return device.error();
  const auto nvcc = nvcc_of(environment, workspace->home());
  if (!nvcc) return nvcc.error();
  std::vector<std::string> all = program::nvcc_words(*nvcc, words, device->compute_capability);
  std::vector<char*> places;
  for (std::string& word : all) places.push_back(word.data());
  places.push_back(nullptr);
  execv(places.front(), places.data());
  return Error{nvcc->program.string() + " does not start", "install a CUDA 13 toolkit"};
}

}  // namespace warplens::app
