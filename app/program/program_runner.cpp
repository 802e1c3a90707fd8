#include "app/program/program_runner.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "app/program/program_setup.hpp"
#include "app/program/program_watch.hpp"
#include "app/program/record_words.hpp"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;
// So often the window is told of launches while it runs.
constexpr auto kBetweenNews = 150ms;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

// What the program writes, read as it comes, so that it never waits for us.
class ProgramRunner::Output {
 public:
  explicit Output(ProgramRunner& runner) : runner_(runner) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    ours_ = Descriptor(ends[0]), theirs_ = Descriptor(ends[1]);
  }
  int end() const { return theirs_.number(); }
  void begin() {
    theirs_ = Descriptor();
    thread_ = std::jthread([this](const std::stop_token& stop) { read_all(stop); });
  }

 private:
  void read_all(const std::stop_token& stop) {
    std::array<char, 1 << 16> part{};
    pollfd waits{ours_.number(), POLLIN, 0};
    while (true) {
      const int ready = poll(&waits, 1, 50);
      if (ready == 0 && stop.stop_requested()) return;  // a child of its own may hold the other end
      if (ready <= 0) continue;
      const ssize_t size = read(ours_.number(), part.data(), part.size());
      if (size <= 0) return;
      runner_.change([&](ProgramRun& run) { add(run, {part.data(), static_cast<std::size_t>(size)}); });
    }
  }
  static void add(ProgramRun& run, std::string_view text) {
    run.output += text;
    if (run.output.size() <= kMostOutput) return;
    const std::size_t lost = run.output.size() - kMostOutput;
    run.output.erase(0, lost);
    run.output_lost += lost;
  }

  ProgramRunner& runner_;
  Descriptor ours_, theirs_;
  std::jthread thread_;
};

ProgramRunner::ProgramRunner(CommonOptions common, std::function<void()> wake)
    : common_(std::move(common)), wake_(std::move(wake)) {}

ProgramRunner::~ProgramRunner() { cancel(); }

void ProgramRunner::cancel() { cancel_ = true; }

void ProgramRunner::start(ProgramOptions options, std::set<std::uint64_t> keep) {
  cancel();
  if (thread_.joinable()) thread_.join();
  cancel_ = false;
  {
    const std::lock_guard lock(mutex_);
    run_ = {};
    run_.stage = ProgramRun::Stage::compiling;
    started_ = woken_ = Clock::now();
  }
  ++version_;
  thread_ =
      std::jthread([this, options = std::move(options), keep = std::move(keep)] { work(options, keep); });
}

ProgramRun ProgramRunner::run() const {
  const std::lock_guard lock(mutex_);
  return run_;
}

ProgramRunner::Elapsed ProgramRunner::elapsed() const {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  return {run_.is_busy() ? seconds_between(started_, now) : 0,
          run_.kernel.empty() ? 0 : seconds_between(kernel_started_, now)};
}

void ProgramRunner::change(const std::function<void(ProgramRun&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(run_);
  }
  ++version_;
  if (wake_) wake_();
}

void ProgramRunner::note_launch(std::string_view kernel, const program::ProgramRecord& record) {
  bool is_news = false;
  {
    const std::lock_guard lock(mutex_);
    run_.launches += !kernel.empty();
    run_.kernel = kernel;
    kernel_started_ = Clock::now();
    is_news = kernel_started_ - woken_ > kBetweenNews;
    if (is_news) woken_ = kernel_started_;
  }
  if (is_news)
    change([copy = std::make_shared<const program::ProgramRecord>(record)](ProgramRun& run) {
      run.record = copy;
    });
}

void ProgramRunner::work(const ProgramOptions& options, const std::set<std::uint64_t>& keep) {
  const Status done = compile_and_run(options, keep);
  change([&](ProgramRun& run) {
    run.stage = ProgramRun::Stage::ended;
    run.seconds = seconds_between(started_, Clock::now());
    run.kernel.clear();
    if (!done) run.error = done.error();
  });
}

Status ProgramRunner::compile_and_run(const ProgramOptions& options, const std::set<std::uint64_t>& keep) {
  const auto workspace = Workspace::open(common_);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.device);
  if (!device) return device.error();
  const Scratch scratch;
  const Environment environment = read_environment();
  auto setup = set_up({common_, options, environment, *workspace, *device, scratch.path(), &cancel_});
  if (!setup) return setup.error();
  program::Session* served = nullptr;
  setup->session.most_kept = kMostKeptOfLaunches;
  setup->session.keep = keep;
  setup->session.cancel = &cancel_;
  setup->session.on_launch = [&](std::string_view kernel) { note_launch(kernel, served->record()); };
  auto session = program::Session::create(setup->session);
  if (!session) return session.error();
  served = session->get();
  Output output(*this);
  setup->start.output = output.end();
  auto started = program::start(setup->start, (*session)->memory_file());
  if (!started) return started.error();
  change([](ProgramRun& run) { run.stage = ProgramRun::Stage::running; });
  output.begin();
  std::string stopped;
  int code = 0;
  {
    const ProgramWatch watch(*started, cancel_, [&](double seconds) -> std::optional<std::string> {
      if (cancel_) return "stopped by you";
      if (seconds > options.seconds)
        return "stopped: it took longer than " + long_time_words(options.seconds);
      return std::nullopt;
    });
    (*session)->serve(started->socket());
    code = started->wait();
    stopped = watch.why();
  }
  auto record = std::make_shared<const program::ProgramRecord>((*session)->record());
  auto lines = program::HostLines::read(setup->program);
  change([&](ProgramRun& run) {
    run.record = std::move(record);
    run.lines = std::move(lines);
    run.exit_code = code;
    run.signal = started->signal();
    run.stopped = stopped;
  });
  return Done{};
}

}  // namespace warplens::app
