// Kernels that write down their own accesses: the emulator runs the rewritten text, and what it wrote must be
// what the emulator's own recorder saw of the text as it was, warp by warp in order.
#include "engine/instrument/access_records.hpp"

#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/instrument/counts.hpp"
#include "engine/instrument/recording.hpp"
#include "engine/instrument/testing/instrument_support.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::instrument {
namespace {

using Line = std::string;

Line line_of(const trace::Access& access, std::size_t barriers) {
  std::string text = "after " + std::to_string(barriers) + " barriers, pc " + std::to_string(access.pc) +
                     " space " + std::to_string(static_cast<int>(access.space)) + " kind " +
                     std::to_string(static_cast<int>(access.kind)) + " width " + std::to_string(access.width);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if ((access.active >> lane & 1) != 0)
      text += " " + std::to_string(lane) + ":" + std::to_string(access.address[lane]);
  return text;
}

// {block, warp} -> what it did, in order.
std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Line>> by_warp(const trace::Trace& trace) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Line>> lines;
  for (std::size_t b = 0; b < trace.blocks().size(); ++b) {
    const auto barriers = trace.barriers(b);
    trace.for_each(b, [&](const trace::Access& access) {
      if (access.space == ptx::Space::constant) return;  // never recorded on a GPU
      const auto before = std::ranges::count_if(
          barriers, [&](const trace::Barrier& barrier) { return barrier.before_event <= access.event; });
      lines[{access.block, access.warp}].push_back(line_of(access, static_cast<std::size_t>(before)));
    });
  }
  return lines;
}

void expect_same_counts(const emulator::Counters& recorded, const emulator::Counters& own) {
  for (const auto part : {&emulator::Counters::global_load, &emulator::Counters::global_store,
                          &emulator::Counters::global_atomic, &emulator::Counters::shared_load,
                          &emulator::Counters::shared_store, &emulator::Counters::shared_atomic,
                          &emulator::Counters::local_load, &emulator::Counters::local_store})
    EXPECT_TRUE(recorded.*part == own.*part);
  EXPECT_EQ(recorded.barriers, own.barriers);
  for (std::size_t pc = 0; pc < own.instructions.size(); ++pc) {
    const auto &mine = recorded.instructions[pc], &theirs = own.instructions[pc];
    if (theirs.space == ptx::Space::constant) continue;  // is no traffic and not recorded
    EXPECT_EQ(mine.requests, theirs.requests) << pc;
    EXPECT_EQ(mine.sectors, theirs.sectors) << pc;
    EXPECT_EQ(mine.ideal_sectors, theirs.ideal_sectors) << pc;
    EXPECT_EQ(mine.wavefronts, theirs.wavefronts) << pc;
    EXPECT_EQ(mine.ideal_wavefronts, theirs.ideal_wavefronts) << pc;
    EXPECT_EQ(mine.bytes_used, theirs.bytes_used) << pc;
  }
}

class AccessRecorded : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(AccessRecorded, AreThoseThatTheEmulatorSees) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto records =
      with_access_records(subject->build().ptx, subject->build().kernel_name, {.local = true});
  ASSERT_TRUE(records) << to_line(records.error());
  EXPECT_TRUE(records->left_out.empty());
  trace::Recorder recorder;
  const auto plain = subject->run(subject->build().ptx, {}, &recorder);
  ASSERT_TRUE(plain) << to_line(plain.error());
  const trace::Trace own = recorder.finish();

  constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;
  auto buffer = *make_head(records->variables.size(), subject->blocks(), {}, kBytes);
  buffer.resize(kBytes);
  const auto rewritten = subject->run(records->ptx, buffer);
  ASSERT_TRUE(rewritten) << to_line(rewritten.error());
  ASSERT_FALSE(rewritten->outcome.fault) << to_line(rewritten->outcome.fault->error);
  EXPECT_EQ(rewritten->output, plain->output);

  RecordingInput input{
      .records = &*records,
      .kernel = plain->kernel.get(),
      .buffers = {},
      .threads_per_block = subject->shape().block[0] * subject->shape().block[1] * subject->shape().block[2]};
  for (std::size_t b = 0; b < plain->buffers.size(); ++b)
    input.buffers.push_back(
        {rewritten->buffers[b].address, plain->buffers[b].address, plain->buffers[b].size});
  ASSERT_NE(input.buffers[0].device, input.buffers[0].trace);
  const auto recording = read_recording(input, rewritten->extra, run::h100());
  ASSERT_TRUE(recording) << to_line(recording.error());
  EXPECT_EQ(recording->dropped, 0u);
  EXPECT_EQ(recording->unknown_addresses, 0u);
  EXPECT_TRUE(recording->shared_layout_matches);
  EXPECT_GT(recording->kept, 0u);
  const auto mine = by_warp(recording->trace), theirs = by_warp(own);
  ASSERT_EQ(mine.size(), theirs.size());
  for (const auto& [warp, lines] : theirs)
    ASSERT_EQ(mine.at(warp), lines) << "block " << warp.first << " warp " << warp.second;
  expect_same_counts(recording->counters, plain->outcome.counters);
}

