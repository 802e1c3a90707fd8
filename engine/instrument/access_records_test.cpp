// Kernels that write down their own accesses: the emulator runs the rewritten text, and what it wrote must be
// what the emulator's own recorder saw of the text as it was, warp by warp in order.
#include "engine/instrument/access_records.hpp"

#include <gmock/gmock.h>

#include <map>

#include "engine/emulator/emulator_support.hpp"
#include "engine/instrument/instrument_support.hpp"
#include "engine/instrument/recording.hpp"
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
      const auto before = std::ranges::count_if(
          barriers, [&](const trace::Barrier& barrier) { return barrier.before_event <= access.event; });
      lines[{access.block, access.warp}].push_back(line_of(access, static_cast<std::size_t>(before)));
    });
  }
  return lines;
}

auto numbers(const emulator::AccessTotals& totals) {
  return std::vector{totals.requests, totals.cost, totals.ideal, totals.bytes_used};
}

void expect_same_counts(const emulator::Counters& recorded, const emulator::Counters& own) {
  for (const auto part : {&emulator::Counters::global_load, &emulator::Counters::global_store,
                          &emulator::Counters::global_atomic, &emulator::Counters::shared_load,
                          &emulator::Counters::shared_store, &emulator::Counters::shared_atomic,
                          &emulator::Counters::local_load, &emulator::Counters::local_store})
    EXPECT_EQ(numbers(recorded.*part), numbers(own.*part));
  EXPECT_EQ(recorded.shared_load.requests_before_merge, own.shared_load.requests_before_merge);
  EXPECT_EQ(recorded.barriers, own.barriers);
  for (std::size_t pc = 0; pc < own.instructions.size(); ++pc) {
    const auto &mine = recorded.instructions[pc], &theirs = own.instructions[pc];
    if (theirs.space == ptx::Space::constant) continue;  // is no traffic and not recorded
    EXPECT_EQ(mine.requests, theirs.requests) << pc;
    EXPECT_EQ(mine.cost, theirs.cost) << pc;
    EXPECT_EQ(mine.ideal, theirs.ideal) << pc;
    EXPECT_EQ(mine.bytes_used, theirs.bytes_used) << pc;
  }
}

class AccessRecorded : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(AccessRecorded, AreThoseThatTheEmulatorSees) {
  if (!session::compiler().available()) GTEST_SKIP() << session::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto records = with_access_records(subject->build().ptx, subject->build().kernel_name);
  ASSERT_TRUE(records) << to_line(records.error());
  EXPECT_TRUE(records->left_out.empty());
  trace::Recorder recorder;
  const auto plain = subject->run(subject->build().ptx, {}, &recorder);
  ASSERT_TRUE(plain) << to_line(plain.error());
  const trace::Trace own = recorder.finish();

  constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
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
  const auto recording = read_recording(input, rewritten->extra, session::h100());
  ASSERT_TRUE(recording) << to_line(recording.error());
  EXPECT_EQ(recording->dropped, 0u);
  EXPECT_EQ(recording->unknown_addresses, 0u);
  EXPECT_TRUE(recording->shared_layout_matches);
  EXPECT_GT(recording->kept, 0u);
  EXPECT_EQ(recording->trace.events(), own.events());
  const auto mine = by_warp(recording->trace), theirs = by_warp(own);
  ASSERT_EQ(mine.size(), theirs.size());
  for (const auto& [warp, lines] : theirs)
    ASSERT_EQ(mine.at(warp), lines) << "block " << warp.first << " warp " << warp.second;
  expect_same_counts(recording->counters, plain->outcome.counters);
}

TEST_P(AccessRecorded, TextIsTakenByPtxas) {
  if (!session::compiler().available()) GTEST_SKIP() << session::compiler().description();
  if (!std::filesystem::exists(kPtxas)) GTEST_SKIP() << "no ptxas here";
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto records = with_access_records(subject->build().ptx);
  ASSERT_TRUE(records) << to_line(records.error());
  EXPECT_EQ(ptxas_complaint(records->ptx, 90), "");
}

INSTANTIATE_TEST_SUITE_P(Repository, AccessRecorded, testing::ValuesIn(session::kernels().kernels()),
                         [](const auto& tested) { return label_of(tested.param.id); });

}  // namespace
}  // namespace warplens::instrument
