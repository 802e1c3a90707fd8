// What a program did on its emulated GPU, in words and as JSON.
#pragma once

#include <string>

#include "app/program/program_end.hpp"
#include "engine/base/json_text.hpp"
#include "engine/device/device.hpp"
#include "engine/program/host_lines.hpp"
#include "engine/program/program_record.hpp"

namespace warplens::app {

struct ExecReport {
  const program::ProgramRecord& record;
  std::string program;
  const device::Device& device;
  ProgramEnd end;
  ProgramLimits limits;  // that it had
  double seconds = 0;    // from its start to its end
  bool is_confined = true;
  program::HostLines lines = {};
};
std::string to_text(const ExecReport& report);
Json to_json(const ExecReport& report);

}  // namespace warplens::app