TEST_P(AccessRecorded, TextIsTakenByPtxas) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  if (!std::filesystem::exists(kPtxas)) GTEST_SKIP() << "no ptxas here";
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto records = with_access_records(subject->build().ptx);
  ASSERT_TRUE(records) << to_line(records.error());
  EXPECT_EQ(ptxas_complaint(records->ptx, 90), "");
}

// The accesses of wmma are not recorded yet, and such a recording says so.
bool is_of_wmma(const catalog::KernelSpec& spec) {
  return spec.code.find("wmma_load_a(") != std::string::npos;
}
std::vector<catalog::KernelSpec> kernels_of(bool wmma) {
  auto some = recorded_kernels();
  std::erase_if(some, [&](const catalog::KernelSpec& spec) { return is_of_wmma(spec) != wmma; });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Repository, AccessRecorded, testing::ValuesIn(kernels_of(false)),
                         [](const auto& tested) { return label_of(tested.param.id); });

class WmmaAccesses : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(WmmaAccesses, AreSaidToBeLeftOut) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto records = with_access_records(subject->build().ptx);
  ASSERT_TRUE(records) << to_line(records.error());
  EXPECT_THAT(records->left_out, testing::UnorderedElementsAre("wmma.load", "wmma.store"));
  if (std::filesystem::exists(kPtxas)) {
    EXPECT_EQ(ptxas_complaint(records->ptx, 90), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Repository, WmmaAccesses, testing::ValuesIn(kernels_of(true)),
                         [](const auto& tested) { return label_of(tested.param.id); });

// Clusters: what lanes do in another block's shared memory counts for none of the two, or for both.
TEST(CountsOfATrace, AreTheEmulatorsInAnotherBlocksSharedMemoryToo) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const char* name : {"right_cluster_histogram", "right_cluster_neighbours"}) {
    const auto spec = run::kernels().find(run::kRoot + "/engine/check/testdata/newer/" + name + ".cu");
    ASSERT_TRUE(spec) << to_line(spec.error());
    const auto job = run::job_of(*spec, {}, {});
    ASSERT_TRUE(job) << to_line(job.error());
    const auto kernel = run::prepare(job->build, job->plan.device);
    ASSERT_TRUE(kernel) << to_line(kernel.error());
    trace::Recorder recorder;
    const auto ran =
        run::emulate(**kernel, *job->instance, job->plan.launch, {.threads = 1, .observer = &recorder});
    ASSERT_TRUE(ran) << to_line(ran.error());
    const auto &own = ran->outcome.counters,
               counted = count_accesses(recorder.finish(), **kernel, job->plan.device);
    for (const auto part : {&emulator::Counters::shared_load, &emulator::Counters::shared_store,
                            &emulator::Counters::shared_atomic}) {
      EXPECT_EQ((counted.*part).requests, (own.*part).requests) << name;
      EXPECT_EQ((counted.*part).wavefronts, (own.*part).wavefronts) << name;
      EXPECT_EQ((counted.*part).ideal_wavefronts, (own.*part).ideal_wavefronts) << name;
    }
    EXPECT_GT(own.shared_load.wavefronts, 0u);
  }
}

