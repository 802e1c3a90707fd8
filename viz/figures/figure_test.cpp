// The table of figures, and what is so of all of its rows.
#include "viz/figures/figure.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/runner.hpp"
#include "engine/study/found.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/made_steps.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kSize{900, 600};

TEST(Figures, HaveNamesOfTheirOwn) {
  std::set<std::string_view> ids, titles;
  for (const Figure& figure : all_figures()) {
    EXPECT_TRUE(ids.insert(figure.id).second) << figure.id;
    EXPECT_TRUE(titles.insert(figure.title).second) << figure.title;
    EXPECT_EQ(find_figure(figure.id), &figure);
    EXPECT_EQ(is_drawn(figure), figure.draw != nullptr || figure.plot != nullptr) << figure.id;
    EXPECT_TRUE(!is_drawn(figure) || figure.least.width > 0) << figure.id;
  }
  EXPECT_EQ(find_figure("none"), nullptr);
}

// Tabs and keys go by position: rows of one kind stand together.
TEST(Figures, StandInTheOrderOfWhatTheyNeed) {
  const std::size_t of_a_run = figures_of_a_run().size(), pictured = pictures().size();
  EXPECT_LT(of_a_run, pictured);
  for (std::size_t i = 0; i < all_figures().size(); ++i) {
    EXPECT_EQ(i >= of_a_run && i < pictured, all_figures()[i].plot != nullptr) << i;
    EXPECT_EQ(i >= pictured, all_figures()[i].has(Trait::panel)) << i;
  }
}

// Of the run's kernel, as if it had two parameters.
SharedSpeedMap small_map(const run::Run& run) {
  time::SpeedMap map{run.plan(), {}};
  map.plan.spec.params = {{"ROWS", 1, {1, 2}, ""}, {"TILE", 16, {16, 32}, ""}};
  for (const std::int64_t rows : {1, 2})
    for (const std::int64_t tile : {16, 32})
      map.sets.push_back({.values = {{"ROWS", rows}, {"TILE", tile}},
                          .seconds = 1e-6 * static_cast<double>(rows * tile),
                          .limiter = "fma"});
  map.by_influence = time::varied_parameters(map);
  return std::make_shared<const Result<time::SpeedMap>>(std::move(map));
}

// All that figures of a run need.
study::Known known_of(const run::Run& run) {
  return {.banks = std::make_shared<const BankMap>(bank_map_of(run, 0)),
          .schedule = schedule_of(run),
          .over_warps = over_warps_of(run),
          .timeline = timeline_of(run),
          .times = times_of(run),
          .rounding = std::make_shared<const Result<Rounding>>(Rounding{warp_off_by(8)}),
          .tensor = study::tensor_found(run, 0),
          .tiles = std::make_shared<const Result<study::TileOrder>>(study::tile_order_of(run)),
          .speed_map = small_map(run)};
}

TEST(Figures, NameWhatTheyNeedOfARun) {
  const auto run = record_kept("shared_tile", "32");
  const study::Known all = known_of(*run);
  for (const Figure& figure : all_figures()) {
    EXPECT_EQ(what_is_missing(figure, all), "") << figure.id;
    EXPECT_EQ(what_is_missing(figure, {}).empty(), figure.needs.empty()) << figure.id;
    if (figure.needs.empty()) continue;
    EXPECT_FALSE(draw(figure, {.run = run}, kSize, scene::FixedMeasure{})) << figure.id;
  }
}

// The kernel that all are of, and for those of tensor cores one that has some; nothing where that cannot be compiled.
class Subjects {
 public:
  explicit Subjects(Subject usual) : usual_(std::move(usual)), of_tensor_(usual_) {
    of_tensor_.run = record("tensor/15_cluster_multicast", "256");
    if (of_tensor_.run == nullptr) return;
    of_tensor_.place = {};
    of_tensor_.known.tensor = study::tensor_found(*of_tensor_.run, 0);
  }
  std::optional<Subject> of(const Figure& figure, Look look) const {
    Subject subject = figure.needs.has(study::Fact::tensor) ? of_tensor_ : usual_;
    subject.look = look;
    return subject.run == nullptr ? std::nullopt : std::optional(subject);
  }

 private:
  Subject usual_, of_tensor_;
};

