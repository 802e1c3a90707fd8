// The way of the data: amounts against what the emulator counted, and what the picture says of them.
#include "viz/figures/flow/flow.hpp"

#include <gmock/gmock.h>

#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/testing/run_support.hpp"
#include "viz/figures/flow/flow_words.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::figures {
namespace {

using testing::Contains, testing::Each, testing::ElementsAre, testing::HasSubstr, testing::Not;
using Per = FlowOptions::Per;

std::vector<std::string_view> names(const Flow& flow) {
  std::vector<std::string_view> names;
  for (const Pipe& pipe : flow.pipes) names.push_back(name_of(pipe.id));
  return names;
}

TEST(Flow, HasTheCountsOfTheEmulator) {
  const auto run = record_kept("naive", "64");
  const emulator::Counts& counts = run->report.counts;
  const Flow flow = flow_of(*run, nullptr);
  EXPECT_THAT(names(flow), ElementsAre("memory-l2", "l2-l1", "global-registers"));
  EXPECT_EQ(flow.unit, "multiply-add");
  EXPECT_EQ(flow.operations, 64.0 * 64 * 64);
  const Pipe& global = *flow.find(Pipe::Id::global_registers);
  EXPECT_EQ(global.down, 32.0 * static_cast<double>(counts.global_load.sectors));
  EXPECT_EQ(global.up, 32.0 * static_cast<double>(counts.global_store.sectors));
  EXPECT_EQ(global.most, 0) << "it is exact";
  EXPECT_GT(global.wasted(), 0.5 * global.down) << "lanes go down a column";
  // Each element of A and B once, and C as often as it is stored; at most all of it.
  const Pipe& l2 = *flow.find(Pipe::Id::l2_l1);
  EXPECT_EQ(l2.down, 2 * 4.0 * 64 * 64);
  EXPECT_EQ(l2.up, global.up);
  EXPECT_EQ(l2.most, global.bytes());
  const Pipe& memory = *flow.find(Pipe::Id::memory_l2);
  EXPECT_EQ(memory.bytes(), 3 * 4.0 * 64 * 64);
  ASSERT_TRUE(flow.narrow);
  EXPECT_EQ(flow.pipes[*flow.narrow].id, Pipe::Id::global_registers);
}

// What a multiply-add takes less than one of is said by how many of them share one, and of what.
TEST(Flow, SaysHowManyOperationsShareAWavefront) {
  const auto run = record_kept("shared_tile", "64");
  const Flow flow = flow_of(*run, nullptr);
  const auto shared = std::ranges::find(flow.pipes, Pipe::Id::shared_registers, &Pipe::id);
  ASSERT_NE(shared, flow.pipes.end());
  std::vector<std::string> said;
  const auto place = static_cast<std::size_t>(shared - flow.pipes.begin());
  for (const LabelLine& line : FlowWords{*run, flow}.label_of(place, 900, 300, scene::FixedMeasure()))
    said.push_back(line.text);
  EXPECT_THAT(said, Contains(testing::MatchesRegex("[0-9.,]+ multiply-adds per wavefront")));
}

// Of a file's own problem nobody says whether it has products: a kernel without any has none.
TEST(Flow, IsOfMultiplyAddsWhereThereAreAny) {
  const auto unit_of = [](const std::string& body) {
    const auto spec = catalog::parse_kernel(
        "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [{ name = \"in\", count = \"N\" "
        "}, { name = "
        "\"out\", count = \"N\" }]\ncheck = \"out[i] == " +
            body +
            "\"\noperations = \"2 * N\"\n[launch]\nblock = [64]\ngrid = [\"N / 64\"]\n---*/\n"
            "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
            "  const int i = blockIdx.x * 64 + threadIdx.x;\n  out[i] = " +
            body + ";\n}\n",
        "own", "own.cu");
    EXPECT_TRUE(spec);
    return flow_of(*record(*spec, "4096"), nullptr).unit;
  };
  EXPECT_EQ(unit_of("in[i] + 2 - in[0]"), "operation");
  EXPECT_EQ(unit_of("in[i] * 3 + 2"), "multiply-add");
}

TEST(Flow, OfSharedMemoryIsItsWavefronts) {
  const auto run = record_kept("shared_tile", "64");
  const emulator::Counts& counts = run->report.counts;
  const Flow flow = flow_of(*run, nullptr);
  const Pipe& shared = *flow.find(Pipe::Id::shared_registers);
  EXPECT_EQ(shared.down, 128.0 * static_cast<double>(counts.shared_load.wavefronts));
  EXPECT_EQ(shared.up, 128.0 * static_cast<double>(counts.shared_store.wavefronts));
  EXPECT_EQ(shared.wasted(), 0);
  EXPECT_TRUE(flow.uses_shared);
  EXPECT_EQ(&flow.pipes[*flow.narrow], &shared);
}

// Memory of a chip without caches gives what is asked for; chips that keep no global memory in L1 have none
// here.
TEST(Flow, HasOnlyWhatTheDeviceHas) {
  const auto run = record_kept("naive", "64");
  EXPECT_THAT(names(flow_of(on(*run, device_named("gtx280")), nullptr)), ElementsAre("global-registers"));
  EXPECT_THAT(names(flow_of(on(*run, device_named("k40")), nullptr)),
              ElementsAre("memory-l2", "global-registers"));
  const Flow bare = flow_of(on(*run, device_named("cc9.0")), nullptr);
  EXPECT_FALSE(bare.narrow) << "a compute capability has no rates";
  EXPECT_EQ(bare.arithmetic_seconds, 0);
}

TEST(Flow, OfTheStepBeforeIsOfTheSameWork) {
  const auto run = record_kept("shared_tile", "64");
  const auto before = record_kept("naive", "64");
  run::StepCount count = run::step_count(*before);
  count.work /= 2, count.bytes /= 2;  // a sample of its blocks
  const StepBefore step("1", "Naive", count);
  const Flow flow = flow_of(*run, &step);
  EXPECT_EQ(flow.find(Pipe::Id::global_registers)->before,
            flow_of(*before, nullptr).find(Pipe::Id::global_registers)->bytes());
  EXPECT_EQ(flow.find(Pipe::Id::shared_registers)->before, 0);
}

// Down a ladder the pipe becomes thin: the tiled step is drawn at the scale of the naive one.
TEST(Flow, OfALadderHasOneScale) {
  const auto naive = record_kept("naive", "64"), tile = record_kept("shared_tile", "64");
  LadderScale scale;
  study::widen(scale, run::step_count(*naive), 32, "1");
  study::widen(scale, run::step_count(*tile), 32, "3");
  EXPECT_EQ(scale.number, "1");
  const Flow of_naive = flow_of(*naive, nullptr, &scale), of_tile = flow_of(*tile, nullptr, &scale);
  EXPECT_DOUBLE_EQ(of_naive.widest, of_naive.find(Pipe::Id::global_registers)->bytes());
  EXPECT_DOUBLE_EQ(of_tile.widest, of_naive.widest) << "a launch has the same work";
  const auto shared = std::make_shared<const LadderScale>(scale);
  const auto width = [&](const run::SharedRun& run, const std::string& pipe) {
    const auto scene = draw_flow({.run = run, .known = {.scale = shared}}, {900, 600}, scene::FixedMeasure{});
    double low = 1e9, high = 0;
    for (const scene::Item& item : scene->root.items)
      if (const auto* group = std::get_if<scene::Group>(&item.shape);
          group != nullptr && item.id == "pipe:" + pipe)
        for (const scene::Item& part : group->items)
          if (const auto* rect = std::get_if<scene::RectShape>(&part.shape);
              rect != nullptr && rect->style.fill)
            low = std::min(low, rect->rect.x), high = std::max(high, rect->rect.right());
    return high - low;
  };
  const double thick = width(naive, "global-registers"), thin = width(tile, "global-registers"),
               shares = of_tile.find(Pipe::Id::global_registers)->bytes() / of_naive.widest;
  EXPECT_GT(thick, 100);
  EXPECT_LT(thin, thick * shares + 7) << "but for what is drawn at its least width";
}

// A step keeps its number where others of its ladder solve another problem.
TEST(Flow, TheScaleNamesAStepByItsPlaceInTheLadder) {
  const catalog::KernelSpec naive = *run::kernels().find("matmul/01_naive"),
                            other = *run::kernels().find("transpose/02_tiled"),
                            tile = *run::kernels().find("matmul/03_shared_tile");
  const std::vector<const catalog::KernelSpec*> ladder{&naive, &other, &tile};
  const auto steps = study::steps_of_problem(ladder, *run::plan_of(tile, {}, {}));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].number, "1");
  EXPECT_EQ(steps[1].number, "3");
  EXPECT_EQ(steps[1].run.spec.id, tile.id);
}

