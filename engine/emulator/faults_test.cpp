// Runs that stop: each mistake of testdata/faulty_kernels.cu is found at its line, block, thread and address,
// and said in one line that reads well. Mistakes that only hand-written PTX can make are below.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

using Kind = Fault::Kind;

const std::string kFolder = source_path("engine/emulator/testdata/");

// The line that carries "<- fault NAME".
int marked_line(const std::string& name) {
  std::istringstream text(read_file(kFolder + "faulty_kernels.cu"));
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const auto at = line.find("<- fault " + name);
    if (at != line.npos && line.substr(at + 9) == name) return number;
  }
  return -1;
}

struct Buffer {
  const char* name;
  std::vector<int> words;
};

std::vector<int> iota(int n) {
  std::vector<int> values;
  for (int i = 0; i < n; ++i) values.push_back(i);
  return values;
}

struct Trial {
  Bench bench;
  std::vector<std::uint64_t> buffers;
  Launch launch;
  explicit Trial(const std::string& kernel, const std::vector<Buffer>& contents, std::uint32_t threads,
                 std::uint32_t blocks = 1)
      : bench(read_file(kFolder + "faulty_kernels.ptx"), kernel) {
    EXPECT_EQ(bench.error(), "");
    ArgumentList arguments;
    for (const Buffer& buffer : contents) {
      buffers.push_back(bench.buffer(buffer.name, buffer.words));
      arguments.add(buffers.back());
    }
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.arguments = arguments.bytes();
    launch.instruction_budget = 100'000;
  }
  void add(int value) {
    ArgumentList arguments;
    for (std::uint64_t buffer : buffers) arguments.add(buffer);
    launch.arguments = arguments.add(value).bytes();
  }
  // The fault of every instruction set, which must be the same one. message: what follows the place.
  Fault fault(const std::string& message) {
    Fault first;
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512}) {
      if (isa > best_isa()) continue;
      launch.isa = isa;
      const auto outcome = bench.run(launch);
      EXPECT_TRUE(outcome) << to_line(outcome.error());
      if (!outcome) return {};
      EXPECT_TRUE(outcome->fault) << "nothing was noticed";
      if (!outcome->fault) return {};
      first = *outcome->fault;
      EXPECT_EQ(first.error.message + "; " + first.error.next_step, message);
    }
    return first;
  }
};

void expect_at(const Fault& fault, Kind kind, const std::string& name, std::array<std::uint32_t, 3> block,
               std::array<std::uint32_t, 3> thread) {
  EXPECT_EQ(fault.kind, kind);
  EXPECT_EQ(fault.error.place.file, "faulty_kernels.cu");
  EXPECT_EQ(fault.error.place.line, marked_line(name));
  EXPECT_EQ(fault.block_index, block);
  EXPECT_EQ(fault.thread, thread);
}

TEST(Fault, ReadingPastTheEnd) {
  Trial run("past_end", {{"A", iota(100)}, {"B", iota(101)}}, 32, 4);
  run.add(100);
  const Fault f = run.fault(
      "thread (4, 0, 0) of block (3, 0, 0) reads 4 bytes out of bounds at 0x700000000190, just past the "
      "end of A (400 "
      "bytes); check the index against the size of the buffer");
  expect_at(f, Kind::out_of_bounds, "past_end", {3, 0, 0}, {4, 0, 0});
  EXPECT_EQ(f.address, run.buffers[0] + 400);
  EXPECT_EQ(f.nearest, "A");
  EXPECT_EQ(f.block, 3u);
}

TEST(Fault, WritingPastTheEnd) {
  Trial run("store_past_end", {{"C", iota(50)}}, 32);
  run.add(50);
  const Fault f = run.fault(
      "thread (31, 0, 0) of block (0, 0, 0) writes 4 bytes out of bounds at 0x7000000000c8, just past the "
      "end of C (200 "
      "bytes); check the index against the size of the buffer");
  expect_at(f, Kind::out_of_bounds, "store_past_end", {0, 0, 0}, {31, 0, 0});
}

