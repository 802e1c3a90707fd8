// For tests: the project's devices, lane patterns, and measured tables as rows of named fields.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "engine/analysis/access.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::analysis {

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}
inline std::string testdata(const std::string& name) {
  return source_path("engine/analysis/testdata/") + name;
}

inline device::Device device_of(const std::string& id) {
  const std::string path = source_path("assets/devices.toml");
  const auto table = device::DeviceTable::parse(file_text(path), path);
  if (!table) {
    ADD_FAILURE() << to_line(table.error());
    return {};
  }
  const auto found = table->find(id);
  EXPECT_TRUE(found) << id;
  return found ? *found : device::Device{};
}

// The access in which lane i touches address(i).
template <class Address>
WarpAccess access_of(AccessOp op, int width, std::uint32_t active, Address address) {
  WarpAccess access{op, width, active, {}};
  for (int lane = 0; lane < 32; ++lane) access.address[lane] = static_cast<std::uint64_t>(address(lane));
  return access;
}
inline WarpAccess strided(int width, int stride_bytes, int start = 0) {
  return access_of(AccessOp::load, width, 0xffffffffu, [&](int lane) { return start + lane * stride_bytes; });
}

using MeasuredRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

inline std::vector<MeasuredRow> measured_rows(const std::string& name) {
  std::ifstream in(testdata(name));
  std::string line;
  std::getline(in, line);
  const auto columns = csv_fields(line);
  std::vector<MeasuredRow> rows;
  while (std::getline(in, line)) {
    const auto fields = csv_fields(line);
    EXPECT_EQ(fields.size(), columns.size()) << name;
    MeasuredRow row;
    for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i) row[columns[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

inline std::uint32_t mask_of(const MeasuredRow& row) {
  return static_cast<std::uint32_t>(std::stoul(row.at("active_mask"), nullptr, 0));
}
inline std::array<std::uint64_t, 32> lanes_of(const MeasuredRow& row, const std::string& prefix) {
  std::array<std::uint64_t, 32> lanes{};
  for (int lane = 0; lane < 32; ++lane) lanes[lane] = std::stoull(row.at(prefix + std::to_string(lane)));
  return lanes;
}

}  // namespace warplens::analysis