TEST(Flow, IsShownOfAPartOfTheWork) {
  const Flow flow = flow_of(*record_kept("shared_tile", "64"), nullptr);
  EXPECT_EQ(flow.parts(Per::kernel), 1);
  EXPECT_EQ(flow.parts(Per::block), flow.blocks);
  EXPECT_EQ(flow.parts(Per::operation), 64.0 * 64 * 64);
  for (const auto& [per, name] : kPerNames) EXPECT_EQ(per_named(name), per);
  EXPECT_FALSE(per_named("warp"));
}

TEST(Flow, SaysTheNarrowPlaceInWords) {
  const auto naive = record_kept("naive", "64");
  const Flow flow = flow_of(*naive, nullptr);
  const auto said = FlowWords{*naive, flow}.explanation();
  EXPECT_THAT(said.what, HasSubstr("L1 is the narrowest place known"));
  EXPECT_EQ(said.verdict, explain::Verdict::costly);
  EXPECT_THAT(said.why, HasSubstr("sectors pass it"));
}

// Where arithmetic needs the smaller part of what was measured, nothing is praised, and the rest has a name.
TEST(Flow, SaysWhatTheRestOfTheTimeIs) {
  const auto tile = record_kept("shared_tile", "64");
  Flow flow = flow_of(*tile, nullptr);
  flow.narrow.reset(), flow.arithmetic_seconds = 33e-6;
  FlowWords words{*tile, flow};
  words.recorded_seconds = 40e-6;
  EXPECT_EQ(words.explanation().verdict, explain::Verdict::good);
  words.recorded_seconds = 86e-6;
  const explain::Explanation said = words.explanation();
  EXPECT_EQ(said.verdict, explain::Verdict::neutral);
  EXPECT_THAT(said.why,
              HasSubstr("53 µs of the time no unit here is busy: SMs have no block, or warps wait"));
}

