// The figure of time: what its warps do adds up, its words agree with its numbers.
#include "viz/figures/time/time.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "viz/figures/performance/performance_words.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/speeds.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/modelled_count.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {
namespace {

TEST(TimeFigure, IsAsKept) {
  const auto run = record_kept("shared_tile", "128");
  const Subject subject{.run = run, .known = {.schedule = schedule_of(*run)}};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene) << to_line(scene.error());
  expect_golden(*scene, "time_shared_tile");
}

// A warp does one thing at a time, and a part issues for one warp a cycle.
TEST(TimeFigure, HasOneThingAtATime) {
  const auto run = record_kept("shared_tile", "128");
  const SharedSchedule made = schedule_of(*run);
  ASSERT_TRUE(*made) << to_line(made->error());
  const time::Schedule& schedule = **made;
  EXPECT_GE(schedule.to - schedule.from, 128);
  std::map<int, std::vector<double>> issues;
  for (const auto& warp : schedule.warps) {
    double before = 0;
    for (const time::Stretch& stretch : warp.stretches) {
      EXPECT_GE(stretch.from, before - 1e-6);
      EXPECT_LE(stretch.to, schedule.end);
      before = stretch.to;
      if (stretch.what == time::Stall::selected && stretch.from > 0)
        issues[warp.part].push_back(stretch.from);
    }
  }
  EXPECT_FALSE(issues.empty());
  for (auto& [part, cycles] : issues) {
    std::ranges::sort(cycles);
    for (std::size_t i = 1; i < cycles.size(); ++i) EXPECT_GE(cycles[i] - cycles[i - 1], 1 - 1e-6) << part;
  }
}

TEST(TimeFigure, SaysWhatLimits) {
  time::Prediction p;
  p.units.shared = 0.97, p.units.issue = 0.6, p.waves = 4;
  EXPECT_EQ(headline(p), "Shared memory limits this step: busy 97 % of the kernel's cycles");
  p.units.shared = 0, p.units.fp64 = 0.9;
  EXPECT_EQ(headline(p), "The double-precision units limit this step: busy 90 % of the kernel's cycles");
  p.units.fp64 = 0.3;
  p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = 0.7;
  EXPECT_EQ(headline(p), "Warps wait for global memory: no unit is busy more than 60 %");
  p.starts = 0.9;
  EXPECT_EQ(headline(p), "Handing blocks to the SMs limits this step: 90 % of the kernel's cycles");
  p.same_address = 1;
  EXPECT_EQ(headline(p), "Atomics at one address limit this step: 100 % of the kernel's cycles");
  p.tail = 0.88;
  EXPECT_TRUE(headline(p).starts_with("Atomics")) << "smaller blocks would save nothing, and warps wait";
  p.in_smaller_blocks = 0.2;
  EXPECT_EQ(headline(p), "Too few blocks: 88 % of the SMs' time is idle");
  p.in_smaller_blocks = 0;
  p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = 0.1;
  EXPECT_EQ(headline(p), "Too few blocks: 88 % of the SMs' time is idle");
  p.launch = 0.78;
  EXPECT_EQ(headline(p), "The launch itself takes 78 % of the kernel's time");
}

explain::Explanation said_of_copy(const time::Prediction& prediction,
                                  const explain::Payoffs* payoffs = nullptr) {
  return time_words(*record("memory/01_coalesced", "262144", {})->job, prediction, payoffs).explanation;
}

// What is proposed was predicted.
TEST(TimeFigure, IdleSmsGetWorkThatThereIs) {
  time::Prediction p;
  p.seconds = 1, p.blocks = 16, p.tail = 0.88, p.blocks_for_all_sms = 132, p.all_sms_longer = 0.03;
  EXPECT_EQ(said_of_copy(p).fix,
            "the problem is too small: 132 blocks like these take 3 % longer by the model");
  p.all_sms_longer = 0.5;
  EXPECT_EQ(said_of_copy(p).fix,
            "more blocks like these would not help (132 blocks take 50 % longer by the model)");
  p.all_sms_longer = 0;
  EXPECT_EQ(said_of_copy(p).fix, "the problem is too small: 132 blocks like these take as long by the model");
  p.in_smaller_blocks = 0.2;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("more threads for the idle SMs; these in smaller blocks: 20"));
  p.in_smaller_blocks = 0.6;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("more and smaller blocks of the same threads: 60"));
}

