// The access figure on kernels that really ran: marks, level of detail, tails.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "viz/figures/access/access.hpp"
#include "viz/figures/access/access_layout.hpp"
#include "viz/figures/access/access_marks.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/access/ribbon.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

class AccessFigure : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

std::size_t count(const BufferMarks& marks, std::uint8_t value) {
  std::size_t found = 0;
  marks.for_each([&](const Mark& m) { found += m.value == value ? 1 : 0; });
  return found;
}

// 01_naive: lane l of warp w reads row l of A and one element of B; step 0 reads A (or B) at k = 0.
TEST_F(AccessFigure, MarksTheFirstThreadWarpAndBlock) {
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  ASSERT_EQ(story.accesses().warps(), 32u);
  const auto marks = marks_at(story, 0, 1, {});  // both loads of k = 0
  ASSERT_EQ(marks.size(), 3u);                   // it has no shared array
  EXPECT_EQ(count(marks[0], mark::kThread), 1u);
  EXPECT_EQ(count(marks[0], mark::kWarp), 31u);
  EXPECT_EQ(count(marks[0], mark::kBlock), 31u * 32u);
  EXPECT_NE(marks[0].now, marks[1].now);
  // The warp's own elements of C: column 0, rows 0 to 31, of the block's 32 x 32.
  EXPECT_EQ(count(marks[2], mark::kOwnedThread), 1u);
  EXPECT_EQ(count(marks[2], mark::kOwnedWarp), 31u);
  EXPECT_EQ(count(marks[2], mark::kOwnedBlock), 1024u - 32u);
  marks[2].for_each([](const Mark& m) {
    if (m.value == mark::kOwnedWarp) {
      EXPECT_EQ(m.cell.column, 0);
    }
  });
}

theme::Rgba laid_over(theme::Rgba color, theme::Rgba ground) {
  const auto mixed = [&](std::uint8_t over, std::uint8_t under) {
    return static_cast<std::uint8_t>((over * color.a + under * (255 - color.a) + 127) / 255);
  };
  return {mixed(color.r, ground.r), mixed(color.g, ground.g), mixed(color.b, ground.b), 255};
}

TEST(AccessMarks, StandOutFromTheGroundOfAMatrixOnAProjector) {
  for (const theme::Theme* theme : {&theme::dark(), &theme::light()}) {
    const theme::Rgba ground = (*theme)[Token::background];
    for (const auto colors : {AccessOptions::Colors::classic, AccessOptions::Colors::colour_blind,
                              AccessOptions::Colors::lanes}) {
      const std::vector<Color> palette = mark_palette(colors);
      for (std::uint8_t value = mark::kTrail; value < mark::kLane; ++value)
        EXPECT_GE(theme::contrast(laid_over(scene::resolve(palette[value], *theme), ground), ground), 3)
            << theme->name << ", mark " << int{value};
    }
  }
}

// Orange and blue mean nothing beside the colours of lanes; the matrices' images have the marks' colours.
TEST_F(AccessFigure, HasNoColourThatTheLegendOfLanesLacks) {
  using Colors = AccessOptions::Colors;
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  const AccessOptions lanes{.colors = Colors::lanes};
  Place selection;
  selection.access = 9;
  for (const BufferMarks& marks : marks_at(story, 0, selection.access, lanes))
    for (const std::uint8_t other : {mark::kThread, mark::kWarp, mark::kOwnedThread, mark::kOwnedWarp})
      EXPECT_EQ(count(marks, other), 0u) << int{other};
  EXPECT_EQ(count(marks_at(story, 0, 1, lanes)[2], mark::kLane + 31), 1u);  // owns one element of C
  for (const Color& color : {Color{Token::first_thread}, Color{Token::first_warp}})
    for (int level = 0; level < mark::kTrails; ++level)
      EXPECT_NE(mark_palette(Colors::lanes)[static_cast<std::size_t>(mark::kTrail + level)].token,
                color.token);
  const auto svg = paint::to_svg(access_scene(*run, selection, lanes, {1280, 720}, scene::FixedMeasure{}),
                                 theme::dark(), scene::FixedMeasure{});
  ASSERT_TRUE(svg);
  EXPECT_EQ(svg->find("#ff9f1c"), std::string::npos);
  EXPECT_EQ(svg->find("#4c8dff"), std::string::npos);
  EXPECT_NE(svg->find("earlier accesses"), std::string::npos);
}

