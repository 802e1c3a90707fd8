// What `run --engine both --record` makes of a GPU's records. The GPU is played by the emulator, which runs
// the rewritten kernel with its buffers at other addresses.
#include "app/gpu/gpu_recording.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "app/gpu/both_run.hpp"
#include "app/gpu/hardware_counters.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/instrument/testing/instrument_support.hpp"

namespace warplens::app {
namespace {

using instrument::Subject, run::compiler;
using run::h100;

constexpr const char* kSize = "70,67,37";

struct Played {
  run::Job job;
  instrument::AccessRecords records;
  Subject::Run run;
  gpu::Execution execution() const {
    gpu::Execution execution;
    execution.output = run.output;
    execution.extra = run.extra;
    for (const auto& place : run.buffers) execution.places.push_back(place.address);
    return execution;
  }
};

Result<Played> play(const std::string& id, std::vector<std::uint64_t> blocks = {},
                    std::uint64_t bytes = std::uint64_t{32} << 20) {
  const auto spec = run::kernels().find(id);
  if (!spec) return spec.error();
  const auto subject = Subject::make(*spec, kSize);
  if (!subject) return subject.error();
  const auto sizes = problem::parse_sizes(**problem::find_problem(*spec), kSize);
  if (!sizes) return sizes.error();
  auto plan = run::plan(*spec, {}, *sizes, h100());
  if (!plan) return plan.error();
  plan->launch = subject->shape();
  auto instance = plan->problem->make(plan->sizes, problem::Pattern::random, 1, std::uint64_t{1} << 30);
  if (!instance) return instance.error();
  auto records = instrument::with_access_records(subject->build().ptx);
  if (!records) return records.error();
  auto head = *instrument::make_head(records->variables.size(), subject->blocks(), blocks, bytes);
  head.resize(bytes);
  auto run = subject->run(records->ptx, head);
  if (!run) return run.error();
  return Played{{*plan, *std::move(instance), subject->build()}, *std::move(records), *std::move(run)};
}

class GpuRecordings : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
};

TEST_F(GpuRecordings, AreVerifiedAndEqualToTheEmulators) {
  const auto played = play("matmul/03_shared_tile");
  ASSERT_TRUE(played) << to_line(played.error());
  const auto recording = recording_of(played->job, played->records, played->execution());
  ASSERT_TRUE(recording) << to_line(recording.error());
  EXPECT_TRUE((*recording)->verified) << (*recording)->explanation;
  const auto compared = compare_recording(played->job, **recording);
  ASSERT_TRUE(compared) << to_line(compared.error());
  EXPECT_EQ(compared->blocks, compared->blocks_in_grid);
  EXPECT_GT(compared->accesses.accesses, 1000u);
  EXPECT_EQ(compared->accesses.different, 0u) << compared->accesses.first;
  EXPECT_EQ(compared->counts.shared_load.wavefronts, compared->emulated.shared_load.wavefronts);
  EXPECT_GT(compared->counts.global_load.sectors, 0u);
  // As a run, which figures read: buffers where the emulator has them, a line for each access.
  const auto run = run::run_on_emulator(played->job);
  ASSERT_TRUE(run) << to_line(run.error());
  const auto trace = std::make_shared<const trace::Trace>((*recording)->recording.trace);
  const run::SharedRun seen = run::with_trace(**run, trace, "a GPU");
  const trace::Access access = seen->trace->access(0, 0);
  const auto elements = report::elements_of(seen->buffers, access);
  ASSERT_TRUE(elements[0]);
  EXPECT_EQ(seen->buffers[elements[0]->buffer].buffer.name, "A");
  EXPECT_GT(seen->instructions[access.pc].line, 0);
}

TEST_F(GpuRecordings, OfSomeBlocksSaySo) {
  const auto played = play("matmul/02_coalesced", {1, 4});
  ASSERT_TRUE(played) << to_line(played.error());
  const auto recording = recording_of(played->job, played->records, played->execution());
  ASSERT_TRUE(recording) << to_line(recording.error());
  EXPECT_EQ((*recording)->recording.trace.blocks().size(), 2u);
  const auto compared = compare_recording(played->job, **recording);
  ASSERT_TRUE(compared) << to_line(compared.error());
  EXPECT_EQ(compared->blocks, 2u);
  EXPECT_EQ(compared->accesses.different, 0u) << compared->accesses.first;
  EXPECT_EQ(compared->counts.global_load.sectors, compared->emulated.global_load.sectors);
}

TEST_F(GpuRecordings, ADifferenceIsFoundAndPlaced) {
  auto played = play("matmul/02_coalesced", {2});
  ASSERT_TRUE(played) << to_line(played.error());
  const instrument::Head head = instrument::head_of(played->run.extra);
  // One lane of the sixth record reads four bytes further.
  auto* record = reinterpret_cast<instrument::Record*>(played->run.extra.data() + head.records) + 5;
  record->address[0] += 4;
  const auto recording = recording_of(played->job, played->records, played->execution());
  ASSERT_TRUE(recording) << to_line(recording.error());
  const auto compared = compare_recording(played->job, **recording);
  ASSERT_TRUE(compared) << to_line(compared.error());
  EXPECT_EQ(compared->accesses.different, 1u);
  EXPECT_THAT(compared->accesses.first, testing::HasSubstr("block 2 warp"));
  Both both;
  both.recorded = *compared;
  EXPECT_THAT(to_text(both), testing::HasSubstr("1 of 32 warps DIFFERENT"));
  EXPECT_EQ(to_json(both)["recording"]["warps_different"], 1);
}

TEST_F(GpuRecordings, AFullBufferIsNeverSilent) {
  const auto played = play("matmul/02_coalesced", {}, std::uint64_t{1} << 20);
  ASSERT_TRUE(played) << to_line(played.error());
  const auto recording = recording_of(played->job, played->records, played->execution());
  ASSERT_TRUE(recording) << to_line(recording.error());
  const auto compared = compare_recording(played->job, **recording);
  ASSERT_TRUE(compared) << to_line(compared.error());
  EXPECT_GT(compared->dropped, 0u);
  Both both;
  both.recorded = *compared;
  EXPECT_THAT(to_text(both), testing::HasSubstr("more did NOT FIT"));
  EXPECT_EQ(to_json(both)["recording"]["dropped"], compared->dropped);
}

// The stand-in counts the letters of a metric's name.
TEST_F(GpuRecordings, HardwareCountersComeByName) {
  auto played = play("matmul/01_naive");
  ASSERT_TRUE(played) << to_line(played.error());
  auto gpu = GpuEngine::start({.worker_command = {program_path("fake_gpu_worker"), "fake"}}, 0);
  ASSERT_TRUE(gpu) << to_line(gpu.error());
  const auto counted = count_with_cupti(*gpu, played->job, {});
  ASSERT_TRUE(counted) << to_line(counted.error());
  EXPECT_EQ(counted->at("global_load.sectors"), 46u);  // l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
  EXPECT_EQ(counted->at(kOwnWavefronts), 47u);         // smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared
  EXPECT_EQ(counted->size(), 7u);
  EXPECT_EQ(gpu->counter().workers_started(), 0) << "each count has a process of its own";
  auto copies = play("matmul/10_async_pipeline");
  ASSERT_TRUE(copies) << to_line(copies.error());
  const auto without = count_with_cupti(*gpu, copies->job, {});
  ASSERT_TRUE(without) << to_line(without.error());
  EXPECT_FALSE(without->contains(kOwnWavefronts)) << "copies to shared memory would be among them";
  played->job.build.kernel_name = "fault";
  const auto fault = count_with_cupti(*gpu, played->job, {});
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().message, "it went astray");
}

