// What NVRTC and nvcc write, as it stands in testdata: kernels.cu there says how it was made. The numbers of
// instructions were counted from the text by other means than this parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "engine/base/testing/places.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/ptx/print.hpp"
#include "engine/ptx/testing/check.hpp"

namespace warplens::ptx {
namespace {

std::string read(std::string_view name) {
  std::ifstream file(source_path("engine/ptx/testdata/") + std::string(name));
  return {std::istreambuf_iterator<char>(file), {}};
}

struct CorpusFile {
  std::string_view name;
  int target;
  std::size_t kernels, instructions;
};
class Corpus : public testing::TestWithParam<CorpusFile> {};

TEST_P(Corpus, IsReadWithoutAnError) {
  const CorpusFile& file = GetParam();
  const Parsed parsed = parse(read(file.name), file.name);
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  EXPECT_EQ(find_broken_index(parsed.program), "");
  EXPECT_EQ(parsed.program.target, file.target);
  EXPECT_EQ(parsed.program.isa_version, 90);
  std::size_t kernels = 0, instructions = 0;
  for (const Function& function : parsed.program.functions) {
    kernels += function.is_entry;
    instructions += function.code.size();
    EXPECT_EQ(function.is_external, function.code.empty()) << function.name;
  }
  EXPECT_EQ(kernels, file.kernels);
  EXPECT_EQ(instructions, file.instructions);
}

// A text that breaks off anywhere gives errors with a line of the text, and no broken index.
TEST_P(Corpus, MayBreakOffAnywhere) {
  const std::string text = read(GetParam().name);
  for (std::size_t size = 0; size < text.size(); size += 61) {
    const Parsed parsed = parse(std::string_view(text).substr(0, size));
    ASSERT_EQ(find_broken_index(parsed.program), "") << size;
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size), '\n') + 1;
    for (const Error& error : parsed.errors)
      ASSERT_THAT(error.place.line, testing::AllOf(testing::Ge(1), testing::Le(lines))) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, Corpus,
    testing::Values(CorpusFile{"kernels_75.ptx", 75, 14, 563}, CorpusFile{"kernels_80.ptx", 80, 15, 593},
                    CorpusFile{"kernels_100.ptx", 100, 15, 795}, CorpusFile{"lines_90.ptx", 90, 2, 54}),
    [](const auto& test) { return std::string(test.param.name.substr(0, test.param.name.find('.'))); });

const Function* find(const Program& program, std::string_view name) {
  for (const Function& function : program.functions)
    if (function.name == name) return &function;
  return nullptr;
}

TEST(Corpus, KeepsTheLinesAndWhereTheyWereInlined) {
  const Parsed parsed = parse(read("lines_90.ptx"));
  EXPECT_THAT(parsed.program.files,
              testing::ElementsAre("kernels.cu", "sm_30_intrinsics.hpp", "sm_32_intrinsics.hpp"));
  const Function* function = find(parsed.program, "inlined");
  ASSERT_NE(function, nullptr);
  EXPECT_THAT(function->maximum_threads, testing::ElementsAre(64, 1, 1));
  bool shuffle = false;
  for (const Instruction& instruction : function->code) {
    ASSERT_GE(instruction.location, 0);
    if (instruction.opcode != Opcode::shfl) continue;
    shuffle = true;
    const SourceLocation& at = function->locations[static_cast<std::size_t>(instruction.location)];
    EXPECT_EQ(at.file, 1);
    EXPECT_EQ(at.line, 449);
    ASSERT_GE(at.inlined_at, 0);
    const SourceLocation& call = function->locations[static_cast<std::size_t>(at.inlined_at)];
    EXPECT_EQ(call.file, 0);
    EXPECT_EQ(call.line, 21);
    EXPECT_EQ(call.inlined_at, -1);
  }
  EXPECT_TRUE(shuffle);
}

TEST(Corpus, KeepsInitialValuesAndTheAddressesInThem) {
  const Parsed parsed = parse(read("kernels_80.ptx"));
  const auto variable = [&](std::string_view name) -> const Variable& {
    for (const Variable& each : parsed.program.variables)
      if (each.name == name) return each;
    ADD_FAILURE() << name;
    return parsed.program.variables[0];
  };
  const Variable& weights = variable("weights");
  EXPECT_EQ(weights.space, Space::constant);
  ASSERT_EQ(weights.initial.size(), 32u);
  EXPECT_EQ(weights.initial[14], std::byte{0x90});  // 4.5f is 0x40900000
  EXPECT_EQ(weights.initial[19], std::byte{0xBF});  // -1.f
  EXPECT_EQ(weights.initial[31], std::byte{0});
  const Variable& third = variable("third");
  ASSERT_EQ(third.relocations.size(), 1u);
  EXPECT_EQ(third.relocations[0].addend, 8);
  EXPECT_TRUE(third.relocations[0].generic);
  EXPECT_EQ(parsed.program.variables[third.relocations[0].symbol].name, "numbers");
  const Variable& packed = variable("packed");
  ASSERT_EQ(packed.relocations.size(), 1u);
  EXPECT_EQ(packed.relocations[0].offset, 1u);
  EXPECT_EQ(packed.relocations[0].addend, 4);
  EXPECT_EQ(packed.initial[0], std::byte{'b'});
  const Variable& operations = variable("operations");
  ASSERT_EQ(operations.relocations.size(), 2u);
  EXPECT_TRUE(operations.relocations[1].function);
  EXPECT_EQ(operations.relocations[1].offset, 8u);
  EXPECT_EQ(parsed.program.functions[operations.relocations[1].symbol].name, "_Z6squarei");
  const Variable& dynamic = variable("s");
  EXPECT_TRUE(dynamic.external);
  EXPECT_EQ(dynamic.size, 0u);
  EXPECT_EQ(dynamic.space, Space::shared);
}

TEST(Corpus, LaysOutParametersByTheirAlignment) {
  const Parsed parsed = parse(read("kernels_80.ptx"));
  const Function* naive = find(parsed.program, "naive");
  const Function* use = find(parsed.program, "_Z3use4Pairf");
  ASSERT_TRUE(naive != nullptr && use != nullptr);
  std::vector<std::uint64_t> offsets;
  for (const Parameter& parameter : naive->parameters) offsets.push_back(parameter.offset);
  EXPECT_THAT(offsets, testing::ElementsAre(0, 8, 16, 24, 28, 32));
  ASSERT_EQ(use->parameters.size(), 3u);
  EXPECT_EQ(use->return_count, 1u);
  EXPECT_EQ(use->parameters[0].size, 16u);
  EXPECT_EQ(use->parameters[0].alignment, 8u);
  EXPECT_EQ(use->parameters[2].name, "func_retval0");
}

}  // namespace
}  // namespace warplens::ptx
