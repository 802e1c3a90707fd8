// A session asked as the runtime library asks it, without a program and without nvcc.
#include "engine/program/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "engine/compile/recorded/recorded_build.hpp"
#include "engine/device/testing/project_table.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/program/wire.hpp"
#include "engine/run/emulate.hpp"
#include "runtime/protocol/errors.hpp"
#include "runtime/protocol/fat_binary_text.hpp"

namespace warplens::program {
namespace {

using protocol::Request, testing::HasSubstr;

// out[i] += factor; count is a variable of the module that each thread adds 1 to.
constexpr const char* kAdd = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 count = 5;
.visible .entry add(.param .u64 out, .param .u32 factor) {
  .reg .b32 %r<9>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [factor];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r5, %r3, %r4, %r2;
  mul.wide.u32 %d2, %r5, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r6, [%d3];
  add.u32 %r7, %r6, %r1;
  st.global.u32 [%d3], %r7;
  mov.u64 %d4, count;
  red.global.add.u32 [%d4], 1;
  ret;
}
.visible .entry reads(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [from];
  ld.param.u64 %d2, [to];
  ld.global.u32 %r1, [%d1+4096];
  st.global.u32 [%d2], %r1;
  ret;
}
.visible .entry tickets(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  atom.global.add.u32 %r1, [%d1], 1;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  st.global.u32 [%d3+4], %r1;
  ret;
}
.visible .entry late(.param .u64 out, .param .u32 value) {
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  .reg .pred %p;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [value];
  mov.u32 %r2, 0;
again:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, 20000;
  @%p bra again;
  st.global.u32 [%d1], %r1;
  ret;
})";

class SessionTest : public testing::Test {
 protected:
  void begin(SessionOptions options = {}) {
    options.device = *device::project_table()->find("h100");
    options.device_name = "a device";
    options.device_memory = std::uint64_t{1} << 30;
    if (options.most_memory == 0) options.most_memory = options.device_memory;
    session_ = *Session::create(std::move(options));
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    theirs_ = Descriptor(pair[0]);
    ours_ = Descriptor(pair[1]);
    server_ = std::jthread([this] { session_->serve(theirs_); });
    const auto bytes = std::uint64_t{1} << 24;
    memory_ = static_cast<std::byte*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, session_->memory_file().number(), 0));
    ASSERT_NE(memory_, MAP_FAILED);
  }
  void TearDown() override { end(); }
  const ProgramRecord& end() {
    ours_ = Descriptor();
    if (server_.joinable()) server_.join();
    return session_->record();
  }

  Message ask(Request request, const std::string& body) {
    tell(request, body);
    return Wire(ours_).receive().value_or(Message{{0, -1, 0}, ""});
  }
  void tell(Request request, const std::string& body) {
    std::string all;
    append(all, protocol::Head{static_cast<std::uint32_t>(request), 0, body.size()});
    all += body;
    [[maybe_unused]] const auto sent = send(ours_.number(), all.data(), all.size(), MSG_NOSIGNAL);
  }
  std::uint64_t allocate(std::uint64_t size) {
    std::string body;
    append(body, protocol::Allocate{size});
    return ask(Request::allocate, body).take<std::uint64_t>();
  }
  void fill(std::uint64_t address, std::uint64_t bytes, std::uint32_t value) {
    std::string body;
    append(body, protocol::Fill{address, bytes, value, 0});
    EXPECT_EQ(ask(Request::fill, body).head.status, 0);
  }
  void release(std::uint64_t address) {
    std::string body;
    append(body, address);
    ask(Request::release, body);
  }
  Message launch(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                 const std::string& arguments, std::uint32_t module = 0, protocol::Launch message = {}) {
    message.module = module;
    std::fill_n(message.grid, 3, 1u);
    std::fill_n(message.block, 3, 1u);
    message.grid[0] = blocks;
    message.block[0] = threads;
    message.shared_allowed = 49152;
    message.name_size = static_cast<std::uint32_t>(kernel.size());
    std::string body;
    append(body, message);
    return ask(Request::launch, body + kernel + arguments);
  }
  static std::string arguments_of(std::uint64_t out, std::uint32_t factor) {
    std::string bytes;
    append(bytes, out);
    append(bytes, factor);
    return bytes;
  }
  std::uint32_t word_at(std::uint64_t address) const {
    std::uint32_t word = 0;
    std::memcpy(&word, memory_ + (address - protocol::kArenaBase), 4);
    return word;
  }

  std::unique_ptr<Session> session_;
  Descriptor theirs_, ours_;
  std::jthread server_;
  std::byte* memory_ = nullptr;
};