TEST(Figures, EveryOneOfARunDrawsItAndWritesItsNumbers) {
  const auto run = record_kept("shared_tile", "32");
  const OccupancyInput occupancy{run::h100(), {256, 96, 33 * 1024}, "A test"};
  const Subjects subjects({.run = run,
                           .place = {.access = 7},
                           .known = known_of(*run),
                           .occupancy = std::make_shared<const OccupancyInput>(occupancy),
                           .timing = made_timing()});
  for (const Figure& figure : all_figures()) {
    const auto subject = subjects.of(figure, Look::file);
    if (!is_drawn(figure) || figure.plot != nullptr || !subject) continue;
    const auto scene = draw(figure, *subject, kSize, scene::FixedMeasure{});
    ASSERT_TRUE(scene) << figure.id << to_line(scene.error());
    EXPECT_FALSE(scene->root.items.empty()) << figure.id;
    const auto numbers = csv(figure, *subject);
    ASSERT_TRUE(numbers) << figure.id << to_line(numbers.error());
    EXPECT_NE(numbers->find('\n'), std::string::npos) << figure.id;
  }
}

void collect_sizes(const scene::Group& group, double scale, std::vector<double>& sizes) {
  for (const scene::Item& item : group.items) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape))
      collect_sizes(*inner, scale * inner->scale, sizes);
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape))
      sizes.push_back(scale * text->style.size);
  }
}

// On a stage of 1280 x 720 the picture beside a question has 650 x 330 scene pixels, and captions are 18
// pixels high.
TEST(Figures, ForAClassHaveNoSmallTypeAndFewerWords) {
  const auto run = record_kept("shared_tile", "32");
  const Subjects subjects(
      {.run = run, .place = {.access = 7}, .known = known_of(*run), .timing = made_timing()});
  for (const Figure& figure : figures_of_a_run()) {
    const auto subject = subjects.of(figure, Look::stage);
    if (!subject) continue;
    const auto texts = [&](Look look, scene::Size size) {
      std::vector<double> sizes;
      collect_sizes(draw(figure, *subjects.of(figure, look), size, scene::FixedMeasure{})->root, 1, sizes);
      return sizes;
    };
    const std::size_t usual = texts(Look::file, {1184, 560}).size();
    const std::vector<double> seen = texts(Look::stage, {650, 330});
    ASSERT_FALSE(seen.empty()) << figure.id;
    EXPECT_GE(*std::ranges::min_element(seen), 12.99) << figure.id;
    EXPECT_LT(seen.size(), usual) << figure.id;
    EXPECT_FALSE(what_it_says(figure, *subject).explanation.what.empty()) << figure.id;
  }
}

TEST(Figures, WhatIsMissingIsSaidInTheFigure) {
  run::Run preview = *record_kept("naive", "32");
  preview.complete = false;
  const Subject subject{.run = std::make_shared<const run::Run>(std::move(preview))};
  for (const char* id :
       {"banks", "bank-map", "flow", "time", "latency", "timeline", "waits", "rounding", "timing",
        "speed-map", "occupancy", "fragments", "swizzle", "tma", "pipeline", "cluster"}) {
    EXPECT_FALSE(draw(*find_figure(id), subject, kSize, scene::FixedMeasure{})) << id;
    EXPECT_TRUE(is_message(draw_or_say(*find_figure(id), subject, kSize, scene::FixedMeasure{}))) << id;
  }
  const Subject ladder{.performance = std::make_shared<const PerformanceInput>()};
  for (const Figure& figure : all_figures())
    if (figure.plot != nullptr) {
      EXPECT_FALSE(draw(figure, ladder, kSize, scene::FixedMeasure{})) << figure.id;
    }
}

// A question of a lesson waits for the speed: no picture of times tells it, nor does its table.
TEST(Figures, WhatALessonAsksLaterIsHidden) {
  const auto run = record_kept("naive", "64");
  Subject subject{.run = run};
  subject.known.schedule = study::schedule_of(*run), subject.known.timeline = study::timeline_of(*run);
  subject.known.over_warps = study::over_warps_of(*run);
  for (const char* id : {"time", "timeline", "latency"}) {
    const Figure& figure = *find_figure(id);
    subject.hides_speed = false;
    EXPECT_TRUE(draw(figure, subject, kSize, scene::FixedMeasure{})) << id;
    subject.hides_speed = true;
    const auto hidden = draw(figure, subject, kSize, scene::FixedMeasure{});
    ASSERT_FALSE(hidden) << id;
    EXPECT_THAT(hidden.error().message, testing::HasSubstr("asks for this speed later"));
    EXPECT_FALSE(csv(figure, subject)) << id;
    EXPECT_EQ(what_it_says(figure, subject).explanation.what, "") << id;
  }
  EXPECT_TRUE(draw(*find_figure("access"), subject, kSize, scene::FixedMeasure{}));
}