// The figure of banks says what conflicts cost: what is little there is no cure here.
TEST(TimeFigure, BankConflictsAreACureWhereTheyCostMuch) {
  time::Prediction p;
  p.seconds = 1, p.blocks = 4096, p.waves = 8, p.resident_warps = 64;
  p.units.shared = 0.9, p.useful_wavefronts = 0.4;
  explain::Payoffs payoffs;
  double& gain =
      payoffs.of_costs[static_cast<std::size_t>(explain::CostKind::wasted_wavefronts)].emplace(0.04);
  EXPECT_EQ(said_of_copy(p, &payoffs).fix,
            "more operations for a word that is read: results kept in registers, wider loads");
  gain = 0.3;
  EXPECT_EQ(said_of_copy(p, &payoffs).fix, "fewer bank conflicts: padded rows, or a swizzle");
  EXPECT_EQ(said_of_copy(p).fix.find("conflicts"), std::string::npos);
  p.units.shared = 0.3;
  p.stalls[static_cast<std::size_t>(time::Stall::short_scoreboard)] = 0.7;
  EXPECT_TRUE(said_of_copy(p, &payoffs).fix.starts_with("fewer bank conflicts, or loads into registers"));
  gain = 0.04;
  EXPECT_TRUE(said_of_copy(p, &payoffs).fix.starts_with("loads into registers"));
}

// A wait that has less than half of the warps' time is the longest of several, and what is done against it mends a part.
TEST(TimeFigure, AWaitOfLessThanHalfIsNotTheCause) {
  time::Prediction p;
  p.seconds = 1, p.blocks = 4096, p.waves = 8, p.resident_warps = 64, p.units.issue = 0.3;
  double& wait = p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)];
  wait = 0.39;
  explain::Explanation said = said_of_copy(p);
  EXPECT_EQ(said.what, "The longest wait is for global memory: 39 % of the warps' time");
  EXPECT_TRUE(said.fix.starts_with("against this wait, more loads under way")) << said.fix;
  wait = 0.6;
  said = said_of_copy(p);
  EXPECT_EQ(said.what, "Warps wait for global memory: no unit is busy more than 30 %");
  EXPECT_TRUE(said.fix.starts_with("more loads under way")) << said.fix;
  p.waves = 0.1;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with(
      "more threads, for a larger problem or with less work a thread; or more"))
      << said_of_copy(p).fix;
}

// A little more than one wave: its last blocks cost more than anything that warps wait for.
TEST(TimeFigure, TheLastBlocksLimitWhereTheyLeaveMoreTimeThanWaitsTake) {
  time::Prediction p;
  p.seconds = 1, p.blocks = 266, p.waves = 266. / 264, p.tail = 0.33, p.units.issue = 0.48;
  p.stalls[static_cast<std::size_t>(time::Stall::wait)] = 0.3;
  const explain::Explanation said = said_of_copy(p);
  EXPECT_EQ(said.what, "The last blocks leave 33 % of the SMs' time idle");
  EXPECT_EQ(said.why, "the grid has 266 blocks, and the device holds 264 at a time");
  p.stalls[static_cast<std::size_t>(time::Stall::wait)] = 0.5;
  EXPECT_EQ(said_of_copy(p).what, "Warps wait for the instruction before: no unit is busy more than 48 %");
}

// Warps that wait for products of wgmma load nothing from shared memory.
TEST(TimeFigure, WaitsForGroupProductsAreNotCuredByBanks) {
  time::Prediction p;
  p.seconds = 1, p.blocks = 1000, p.waves = 4, p.has_group_products = true;
  p.stalls[static_cast<std::size_t>(time::Stall::short_scoreboard)] = 0.6;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("several products or tiles under way"));
  p.units.tensor = 0.9;
  EXPECT_EQ(said_of_copy(p).fix, "a smaller type: half the bytes, twice the depth");
  p.has_group_products = false;
  EXPECT_EQ(said_of_copy(p).fix,
            "a smaller type: half the bytes, twice the depth; on 9.0 wgmma in the place of mma");
}