TEST_F(SessionTest, RunsALaunchOnMemoryThatBothHave) {
  begin();
  Message module = ask(Request::module, fat_ptx(kAdd));
  const auto head = module.take<protocol::Module>();
  ASSERT_EQ(head.entries, 1u);
  const auto variable = module.take<protocol::Entry>();
  EXPECT_EQ(module.take(variable.name_size), "count");
  EXPECT_EQ(word_at(variable.address), 5u);

  const std::uint64_t out = allocate(256 * 4);
  fill(out, 256 * 4, 0);
  Message done = launch("add", 2, 128, arguments_of(out, 7));
  EXPECT_EQ(done.head.status, cudaSuccess);
  const auto launched = done.take<protocol::Launched>();
  EXPECT_EQ(launched.fault, cudaSuccess);
  EXPECT_GT(launched.seconds, 1e-6);
  EXPECT_EQ(word_at(out + 255 * 4), 7u);
  EXPECT_EQ(word_at(variable.address), 5u + 256) << "the checkers' run must leave no trace";
  launch("add", 2, 128, arguments_of(out, 7));
  EXPECT_EQ(word_at(out), 14u);
  EXPECT_EQ(word_at(variable.address), 5u + 512) << "variables keep their values";

  const ProgramRecord& record = end();
  ASSERT_EQ(record.kernels.size(), 1u);
  EXPECT_EQ(record.kernels[0].launches, 2u);
  EXPECT_EQ(record.kernels[0].counts.global_load.sectors, 2u * 256 * 4 / 32);
  EXPECT_GT(record.kernels[0].checked_blocks, 0u);
  EXPECT_TRUE(record.kernels[0].findings.empty());
}

// What an array of a launch that was kept holds, from its first word on.
std::uint32_t first_word(const catalog::RecordedArray& array) {
  std::uint32_t word = 0;
  std::memcpy(&word, array.bytes.data(), sizeof word);
  return word;
}

TEST_F(SessionTest, AFirstLaunchIsKeptAsItFoundMemoryAndRunsAgainByItself) {
  SessionOptions options;
  options.most_kept = 1 << 20;
  options.keep = {2};
  begin(std::move(options));
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t other = allocate(4096), freed = allocate(8192), out = allocate(256 * 4);
  release(freed);
  for (int i = 0; i < 3; ++i) launch("add", 2, 128, arguments_of(out, 7));
  const ProgramRecord& record = end();
  ASSERT_EQ(record.launches.size(), 3u);
  EXPECT_EQ(record.launches[1].data, nullptr)
      << "only the first of a kernel and shape, and what was asked for";
  ASSERT_TRUE(record.launches[0].data != nullptr && record.launches[2].data != nullptr);
  EXPECT_NE(record.launches[0].data->id, record.launches[2].data->id);
  ASSERT_EQ(record.launches[2].data->arrays.size(), 1u);
  const catalog::RecordedArray& array = record.launches[2].data->arrays[0];
  EXPECT_EQ(array.address, out);
  EXPECT_EQ(first_word(array), 14u);
  EXPECT_TRUE(array.is_output);
  EXPECT_TRUE(std::ranges::any_of(record.launches[2].data->others,
                                  [&](const auto& one) { return one.address == other; }));

  const auto problem = problem::make_recorded_problem(record.launches[2].data);
  const auto instance = problem->make({}, problem::Pattern::random, 1, 0);
  const auto build = compile::build_of(*record.launches[2].data);
  ASSERT_TRUE(instance && build);
  const auto kernel = run::prepare(*build, *device::project_table()->find("h100"));
  ASSERT_TRUE(kernel) << to_line(kernel.error());
  const auto ran = run::emulate(**kernel, **instance, {{2, 1, 1}, {128, 1, 1}, 0}, {.keep_output = true});
  ASSERT_TRUE(ran) << to_line(ran.error());
  EXPECT_EQ(ran->buffers[0].address, out);
  EXPECT_FALSE(ran->verification.is_wrong());
  std::uint32_t result = 0;
  std::memcpy(&result, ran->output.data() + 255 * 4, sizeof result);
  EXPECT_EQ(result, 21u);
  EXPECT_EQ(ran->outcome.counters.global_load.sectors, record.launches[2].counts.global_load.sectors);
}