TEST(Figures, OfAPreviewAreThoseOfTheWholeRun) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  run::Runner runner{compile::Compiler({.library = {}, .cache_folder = test_cache_path()})};
  for (const char* kernel :
       {"matmul/01_naive", "matmul/05_register_2d", "transpose/02_tiled", "reduction/06_shuffle"}) {
    run::SharedRun preview;
    run::Request request{.spec = *run::kernels().find(kernel),
                         .parameters = {},
                         .sizes = {},
                         .device = run::h100(),
                         .block = 2};
    for (const char* name : {"M", "N", "K"}) request.sizes[name] = 96;
    const auto whole = runner.run(request, false, [&](const auto& answer) { preview = *answer; });
    ASSERT_TRUE(whole) << to_line(whole.error());
    ASSERT_TRUE(preview) << kernel;
    for (const char* id : {"access", "coalescing", "banks"}) {
      const auto svg = [&](const run::SharedRun& run) {
        const Subject subject{.run = run, .place = {.access = 3}};
        return *paint::to_svg(draw_or_say(*find_figure(id), subject, kSize, scene::FixedMeasure{}),
                              theme::dark(), scene::FixedMeasure{});
      };
      EXPECT_EQ(svg(preview), svg(*whole)) << kernel << " " << id;
    }
  }
}

bool has_text(const scene::Group& group, std::string_view text) {
  return std::ranges::any_of(group.items, [&](const scene::Item& item) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) return has_text(*inner, text);
    const auto* one = std::get_if<scene::TextShape>(&item.shape);
    return one != nullptr && one->text.find(text) != std::string::npos;
  });
}

// What, why and what fixes it stands below pictures of a block, an SM and a ladder too.
bool has_red_text(const scene::Group& group) {
  return std::ranges::any_of(group.items, [](const scene::Item& item) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) return has_red_text(*inner);
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    return text != nullptr && text->style.color == scene::Color{theme::Token::costly};
  });
}

// A number of instructions is red where it is a reproach, however long its bar is.
TEST(Figures, InstructionsAreRedWhereTheyAreACost) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  int red = 0, drawn = 0;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    if (!spec.id.starts_with("arithmetic/")) continue;
    Subject subject{.run = record(spec, "65536")};
    subject.place.line = explain::line_of_instructions(*subject.run);
    if (subject.place.line == 0) continue;
    const auto scene = find_figure("access")->draw(subject, kSize, scene::FixedMeasure{});
    ASSERT_TRUE(scene) << spec.id;
    const auto said = explain::explain(explain::instruction_cost(*subject.run), *subject.run);
    const bool is_costly = said.verdict == explain::Verdict::costly;
    EXPECT_EQ(has_red_text(scene->root), is_costly) << spec.id << ": " << said.what;
    ++drawn, red += is_costly ? 1 : 0;
  }
  EXPECT_GT(red, 0);
  EXPECT_GT(drawn, red);
}

TEST(Figures, ExplainThemselvesBelow) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const scene::FixedMeasure measure;
  Subject subject{.run = record("transpose/02_tiled", "64", {{"PAD", 0}})};
  subject.known.banks = std::make_shared<const BankMap>(bank_map_of(*subject.run, 0));
  const auto picture = [&](const char* id) { return draw(*find_figure(id), subject, kSize, measure)->root; };
  EXPECT_TRUE(has_text(picture("bank-map"), "This block"));
  EXPECT_FALSE(has_text(picture("bank-map"), "One word of padding")) << "not known yet";
  const auto payoffs = std::make_shared<explain::Payoffs>();
  for (std::uint32_t pc = 0; pc < subject.run->kernel->function().code.size(); ++pc)
    payoffs->accesses[pc] = {.share = 0.6, .gain = 0.5};
  subject.known.payoffs = payoffs;
  EXPECT_TRUE(has_text(picture("bank-map"), "One word of padding"));
  EXPECT_TRUE(has_text(picture("occupancy"), "warps would fit on each SM"));
  PerformanceInput ladder{.title = "Ladder"};
  for (const double speed : {50.0, 400.0}) {
    PerformancePoint point{.step = "step", .id = "step"};
    point.recorded = MeasuredSpeed{speed, "measured"};
    ladder.points.push_back(point);
  }
  subject.performance = std::make_shared<const PerformanceInput>(ladder);
  EXPECT_TRUE(has_text(picture("ladder"), "8 times as fast in 2 steps"));
  subject.look = Look::stage;  // who hears it from the head of the stage
  EXPECT_FALSE(has_text(picture("ladder"), "8 times as fast in 2 steps"));
}

