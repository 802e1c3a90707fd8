// What runs beside the warps: barriers in shared memory, products of warp groups, bulk copies. Measured numbers are of
// tools/chip_probe/async_probe.cpp on an H200.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/run/testing/run_support.hpp"
#include "engine/time/async_units.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/launch/set_times.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::time {
namespace {

bool can_compile() { return run::compiler().available(); }

catalog::Values cube_of(std::int64_t n) { return {{"M", n}, {"N", n}, {"K", n}}; }

Result<Modelled> modelled_of(const std::string& kernel, const catalog::Values& params,
                             const catalog::Values& sizes) {
  const auto spec = run::kernels().find(kernel);
  if (!spec) return spec.error();
  auto job = run::job_of(*spec, params, sizes);
  if (!job) return job.error();
  const auto ready = run::prepare(job->build, job->plan.device);
  if (!ready) return ready.error();
  const auto counted = count(*job, **ready);
  if (!counted) return counted.error();
  return modelled(*job, **ready, *counted);
}

double seconds_of(const std::string& kernel, const catalog::Values& params, const catalog::Values& sizes) {
  const auto known = modelled_of(kernel, params, sizes);
  EXPECT_TRUE(known) << to_line(known.error());
  return known ? known->prediction.seconds : 0;
}

// One warp that waits at pc 7 for the first phase of the barrier at 16, which two threads and 100 bytes end.
SmWork waiting_work() {
  AsyncWork async;
  async.sites = {7};
  async.ops = {{{AsyncOp{.barrier = 16, .count = 1}}}};
  async.arrivals = {{16, 2}};
  SmWork work;
  work.async = std::make_shared<const AsyncWork>(std::move(async));
  return work;
}
Step wait_step() {
  Step step;
  step.async = Async::wait, step.pc = 7;
  return step;
}

TEST(AsyncUnits, APhaseEndsWithTheLastArrivalAndTheLastByte) {
  const SmWork work = waiting_work();
  const Parameters p = parameters_of(run::device_named("h100"));
  AsyncUnits units(work, p, 1);
  units.begin(0);
  EXPECT_TRUE(std::isinf(units.may_go_on(0, wait_step())));
  EXPECT_FALSE(units.arrive(0, {.barrier = 16, .count = 1, .bytes = 100}, 50));
  EXPECT_FALSE(units.bring(0, {.barrier = 16, .bytes = 60}, 400));
  EXPECT_FALSE(units.arrive(0, {.barrier = 16, .count = 1}, 70));
  EXPECT_TRUE(std::isinf(units.may_go_on(0, wait_step())));
  EXPECT_TRUE(units.bring(0, {.barrier = 16, .bytes = 40}, 300));
  EXPECT_EQ(units.may_go_on(0, wait_step()), 400 + p.phase_latency);
  units.told(0, wait_step());
  EXPECT_EQ(units.may_go_on(0, wait_step()), 0);  // it waited no second time
  units.begin(0);
  EXPECT_TRUE(std::isinf(units.may_go_on(0, wait_step())));  // another block
}

// 2,048 multiply-adds of 16 bits an SM and cycle.
TEST(GroupProducts, KeepTheTensorCoresBusyForWhatTheyMultiply) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  for (const std::string kernel : {"tensor/09_wgmma_tma", "tensor/12_two_consumers", "tensor/18_stmatrix"}) {
    const auto known = modelled_of(kernel, {}, cube_of(512));
    ASSERT_TRUE(known) << kernel << to_line(known.error());
    const Prediction& p = known->prediction;
    EXPECT_NEAR(p.units.tensor * p.cycles * 132, 512.0 * 512 * 512 / 2048, 0.02 * 512.0 * 512 * 512 / 2048)
        << kernel;
    EXPECT_GT(p.seconds, 0);
    EXPECT_FALSE(p.runs_away);
  }
}

