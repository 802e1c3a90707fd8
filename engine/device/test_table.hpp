// For tests: the project's own device table.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "engine/device/device.hpp"

namespace warplens::device {

inline Result<DeviceTable> project_table() {
  const std::string path = WARPLENS_SOURCE_DIR "/assets/devices.toml";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return DeviceTable::parse(text, path);
}

}  // namespace warplens::device