// More bytes under way only where memory can give more, and praise only where no byte is wasted.
TEST(TimeFigure, MemorysFixIsThatOfItsBytes) {
  time::Prediction p;
  p.seconds = 1e-9, p.units.dram = 0.79, p.waves = 4;
  EXPECT_EQ(said_of_copy(p).fix,
            "more bytes under way: wider loads, or several elements a thread; 94 % can be reached");
  p.units.dram = 0.92;
  EXPECT_EQ(said_of_copy(p).fix, "fewer bytes alone: smaller types; each passes once, in full sectors");
  p.seconds = 1;
  EXPECT_EQ(said_of_copy(p).fix, "fewer bytes: keep what is read again on the chip, use whole sectors");
  p.useful_sectors = 0.125;
  EXPECT_EQ(said_of_copy(p).fix,
            "whole sectors used: neighbouring lanes side by side, rows that start on a sector; where data "
            "decide the addresses, "
            "collect in shared memory first");
}

TEST(TimeFigure, L2sFixIsNoneWhereEachBytePassesOnce) {
  time::Prediction p;
  p.units.l2 = 0.76, p.waves = 4, p.l2_sectors = 2 * 262144 * 4 / 32;
  EXPECT_EQ(said_of_copy(p).fix, "none in its accesses: each byte passes once, in full sectors");
  p.l2_sectors *= 4;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("fewer sectors from it")) << said_of_copy(p).fix;
}

TEST(TimeFigure, TellsLocalMemoryAndConversions) {
  time::Prediction p;
  p.waves = 4, p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = 0.7;
  explain::Payoffs gains;
  EXPECT_EQ(said_of_copy(p, &gains).fix.find("more warps"), std::string::npos) << "they would gain nothing";
  gains.with_more_warps = 0.2;
  EXPECT_NE(said_of_copy(p, &gains).fix.find("more warps on the SM"), std::string::npos);
  EXPECT_EQ(said_of_copy(p).fix.find("more warps"), std::string::npos) << "nobody knows";
  gains.with_most_warps = 0.01;
  EXPECT_EQ(said_of_copy(p, &gains).fix.find("more warps"), std::string::npos) << "many more gain nothing";
  gains.with_most_warps = 0.2;
  EXPECT_NE(said_of_copy(p, &gains).fix.find("more warps on the SM"), std::string::npos);
  p.waves = 0.1;
  EXPECT_EQ(said_of_copy(p, &gains).fix.find("more warps"), std::string::npos) << "there are no more";
  p.local_accesses = 0.9;
  EXPECT_TRUE(headline(p).starts_with("Warps wait for local memory")) << headline(p);
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("fewer values at a time")) << said_of_copy(p).fix;
  p.has_local_arrays = true;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("an array in registers")) << said_of_copy(p).fix;
  for (double* unit : {&p.units.l2, &p.units.dram}) {  // spills that leave L1
    *unit = 0.8;
    EXPECT_TRUE(said_of_copy(p).fix.starts_with("an array in registers")) << said_of_copy(p).fix;
    *unit = 0;
  }
  p.units.sfu = 0.67;
  EXPECT_TRUE(said_of_copy(p).fix.starts_with("fewer of them")) << said_of_copy(p).fix;
  p.of_doubles = 0.95;
  EXPECT_EQ(said_of_copy(p).fix, "floats alone: a constant without f makes doubles of what is around it");
}

// Instructions take as long for a few lanes as for all: where branches divide warps, that is what to mend.
TEST(TimeFigure, NamesBranchesThatDivideWarps) {
  time::Prediction p;
  p.waves = 4, p.units.sfu = 0.9, p.divides_warps = true, p.mean_lanes = 30;
  EXPECT_EQ(said_of_copy(p).why.find("divide"), std::string::npos) << "hardly a lane waits";
  p.mean_lanes = 16.4;
  EXPECT_NE(said_of_copy(p).why.find("; branches divide warps: 16.4 of 32 lanes are at work on average"),
            std::string::npos)
      << said_of_copy(p).why;
  EXPECT_EQ(said_of_copy(p).fix, "branches that whole warps take one way: decide by warp, not by thread");
  p.divides_warps = false;
  EXPECT_EQ(said_of_copy(p).why.find("divide"), std::string::npos) << "lanes without work divide nothing";
}

TEST(TimeFigure, KnowsBranchesThatDivideWarps) {
  const auto divided = time::predict(*record("arithmetic/18_two_ways", "65536")),
             whole = time::predict(*record("arithmetic/14_sine", "65536"));
  ASSERT_TRUE(divided && whole);
  EXPECT_TRUE(divided->divides_warps);
  EXPECT_LT(divided->mean_lanes, 20);
  EXPECT_GT(whole->mean_lanes, 31);
}

