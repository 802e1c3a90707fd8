// How a program ended: by itself, by the user, or by one of its limits.
#pragma once

#include <optional>
#include <string>

#include "app/base/program_options.hpp"
#include "engine/program/program_record.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {

enum class Stop : std::uint8_t { by_user, time, output };

struct ProgramEnd {
  int exit_code = 0;             // 128 + the signal where one ended it
  std::optional<int> signal;     // that ended it
  std::optional<Stop> stop;      // why we stopped it; nothing: we did not
  std::optional<LimitId> limit;  // that ended it; or that it ran into, where it ended badly
};

// started: has ended. record: of its session.
ProgramEnd end_of(const program::Started& started, int exit_code, std::optional<Stop> stop,
                  const program::ProgramRecord& record, const ProgramOptions& options);

// "exit code 0", "ended by Killed"
std::string end_words(const ProgramEnd& end);
// "stopped: it took longer than an hour", "exit code 1: it asked for more than its 2 GiB of device memory", "stopped by you";
// empty where none of that ended it.
std::string stop_words(const ProgramEnd& end, const ProgramLimits& limits);
// What `exec` and documents call it: "--host-memory".
std::string option_of(const Limit& limit);

}  // namespace warplens::app
