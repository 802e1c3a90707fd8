// The playground: its pictures as values, and the page driven as a user would drive it.
#include "app/window/actions/pages.hpp"
#include "app/window/pages/playground/playground_model.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/base/workspace.hpp"
#include "app/window/pages/playground/playground_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

device::Device device_of(const char* id) {
  const auto workspace = Workspace::open({.home = source_path()});
  const auto found = workspace ? workspace->device(id) : Result<device::Device>(workspace.error());
  if (!found) ADD_FAILURE() << to_line(found.error());
  return found ? *found : device::Device{};
}

const PlaygroundPreset& preset(std::string_view name) {
  const auto all = playground_presets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? all.front() : *found;
}

struct PresetCost {
  const char* name;
  int sectors, wavefronts;
};
class PlaygroundPresets : public ::testing::TestWithParam<PresetCost> {};

// Sectors and wavefronts of 32 lanes with 4 bytes each on an H100, counted by hand.
TEST_P(PlaygroundPresets, CostWhatTheyAreKnownFor) {
  PlaygroundState state;
  apply(preset(GetParam().name), state);
  const auto picture = playground_picture(state, device_of("h100"));
  ASSERT_TRUE(picture) << to_line(picture.error());
  EXPECT_EQ(picture->sectors.requests, 1);
  EXPECT_EQ(picture->sectors.sectors, GetParam().sectors);
  EXPECT_EQ(picture->banks.wavefronts, GetParam().wavefronts);
  EXPECT_EQ(picture->global.pieces.units, picture->sectors.sectors);
  EXPECT_EQ(picture->shared.pieces.units, picture->banks.wavefronts);
}

