// For tests: the project's own device table.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "engine/base/testing/places.hpp"
#include "engine/device/device.hpp"

namespace warplens::device {

inline Result<DeviceTable> project_table() {
  const std::string path = source_path("assets/devices.toml");
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return DeviceTable::parse(text, path);
}

}  // namespace warplens::device
