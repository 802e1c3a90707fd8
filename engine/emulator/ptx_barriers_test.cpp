// Barriers in shared memory, copies that arrive at them, clusters, 8-bit floats and calls through pointers,
// one short case each.
#include <gtest/gtest.h>

#include "engine/emulator/testing/ptx_trial.hpp"

namespace warplens::emulator {
namespace {

// All 64 threads exchange words through the tile, behind a barrier that is made at its end.
const std::string kInit =
    "mov.u64 %d0, tile;\ncvt.u32.u64 %r9, %d0;\nsetp.eq.u32 %p0, %t, 0;\n"
    "@%p0 mbarrier.init.shared.b64 [%r9+2040], 64;\nbar.sync 0;\n";
const std::string kStoreOwn = "ld.global.b32 %r1, [%in];\nst.shared.b32 [%tile], %r1;\n";
const std::string kLoadOther =
    "xor.b32 %r3, %t, 33;\nmul.wide.u32 %d2, %r3, 32;\nmov.u64 %d3, tile;\nadd.s64 %d3, %d3, %d2;\n"
    "ld.shared.b32 %r4, [%d3];\nst.global.b32 [%out], %r4;\n";

void expect_exchanged(const Words& in, const Words& out) {
  ASSERT_EQ(out.size(), in.size());
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t * 8], in[(t ^ 33u) * 8]) << t;
}

TEST(SharedBarrier, ArriveAndWaitForTheState) {
  const Words in = random_words(64);
  for (const char* wait : {"test_wait", "try_wait"})
    expect_exchanged(
        in, run(kInit + kStoreOwn + "mbarrier.arrive.shared.b64 %d1, [%r9+2040];\nWAIT:\nmbarrier." + wait +
                    ".shared.b64 %p1, [%r9+2040], %d1;\n@!%p1 bra WAIT;\n" + kLoadOther,
                in));
}

TEST(SharedBarrier, WaitsForParitiesOverPhases) {
  const Words in = random_words(64);
  // The second phase is the odd one; before it, waiting for an odd one ends at once.
  const std::string wait = ".shared::cta.b64 %p1, [%r9+2040], ";
  expect_exchanged(
      in, run(kInit + "mbarrier.try_wait.parity" + wait + "1;\n@!%p1 bra WRONG;\n" +
                  "mbarrier.arrive.shared.b64 %d1, [%r9+2040];\nFIRST:\nmbarrier.try_wait.parity" + wait +
                  "0;\n@!%p1 bra FIRST;\n" + kStoreOwn +
                  "mbarrier.arrive.release.cta.shared::cta.b64 _, "
                  "[%r9+2040];\nSECOND:\nmbarrier.test_wait.parity" +
                  wait + "1;\n@!%p1 bra SECOND;\n" + kLoadOther + "WRONG:\n",
              in));
}

TEST(SharedBarrier, CountsPendingArrivals) {
  const Words in = random_words(32);
  const Words out = run(
      "mov.u64 %d0, tile;\ncvt.u32.u64 %r9, %d0;\nsetp.eq.u32 %p0, %t, 0;\n@%p0 mbarrier.init.shared.b64 "
      "[%r9], 100;\n"
      "bar.sync 0;\n@%p0 mbarrier.arrive.noComplete.shared.b64 %d1, [%r9], 30;\n"
      "@%p0 mbarrier.arrive_drop.shared.b64 %d2, [%r9];\n@%p0 mbarrier.arrive.shared.b64 %d3, [%r9], 69;\n"
      "@%p0 mbarrier.arrive.shared.b64 %d4, [%r9], 1;\n@%p0 mbarrier.pending_count.b64 %r1, %d1;\n"
      "@%p0 mbarrier.pending_count.b64 %r2, %d2;\n@%p0 mbarrier.pending_count.b64 %r3, %d3;\n"
      "@%p0 mbarrier.pending_count.b64 %r4, %d4;\n@%p0 st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4};\n",
      in, {.block = {32, 1, 1}});
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(std::vector(out.begin(), out.begin() + 4), (std::vector<std::uint32_t>{100, 70, 69, 99}));
}