TEST(BlocksToRecord, AreAllWhereTheyFitElseASampleWithBothEnds) {
  EXPECT_TRUE(blocks_to_record(64, 1000, 1 << 20).empty());
  const auto sample = blocks_to_record(1000, 1'000'000, 30 * 1000 * sizeof(instrument::Record));
  EXPECT_EQ(sample.size(), 27u);
  EXPECT_EQ(sample.front(), 0u);
  EXPECT_EQ(sample.back(), 999u);
}

// The data stage counts what was tried again; the instructions' own wavefronts tell whether that is all.
TEST(BothTable, TellsOtherTrafficFromADifference) {
  Both both;
  both.hardware = "A GPU by CUPTI";
  both.counters = {{"shared_load.wavefronts", 100, {}, 100},
                   {"shared_store.wavefronts", 20, {}, 23},
                   {kOwnWavefronts, 120, {}, 120}};
  EXPECT_THAT(to_text(both), testing::HasSubstr("3 more, by other traffic"));
  EXPECT_THAT(to_text(both), testing::Not(testing::HasSubstr("DIFFERENT")));
  EXPECT_THAT(summary_table(std::vector{both}), testing::HasSubstr("2 equal, 1 more by other traffic"));
  EXPECT_EQ(to_json(both)["counters"]["shared_store.wavefronts"]["other_traffic"], 3);
  both.counters.back().hardware = 123;
  EXPECT_THAT(to_text(both), testing::HasSubstr("DIFFERENT"));
  EXPECT_THAT(to_text(both), testing::Not(testing::HasSubstr("other traffic")));
  EXPECT_FALSE(to_json(both)["counters"]["shared_store.wavefronts"].contains("other_traffic"));
  both.counters = {{"shared_store.wavefronts", 20, {}, 19}, {kOwnWavefronts, 20, {}, 20}};
  EXPECT_THAT(to_text(both), testing::HasSubstr("DIFFERENT")) << "fewer is never traffic";
  both.counters = {{"shared_store.wavefronts", 20, {}, 21}};
  EXPECT_THAT(to_text(both), testing::HasSubstr("DIFFERENT")) << "nobody counted the instructions' own";
}