// An access that wastes nothing is no praise for a step that is slower.
TEST(Figures, PraiseNoAccessOfASlowerStep) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const scene::FixedMeasure measure;
  Subject subject{.run = record("memory/01_coalesced", "4096")};
  StepWords words;
  words.title = "Copy", words.idea = "A copy", words.before = "Against step 4, recorded at 4,096";
  const auto picture = [&] {
    subject.step = std::make_shared<const StepWords>(words);
    return draw(*find_figure("access"), subject, {1280, 720}, measure)->root;
  };
  EXPECT_TRUE(has_text(picture(), "Nothing to fix"));
  words.against = {explain::Verdict::costly, "slower, 0.86 times as fast", "2 times more barriers"};
  EXPECT_FALSE(has_text(picture(), "Nothing to fix"));
  EXPECT_TRUE(has_text(picture(), "0.86 times as fast as step 4"));
}

// As if it were measured to be so many times as fast; 0: not known.
explain::Against against(double times, std::string words, std::string brief = "") {
  using explain::Verdict;
  explain::Against said;
  said.verdict = times == 0 || times > 1 ? Verdict::good : times < 1 ? Verdict::costly : Verdict::neutral;
  if (times > 0) said.times = times, said.speed = fmt::format("{:.2f} times as fast", times);
  said.words = std::move(words), said.brief = std::move(brief);
  return said;
}

// What a stage says of a step whose access has nothing to fix.
TEST(StepWords, SayBrieflyWhatAStepChanges) {
  EXPECT_EQ(against_words(against(1.73, "32 times fewer sectors of global memory"), "2"),
            "1.73 × step 2’s speed: 32 × fewer global sectors");
  EXPECT_EQ(against_words(against(1, "3.3 times fewer wavefronts of shared memory"), "2"),
            "As fast as step 2, with 3.3 × fewer shared wavefronts");
  EXPECT_EQ(against_words(against(0.9, "by the model of time, L2 holds"), "4"),
            "10 % slower than step 4; by the model, L2 holds");
  EXPECT_EQ(against_words(against(0.36, "3.1 times more instructions"), "1"),
            "2.8 × slower than step 1: 3.1 × more instructions");
  // Cut at any comma, colon or full stop it is a whole sentence.
  EXPECT_EQ(against_words(against(0, "2.0 times fewer accesses to global memory"), "1"),
            "2.0 × fewer global accesses, against step 1");
  EXPECT_EQ(against_words({}, "1"), "");
  explain::Against predicted = against(2, "2.0 times fewer barriers");
  predicted.is_measured = false;
  EXPECT_EQ(against_words(predicted, "1"), "2.00 × step 1’s speed by the model: 2.0 × fewer barriers");
  explain::Against alike = against(1, "2.0 times fewer barriers");
  alike.is_measured = false;  // one of the two may have been measured, and is shown so
  EXPECT_EQ(against_words(alike, "1"), "Predicted to take as long as step 1, with 2.0 × fewer barriers");
  const explain::Against slower =
      against(0.9, "by the model of time, it executes 20 % more instructions than step 4",
              "20 % more instructions, by the model");
  EXPECT_EQ(against_forms(slower, "4"),
            (std::vector<std::string>{
                "10 % slower than step 4; by the model, it executes 20 % more instructions than step 4",
                "10 % slower than step 4: 20 % more instructions, by the model"}));
  EXPECT_TRUE(against_forms({}, "1").empty());
}

// An idea is text of a file: what it promises of the file's values is not said of others.
TEST(StepWords, SayOfAnIdeaWhatTheValuesKeep) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto idea_with = [](std::int64_t offset) {
    return step_words(*record("memory/02_offset", "4096", {{"OFFSET", offset}}), {})->idea;
  };
  EXPECT_EQ(idea_with(1),
            "The same copy, but every warp starts 1 element into its line of 128 bytes: its 32 neighbours "
            "straddle one sector more.");
  EXPECT_EQ(idea_with(8), "The same copy, but every warp starts 8 elements into its line of 128 bytes");
}

}  // namespace
}  // namespace warplens::figures