// out[0] = the sum of 1 to n, by a function that calls itself, + the blocks of a cluster.
constexpr const char* kDeep = R"(.version 8.0
.target sm_90
.address_size 64
.func (.param .u32 result) sum(.param .u32 n) {
  .reg .b32 %r<5>;
  .reg .pred %p;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
  setp.eq.u32 %p, %r1, 0;
  @%p bra done;
  sub.u32 %r3, %r1, 1;
  {
  .param .u32 given;
  .param .u32 got;
  st.param.u32 [given], %r3;
  call.uni (got), sum, (given);
  ld.param.u32 %r4, [got];
  }
  add.u32 %r2, %r1, %r4;
done:
  st.param.u32 [result], %r2;
  ret;
}
.visible .entry deep(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<5>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [n];
  {
  .param .u32 given;
  .param .u32 got;
  st.param.u32 [given], %r1;
  call.uni (got), sum, (given);
  ld.param.u32 %r2, [got];
  }
  mov.u32 %r3, %cluster_nctaid.x;
  add.u32 %r4, %r2, %r3;
  st.global.u32 [%d1], %r4;
  ret;
})";

TEST_F(SessionTest, ALaunchIsKeptWithItsStackAndItsClusters) {
  SessionOptions options;
  options.most_kept = 1 << 20;
  begin(std::move(options));
  ask(Request::module, fat_ptx(kDeep));
  const std::uint64_t out = allocate(4);
  protocol::Launch message;
  message.stack = 64 << 10;
  message.cluster[0] = 2, message.cluster[1] = message.cluster[2] = 1;
  EXPECT_EQ(launch("deep", 2, 1, arguments_of(out, 1000), 0, message).head.status, cudaSuccess);
  EXPECT_EQ(word_at(out), 500502u) << "more than the stack that a launch has which asks for none";
  const ProgramRecord& record = end();
  ASSERT_EQ(record.launches.size(), 1u);
  const auto data = record.launches[0].data;
  ASSERT_NE(data, nullptr) << record.launches[0].why_no_data;
  const auto problem = problem::make_recorded_problem(data);
  const auto instance = problem->make({}, problem::Pattern::random, 1, 0);
  const auto build = compile::build_of(*data);
  ASSERT_TRUE(instance && build);
  const auto kernel = run::prepare(*build, *device::project_table()->find("h100"));
  ASSERT_TRUE(kernel) << to_line(kernel.error());
  const auto ran = run::emulate(**kernel, **instance, {{2, 1, 1}, {1, 1, 1}, 0}, {.keep_output = true});
  ASSERT_TRUE(ran) << to_line(ran.error());
  EXPECT_FALSE(ran->outcome.fault) << to_line(ran->outcome.fault->error);
  std::uint32_t result = 0;
  std::memcpy(&result, ran->output.data(), sizeof result);
  EXPECT_EQ(result, 500502u);
}

TEST_F(SessionTest, WhatHasNoRoomIsNotKeptAndItIsSaidWhy) {
  SessionOptions options;
  options.most_kept = 512;
  begin(std::move(options));
  ask(Request::module, fat_ptx(kAdd));
  launch("add", 1, 32, arguments_of(allocate(4096), 7));
  const ProgramRecord& record = end();
  ASSERT_EQ(record.launches.size(), 1u);
  EXPECT_EQ(record.launches[0].data, nullptr);
  EXPECT_THAT(record.launches[0].why_no_data, HasSubstr("there is room for 512 more"));
}

