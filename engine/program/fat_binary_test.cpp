#include "engine/program/fat_binary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include "runtime/protocol/fat_binary_text.hpp"

namespace warplens::program {
namespace {

const std::string kText = ".version 8.0\n.target sm_80\n.address_size 64\n" + std::string(2000, '/') + "\n";

Result<std::vector<FatBinary>> read(const std::string& bytes) {
  return read_fat_binaries(std::as_bytes(std::span(bytes)));
}

std::string text_of(const std::string& bytes, int arch = 90) {
  const auto all = read(bytes);
  if (!all) return to_line(all.error());
  if (all->size() != 1) return "several";
  const Image* image = all->front().ptx_for(arch);
  return image == nullptr ? "none" : image->bytes;
}

TEST(FatBinary, PlainTextEndsAtItsLastCharacter) { EXPECT_EQ(text_of(fat_ptx(kText)), kText); }

TEST(FatBinary, Lz4IsExpanded) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(kText.size()))), '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      kText.data(), packed.data(), static_cast<int>(kText.size()), static_cast<int>(packed.size()))));
  EXPECT_EQ(text_of(fat_binary(fat_entry(1, 80, packed, 0x2000, kText.size()))), kText);
}

TEST(FatBinary, ZstdIsExpanded) {
  std::string packed(ZSTD_compressBound(kText.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), kText.data(), kText.size(), 3));
  EXPECT_EQ(text_of(fat_binary(fat_entry(1, 80, packed, 0x8000, kText.size()))), kText);
}

TEST(FatBinary, TheYoungestTextThatTheDeviceCanTakeIsMeant) {
  const std::string all = fat_binary(fat_entry(1, 75, "old") + fat_entry(2, 90, "code") +
                                     fat_entry(1, 90, "own") + fat_entry(1, 100, "younger"));
  EXPECT_EQ(text_of(all, 90), "own");
  EXPECT_EQ(text_of(all, 86), "old");
  EXPECT_EQ(text_of(all, 70), "none");
  const auto read_back = read(all);
  ASSERT_TRUE(read_back);
  EXPECT_NE(read_back->front().machine_code_for(90), nullptr);
  EXPECT_EQ(read_back->front().machine_code_for(80), nullptr);
}

TEST(FatBinary, EmptyOnesInFrontAreLeftOut) {
  const auto all = read(fat_binary("") + fat_ptx("a") + fat_ptx("b"));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 2u);
}

TEST(FatBinary, WhatIsCutOffOrLiesIsAnError) {
  const std::string whole = fat_ptx(kText);
  for (std::size_t size = 1; size < whole.size(); size += 7)
    EXPECT_FALSE(read(whole.substr(0, size))) << size;
  EXPECT_FALSE(read("no fat binary at all"));
  // Sizes that no computer has, and compressed bytes that are none.
  EXPECT_FALSE(read(fat_binary(fat_entry(1, 80, "abc", 0x2000, std::uint64_t{1} << 40))));
  EXPECT_FALSE(read(fat_binary(fat_entry(1, 80, "abcdefgh", 0x8000, 100))));
  EXPECT_FALSE(read(fat_binary(fat_entry(1, 80, "abcdefgh", 0x2000, 100))));
}

}  // namespace
}  // namespace warplens::program
