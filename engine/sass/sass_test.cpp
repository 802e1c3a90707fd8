// The disassembler's text taken apart, and the machine code of a run beside its PTX.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/sass/machine_listing.hpp"

namespace warplens::sass {
namespace {

std::string captured() { return *read_whole_file(source_path("engine/sass/testdata/two_kernels.txt")); }

TEST(Nvdisasm, TextIsThatOfTheKernel) {
  const auto text = parse_nvdisasm(captured(), "second");
  ASSERT_TRUE(text) << text.error().message;
  ASSERT_EQ(text->size(), 22u);
  EXPECT_EQ(text->front().text, "LDC R1, c[0x0][0x28]");
  EXPECT_EQ((*text)[6].text, "@P0 EXIT");
  EXPECT_EQ((*text)[13].address, 0xd0u);
  EXPECT_EQ((*text)[13].text, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_EQ((*text)[17].live_registers, 11);
  EXPECT_EQ((*text)[19].text, "@!P0 BRA 0x00c0");
  EXPECT_EQ(text->back().text, "BRA 0x0150");
  EXPECT_EQ(parse_nvdisasm(captured(), "first")->size(), 9u);
}

TEST(Nvdisasm, SaysThatTheKernelIsNotThere) {
  EXPECT_FALSE(parse_nvdisasm(captured(), "sec"));
  EXPECT_FALSE(parse_nvdisasm("", "second"));
  EXPECT_FALSE(parse_nvdisasm("/*\n*/\n/*zz*/ x ;\n.section\t.text.a,\n/**/ ;\n", "a"));
}

TEST(Nvdisasm, IsRunAsAChildAndKept) {
  const TestFolder folder;
  const std::string text = source_path("engine/sass/testdata/two_kernels.txt");
  const auto program =
      folder.write_script("nvdisasm", "echo called >> " + (folder / "calls").string() + "; cat " + text);
  Disassembler disassembler({.program = {}, .search_folders = {}, .path = "/nowhere:" + folder.string()});
  EXPECT_EQ(disassembler.find(), program);
  const std::vector<std::byte> cubin(8);
  for (int again = 0; again < 2; ++again) {
    const auto lines = disassembler.text_of(cubin, "second");
    ASSERT_TRUE(lines) << lines.error().message;
    EXPECT_EQ((*lines)->size(), 22u);
  }
  EXPECT_EQ(*read_whole_file(folder / "calls"), "called\n");
}

TEST(Nvdisasm, ThatFailsIsAnError) {
  const TestFolder folder;
  Disassembler disassembler({.program = folder.write_script("broken", "exit 3")});
  const auto text = disassembler.text_of(std::vector<std::byte>(8), "second");
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().next_step.find("pip install"), std::string::npos);
}

class MachineListing : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
  static run::SharedRun tile(const catalog::Values& params = {}) {
    return *run::run_of(*run::kernels().find("matmul/03_shared_tile"), params,
                        {{"M", 64}, {"N", 64}, {"K", 64}});
  }
  Disassembler none_{{.program = "/nowhere/nvdisasm"}};
};

// What each row says of itself needs no disassembler.
TEST_F(MachineListing, HasTheCompilersScheduleWithoutNvdisasm) {
  const auto run = tile();
  const auto listing = list(*run, none_);
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_TRUE(listing->without_text);
  EXPECT_NE(listing->without_text->next_step.find("nvidia-cuda-nvdisasm"), std::string::npos);
  EXPECT_EQ(listing->architecture, "sm_90");
  EXPECT_EQ(listing->registers, run->report.registers);
  std::set<std::string> texts;
  for (const Row& row : listing->rows) texts.insert(row.text);
  for (const char* text : {"LDS.128", "FFMA", "STS", "BAR", "LDC.64", "EXIT"})
    EXPECT_TRUE(texts.contains(text)) << text;
  EXPECT_EQ(std::ranges::count_if(texts, [](const auto& text) { return text.starts_with("operation"); }), 0);
  // A load tells by a barrier that it is done, and somebody waits for it.
  const auto load = std::ranges::find(listing->rows, "LDS.128", &Row::text);
  ASSERT_GE(load->write_barrier, 0);
  EXPECT_TRUE(std::any_of(load, listing->rows.end(),
                          [&](const Row& row) { return (row.waits >> load->write_barrier & 1) != 0; }));
}

// Each access of the machine code has its part of what the PTX's was counted.
TEST_F(MachineListing, SharesTheCountsOfThePtx) {
  for (const std::int64_t tile_edge : {8, 32}) {
    const auto run = tile({{"TILE", tile_edge}});
    const auto listing = list(*run, none_);
    ASSERT_TRUE(listing);
    ASSERT_TRUE(listing->is_counted);
    double sectors = 0, wavefronts = 0;
    for (const Row& row : listing->rows) sectors += row.sectors, wavefronts += row.wavefronts;
    const auto& all = run->lines.total.traffic;
    EXPECT_NEAR(sectors, static_cast<double>(all.global.sectors), 0.5);
    EXPECT_NEAR(wavefronts, static_cast<double>(all.shared.wavefronts), 0.5);
  }
}

TEST_F(MachineListing, KnowsWhatEachInstructionIsFrom) {
  const auto run = tile();
  const auto listing = list(*run, none_);
  ASSERT_TRUE(listing);
  for (const Row& row : listing->rows) {
    if (row.text != "FFMA") continue;
    ASSERT_GE(row.pc, 0);
    const auto& ptx = run->instructions[static_cast<std::size_t>(row.pc)];
    EXPECT_EQ(ptx.text.substr(0, 3), "fma") << ptx.text;
    EXPECT_EQ(row.line, ptx.line);
    EXPECT_NEAR(row.executed, static_cast<double>(ptx.counters.executed), 0.5);
  }
  const Row& last = listing->rows.back();
  EXPECT_EQ(listing->row_at(last.address), listing->rows.size() - 1);
  EXPECT_EQ(listing->row_at(last.address + 8), listing->rows.size());
}

// What is solved for is a little off: each count is whole, and that of the PTX where both do the same.
TEST_F(MachineListing, CountsAreWhole) {
  const auto run =
      *run::run_of(*run::kernels().find("matmul/01_naive"), {}, {{"M", 256}, {"N", 256}, {"K", 256}});
  const auto listing = list(*run, none_);
  ASSERT_TRUE(listing);
  ASSERT_TRUE(listing->is_counted);
  double products = 0;
  for (const Row& row : listing->rows) {
    EXPECT_EQ(row.executed, std::round(row.executed)) << row.text;
    if (row.text == "FFMA" || row.text.starts_with("FFMA ")) products += row.executed;
  }
  EXPECT_EQ(products, 256.0 * 256 * 256 / 32);
}

// All warps take the sine and the cosine, half of their lanes each: no instruction ran in a part of them.
TEST_F(MachineListing, CountsBothWaysOfWarpsThatPart) {
  const auto run = *run::run_of(*run::kernels().find("arithmetic/18_two_ways"), {}, {{"N", 65536}});
  const auto listing = list(*run, none_);
  ASSERT_TRUE(listing) << listing.error().message;
  for (const Row& row : listing->rows) EXPECT_EQ(std::fmod(row.executed, 2048), 0) << row.executed;
}

TEST_F(MachineListing, SaysThatOldDevicesHaveNone) {
  auto plan = run::plan(*run::kernels().find("matmul/03_shared_tile"), {{"TILE", 16}},
                        {{"M", 32}, {"N", 32}, {"K", 32}}, run::device_named("cc1.3"));
  ASSERT_TRUE(plan);
  auto build = run::compile(run::compiler(), *plan);
  ASSERT_TRUE(build);
  auto instance = run::Instances({}).instantiate(*plan);
  const auto run = run::run_on_emulator({*plan, *instance, *std::move(build)});
  ASSERT_TRUE(run) << run.error().message;
  const auto listing = list(**run, none_);
  ASSERT_FALSE(listing);
  EXPECT_NE(listing.error().message.find("1.3"), std::string::npos);
}

TEST(MachineListingText, NamesBarriers) {
  EXPECT_EQ(barriers_text(0), "");
  EXPECT_EQ(barriers_text(0b100101), "0 2 5");
}

}  // namespace
}  // namespace warplens::sass