TEST_F(SessionTest, RefusesAtOnceWhatAGpuRefuses) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t out = allocate(64);
  EXPECT_EQ(launch("add", 1, 2048, arguments_of(out, 1)).head.status, cudaErrorInvalidValue);
  EXPECT_EQ(launch("add", 0, 32, arguments_of(out, 1)).head.status, cudaErrorInvalidValue);
  EXPECT_EQ(launch("nobody", 1, 32, "").head.status, cudaErrorNotSupported);
  EXPECT_EQ(word_at(out), 0u);
  const ProgramRecord& record = end();
  ASSERT_FALSE(record.kernels.empty());
  ASSERT_FALSE(record.kernels[0].findings.empty());
  EXPECT_THAT(record.kernels[0].findings[0].message, HasSubstr("2,048 threads"));
}

TEST_F(SessionTest, LaunchesThatTheEmulatorDoesNotUnderstandAreWrittenDownAndErrors) {
  begin();
  std::string text = kAdd;
  text.replace(text.find("  ret;"), 6, "  pmevent 1;\n  ret;");
  Message module = ask(Request::module, fat_ptx(text));
  EXPECT_NE(module.head.status, cudaSuccess);
  const std::uint32_t none = module.take<protocol::Module>().id;
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t out = allocate(4096);
  EXPECT_EQ(launch("add", 1, 32, arguments_of(out, 1)).head.status, cudaSuccess);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(launch("add", 2, 32, arguments_of(out, 1), none).head.status, cudaErrorNotSupported);
  EXPECT_EQ(word_at(out), 1u);
  const ProgramRecord& record = end();
  ASSERT_EQ(record.launches.size(), 3u);
  EXPECT_EQ(record.launches[0].ran, Ran::whole);
  EXPECT_EQ(record.launches[2].ran, Ran::not_executed);
  ASSERT_EQ(record.kernels.size(), 2u);
  EXPECT_EQ(record.kernels[1].launches, 2u);
  EXPECT_THAT(record.kernels[1].not_executed, HasSubstr("pmevent"));
  EXPECT_TRUE(has_error(record));
}

TEST_F(SessionTest, MemoryThatItMayNotHaveIsToldFromMemoryThatTheDeviceHasNot) {
  SessionOptions options;
  options.most_memory = 1 << 20;
  begin(std::move(options));
  EXPECT_NE(allocate(1 << 19), 0u);
  EXPECT_EQ(allocate(std::uint64_t{2} << 30), 0u);
  ask(Request::release, std::string(8, '\0'));
  EXPECT_EQ(session_->record().refused_memory, 0u) << "the device has not so much";
  EXPECT_EQ(allocate(1 << 20), 0u);
  EXPECT_EQ(end().refused_memory, std::uint64_t{1} << 20);
}

TEST_F(SessionTest, AWriteBesideAnArrayIsAFaultForLater) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t out = allocate(64);
  Message done = launch("add", 1, 32, arguments_of(out, 1));
  EXPECT_EQ(done.head.status, cudaSuccess);
  EXPECT_EQ(done.take<protocol::Launched>().fault, cudaErrorIllegalAddress);
  EXPECT_TRUE(has_error(end()));
}

std::string two(std::uint64_t from, std::uint64_t to) {
  std::string bytes;
  append(bytes, from);
  append(bytes, to);
  return bytes;
}

TEST_F(SessionTest, AReadBesideAnArrayIsToldAndGoesOnUnlessItIsStrict) {
  for (const bool strict : {false, true}) {
    SessionOptions options;
    options.is_strict = strict;
    begin(std::move(options));
    ask(Request::module, fat_ptx(kAdd));
    const std::uint64_t from = allocate(64), to = allocate(64);
    const int fault = launch("reads", 1, 1, two(from, to)).take<protocol::Launched>().fault;
    EXPECT_EQ(fault, strict ? cudaErrorIllegalAddress : cudaSuccess);
    const ProgramRecord& record = end();
    ASSERT_EQ(record.kernels[0].findings.size(), 1u);
    EXPECT_EQ(record.kernels[0].findings[0].kind, check::Kind::out_of_bounds);
  }
}

