// The pictures of tensor cores: the way of one element, what a walk down a column costs, and where boxes land.
#include <gmock/gmock.h>

#include "engine/study/found.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/tensor/boxes.hpp"
#include "viz/figures/tensor/fragments.hpp"
#include "viz/figures/tensor/swizzle.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::figures {
namespace {

using testing::HasSubstr, testing::Not;

class TensorFigures : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  static Subject subject_of(std::string_view kernel, std::string_view size = "128", std::uint64_t block = 0) {
    Subject subject{.run = record(kernel, size, {}, block)};
    const auto at = subject.run->trace->find_block(block);
    subject.place.block = at.value_or(0);
    subject.known.tensor = study::tensor_found(*subject.run, subject.place.block);
    subject.element = "A,5,37";
    return subject;
  }
  static void expect_pictures(const char* figure, const Subject& subject, const std::string& name) {
    const scene::FixedMeasure measure;
    expect_golden(draw_or_say(*find_figure(figure), subject, {1100, 680}, measure), name);
    Subject stage = subject;
    stage.look = Look::stage;
    expect_golden(draw_or_say(*find_figure(figure), stage, {760, 460}, measure), name + "_class");
  }
};

TEST_F(TensorFigures, FragmentsAreAsKept) {
  expect_pictures("fragments", subject_of("tensor/05_swizzle"), "fragments_mma");
  expect_pictures("fragments", subject_of("tensor/09_wgmma_tma"), "fragments_wgmma");
  expect_pictures("fragments", subject_of("tensor_int8/04_mma_ldmatrix"), "fragments_s8");
}

TEST_F(TensorFigures, SwizzleIsAsKept) {
  expect_pictures("swizzle", subject_of("tensor/03_padding"), "swizzle_padded");
  expect_pictures("swizzle", subject_of("tensor/09_wgmma_tma"), "swizzle_wgmma");
}

TEST_F(TensorFigures, BoxesAreAsKept) {
  Subject beyond = subject_of("tensor/09_wgmma_tma", "72", 3);
  beyond.element = "A,69,37";
  expect_pictures("tma", beyond, "tma");
}

TEST_F(TensorFigures, PipelinesAreAsKept) {
  expect_pictures("pipeline", subject_of("tensor/09_wgmma_tma", "512"), "pipeline_turns");
  expect_pictures("pipeline", subject_of("tensor/14_bare_barriers", "512"), "pipeline_roles");
}

// What a warp waits for is read, whatever it has asked for where it begins to wait; in a narrow picture, too.
TEST_F(TensorFigures, NoSignCoversABarrierThatIsWaitedFor) {
  for (const scene::Size size : {scene::Size{620, 480}, scene::Size{460, 440}, scene::Size{1060, 620}}) {
    Subject subject = subject_of("tensor/12_two_consumers", "512");
    subject.look = Look::stage;
    const scene::FixedMeasure measure;
    const scene::Scene scene = draw_or_say(*find_figure("pipeline"), subject, size, measure);
    std::vector<Rect> signs;
    const auto collect_signs = [&](auto&& self, const scene::Group& group, Point origin,
                                   double scale) -> void {
      for (const scene::Item& item : group.items) {
        if (const auto* path = std::get_if<scene::PathShape>(&item.shape);
            path != nullptr && path->style.fill)
          signs.push_back(in_scene(scene::bounds(path->path), origin, scale));
        if (const auto* inner = std::get_if<scene::Group>(&item.shape))
          self(self, *inner, origin + inner->origin * scale, scale * inner->scale);
      }
    };
    collect_signs(collect_signs, scene.root, scene.root.origin, scene.root.scale);
    std::size_t barriers = 0;
    for (const PlacedWord& word : words_in(scene, measure)) {
      if (!word.text.starts_with("empty[")) continue;
      ++barriers;
      for (const Rect& sign : signs) EXPECT_FALSE(scene::intersection(word.box, sign)) << word.text;
    }
    EXPECT_FALSE(signs.empty());
    EXPECT_GT(barriers, 0u);
  }
}

// Two of them stand beside each other in a small window.
TEST_F(TensorFigures, ANarrowClusterSaysItsBytesWhole) {
  const scene::FixedMeasure measure;
  const Subject subject = subject_of("tensor/15_cluster_multicast", "512");
  const scene::Scene scene = draw_or_say(*find_figure("cluster"), subject, {626, 520}, measure);
  std::size_t bytes = 0;
  for (const PlacedWord& word : words_in(scene, measure)) {
    if (!word.text.ends_with(" bytes")) continue;
    ++bytes;
    EXPECT_TRUE(word.is_whole) << word.text;
  }
  EXPECT_GT(bytes, 0u);
}

TEST_F(TensorFigures, ClusterIsAsKept) {
  expect_pictures("cluster", subject_of("tensor/15_cluster_multicast", "512"), "cluster");
}