// The number of schedulers is the device's.
TEST(TimeFigure, SaysHowManyInstructionsADeviceIssues) {
  for (const auto& [name, words] :
       {std::pair{"h100", "each of the four parts of an SM issues one instruction a cycle"},
        std::pair{"gtx480", "each of the two parts of an SM issues one instruction in 2"},
        std::pair{"k40",
                  "in the model each of the four parts of an SM issues one instruction a cycle; the chip "
                  "may issue two of a warp at once"},
        std::pair{"g80", "an SM issues one instruction in 4 cycles"}}) {
    auto run = std::make_shared<run::Run>(*record_kept("naive", "128"));
    auto job = std::make_shared<run::Job>(*run->job);
    job->plan.device = device_named(name);
    run->job = job;
    time::Prediction prediction;
    prediction.units.issue = 0.9, prediction.waves = 4;
    EXPECT_TRUE(time_words(*run->job, prediction, nullptr).explanation.why.starts_with(words))
        << time_words(*run->job, prediction, nullptr).explanation.why;
  }
}

// A wait of one warp is hit by the pointer: which warp, cycles, line.
TEST(TimeFigure, TellsWarpCycleAndLine) {
  const auto run = record_kept("shared_tile", "128");
  const Subject subject{.run = run, .known = {.schedule = schedule_of(*run)}};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  bool found = false;
  for (double y = 100; y < 600; y += 3)
    if (const auto hit = scene::hit_test(*scene, {400, y}, scene::FixedMeasure{}))
      found |=
          hit->title.find("cycles") != std::string::npos && hit->title.find("line ") != std::string::npos;
  EXPECT_TRUE(found);
}

TEST(TimeFigure, WritesItsNumbers) {
  const auto run = record_kept("naive", "128");
  const Subject subject{.run = run, .known = {.schedule = schedule_of(*run)}};
  const auto csv = time_table(subject);
  ASSERT_TRUE(csv);
  EXPECT_TRUE(csv->starts_with("warp,part,block,from_cycle,to_cycle,what,line\n"));
  EXPECT_NE(csv->find("selected"), std::string::npos);
}

TEST(TimeFigure, NeedsADeviceThatIsAProduct) {
  auto run = std::make_shared<run::Run>(*record_kept("naive", "128"));
  auto job = std::make_shared<run::Job>(*run->job);
  job->plan.device = device_named("cc8.0");
  run->job = job;
  const Subject subject{.run = run};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("no product"), std::string::npos);
}

TEST(TimeFigure, ShowsTheCyclesThatAreAskedFor) {
  const auto run = record_kept("shared_tile", "128");
  const SharedSchedule made = schedule_of(*run);
  ASSERT_TRUE(*made);
  const time::Schedule& schedule = **made;
  TimeOptions options;
  EXPECT_EQ(shown_cycles(schedule, options).from, schedule.from);
  options = zoomed(schedule, options, schedule.from + 64, 2);
  const Cycles nearer = shown_cycles(schedule, options);
  EXPECT_NEAR(nearer.number(), (schedule.to - schedule.from) / 2, 0.2);
  EXPECT_NEAR((schedule.from + 64 - nearer.from) / nearer.number(), 64 / (schedule.to - schedule.from), 0.01);
  EXPECT_NEAR(shown_cycles(schedule, moved(schedule, options, 32)).from, nearer.from + 32, 0.2);
  EXPECT_EQ(shown_cycles(schedule, moved(schedule, options, -1e9)).from, 0);
  EXPECT_NEAR(shown_cycles(schedule, zoomed(schedule, options, nearer.from, 1e-9)).number(), schedule.end, 1);
  EXPECT_GE(shown_cycles(schedule, zoomed(schedule, options, nearer.from, 1e9)).number(), 8);
  const Subject subject{.run = run, .known = {.schedule = made}, .time = options};
  const auto csv = time_table(subject);
  ASSERT_TRUE(csv);
  EXPECT_LT(csv->size(), time_table({.run = run, .known = {.schedule = made}})->size());
}

