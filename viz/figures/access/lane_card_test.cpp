// How the lanes of an access are served, of copies whose arrival the hardware counts as no access of the lanes.
#include "viz/figures/access/lane_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "viz/figures/code/code.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

class LaneCard : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

// The hardware counts the copy where it reads: its arrival has no wavefronts to be free of
// conflicts in.
TEST_F(LaneCard, AnArrivalHasNoWavefrontsOfItsOwn) {
  const auto run = record("matmul/10_async_pipeline", "256");
  int arrivals = 0, reads = 0;
  run->trace->for_each(0, [&](const trace::Access& access) {
    if (access.kind != emulator::AccessKind::async_copy || access.event >= 400) return;
    const AccessSummary summary = summarize(*run, access);
    if (is_arrival(access)) {
      ++arrivals;
      EXPECT_EQ(summary.cost, "no wavefronts of its own");
      EXPECT_NE(summary.detail.find("a store of the lanes would take"), std::string::npos) << summary.detail;
    } else {
      ++reads;
      EXPECT_NE(summary.cost.find("sector"), std::string::npos) << summary.cost;
    }
  });
  EXPECT_GT(arrivals, 0);
  EXPECT_EQ(reads, arrivals);
}

// Of constant memory the cache gives one word a turn: its accesses have no sectors, and are none of local memory.
TEST_F(LaneCard, ConstantsTakeATurnForEachWord) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [{ name = \"out\", count = \"N\", "
      "output = "
      "true }]\nnone = \"only looked at\"\n[launch]\nblock = [256]\ngrid = [\"N / 256\"]\n---*/\n"
      "__constant__ float table[1024];\n"
      "extern \"C\" __global__ void kernel(float* out, int N) {\n"
      "  const int i = blockIdx.x * 256 + threadIdx.x;\n  out[i] = table[threadIdx.x * 33 & 1023];\n}\n",
      "own/own", "own.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto run = record(*spec, "4096");
  ASSERT_NE(run, nullptr);
  int constants = 0;
  run->trace->for_each(0, [&](const trace::Access& access) {
    if (access.space != ptx::Space::constant) return;
    ++constants;
    const AccessSummary summary = summarize(*run, access);
    EXPECT_EQ(summary.pattern, "32 lanes read constant memory, 4 bytes each");
    EXPECT_EQ(summary.cost, "32 turns, ideal 1");
    EXPECT_EQ(summary.color, Color{Token::costly});
  });
  EXPECT_GT(constants, 0);
  const int line = static_cast<int>(run->source_lines.size()) - 1;  // of out[i] = ..., above the last brace
  Found found;
  const scene::FixedMeasure measure;
  collect(code_scene(*run, {.line = line}, {1200, 900}, measure).root, {0, 0}, 1, measure, found);
  EXPECT_TRUE(
      std::ranges::any_of(found.words, [](const PlacedWord& word) { return word.text == "4,096 turns"; }));
}

// What is drawn of it is what a store of its lanes would take, and is called so for everybody.
TEST_F(LaneCard, AnArrivalIsDrawnAsAStore) {
  const auto run = record("matmul/10_async_pipeline", "256");
  const auto& accesses = run->stories[0]->accesses();
  std::uint32_t at = 0;
  while (!is_arrival(*accesses.at(0, at))) ++at;
  const auto titles = [&](Look look, double width) {
    scene::Scene scene{{width, 700}};
    Place place;
    place.access = at;
    draw_lane_card(scene.root, {0, 0, width, 700}, *run, place, accesses.at(0, at), {.look = look});
    std::string all;
    for (const PlacedWord& word : words_in(scene, scene::FixedMeasure{})) all += word.text + "|";
    return all;
  };
  for (const auto& [look, width, title] : {std::tuple(Look::file, 320.0, "Warp 0: a store's wavefronts|"),
                                           std::tuple(Look::page, 320.0, "In which wavefront a store would"),
                                           std::tuple(Look::page, 200.0, "A store's wavefronts|"),
                                           std::tuple(Look::stage, 320.0, "lane → pass of a store|")}) {
    const std::string words = titles(look, width);
    EXPECT_NE(words.find(title), std::string::npos) << words;
    EXPECT_EQ(words.find("lane → wavefront"), std::string::npos) << words;
    EXPECT_EQ(words.find("avefronts by lane"), std::string::npos) << words;
  }
}

// The red part of what memory brings has a name, where there is one.
TEST_F(LaneCard, WasteHasItsKey) {
  for (const auto& [kernel, has_waste] :
       {std::pair("matmul/01_naive", true), std::pair("memory/01_coalesced", false)}) {
    const auto run = record(kernel, has_waste ? "64" : "4096");
    const auto& accesses = run->stories[0]->accesses();
    for (const Look look : {Look::page, Look::stage}) {
      scene::Scene scene{{320, 700}};
      Place place;
      place.access = has_waste ? 1 : 0;
      draw_lane_card(scene.root, {0, 0, 320, 700}, *run, place, accesses.at(0, place.access), {.look = look});
      const auto words = words_in(scene, scene::FixedMeasure{});
      EXPECT_EQ(std::ranges::count(words, "wasted", &PlacedWord::text), has_waste ? 1 : 0) << kernel;
    }
  }
}

}  // namespace
}  // namespace warplens::figures
