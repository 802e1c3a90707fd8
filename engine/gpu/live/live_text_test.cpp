// The code that live runs put on the device, on the emulator and through ptxas: kernels that do a part of
// their blocks, the time stamps, and the places of blocks on their multiprocessors.
#include <gmock/gmock.h>

#include "engine/base/testing/test_folder.hpp"
#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/gpu/live/live_kernels.hpp"
#include "engine/gpu/live/live_layout.hpp"
#include "engine/gpu/live/live_slices.hpp"
#include "engine/instrument/block_times.hpp"
#include "engine/instrument/testing/instrument_support.hpp"

namespace warplens::gpu {
namespace {

using instrument::BlockTime, instrument::Subject, testing::ElementsAre;

// The text with another first block, as cuMemsetD32 leaves it before a launch.
std::string starting_at(std::string text, std::uint64_t first) {
  const std::string zero = std::string(first_block_variable) + ";";
  const std::size_t at = text.find(zero);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, zero.size(),
                      std::string(first_block_variable) + " = " + std::to_string(first) + ";");
}

class Slices : public testing::TestWithParam<catalog::KernelSpec> {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
    auto made = Subject::make(GetParam(), instrument::small_size(GetParam()));
    ASSERT_TRUE(made) << to_line(made.error());
    subject_ = *std::move(made);
    auto text = with_first_block(subject_->build().ptx, subject_->shape().grid);
    ASSERT_TRUE(text) << to_line(text.error());
    text_ = *std::move(text);
  }
  // What `blocks` blocks from the first leave in the output.
  std::vector<std::byte> slice(std::uint64_t first, std::uint64_t blocks) {
    Subject part = *subject_;
    part.set_grid({static_cast<std::uint32_t>(blocks), 1, 1});
    const auto run = part.run(starting_at(text_, first));
    EXPECT_TRUE(run) << to_line(run.error());
    if (!run) return {};
    EXPECT_FALSE(run->outcome.fault) << to_line(run->outcome.fault->error);
    return run->output;
  }
  std::optional<Subject> subject_;
  std::string text_;
};

TEST_P(Slices, OfAllBlocksAreTheWholeKernel) {
  const auto whole = subject_->run(subject_->build().ptx);
  ASSERT_TRUE(whole) << to_line(whole.error());
  EXPECT_EQ(slice(0, subject_->blocks()), whole->output);
}

TEST_P(Slices, TogetherMakeTheResult) {
  const auto& buffers = subject_->instance().buffers();
  const auto output = std::ranges::find_if(buffers, &problem::Buffer::is_output);
  if (output->starts_at_zero) GTEST_SKIP() << "every block adds to the same result";
  const auto whole = subject_->run(subject_->build().ptx);
  ASSERT_TRUE(whole) << to_line(whole.error());
  const auto poison = subject_->instance().initial(static_cast<std::size_t>(output - buffers.begin()));
  std::vector<std::byte> merged(poison.begin(), poison.end());
  const std::uint64_t step = std::max<std::uint64_t>(1, subject_->blocks() / 3);
  for (std::uint64_t first = 0; first < subject_->blocks(); first += step) {
    const auto part = slice(first, std::min(step, subject_->blocks() - first));
    ASSERT_EQ(part.size(), merged.size());
    if (step < subject_->blocks()) {
      EXPECT_NE(part, whole->output);
    }
    for (std::size_t i = 0; i < merged.size(); ++i) {
      if (part[i] != poison[i]) merged[i] = part[i];
    }
  }
  EXPECT_EQ(merged, whole->output);
}

TEST_P(Slices, AreTakenByPtxas) {
  if (!std::filesystem::exists(instrument::kPtxas)) GTEST_SKIP() << "no ptxas here";
  EXPECT_EQ(instrument::ptxas_complaint(text_, 90), "");
}

INSTANTIATE_TEST_SUITE_P(Repository, Slices, testing::ValuesIn(instrument::recorded_kernels()),
                         [](const auto& tested) { return instrument::label_of(tested.param.id); });

// What ptxas needs for the kernel named k of a text on an H100.
int registers_of(const std::string& text) {
  const TestFolder folder;
  const std::string file = (folder / "text").string();
  folder.write("text.ptx", text);
  const std::string command = instrument::kPtxas.string() + " -v -arch=sm_90 -o " + file + ".cubin " + file +
                              ".ptx > " + file + ".log 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream log(file + ".log");
  const std::string said{std::istreambuf_iterator<char>(log), {}};
  const std::size_t at = said.find("Used ");
  EXPECT_NE(at, std::string::npos) << said;
  return at == std::string::npos ? 0 : std::atoi(said.c_str() + at + 5);
}

