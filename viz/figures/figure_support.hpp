// For the tests of figures: golden SVGs and chips of the device table. Golden files are written anew with
// WARPLENS_WRITE_GOLDEN=1; look at them before committing.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "engine/device/device.hpp"
#include "viz/paint/svg.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

inline const std::string kRoot = WARPLENS_SOURCE_DIR;

inline std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline device::Device chip(std::string_view id) {
  return *device::DeviceTable::parse(read(kRoot + "/assets/devices.toml"), "devices.toml")->find(id);
}

inline void expect_golden(const scene::Scene& scene, const std::string& name) {
  const auto svg = paint::to_svg(scene, theme::light(), scene::FixedMeasure{});
  ASSERT_TRUE(svg) << to_line(svg.error());
  const std::string path = kRoot + "/viz/testdata/figures/" + name + ".svg";
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) std::ofstream(path) << *svg;
  EXPECT_EQ(*svg, read(path)) << path;
}

}  // namespace warplens::figures