TEST_F(AccessFigure, TellsTheLanesOfTheCardApartByMoreThanColour) {
  using Colors = AccessOptions::Colors;
  EXPECT_EQ(lane_look(Colors::colour_blind, 0).pattern, Key::Pattern::crossed);
  EXPECT_EQ(lane_look(Colors::colour_blind, 1).pattern, Key::Pattern::hatched);
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run, nullptr);
  Place selection;
  selection.access = 1;
  const auto lines_of_the_card = [&](Colors colors) {
    const auto scene = access_scene(*run, selection, {.colors = colors}, {1280, 720}, scene::FixedMeasure{});
    const auto svg = paint::to_svg(scene, theme::dark(), scene::FixedMeasure{});
    std::size_t lines = 0;
    for (std::size_t at = svg->find("<line"); at != std::string::npos; at = svg->find("<line", at + 1))
      ++lines;
    EXPECT_EQ(svg->find("#ff9f1c") == std::string::npos, colors == Colors::colour_blind);
    return lines;
  };
  EXPECT_GE(lines_of_the_card(Colors::colour_blind), lines_of_the_card(Colors::classic) + 32);
}

TEST_F(AccessFigure, ShowsWhereTheLastBlocksReachBeyondTheMatrix) {
  const auto run = record("matmul/03_shared_tile", "35,79,19");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  EXPECT_EQ(story.faces()[2].covered_rows, 64);
  EXPECT_EQ(story.faces()[2].covered_columns, 96);
  EXPECT_EQ(story.faces()[0].covered_rows, 64);
  EXPECT_EQ(story.faces()[1].covered_columns, 96);
}

void add_texts(const scene::Group& group, std::vector<std::string>& texts) {
  for (const auto& item : group.items) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) add_texts(*inner, texts);
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape)) texts.push_back(text->text);
  }
}

// "rows 0-31, columns 0-31" over one matrix and "[0-31][0-31]" over its neighbour would say one thing twice.
TEST_F(AccessFigure, SaysThePartShownInOneWay) {
  const auto run = record("matmul/03_shared_tile", "100,79,51");
  ASSERT_NE(run, nullptr);
  std::size_t long_ones = 0, short_ones = 0;
  for (double width = 320; width <= 1600; width += 40) {
    std::vector<std::string> texts;
    add_texts(access_scene(*run, {}, {}, {width, 600}, scene::FixedMeasure{}).root, texts);
    const auto longs =
        std::count_if(texts.begin(), texts.end(), [](const auto& t) { return t.starts_with("rows "); });
    const auto shorts =
        std::count_if(texts.begin(), texts.end(), [](const auto& t) { return t.starts_with("["); });
    EXPECT_TRUE(longs == 0 || shorts == 0) << width;
    long_ones += longs > 0, short_ones += shorts > 0;
  }
  EXPECT_GT(long_ones, 0u);
  EXPECT_GT(short_ones, 0u);
}

// The number of items of a scene, groups included.
std::size_t items(const scene::Group& group) {
  std::size_t n = group.items.size();
  for (const auto& item : group.items)
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) n += items(*inner);
  return n;
}

TEST_F(AccessFigure, CostsNoMoreForLargeMatrices) {
  for (const bool whole : {false, true}) {
    const auto run = record("matmul/03_shared_tile", "8192,8192,64");
    ASSERT_NE(run, nullptr);
    const auto scene = access_scene(*run, {}, {.whole = whole}, {1280, 720}, scene::FixedMeasure{});
    EXPECT_LT(items(scene.root), 2500u);
  }
}

TEST_F(AccessFigure, SaysWhatAnAccessCosts) {
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run, nullptr);
  bool strided = false;
  for (std::uint32_t step = 0; step < 2; ++step) {
    Place selection;
    selection.access = step;
    const auto svg = paint::to_svg(access_scene(*run, selection, {}, {1280, 720}, scene::FixedMeasure{}),
                                   theme::dark(), scene::FixedMeasure{});
    ASSERT_TRUE(svg);
    strided |= svg->find("32 sectors, ideal 4") != std::string::npos &&
               svg->find("128 of 1,024 bytes moved are used") != std::string::npos;
  }
  EXPECT_TRUE(strided);
}