TEST_F(SessionTest, FreedMemoryIsTakenBackAndGivenOutAgainAsZeros) {
  begin();
  const std::uint64_t half = std::uint64_t{600} << 20;
  const std::uint64_t first = allocate(half);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(allocate(half), 0u) << "no more than there is";
  std::memset(memory_ + (first - protocol::kArenaBase), 7, 64);
  std::string body;
  append(body, first);
  ask(Request::release, body);
  EXPECT_EQ(word_at(first), 0u);
  EXPECT_NE(allocate(half), 0u);
}

TEST_F(SessionTest, MemoryIsFilledWhateverIsKnownOfIt) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  constexpr std::uint64_t kBytes = 200'000;  // more than one piece that is looked at
  const std::uint64_t out = allocate(kBytes);
  for (int i = 0; i < 4; ++i) {
    fill(out, kBytes, 1);
    EXPECT_EQ(word_at(out), 0x01010101u) << i;
    launch("late", 1, 32, arguments_of(out, 7));
    EXPECT_EQ(word_at(out), 7u) << i;
    EXPECT_EQ(word_at(out + kBytes - 4), 0x01010101u) << i;
  }
  fill(out + 8, kBytes - 16, 5);
  EXPECT_EQ(word_at(out), 7u);
  EXPECT_EQ(word_at(out + 8), 0x05050505u);
  EXPECT_EQ(word_at(out + kBytes - 12), 0x05050505u);
  EXPECT_EQ(word_at(out + kBytes - 8), 0x01010101u);
  fill(out, kBytes + 1, 9);  // beyond the array: nothing
  EXPECT_EQ(word_at(out), 7u);
  EXPECT_EQ(end().kernels[0].repeats, 2u) << "they ran in memory that is known";
}

// Nothing that a program sends ends the session.
TEST_F(SessionTest, LiesAreAnsweredOrEndTheConnection) {
  begin();
  EXPECT_EQ(ask(Request::module, "this is no fat binary").head.status, cudaErrorNoKernelImageForDevice);
  EXPECT_EQ(launch("add", 1, 32, "", 77).head.status, cudaErrorNotSupported);
  ask(Request::module, fat_ptx(kAdd));
  EXPECT_EQ(launch("add", 1, 32, "x").head.status, cudaErrorNotSupported) << "too few arguments";
  EXPECT_EQ(launch("add", 1, 32, arguments_of(12344, 1)).take<protocol::Launched>().fault,
            cudaErrorIllegalAddress);
  std::string body;
  append(body, std::uint64_t{0xdeadbeef});
  ask(Request::release, body);
  EXPECT_EQ(allocate(~std::uint64_t{0}), 0u);
  ask(Request::kernel, "");
  ask(Request::occupancy, "");
  tell(static_cast<Request>(9999), "");
  EXPECT_EQ(ask(Request::hello, "").head.status, -1) << "the session has hung up";
  EXPECT_FALSE(end().problems.empty());
}

TEST_F(SessionTest, ALaunchThatWouldRepeatItselfIsNotRun) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t out = allocate(std::uint64_t{1} << 22);
  for (int i = 0; i < 4; ++i) launch("add", 4096, 256, arguments_of(out, 0));
  const ProgramRecord& record = end();
  EXPECT_EQ(record.kernels[0].launches, 4u);
  EXPECT_EQ(record.kernels[0].repeats, 0u) << "each adds to the module's variable";
}

// Each changes what the other one left, so no launch leaves memory as it was.
TEST_F(SessionTest, WhatALaunchLeftInTheSameMemoryIsPutThereAgain) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t out = allocate(4096);
  for (int i = 0; i < 3; ++i)
    for (const std::uint64_t value : {7u, 9u}) launch("late", 1, 32, arguments_of(out, value));
  std::uint32_t left = 0;
  std::memcpy(&left, memory_ + (out - emulator::kGlobalBase), sizeof left);
  EXPECT_EQ(left, 9u);
  const ProgramRecord& record = end();
  EXPECT_EQ(record.kernels[0].launches, 6u);
  EXPECT_EQ(record.kernels[0].repeats, 2u) << "the third time both ran in memory that is known";
}

