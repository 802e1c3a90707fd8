// Shared accesses taken from machine code: PTX, what stands in the machine code at each of its accesses, and
// what becomes of them.
#include "engine/emulator/flow/issued_accesses.hpp"

#include <gtest/gtest.h>

#include "engine/emulator/testing/shared_probe.hpp"

namespace warplens::emulator {
namespace {

// Of each shared access of the PTX in turn the widths that the machine code has at its line: none, or several
// where ptxas copied it.
using Widths = std::vector<std::vector<std::uint8_t>>;

std::vector<IssuedAccess> issued_at(const Kernel& kernel, const Widths& widths) {
  std::vector<IssuedAccess> issued;
  std::size_t next = 0;
  for (std::uint32_t pc = 0; pc < kernel.shared_accesses().size(); ++pc) {
    const ptx::Instruction& i = kernel.function().code[pc];
    if (kernel.shared_accesses()[pc].width == 0) continue;
    for (const std::uint8_t width : widths.at(next))
      issued.push_back({i.opcode == ptx::Opcode::st, i.ptx_line, width});
    ++next;
  }
  EXPECT_EQ(next, widths.size());
  return issued;
}

struct Case {
  const char* name;
  std::string body;
  Widths machine;
  std::string loads, stores;  // that are issued
  bool agrees = true;
};

const std::string kFour = load(1, "%r20") + load(2, "%r20+4") + load(3, "%r20+8") + load(4, "%r20+12");
const std::string kFourAligned = "add.s32 %r20, %r10, 0;\n" + kFour;
const std::string kLoop = "add.s32 %r21, %r21, 1; setp.lt.s32 %p2, %r21, %r1; @%p2 bra A;";

const Case kCases[] = {
    // What the model expects otherwise.
    {"NotVectorized", kFourAligned, {{4}, {4}, {4}, {4}}, "4 4 4 4", ""},
    {"PairsOnly", kFourAligned, {{8}, {}, {8}, {}}, "8 8", ""},
    {"OneAndThree", kFourAligned, {{4}, {16}, {}, {}}, "4 16", ""},
    {"OverAStoreElsewhere", load(1, "%r10") + store("%r11") + load(2, "%r10+4"), {{8}, {4}, {}}, "8", "4"},
    {"AddressOfUnknownAlignment",
     "shl.b32 %r21, %r1, 2; add.s32 %r20, %r21, %r7;\n" + kFour,
     {{16}, {}, {}, {}},
     "16",
     ""},
    {"BytesAsOneWord",
     "ld.shared.v4.u8 {%h1, %h2, %h3, %h4}, [%r10+4];\nld.shared.v4.u8 {%h5, %h6, %h7, %h1}, [%r10];",
     {{8}, {}},
     "8",
     ""},
    {"StoresOfDifferentTypes",
     "st.shared.v2.f32 [%r10], {%f9, %f9};\n" + store("%r10+8") + store("%r10+12"),
     {{}, {}, {16}},
     "",
     "16"},
    {"TwoGroupsOfStores",
     store("%r10") + store("%r10+4") + "bar.sync 0;\n" + store("%r10") + store("%r10+4"),
     {{}, {8}, {4}, {4}},
     "",
     "8 4 4"},
    // Several accesses of one group have the name of its first load.
    {"TwoNamedByTheFirst", load(1, "%r10+12") + load(2, "%r10"), {{4, 4}, {}}, "4 4", ""},
    // Copies.
    {"CopiedWhole",
     "mov.u32 %r21, 0; A:\n" + load(1, "%r10") + load(2, "%r11") + kLoop,
     {{4, 4, 4}, {4, 4, 4}},
     "4 4",
     ""},
    {"CopiedInPart",
     "mov.u32 %r21, 0; A:\n" + load(1, "%r10") + load(2, "%r11") + kLoop,
     {{4, 4, 4}, {4, 4}},
     "4 4",
     "",
     false},
    {"CopiedBehindWarpBarriers",
     load(1, "%r10") + "bar.warp.sync -1;\n" + load(2, "%r11"),
     {{4}, {4, 4}},
     "4 4",
     ""},
    // What cannot be told stays as the model has it.
    {"OverTheTurnsOfALoop", "mov.u32 %r21, 0; A:\n" + load(1, "%r10") + kLoop, {{16}}, "4", "", false},
    {"HalfOverTheTurnsOfALoop",
     "mov.u32 %r21, 0; A:\n" + load(1, "%r10") + load(2, "%r10+4") + kLoop,
     {{16}, {}},
     "8",
     "",
     false},
    {"SeveralWidths", load(1, "%r10"), {{4, 16}}, "4", "", false},
    {"StoresOfTwoBranchesMadeOne",
     "@%p1 bra A;\n" + store("%r10") + "bra B; A:\n" + store("%r11") + "B:\n" + store("%r10+32"),
     {{}, {}, {4}},
     "",
     "4 4 4",
     false},
    {"OnlyTheRestIsTakenOver",
     load(1, "%r10") + load(2, "%r10+4") + "bar.sync 0;\n" + load(3, "%r11"),
     {{4}, {4}, {4, 16}},
     "4 4 4",
     "",
     false},
    {"NothingIssued", load(1, "%r10"), {{}}, "4", "", false},
};

class Issued : public testing::TestWithParam<Case> {};

TEST_P(Issued, IsWhatTheMachineCodeSays) {
  const std::string ptx = kernel_of(GetParam().body);
  const Bench modelled(ptx);
  ASSERT_EQ(modelled.error(), "");
  const auto issued = issued_at(*modelled.kernel(), GetParam().machine);
  const MachineAccesses machine{issued, {}};
  const Bench bench(ptx, "", test_device(), &machine);
  const Kernel& kernel = *bench.kernel();
  EXPECT_EQ(widths(kernel, ptx::Opcode::ld), GetParam().loads);
  EXPECT_EQ(widths(kernel, ptx::Opcode::st), GetParam().stores);
  EXPECT_EQ(are_issued(kernel.function(), kernel.shared_accesses(), issued), GetParam().agrees);
}

INSTANTIATE_TEST_SUITE_P(MachineCode, Issued, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Issued, AccessesOfUnknownLinesAreNotTheExpectedOnes) {
  const Bench bench(kernel_of(load(1, "%r10")));
  const Kernel& kernel = *bench.kernel();
  auto issued = issued_at(kernel, {{4}});
  EXPECT_TRUE(are_issued(kernel.function(), kernel.shared_accesses(), issued));
  issued.push_back({false, 0, 4});
  EXPECT_FALSE(are_issued(kernel.function(), kernel.shared_accesses(), issued));
}

TEST(Issued, KnowWhereTheyStart) {
  const std::string ptx = kernel_of("shl.b32 %r21, %r1, 2; add.s32 %r20, %r21, %r7;\n" + load(1, "%r20+8") +
                                    load(2, "%r20+12") + load(3, "%r20+4") + load(4, "%r20"));
  const auto issued = issued_at(*Bench(ptx).kernel(), {{16}, {}, {}, {}});
  const MachineAccesses machine{issued, {}};
  const Bench bench(ptx, "", test_device(), &machine);
  const auto& accesses = bench.kernel()->shared_accesses();
  std::vector<std::uint32_t> loads;
  for (std::uint32_t pc = 0; pc < accesses.size(); ++pc)
    if (accesses[pc].width != 0) loads.push_back(pc);
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(accesses[loads[0]].offset, 0);
  for (const std::uint32_t pc : loads) EXPECT_EQ(accesses[pc].leader, loads[0]);
}

}  // namespace
}  // namespace warplens::emulator