TEST(TimeFigure, ReadsItsOptions) {
  const auto options = time_options("4096,4352", "4219,5");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->from, 4096);
  EXPECT_EQ(options->warp, 5);
  EXPECT_EQ(cycles_text(*options), "4096,4352");
  EXPECT_EQ(cursor_text(*options), "4219,5");
  EXPECT_EQ(*time_options("", ""), TimeOptions{});
  for (const char* wrong : {"4096", "5,4", "a,b", "1,2,3", "-1,5"})
    EXPECT_FALSE(time_options(wrong, "")) << wrong;
}

// Keys go from instruction to instruction and from warp to warp; what is at the cursor is said beside it, and
// the chart follows.
TEST(TimeFigure, HasACursor) {
  const auto run = record_kept("shared_tile", "128");
  const SharedSchedule made = schedule_of(*run);
  ASSERT_TRUE(*made);
  const time::Schedule& schedule = **made;
  TimeOptions options = cursor_moved(schedule, {}, 0, 1);
  EXPECT_EQ(options.warp, 1);
  EXPECT_GE(options.cycle, schedule.from);
  const double before = options.cycle;
  options = cursor_moved(schedule, options, 3, 0);
  EXPECT_GT(options.cycle, before);
  for (int i = 0; i < 60; ++i) options = cursor_moved(schedule, options, 1, 0);
  const Cycles shown = shown_cycles(schedule, options);
  EXPECT_GE(options.cycle, shown.from);
  EXPECT_LE(options.cycle, shown.to);
  const Subject subject{.run = run, .known = {.schedule = made}, .time = options};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  bool is_said = false;
  const auto look = [&](const auto& self, const scene::Group& group) -> void {
    for (const scene::Item& item : group.items) {
      if (const auto* text = std::get_if<scene::TextShape>(&item.shape))
        is_said |=
            text->text.starts_with("cycle ") && text->text.find("warp 1 of block") != std::string::npos;
      if (const auto* inner = std::get_if<scene::Group>(&item.shape)) self(self, *inner);
    }
  };
  look(look, scene->root);
  EXPECT_TRUE(is_said);
}

// The pointer's place in the chart: the instruction that is there, which the code lights too.
TEST(TimeFigure, PicksTheInstruction) {
  const auto run = record_kept("shared_tile", "128");
  const Subject subject{.run = run, .known = {.schedule = schedule_of(*run)}};
  const scene::FixedMeasure measure;
  const auto scene = draw_time(subject, {1280, 720}, measure);
  ASSERT_TRUE(scene);
  std::size_t found = 0;
  for (double x = 200; x < 700; x += 25)
    if (const auto pick = pick_in_time(subject, *scene, {1280, 720}, measure, {x, 200}))
      found +=
          pick->title.starts_with("cycle ") &&
          (pick->id.starts_with("ptx:") || pick->id.starts_with("line:") || pick->id.starts_with("warp:"));
  EXPECT_GE(found, 15u);
  EXPECT_FALSE(pick_in_time(subject, *scene, {1280, 720}, measure, {5, 5}));
}

// More warps hide a chain of dependent operations, until a unit is busy; then waves of blocks that do not
// come out even may cost some of it.
TEST(LatencyFigure, GrowsWithTheWarps) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("latency/01_one_chain", "1048576", {{"BLOCK", 64}, {"PER_SM", 0}});
  ASSERT_TRUE(run);
  const auto over = time::over_warps(*run);
  ASSERT_TRUE(over) << to_line(over.error());
  ASSERT_GE(over->points.size(), 4u);
  EXPECT_EQ(over->points.front().blocks, 1);
  EXPECT_GT(over->points.front().seconds, 3 * over->points[over->now].seconds);
  for (std::size_t i = 1; i < over->points.size(); ++i)
    EXPECT_LE(over->points[i].seconds, 1.15 * over->points[i - 1].seconds);
  const TimeSaid said = latency_words(*run, *over);
  EXPECT_FALSE(said.explanation.what.empty());
}

// Up to twice as fast is a share, more is a number of times: nobody has a picture of "269 % faster".
TEST(LatencyFigure, SaysAsHowManyTimesWhatIsFarFaster) {
  const auto run = record("latency/01_one_chain", "1048576", {{"BLOCK", 64}, {"PER_SM", 0}});
  auto over = time::over_warps(*run);
  ASSERT_TRUE(over) << to_line(over.error());
  over->now = 0;
  double least = over->points.front().seconds;
  for (const time::AtWarps& at : over->points) least = std::min(least, at.seconds);
  over->points.front().seconds = 3.7 * least;
  EXPECT_THAT(latency_words(*run, *over).explanation.what, testing::HasSubstr(" times as fast as with "));
  over->points.front().seconds = 1.5 * least;
  EXPECT_THAT(latency_words(*run, *over).explanation.what, testing::HasSubstr(" % faster than with "));
}

