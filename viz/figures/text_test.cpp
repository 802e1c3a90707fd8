// Every text of every figure lies inside the figure, is whole, and covers no other text: for kernels of each
// kind, in the window's sizes and in small and tall ones, measured in the program's fonts.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/performance/timeline.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

TEST(Message, IsKnownAsOne) {
  const scene::FixedMeasure measure;
  EXPECT_TRUE(is_message(message_scene({600, 400}, "No block was timed", "Run the kernel", measure)));
  scene::Scene other{{600, 400}};
  EXPECT_FALSE(is_message(other));
  other.root.text({0, 0}, "No block was timed", heading());
  EXPECT_FALSE(is_message(other));
}

// Where it has no room it is said in fewer words, without a part of a number.
TEST(Explanation, HasNoLabelThatIsCut) {
  const scene::FixedMeasure measure;
  explain::Explanation said;
  said.what = "5 sectors", said.why = "aligned badly", said.fix = "align it";
  std::set<std::string> labels;
  for (const double width : {400.0, 560.0, 700.0, 1000.0, 1400.0}) {
    scene::Scene scene{{width, 200}};
    add_explanation(scene.root, {0, 0, width, 200}, said, {}, {}, measure,
                    "This access: costs 6 % of the time, by the model");
    Found found;
    collect(scene.root, {}, 1, measure, found);
    for (const auto& word : found.words) EXPECT_TRUE(word.is_whole) << word.text << " at " << width;
    labels.insert(found.words.front().text);
  }
  EXPECT_EQ(labels, (std::set<std::string>{"This access", "Costs 6 % of the time",
                                           "Costs 6 % of the time, by the model",
                                           "This access: costs 6 % of the time, by the model"}));
}

void expect_legible(const scene::Scene& scene, const scene::TextMeasure& measure) {
  Found found;
  collect(scene.root, {}, 1, measure, found);
  const auto& words = found.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& [text, box, is_code, is_whole, size] = words[i];
    EXPECT_TRUE(box.x >= -0.5 && box.y >= -0.5 && box.right() <= scene.size.width + 0.5 &&
                box.bottom() <= scene.size.height + 0.5)
        << "outside: '" << text << "' at " << box.x << ", " << box.y;
    EXPECT_TRUE(is_whole || is_code) << "cut: '" << text << "'";
    for (std::size_t j = 0; j < i; ++j) {
      const auto common = scene::intersection(box, words[j].box);
      EXPECT_FALSE(common && common->width > 1 && common->height > 1)
          << "'" << text << "' over '" << words[j].text << "' at " << box.x << ", " << box.y;
      const double gap = std::max(box.x - words[j].box.right(), words[j].box.x - box.right());
      EXPECT_FALSE(!(is_code && words[j].is_code) && std::abs(box.bottom() - words[j].box.bottom()) < 1 &&
                   gap > -1 && gap < 2)
          << "'" << text << "' touches '" << words[j].text << "' at " << box.x << ", " << box.y;
    }
    for (const Cover& cover : found.covers) {
      const auto common = scene::intersection(box, cover.box);
      EXPECT_FALSE(cover.words_before > i && common && common->width > 1 && common->height > 1)
          << "'" << text << "' is hidden at " << box.x << ", " << box.y;
    }
  }
}

constexpr scene::Size kSizes[] = {{1280, 720}, {1600, 900}, {760, 1000}, {1000, 640}, {914, 530}};

// draw(size, measure) for each size, and for the least one of the figure.
template <class Draw>
void for_each_look(scene::Size least, Draw draw) {
  static const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  std::vector<scene::Size> sizes(std::begin(kSizes), std::end(kSizes));
  sizes.push_back(least);
  sizes.push_back({least.width, 600});
  for (const scene::Size size : sizes) {
    if (size.width < least.width || size.height < least.height) continue;  // drawn smaller instead
    SCOPED_TRACE(testing::Message() << size.width << " x " << size.height);
    expect_legible(draw(size, **fonts), **fonts);
    if (testing::Test::HasFailure()) return;
  }
}