TEST_F(SessionTest, ALaunchIsLookedAtInMemoryAsItFindsIt) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  constexpr std::uint32_t kBlocks = 8;
  const std::uint64_t out = allocate(4 * (kBlocks + 1));
  fill(out, 4 * (kBlocks + 1), 0);
  launch("tickets", kBlocks, 1, arguments_of(out, 0));
  EXPECT_TRUE(end().kernels[0].findings.empty()) << "its counter began where another look had left it";
}

// What `reads` copies from a place of 4 bytes in an array of 8,192.
constexpr std::uint64_t kArray = 8192, kRead = 4096;

TEST_F(SessionTest, AReadOfWhatNobodyWroteIsAnErrorWhereNothingOfTheArrayIsWritten) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t from = allocate(kArray), to = allocate(64);
  launch("reads", 1, 1, two(from, to));
  const ProgramRecord& record = end();
  ASSERT_EQ(record.kernels[0].findings.size(), 1u);
  const check::Finding& finding = record.kernels[0].findings[0];
  EXPECT_EQ(finding.kind, check::Kind::uninitialized_global);
  EXPECT_EQ(finding.severity, check::Severity::error);
  EXPECT_THAT(finding.message, HasSubstr("wrote none of the array's 8,192 bytes"));
  EXPECT_THAT(finding.fix, HasSubstr("cudaMemcpy()"));
}

TEST_F(SessionTest, AReadOfWhatNobodyWroteIsAWarningWhereOtherPartsOfTheArrayAreWritten) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t from = allocate(kArray), to = allocate(64);
  std::string body;
  append(body, protocol::Copy{kRead, from, kRead, protocol::Direction::to_device, 0});
  tell(Request::copy, body);
  launch("reads", 1, 1, two(from, to));
  const ProgramRecord& record = end();
  ASSERT_EQ(record.kernels[0].findings.size(), 1u);
  EXPECT_EQ(record.kernels[0].findings[0].severity, check::Severity::warning);
  EXPECT_THAT(record.kernels[0].findings[0].message, HasSubstr("wrote 4,096 of the array's 8,192 bytes"));
}

TEST_F(SessionTest, WhatTheHostOrAKernelWroteMayBeRead) {
  enum class By { copy, fill, change, kernel, host };
  for (const By by : {By::copy, By::fill, By::change, By::kernel, By::host}) {
    begin();
    ask(Request::module, fat_ptx(kAdd));
    std::string body;
    append(body,
           protocol::Allocate{kArray, static_cast<std::uint32_t>(by == By::host ? protocol::Memory::managed
                                                                                : protocol::Memory::device)});
    const std::uint64_t from = ask(Request::allocate, body).take<std::uint64_t>(), to = allocate(64);
    body.clear();
    if (by == By::copy) {
      append(body, protocol::Copy{4, from + kRead, 4, protocol::Direction::to_device, 0});
      tell(Request::copy, body);
    } else if (by == By::fill) {
      fill(from + kRead, 4, 0);
    } else if (by == By::change) {
      append(body, protocol::Changed{from + kRead, 4});
      tell(Request::changed, body);
    } else if (by == By::kernel) {
      launch("late", 1, 1, arguments_of(from, 0));
    }
    launch("reads", 1, 1, two(from, to));
    const ProgramRecord& record = end();
    EXPECT_TRUE(record.kernels.back().findings.empty()) << static_cast<int>(by);
  }
}

TEST_F(SessionTest, MemoryThatIsAllocatedAgainIsNotWritten) {
  begin();
  ask(Request::module, fat_ptx(kAdd));
  const std::uint64_t first = allocate(kArray);
  fill(first, kArray, 0);
  release(first);
  const std::uint64_t from = allocate(kArray), to = allocate(64);
  launch("reads", 1, 1, two(from, to));
  EXPECT_EQ(end().kernels[0].findings.size(), 1u);
}

}  // namespace
}  // namespace warplens::program
