// The model of time: what it decodes, counts and predicts. testdata/h100_times.csv: kernels of this
// repository at many parameters and sizes, measured on an H100 SXM (2026-11-22), the median of a launch in
// seconds.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "engine/base/whole_file.hpp"
#include "engine/time/chip/number_table.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/machine_counts.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/solve/least_squares.hpp"
#include "engine/time/testing/measured_rows.hpp"
#include "engine/time/why/reason.hpp"
#include "engine/time/why/stalls_by_line.hpp"

namespace warplens::time {
namespace {

bool has_nvrtc() { return run::compiler().available(); }

Result<Prediction> predicted(const std::string& kernel, const catalog::Values& params,
                             const catalog::Values& sizes) {
  const auto spec = run::kernels().find(kernel);
  if (!spec) return spec.error();
  const auto run = run::run_of(*spec, params, sizes);
  if (!run) return run.error();
  return predict(**run);
}

double seconds(const std::string& kernel, const catalog::Values& params, const catalog::Values& sizes) {
  const auto prediction = predicted(kernel, params, sizes);
  EXPECT_TRUE(prediction) << to_line(prediction.error());
  return prediction ? prediction->seconds : 0;
}

catalog::Values square(std::int64_t n) { return {{"M", n}, {"N", n}, {"K", n}}; }

emulator::AccessEvent gather(std::int64_t stride, std::uint8_t width = 4) {
  emulator::AccessEvent event;
  event.width = width;
  event.active = 0xffffffff;
  event.base = 1 << 20;
  event.stride = stride;
  return event;
}

// Measured on an H200: cycles that a warp-wide load from L1 takes where nothing else limits it.
TEST(Turns, AreThoseOfGathers) {
  EXPECT_EQ(turns_of(gather(0)), 1);
  EXPECT_EQ(turns_of(gather(4)), 1);
  EXPECT_EQ(turns_of(gather(32)), 8);
  EXPECT_EQ(turns_of(gather(64)), 16);
  EXPECT_EQ(turns_of(gather(4096)), 32);
  EXPECT_EQ(turns_of(gather(4 * 1032)), 8);
  EXPECT_NEAR(turns_of(gather(4 * 33)), 8.75, 1);
  EXPECT_EQ(turns_of(gather(16, 16)), 4);
}

// The same of a fragment's words: four lanes side by side in a row, eight rows so many bytes apart.
emulator::AccessEvent rows_of_fragment(std::uint64_t pitch, std::array<std::uint64_t, 32>& addresses) {
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    addresses[lane] = (1 << 20) + lane / 4 * pitch + lane % 4 * 4;
  emulator::AccessEvent event;
  event.width = 4;
  event.active = 0xffffffff;
  event.addresses = addresses.data();
  return event;
}
TEST(Turns, AreThoseOfFragments) {
  std::array<std::uint64_t, 32> addresses{};
  for (const auto& [pitch, turns] :
       {std::pair(32, 2), std::pair(64, 4), std::pair(128, 8), std::pair(144, 2), std::pair(1024, 8),
        std::pair(4096, 8), std::pair(8192, 8), std::pair(8256, 4)})
    EXPECT_EQ(turns_of(rows_of_fragment(static_cast<std::uint64_t>(pitch), addresses)), turns) << pitch;
  EXPECT_NEAR(turns_of(rows_of_fragment(2000, addresses)), 3, 1);
}

TEST(LeastSquares, HasNoNegativeUnknown) {
  const auto x = solve_not_negative({{{{0, 1.0}, {1, 1.0}}, 2, 1}, {{{0, 1.0}, {1, -1.0}}, 4, 1}}, {0, 0});
  EXPECT_NEAR(x[0], 3, 1e-6);
  EXPECT_NEAR(x[1], 0, 1e-6);
}

// The loop of 01_naive is unrolled four times: of a warp that computes something 128 turns at K = 512.
TEST(CountBlocks, FollowTheLoopsOfTheMachineCode) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto spec = run::kernels().find("matmul/01_naive");
  const auto run = run::run_of(*spec, {{"BLOCK_X", 32}, {"BLOCK_Y", 32}}, square(128));
  ASSERT_TRUE(run);
  const auto& build = (*run)->job->build;
  const auto code = read_instructions(build.cubin, build.kernel_name);
  ASSERT_TRUE(code);
  const auto flow = count_blocks(*code, (*run)->kernel->function(), (*run)->emulation.outcome.counters,
                                 (*run)->kernel->shared_accesses(), 16 * 32);
  double turns = 0;
  for (const Block& block : flow.blocks) turns = std::max(turns, block.executed);
  EXPECT_NEAR(turns, 32, 0.01);
  EXPECT_LT(flow.worst_miss, 1e-3);
}

TEST(Prediction, GrowsWithTheSize) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  double before = 0;
  for (const std::int64_t n : {128, 256, 512}) {
    const double now = seconds("matmul/03_shared_tile", {{"TILE", 16}}, square(n));
    EXPECT_GT(now, before) << n;
    before = now;
  }
}