// ---- forms that the repository's kernels do not have

const std::string kHead =
    ".version 8.7\n.target sm_90\n.address_size 64\n.global .align 16 .b8 table[64];\n"
    ".visible .entry k(.param .u64 data)\n{\n"
    ".reg .b32 %r<16>, %t;\n.reg .b64 %d<16>, %in;\n.reg .pred %p<8>, %odd;\n"
    ".shared .align 16 .b8 first[512];\n.shared .align 16 .b8 tile[4096];\n.local .align 16 .b8 mine[64];\n"
    "mov.u32 %t, %tid.x;\nld.param.u64 %in, [data];\nmul.wide.u32 %d0, %t, 16;\nadd.s64 %in, %in, %d0;\n"
    "mov.u64 %d1, tile;\nadd.s64 %d1, %d1, %d0;\ncvt.u32.u64 %r1, %d1;\nand.b32 %r2, %t, 1;\n"
    "setp.ne.u32 %odd, %r2, 0;\nst.shared.v4.u32 [%d1], {%t, %t, %t, %t};\nbar.sync 0;\n";

// What both saw of one text: {recorded on the rewritten one, by the recorder on the plain one}.
struct Both {
  AccessRecords records;
  Recording recording;
  trace::Trace own;
  emulator::Counters counters;
};

struct Form {
  std::string text;
  std::uint32_t grid = 1, block = 64;
  std::vector<std::uint64_t> blocks = {};
  std::uint64_t bytes = 1u << 20;
  bool local = false;
};

std::optional<Both> run_both(const Form& form) {
  const std::string text = kHead + form.text + "ret;\n}\n";
  const auto records = with_access_records(text, "k", {.local = form.local});
  EXPECT_TRUE(records) << to_line(records.error());
  if (!records) return std::nullopt;
  if (std::filesystem::exists(kPtxas)) {
    EXPECT_EQ(ptxas_complaint(records->ptx, 90), "");
  }
  Both both{*records, {}, {}, {}};
  std::vector<std::uint32_t> data(std::size_t{form.grid} * form.block * 4), results;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint32_t>(i * 7);
  std::uint64_t places[2] = {};
  emulator::Bench plain(text, "k"), rewritten(records->ptx, "k");
  EXPECT_EQ(plain.error() + rewritten.error(), "");
  emulator::Launch launch;
  launch.grid = {form.grid, 1, 1};
  launch.block = {form.block, 1, 1};
  launch.threads = 1;
  trace::Recorder recorder({.blocks = form.blocks});
  const auto run = [&](emulator::Bench& bench, std::uint64_t& place, std::uint64_t extra) {
    place = bench.buffer("data", data);
    launch.arguments = emulator::ArgumentList().add(place).bytes();
    if (extra != 0) launch.arguments = emulator::ArgumentList().add(place).add(extra).bytes();
    const auto outcome = bench.run(launch);
    EXPECT_TRUE(outcome) << to_line(outcome.error());
    if (!outcome) return;
    EXPECT_FALSE(outcome->fault) << to_line(outcome->fault->error);
    if (extra == 0) both.counters = outcome->counters;
    const auto now = bench.read<std::uint32_t>(place, data.size());
    if (results.empty()) results = now;
    EXPECT_EQ(now, results);
  };
  launch.observer = &recorder;
  run(plain, places[0], 0);
  launch.observer = nullptr;
  both.own = recorder.finish();
  auto head = *make_head(records->variables.size(), form.grid, form.blocks, form.bytes);
  head.resize(form.bytes);
  const std::uint64_t buffer = rewritten.buffer("records", head);
  run(rewritten, places[1], buffer);
  const RecordingInput input{.records = &*records,
                             .kernel = plain.kernel(),
                             .buffers = {{places[1], places[0], data.size() * 4}},
                             .threads_per_block = form.block};
  const auto written = rewritten.read<std::byte>(buffer, form.bytes);
  auto recording = read_recording(input, written, emulator::test_device());
  EXPECT_TRUE(recording) << to_line(recording.error());
  if (!recording) return std::nullopt;
  both.recording = *std::move(recording);
  return both;
}