// Where a grid gives an SM one block at most, no other number was tried.
TEST(LatencyFigure, PraisesNoNumberThatIsTheOnlyOne) {
  const auto run = record("matmul/05_register_2d", "512", {});
  const auto over = time::over_warps(*run);
  ASSERT_TRUE(over) << to_line(over.error());
  ASSERT_EQ(over->points.size(), 1u);
  const explain::Explanation said = latency_words(*run, *over).explanation;
  EXPECT_NE(said.verdict, explain::Verdict::good);
  EXPECT_TRUE(said.what.ends_with(" warps an SM: the grid has no more")) << said.what;
}

// Whoever closes the picture, or the window, waits for none of them.
TEST(TimesOfARun, EndWhereTheyAreCancelled) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/03_shared_tile", "512", {});
  const std::atomic<bool> cancel{true};
  const std::string cancelled = run::cancelled().message;
  const auto end_of = [](const auto& made) { return made ? std::string() : made.error().message; };
  EXPECT_EQ(end_of(*schedule_of(*run, cancel)), cancelled);
  EXPECT_EQ(end_of(*over_warps_of(*run, cancel)), cancelled);
  EXPECT_EQ(end_of(*timeline_of(*run, cancel)), cancelled);
  EXPECT_EQ(end_of(time::predict(*run, cancel)), cancelled);
  EXPECT_EQ(end_of(time::predict(*run)), "") << "where nobody ends it";
}

// Sectors that crowd in one partition are no more sectors.
TEST(TimeFigure, BooksPartitionsNotAsTraffic) {
  time::Prediction crowded;
  crowded.units.dram = 0.95, crowded.crowding = 4.5, crowded.seconds = 1;
  const auto run = record("transpose/02_tiled", "128", {});
  const explain::Explanation said = time_words(*run->job, crowded, nullptr).explanation;
  EXPECT_TRUE(said.why.starts_with("accesses crowd in few of memory’s partitions: it takes 4.5 times"))
      << said.why;
  crowded.crowding = 1;
  EXPECT_NE(time_words(*run->job, crowded, nullptr).explanation.why.find("times what the problem needs"),
            std::string::npos);
}

// A cure follows from what holds the step by the model of time; where that is not known none is said, however
// near a roof is.
TEST(TimeFigure, RooflinesCureIsThatOfWhatLimits) {
  PerformanceInput in = speeds::input();
  in.points[1].number = 2, in.chosen = in.points[1].id;
  in.roofline->memory_gb_per_s = 150;
  EXPECT_EQ(roofline_words(in).fix, "");
  const device::Device h100 = run::h100();
  const auto limit = [&](auto set) {
    time::Prediction p;
    p.seconds = 1, p.waves = 8, p.resident_warps = h100.max_warps_per_sm;
    set(p);
    return limit_of(h100, {}, &p);
  };
  in.points[1].limit = limit([](time::Prediction& p) { p.units.issue = 0.76, p.units.fma = 0.62; });
  explain::Explanation said = roofline_words(in);
  EXPECT_TRUE(said.why.ends_with(
      "by the model the warp schedulers limit this step: busy 76 % of the kernel's cycles"));
  EXPECT_TRUE(said.fix.starts_with("fewer instructions for the same work")) << said.fix;
  in.points[1].limit = limit([](time::Prediction& p) { p.units.l1 = 0.96; });
  said = roofline_words(in);
  EXPECT_TRUE(said.why.ends_with("by the model L1 limits this step: busy 96 % of the kernel's cycles"))
      << said.why;
  EXPECT_EQ(said.fix.find("warps"), std::string::npos) << "all that an SM may hold are there";
  in.points[1].limit = limit([](time::Prediction& p) {
    p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = 0.8, p.resident_warps = 16;
  });
  EXPECT_TRUE(roofline_words(in).fix.starts_with("more loads under way: several independent loads"))
      << "of other steps nobody asks what more warps gain";
}

