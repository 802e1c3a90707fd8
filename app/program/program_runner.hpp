// A program that runs beside the window, on a thread of its own: compiled, started confined, served until it ends. What is
// known of it by now can be asked for at any time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "app/base/options.hpp"
#include "app/base/program_options.hpp"
#include "app/program/program_end.hpp"
#include "engine/base/result.hpp"
#include "engine/program/host_lines.hpp"
#include "engine/program/program_record.hpp"

namespace warplens::app {

struct ProgramRun {
  enum class Stage : std::uint8_t { none, compiling, running, ended };
  Stage stage = Stage::none;
  double seconds = 0;          // that it took
  std::uint64_t launches = 0;  // begun
  std::string kernel;          // that runs now; empty: none does
  // What it did; while it runs, up to some launch. Null: nothing yet.
  std::shared_ptr<const program::ProgramRecord> record;
  std::string output;             // on stdout and stderr, the last kMostOutput bytes
  std::uint64_t output_lost = 0;  // bytes before those
  // Once it has ended.
  std::optional<Error> error;  // why it did not compile or start
  ProgramEnd end;
  ProgramLimits limits;  // that it had
  program::HostLines lines;

  bool is_busy() const { return stage == Stage::compiling || stage == Stage::running; }
};
inline constexpr std::size_t kMostOutput = 256 << 10;
// Bytes of memory that launches keep, of all of them.
inline constexpr std::uint64_t kMostKeptOfLaunches = std::uint64_t{1} << 30;

class ProgramRunner {
 public:
  // wake: called from the thread when there is something to draw; may be empty.
  ProgramRunner(CommonOptions common, std::function<void()> wake);
  ~ProgramRunner();  // stops what runs
  // keep: launches whose memory is wanted, beside the first of each kernel and shape. What runs is stopped first.
  void start(ProgramOptions options, std::set<std::uint64_t> keep);
  void cancel();
  // Changes with everything that run() would say anew, but for seconds.
  std::uint64_t version() const { return version_; }
  ProgramRun run() const;
  // Since it was started, and since the kernel that runs was; 0 of what does not run.
  struct Elapsed {
    double run = 0, kernel = 0;
  };
  Elapsed elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  class Output;
  void work(const ProgramOptions& options, const std::set<std::uint64_t>& keep);
  Status compile_and_run(const ProgramOptions& options, const std::set<std::uint64_t>& keep);
  void change(const std::function<void(ProgramRun&)>& change);
  void note_launch(std::string_view kernel, const program::ProgramRecord& record);

  CommonOptions common_;
  std::function<void()> wake_;
  std::atomic<bool> cancel_ = false;
  std::atomic<std::uint64_t> version_ = 0;
  mutable std::mutex mutex_;  // guards the next four
  ProgramRun run_;
  Clock::time_point started_, kernel_started_, woken_;
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace warplens::app