// A watched launch must have as many blocks at once as the kernel that it replaces.
TEST_P(Slices, WatchedKernelsNeedNoMoreRegisters) {
  if (!std::filesystem::exists(instrument::kPtxas)) GTEST_SKIP() << "no ptxas here";
  const auto& build = subject_->build();
  const auto timed = instrument::with_block_times(build.ptx, build.kernel_name);
  ASSERT_TRUE(timed) << to_line(timed.error());
  const int plain = registers_of(build.ptx);
  const std::string limited = with_registers_of(*timed, build.kernel_name, plain);
  const bool has_limit = build.ptx.find(".minnctapersm") != std::string::npos;
  EXPECT_EQ(limited == *timed, has_limit);  // a kernel keeps a limit of its own
  EXPECT_LE((registers_of(limited) + 7) / 8, (std::max(plain, 32) + 7) / 8);
}

TEST(Registers, AreLeftAloneWhereTheyAreLimited) {
  const std::string open = ".version 8.7\n.target sm_90\n.entry k(.param .u64 p)\n", body = "{\nret;\n}\n";
  EXPECT_EQ(with_registers_of(open + body, "k", 30),
            ".version 8.7\n.target sm_90\n.entry k(.param .u64 p)\n.maxnreg 32\n" + body);
  for (const char* limit : {".maxntid 64\n.minnctapersm 2\n", ".maxnreg 40\n"})
    EXPECT_EQ(with_registers_of(open + limit + body, "k", 30), open + limit + body);
  EXPECT_EQ(with_registers_of(open + body, "other", 30), open + body);
  EXPECT_EQ(with_registers_of(open + body, "k", 0), open + body);
}

TEST(Slice, FindsItsPlaceInThreeDimensions) {
  const std::string text =
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
      ".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [k_param_0];\n"
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ctaid.y;\nmov.u32 %r3, %ctaid.z;\nmov.u32 %r4, %nctaid.x;\n"
      "mov.u32 %r5, %nctaid.y;\nmad.lo.u32 %r6, %r3, %r5, %r2;\nmad.lo.u32 %r6, %r6, %r4, %r1;\n"
      "mul.wide.u32 %rd2, %r6, 16;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r7, 1;\n"
      "st.global.v4.u32 [%rd3], {%r1, %r2, %r3, %r7};\nret;\n}\n";
  const auto sliced = with_first_block(text, {3, 2, 4});
  ASSERT_TRUE(sliced) << to_line(sliced.error());
  emulator::Bench bench(starting_at(*sliced, 5));
  ASSERT_EQ(bench.error(), "");
  using Row = std::array<std::uint32_t, 4>;
  const auto place = bench.buffer("rows", std::vector<Row>(24));
  emulator::Launch launch;
  launch.grid = {14, 1, 1};
  launch.arguments = emulator::ArgumentList().add(place).bytes();
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome && !outcome->fault);
  const auto rows = bench.read<Row>(place, 24);
  for (std::uint32_t b = 0; b < 24; ++b) {
    const Row here{b % 3, b / 3 % 2, b / 6, 1};
    EXPECT_EQ(rows[b], b >= 5 && b < 19 ? here : Row{}) << b;
  }
}

TEST(Slice, SaysWhichKernelsItCannotDo) {
  const std::string head = ".version 8.7\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r;\n";
  const auto cluster = with_first_block(head + "mov.u32 %r, %clusterid.x;\nret;\n}\n", {1, 1, 1});
  ASSERT_FALSE(cluster);
  EXPECT_THAT(cluster.error().message, testing::HasSubstr("clusters"));
  const auto direct = with_first_block(head + "add.u32 %r, %ctaid.x, 1;\nret;\n}\n", {1, 1, 1});
  ASSERT_FALSE(direct);
  EXPECT_THAT(direct.error().message, testing::HasSubstr("add.u32 %r, %ctaid.x, 1;"));
}

class LiveKernels : public testing::Test {
 protected:
  // Places the rows of a device with so many multiprocessors.
  std::vector<PlacedBlock> place(const std::vector<BlockTime>& rows, std::uint32_t multiprocessors,
                                 std::uint32_t shown, Seen& seen) {
    emulator::Bench bench(live_kernels_ptx, place_kernel);
    EXPECT_EQ(bench.error(), "");
    const auto times = bench.buffer("times", rows),
               placed = bench.buffer("placed", std::vector<PlacedBlock>(shown)),
               most = bench.buffer("seen", std::vector<Seen>(1));
    emulator::Launch launch;
    launch.grid = {multiprocessors, 1, 1};
    launch.block = {place_threads, 1, 1};
    launch.arguments = emulator::ArgumentList()
                           .add(times)
                           .add(static_cast<std::uint32_t>(rows.size()))
                           .add(shown)
                           .add(placed)
                           .add(most)
                           .bytes();
    const auto outcome = bench.run(launch);
    EXPECT_TRUE(outcome && !outcome->fault);
    seen = bench.read<Seen>(most, 1).front();
    return bench.read<PlacedBlock>(placed, shown);
  }
};