// Row 5 of 128 bytes, and chunk 4 at place 4 XOR 5 = 1 of it: 5 * 128 + 16 + 10. Lane (row % 8) * 4 + column % 8 / 2.
TEST_F(TensorFigures, SayWhereAnElementLiesAndWhoGetsIt) {
  const Subject swizzled = subject_of("tensor/05_swizzle"), group = subject_of("tensor/09_wgmma_tma");
  EXPECT_EQ(fragments_words(swizzled).what, "lane 22 holds A[5][37] in register a0");
  EXPECT_EQ(fragments_words(swizzled).why, "it came from byte 666 of shared memory, bank 6");
  EXPECT_EQ(fragments_words(group).what, "no lane holds A[5][37]: wgmma reads it in shared memory");
  EXPECT_EQ(fragments_words(group).why, "lanes hold the sums alone: lanes 20 to 23 those of its row");
  EXPECT_THAT(*fragments_table(swizzled), HasSubstr("A,5,37,666,22,a0,high half\n"));
  EXPECT_THAT(*fragments_table(group), HasSubstr("A,5,37,666,,,\n"));
  EXPECT_THAT(*swizzle_table(group), HasSubstr(",A,5,32,656,4\n"));
}

// PTX ISA 9.0, 9.7.14.5: of A in bytes lane 4 row + k % 16 / 4 has byte k % 4, of B in TF32 lane 4 column + k % 4, in b1 from k = 4 on.
// Rows are padded to 144 bytes, those of B in TF32 to 544 behind a tile of A.
TEST_F(TensorFigures, SayItOfBytesAndOfTf32) {
  const Subject bytes = subject_of("tensor_int8/04_mma_ldmatrix");
  Subject tf32 = subject_of("tensor_tf32/01_mma");
  EXPECT_EQ(fragments_words(bytes).what, "lane 21 holds A[5][37] in register a0");
  EXPECT_EQ(fragments_words(bytes).why, "it came from byte 757 of shared memory, bank 29");
  EXPECT_THAT(*fragments_table(bytes), HasSubstr("A,5,37,757,21,a0,byte 1\n"));
  tf32.element = "B,5,37";
  EXPECT_EQ(fragments_words(tf32).what, "lane 21 holds B[5][37] in register b1");
  EXPECT_THAT(*fragments_table(tf32), HasSubstr("B,5,37,21300,21,b1,\n"));
  EXPECT_THAT(*swizzle_table(tf32), HasSubstr(",A,5,4,"));  // B is read number by number
  EXPECT_THAT(*swizzle_table(tf32), Not(HasSubstr(",B,")));
}

TEST_F(TensorFigures, SayWhatAWalkDownAColumnCosts) {
  EXPECT_EQ(swizzle_words(subject_of("tensor/02_shared_tiles")).what,
            "a matrix of ldmatrix takes 8 wavefronts where 1 would do");
  for (const char* mended : {"tensor/03_padding", "tensor/05_swizzle", "tensor/09_wgmma_tma"}) {
    const explain::Explanation said = swizzle_words(subject_of(mended));
    EXPECT_EQ(said.what, "eight rows of a column lie in eight groups of banks: 1 wavefront") << mended;
    EXPECT_THAT(said.why, HasSubstr("would take 8")) << mended;
  }
}

TEST_F(TensorFigures, SayWhatOfABoxIsOutside) {
  // Rows and columns 64 to 127 of which 8 are there, and k from 64 on likewise.
  const Subject corner = subject_of("tensor/09_wgmma_tma", "72", 3);
  EXPECT_THAT(*boxes_table(corner), HasSubstr("1,load,A,0,64,64,64,0,8192,7168,128B,0,0\n"));
  EXPECT_THAT(*boxes_table(corner), HasSubstr("3,load,A,64,64,64,64,0,8192,8064,128B,0,0\n"));
  EXPECT_FALSE(draw(*find_figure("tma"), subject_of("tensor/05_swizzle"), {800, 600}, scene::FixedMeasure{}));
  EXPECT_FALSE(
      draw(*find_figure("swizzle"), subject_of("tensor/01_wmma"), {800, 600}, scene::FixedMeasure{}));
}

// What is under the pointer is where the picture says that it is, in the fragment and in shared memory.
TEST_F(TensorFigures, LightAnElementWhereverItIs) {
  const scene::FixedMeasure measure;
  constexpr scene::Size size{1100, 680};
  const CellId cell{"A", 5, 37};
  for (const char* id : {"fragments", "swizzle", "tma"}) {
    const Figure& figure = *find_figure(id);
    const Subject subject = subject_of("tensor/09_wgmma_tma");
    const auto scene = draw(figure, subject, size, measure);
    ASSERT_TRUE(scene) << id;
    const auto found = places(figure, subject, *scene, measure, std::vector{cell});
    EXPECT_EQ(found.size(), 2u) << id;
    for (const Rect& rect : found) {
      const auto under =
          pick(figure, subject, *scene, measure, {rect.x + rect.width / 2, rect.y + rect.height / 2});
      ASSERT_TRUE(under) << id;
      EXPECT_EQ(under->id, "cell:A:5,37") << id;
    }
  }
}

TEST_F(TensorFigures, OfAKernelWithoutTensorCoresSaySo) {
  for (const char* id : {"fragments", "swizzle", "tma"}) {
    const auto drawn =
        draw(*find_figure(id), subject_of("matmul/01_naive", "64"), {800, 600}, scene::FixedMeasure{});
    ASSERT_FALSE(drawn) << id;
    EXPECT_EQ(drawn.error().message, "this kernel multiplies without tensor cores");
  }
}

}  // namespace
}  // namespace warplens::figures
