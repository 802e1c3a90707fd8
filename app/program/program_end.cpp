#include "app/program/program_end.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>

#include "app/program/record_words.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {
namespace {

// Limits of the system's (engine/program/start.cpp): SIGKILL where its time of the processor is over, SIGXFSZ where a file is full.
std::optional<LimitId> limit_of_host(const program::Started& started, const ProgramOptions& options) {
  if (options.unconfined) return std::nullopt;
  if (started.signal() == SIGXFSZ) return LimitId::output;
  constexpr double kTick = 1;  // the system looks at whole seconds
  const bool is_over = started.processor_seconds() >= options.limits.host_seconds - kTick;
  if (started.signal() == SIGKILL && is_over) return LimitId::host_time;
  return std::nullopt;
}

std::optional<LimitId> limit_of_end(const program::Started& started, const ProgramEnd& end,
                                    const program::ProgramRecord& record, const ProgramOptions& options) {
  if (end.stop == Stop::time) return LimitId::time;
  if (end.stop == Stop::output) return LimitId::output;
  if (end.stop == Stop::by_user || end.exit_code == 0) return std::nullopt;
  if (const auto limit = limit_of_host(started, options)) return limit;
  if (record.refused_memory > 0) return LimitId::memory;
  if (record.host_is_out_of_memory && !options.unconfined) return LimitId::host_memory;
  return std::nullopt;
}

}  // namespace

ProgramEnd end_of(const program::Started& started, int exit_code, std::optional<Stop> stop,
                  const program::ProgramRecord& record, const ProgramOptions& options) {
  ProgramEnd end{exit_code, started.signal(), stop, std::nullopt};
  end.limit = limit_of_end(started, end, record, options);
  return end;
}

std::string end_words(const ProgramEnd& end) {
  if (end.signal) return fmt::format("ended by {}", strsignal(*end.signal));
  return fmt::format("exit code {}", end.exit_code);
}

std::string stop_words(const ProgramEnd& end, const ProgramLimits& limits) {
  if (!end.limit) return end.stop == Stop::by_user ? "stopped by you" : "";
  const double value = limits.*limit_of(*end.limit).value;
  switch (*end.limit) {
    case LimitId::time:
      return "stopped: it took longer than " + long_time_words(value);
    case LimitId::host_time:
      return fmt::format("stopped: its host code took {} of the processor", long_time_words(value));
    case LimitId::memory:
      return end_words(end) +
             (value > 0 ? fmt::format(": it asked for more than its {:g} GiB of device memory", value)
                        : ": it asked for more device memory than three quarters of this computer's");
    case LimitId::host_memory:
      return fmt::format("{}: its host code asked for more than its {:g} GiB of memory", end_words(end),
                         value);
    case LimitId::output:
      return fmt::format("stopped: it wrote more than {:g} GiB", value);
  }
  return "";
}

std::string option_of(const Limit& limit) {
  std::string option = std::string("--") + limit.name;
  std::ranges::replace(option, '_', '-');
  return option;
}

}  // namespace warplens::app