constexpr std::uint64_t start_of_all = (std::uint64_t{3} << 32) - 50;  // the low words overflow

TEST_F(LiveKernels, PlaceBlocksThatOverlapInSlotsOfTheirOwn) {
  const auto row = [](std::uint32_t block, std::uint32_t sm, std::uint64_t begin, std::uint64_t end) {
    return BlockTime{block, sm, start_of_all + begin, start_of_all + end};
  };
  Seen seen;
  const auto placed = place({row(0, 1, 10, 100), row(1, 1, 12, 60), row(2, 0, 0, 40), row(3, 1, 61, 300),
                             row(4, 1, 100, 200), row(5, 0, 40, 90), BlockTime{}},
                            2, 7, seen);
  constexpr std::uint32_t first = 1 << kSlotBits;  // of multiprocessor 1
  EXPECT_THAT(placed, ElementsAre(PlacedBlock{first, 10, 100, 0}, PlacedBlock{first + 1, 12, 60, 1},
                                  PlacedBlock{0, 0, 40, 2}, PlacedBlock{first + 1, 61, 300, 3},
                                  PlacedBlock{first, 100, 200, 4}, PlacedBlock{0, 40, 90, 5}, PlacedBlock{}));
  EXPECT_EQ(seen.last_end, 300u);
  EXPECT_EQ(seen.slots, 2u);
}

TEST_F(LiveKernels, PlaceManyBlocksAndShowTheFirst) {
  constexpr std::uint32_t multiprocessors = 5, slots = 8, count = 1000, shown = 900, wave_ns = 128;
  std::vector<BlockTime> rows;
  for (std::uint32_t b = 0; b < count; ++b) {
    const std::uint64_t begin = start_of_all + wave_ns * (b / (multiprocessors * slots));
    rows.push_back({b, b % multiprocessors, begin, begin + wave_ns});
  }
  Seen seen;
  const auto placed = place(rows, multiprocessors, shown, seen);
  for (std::uint32_t b = 0; b < shown; ++b) {
    const std::uint32_t wave = b / (multiprocessors * slots), slot = b / multiprocessors % slots;
    EXPECT_EQ(placed[b], (PlacedBlock{b % multiprocessors << kSlotBits | slot, wave * wave_ns,
                                      (wave + 1) * wave_ns, b}));
  }
  EXPECT_EQ(seen.last_end, count / (multiprocessors * slots) * wave_ns);
  EXPECT_EQ(seen.slots, slots);
}

TEST_F(LiveKernels, StampTheEndOfOneLaunchAndTheBeginOfTheNext) {
  emulator::Bench bench(live_kernels_ptx, stamp_kernel);
  ASSERT_EQ(bench.error(), "");
  constexpr std::uint64_t untouched = 7;
  const auto ring = bench.buffer("ring", std::vector<LaunchTimes>(3, {untouched, untouched}));
  const auto stamp = [&](std::uint32_t ends, std::uint32_t begins) {
    emulator::Launch launch;
    launch.arguments = emulator::ArgumentList().add(ring).add(ends).add(begins).bytes();
    const auto outcome = bench.run(launch);
    EXPECT_TRUE(outcome && !outcome->fault);
    return bench.read<LaunchTimes>(ring, 3);
  };
  auto times = stamp(no_entry, 2);
  EXPECT_NE(times[2].begin, untouched);
  EXPECT_EQ(times[2].end, 0u);
  times = stamp(2, 0);
  EXPECT_NE(times[2].end, 0u);
  EXPECT_EQ(times[0], (LaunchTimes{times[2].end, 0}));
  times = stamp(0, no_entry);
  EXPECT_NE(times[0].end, 0u);
  EXPECT_EQ(times[1], (LaunchTimes{untouched, untouched}));
}

TEST(LiveText, IsTakenByPtxasForEveryArchitecture) {
  if (!std::filesystem::exists(instrument::kPtxas)) GTEST_SKIP() << "no ptxas here";
  for (const int arch : {75, 90, 120})
    EXPECT_EQ(instrument::ptxas_complaint(live_kernels_ptx, arch), "") << arch;
}

}  // namespace
}  // namespace warplens::gpu
