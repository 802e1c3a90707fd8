// For the tests of figures: golden SVGs and devices of the table. Golden files are written again with
// WARPLENS_WRITE_GOLDEN=1; look at them before committing.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "engine/base/testing/places.hpp"
#include "engine/run/testing/run_support.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/testing/contrast.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

inline const std::string kRoot = source_path();

inline std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using run::device_named;

inline scene::Size least_of(std::string_view figure) { return find_figure(figure)->least; }

// The first lines that differ: a picture has thousands.
inline std::string first_difference(const std::string& now, const std::string& kept) {
  std::istringstream a(now), b(kept);
  std::string line_a, line_b;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a)),
               more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "no line differs";
    if (more_a != more_b || line_a != line_b)
      return "line " + std::to_string(line) + "\n  now  " + (more_a ? line_a : "ends") + "\n  kept " +
             (more_b ? line_b : "ends");
  }
}

inline void expect_golden(const scene::Scene& scene, const std::string& name) {
  const auto svg = paint::to_svg(scene, theme::light(), scene::FixedMeasure{});
  ASSERT_TRUE(svg) << to_line(svg.error());
  const std::string path = kRoot + "/viz/testdata/figures/" + name + ".svg";
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) std::ofstream(path) << *svg;
  const std::string kept = read(path);
  EXPECT_TRUE(*svg == kept) << path << "\n" << first_difference(*svg, kept);
  expect_contrast(scene, scene::FixedMeasure{});
}

}  // namespace warplens::figures