// Every block once, no more on an SM than it holds, and the end is the predicted one.
TEST(TimelineFigure, PlacesEveryBlock) {
  const auto run = record("matmul/03_shared_tile", "1024", {{"TILE", 16}});
  const SharedTimeline made = timeline_of(*run);
  ASSERT_TRUE(*made) << to_line(made->error());
  const time::GridTimeline& model = **made;
  EXPECT_EQ(model.grid, 64u * 64u);
  ASSERT_EQ(model.blocks.size(), model.grid);
  EXPECT_EQ(model.full_waves, model.grid / static_cast<std::uint64_t>(model.sms * model.held));
  EXPECT_LE(blocks_in_slots(*run, model).slots(), static_cast<std::uint32_t>(model.held));
  double end = 0;
  for (const time::BlockSpan& span : model.blocks) end = std::max(end, span.end);
  EXPECT_NEAR(end, model.prediction.cycles / 1.98e9, 1e-9);
  EXPECT_NEAR(model.idle_share, 1 - blocks_in_slots(*run, model).busy_share(), 1e-3)
      << "as the picture says it";
  const Subject subject{.run = run, .known = {.timeline = made}};
  const auto scene = draw_timeline(subject, {900, 600}, scene::FixedMeasure{});
  ASSERT_TRUE(scene) << to_line(scene.error());
}

// The cards of the figure and the box below them say the same number of waves, however many bars are drawn.
TEST(TimelineFigure, CountsTheBlocksOfALargeGrid) {
  const auto run = record("memory/01_coalesced", "16777216");
  const SharedTimeline made = timeline_of(*run);
  ASSERT_TRUE(*made) << to_line(made->error());
  const Timeline timeline = blocks_in_slots(*run, **made);
  EXPECT_GT((*made)->together, 1u);
  EXPECT_EQ(timeline.blocks(), (*made)->grid);
  EXPECT_EQ(static_cast<std::uint64_t>(timeline.full_waves()), (*made)->full_waves);
}

TEST(TimelineFigure, SaysWhatTheLastWaveCosts) {
  time::GridTimeline t;
  t.sms = 132, t.held = 2, t.full_waves = 4;
  t.grid = 4 * 264 + 48, t.last_blocks = 48, t.last_sms = 24, t.idle_share = 0.18;
  const auto said = timeline_words(t).explanation;
  EXPECT_EQ(said.what, "the last wave fills 48 of 264 places; SMs are idle for 18 % of their time");
  EXPECT_EQ(said.verdict, explain::Verdict::costly);
  EXPECT_EQ(said.fix, "less work for a block: the last wave is shorter then");
  t.prediction.units.dram = 0.93;  // without idle SMs it would hardly be quicker
  EXPECT_EQ(timeline_words(t).explanation.verdict, explain::Verdict::neutral);
  EXPECT_EQ(timeline_words(t).explanation.fix, "");
  t.prediction.units.dram = 0.3, t.idle_share = 0.052;
  EXPECT_EQ(timeline_words(t).explanation.verdict, explain::Verdict::neutral) << "no reproach";
  t.idle_share = 0.016;  // others end later, but all have work
  EXPECT_EQ(timeline_words(t).explanation.verdict, explain::Verdict::good);
  EXPECT_EQ(timeline_words(t).explanation.fix, "");
  t.grid = 4 * 264, t.last_blocks = 0, t.idle_share = 0;
  EXPECT_EQ(timeline_words(t).explanation.what, "4 full waves, and no other: all SMs end together");
  t.first_idle = 0.94;  // SMs do not run quite alike, and the picture shows it
  EXPECT_EQ(timeline_words(t).explanation.what,
            "4 full waves, and no other; the first SM ends after 94 % of the kernel's time");
  t.grid = 100, t.full_waves = 0, t.last_blocks = 100, t.last_sms = 100;
  EXPECT_EQ(timeline_words(t).explanation.what, "the grid fills 100 of 132 SMs");
  EXPECT_EQ(timeline_words(t).explanation.fix, "");  // smaller blocks save nothing
  t.prediction.in_smaller_blocks = 0.2;
  EXPECT_EQ(timeline_words(t).explanation.fix,
            "more and smaller blocks of the same threads: 20 % less time by the model");
  t.grid = 264, t.first_idle = 0.94, t.last_sms = 132;  // SMs do not run quite alike
  EXPECT_EQ(timeline_words(t).explanation.what, "less than one wave: as many blocks on each of the 132 SMs");
}

}  // namespace
}  // namespace warplens::figures