TEST(Fault, ReadingBeforeTheStart) {
  Trial run("before_start", {{"A", iota(10)}, {"B", iota(32)}}, 32);
  const auto b = run.buffers[1];
  ArgumentList arguments;
  run.launch.arguments = arguments.add(b).add(b).bytes();
  const Fault f = run.fault(
      "thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes out of bounds at 0x7000000010f4, 12 bytes before B; "
      "check the index "
      "against the size of the buffer");
  expect_at(f, Kind::out_of_bounds, "before_start", {0, 0, 0}, {0, 0, 0});
  EXPECT_EQ(f.nearest, "B");
}

TEST(Fault, FarAway) {
  auto index = std::vector<int>(32, 0);
  index[9] = 1'000'000'000;
  index[20] = -2'000'000'000;
  Trial run("far_away", {{"index", index}, {"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (9, 0, 0) of block (0, 0, 0) reads 4 bytes out of bounds at 0x7000ee6b3900, 3,999,999,872 "
      "bytes past the end of B "
      "(128 bytes); check the index against the size of the buffer");
  expect_at(f, Kind::out_of_bounds, "far_away", {0, 0, 0}, {9, 0, 0});
}

TEST(Fault, NullPointer) {
  Trial run("null_pointer", {{"A", iota(32)}, {"B", iota(32)}}, 32);
  ArgumentList arguments;
  run.launch.arguments = arguments.add(std::uint64_t{0}).add(run.buffers[1]).bytes();
  const Fault f = run.fault(
      "thread (0, 0, 0) of block (0, 0, 0) reads 4 bytes through a null pointer at 0x0; check that the "
      "pointer is an argument "
      "of the launch");
  expect_at(f, Kind::out_of_bounds, "null_pointer", {0, 0, 0}, {0, 0, 0});
  EXPECT_EQ(f.address, 0u);
}

TEST(Fault, Misaligned) {
  Trial run("misaligned", {{"A", iota(200)}, {"B", iota(200)}}, 32);
  const Fault f = run.fault(
      "thread (1, 0, 0) of block (0, 0, 0) reads 16 bytes at the misaligned address 0x700000000004, byte 4 "
      "of A; make the "
      "address a multiple of 16");
  expect_at(f, Kind::misaligned, "misaligned", {0, 0, 0}, {1, 0, 0});
  EXPECT_EQ(f.nearest, "A");
}

TEST(Fault, WritingConstants) {
  Trial run("writes_constant", {{"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (0, 0, 0) of block (0, 0, 0) writes to fixed, which is read-only; write to an output buffer");
  expect_at(f, Kind::read_only, "writes_constant", {0, 0, 0}, {0, 0, 0});
  EXPECT_EQ(f.nearest, "fixed");
}

TEST(Fault, SharedPastTheEnd) {
  Trial run("shared_past_end", {{"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (16, 0, 0) of block (0, 0, 0) writes 4 bytes out of bounds at offset 64 of shared memory, "
      "which has 64 bytes, "
      "tile + 64 bytes; check the index, or give the kernel more shared memory");
  expect_at(f, Kind::out_of_bounds, "shared_past_end", {0, 0, 0}, {16, 0, 0});
  EXPECT_EQ(f.nearest, "tile + 64 bytes");
  EXPECT_EQ(f.address, 64u);
}

TEST(Fault, SharedNeverWritten) {
  Trial run("shared_unwritten", {{"B", iota(64)}}, 32);
  const Fault f = run.fault(
      "thread (5, 0, 0) of block (0, 0, 0) reads 4 bytes of shared memory that nobody wrote, at second + 20 "
      "bytes; write it "
      "first, or put a barrier or a wait between the write and this read");
  expect_at(f, Kind::uninitialised_shared, "shared_unwritten", {0, 0, 0}, {5, 0, 0});
  EXPECT_EQ(f.nearest, "second + 20 bytes");
}

TEST(Fault, SharedBytesNeverWritten) {
  Trial run("shared_unwritten_bytes", {{"B", iota(64)}}, 64);
  const Fault f = run.fault(
      "thread (1, 0, 0) of block (0, 0, 0) reads 1 byte of shared memory that nobody wrote, at tile + 1 "
      "byte; write it "
      "first, or put a barrier or a wait between the write and this read");
  expect_at(f, Kind::uninitialised_shared, "shared_unwritten_bytes", {0, 0, 0}, {1, 0, 0});
}

TEST(Fault, NotWhereThePoisonItselfIsStored) {
  for (const char* kernel : {"shared_poison", "shared_padding"}) {
    Trial run(kernel, {{"B", iota(64)}}, kernel == std::string("shared_poison") ? 32 : 64);
    const auto outcome = run.bench.run(run.launch);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->fault) << to_line(outcome->fault->error);
    const auto out = run.bench.read<std::uint32_t>(run.buffers[0], 32);
    if (kernel != std::string("shared_poison")) continue;
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 0xfff1bad5u + ((31 - t) & 1));
  }
}

TEST(Fault, BarrierThatCannotComplete) {
  Trial run("one_barrier_less", {{"B", iota(64)}}, 64);
  const int other = marked_line("one_barrier_less") + 1;
  const Fault f = run.fault(
      "thread (0, 0, 0) of block (0, 0, 0) waits at a barrier that cannot complete: 40 threads are at "
      "barrier 0, 64 are "
      "expected, others wait at line " +
      std::to_string(other) + "; let every thread of the block reach the same barrier");
  expect_at(f, Kind::barrier, "one_barrier_less", {0, 0, 0}, {0, 0, 0});
}

TEST(Fault, LanesThatNeverCome) {
  Trial run("lanes_that_never_come", {{"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (0, 0, 0) of block (0, 0, 0) waits with lanes 0-7 for lanes 8-31 of its warp, which never "
      "come; name in the "
      "mask only lanes that come here");
  EXPECT_EQ(f.kind, Kind::barrier);
  EXPECT_EQ(f.error.place.file, "sm_30_intrinsics.hpp");  // where __shfl_sync is written
}

TEST(Fault, EndlessLoops) {
  for (const char* kernel : {"endless", "endless_barriers"}) {
    Trial run(kernel, {{"flag", {0}}}, 48);
    run.launch.isa = Isa::automatic;
    const auto outcome = run.bench.run(run.launch);
    ASSERT_TRUE(outcome && outcome->fault) << kernel;
    expect_at(*outcome->fault, Kind::budget, kernel, {0, 0, 0}, {0, 0, 0});
    EXPECT_NE(outcome->fault->error.message.find("is still running after 1"), std::string::npos)
        << outcome->fault->error.message;
  }
}

std::string adding_to_a_word(const std::string& way_out) {
  return R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b64 %p;
.reg .f32 %f;
.reg .b32 %i;
.reg .pred %q;
ld.param.u64 %p, [out];
mov.u32 %i, 0;
again:
atom.global.add.f32 %f, [%p], 0f3F800000;
add.u32 %i, %i, 1;
setp.lt.u32 %q, %i, 100000;
)" + way_out +
         R"(
ret;
}
)";
}

// However long a warp may run: one that cannot come to its end needs no half a minute of atomics to be known.
TEST(Fault, LoopsWithoutAWayOutEndSoon) {
  const auto run = [](const std::string& way_out) {
    Bench bench(adding_to_a_word(way_out), "k");
    EXPECT_EQ(bench.error(), "");
    Launch launch;
    launch.block = {32, 1, 1};
    launch.arguments = ArgumentList().add(bench.buffer("out", std::vector<int>{0})).bytes();
    const auto outcome = bench.run(launch);
    EXPECT_TRUE(outcome);
    return outcome ? outcome->fault : std::nullopt;
  };
  const auto endless = run("bra again;");
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->kind, Kind::budget);
  EXPECT_NE(endless->error.message.find("is still running after 131,"), std::string::npos)
      << endless->error.message;
  EXPECT_NE(endless->error.message.find("a loop without a way out"), std::string::npos);
  EXPECT_FALSE(run("@%q bra again;"));  // 400,000 instructions, and done
}

// 300 short loops, each within its budget: together they take too much, however small each is.
TEST(Refusal, LaunchesThatTakeTooLongAltogether) {
  const std::string text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k()
{
.reg .b32 %i;
.reg .pred %p;
mov.u32 %i, 0;
again:
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, 1000;
@%p bra again;
ret;
}
)";
  Launch launch;
  launch.block = {32, 1, 1};
  launch.instruction_budget = 5000;
  launch.threads = 1;
  launch.least_limit = 600'000;  // less than 200 times the budget
  const auto run = [&](std::uint32_t blocks) {
    Bench bench(text, "k");
    EXPECT_EQ(bench.error(), "");
    launch.grid = {blocks, 1, 1};
    return bench.run(launch);
  };
  const auto fits = run(300);
  ASSERT_TRUE(fits) << to_line(fits.error());
  EXPECT_FALSE(fits->fault);
  const auto many = run(400);
  ASSERT_TRUE(many && many->fault);
  EXPECT_EQ(many->fault->kind, Kind::limit);
  EXPECT_EQ(to_line(many->fault->error),
            "the launch takes more than 1,000,000 instructions of warps; choose a smaller size, or raise the "
            "instruction budget (--budget of warplens run)");
  launch.least_limit = 1'500'000;  // more than 200 times the budget
  EXPECT_FALSE(run(400)->fault);
  EXPECT_TRUE(run(600)->fault);
}

TEST(Fault, Cancelled) {
  Trial run("endless", {{"flag", {0}}}, 32);
  std::atomic<bool> cancel{false};
  run.launch.cancel = &cancel;
  run.launch.instruction_budget = ~std::uint64_t{0};
  const std::jthread somebody([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel = true;
  });
  const auto outcome = run.bench.run(run.launch);
  ASSERT_TRUE(outcome && outcome->fault);
  EXPECT_EQ(outcome->fault->kind, Kind::cancelled);
}

// The warps of a short block end before they look.
TEST(Fault, CancelledBetweenBlocks) {
  Trial run("traps", {{"A", iota(32)}}, 32, 3);
  std::atomic<bool> cancel{true};
  run.launch.cancel = &cancel;
  const auto outcome = run.bench.run(run.launch);
  ASSERT_TRUE(outcome && outcome->fault);
  EXPECT_EQ(outcome->fault->kind, Kind::cancelled);
}

// A product takes as long as many other instructions, and so does what nobody wants any more.
TEST(Fault, CancelledBetweenProducts) {
  Bench bench(R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k()
{
.reg .b32 %i, %a;
.reg .f32 %c<4>;
.reg .pred %p;
mov.u32 %i, 0;
mov.u32 %a, 0;
mov.f32 %c0, 0f00000000;
mov.f32 %c1, 0f00000000;
mov.f32 %c2, 0f00000000;
mov.f32 %c3, 0f00000000;
again:
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%c0, %c1, %c2, %c3}, {%a, %a, %a, %a}, {%a, %a}, {%c0, %c1, %c2, %c3};
add.u32 %i, %i, 1;
setp.lt.u32 %p, %i, 2000;
@%p bra again;
ret;
}
)",
              "k");
  ASSERT_EQ(bench.error(), "");
  const std::atomic<bool> cancel{true};
  Launch launch;
  launch.block = {32, 1, 1};
  launch.cancel = &cancel;
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome && outcome->fault);
  EXPECT_EQ(outcome->fault->kind, Kind::cancelled);
  EXPECT_LT(outcome->counters.tensor.half_products, 1000u);
}