// The transposed copy of min-plus stands beside the matrices where the kernel reads it, and nowhere else; the
// three of one shape are no product.
TEST_F(AccessFigure, ACopyIsDrawnWhereItIsRead) {
  for (const auto& [kernel, read] : {std::pair{"minplus/01_v0", false}, {"minplus/04_v2", true}}) {
    const auto run = record(kernel, "64");
    ASSERT_NE(run, nullptr);
    const AccessStory& story = *run->stories[0];
    EXPECT_FALSE(story.product());
    EXPECT_EQ(story.faces().at(1).is_unused, !read);
    const auto svg = paint::to_svg(access_scene(*run, {}, {}, {1280, 720}, scene::FixedMeasure{}),
                                   theme::dark(), scene::FixedMeasure{});
    ASSERT_TRUE(svg);
    std::size_t drawn = 0;
    for (std::size_t at = svg->find("64 × 64"); at != std::string::npos; at = svg->find("64 × 64", at + 1))
      ++drawn;
    EXPECT_EQ(drawn, read ? 3u : 2u) << kernel;
  }
}

// Column walks of a tile without padding: all lanes of a load meet in one bank, those of a store do not.
TEST_F(AccessFigure, BankMapShowsConflicts) {
  for (const int pad : {0, 1}) {
    const auto run = record("transpose/02_tiled", "64", {{"PAD", pad}});
    ASSERT_NE(run, nullptr);
    const BankMap map = bank_map_of(*run, 0);
    ASSERT_EQ(map.lines.size(), 2u);
    ASSERT_EQ(map.arrays.size(), 1u);
    EXPECT_EQ(map.arrays[0].row_words, 32 + pad);
    for (std::size_t bank = 0; bank < 32; ++bank) {
      EXPECT_DOUBLE_EQ(conflict_of(map.lines[0], bank), 1);
      EXPECT_DOUBLE_EQ(conflict_of(map.lines[1], bank), pad == 0 ? 32 : 1);
    }
  }
}

// On 1.x a half-warp gets one word for several lanes at a time, and accesses of 16 bytes ask a bank in one
// of their eight phases only: a second wavefront of that phase is a conflict of that bank.
TEST_F(AccessFigure, BankMapShowsAConflictWhereALineHasMoreWavefrontsThanTheIdeal) {
  int conflicts = 0;
  for (const auto& [kernel, params] :
       std::vector<std::pair<std::string, catalog::Values>>{{"matmul/03_shared_tile", {{"TILE", 12}}},
                                                            {"matmul/05_register_2d", {}},
                                                            {"transpose/02_tiled", {{"PAD", 0}}},
                                                            {"ncsa/04_k4", {}}}) {
    const auto run = record(kernel, "128", params);
    ASSERT_NE(run, nullptr);
    for (const std::string name : {"1.0", "1.3", "2.0", "9.0"}) {
      const run::Run seen = on(*run, device_named(name));
      for (const auto& line : bank_map_of(seen, 0).lines) {
        bool any = false;
        for (std::size_t bank = 0; bank < line.words.size(); ++bank) any |= conflict_of(line, bank) > 1;
        EXPECT_EQ(any, line.wavefronts > line.ideal + line.without_words)
            << kernel << " on " << name << ", line " << line.line;
        conflicts += any ? 1 : 0;
      }
    }
  }
  EXPECT_GT(conflicts, 4);
}

