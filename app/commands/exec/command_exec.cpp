// warplens exec: runs a CUDA program on the emulator; warplens nvcc: compiles one for it.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/exec/exec_report.hpp"
#include "app/program/program_setup.hpp"
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
  std::string words(Clock::time_point start) const {
    const std::lock_guard lock(mutex_);
    const auto seconds = [](Clock::time_point from) {
      return std::chrono::duration<double>(Clock::now() - from).count();
    };
    const std::string now =
        kernel_.empty() ? fmt::format("{} launches, no kernel runs", launches_)
                        : fmt::format("launch {}, of {}, for {:.0f} s", launches_, kernel_, seconds(since_));
    return fmt::format("warplens: runs for {:.0f} s; {}\n", seconds(start), now);
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t launches_ = 0;
  std::string kernel_;
  Clock::time_point since_;
};

// Ends the program, and the kernel that runs, when its time is up or the user presses Ctrl+C; says every ten seconds that it runs.
class Watch {
 public:
  Watch(const program::Started& started, double seconds, std::atomic<bool>& cancel, const Progress& progress)
      : thread_([this, &started, seconds, &cancel, &progress] { wait(started, seconds, cancel, progress); }) {
  }
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
  }
  std::string why() const {
    if (why_ == Why::time) return "stopped: it took longer than --time allows";
    return why_ == Why::user ? "stopped by the user" : "";
  }

 private:
  enum class Why { none, time, user };
  // The signal waits, blocked, until it is asked for.
  static bool was_interrupted() {
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1;
  }
  void wait(const program::Started& started, double seconds, std::atomic<bool>& cancel,
            const Progress& progress) {
    using namespace std::chrono_literals;
    const auto start = Clock::now();
    auto next_word = start + 10s;
    const auto end =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, 50ms, [this] { return is_over_; })) {
      if (Clock::now() > next_word) {
        next_word += 10s;
        fmt::print(stderr, "{}", progress.words(start));
      }
      why_ = was_interrupted() ? Why::user : Clock::now() > end ? Why::time : Why::none;
      if (why_ == Why::none) continue;
      cancel = true;
      started.stop();
      return;
    }
  }
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::atomic<Why> why_ = Why::none;
  std::jthread thread_;
};

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
  std::string stopped;
  int code = 0;
  {
    const Watch watch(*started, options.seconds, cancel, progress);
    (*session)->serve(started->socket());
    code = started->wait();
    stopped = watch.why();
  }
  const ExecReport report{(*session)->record(),
                          options.words.front(),
                          *device,
                          code,
                          started->signal(),
                          stopped,
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