void expect_same(const Form& form) {
  const auto both = run_both(form);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(by_warp(both->recording.trace), by_warp(both->own)) << form.text;
  EXPECT_TRUE(both->records.left_out.empty());
  EXPECT_EQ(both->recording.dropped, 0u);
  if (form.blocks.empty()) expect_same_counts(both->recording.counters, both->counters);
}

TEST(AccessForms, GuardsAndVectors) {
  expect_same(
      {"@%odd ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%in];\n@!%odd ld.global.nc.v2.u64 {%d2, %d3}, [%in];\n"
       "setp.gt.u32 %p1, %t, 1000;\n@%p1 st.global.u32 [%in], %t;\n@%odd st.global.v2.u32 [%in+8], {%t, "
       "%t};\n"
       "ld.global.u8 %r7, [%in+3];\n"});
}

TEST(AccessForms, SharedAddressesOfBothSizesAndSymbols) {
  expect_same(
      {"ld.shared.u32 %r3, [%r1+4];\nadd.u32 %r5, %r1, 64;\nst.shared.u32 [%r5+-64], %t;\nbar.sync 0;\n"
       "ld.shared.v2.u32 {%r6, %r7}, [%d1+8];\nld.shared.u32 %r8, [tile+16];\nst.shared.u32 [first], %r8;\n"
       "st.global.u32 [%in], %r6;\n"});
}

TEST(AccessForms, LanesThatWentDifferentWays) {
  expect_same(
      {"and.b32 %r3, %t, 7;\nmov.u32 %r4, 0;\nLOOP: ld.global.u32 %r5, [%in];\nadd.u32 %r4, %r4, 1;\n"
       "setp.le.u32 %p1, %r4, %r3;\n@%p1 bra LOOP;\n@%odd bra ODD;\nst.global.u32 [%in+4], %r4;\nbra END;\n"
       "ODD: st.global.u32 [%in+8], %r4;\nEND: bar.sync 0;\nld.shared.u32 %r6, [%d1];\n"});
}

TEST(AccessForms, GenericAddressesOfThreeSpacesInOneAccess) {
  for (const bool local : {false, true})
    expect_same(
        {.text = local ? "mov.u64 %d2, mine;\ncvta.local.u64 %d2, %d2;\nst.u32 [%d2+4], %t;\n"
                         "cvta.shared.u64 %d3, %d1;\nselp.b64 %d4, %d2, %d3, %odd;\nst.u32 [%d4+8], %t;\n"
                         "st.local.u32 [mine+16], %t;\nld.local.u32 %r3, [mine+16];\n"
                       : "cvta.shared.u64 %d3, %d1;\nselp.b64 %d4, %in, %d3, %odd;\nld.u32 %r3, [%d4];\n"
                         "atom.add.u32 %r4, [%d4+4], 1;\n",
         .local = local});
}

TEST(AccessForms, AtomicsOfGlobalAndSharedMemory) {
  expect_same(
      {"atom.global.add.u32 %r3, [%in], 1;\n@%odd red.shared.max.u32 [%r1], 5;\n"
       "atom.shared.cas.b32 %r4, [tile], 0, %t;\n"
       "red.global.add.u64 [%in+8], 3;\n",
       2});
}

TEST(AccessForms, CopiesToSharedMemoryThatReadLessOrNothing) {
  expect_same(
      {"cp.async.cg.shared.global [%r1], [%in], 16;\ncp.async.ca.shared.global [%r1], [%in], 8, %r2;\n"
       "shl.b32 %r3, %r2, 2;\ncp.async.ca.shared.global [%r1+8], [%in], 4, %r3;\n"
       "@!%odd cp.async.ca.shared.global [%r1+8], [%in], 4, %r3;\n"
       "cp.async.ca.shared.global [%r1], [%in], 16, %odd;\n"
       "cp.async.commit_group;\ncp.async.wait_all;\nbar.sync 0;\nld.shared.u32 %r4, [%d1];\n"});
}

TEST(AccessForms, MatrixRowsOfTheLanesThatGiveThem) {
  expect_same(
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r1];\n"
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r3, %r4, %r5, %r6}, [%d1];\n"
       "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r3, %r4};\n"});
}

