#include "engine/measured/transfers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warplens::measured {
namespace {

Transfers example() {
  Transfers made;
  made.device = "NVIDIA H200", made.driver = "580.1", made.date = "2026-11-23", made.bus = "PCIe 5.0 x16";
  made.copies = {{"pinned", "to device", 1024, {1e-5, 0.9e-5, 1.1e-5}},
                 {"pinned", "to device", 4096, {2e-5, 2e-5, 2e-5}},
                 {"pageable", "to host", 4096, {3e-5, 3e-5, 3e-5}}};
  made.pieces = {{1 << 20, 16, {1e-3, 1e-3, 1e-3}}};
  made.streams = {{2, 1 << 20, 3e-3, {{0, "to device", 0, 1e-3}, {1, "kernel", 1e-3, 2e-3}}}};
  made.kernels = {{4, 1, 4e-3}, {4, 4, 1e-3}};
  return made;
}

TEST(Transfers, AreTheSameAfterWritingAndReading) {
  const std::string text = to_text(to_json(example()));
  const auto read = Transfers::parse(text, "file");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(to_text(to_json(*read)), text);
}

TEST(Transfers, SayWhichFileIsNone) {
  for (const char* text : {"", "[]", "{\"device\": 3}", "{\"format\": 1, \"device\": \"x\"}"}) {
    const auto read = Transfers::parse(text, "some.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(to_line(read.error()),
              "some.json: this is no file of measured transfers; write one with 'warplens transfers --save "
              "FILE'");
  }
}

TEST(Transfers, FindTheNearestSizeOfAKind) {
  const Transfers all = example();
  ASSERT_NE(nearest_copy(all, "pinned", "to device", 1500), nullptr);
  EXPECT_EQ(nearest_copy(all, "pinned", "to device", 1500)->bytes, 1024u);
  EXPECT_EQ(nearest_copy(all, "pinned", "to device", 1e9)->bytes, 4096u);
  EXPECT_EQ(nearest_copy(all, "mapped", "to device", 1024), nullptr);
  EXPECT_DOUBLE_EQ(gb_per_second(all.copies[1]), 4096 / 2e-5 / 1e9);
}

}  // namespace
}  // namespace warplens::measured