TEST(BothTable, SumsUpALadder) {
  std::vector<Both> runs(3);
  runs[0].emulated.kernel = "matmul/first";
  runs[0].emulated.verified = true;
  runs[0].bits = BitComparison{.compared = 16};
  runs[0].counters = {{"global_load.sectors", 100, 100, 100}, {"shared_load.requests", 5, 5, {}}};
  runs[1].bits = BitComparison{.compared = 16, .different = 2, .first = 3};
  runs[1].counters = {{"global_load.sectors", 100, 101, {}}};
  runs[1].recorded.emplace();
  runs[1].recorded->accesses = {
      .warps = 8, .different = 3, .accesses = 900, .first = "block 0 warp 1 access 2"};
  runs[2].bits = BitComparison{.compared = 1, .different = 1, .first = 0, .sums_of_blocks = true};
  runs[2].not_recorded = Error{"no memory", ""};
  const std::string text = summary_table(runs);
  EXPECT_THAT(text, testing::ContainsRegex("matmul/first +verified +- +equal +- +2 equal +1 equal"));
  EXPECT_THAT(text,
              testing::ContainsRegex("WRONG +- +2 DIFFERENT +3 of 8 warps DIFFERENT +1 of 1 DIFFERENT +-"));
  EXPECT_THAT(text, testing::ContainsRegex("another order of sums +not recorded"));
}

TEST(BothTable, FlagsWhatDiffers) {
  Both both;
  both.hardware = "a GPU";
  both.counters = {{"global_load.sectors", 100, 100, 100},
                   {"global_store.sectors", 110, {}, 100},
                   {"shared_load.wavefronts", 50, 49, {}}};
  const std::string text = to_text(both);
  EXPECT_THAT(text, testing::HasSubstr("recorded on this GPU"));
  EXPECT_THAT(text, testing::HasSubstr("DIFFERENT, +10.00 %"));
  EXPECT_THAT(text, testing::HasSubstr("DIFFERENT, +2.04 %"));
  const Json json = to_json(both)["counters"];
  EXPECT_EQ(json["global_load.sectors"]["equal"], true);
  EXPECT_EQ(json["global_store.sectors"]["equal"], false);
  EXPECT_TRUE(json["global_store.sectors"]["recorded"].is_null());
  both.not_counted = Error{"no right to count", "ask for it"};
  EXPECT_THAT(to_text(both), testing::HasSubstr("counted        no: no right to count"));
  EXPECT_THAT(to_json(both)["hardware_error"].get<std::string>(), testing::HasSubstr("no right to count"));
}

}  // namespace
}  // namespace warplens::app