TEST(Prediction, HasSharesBetweenNothingAndAll) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  for (const char* kernel : {"matmul/02_coalesced", "matmul/10_async_pipeline", "reduction/06_shuffle"}) {
    const auto p = predicted(kernel, {}, {});
    ASSERT_TRUE(p) << to_line(p.error());
    for (const double share :
         {p->units.issue, p->units.fma, p->units.alu, p->units.fp64, p->units.sfu, p->units.shared,
          p->units.l1, p->units.l2, p->units.dram, p->tail, p->l1_hits, p->l2_hits}) {
      EXPECT_GE(share, 0) << kernel;
      EXPECT_LE(share, 1) << kernel;
    }
    double stalls = 0;
    for (const double share : p->stalls) stalls += share;
    EXPECT_NEAR(stalls, 1, 1e-6);
    EXPECT_EQ(p->basis, "sass");
  }
}

Result<Prediction> predicted_on(const char* device, const std::string& kernel, const catalog::Values& params,
                                const catalog::Values& sizes) {
  const auto plan = run::plan(*run::kernels().find(kernel), params, sizes, run::device_named(device));
  if (!plan) return plan.error();
  auto build = run::compile(run::compiler(), *plan);
  if (!build) return build.error();
  auto instance = run::Instances({}).instantiate(*plan);
  if (!instance) return instance.error();
  const auto kernel_of = run::prepare(*build, plan->device);
  if (!kernel_of) return kernel_of.error();
  const run::Job job{*plan, *std::move(instance), *std::move(build)};
  const auto counted = count(job, **kernel_of);
  if (!counted) return counted.error();
  return predict(job, **kernel_of, *counted);
}

TEST(Prediction, HasHitsWhereTheDeviceHasCaches) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto of = [](const char* device) {
    return predicted_on(device, "memory/01_coalesced", {}, {{"N", 1 << 24}});
  };
  const auto old = of("gtx280"), now = of("h100");
  ASSERT_TRUE(old) << to_line(old.error());
  ASSERT_TRUE(now) << to_line(now.error());
  EXPECT_FALSE(old->has_caches);
  EXPECT_EQ(old->l2_hits, 0);
  EXPECT_TRUE(now->has_caches);
  EXPECT_NEAR(now->l2_hits, 0.5, 0.02);
}

TEST(Parameters, OfTheTableOfDevicesAreKnown) {
  Parameters parameters;
  for (const char* id : {"g80", "gtx280", "teslat10", "c1060", "gtx480", "cc1.1", "cc2.1", "h100"})
    for (const auto& [name, value] : run::device_named(id).time)
      EXPECT_TRUE(set_parameter(parameters, name, value)) << id << " " << name;
  for (const std::string_view name : parameter_names())
    EXPECT_TRUE(name == "steps" || run::device_named("h100").time.contains(name)) << name;
  EXPECT_EQ(parameters_of(run::device_named("gtx280")).partitions, 8);
  EXPECT_EQ(parameters_of(run::device_named("gtx280")).issue_interval, 4);
  EXPECT_EQ(parameters_of(run::device_named("h100")).issue_interval, 1);
  EXPECT_EQ(parameters_of(run::device_named("gtx280"), {{"issue_interval", 3}}).issue_interval, 3);
}