// The model of time knows what caches keep: its limiter is what the picture says and marks.
TEST(Flow, SaysWhatLimitsByTheModel) {
  const auto naive = record_kept("naive", "64");
  Flow flow = flow_of(*naive, nullptr);
  ASSERT_EQ(flow.pipes[*flow.narrow].id, Pipe::Id::global_registers);
  explain::Payoffs payoffs;
  payoffs.now.seconds = 1e-5, payoffs.now.units.l2 = 0.76, payoffs.now.waves = 4;
  follow_the_model(flow, payoffs.now);
  EXPECT_EQ(flow.pipes[flow.narrow.value()].id, Pipe::Id::l2_l1);
  FlowWords words{*naive, flow};
  words.payoffs = &payoffs;
  EXPECT_EQ(words.explanation().what, "L2 limits this step: busy 76 % of the kernel's cycles");
  payoffs.now.units.l2 = 0, payoffs.now.units.issue = 0.71;
  follow_the_model(flow, payoffs.now);
  EXPECT_FALSE(flow.narrow);
  EXPECT_EQ(words.explanation().what,
            "The warp schedulers limit this step: busy 71 % of the kernel's cycles");
}

// What a unit needs of a launch is one number, in this picture as in that of time.
TEST(Flow, SaysOfEachUnitWhatTheFigureOfTimeSays) {
  const auto run = record_kept("shared_tile", "128");
  explain::Payoffs payoffs;
  payoffs.now.seconds = 5e-4, payoffs.now.waves = 4;
  time::UnitShares& units = payoffs.now.units;
  units.shared = 0.66, units.l1 = 0.08, units.l2 = 0.15, units.dram = 0.001, units.fma = 0.52;
  Flow flow = flow_of(*run, nullptr);
  follow_the_model(flow, payoffs.now);
  FlowWords words{*run, flow};
  words.payoffs = &payoffs;
  const auto needs = [&](Pipe::Id id) {
    std::string text;
    for (std::size_t i = 0; i < flow.pipes.size(); ++i)
      if (flow.pipes[i].id == id)
        for (const LabelLine& line : words.label_of(i, 400, 200, scene::FixedMeasure{}))
          text += line.text + "\n";
    return text;
  };
  EXPECT_THAT(needs(Pipe::Id::global_registers), HasSubstr("40 µs a launch, by the model"));
  EXPECT_THAT(needs(Pipe::Id::shared_registers), HasSubstr("330 µs a launch, by the model"));
  EXPECT_THAT(needs(Pipe::Id::l2_l1), HasSubstr("75 µs a launch, by the model"));
  EXPECT_THAT(needs(Pipe::Id::memory_l2), Not(HasSubstr("a launch"))) << "it is hardly busy";
  EXPECT_THAT(words.registers().second, Contains("arithmetic needs 260 µs"));
  words.hides_speed = true;
  EXPECT_THAT(needs(Pipe::Id::shared_registers), Not(HasSubstr("a launch")));
  EXPECT_THAT(words.registers().second, Each(Not(HasSubstr("µs"))));
  words.payoffs = nullptr;
  EXPECT_THAT(needs(Pipe::Id::shared_registers), HasSubstr("at least"));
}