TEST(Fault, Trap) {
  Trial run("traps", {{"A", iota(32)}}, 32, 3);
  const Fault f =
      run.fault("thread (7, 0, 0) of block (0, 0, 0) executed a trap; see what the kernel checks there");
  expect_at(f, Kind::trap, "traps", {0, 0, 0}, {7, 0, 0});
}

TEST(Fault, Assert) {
  Trial run("asserts", {{"A", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (30, 0, 0) of block (0, 0, 0) failed the assertion 'in[threadIdx.x] < 30 && \"too large\"'; "
      "see why the condition "
      "does not hold");
  expect_at(f, Kind::trap, "asserts", {0, 0, 0}, {30, 0, 0});
}

TEST(Fault, InsideAnInlinedFunction) {
  Trial run("inlined", {{"A", iota(32)}, {"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (29, 0, 0) of block (0, 0, 0) reads 4 bytes out of bounds at 0x700000000080, just past the "
      "end of A (128 "
      "bytes); check the index against the size of the buffer");
  expect_at(f, Kind::out_of_bounds, "inlined", {0, 0, 0}, {29, 0, 0});
}

TEST(Fault, LocalPastTheEnd) {
  auto index = std::vector<int>(32, 1);
  index[3] = 8;
  Trial run("local_past_end", {{"index", index}, {"B", iota(32)}}, 32);
  const Fault f = run.fault(
      "thread (3, 0, 0) of block (0, 0, 0) writes 4 bytes out of bounds at offset 32 of local memory, which "
      "has 32 bytes; check "
      "the index of the local array");
  expect_at(f, Kind::out_of_bounds, "local_past_end", {0, 0, 0}, {3, 0, 0});
}

TEST(Fault, TheFirstBlockThatFailsIsTheOneThatIsTold) {
  for (int threads : {1, 2, 7}) {
    Trial run("past_end", {{"A", iota(100)}, {"B", iota(2000)}}, 32, 60);
    run.add(5000);
    run.launch.threads = threads;
    const auto outcome = run.bench.run(run.launch);
    ASSERT_TRUE(outcome && outcome->fault);
    EXPECT_EQ(outcome->fault->block, 3u) << threads;
    EXPECT_EQ(outcome->fault->thread[0], 4u);
  }
}

// ---- hand-written PTX

const std::string kHead =
    ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .b16 %rs<4>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 "
    "tile[64];\n"
    "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p];\n";

Result<Outcome> run_text(const std::string& body, std::uint64_t words = 64, const std::string& tail = "") {
  Bench bench(kHead + body + "ret;\n}\n" + tail);
  if (!bench.error().empty()) return Error{bench.error(), ""};
  const auto buffer = bench.buffer("P", std::vector<std::uint32_t>(words, 1));
  Launch launch;
  launch.block = {32, 1, 1};
  launch.arguments = ArgumentList().add(buffer).bytes();
  launch.instruction_budget = 100'000;
  return bench.run(launch);
}

TEST(Refusal, EveryUnknownInstructionIsListed) {
  const auto outcome = run_text(
      "atom.global.add.u32 %r1, [%rd0], 1;\nalloca.u64 %rd1, %rd0;\nadd.u32 %r1, %r1, 1;\nredux.sync.add.s32 "
      "%r1, %r1, -1;\n"
      "stacksave.u64 %rd1;\n");
  ASSERT_FALSE(outcome);
  const std::string text = to_line(outcome.error());
  EXPECT_NE(text.find("'alloca"), std::string::npos) << text;
  EXPECT_NE(text.find("'stacksave"), std::string::npos) << text;
  EXPECT_NE(text.find("(PTX line 14)"), std::string::npos) << text;
  EXPECT_NE(text.find("(PTX line 17)"), std::string::npos) << text;
  EXPECT_EQ(text.find("redux"), std::string::npos) << text;
}

TEST(Refusal, UnknownInstructionsHaveTheirLineOfTheKernel) {
  const auto outcome = run_text(
      ".loc 1 6 3\nadd.u32 %r1, %r1, 1;\n.loc 1 7 3\nalloca.u64 %rd1, %rd0;\n.loc 1 8 3\nmapa.u64 %rd1, "
      "%rd2, 0;\n",
      64, ".file 1 \"own.cu\"\n");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().place, (Place{"own.cu", 7, 0})) << to_line(outcome.error());
}

struct Wild {
  const char* name;
  const char* body;
  Kind kind;
};
const Wild kWild[] = {
    {"huge_offset", "ld.global.u32 %r1, [%rd0+2147483647];\n", Kind::misaligned},
    {"huge_negative_offset", "ld.global.u32 %r1, [%rd0+-2147483648];\n", Kind::out_of_bounds},
    {"highest_address", "mov.u64 %rd1, -4;\nld.global.u32 %r1, [%rd1];\n", Kind::out_of_bounds},
    {"wraps_around", "mov.u64 %rd1, -16;\nld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1+16];\n",
     Kind::out_of_bounds},
    {"wild_stride",  // 31 strides come round to the start
     "cvt.u64.u32 %rd1, %r0;\nmul.lo.s64 %rd1, %rd1, 595056260442243600;\nadd.s64 %rd1, %rd0, %rd1;\n"
     "ld.global.u32 %r2, [%rd0];\nld.global.u32 %r1, [%rd1];\n",
     Kind::out_of_bounds},
    {"shared_highest", "mov.u32 %r1, -4;\nld.shared.u32 %r2, [%r1];\n", Kind::out_of_bounds},
    {"shared_wide_address", "mov.u64 %rd1, 4294967296;\nst.shared.u32 [%rd1], %r0;\n", Kind::out_of_bounds},
    {"shared_straddles",
     "mov.u32 %r1, 64;\nst.shared.v2.u32 [%r1+-8], {%r0,%r0};\nst.shared.v2.u32 [%r1], {%r0, %r0};\n",
     Kind::out_of_bounds},
    {"local_without_any", "mov.u64 %rd1, 0;\nld.local.u32 %r1, [%rd1];\n", Kind::out_of_bounds},
    {"generic_shared_window", "mov.u64 %rd1, 105553116266496;\nst.u8 [%rd1+64], %r0;\n", Kind::out_of_bounds},
    {"generic_local_window", "mov.u64 %rd1, 87960930222080;\nst.u8 [%rd1+64], %r0;\n", Kind::out_of_bounds},
    {"last_shared_byte",
     "cvta.shared.u64 %rd1, %rd2;\nmov.u64 %rd2, tile;\ncvta.shared.u64 %rd1, %rd2;\nld.u8 %r1, [%rd1+63];\n",
     Kind::uninitialised_shared},
    {"unwritten_over_its_address",
     "mul.lo.u32 %r1, %r0, %r0;\nand.b32 %r1, %r1, 15;\nshl.b32 %r1, %r1, 2;\nld.shared.u32 %r1, [%r1];\n",
     Kind::uninitialised_shared},
    {"atomic_outside", "atom.global.add.u32 %r1, [%rd0+256], 1;\n", Kind::out_of_bounds},
    {"atomic_misaligned", "atom.global.add.u64 %rd1, [%rd0+4], %rd0;\n", Kind::misaligned},
    {"atomic_unwritten", "atom.shared.add.u32 %r1, [tile], 1;\n", Kind::uninitialised_shared},
    {"copy_outside", "mov.u32 %r1, tile;\ncp.async.ca.shared.global [%r1], [%rd0+256], 4;\n",
     Kind::out_of_bounds},
    {"copy_tail_misaligned", "mov.u32 %r1, tile;\ncp.async.ca.shared.global [%r1], [%rd0+4], 16, 4;\n",
     Kind::misaligned},
    {"copy_target_outside", "mov.u32 %r1, 64;\ncp.async.ca.shared.global [%r1], [%rd0], 4;\n",
     Kind::out_of_bounds},
    {"ldmatrix_outside", "mov.u32 %r1, 4096;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];\n",
     Kind::out_of_bounds},
    {"mma_in_half_a_warp",
     "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra END;\nmov.b32 %r1, 0;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r2, "
     "%r1;\nEND:\n",
     Kind::unsupported},
    {"branch_index", "T: .branchtargets A, B;\nadd.u32 %r1, %r0, -1;\nbrx.idx %r1, T;\nA:\nB:\n",
     Kind::out_of_bounds},
    {"endless_table", "T: .branchtargets A, B;\nA:\nmov.u32 %r1, 0;\nbrx.idx %r1, T;\nB:\n", Kind::budget},
    {"endless_divergence", "A:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r0, 16;\n@%p1 bra A;\nbra A;\n",
     Kind::budget},
    {"endless_barriers", "A:\nbar.sync 0;\nbra A;\n", Kind::budget},
    {"trap", "setp.eq.u32 %p1, %r0, 9;\n@%p1 trap;\n", Kind::trap},
    {"no_such_lanes", "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 1, 64;\nA:\nbar.sync 0;\n",
     Kind::barrier},
};

TEST(Fault, WildPtxIsStopped) {
  for (const Wild& wild : kWild) {
    const auto outcome = run_text(wild.body);
    ASSERT_TRUE(outcome) << wild.name << ": " << to_line(outcome.error());
    ASSERT_TRUE(outcome->fault) << wild.name;
    EXPECT_EQ(static_cast<int>(outcome->fault->kind), static_cast<int>(wild.kind))
        << wild.name << ": " << to_line(outcome->fault->error);
  }
}

TEST(Refusal, SizesThatNoGpuHas) {
  const auto error = [](const std::string& text) {
    Bench bench(text);
    if (!bench.error().empty()) return bench.error();
    Launch launch;
    launch.block = {32, 1, 1};
    const auto outcome = bench.run(launch);
    return outcome ? std::string() : to_line(outcome.error());
  };
  const std::string head = ".version 8.7\n.target sm_90\n.address_size 64\n";
  EXPECT_NE(error(head + ".visible .entry k()\n{\n.shared .b8 s[4294967295];\nret;\n}\n"), "");
  EXPECT_NE(error(head + ".visible .entry k()\n{\n.shared .b8 s[4294967295];\n.shared .b8 t[2];\nret;\n}\n"),
            "");
  EXPECT_NE(error(head + ".visible .entry k()\n{\n.local .b8 s[2147483647];\nret;\n}\n"), "");
  EXPECT_NE(error(head + ".global .b8 g[1000000000000];\n.visible .entry k()\n{\nret;\n}\n"), "");
  EXPECT_EQ(error(head + ".visible .entry k()\n{\nret;\n}\n"), "");
}

TEST(Refusal, LaunchesThatNoGpuMakes) {
  const auto error = [](std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block) {
    Bench bench(kHead + "ret;\n}\n");
    Launch launch;
    launch.grid = grid, launch.block = block;
    launch.blocks = {0};
    launch.arguments = ArgumentList().add(std::uint64_t{0}).bytes();
    const auto outcome = bench.run(launch);
    return outcome ? std::string() : to_line(outcome.error());
  };
  EXPECT_EQ(error({1, 1, 1}, {1024, 1, 1}), "");
  EXPECT_EQ(error({0x7fffffff, 65535, 65535}, {32, 1, 1}), "");
  EXPECT_NE(error({1, 1, 1}, {1025, 1, 1}), "");
  EXPECT_NE(error({1, 1, 1}, {0, 1, 1}), "");
  EXPECT_NE(error({0, 1, 1}, {32, 1, 1}), "");
  EXPECT_NE(error({1, 65536, 1}, {32, 1, 1}), "");
  EXPECT_NE(error({1, 1, 1}, {4294967295u, 4294967295u, 4294967295u}), "");
  EXPECT_NE(error({1, 1, 1}, {65536, 65536, 65536}), "");
}

}  // namespace
}  // namespace warplens::emulator