// The lecture's sizes (F4): of a multiple of 512 columns all that the blocks of a wave write is in one
// partition of eight, of 256 in two, of 128 in four; diagonal order spreads it.
TEST(OldChips, HavePartitionsThatCamp) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  std::vector<double> each;  // nanoseconds an element
  for (const std::int64_t n : {4096, 3840, 3968, 4000}) {
    const auto p = predicted_on("gtx280", "transpose/02_tiled", {{"PAD", 1}}, {{"M", n}, {"N", n}});
    ASSERT_TRUE(p) << to_line(p.error());
    each.push_back(p->seconds * 1e9 / static_cast<double>(n * n));
  }
  EXPECT_GT(each[0], 1.5 * each[1]);
  EXPECT_GT(each[1], 1.3 * each[2]);
  EXPECT_GT(each[2], 1.1 * each[3]);
  const auto p = predicted_on("gtx280", "transpose/05_diagonal", {}, {{"M", 4096}, {"N", 4096}});
  ASSERT_TRUE(p);
  EXPECT_LT(p->seconds * 1e9 / (4096 * 4096), 0.5 * each[0]);
  EXPECT_EQ(p->basis, "ptx");
}

// The lecture's F1 to F3: a copy that waits for its block is no quicker than one that does not, and a tile
// that leaves no room for a block's arguments is a block less.
TEST(OldChips, HaveRoomForArgumentsBesideATile) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto tiles = predicted_on("gtx280", "copies/03_within_tiles", {{"WIDTH", 4000}}, {{"N", 16000000}});
  const auto copy = predicted_on("gtx280", "copies/02_coalesced", {{"WIDTH", 4000}}, {{"N", 16000000}});
  ASSERT_TRUE(tiles && copy);
  EXPECT_EQ(tiles->resident_warps, 24);  // three blocks; 4 KB each would leave room for four
  EXPECT_LE(copy->seconds, tiles->seconds);
}

// M. Harris, "Optimizing Parallel Reduction in CUDA": each of the seven is quicker than the one before, on
// the chip that he measured.
TEST(OldChips, PutTheSevenReductionsInOrder) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  double before = 1;
  for (const char* kernel : {"01_interleaved", "02_strided_index", "03_sequential", "04_first_add",
                             "05_last_warp", "06_unrolled", "07_many_additions"}) {
    const auto p = predicted_on("g80", std::string("harris/") + kernel, {}, {{"N", 1 << 22}});
    ASSERT_TRUE(p) << to_line(p.error());
    EXPECT_LT(p->seconds, before) << kernel;
    before = p->seconds;
  }
}

// A device starts so many multiply-adds of doubles a clock on each SM, and nearly as many come out.
TEST(Prediction, HasTheDoublesOfADevice) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto spec = run::kernels().find("arithmetic/07_double");
  for (const char* name : {"h100", "a100", "rtx2080ti"}) {
    const auto plan =
        run::plan(*spec, {{"REPEAT", 256}, {"UNROLL", 16}}, {{"N", 1 << 22}}, run::device_named(name));
    ASSERT_TRUE(plan) << to_line(plan.error());
    auto build = run::compile(run::compiler(), *plan);
    auto instance = run::Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*plan);
    ASSERT_TRUE(build && instance);
    const auto kernel = run::prepare(*build, plan->device);
    const run::Job job{*plan, *std::move(instance), *std::move(build)};
    const auto counted = count(job, **kernel);
    ASSERT_TRUE(counted);
    const auto p = predict(job, **kernel, *counted);
    ASSERT_TRUE(p) << to_line(p.error());
    const device::Device& device = plan->device;
    const double most = device.fp64_per_clock * device.sm_count * device.boost_clock_mhz * 1e6;
    const double rate = 256.0 * (1 << 22) / p->seconds;
    EXPECT_LE(rate, most) << name;
    EXPECT_GE(rate, 0.85 * most) << name;
    EXPECT_EQ(p->limiter, "fp64") << name;
  }
}