INSTANTIATE_TEST_SUITE_P(Playground, PlaygroundPresets,
                         ::testing::Values(PresetCost{"Coalesced", 4, 1}, PresetCost{"Permuted", 4, 1},
                                           PresetCost{"Misaligned", 5, 1}, PresetCost{"Stride of 2", 8, 2},
                                           PresetCost{"float3 member", 12, 1}, PresetCost{"Column", 32, 32},
                                           PresetCost{"Padded", 32, 1}, PresetCost{"Swizzled", 32, 1},
                                           PresetCost{"Broadcast", 1, 1}, PresetCost{"Rows of 8", 4, 4}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

TEST(Playground, OldChipsHaveTheirOwnRules) {
  PlaygroundState state;
  apply(preset("Permuted"), state);
  const auto strict = playground_picture(state, device_of("cc1.0"));
  const auto later = playground_picture(state, device_of("cc1.3"));
  ASSERT_TRUE(strict);
  ASSERT_TRUE(later);
  EXPECT_EQ(strict->sectors.transactions, 32);  // out of order: one for each lane
  EXPECT_EQ(later->sectors.transactions, 2);    // one segment for each half-warp
  EXPECT_EQ(later->shared.pieces.shared.banks, 16);
}

TEST(Playground, KeepsTheLastGoodPicture) {
  Playground playground;
  const device::Device h100 = device_of("h100");
  PlaygroundState state;
  playground.update(state, h100);
  ASSERT_NE(playground.picture(), nullptr);
  EXPECT_EQ(playground.picture()->sectors.sectors, 4);
  state.index = "stride*(lane";
  playground.update(state, h100);
  ASSERT_TRUE(playground.error());
  EXPECT_EQ(playground.error()->place.column, 8);
  EXPECT_EQ(playground.picture()->sectors.sectors, 4);
  state.mask = 0;
  state.index = "lane";
  playground.update(state, h100);
  EXPECT_THAT(playground.error()->message, HasSubstr("no lane"));
  state.mask = 1;
  playground.update(state, h100);
  EXPECT_FALSE(playground.error());
  EXPECT_EQ(playground.picture()->sectors.sectors, 1);
}

TEST(Playground, ALineThatWasTypedCanBeDragged) {
  PlaygroundState state;
  state.index = "3 * lane + 7";
  const PlaygroundLine line = playground_line(state);
  EXPECT_TRUE(line.has_stride && line.has_offset && !line.named);
  EXPECT_EQ(line.stride, 3);
  EXPECT_EQ(line.offset, 7);
  set_stride(state, 5);
  EXPECT_EQ(state.index, "stride*lane + offset");
  EXPECT_EQ(state.stride, 5);
  EXPECT_EQ(state.offset, 7);
  state.index = "(lane % 8) * stride";
  EXPECT_TRUE(playground_line(state).has_stride);
  EXPECT_FALSE(playground_line(state).has_offset);
  set_offset(state, 1);
  EXPECT_EQ(state.index, "(lane % 8) * stride");
  EXPECT_EQ(state.offset, 7);
  state.index = "lane % 8";
  EXPECT_FALSE(playground_line(state).has_stride);
  state.index = "strides*lane";
  EXPECT_FALSE(playground_line(state).has_stride);
}

class PlaygroundTest : public StageTest {
 protected:
  State opened() {
    State start = small_problem();
    start.view.page = Page::playground;
    return start;
  }
  const Playground& playground() { return stage_->interface().pages().get<PlaygroundPage>().playground(); }
};

TEST_F(PlaygroundTest, AnExpressionIsTyped) {
  OPEN_STAGE(opened());
  ASSERT_TRUE(stage_->click("playground/index"));
  ASSERT_TRUE(stage_->press(compat::Key::end));
  ASSERT_TRUE(stage_->type(" + 1"));  // within the frame
  EXPECT_EQ(state().playground.index, "stride*lane + offset + 1");
  EXPECT_EQ(playground().picture()->sectors.sectors, 5);
  ASSERT_TRUE(stage_->type(" *"));
  ASSERT_TRUE(playground().error());
  EXPECT_TRUE(stage_->find("playground/fault"));
  EXPECT_EQ(playground().picture()->sectors.sectors, 5);
  EXPECT_TRUE(state().view.dark);  // letters are text, not keys
  ASSERT_TRUE(stage_->type(" t"));
  EXPECT_TRUE(state().view.dark);
}

TEST_F(PlaygroundTest, TheStrideIsDragged) {
  OPEN_STAGE(opened());
  ASSERT_TRUE(stage_->drag("playground/stride", 1.0 / 64, 0.5));
  EXPECT_EQ(state().playground.stride, 32);
  EXPECT_EQ(playground().picture()->sectors.sectors, 32);
  EXPECT_EQ(playground().picture()->banks.wavefronts, 32);
  ASSERT_TRUE(stage_->drag("playground/offset", 0, 1));
  EXPECT_EQ(state().playground.offset, 64);
}

TEST_F(PlaygroundTest, KeysMoveTheStrideTheOffsetAndThePattern) {
  OPEN_STAGE(opened());
  const Selection before = state().selection;
  ASSERT_TRUE(stage_->press(compat::Key::right));
  EXPECT_EQ(state().playground.stride, 2);
  EXPECT_EQ(playground().picture()->sectors.sectors, 8);
  ASSERT_TRUE(stage_->press(compat::Key::right, true));
  EXPECT_EQ(state().playground.stride, 18);
  ASSERT_TRUE(stage_->press(compat::Key::left));
  EXPECT_EQ(state().playground.stride, 17);
  ASSERT_TRUE(stage_->press(compat::Key::down));
  EXPECT_EQ(state().playground.offset, 1);
  ASSERT_TRUE(stage_->press(compat::Key::up));
  EXPECT_EQ(state().playground.offset, 0);
  ASSERT_TRUE(stage_->press(compat::Key::page_down));  // no pattern was chosen: the first
  EXPECT_EQ(state().playground.stride, 1);
  ASSERT_TRUE(stage_->press(compat::Key::page_down));
  EXPECT_EQ(state().playground.index, playground_presets()[1].index);
  ASSERT_TRUE(stage_->press(compat::Key::page_up));
  EXPECT_EQ(state().playground.index, playground_presets()[0].index);
  ASSERT_TRUE(stage_->press(compat::Key::space));  // there is nothing to play here
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(stage_->frame());
  EXPECT_EQ(state().selection, before);
  EXPECT_EQ(state().view.page, Page::playground);
}

TEST_F(PlaygroundTest, PatternsLanesWidthsAndDevicesAreClicked) {
  OPEN_STAGE(opened());
  ASSERT_TRUE(click("playground/preset/Misaligned"));
  EXPECT_EQ(playground().picture()->sectors.sectors, 5);
  ASSERT_TRUE(click("playground/width/16 bytes"));
  EXPECT_EQ(playground().picture()->sectors.ideal_sectors, 16);
  ASSERT_TRUE(click("playground/op/Store"));
  EXPECT_TRUE(state().playground.store);
  ASSERT_TRUE(click("playground/mask/Half"));
  EXPECT_EQ(state().playground.mask, 0xffffu);
  ASSERT_TRUE(stage_->drag("playground/lanes", 0.01, 0.01));  // between the rows of lanes 8 and 16: lane 16
  EXPECT_EQ(state().playground.mask, 0x1ffffu);
  ASSERT_TRUE(click("playground/memory/Shared"));
  EXPECT_EQ(state().playground.memory, Memory::shared);
  ASSERT_TRUE(click("playground/device"));
  ASSERT_TRUE(click("playground/device/cc1.0"));
  EXPECT_EQ(state().device, "cc1.0");
  EXPECT_EQ(playground().picture()->global.device.id, "cc1.0");
  ASSERT_TRUE(click("playground/close"));
  EXPECT_EQ(state().view.page, Page::ladder);
}

// With the largest type of all too.
TEST_F(PlaygroundTest, NamesOfPatternsAreWhole) {
  State start = opened();
  start.view.width = 1280;
  start.view.height = 720;
  start.view.text_scale = 2.25;
  OPEN_STAGE(start);
  for (const auto& preset : playground_presets()) {
    EXPECT_TRUE(stage_->find("playground/preset/" + std::string(preset.name))) << preset.name;
    EXPECT_FALSE(stage_->find("playground/preset/" + std::string(preset.name) + "/cut")) << preset.name;
  }
}

TEST_F(PlaygroundTest, IsExportedLikeEveryFigure) {
  State start = opened();
  start.playground.index = "33*lane";
  OPEN_STAGE(start);
  const std::string svg = saved_svg();
  EXPECT_THAT(svg, HasSubstr("33*lane"));
  EXPECT_THAT(svg, HasSubstr("Wavefronts"));
  EXPECT_THAT(svg, HasSubstr("Sectors"));
}

}  // namespace
}  // namespace warplens::app