TEST(AccessForms, BarriersWithNumbersAndThreads) {
  expect_same(
      {.text = "mov.u32 %r3, 2;\nld.shared.u32 %r4, [%d1];\nbar.sync %r3, 128;\nst.shared.u32 [%d1], %t;\n"
               "bar.red.popc.u32 %r5, 1, %odd;\nld.shared.u32 %r4, [%d1];\nsetp.gt.u32 %p1, %t, 31;\n"
               "@%p1 ret;\nbar.sync 3, 32;\nst.shared.u32 [%d1+4], %t;\n",
       .block = 128});
}

TEST(AccessForms, OnlyTheChosenBlocks) {
  const Form form{.text = "st.global.u32 [%in], %t;\n", .grid = 70, .blocks = {0, 33, 69}};
  expect_same(form);
  const auto both = run_both(form);
  ASSERT_EQ(both->recording.trace.blocks().size(), 3u);
  EXPECT_EQ(both->recording.trace.blocks()[1].block, 33u);
  EXPECT_EQ(both->recording.counters.global_store.requests, 3u * 2);
}

TEST(AccessForms, AnOverflowIsCounted) {
  const Form form{.text = "st.global.u32 [%in], %t;\nst.global.u32 [%in+4], %t;\n",
                  .grid = 5,
                  .bytes = head_bytes(3, 5) + 12 * sizeof(Record) + 100};
  const auto both = run_both(form);
  ASSERT_TRUE(both.has_value());
  // blocks, warps; two stores, one to shared memory, one barrier
  const std::uint64_t all = 5 * 2 * (2 + 1 + 1);
  EXPECT_EQ(both->recording.kept, 12u);
  EXPECT_EQ(both->recording.kept + both->recording.dropped, all);
  // Blocks came one after another: what is kept is the beginning of what happened.
  auto mine = by_warp(both->recording.trace), own = by_warp(both->own);
  for (const auto& [warp, lines] : mine) {
    auto& whole = own.at(warp);
    ASSERT_LE(lines.size(), whole.size());
    whole.resize(lines.size());
    EXPECT_EQ(lines, whole);
  }
}

TEST(AccessForms, SaysWhatItLeavesOutAndRefuses) {
  const auto matrix = with_access_records(
      ".version 8.7\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d;\n.reg .f32 "
      "%f<8>;\n"
      "ld.param.u64 %d, [p];\nwmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0, %f1, %f2, %f3, %f4, "
      "%f5, %f6, "
      "%f7}, [%d];\nret;\n}\n");
  ASSERT_TRUE(matrix) << to_line(matrix.error());
  EXPECT_THAT(matrix->left_out, testing::ElementsAre("wmma.load"));
  const auto called = with_access_records(
      ".version 8.7\n.target sm_90\n.address_size 64\n.func f()\n{\nret;\n}\n.entry k()\n{\ncall "
      "f;\nret;\n}\n");
  ASSERT_FALSE(called);
  EXPECT_THAT(called.error().message, testing::HasSubstr("calls f"));
}

TEST(AccessForms, RecordsOfAnotherKernelAreRefused) {
  const auto records = with_access_records(kHead + "ret;\n}\n", "k");
  ASSERT_TRUE(records);
  emulator::Bench bench(kHead + "ret;\n}\n", "k");
  const RecordingInput input{
      .records = &*records, .kernel = bench.kernel(), .buffers = {}, .threads_per_block = 64};
  auto buffer = *make_head(records->variables.size(), 1, {}, 4096);
  EXPECT_TRUE(read_recording(input, buffer, emulator::test_device()));
  Head head = head_of(buffer);
  head.appended = 1;
  std::memcpy(buffer.data(), &head, sizeof head);
  EXPECT_FALSE(read_recording(input, buffer, emulator::test_device()));  // the record is missing
  buffer.resize(4096);
  const Record foreign{1000, 0, 0, 1, {}};
  std::memcpy(buffer.data() + head.records, &foreign, sizeof foreign);
  EXPECT_FALSE(read_recording(input, buffer, emulator::test_device()));
}

}  // namespace
}  // namespace warplens::instrument