// Whatever the compiler makes of loops for another device, none is quicker than its units.
TEST(Prediction, StaysBelowThePeakOnEveryDevice) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  for (const char* id : {"v100", "a100", "rtx3090", "rtx4090", "h100", "b200", "rtx5090"}) {
    const device::Device device = run::device_named(id);
    const double peak = 2.0 * device.fp32_lanes_per_sm * device.sm_count * device.boost_clock_mhz * 1e6;
    for (const char* kernel : {"matmul/05_register_2d", "matmul/06_vectorized", "matmul/09_warp_tile"}) {
      const auto p = predicted_on(id, kernel, {}, square(1024));
      ASSERT_TRUE(p) << id << kernel << to_line(p.error());
      const double rate = 2.0 * (1 << 30) / p->seconds;
      EXPECT_LT(rate, peak) << id << kernel;
      EXPECT_GT(rate, 0.1 * peak) << id << kernel;
      EXPECT_FALSE(p->runs_away) << id << kernel;
    }
  }
}

// The roots of the special unit.
TEST(Prediction, NamesTheUnitOfFunctions) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto p = predicted("arithmetic/15_fast_sine", {}, {{"N", 1 << 20}});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->limiter, "sfu");
}

struct Measured {
  const char* kernel;
  catalog::Values params, sizes;
  double seconds;
  double within = 0.2;
};

// Rows of testdata/h100_times.csv. docs/evidence/time.md has all of them.
TEST(Prediction, IsNearWhatWasMeasured) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const std::vector<Measured> rows = {
      {"matmul/02_coalesced", {{"BLOCK_X", 4}, {"BLOCK_Y", 64}}, square(512), 1.5728e-04},
      // Was within 10 % before the parts of an SM took turns; the model is too quick for blocks of two warps.
      {"matmul/02_coalesced", {{"BLOCK_X", 32}, {"BLOCK_Y", 2}}, square(512), 5.6808e-05, 0.35},
      {"matmul/03_shared_tile", {{"TILE", 32}}, square(512), 3.38e-05},
      {"matmul/04_register_1d", {{"BM", 16}, {"BN", 16}, {"BK", 8}, {"TM", 2}}, square(512), 3.44e-05},
      {"matmul/05_register_2d",
       {{"BM", 32}, {"BN", 64}, {"BK", 8}, {"TM", 1}, {"TN", 8}},
       square(512),
       5.39e-05},
      // What one of its two arrays brings is new to each wave, so every turn of the loop waits for memory.
      {"minplus/04_v2", {{"BLOCK_X", 32}, {"BLOCK_Y", 16}, {"TM", 1}, {"TN", 1}}, {{"N", 2048}}, 1.05263e-02},
      {"memory/01_coalesced", {{"BLOCK", 256}}, {{"N", 4194304}}, 1.259e-05},
      {"transpose/05_diagonal", {{"TILE", 32}, {"ROWS", 8}, {"PAD", 1}}, {{"M", 1024}, {"N", 1024}}, 3.9e-06},
      {"reduction/08_float4", {{"BLOCK", 64}, {"BLOCKS", 132}}, {{"N", 4194304}}, 1.4e-05}};
  for (const Measured& row : rows)
    EXPECT_NEAR(seconds(row.kernel, row.params, row.sizes) / row.seconds, 1, row.within) << row.kernel;
}

