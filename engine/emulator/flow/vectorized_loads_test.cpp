// The model of vectorized loads, one rule a row: PTX and the shared accesses that ptxas 13.0 was seen to make
// of it for sm_90 (probes assembled by ptxas and read with nvdisasm).
#include "engine/emulator/flow/vectorized_loads.hpp"

#include <gtest/gtest.h>

#include "engine/emulator/testing/shared_probe.hpp"

namespace warplens::emulator {
namespace {

struct Rule {
  const char* name;
  std::string body;
  std::string loads;  // widths in PTX order, of those that are issued
  std::string stores = "";
};

const std::string kFourLoads = load(1, "%r20") + load(2, "%r20+4") + load(3, "%r20+8") + load(4, "%r20+12");
std::string aligned(const std::string& setup) { return setup + " add.s32 %r20, %r20, %r7;\n" + kFourLoads; }
std::string between(const std::string& middle) { return load(1, "%r10") + middle + "\n" + load(2, "%r10+4"); }

const Rule kRules[] = {
    {"Two", load(1, "%r10") + load(2, "%r10+4"), "8"},
    {"TwoReversed", load(2, "%r10+4") + load(1, "%r10"), "8"},
    {"Three", load(1, "%r10") + load(2, "%r10+4") + load(3, "%r10+12"), "16"},
    {"UpperPair", load(1, "%r10+8") + load(2, "%r10+12"), "8"},
    {"PairAcrossEights", load(1, "%r10+4") + load(2, "%r10+8"), "4 4"},
    {"FirstAndThird", load(1, "%r10") + load(2, "%r10+8"), "4 4"},
    {"TwoPieces", load(1, "%r10+4") + load(2, "%r10+8") + load(3, "%r10+12") + load(4, "%r10+16"), "16 4"},
    {"Same", load(1, "%r10") + load(2, "%r10"), "4"},
    {"VectorAndWord", "ld.shared.v2.f32 {%f1, %f2}, [%r10];\n" + load(3, "%r10+8"), "16"},
    {"DeadHalf", "ld.shared.v4.f32 {%f1, %f2, %f21, %f22}, [%r10];", "8"},
    {"DeadFront", "ld.shared.v4.f32 {%f21, %f22, %f23, %f4}, [%r10];", "4"},
    {"DeadLoad", load(21, "%r10") + load(1, "%r10+4"), "4"},
    {"Doubles", "ld.shared.f64 %d1, [%r10]; ld.shared.f64 %d2, [%r10+8];", "16"},
    {"DoubleAndWords", "ld.shared.f64 %d1, [%r10];\n" + load(1, "%r10+8") + load(2, "%r10+12"), "8 8"},
    {"Bytes",
     "ld.shared.u8 %r21, [%r10]; ld.shared.u8 %r22, [%r10+1]; add.s32 %r21, %r21, %r22; st.global.u32 "
     "[%rd1], %r21;",
     "1 1"},
    {"Halves", "ld.shared.u16 %h1, [%r10]; ld.shared.u16 %h2, [%r10+2]; st.global.v2.u16 [%rd1], {%h1, %h2};",
     "4"},
    {"WidenedHalves",
     "ld.shared.u16 %h1, [%r10]; ld.shared.u16 %h2, [%r10+2]; cvt.u32.u16 %r21, %h1; cvt.u32.u16 %r22, %h2; "
     "st.global.v2.u32 [%rd1], {%r21, %r22};",
     "2 2"},
    {"SignedHalves",
     "ld.shared.s16 %r21, [%r10]; ld.shared.s16 %r22, [%r10+2]; st.global.v2.u32 [%rd1], {%r21, %r22};",
     "2 2"},
    {"Volatile", "ld.volatile.shared.f32 %f1, [%r10]; ld.volatile.shared.f32 %f2, [%r10+4];", "4 4"},
    // What may be between them.
    {"OverGlobalStore", between("st.global.f32 [%rd1+64], %f1;"), "8"},
    {"OverGlobalAtomic", between("atom.global.add.u32 %r21, [%rd1], 1;"), "8"},
    {"OverShuffle", between("shfl.sync.down.b32 %r21, %r3, 1, 31, -1;"), "8"},
    {"OverCommit", between("cp.async.commit_group;"), "8"},
    {"NotOverStore", between(store("%r11")), "4 4", "4"},
    {"NotOverBarrier", between("bar.sync 0;"), "4 4"},
    {"NotOverWarpBarrier", between("bar.warp.sync -1;"), "4 4"},
    {"NotOverFence", between("membar.cta;"), "4 4"},
    {"NotOverAsyncWait", between("cp.async.wait_group 0;"), "4 4"},
    {"NotOverGenericStore", between("st.f32 [%rd1], %f1;"), "4 4"},
    {"NotOverSharedAtomic", between("atom.shared.add.u32 %r21, [%r11], 1;"), "4 4"},
    {"NotOverIeeeDivision", between("div.rn.f32 %f3, %f9, %f1;"), "4 4"},
    {"OverFastDivision", between("div.approx.f32 %f3, %f9, %f1;"), "8"},
    // Addresses.
    {"ConstantApart", "add.s32 %r20, %r10, 4;\n" + load(1, "%r10") + load(2, "%r20"), "8"},
    {"OrIsNoSum", "or.b32 %r20, %r10, 4;\n" + load(1, "%r10") + load(2, "%r20"), "4 4"},
    {"SameExpression",
     "shl.b32 %r21, %r3, 4; add.s32 %r20, %r21, %r7;\n" + load(1, "%r10") + load(2, "%r20+4"), "8"},
    {"ConstantInsideProduct",
     "add.s32 %r21, %r3, 1; shl.b32 %r22, %r21, 4; add.s32 %r20, %r22, %r7;\n" + load(1, "%r10+8") +
         load(2, "%r20+-4"),
     "8"},
    {"NotThroughWidening",
     "mov.u64 %rd2, s; shl.b32 %r20, %r3, 1; add.s32 %r21, %r20, 1; mul.wide.s32 %rd3, %r20, 4; mul.wide.s32 "
     "%rd4, %r21, 4; add.s64 %rd3, %rd2, %rd3; add.s64 %rd4, %rd2, %rd4;\n" +
         load(1, "%rd3") + load(2, "%rd4"),
     "4 4"},
    // Alignment.
    {"AlignedToEight", aligned("shl.b32 %r20, %r3, 3;"), "8 8"},
    {"AlignedToFour", aligned("shl.b32 %r20, %r3, 2;"), "4 4 4 4"},
    {"Masked", aligned("and.b32 %r20, %r1, -16;"), "16"},
    {"SelectedAligned", aligned("shl.b32 %r21, %r1, 4; selp.b32 %r20, %r21, %r9, %p1;"), "16"},
    {"MinimumForgets", aligned("shl.b32 %r21, %r1, 4; min.s32 %r20, %r21, %r9;"), "4 4 4 4"},
    {"ShiftRightForgets", aligned("shl.b32 %r21, %r1, 8; shr.u32 %r20, %r21, 4;"), "4 4 4 4"},
    {"VectorAccessAligns",
     "shl.b32 %r20, %r1, 2; ld.shared.v4.f32 {%f21, %f22, %f23, %f24}, [%r20+16]; st.global.v4.f32 "
     "[%rd1+64], {%f21, %f22, %f23, %f24}; bar.sync 0;\n" +
         kFourLoads,
     "16 16"},
    {"LoopPointerKeepsZerosOnly",
     "add.s32 %r20, %r10, 4; A: bar.sync 0; ld.shared.f32 %f1, [%r20+-4]; ld.shared.f32 %f2, [%r20]; add.s32 "
     "%r20, %r20, 8; setp.lt.s32 %p2, %r20, %r1; @%p2 bra A;",
     "4 4"},
    {"LoopPointerAligned",
     "mov.u32 %r20, %r10; A: bar.sync 0; ld.shared.f32 %f1, [%r20]; ld.shared.f32 %f2, [%r20+4]; add.s32 "
     "%r20, %r20, 8; setp.lt.s32 %p2, %r20, %r1; @%p2 bra A;",
     "8"},
    // Paths.
    {"IntoBranch", load(1, "%r10") + "@%p1 bra A;\n" + load(2, "%r10+4") + "A:", "8"},
    {"ChainOfExits",
     load(1, "%r10") + "@%p1 bra A;\n" + load(2, "%r10+4") + "@%p1 bra A;\n" + load(3, "%r10+8") + "A:",
     "16"},
    {"BothSides",
     load(1, "%r10") + "@%p1 bra A;\n" + load(2, "%r10+4") + "bra B; A:\n" + load(2, "%r10+4") + "B:", "8"},
    {"NotFromBranch", "@%p1 bra A;\n" + load(1, "%r10") + "A:\n" + load(2, "%r10+4"), "4 4"},
    {"NotAcrossSides", "@%p1 bra A;\n" + load(1, "%r10") + "bra B; A:\n" + load(2, "%r10+4") + "B:", "4 4"},
    {"OverBranch", load(1, "%r10") + "@%p1 bra A; ld.global.f32 %f3, [%rd1]; A:\n" + load(2, "%r10+4"), "8"},
    {"NotOverBranchWithStore", load(1, "%r10") + "@%p1 bra A;\n" + store("%r11") + "A:\n" + load(2, "%r10+4"),
     "4 4", "4"},
    {"NotIntoLoopWithBarrier",
     load(1, "%r10") + "mov.u32 %r21, 0; A:\n" + load(2, "%r10+4") +
         "bar.sync 0; add.s32 %r21, %r21, 1; setp.lt.s32 %p2, %r21, %r1; @%p2 bra A;",
     "4 4"},
    {"Guarded", load(1, "%r10", "@%p1") + load(2, "%r10+4", "@%p1"), "4 4"},
    {"GuardedJoins", load(1, "%r10") + load(2, "%r10+4", "@%p1"), "8"},
    {"GuardedDoesNotLead", load(1, "%r10", "@%p1") + load(2, "%r10+4"), "4 4"},
    // Stores.
    {"TwoStores", store("%r10") + store("%r10+4"), "", "8"},
    {"FourStores", store("%r10+8") + store("%r10") + store("%r10+12") + store("%r10+4"), "", "16"},
    {"ThreeStores", store("%r10") + store("%r10+4") + store("%r10+8"), "", "8 4"},
    {"VectorStores", "st.shared.v2.f32 [%r10], {%f9, %f9}; st.shared.v2.f32 [%r10+8], {%f9, %f9};", "", "16"},
    {"MixedStores", "st.shared.v2.f32 [%r10], {%f9, %f9};\n" + store("%r10+8") + store("%r10+12"), "",
     "8 4 4"},
    {"StoresOverGlobal", store("%r10") + "st.global.f32 [%rd1], %f9;\n" + store("%r10+4"), "", "8"},
    {"StoresInterleaved", store("%r10") + store("%r10+32") + store("%r10+4") + store("%r10+36"), "",
     "4 4 4 4"},
    {"StoresNotOverLoad", store("%r10") + load(1, "%r11") + store("%r10+4"), "4", "4 4"},
    {"StoresNotOverBranch", store("%r10") + "@%p1 bra A; ld.global.f32 %f9, [%rd1]; A:\n" + store("%r10+4"),
     "", "4 4"},
    {"StoredWordStaysInRegister", store("%r10") + load(1, "%r10") + load(2, "%r10+4"), "4", "4"},
};

class MergeRule : public testing::TestWithParam<Rule> {};

TEST_P(MergeRule, IsThatOfPtxas) {
  const Bench bench(kernel_of(GetParam().body));
  ASSERT_EQ(bench.error(), "");
  EXPECT_EQ(widths(*bench.kernel(), ptx::Opcode::ld), GetParam().loads);
  EXPECT_EQ(widths(*bench.kernel(), ptx::Opcode::st), GetParam().stores);
}

INSTANTIATE_TEST_SUITE_P(Ptxas, MergeRule, testing::ValuesIn(kRules),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(LoadMerge, LeaderKnowsWhereTheMergedAccessStarts) {
  const Bench bench(kernel_of(load(1, "%r10+12") + load(2, "%r10+4") + load(3, "%r10+8")));
  ASSERT_EQ(bench.error(), "");
  const auto& vectorized = bench.kernel()->shared_accesses();
  std::vector<std::uint32_t> loads;
  for (std::uint32_t pc = 0; pc < vectorized.size(); ++pc)
    if (vectorized[pc].width != 0) loads.push_back(pc);
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_EQ(vectorized[loads[0]].leader, loads[0]);
  EXPECT_EQ(vectorized[loads[0]].offset, 0);
  EXPECT_EQ(vectorized[loads[1]].leader, loads[0]);
  EXPECT_EQ(vectorized[loads[2]].leader, loads[0]);
}

}  // namespace
}  // namespace warplens::emulator
