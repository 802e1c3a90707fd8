// The table of figures, and what is so of all of its rows.
#include "viz/figures/figure.hpp"

#include <set>

#include "engine/run/runner.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/testing/figure_support.hpp"
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
    EXPECT_EQ(i >= pictured, all_figures()[i].has_panel) << i;
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

TEST(Figures, EveryOneOfARunDrawsItAndWritesItsNumbers) {
  const auto run = record_kept("shared_tile", "32");
  const OccupancyInput occupancy{run::h100(), {256, 96, 33 * 1024}, "A test"};
  const Subject subject{.run = run,
                        .place = {.access = 7},
                        .banks = std::make_shared<const BankMap>(bank_map_of(*run, 0)),
                        .occupancy = std::make_shared<const OccupancyInput>(occupancy),
                        .schedule = schedule_of(*run),
                        .over_warps = over_warps_of(*run),
                        .timeline = grid_times_of(*run),
                        .speed_map = small_map(*run)};
  for (const Figure& figure : all_figures()) {
    if (!is_drawn(figure) || figure.plot != nullptr) continue;
    const auto scene = draw(figure, subject, kSize, scene::FixedMeasure{});
    ASSERT_TRUE(scene) << figure.id << to_line(scene.error());
    EXPECT_FALSE(scene->root.items.empty()) << figure.id;
    const auto numbers = csv(figure, subject);
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
  Subject subject{.run = run,
                  .place = {.access = 7},
                  .banks = std::make_shared<const BankMap>(bank_map_of(*run, 0)),
                  .schedule = schedule_of(*run),
                  .over_warps = over_warps_of(*run),
                  .timeline = grid_times_of(*run),
                  .speed_map = small_map(*run)};
  for (const Figure& figure : figures_of_a_run()) {
    const auto texts = [&](scene::Size size) {
      std::vector<double> sizes;
      collect_sizes(draw(figure, subject, size, scene::FixedMeasure{})->root, 1, sizes);
      return sizes;
    };
    subject.for_class = false;
    const std::size_t usual = texts({1184, 560}).size();
    subject.for_class = true;
    const std::vector<double> seen = texts({650, 330});
    ASSERT_FALSE(seen.empty()) << figure.id;
    EXPECT_GE(*std::ranges::min_element(seen), 12.99) << figure.id;
    EXPECT_LT(seen.size(), usual) << figure.id;
    EXPECT_FALSE(what_it_says(figure, subject).explanation.what.empty()) << figure.id;
  }
}

TEST(Figures, WhatIsMissingIsSaidInTheFigure) {
  run::Run preview = *record_kept("naive", "32");
  preview.complete = false;
  const Subject subject{.run = std::make_shared<const run::Run>(std::move(preview))};
  for (const char* id :
       {"banks", "bank-map", "flow", "time", "latency", "timeline", "speed-map", "occupancy"}) {
    EXPECT_FALSE(draw(*find_figure(id), subject, kSize, scene::FixedMeasure{})) << id;
    EXPECT_TRUE(is_message(draw_or_say(*find_figure(id), subject, kSize, scene::FixedMeasure{}))) << id;
  }
  const Subject ladder{.performance = std::make_shared<const PerformanceInput>()};
  for (const Figure& figure : all_figures())
    if (figure.plot != nullptr) {
      EXPECT_FALSE(draw(figure, ladder, kSize, scene::FixedMeasure{})) << figure.id;
    }
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

}  // namespace
}  // namespace warplens::figures