// testdata/h200_tensor_times.csv: the ladder of tensor cores, each step at its defaults and at random parameters, measured on
// an H200 (2026-11-28). What copies of TMA cost where SMs share their data was fitted on every third row from the 82nd on, no other number
// of the model on any. Those that are quick to emulate; docs/evidence/time.md has all.
TEST(Prediction, IsNearWhatTensorCoresTook) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  constexpr double kMostWork = 2.2e9;  // multiply-adds
  std::vector<double> errors;
  for (const Row& row : rows_of(run::kRoot + "/engine/time/testdata/h200_tensor_times.csv")) {
    const auto plan = plan_of(row, "h200");
    ASSERT_TRUE(plan) << row.kernel;
    double work = 1;
    for (const auto& [name, size] : plan->sizes) work *= static_cast<double>(size);
    if (work > kMostWork) continue;
    const auto p = predicted_on("h200", row.kernel, plan->parameters, plan->sizes);
    ASSERT_TRUE(p) << row.kernel << to_line(p.error());
    errors.push_back(std::abs(p->seconds / row.seconds - 1));
  }
  ASSERT_GE(errors.size(), 30u);
  std::ranges::sort(errors);
  EXPECT_LE(errors[errors.size() / 2], 0.1);
  EXPECT_LE(errors[errors.size() * 8 / 10], 0.2);
}

// The parts of a kernel add up to the whole, and what a barrier costs is at its line.
TEST(Stalls, AddUpByLine) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const auto p = predicted("matmul/03_shared_tile", {{"TILE", 16}}, square(512));
  ASSERT_TRUE(p);
  const auto lines = stalls_by_line(*p);
  ASSERT_GE(lines.size(), 4u);
  double all = 0, barrier = 0, at_barriers = 0;
  const auto spec = run::kernels().find("matmul/03_shared_tile");
  const auto source = run::lines_of(spec->code);
  for (const LineStalls& line : lines) {
    all += line.share;
    const double waits = line.reasons[static_cast<std::size_t>(Stall::barrier)];
    barrier += waits;
    if (line.line > 0 &&
        source[static_cast<std::size_t>(line.line) - 1].find("__syncthreads") != std::string_view::npos)
      at_barriers += waits;
  }
  EXPECT_NEAR(all, 1, 1e-3);
  EXPECT_GT(barrier, 0.01);
  EXPECT_NEAR(at_barriers, barrier, 1e-6);
  EXPECT_GE(lines[0].share, lines[1].share);
}

TEST(Stalls, AreSaidInWords) {
  std::array<double, kStalls> shares{};
  shares[static_cast<std::size_t>(Stall::barrier)] = 0.2;
  shares[static_cast<std::size_t>(Stall::selected)] = 0.004;
  EXPECT_EQ(reason_words(reasons_of(shares), 2),
            "20 % waits at a barrier (barrier), 0.4 % issues an instruction (selected)");
}

TEST(NumberTable, HasWhatWasInsertedAndNotErased) {
  std::mt19937_64 random(21);
  NumberTable table;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint64_t key = random() % 3'000;
    if (random() % 3 == 0) {
      table.erase(key), expected.erase(key);
    } else {
      const bool is_new = expected.try_emplace(key, i).second;
      EXPECT_EQ(table.insert(key, i).is_new, is_new);
    }
  }
  for (std::uint64_t key = 0; key < 3'000; ++key) {
    ASSERT_EQ(table.contains(key), expected.contains(key)) << key;
    if (expected.contains(key)) {
      EXPECT_EQ(*table.find(key), expected[key]) << key;
    }
  }
}

// Of a grid of several waves most blocks begin when others end, and find nothing of theirs in L1.
TEST(Profile, BlocksThatBeginApartShareNothing) {
  const RecordedAccess one{.pc = 7, .first = 0, .count = 4}, other{.pc = 7, .first = 4, .count = 4};
  const RecordedBlock block{.block = 0,
                            .warps = {{one, other}},
                            .sectors = {0, 1, 2, 3, 4, 5, 6, 7},
                            .bytes = {32, 32, 32, 32, 32, 32, 32, 32}};
  RecordedBlock reversed = block;
  reversed.warps = {{other, one}};
  const std::vector<RecordedBlock> blocks{block, reversed};
  EXPECT_NEAR(profile_of(blocks, {.together = 2}, 1 << 16).at(7).missed, 2, 1e-9);
  EXPECT_NEAR(profile_of(blocks, {.together = 2, .abreast = 0}, 1 << 16).at(7).missed, 4, 1e-9);
  EXPECT_NEAR(profile_of(blocks, {.together = 2, .abreast = 0.5}, 1 << 16).at(7).missed, 3, 1e-9);
}