// The lanes of a warp read a column of the tile: one patch of 32 words, over all of its rows.
TEST_F(AccessFigure, TheBankMapOutlinesWhatTheChosenAccessAsks) {
  const auto run = record("transpose/02_tiled", "64");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  const BankMap map = bank_map_of(*run, 0);
  const auto last = static_cast<std::uint32_t>(story.accesses().of_warp(0).size() - 1);
  const auto step = nearest_access(story.accesses(), 0, last, ptx::Space::shared);
  ASSERT_TRUE(step);
  const scene::FixedMeasure measure;
  const scene::Size size{900, 600};
  const scene::Scene plain = bank_map_scene(*run, map, size, measure);
  const scene::Scene marked = bank_map_scene(*run, map, size, measure, story.accesses().at(0, *step));
  const auto strokes = [](const scene::Scene& scene) {
    std::vector<Rect> found;
    for (const scene::Item& item : scene.root.items)
      if (const auto* rect = std::get_if<scene::RectShape>(&item.shape); rect && rect->style.stroke)
        found.push_back(rect->rect);
    return found;
  };
  EXPECT_EQ(strokes(plain).size(), 1u);  // around the table
  const auto tile = scene::find_bounds(marked, "grid:tile", measure);
  ASSERT_TRUE(tile);
  const auto outlines = strokes(marked);
  EXPECT_TRUE(std::any_of(outlines.begin(), outlines.end(), [&](const Rect& rect) {
    return std::abs(rect.height - tile->height) < 4 && rect.width < tile->width / 20;
  }));
}

// On 2.x 16-byte reads of one address take two wavefronts a quarter-warp though no two words meet in a bank:
// the figures say so where their numbers and their cells seem to disagree.
TEST_F(AccessFigure, TellsWavefrontsOfWideAccessesFromConflicts) {
  const auto run = record("ncsa/04_k4", "256");
  ASSERT_NE(run, nullptr);
  const run::Run seen = on(*run, device_named("2.0"));
  const BankMap map = bank_map_of(seen, 0);
  const auto line = std::find_if(map.lines.begin(), map.lines.end(),
                                 [](const BankMap::Line& one) { return one.without_words > 0; });
  ASSERT_NE(line, map.lines.end());
  EXPECT_EQ(line->wavefronts, line->ideal + line->without_words);
  for (std::size_t bank = 0; bank < line->words.size(); ++bank)
    if (line->ideal_words[bank] > 0) {
      EXPECT_EQ(conflict_of(*line, bank), 1);
    }
  std::vector<std::string> texts;
  add_texts(bank_map_scene(seen, map, {1280, 720}, scene::FixedMeasure{}).root, texts);
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find("beyond the ideal are no conflicts") != std::string::npos;
  }));
  EXPECT_TRUE(std::find(texts.begin(), texts.end(), "no conflict in any bank") != texts.end());
  int wide = 0;
  run->trace->for_each(0, [&](const trace::Access& access) {
    if (access.space != ptx::Space::shared || access.width != 16 || access.event > 400) return;
    ++wide;
    EXPECT_EQ(summarize(seen, access).detail, "free of bank conflicts, 4 more for 16 bytes a lane");
  });
  EXPECT_GT(wide, 0);
}

TEST_F(AccessFigure, AWordOfTheBankMapIsNamed) {
  const auto run = record("transpose/02_tiled", "64");
  ASSERT_NE(run, nullptr);
  const BankMap map = bank_map_of(*run, 0);
  const scene::FixedMeasure measure;
  const scene::Scene scene = bank_map_scene(*run, map, {900, 600}, measure);
  const auto tile = scene::find_bounds(scene, "grid:tile", measure);
  ASSERT_TRUE(tile);
  const Point at{tile->x + tile->width * 5.5 / 33, tile->y + tile->height * 2.5 / 32};
  const auto hit = scene::hit_test(scene, at, measure);
  ASSERT_TRUE(hit);
  const auto word = pick_word(map, *hit);
  ASSERT_TRUE(word);
  EXPECT_EQ(word->id, "cell:tile:2,5");
  EXPECT_EQ(word->title, "tile[2][5], bank 7");  // rows of 33 words
  scene::Hit row;
  row.id = "line:37";
  EXPECT_FALSE(pick_word(map, row));
}

// What is written over and over, as in a loop that does not end, is owned once: the figure of such a run
// stays small.
TEST_F(AccessFigure, OwnsAnElementOnceHoweverOftenItIsWritten) {
  const auto spec = catalog::parse_kernel(R"cu(/*---
title = "Again and again"
problem = "copy"
[launch]
block = ["64"]
grid = ["ceil_div(N, 64)"]
---*/
extern "C" __global__ void kernel(const float* in, volatile float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int again = 0; again < 1000; ++again) out[i] = in[i];
}
)cu",
                                          "again", "again.cu");
  ASSERT_TRUE(spec);
  const auto run = record(*spec, "128");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  EXPECT_GT(story.accesses().of_warp(0).size(), 1000u);
  ASSERT_EQ(story.owned(1).size(), 64u);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(story.owned(1)[i].element, story.owned(1)[i].thread);
}

