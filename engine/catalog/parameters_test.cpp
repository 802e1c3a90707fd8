#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "engine/catalog/choices.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {
namespace {

KernelSpec tile_kernel() {
  KernelSpec spec;
  spec.id = "matmul/x";
  spec.path = "x.cu";
  spec.params = {{"TILE", 32, {8, 16, 32, 64}, ""}, {"UNROLL", 1, {1, 2, 4}, ""}};
  spec.block = {"TILE", "TILE"};
  spec.grid = {"ceil_div(N, TILE)", "ceil_div(M, TILE)"};
  spec.block_line = 11;
  spec.grid_line = 12;
  spec.shared_line = 13;
  spec.require = {{"TILE * TILE <= 1024", "", 14},
                  {"UNROLL <= TILE / 8", "an unrolled row must fit the tile", 15}};
  return spec;
}
const Values kSizes{{"M", 100}, {"N", 35}, {"K", 19}};

std::string error_of(const KernelSpec& spec, const Values& chosen, const Values& sizes = kSizes) {
  const auto values = resolve_values(spec, chosen, sizes);
  return values ? "valid" : to_line(values.error());
}

TEST(ResolveValues, FillsInTheDefaults) {
  const auto values = resolve_values(tile_kernel(), {{"TILE", 16}}, kSizes);
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (Values{{"TILE", 16}, {"UNROLL", 1}}));
  EXPECT_EQ(default_values(tile_kernel()), (Values{{"TILE", 32}, {"UNROLL", 1}}));
}

TEST(ResolveValues, NamesTheNearestOfTheList) {
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", 7}}), "TILE=7 is not one of 8, 16, 32, 64; nearest: 8");
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", 12}}), "TILE=12 is not one of 8, 16, 32, 64; nearest: 8 or 16");
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", 1000}}), "TILE=1000 is not one of 8, 16, 32, 64; nearest: 64");
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", INT64_MIN}}),
            "TILE=-9223372036854775808 is not one of 8, 16, 32, 64; nearest: 8");
}

TEST(ResolveValues, NamesUnknownParameters) {
  EXPECT_EQ(error_of(tile_kernel(), {{"TIEL", 8}}),
            "matmul/x has no parameter TIEL; did you mean TILE? its parameters are TILE, UNROLL");
  EXPECT_EQ(error_of(tile_kernel(), {{"BLOCK", 8}}),
            "matmul/x has no parameter BLOCK; its parameters are TILE, UNROLL");
  KernelSpec plain = tile_kernel();
  plain.params.clear();
  EXPECT_EQ(error_of(plain, {{"TILE", 8}}), "matmul/x has no parameters, so no TILE; leave it out");
}

TEST(ResolveValues, ShowsTheReasonAndTheNearestLegalValues) {
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", 64}}),
            "TILE * TILE <= 1024 is not met: TILE is 64; nearest: TILE=32");
  EXPECT_EQ(error_of(tile_kernel(), {{"TILE", 8}, {"UNROLL", 4}}),
            "an unrolled row must fit the tile: UNROLL is 4 and TILE is 8; nearest: UNROLL=1");
  // One step of either would do: the one that was not asked for moves.
  KernelSpec pair = tile_kernel();
  pair.require = {{"TILE >= 8 * UNROLL", "", 0}};
  pair.params[0].default_value = 8;
  EXPECT_EQ(error_of(pair, {{"UNROLL", 2}}),
            "TILE >= 8 * UNROLL is not met: TILE is 8 and UNROLL is 2; nearest: TILE=16");
}

TEST(ResolveValues, KnowsTheHardwaresBlockLimit) {
  KernelSpec spec = tile_kernel();
  spec.require.clear();
  EXPECT_EQ(error_of(spec, {{"TILE", 64}}),
            "a block cannot have more than 1024 threads: TILE is 64; nearest: TILE=32");
}

// No other size and no other value would help: which rule fails, and where it is.
TEST(ResolveValues, SaysWhatIsWrongWhateverTheValues) {
  KernelSpec spec = tile_kernel();
  spec.require.clear();
  spec.block = {"512", "4"};
  spec.block_line = 7;
  EXPECT_EQ(error_of(spec, {}),
            "x.cu:7: a block cannot have more than 1024 threads: block = 512 x 4; correct it in the kernel "
            "file");
  spec.block = {"TILE * 1024"};
  EXPECT_EQ(error_of(spec, {}),
            "x.cu:7: a block cannot have more than 1024 threads: TILE is 32; no values of its parameters are "
            "valid at any size, correct the kernel file");
}

