// warplens exec: runs a CUDA program on the emulator; warplens nvcc: compiles one for it.
#include <fmt/format.h>
#include <signal.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/base/compiler_options.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/exec/compiled_program.hpp"
#include "app/commands/exec/exec_report.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/compile/nvrtc.hpp"
#include "engine/program/session.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Of our runtime: beside the program, where it is built and where it is installed.
fs::path runtime_folder(const Environment& environment) {
  return environment.executable.parent_path().parent_path() / "lib" / "warplens";
}

Result<program::Nvcc> nvcc_of(const Environment& environment, const fs::path& home) {
  std::vector<fs::path> search = {environment.executable.parent_path() / "cuda"};  // as ./run puts it
  for (const std::string& folder : {environment.cuda_path, environment.virtual_env})
    if (!folder.empty()) search.emplace_back(folder);
  return program::find_nvcc(search, environment.path, runtime_folder(environment),
                            home / "assets" / "programs");
}

// What the driver calls the device, and its memory: assets/programs/devices.toml.
struct Told {
  std::string name;
  std::uint64_t memory = std::uint64_t{16} << 30;
};
Told told_of(const device::Device& device, const fs::path& home) {
  Told told{device.name};
  const auto text = read_whole_file(home / "assets" / "programs" / "devices.toml");
  if (!text) return told;
  try {
    const toml::table table = parse_toml(*text);
    const auto row = table[device.id];
    told.name = row["name"].value_or(told.name);
    told.memory =
        static_cast<std::uint64_t>(row["memory_bytes"].value_or(static_cast<std::int64_t>(told.memory)));
  } catch (const toml::parse_error&) {
  }
  return told;
}

std::uint64_t most_memory(const ExecOptions& options, const Told& told) {
  if (options.memory_gb > 0) return static_cast<std::uint64_t>(options.memory_gb * (1 << 30));
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return told.memory;
  return std::min(told.memory, std::uint64_t{info.totalram} * info.mem_unit / 4 * 3);
}

// A folder of this run that goes with it.
class Scratch {
 public:
  Scratch() {
    std::error_code ignored;
    std::string name = (fs::temp_directory_path(ignored) / "warplens-exec-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

bool is_source(const fs::path& path) { return path.extension() == ".cu"; }

Result<fs::path> program_of(const CommonOptions& common, const ExecOptions& options,
                            const Environment& environment, const Workspace& workspace,
                            const device::Device& device, const fs::path& scratch) {
  const fs::path named = options.words.front();
  if (!is_source(named)) return named;
  const auto nvcc = nvcc_of(environment, workspace.home());
  if (!nvcc) return nvcc.error();
  const fs::path cache = cache_folder(environment, common);
  const fs::path folder = cache.empty() || common.no_cache ? scratch / "compiled" : cache / "programs";
  return compiled_program(*nvcc, named, options.nvcc, device.compute_capability, folder);
}

// The folders that the source and the program stand in, which it may read.
std::vector<fs::path> readable_of(const ExecOptions& options) {
  std::vector<fs::path> readable(options.read.begin(), options.read.end());
  std::error_code ignored;
  readable.push_back(fs::absolute(options.words.front(), ignored).parent_path());
  return readable;
}

program::StartOptions start_options(const ExecOptions& options, const fs::path& program,
                                    const Environment& environment, const CommonOptions& common,
                                    const fs::path& scratch) {
  program::StartOptions start;
  start.words = options.words;
  std::error_code ignored;
  start.words.front() = fs::absolute(program, ignored).string();
  start.libraries = runtime_folder(environment);
  start.confinement.is_on = !options.unconfined;
  start.confinement.readable = readable_of(options);
  start.confinement.writable.assign(options.write.begin(), options.write.end());
  start.scratch = scratch;
  const auto nvrtc = compile::find_nvrtc(compiler_options(environment, common));
  start.nvrtc = nvrtc.library;
  const auto headers = nvrtc.readable();
  start.confinement.readable.insert(start.confinement.readable.end(), headers.begin(), headers.end());
  return start;
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
  const auto program = program_of(common, options, environment, *workspace, *device, scratch.path());
  if (!program) return program.error();
  if (const auto right = program::check_runtime(*program); !right) return right.error();

  const Told told = told_of(*device, workspace->home());
  std::atomic<bool> cancel = false;
  Progress progress;
  auto session =
      program::Session::create({.device = *device,
                                .device_name = told.name,
                                .device_memory = told.memory,
                                .most_memory = most_memory(options, told),
                                .is_strict = options.strict,
                                .checks = options.check,
                                .repeats = options.repeats,
                                .sample = options.sample,
                                .cancel = &cancel,
                                .on_launch = [&](std::string_view kernel) { progress.begin(kernel); }});
  if (!session) return session.error();
  const auto begin = Clock::now();
  auto started = program::start(start_options(options, *program, environment, common, scratch.path()),
                                (*session)->memory_file());
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
                          program::HostLines::read(*program)};
  if (const auto said = say(report, options.json); !said) return said.error();
  return code == 0 && program::has_error((*session)->record()) ? kExitFindings : code;
}

Result<int> nvcc_command(const std::vector<std::string>& words) {
  const Environment environment = read_environment();
  const auto workspace = Workspace::open({});
  if (!workspace) return workspace.error();
  const auto device = workspace->device(ExecOptions{}.device);
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