// In a narrow figure the lanes, which stand in other figures too, leave their room to matrices that gain by
// it.
TEST_F(AccessFigure, LanesStandBesideTheMatricesWhereThereIsRoom) {
  const auto run = record("transpose/02_tiled", "64");
  ASSERT_NE(run, nullptr);
  const scene::FixedMeasure measure;
  const Place selection;
  const AccessOptions options;
  const AccessView view = view_of(*run, selection, options, measure);
  const auto cell_of = [](const AccessLayout& layout) { return layout.panels.front().cell.width; };
  const AccessLayout wide = layout_of(view, {1200, 640}), narrow = layout_of(view, {760, 640});
  EXPECT_TRUE(wide.lane_card);
  EXPECT_FALSE(narrow.lane_card);
  // The lanes would leave 520 pixels; so much narrower a figure has smaller cells.
  EXPECT_GT(cell_of(narrow), 1.2 * cell_of(layout_of(view, {520, 640})));
}

// Words at the left, lanes at the right, and between them matrices that are as high as the frame.
TEST_F(AccessFigure, FillsAWideFrameAndASquareOne) {
  const auto run = record("matmul/01_naive", "64");
  ASSERT_NE(run, nullptr);
  const scene::FixedMeasure measure;
  const AccessView view = view_of(*run, {}, {}, measure);
  const AccessLayout wide = layout_of(view, {1280, 720}), square = layout_of(view, {1080, 1080});
  ASSERT_TRUE(wide.lane_card);
  EXPECT_EQ(wide.words.x, kMargin);
  EXPECT_EQ(wide.lane_card->right(), 1280 - kMargin);
  EXPECT_LT(wide.lane_card->x - wide.panels.back().rect.right(), 100);
  EXPECT_FALSE(square.lane_card);
  EXPECT_GT(square.panels.back().rect.width, 1.25 * wide.panels.back().rect.width);
}

// Where a row begins says nothing once its last digits are cut off.
TEST_F(AccessFigure, StartsOfRowsHaveRoomForTheLargest) {
  const auto run = record("memory/01_coalesced", "16777216");
  ASSERT_NE(run, nullptr);
  const scene::FixedMeasure measure;
  const AccessView view = view_of(*run, {}, {}, measure);
  const AccessLayout layout = layout_of(view, {840, 560});
  ASSERT_FALSE(layout.panels.empty());
  ASSERT_FALSE(layout.panels.front().ribbon.empty());
  const scene::TextStyle style{.size = kRibbonType, .family = scene::Family::code};
  const auto fonts = paint::Fonts::open();
  ASSERT_TRUE(fonts);
  EXPECT_GE(layout.panels.front().rect.x - kMargin, (*fonts)->width("16,777,216", style));
}

TEST_F(AccessFigure, NamesThePartsOfDynamicSharedMemory) {
  const auto run = record("matmul/10_async_pipeline", "256");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  ASSERT_EQ(story.faces().size(), 5u);
  EXPECT_EQ(story.faces()[3].name, "A_tile");
  EXPECT_EQ(story.faces()[3].columns, run->plan().parameters.at("BM") + 4);
  EXPECT_EQ(story.faces()[4].name, "B_tile");
  EXPECT_EQ(story.faces()[4].columns, run->plan().parameters.at("BN"));
  EXPECT_EQ(story.faces()[4].address, story.faces()[3].elements * 4);
}

TEST_F(AccessFigure, SaysThatAnotherAccessIsShownThanTheChosenOne) {
  const auto run = record("matmul/03_shared_tile", "64");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  ASSERT_EQ(story.accesses().at(0, 0)->space, ptx::Space::global);
  EXPECT_EQ(view_of_nearest(*run, {.access = 0}, ptx::Space::global)->instead, "");
  const auto next = view_of_nearest(*run, {.access = 0}, ptx::Space::shared);
  ASSERT_TRUE(next);
  const scene::FixedMeasure measure;
  for (const double width :
       {2000.0, 500.0})  // where there is room for the kernel's title, and where there is not
    EXPECT_TRUE(subtitle_of(*next, width, measure).front().starts_with("The next access to shared memory"))
        << width;
  const auto steps = static_cast<std::uint32_t>(story.accesses().of_warp(0).size());
  ASSERT_EQ(story.accesses().at(0, steps - 1)->space, ptx::Space::global);  // the store of C
  EXPECT_EQ(view_of_nearest(*run, {.access = steps - 1}, ptx::Space::shared)->instead,
            "The last access to shared memory");
}