// The tensor cores of an SM do 4,096 operations a cycle of 9.0 by the data sheet, with operands of 16 bits: what is
// said that they take at least is not what units of floats would.
TEST(Flow, TimesProductsOfMatricesByTheTensorCores) {
  for (const std::string_view id : {"tensor/01_wmma", "tensor/07_stages", "tensor/09_wgmma_tma"}) {
    const auto run = record(id, "256");
    ASSERT_NE(run, nullptr) << id;
    const double sms = std::min<double>(132, static_cast<double>(run->emulation.blocks_in_grid));
    const double least = 2.0 * 256 * 256 * 256 / (4096 * sms * 1980e6);
    EXPECT_NEAR(flow_of(*run, nullptr).arithmetic_seconds, least, 0.01 * least) << id;
  }
}

// A film of a whole turn of the packets goes on with its first frame.
TEST(Flow, PacketsMoveAndComeBack) {
  const auto run = record_kept("shared_tile", "32");
  const auto svg = [&](double phase) {
    const Subject subject{.run = run, .flow = {.phase = phase}};
    return *paint::to_svg(*draw_flow(subject, {900, 600}, scene::FixedMeasure{}), theme::dark(),
                          scene::FixedMeasure{});
  };
  EXPECT_NE(svg(0), svg(0.5));
  EXPECT_EQ(svg(0), svg(1));
}

TEST(Flow, IsWrittenAsATable) {
  const auto run = record_kept("naive", "64");
  const std::string csv = flow_csv(flow_of(*run, nullptr));
  EXPECT_THAT(csv, HasSubstr("memory-l2,to registers,32768,at least,"));
  EXPECT_THAT(csv, HasSubstr("global-registers,to registers,"));
  EXPECT_THAT(csv, HasSubstr("exact"));
}

TEST(FlowGolden, IsAsKept) {
  const auto naive = record_kept("naive", "64");
  const auto tile = record_kept("shared_tile", "64");
  const auto before = std::make_shared<const StepBefore>("1", "Naive", run::step_count(*naive));
  const scene::FixedMeasure measure;
  const auto payoffs = std::make_shared<explain::Payoffs>();
  payoffs->of_costs[static_cast<std::size_t>(explain::CostKind::wasted_sectors)] = 0.5;
  Subject first{.run = naive};
  first.known.payoffs = payoffs;
  expect_golden(*draw_flow(first, {1280, 720}, measure), "flow_naive");
  expect_golden(*draw_flow({.run = tile, .known = {.before = before}}, {1280, 720}, measure),
                "flow_shared_tile");
  const auto old = std::make_shared<const run::Run>(on(*tile, device_named("gtx280")));
  expect_golden(*draw_flow({.run = old, .flow = {.per = Per::block}}, {660, 560}, measure), "flow_old_chip");
}

}  // namespace
}  // namespace warplens::figures