TEST(SharedBarrier, AsynchronousCopiesArrive) {
  const Words in = random_words(64);
  const std::string copy = "cvt.u32.u64 %r8, %tile;\ncp.async.ca.shared.global [%r8], [%in], 4;\n";
  const std::string wait =
      "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r9+2040], 0;\n@!%p1 bra WAIT;\n";
  expect_exchanged(
      in,
      run(kInit + copy + "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9+2040];\n" + wait + kLoadOther, in));
  expect_exchanged(in, run(kInit + copy +
                               "cp.async.mbarrier.arrive.shared.b64 [%r9+2040];\n"
                               "mbarrier.arrive.shared.b64 %d1, [%r9+2040];\n" +
                               wait + kLoadOther,
                           in));
}

TEST(SharedBarrier, BulkCopiesBringTheirBytes) {
  const Words in = random_words(64);
  // One thread copies all of the input; the others only arrive.
  const Words out = run(kInit +
                            "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], "
                            "[%in], 1024, [%r9+2040];\n"
                            "@%p0 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r9+2040], 1024;\n"
                            "mbarrier.arrive.shared.b64 %d1, "
                            "[%r9+2040];\nWAIT:\nmbarrier.try_wait.shared.b64 %p1, [%r9+2040], %d1;\n"
                            "@!%p1 bra WAIT;\nand.b32 %r3, %t, 31;\nmul.wide.u32 %d2, %r3, 32;\nmov.u64 %d3, "
                            "tile;\nadd.s64 %d3, %d3, %d2;\n"
                            "ld.shared.b32 %r4, [%d3];\nst.global.b32 [%out], %r4;\n",
                        in);
  ASSERT_FALSE(out.empty());
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t * 8], in[t % 32 * 8]) << t;
}

// ---- whole programs

const std::string kModule = ".version 8.7\n.target sm_90\n.address_size 64\n";
const std::string kEntry =
    ".visible .entry k(.param .u64 out)\n.reqnctapercluster 2, 1, 1\n{\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n"
    ".reg .pred %p<4>;\n.shared .align 8 .b8 s[256];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n"
    "mad.lo.u32 %r2, %r1, 32, %r0;\nld.param.u64 %d0, [out];\nmul.wide.u32 %d1, %r2, 4;\nadd.s64 %d0, %d0, "
    "%d1;\n"
    "mul.wide.u32 %d1, %r0, 4;\nmov.u64 %d2, s;\nadd.s64 %d2, %d2, %d1;\n";

struct Ran {
  std::vector<std::uint32_t> out;
  std::string fault;
  Counters counters;
};
Ran run_blocks(const std::string& text, std::uint32_t blocks, std::vector<std::uint64_t> some = {}) {
  Bench bench(text);
  EXPECT_EQ(bench.error(), "");
  if (!bench.error().empty()) return {};
  const auto out = bench.buffer("out", Words(blocks * 32));
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {32, 1, 1};
  launch.blocks = std::move(some);
  launch.arguments = ArgumentList().add(out).bytes();
  const auto outcome = bench.run(launch);
  if (!outcome) return {{}, to_line(outcome.error()), {}};
  return {bench.read<std::uint32_t>(out, blocks * 32), outcome->fault ? to_line(outcome->fault->error) : "",
          outcome->counters};
}

const std::string kMeet = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";

TEST(Cluster, BlocksReadEachOthersSharedMemory) {
  const std::string text = kModule + kEntry + "st.shared.b32 [%d2], %r2;\n" + kMeet +
                           "mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r3, %r3, 1;\ncvt.u32.u64 %r4, %d2;\n"
                           "mapa.shared::cluster.u32 %r5, %r4, %r3;\nld.shared::cluster.b32 %r6, [%r5];\n"
                           "getctarank.shared::cluster.u32 %r7, %r5;\nmad.lo.u32 %r6, %r7, 1000, %r6;\n"
                           "st.global.b32 [%d0], %r6;\n" +
                           kMeet + "ret;\n}\n";
  const Ran all = run_blocks(text, 4);
  ASSERT_EQ(all.fault, "");
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(all.out[i], (i ^ 32u) + ((i / 32) ^ 1u) % 2 * 1000) << i;
  // A block that is asked for alone runs with its cluster.
  const Ran some = run_blocks(text, 4, {3});
  EXPECT_EQ(some.fault, "");
  EXPECT_EQ(some.counters.blocks_run, 2u);
}

