#include "engine/run/arguments.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace warplens::run {
namespace {

using problem::Argument, problem::BufferArgument, problem::IntArgument;

// (pointer, int, pointer): the third is aligned to 8 bytes, after a gap.
ptx::Function function_of(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> size_and_offset) {
  ptx::Function function;
  for (const auto& [size, offset] : size_and_offset)
    function.parameters.push_back({.name = "p", .size = size, .offset = offset});
  return function;
}

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class ArgumentBytes : public testing::Test {
 protected:
  const std::vector<Argument> arguments_{BufferArgument{1}, IntArgument{-5}};
  const std::vector<emulator::Allocation> places_ = [] {
    std::vector<emulator::Allocation> places(2);
    places[0].address = 0x100, places[1].address = 0x7f0000001200;
    return places;
  }();
};

TEST_F(ArgumentBytes, StandWhereTheFunctionSays) {
  const auto bytes = argument_bytes(arguments_, function_of({{8, 0}, {4, 8}}), places_);
  ASSERT_TRUE(bytes) << to_line(bytes.error());
  ASSERT_EQ(bytes->size(), 12u);
  EXPECT_EQ(at<std::uint64_t>(*bytes, 0), 0x7f0000001200u);
  EXPECT_EQ(at<std::int32_t>(*bytes, 8), -5);
}

TEST_F(ArgumentBytes, OneMoreAddressStandsLast) {
  const auto bytes = argument_bytes(arguments_, function_of({{8, 0}, {4, 8}, {8, 16}}), places_, 0x4000);
  ASSERT_TRUE(bytes) << to_line(bytes.error());
  ASSERT_EQ(bytes->size(), 24u);
  EXPECT_EQ(at<std::int32_t>(*bytes, 8), -5);
  EXPECT_EQ(at<std::uint64_t>(*bytes, 16), 0x4000u);
}

TEST_F(ArgumentBytes, OtherParametersAreRefused) {
  const std::string text =
      "the kernel has 1 parameter where its problem passes 2, or parameters of other types";
  EXPECT_EQ(argument_bytes(arguments_, function_of({{8, 0}}), places_).error().message, text);
  EXPECT_FALSE(argument_bytes(arguments_, function_of({{8, 0}, {8, 8}}), places_));
  EXPECT_FALSE(argument_bytes(arguments_, function_of({{4, 0}, {4, 4}}), places_));
  EXPECT_FALSE(argument_bytes(arguments_, function_of({{8, 0}, {4, 8}}), places_, 0x4000));
  EXPECT_FALSE(argument_bytes(arguments_, function_of({{8, 0}, {4, 8}, {4, 12}}), places_, 0x4000));
}

}  // namespace
}  // namespace warplens::run