TEST(ResolveValues, SeesTheSizes) {
  KernelSpec spec = tile_kernel();
  spec.require = {{"M % TILE == 0", "", 14}};
  EXPECT_EQ(error_of(spec, {}),
            "M % TILE == 0 is not met: M is 100 and TILE is 32; no values of its parameters are "
            "valid at this size, try another size");
  EXPECT_EQ(error_of(spec, {}, {{"M", 96}}), "valid");
  EXPECT_EQ(error_of(spec, {}, {{"M", 8}}),
            "M % TILE == 0 is not met: M is 8 and TILE is 32; nearest: TILE=8");
  EXPECT_EQ(error_of(spec, {}, {{"Z", 8}}),
            "x.cu:14: unknown name M in \"M % TILE == 0\"; use one of TILE, UNROLL, Z");
  EXPECT_EQ(error_of(spec, {}, {{"TILE", 8}}),
            "x.cu: the parameter TILE has the name of a size of the problem; "
            "rename the parameter in the front matter");
}

TEST(ResolveValues, AnUndefinedRequirementIsNotMet) {
  KernelSpec spec = tile_kernel();
  spec.require = {{"K % (TILE - 32) >= 0", "", 0}};
  EXPECT_EQ(error_of(spec, {}), "K % (TILE - 32) >= 0 is not met: K is 19 and TILE is 32; nearest: TILE=16");
}

TEST(Choices, SayWhichValuesOfASliderAreLegal) {
  const auto list = Choices(tile_kernel(), kSizes).of("UNROLL", {{"TILE", 16}});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[0].valid);
  EXPECT_TRUE(list[1].valid);
  EXPECT_EQ(list[1].reason, "");
  EXPECT_FALSE(list[2].valid);
  EXPECT_EQ(list[2].value, 4);
  EXPECT_EQ(list[2].reason, "an unrolled row must fit the tile: UNROLL is 4 and TILE is 16");
  EXPECT_TRUE(Choices(tile_kernel(), kSizes).of("NONE", {}).empty());
}