// Memory gives 64 bytes at a time: of two accesses to its halves only the first may wait for it.
TEST(Profile, AnAccessIsFreshWhereItsBlockWasNotBefore) {
  const auto at = [](std::uint32_t pc, std::uint32_t first) {
    return RecordedAccess{.pc = pc, .first = first, .count = 1};
  };
  const RecordedBlock block{.block = 0,
                            .warps = {{at(1, 0), at(2, 1), at(3, 2)}, {at(4, 1)}},
                            .sectors = {0, 1, 2},
                            .bytes = {32, 32, 32}};
  const auto profile = profile_of({block}, {.together = 1}, 1 << 16);
  EXPECT_EQ(profile.at(1).fresh, 1);
  EXPECT_EQ(profile.at(4).fresh, 1);  // at the same time, of another warp: both wait
  EXPECT_EQ(profile.at(2).fresh, 0);
  EXPECT_EQ(profile.at(3).fresh, 1);
}

Prediction busy(double UnitShares::*unit, double share, double seconds = 1) {
  Prediction p;
  p.warp_instructions = 100, p.seconds = seconds, p.resident_warps = 64;
  p.units.*unit = share;
  return p;
}

TEST(Reason, WhatHoldsBothIsNamed) {
  const Prediction one = busy(&UnitShares::dram, 0.93), other = busy(&UnitShares::dram, 0.91);
  EXPECT_EQ(what_holds_both(one, other).words, "memory is busy 91 % of both kernels' cycles");
  EXPECT_EQ(what_holds_both(one, other).brief, "memory 91 % busy in both");
  EXPECT_EQ(what_holds_both(one, busy(&UnitShares::l2, 0.95)).words, "");
  EXPECT_EQ(what_holds_both(busy(&UnitShares::dram, 0.6), busy(&UnitShares::dram, 0.6)).words, "");
}

// "5.3" of the row of all measurements in docs/evidence/time.md.
std::string mean_error_of_table() {
  const std::string table = *read_whole_file(run::kRoot + "/docs/evidence/time.md");
  std::size_t at = table.find("| all | 312 | ");
  if (at == std::string::npos) return "";
  for (int columns = 4; columns > 0; --columns) at = table.find('|', at) + 1;
  return table.substr(at + 1, table.find('%', at) - at - 1);
}

TEST(Prediction, IsAsFarOffAsTheLessonSays) {
  const std::string lesson = *read_whole_file(run::kRoot + "/lessons/09_latency.md"),
                    mean = mean_error_of_table();
  ASSERT_FALSE(mean.empty());
  EXPECT_NE(lesson.find("off by " + mean + " % on average"), std::string::npos) << mean;
}

// All of them: `./test --long`. The bounds are those that docs/evidence/time.md keeps, with little to spare.
#ifdef WARPLENS_ALL_SETS
TEST(Prediction, IsNearAllThatWasMeasured) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  std::vector<double> errors;
  for (const Row& row : rows_of(run::kRoot + "/engine/time/testdata/h100_times.csv")) {
    const auto plan = plan_of(row, "h100");
    ASSERT_TRUE(plan) << to_line(plan.error());
    auto build = run::compile(run::compiler(), *plan);
    auto instance = run::Instances({.most_bytes = std::uint64_t{1} << 32}).instantiate(*plan);
    ASSERT_TRUE(build && instance) << row.kernel;
    const auto kernel = run::prepare(*build, plan->device);
    const run::Job job{*plan, *std::move(instance), *std::move(build)};
    const auto counted = count(job, **kernel);
    ASSERT_TRUE(counted) << row.kernel << to_line(counted.error());
    const auto prediction = predict(job, **kernel, *counted);
    ASSERT_TRUE(prediction) << row.kernel;
    errors.push_back(std::abs(prediction->seconds / row.seconds - 1));
  }
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  EXPECT_NEAR(100 * mean, std::stod(mean_error_of_table()), 0.5);
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.10);
  EXPECT_LE(errors[errors.size() * 9 / 10], 0.25);
}
#endif

}  // namespace
}  // namespace warplens::time