struct Run {
  std::string kernel, size;
  std::uint64_t block = 0;
};
void PrintTo(const Run& run, std::ostream* out) { *out << run.kernel << " " << run.size; }

class RunTexts : public testing::TestWithParam<Run> {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
    static std::map<std::string, run::SharedRun> made;  // each for all figures
    run::SharedRun& run = made[GetParam().kernel + " " + GetParam().size];
    if (run == nullptr) run = record(GetParam().kernel, GetParam().size, {}, GetParam().block);
    ASSERT_NE(run, nullptr);
    run_ = run;
  }
  run::SharedRun run_;
};

// Steps of each kind: the first ones, and some in the middle.
std::vector<std::uint32_t> some_steps(const AccessStory& story) {
  const auto count = static_cast<std::uint32_t>(story.accesses().of_warp(0).size());
  std::vector<std::uint32_t> steps;
  for (const std::uint32_t step : {0u, 1u, 2u, 3u, 9u, count / 2, count - 1})
    if (step < count) steps.push_back(step);
  return steps;
}

TEST_P(RunTexts, OfTheAccessFigure) {
  const std::size_t last = run_->stories.size() - 1;
  const AccessStory& story = *run_->stories[last];
  for (const bool whole : {false, true})
    for (const std::uint32_t step : some_steps(story)) {
      SCOPED_TRACE(testing::Message() << "step " << step << (whole ? ", whole" : ""));
      const Place selection{.block = last, .access = step};
      for_each_look(least_of("access"), [&](scene::Size size, const scene::TextMeasure& measure) {
        return access_scene(*run_, selection, {.whole = whole}, size, measure);
      });
      for_each_look(least_of("access"), [&](scene::Size size, const scene::TextMeasure& measure) {
        const AccessOptions lanes{.colors = AccessOptions::Colors::lanes, .whole = whole};
        return access_scene(*run_, selection, lanes, size, measure);
      });
      if (HasFailure()) return;
    }
}

TEST_P(RunTexts, OfTheCodeFigure) {
  for_each_look(scene::Size{640, 480}, [&](scene::Size size, const scene::TextMeasure& measure) {
    return code_scene(*run_, {.pc = 20}, size, measure);
  });
}

TEST_P(RunTexts, OfTheBankMap) {
  const AccessStory& story = *run_->stories[0];
  const BankMap map = bank_map_of(*run_, 0);
  const auto step = nearest_access(story.accesses(), 0, 4, ptx::Space::shared);
  const auto now = step ? story.accesses().at(0, *step) : std::nullopt;
  for_each_look(least_of("bank-map"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return bank_map_scene(*run_, map, size, measure, now);
  });
}

study::SharedNext next_step() {
  return std::make_shared<const NextSteps>(NextSteps{{.kernel = "matmul/02", .number = "10", .gain = 0.5}});
}

TEST_P(RunTexts, OfTheDataFlow) {
  const auto before = std::make_shared<const StepBefore>("9", "A step", run::step_count(*run_));
  for (const auto& [per, name] : kPerNames) {
    SCOPED_TRACE(name);
    const Subject subject{
        .run = run_, .known = {.before = before, .next = next_step()}, .flow = {.per = per}};
    for_each_look(least_of("flow"), [&](scene::Size size, const scene::TextMeasure& measure) {
      return *draw_flow(subject, size, measure);
    });
    for (const char* device : {"gtx280", "k40", "cc8.0"})
      for_each_look(least_of("flow"), [&](scene::Size size, const scene::TextMeasure& measure) {
        Subject other = subject;
        other.run = std::make_shared<const run::Run>(on(*run_, device_named(device)));
        return *draw_flow(other, size, measure);
      });
  }
}