TEST(Cluster, AtomicsReachTheFirstBlock) {
  const Ran ran =
      run_blocks(kModule + kEntry + "mov.u32 %r8, 0;\nst.shared.b32 [%d2], %r8;\n" + kMeet +
                     "mov.u64 %d3, s;\ncvta.shared.u64 %d3, %d3;\nmapa.u64 %d4, %d3, 0;\n"
                     "atom.add.u32 %r9, [%d4], 1;\n" +
                     kMeet + "ld.u32 %r9, [%d4];\nst.global.b32 [%d0], %r9;\n" + kMeet + "ret;\n}\n",
                 2);
  ASSERT_EQ(ran.fault, "");
  for (const std::uint32_t value : ran.out) EXPECT_EQ(value, 64u);
}

TEST(Cluster, FaultsNameWhatIsWrong) {
  const auto fault_of = [](const std::string& body, std::uint32_t blocks) {
    return run_blocks(kModule + kEntry + body + "ret;\n}\n", blocks).fault;
  };
  EXPECT_NE(fault_of(kMeet, 3).find("cannot be divided into clusters"), std::string::npos);
  EXPECT_NE(fault_of("mapa.u64 %d3, %d2, 2;\n", 2).find("of block 2 of a cluster of 2 blocks"),
            std::string::npos);
  EXPECT_NE(fault_of("setp.eq.u32 %p0, %r1, 0;\n@%p0 ret;\nbarrier.cluster.arrive;\nmapa.u64 %d3, %d2, 0;\n"
                     "barrier.cluster.wait;\ncvta.shared.u64 %d3, %d3;\nld.b32 %r3, [%d3];\n",
                     2)
                .find("which has ended"),
            std::string::npos);
  EXPECT_NE(
      fault_of(
          "setp.eq.u32 %p0, %r1, 0;\n@%p0 bra SKIP;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nSKIP:\n"
          "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\nWAIT:\nbar.sync 1, 64;\nEND:\n",
          2)
          .find("barrier"),
      std::string::npos);
}

TEST(SharedBarrier, FaultsNameTheBarrier) {
  const auto fault_of = [](const std::string& body) {
    return run_blocks(kModule + kEntry + body + "ret;\n}\n", 2).fault;
  };
  EXPECT_NE(fault_of("mbarrier.arrive.shared.b64 %d3, [s];\n").find("nobody has initialized"),
            std::string::npos);
  const std::string init = "setp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [s], 33;\nbar.sync 0;\n";
  EXPECT_NE(
      fault_of(init +
               "mbarrier.arrive.shared.b64 %d3, [s];\nWAIT:\nmbarrier.try_wait.shared.b64 %p1, [s], %d3;\n"
               "@!%p1 bra WAIT;\n")
          .find("waits for ever at the barrier s + 0 bytes: 32 of 33 threads have arrived"),
      std::string::npos);
  EXPECT_NE(
      fault_of(init + "mbarrier.arrive.shared.b64 %d3, [s], 4;\n").find("all 33 that it waits for have come"),
      std::string::npos);
}

TEST(Grid, CooperativeGridsHaveToFit) {
  const std::string text = kModule + kEntry + "mov.u32 %r3, %envreg2;\nst.global.b32 [%d0], %r3;\nret;\n}\n";
  EXPECT_EQ(run_blocks(text, 4).fault, "");
  EXPECT_NE(run_blocks(text, 132 * 32 + 2).fault.find("too many blocks in cooperative launch"),
            std::string::npos);
}

// ---- calls