// One object serves a slider that moves to and fro.
TEST(Choices, FollowTheValuesAndWhatIsLearned) {
  int registers = 0;
  const auto refuses = [&](const Values& values) -> std::optional<std::string> {
    if (values.at("TILE") * registers <= 512) return std::nullopt;
    return "too many registers";
  };
  Choices choices(tile_kernel(), kSizes, {.device = "X", .refuses = refuses});
  const auto valid = [&](std::int64_t tile) {
    std::vector<bool> list;
    for (const Choice& choice : choices.of("UNROLL", {{"TILE", tile}})) list.push_back(choice.valid);
    return list;
  };
  EXPECT_EQ(valid(8), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(valid(32), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(valid(8), (std::vector<bool>{true, false, false}));
  registers = 32;
  EXPECT_EQ(valid(32), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(valid(8), (std::vector<bool>{true, false, false}));
}

TEST(LegalParameterSets, AreThoseThatResolve) {
  const KernelSpec spec = tile_kernel();
  std::vector<Values> expected;
  for (const auto tile : spec.params[0].values) {
    for (const auto unroll : spec.params[1].values) {
      const Values set{{"TILE", tile}, {"UNROLL", unroll}};
      if (resolve_values(spec, set, kSizes)) expected.push_back(set);
    }
  }
  EXPECT_EQ(valid_parameter_sets(spec, kSizes), expected);
  EXPECT_EQ(expected.size(), 1u + 2u + 3u);
}

TEST(LegalParameterSets, OfAKernelWithoutParametersIsOneEmptySet) {
  KernelSpec spec = tile_kernel();
  spec.params.clear();
  spec.block = {"32"};
  spec.grid = {"M"};
  spec.require.clear();
  EXPECT_EQ(valid_parameter_sets(spec, kSizes), std::vector<Values>{Values{}});
}

KernelSpec many_parameters() {
  KernelSpec spec = tile_kernel();
  spec.params.clear();
  for (const char* name : {"AA", "BB", "CC", "DD", "EE"})
    spec.params.push_back({name, 8, {1, 2, 4, 8, 16, 32, 64, 128}, ""});
  spec.block = {"AA * BB"};
  spec.grid = {"ceil_div(M, AA)"};
  spec.require = {
      {"AA * BB % WARP == 0", "", 0}, {"CC * DD == EE", "", 0}, {"(AA + BB) * CC * 4 <= 4096", "", 0}};
  return spec;
}

TEST(LegalParameterSets, AreAllThatTheRequirementsAllowOfManyCombinations) {
  const int values[] = {1, 2, 4, 8, 16, 32, 64, 128};
  std::size_t expected = 0;
  for (const int a : values)
    for (const int b : values)
      for (const int c : values)
        for (const int d : values)
          for (const int e : values)
            expected += a * b % 32 == 0 && a * b <= 1024 && c * d == e && (a + b) * c * 4 <= 4096 ? 1 : 0;
  EXPECT_EQ(valid_parameter_sets(many_parameters(), kSizes).size(), expected);
}

// Steps of the sliders between two sets.
std::int64_t steps_between(const KernelSpec& spec, const Values& a, const Values& b) {
  std::int64_t steps = 0;
  for (const Parameter& parameter : spec.params) {
    const auto place = [&](const Values& v) {
      return std::find(parameter.values.begin(), parameter.values.end(), v.at(parameter.name)) -
             parameter.values.begin();
    };
    steps += std::abs(place(a) - place(b));
  }
  return steps;
}

// The text after "nearest: " put into the values asked for.
Values apply_nearest(Values values, const std::string& next_step) {
  std::istringstream words(next_step.substr(std::string("nearest: ").size()));
  for (std::string word; words >> word;) {
    values[word.substr(0, word.find('='))] = std::stoll(word.substr(word.find('=') + 1));
  }
  return values;
}

TEST(ResolveValues, NoLegalSetIsNearerThanTheOneNamed) {
  const KernelSpec spec = many_parameters();
  const auto valid = valid_parameter_sets(spec, kSizes);
  std::mt19937 random(7);
  int invalid = 0;
  for (int i = 0; i < 200; ++i) {
    Values asked;
    for (const Parameter& parameter : spec.params) asked[parameter.name] = parameter.values[random() % 8];
    const auto values = resolve_values(spec, asked, kSizes);
    if (values) continue;
    ++invalid;
    const Values named = apply_nearest(asked, values.error().next_step);
    EXPECT_TRUE(resolve_values(spec, named, kSizes));
    std::int64_t least = INT64_MAX;
    for (const Values& set : valid) least = std::min(least, steps_between(spec, asked, set));
    EXPECT_EQ(steps_between(spec, asked, named), least);
  }
  EXPECT_GT(invalid, 100);
}

TEST(Limits, OfAChipComeBesideTheRulesOfTheFile) {
  const KernelSpec spec = tile_kernel();
  const Limits old{.device = "Tesla (G80)", .threads_per_block = 512};
  const Values own = default_values(spec);
  EXPECT_FALSE(why_not(spec, own, kSizes, {}));
  EXPECT_EQ(why_not(spec, own, kSizes, old),
            "a block cannot have more than 512 threads on Tesla (G80): TILE is 32");
  EXPECT_EQ(*nearest_values(spec, own, kSizes, {}), own);
  EXPECT_EQ(*nearest_values(spec, own, kSizes, old), (Values{{"TILE", 16}, {"UNROLL", 1}}));
  const auto list = Choices(spec, kSizes, old).of("TILE", own);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_TRUE(list[1].valid);
  EXPECT_FALSE(list[2].valid);
  EXPECT_EQ(list[2].reason, "a block cannot have more than 512 threads on Tesla (G80): TILE is 32");
  EXPECT_THAT(list[3].reason, ::testing::StartsWith("TILE * TILE <= 1024"));  // the file's own comes first
}

TEST(Limits, CountDynamicSharedMemory) {
  KernelSpec spec = tile_kernel();
  spec.shared = "TILE * TILE * 4";
  const Limits small{.device = "X", .dynamic_shared_bytes = 2048};
  EXPECT_EQ(why_not(spec, default_values(spec), kSizes, small),
            "a block cannot have more than 2,048 bytes of shared memory on X: TILE is 32");
  EXPECT_EQ(nearest_values(spec, default_values(spec), kSizes, small)->at("TILE"), 16);
}

TEST(Limits, WhatOnlyCompilingShowsCountsToo) {
  const KernelSpec spec = tile_kernel();
  const Limits limits{.device = "X", .refuses = [](const Values& values) -> std::optional<std::string> {
                        if (values.at("TILE") == 16) return std::nullopt;
                        return "too many registers";
                      }};
  EXPECT_EQ(why_not(spec, default_values(spec), kSizes, limits), "too many registers");
  EXPECT_EQ(nearest_values(spec, default_values(spec), kSizes, limits)->at("TILE"), 16);
  EXPECT_EQ(Choices(spec, kSizes, limits).of("TILE", default_values(spec))[2].reason, "too many registers");
}

TEST(Limits, SayWhereNothingIsLegal) {
  const Limits none{.device = "X", .threads_per_block = 8};
  const auto values = nearest_values(tile_kernel(), default_values(tile_kernel()), kSizes, none);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message, "a block cannot have more than 8 threads on X: TILE is 32");
  EXPECT_EQ(values.error().next_step,
            "no values of its parameters are valid on X at this size, choose another step");
}

TEST(Launch, EvaluatesTheShape) {
  KernelSpec spec = tile_kernel();
  spec.shared = "TILE * (TILE + 1) * 4";
  const auto shape = launch_shape(spec, {{"TILE", 16}, {"UNROLL", 1}}, kSizes);
  ASSERT_TRUE(shape) << to_line(shape.error());
  EXPECT_EQ(shape->block, (std::array<std::uint32_t, 3>{16, 16, 1}));
  EXPECT_EQ(shape->grid, (std::array<std::uint32_t, 3>{3, 7, 1}));
  EXPECT_EQ(shape->dynamic_shared_bytes, 1088u);
}

std::string launch_error(const KernelSpec& spec, const Values& values = {}, const Values& sizes = kSizes) {
  const auto shape = launch_shape(spec, values, sizes);
  return shape ? "launches" : to_line(shape.error());
}

TEST(Launch, ErrorsNameTheLine) {
  KernelSpec spec = tile_kernel();
  EXPECT_EQ(launch_error(spec, {{"TILE", 64}}),
            "x.cu:11: a block of 64 x 64 x 1 is 4096 threads, the hardware takes "
            "at most 1024; choose smaller tile parameters");
  spec.grid = {"M / TILE"};
  EXPECT_EQ(launch_error(spec),
            "x.cu:12: grid.x: M / TILE is 3.125 where M is 100 and TILE is 32, not a whole number "
            "from 1 up; use ceil_div to round up, and `require` to leave out such values");
  spec.grid = {"1", "floor_div(N, 64)"};
  EXPECT_EQ(launch_error(spec).substr(0, 51), "x.cu:12: grid.y: floor_div(N, 64) is 0 where N is 3");
  spec.grid = {"1", "M * 1000"};
  EXPECT_EQ(launch_error(spec),
            "x.cu:12: grid.y is 100000, the hardware takes at most 65535; "
            "choose other parameters or a smaller size");
  spec.grid = {"M % 0"};
  EXPECT_EQ(launch_error(spec).substr(0, 49), "x.cu:12: grid.x: M % 0 is undefined where M is 10");
  spec.grid = {"Q"};
  EXPECT_EQ(launch_error(spec).substr(0, 40), "x.cu:12: grid.x: unknown name Q in \"Q\"; ");
  spec.grid = {};
  EXPECT_EQ(launch_error(spec), "x.cu:12: grid has 0 entries; give one to three");
  spec.grid = {"1"};
  spec.block = {"1", "1", "65"};
  EXPECT_EQ(launch_error(spec).substr(0, 56), "x.cu:11: block.z is 65, the hardware takes at most 64; c");
  spec.block = {"32"};
  spec.shared = "0 - 4";
  EXPECT_EQ(launch_error(spec).substr(0, 65),
            "x.cu:13: shared: 0 - 4 is -4, not a whole number from 0 up; use c");
  spec.shared = "4e9";
  EXPECT_EQ(launch_error(spec).substr(0, 39), "x.cu:13: shared: 4000000000 bytes are m");
}

}  // namespace
}  // namespace warplens::catalog