// A link leads to a step that gains something here, of those that have less of what is named to the first.
TEST(Explanation, LeadsToAStepThatPays) {
  const scene::FixedMeasure measure;
  explain::Explanation said{explain::RuleId::coalesced, explain::Verdict::costly, "what", "why", "fix",
                            explain::CostKind::sectors};
  NextSteps next{{.kernel = "matmul/02", .number = "2", .gain = 0.3},
                 {.kernel = "matmul/05", .number = "5", .gain = 0.02}};
  const auto has = [&](std::string_view text) {
    Group group;
    add_explanation(group, {0, 0, 900, 80}, said, {}, next, measure);
    Found found;
    collect(group, {}, 1, measure, found);
    return std::ranges::any_of(found.words, [&](const auto& word) { return word.text == text; });
  };
  EXPECT_FALSE(has("On to step 2 ▸")) << "it is quicker for another reason";
  next[0].removes[static_cast<std::size_t>(explain::CostKind::wavefronts)] = true;
  next[1].removes[static_cast<std::size_t>(explain::CostKind::sectors)] = true;
  EXPECT_FALSE(has("On to step 2 ▸"));
  EXPECT_FALSE(has("On to step 5 ▸"));
  EXPECT_TRUE(has("Step 5 gains only 2 % here"));
  next[1].gain = 0.2;
  EXPECT_TRUE(has("On to step 5 ▸"));
  next[1].gain = -1;  // slower
  EXPECT_TRUE(has("Step 5 gains nothing here"));
  next[1].is_recorded = true;
  EXPECT_TRUE(has("Step 5 is slower, recorded"));
  next[1].gain = 0.003;
  EXPECT_TRUE(has("Step 5 is as fast, recorded"));
  said.cost = explain::CostKind::wavefronts;
  EXPECT_TRUE(has("On to step 2 ▸"));
}

TEST_P(RunTexts, OfTime) {
  const Subject subject{.run = run_, .known = {.schedule = schedule_of(*run_), .next = next_step()}};
  ASSERT_TRUE(*subject.known.schedule) << to_line(subject.known.schedule->error());
  for_each_look(least_of("time"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return *draw_time(subject, size, measure);
  });
}

TEST_P(RunTexts, OfLatency) {
  const Subject subject{.run = run_, .known = {.over_warps = over_warps_of(*run_), .next = next_step()}};
  ASSERT_TRUE(*subject.known.over_warps) << to_line(subject.known.over_warps->error());
  for_each_look(least_of("latency"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return *draw_latency(subject, size, measure);
  });
}

