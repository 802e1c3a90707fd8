#include "app/program/program_runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <utility>

#include "app/program/program_setup.hpp"
#include "app/program/program_watch.hpp"
#include "engine/base/printable.hpp"

namespace warplens::app {
namespace {

using namespace std::chrono_literals;
// So often the window is told of launches while it runs.
constexpr auto kBetweenNews = 150ms;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// What it reads on stdin, from its beginning.
Result<Descriptor> open_input(const ProgramInput& input) {
  if (!input.file.empty()) {
    std::error_code failed;
    const bool is_file = std::filesystem::is_regular_file(input.file, failed);
    Descriptor file(is_file ? ::open(input.file.c_str(), O_RDONLY | O_CLOEXEC) : -1);
    if (!file)
      return Error{fmt::format("its standard input, {}, cannot be read", printable(input.file)),
                   "choose another file, or type what it reads"};
    return file;
  }
  Descriptor text = memory_file();
  const std::string& all = input.text;
  if (!text || write(text.number(), all.data(), all.size()) != std::ssize(all) ||
      lseek(text.number(), 0, SEEK_SET) != 0)
    return Error{"the system gives no file for its standard input", "free memory"};
  return text;
}

}  // namespace

// What the program writes, read as it comes, so that it never waits for us.
class ProgramRunner::Output {
 public:
  // most: bytes that the program may write.
  Output(ProgramRunner& runner, double most) : runner_(runner), most_(most) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    ours_ = Descriptor(ends[0]), theirs_ = Descriptor(ends[1]);
  }
  int end() const { return theirs_.number(); }
  bool is_too_much() const { return is_too_much_; }
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
      written_ += static_cast<double>(size);
      is_too_much_ = written_ > most_;
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
  const double most_;
  double written_ = 0;
  std::atomic<bool> is_too_much_ = false;
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
  auto input = open_input(options.input);
  if (!input) return input.error();
  constexpr double kGiB = 1 << 30;
  Output output(*this, options.limits.output_gb * kGiB);
  setup->start.input = input->number();
  setup->start.output = output.end();
  std::error_code ignored;
  setup->start.folder = std::filesystem::absolute(options.words.front(), ignored).parent_path();
  auto started = program::start(setup->start, (*session)->memory_file());
  if (!started) return started.error();
  change([](ProgramRun& run) { run.stage = ProgramRun::Stage::running; });
  output.begin();
  std::optional<Stop> stop;
  int code = 0;
  {
    const ProgramWatch watch(*started, cancel_, [&](double seconds) -> std::optional<Stop> {
      if (cancel_) return Stop::by_user;
      if (seconds > options.limits.seconds) return Stop::time;
      if (output.is_too_much()) return Stop::output;
      return std::nullopt;
    });
    (*session)->serve(started->socket());
    code = started->wait();
    stop = watch.why();
  }
  auto record = std::make_shared<const program::ProgramRecord>((*session)->record());
  auto lines = program::HostLines::read(setup->program);
  change([&](ProgramRun& run) {
    run.record = std::move(record);
    run.lines = std::move(lines);
    run.end = end_of(*started, code, stop, *run.record, options);
    run.limits = options.limits;
  });
  return Done{};
}

}  // namespace warplens::app