// No width cuts the words of a subtitle: it goes on in a second line.
TEST_F(AccessFigure, SubtitlesAreWholeInNarrowFigures) {
  const auto run = record("matmul/03_shared_tile", "64");
  ASSERT_NE(run, nullptr);
  const auto next = view_of_nearest(*run, {.access = 0}, ptx::Space::shared);
  ASSERT_TRUE(next);
  const scene::FixedMeasure measure;
  for (const double width : {1200.0, 600.0, 460.0, 380.0, 300.0}) {
    const auto lines = subtitle_of(*next, width, measure);
    for (const std::string& line : lines) EXPECT_LE(measure.width(line, body()), width) << line;
    std::string all;
    for (const std::string& line : lines) all += line + " ";
    EXPECT_EQ(all.find("…"), std::string::npos) << all;
    EXPECT_NE(all.find("lanes write"), std::string::npos) << all;
    EXPECT_NE(all.find("memory"), std::string::npos) << all;
    scene::Group group;
    EXPECT_EQ(add_subtitle(group, {0, 40}, *next, width, measure),
              20.0 * static_cast<double>(lines.size() - 1));
    EXPECT_EQ(group.items.size(), lines.size());
    EXPECT_TRUE(width > 300 || lines.size() > 1);
  }
}

// What a device function does is said at the line of the kernel that calls it.
TEST_F(AccessFigure, LeadsFromADeviceFunctionToItsCall) {
  const auto run = record("matmul/09_warp_tile", "256");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  std::size_t called = 0;
  for (std::uint32_t step = 0; step < 64; ++step) {
    const auto access = story.accesses().at(0, step);
    ASSERT_TRUE(access);
    const int line = kernel_line_of(*run, access->pc);
    EXPECT_GE(line, line_of(*run, access->pc));
    if (line == line_of(*run, access->pc)) continue;
    ++called;
    EXPECT_NE(source_statement(run->plan().spec, line).find("4("), std::string::npos)
        << line;  // copy4(), load4()
    EXPECT_NE(place_of(*run, access->pc).find(" calls "), std::string::npos);
  }
  EXPECT_GT(called, 0u);
}

// The code figure stands at the call, with the device function's line and instruction linked to it.
TEST_F(AccessFigure, CodeStandsAtTheCallOfADeviceFunction) {
  const auto run = record("matmul/09_warp_tile", "256");
  ASSERT_NE(run, nullptr);
  const AccessStory& story = *run->stories[0];
  std::uint32_t step = 0;
  const auto pc = [&] { return story.accesses().at(0, step)->pc; };
  while (line_of(*run, pc()) == kernel_line_of(*run, pc())) ++step;
  const scene::FixedMeasure measure;
  const auto by_pc = code_scene(*run, {.pc = pc()}, {1280, 720}, measure);
  const auto id = [](const char* what, auto n) { return what + std::to_string(n); };
  EXPECT_TRUE(scene::find_bounds(by_pc, id("line:", kernel_line_of(*run, pc())), measure));
  EXPECT_TRUE(scene::find_bounds(by_pc, id("pc:", pc()), measure));
  // Pointing at the call leads to an access of the device function, not to the address arithmetic around it.
  const auto by_line = code_scene(*run, {.line = kernel_line_of(*run, pc())}, {1280, 720}, measure);
  bool has_access = false;
  for (std::uint32_t other = 0; other < run->kernel->function().code.size(); ++other)
    has_access |= kernel_line_of(*run, other) == kernel_line_of(*run, pc()) &&
                  run->emulation.outcome.counters.instructions[other].requests > 0 &&
                  scene::find_bounds(by_line, id("pc:", other), measure).has_value();
  EXPECT_TRUE(has_access);
}

// The layouts of the first access of a run, which must outlive them.
struct FirstAccess {
  explicit FirstAccess(const run::Run& of) : run(of), story(*of.stories[0]) {}
  AccessLayout layout(scene::Size size) const {
    return layout_of(view_of(run, selection, options, measure), size);
  }