const std::string kFunctions =
    ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [x];\nadd.u32 %a2, "
    "%a1, %a1;\n"
    "st.param.b32 [r], %a2;\nret;\n}\n"
    ".func (.param .b32 r) next(.param .b32 x)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [x];\nadd.u32 %a2, "
    "%a1, 1;\n"
    "st.param.b32 [r], %a2;\nret;\n}\n.global .align 8 .u64 table[2] = {twice, next};\n";
const std::string kCall =
    "{\n.param .b32 x0;\nst.param.b32 [x0], %r2;\n.param .b32 r0;\np0: .callprototype (.param .b32 _) _ "
    "(.param .b32 _);\n"
    "call (r0), %d5, (x0), p0;\nld.param.b32 %r6, [r0];\n}\nst.global.b32 [%d0], %r6;\n";

TEST(PointerCall, EachLaneCallsItsOwn) {
  const Ran ran = run_blocks(kModule + kFunctions + kEntry +
                                 "and.b32 %r3, %r0, 1;\nmul.wide.u32 %d3, %r3, 8;\nmov.u64 %d4, table;\n"
                                 "add.s64 %d4, %d4, %d3;\nld.global.u64 %d5, [%d4];\n" +
                                 kCall + "ret;\n}\n",
                             2);
  ASSERT_EQ(ran.fault, "");
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(ran.out[i], i % 2 == 0 ? 2 * i : i + 1) << i;
}

TEST(PointerCall, FaultsSayWhatThePointerIs) {
  EXPECT_NE(run_blocks(kModule + kFunctions + kEntry + "mov.u64 %d5, 0;\n" + kCall + "ret;\n}\n", 2)
                .fault.find("calls a function through a null pointer"),
            std::string::npos);
  EXPECT_NE(run_blocks(kModule + kFunctions + kEntry + "mov.u64 %d5, 4711;\n" + kCall + "ret;\n}\n", 2)
                .fault.find("no function with these arguments"),
            std::string::npos);
}

// ---- the device's heap

const std::string kHeap =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";
const std::string kMalloc =
    "{\n.param .b64 n0;\nst.param.b64 [n0], %d3;\n.param .b64 r0;\ncall.uni (r0), malloc, "
    "(n0);\nld.param.b64 %d4, [r0];\n}\n";
const std::string kFree = "{\n.param .b64 p0;\nst.param.b64 [p0], %d4;\ncall.uni free, (p0);\n}\n";

TEST(Heap, GivesMemoryUntilItIsFull) {
  const Ran ran = run_blocks(
      kModule + kHeap + kEntry + "mov.u64 %d3, 64;\n" + kMalloc +
          "st.b32 [%d4+60], %r2;\nld.b32 %r5, [%d4+60];\n" + kFree + "mov.u64 %d3, 1048576;\n" + kMalloc +
          "setp.ne.u64 %p0, %d4, 0;\n@%p0 add.u32 %r5, %r5, 1000;\nst.global.b32 [%d0], %r5;\nret;\n}\n",
      2);
  ASSERT_EQ(ran.fault, "");
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(ran.out[i], i + (i < 7 ? 1000 : 0)) << i;  // 7 MB of 8
}

TEST(Heap, FaultsOfItsUsers) {
  const std::string get = kModule + kHeap + kEntry + "mov.u64 %d3, 64;\n" + kMalloc;
  EXPECT_NE(run_blocks(get + "ld.b32 %r5, [%d4+64];\nret;\n}\n", 2)
                .fault.find("past the end of memory from malloc()"),
            std::string::npos);
  EXPECT_NE(
      run_blocks(get + kFree + "ld.b32 %r5, [%d4];\nret;\n}\n", 2).fault.find("in memory that was freed"),
      std::string::npos);
  EXPECT_NE(run_blocks(get + kFree + kFree + "ret;\n}\n", 2).fault.find("frees memory that was freed before"),
            std::string::npos);
  EXPECT_NE(run_blocks(get + "add.s64 %d4, %d4, 16;\n" + kFree + "ret;\n}\n", 2)
                .fault.find("that malloc() did not give"),
            std::string::npos);
}

}  // namespace
}  // namespace warplens::emulator