TEST_P(RunTexts, OfOneAccess) {
  const AccessStory& story = *run_->stories[0];
  for (const auto space : {ptx::Space::global, ptx::Space::shared}) {
    const auto step = nearest_access(story.accesses(), 0, 4, space);
    if (!step) continue;
    const WarpAccessView view = view_of(*run_, *story.accesses().at(0, *step));
    for_each_look(space == ptx::Space::shared ? least_of("banks") : least_of("coalescing"),
                  [&](scene::Size size, const scene::TextMeasure& measure) {
                    return space == ptx::Space::shared ? banks_scene(view, size, measure)
                                                       : coalescing_scene(view, size, measure);
                  });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, RunTexts,
    testing::Values(Run{"matmul/01_naive", "512"}, Run{"matmul/03_shared_tile", "35,79,19", 5},
                    Run{"matmul/05_register_2d", "512"}, Run{"matmul/09_warp_tile", "256"},
                    Run{"matmul/10_async_pipeline", "256"}, Run{"matmul/01_naive", "8"},
                    Run{"ncsa/04_k4", "512"}, Run{"transpose/02_tiled", "1000"},
                    Run{"reduction/01_interleaved", "1048576"}, Run{"reduction/06_shuffle", "100000"},
                    Run{"reduction/07_grid_stride", "1048576"}, Run{"memory/03_strided", "100000"},
                    Run{"minplus/01_v0", "512"}, Run{"minplus/05_v3", "100", 3},
                    Run{"matmul/09_warp_tile", "4096,4096,16"},
                    Run{"memory/06_structure_of_arrays", "1048576"},
                    Run{"memory/07_float3_staged", "1000", 7}, Run{"memory/09_bank_conflicts", "1000"}),
    [](const auto& tested) { return "case_" + std::to_string(tested.index); });

TEST(Texts, OfFreeAccesses) {
  for (const char* device_id : {"1.0", "1.3", "2.0", "h100"})
    for (const char* index :
         {"lane", "lane + 1", "2 * lane", "3 * lane", "32 * lane", "33 * lane", "0", "1000000 * lane"})
      for (const bool shared : {false, true}) {
        SCOPED_TRACE(testing::Message() << index << (shared ? " shared " : " global ") << device_id);
        const auto view = figures::view_of(*analysis::access_at_index(index, analysis::AccessOp::load, 4),
                                           shared, device_named(device_id), index);
        for_each_look(shared ? least_of("banks") : least_of("coalescing"),
                      [&](scene::Size size, const scene::TextMeasure& measure) {
                        return shared ? banks_scene(view, size, measure)
                                      : coalescing_scene(view, size, measure);
                      });
        if (HasFailure()) return;
      }
}

// Head and strip leave the picture less than the figure's least size: then the cards give way, and what would
// have been enough is still there.
TEST(Texts, OfCoalescingWithLittleHeight) {
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  const auto view = figures::view_of(*analysis::access_at_index("32 * lane", analysis::AccessOp::load, 4),
                                     false, device_named("h100"), "a[32 * lane]");
  for (double height = 330; height < 560; height += 10) {
    SCOPED_TRACE(height);
    const scene::Scene scene = coalescing_scene(view, {800, height}, **fonts);
    expect_legible(scene, **fonts);
    Found found;
    collect(scene.root, {}, 1, **fonts, found);
    EXPECT_TRUE(std::ranges::any_of(
        found.words, [](const PlacedWord& word) { return word.text.starts_with("enough, if"); }));
    const auto card = scene::find_bounds(scene, "number:Sectors", **fonts);
    for (const PlacedWord& word : found.words)
      if (card && (word.text.starts_with("enough") || word.text.starts_with("+"))) {
        EXPECT_LT(word.box.bottom(), card->y) << word.text;
      }
    if (HasFailure()) return;
  }
}

// An access of 8 or 16 bytes has up to four phases on old devices, each with a row of brackets, and a
// subtitle may take two lines.
TEST(Texts, OfWideAccessesOnOldChips) {
  for (const char* device_id : {"1.0", "1.3", "2.0"})
    for (const char* index : {"lane", "lane + 1", "3 * lane", "33 * lane"})
      for (const int width : {4, 8, 16}) {
        SCOPED_TRACE(testing::Message() << index << ", " << width << " bytes on " << device_id);
        auto view = figures::view_of(*analysis::access_at_index(index, analysis::AccessOp::load, width),
                                     false, device_named(device_id), index);
        view.instead = "The next access to global memory";
        for_each_look(least_of("coalescing"), [&](scene::Size size, const scene::TextMeasure& measure) {
          return coalescing_scene(view, size, measure);
        });
        if (HasFailure()) return;
      }
}

// Many wavefronts of half-warps: their numbers have two digits, and the lanes stand beside them.
TEST(Texts, OfManyWavefrontsOnOldChips) {
  for (const char* device_id : {"1.0", "2.0"})
    for (const char* index : {"2 * (lane % 16) + 3", "16 * lane"})
      for (const int width : {4, 8}) {
        SCOPED_TRACE(testing::Message() << index << ", " << width << " bytes on " << device_id);
        const auto view = figures::view_of(*analysis::access_at_index(index, analysis::AccessOp::load, width),
                                           true, device_named(device_id), index);
        for_each_look(least_of("banks"), [&](scene::Size size, const scene::TextMeasure& measure) {
          return banks_scene(view, size, measure);
        });
        if (HasFailure()) return;
      }
}

TEST(Texts, OfOccupancy) {
  for (const char* device_id : {"1.0", "1.3", "2.0", "3.5", "h100"})
    for (const device::ResourceUsage use :
         {device::ResourceUsage{128, 30, 5 * 1024}, device::ResourceUsage{32, 16, 0},
          device::ResourceUsage{512, 10, 100}}) {
      SCOPED_TRACE(device_id);
      for_each_look(least_of("occupancy"), [&](scene::Size size, const scene::TextMeasure& measure) {
        return *occupancy_scene(
            {device_named(device_id), use, "A column of results per thread, compiled for sm_90"}, size,
            measure);
      });
      const device::ResourceUsage kernel{1024, 255, 49152};
      for_each_look(least_of("occupancy"), [&](scene::Size size, const scene::TextMeasure& measure) {
        return *occupancy_scene({device_named(device_id), use, "A column of results per thread", kernel},
                                size, measure);
      });
      // More than a block may have, with the reason.
      for_each_look(least_of("occupancy"), [&](scene::Size size, const scene::TextMeasure& measure) {
        return *occupancy_scene({device_named(device_id), {1025, 300, 300000}, "Too much", use}, size,
                                measure);
      });
      if (HasFailure()) return;
    }
}

// On stage: alone, beside the choices of a question, and as one of two.
TEST(Texts, OfOccupancyForAClass) {
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  for (const char* device_id : {"1.0", "2.0", "h100"})
    for (const device::ResourceUsage use : {device::ResourceUsage{32, 16, 0}, {512, 10, 100}, {1025, 9, 0}})
      for (const scene::Size size : {scene::Size{855, 347}, {650, 300}, {420, 347}}) {
        SCOPED_TRACE(testing::Message()
                     << device_id << ", " << use.threads_per_block << " threads, " << size.width << " wide");
        const auto picture = occupancy_for_class({device_named(device_id), use, "Coalesced", {}, 40},
                                                 "threads", size, **fonts);
        ASSERT_TRUE(picture);
        expect_legible(*picture, **fonts);
      }
}

TEST(Texts, OfPerformance) {
  PerformanceInput input{"matmul",
                         "NVIDIA H100 SXM, K = 4096, M = 4096, N = 4096",
                         {},
                         device::Roofline{.peak_gflops = 66'000, .memory_gb_per_s = 3'350, .caches = false}};
  for (const auto& spec : run::kernels().kernels())
    if (spec.id.starts_with("matmul/"))
      for (const double size : {512.0, 1024.0, 2048.0, 4096.0})
        input.points.push_back(
            {.step = spec.title,
             .id = spec.id,
             .size = size,
             .recorded = MeasuredSpeed{300.0 * static_cast<double>(input.points.size() + 1), ""},
             .work = 2e9,
             .bytes = 1e10 / std::pow(1.3, static_cast<double>(input.points.size()))});
  PerformanceInput one = input;
  std::erase_if(one.points, [](const PerformancePoint& point) { return point.size != 4096; });
  for_each_look(least_of("ladder"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return plot::plot_scene(ladder_plot(one), size, measure);
  });
  for_each_look(least_of("size-curve"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return plot::plot_scene(size_plot(input), size, measure);
  });
  for_each_look(least_of("roofline"), [&](scene::Size size, const scene::TextMeasure& measure) {
    return plot::plot_scene(roofline_plot(one), size, measure);
  });
}

// Operations a byte as those of the matmul ladder: its last steps crowd where the roof is flat.
PerformanceInput crowded_roofline() {
  PerformanceInput input{"matmul",
                         "NVIDIA H100 SXM",
                         {},
                         device::Roofline{.peak_gflops = 66'900, .memory_gb_per_s = 3'350, .caches = false}};
  const std::vector<double> intensities{0.06, 0.4, 8, 16, 28.5, 31, 31, 31, 31.5, 42};
  for (const auto& spec : run::kernels().kernels())
    if (spec.id.starts_with("matmul/") && input.points.size() < intensities.size())
      input.points.push_back({.step = spec.title,
                              .id = spec.id,
                              .size = 4096,
                              .recorded = MeasuredSpeed{900.0 * std::pow(1.5, input.points.size()), ""},
                              .work = intensities[input.points.size()],
                              .bytes = 1});
  return input;
}

TEST(Texts, OfARooflineNameEveryPlace) {
  PerformanceInput input = crowded_roofline();
  input.chosen = input.points.back().id;
  std::vector<std::string> names;
  for (const plot::Series& series : roofline_plot(input).series)
    if (series.provenance == plot::Provenance::recorded)
      std::ranges::copy_if(series.labels, std::back_inserter(names),
                           [](const std::string& label) { return label.find(' ') != std::string::npos; });
  EXPECT_GT(names.size(), 4u);
  for_each_look(least_of("roofline"), [&](scene::Size size, const scene::TextMeasure& measure) {
    scene::Scene scene = plot::plot_scene(roofline_plot(input), size, measure);
    Found found;
    collect(scene.root, {}, 1, measure, found);
    for (const std::string& name : names)
      EXPECT_TRUE(std::ranges::any_of(found.words, [&](const auto& word) { return word.text == name; }))
          << name << " in " << size.width << " x " << size.height;
    return scene;
  });
}

// The lines from names to their points, whichever step is chosen: where names were placed from the left
// alone, the last ones had to go as far as 170 pixels.
TEST(Texts, OfARooflineStandNearTheirPoints) {
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  PerformanceInput input = crowded_roofline();
  const double speeds[] = {499, 4988, 9030, 17300, 32100, 31300, 34100, 41400, 46400, 48700};
  for (std::size_t i = 0; i < input.points.size(); ++i)
    input.points[i].recorded = MeasuredSpeed{speeds[i], ""};
  int lines = 0;
  for (const PerformancePoint& chosen : input.points)
    for (const scene::Size size : {least_of("roofline"), {680, 500}, {720, 480}}) {
      input.chosen = chosen.id;
      for (const scene::Item& item : plot::plot_scene(roofline_plot(input), size, **fonts).root.items)
        if (const auto* group = std::get_if<scene::Group>(&item.shape))
          for (const scene::Item& part : group->items) {
            const auto* line = std::get_if<scene::LineShape>(&part.shape);
            if (line == nullptr || line->stroke.color.alpha != 0.8) continue;  // not one to a name
            ++lines;
            const double length = std::hypot(line->to.x - line->from.x, line->to.y - line->from.y);
            EXPECT_LT(length, 150) << chosen.id << " in " << size.width << " x " << size.height;
          }
    }
  EXPECT_GT(lines, 10);
}

TEST(Texts, OfTheTimeline) {
  for (const std::uint32_t sms : {1u, 8u, 132u})
    for (const std::uint64_t blocks : {1u, 300u, 30'000u}) {
      SCOPED_TRACE(testing::Message() << blocks << " blocks, " << sms << " SMs");
      TimelineInput input{"A register tile per thread", "NVIDIA H100 SXM, 4096 × 4096", {}, sms};
      for (std::uint64_t b = 0; b < blocks; ++b)
        input.blocks.push_back(
            {b, static_cast<std::uint32_t>(b % sms), b / sms * 9'000, b / sms * 9'000 + 8'700});
      const Timeline timeline(std::move(input));
      for_each_look(scene::Size{640, 480}, [&](scene::Size size, const scene::TextMeasure& measure) {
        return timeline_scene(timeline, size, measure);
      });
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace warplens::figures