  const run::Run& run;
  const AccessStory& story;
  Place selection = {};
  AccessOptions options = {};
  scene::FixedMeasure measure = {};
};

// Five panels stand on several lines where that makes the cells of matrices larger; none lies on another or
// leaves the figure.
TEST_F(AccessFigure, ManyPanelsWrapWhereThatMakesThemLarger) {
  const auto run = record("minplus/05_v3", "256");
  ASSERT_NE(run, nullptr);
  const FirstAccess first(*run);
  for (const scene::Size size : {least_of("access"), scene::Size{900, 520}, {1100, 700}}) {
    const AccessLayout layout = first.layout(size);
    ASSERT_EQ(layout.panels.size(), 5u);
    const Rect all{0, 0, size.width, size.height};
    std::set<double> lines;
    for (const AccessPanel& panel : layout.panels) {
      lines.insert(panel.rect.y);
      EXPECT_TRUE(all.contains({panel.rect.x, panel.rect.y})) << size.width;
      EXPECT_TRUE(all.contains({panel.rect.right() - 1, panel.rect.bottom() - 1})) << size.width;
      EXPECT_FALSE(scene::overlaps(panel.rect, layout.words)) << size.width;
      for (const AccessPanel& other : layout.panels)
        EXPECT_TRUE(&other == &panel || !scene::overlaps(other.rect, panel.rect)) << size.width;
    }
    if (size.width < 800) {
      EXPECT_GT(lines.size(), 1u);
    }
  }
}

// What a kernel touches is seen whichever access is chosen: in the window's sizes.
TEST_F(AccessFigure, ArraysInSharedMemoryAreAlwaysThere) {
  const auto fonts = paint::Fonts::open();  // words take what they take in the program
  ASSERT_TRUE(fonts) << to_line(fonts.error());
  for (const char* kernel : {"matmul/03_shared_tile", "matmul/05_register_2d", "matmul/09_warp_tile",
                             "matmul/10_async_pipeline", "ncsa/04_k4"}) {
    const auto run = record(kernel, "256");
    ASSERT_NE(run, nullptr);
    const AccessStory& story = *run->stories[0];
    for (const std::uint32_t step : {0u, 20u, 200u})
      for (const scene::Size size :
           {least_of("access"), scene::Size{780, 520}, {880, 610}, {1020, 610}, {720, 900}, {1280, 720}}) {
        SCOPED_TRACE(testing::Message()
                     << kernel << " " << step << " " << size.width << " x " << size.height);
        Place selection;
        selection.access = step;
        const AccessOptions options;
        const AccessLayout layout = layout_of(view_of(*run, selection, options, **fonts), size);
        ASSERT_EQ(layout.panels.size(), story.faces().size());
        const Rect all{0, 0, size.width, size.height};
        for (const AccessPanel& panel : layout.panels) {
          EXPECT_TRUE(all.contains({panel.rect.x, panel.rect.y}));
          EXPECT_TRUE(all.contains({panel.rect.right() - 1, panel.rect.bottom() - 1}));
          EXPECT_FALSE(scene::overlaps(panel.rect, layout.words));
          EXPECT_TRUE(!story.faces()[panel.face].is_shared || panel.rect.width >= 80) << panel.rect.width;
          EXPECT_TRUE(story.faces()[panel.face].rows < 8 || panel.rect.height >= 12) << panel.rect.height;
        }
      }
  }
}

TEST(Pages, HoldTheAccessAndStandStill) {
  EXPECT_EQ(page_around(512, 64, 13, 13).first, 0);
  EXPECT_EQ(page_around(512, 64, 63, 63).first, 0);
  EXPECT_EQ(page_around(512, 64, 64, 64).first, 64);
  EXPECT_EQ(page_around(8, 64, 5, 5).count, 8);
  const Span wide = page_around(512, 64, 100, 220);
  EXPECT_LE(wide.first, 100);
  EXPECT_GT(wide.first + wide.count, 220);
  EXPECT_EQ(page_around(70, 64, 69, 69).first + page_around(70, 64, 69, 69).count, 70);
}

}  // namespace
}  // namespace warplens::figures