TEST(Roles, AreToldApartByWhatTheyDoBesideTheOthers) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const auto known = modelled_of("tensor/12_two_consumers", {}, cube_of(256));
  ASSERT_TRUE(known) << to_line(known.error());
  std::size_t warps = 0, of_eight = 0, of_one = 0;
  for (const WarpRole& role : known->model.work.roles) {
    warps += role.warps.size();
    of_eight += role.warps.size() == 8, of_one += role.warps == std::vector<int>{0};
  }
  EXPECT_EQ(warps, 12u);
  EXPECT_EQ(of_eight, 1u);  // the consumers
  EXPECT_EQ(of_one, 1u);    // the warp of the thread that copies
}

// Warps that copy with cp.async arrive at the barrier that those that multiply wait at, when their copies have come. Measured
// 340 us on an H200, which has the H100's SMs.
TEST(CopyingWarps, ArriveWhenTheirCopiesHaveCome) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const auto known = modelled_of("matmul_peak/02_copying_warps", {}, cube_of(2048));
  ASSERT_TRUE(known) << to_line(known.error());
  std::size_t copy = 0, multiply = 0;
  for (const WarpRole& role : known->model.work.roles)
    copy += role.warps.size() == 4, multiply += role.warps.size() == 8;
  EXPECT_EQ(copy, 1u);
  EXPECT_EQ(multiply, 1u);
  EXPECT_FALSE(known->prediction.runs_away);
  constexpr double kMeasured = 340e-6;
  EXPECT_NEAR(known->prediction.seconds, kMeasured, 0.2 * kMeasured);
}

// Rows that begin inside of a line of 128 bytes take two: measured 43 us at 1000 x 1544 x 2056, where 2,056 numbers are no
// whole lines.
TEST(BulkCopies, PayForTheLinesOfTheirRows) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const catalog::Values params = {{"BM", 64}, {"BN", 256}, {"BK", 64}};
  const double whole = seconds_of("tensor/09_wgmma_tma", params, {{"M", 512}, {"N", 512}, {"K", 1024}}),
               split = seconds_of("tensor/09_wgmma_tma", params, {{"M", 512}, {"N", 512}, {"K", 1032}});
  EXPECT_GT(split, 1.15 * whole);
}

TEST(Stages, HideTheLatencyOfCopies) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const auto with = [](std::int64_t stages) {
    return seconds_of("tensor/11_producer_consumer", {{"BM", 64}, {"BN", 64}, {"STAGES", stages}},
                      cube_of(512));
  };
  EXPECT_GT(with(2), with(4));
}

// 688 W at 1,569 MHz of products of random normal numbers without a pause, where 700 are the most.
TEST(Power, HoldsTheClockBackWhereTensorCoresAreBusy) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const auto busy = modelled_of("tensor/18_stmatrix", {}, cube_of(2048));
  ASSERT_TRUE(busy) << to_line(busy.error());
  EXPECT_LT(busy->prediction.clock, 1);
  EXPECT_GT(busy->prediction.clock, 1569.0 / 1980);
  const auto idle = modelled_of("tensor/18_stmatrix", {}, cube_of(512));
  ASSERT_TRUE(idle) << to_line(idle.error());
  EXPECT_EQ(idle->prediction.clock, 1);
}

// Their boxes are tensor maps by the tiles of each set.
TEST(SetTimes, AreThoseOfEachSetAlone) {
  if (!can_compile()) GTEST_SKIP() << "no NVRTC";
  const std::string kernel = "tensor/09_wgmma_tma";
  const auto spec = run::kernels().find(kernel);
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto job = run::job_of(*spec, {}, cube_of(256));
  ASSERT_TRUE(job) << to_line(job.error());
  const auto sets = catalog::valid_parameter_sets(job->plan.spec, job->plan.sizes);
  ASSERT_GE(sets.size(), 3);
  std::vector<double> seconds(sets.size());
  const Status done = predict_sets(
      job->plan, sets, job->instance,
      [](const compile::Request& request) { return run::compiler().compile(request); }, {.threads = 1},
      [&](std::size_t set, const Result<Prediction>& prediction) {
        EXPECT_TRUE(prediction) << to_line(prediction.error());
        if (prediction) seconds[set] = prediction->seconds;
      });
  ASSERT_TRUE(done);
  for (std::size_t i = 0; i < sets.size(); ++i)
    EXPECT_DOUBLE_EQ(seconds[i], seconds_of(kernel, sets[i], cube_of(256)));
}

}  // namespace
}  // namespace warplens::time
