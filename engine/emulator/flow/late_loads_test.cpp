// Loads from global memory that machine code has behind the guard which the PTX has them in front of.
#include "engine/emulator/flow/late_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {
namespace {

std::string guarded_kernel(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p0, .param .u32 p1) {
.reg .pred %p<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p1]; cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r3, %tid.x; setp.ge.s32 %p1, %r3, %r1;
)" + body +
         "}";
}

const std::string kPlace = "mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n";
const std::string kEarlyLoad = "ld.global.f32 %f1, [%rd3];\n";
const std::string kLeave = "@%p1 bra A;\n";
const std::string kUse = "st.global.f32 [%rd3+128], %f1;\n", kUseAndEnd = kUse + "A: ret;\n";

struct LateCase {
  const char* name;
  std::string body;
  bool behind_exit = true;  // in the machine code
  bool moves = true;
};

const LateCase kLateCases[] = {
    {"BehindTheExit", kPlace + kEarlyLoad + kLeave + kUseAndEnd},
    {"InFrontOfTheExit", kPlace + kEarlyLoad + kLeave + kUseAndEnd, false, false},
    {"NeededByTheGuard", kPlace + kEarlyLoad + "setp.gt.f32 %p1, %f1, 0f00000000;\n" + kLeave + kUseAndEnd,
     true, false},
    {"BehindAStore", kPlace + kEarlyLoad + "st.global.f32 [%rd3], %f2;\n" + kLeave + kUseAndEnd, true, false},
    {"FromAnAddressThatChanges", kPlace + kEarlyLoad + "add.s64 %rd3, %rd3, 4;\n" + kLeave + kUseAndEnd, true,
     false},
    {"NeededOnTheOtherPath", kPlace + kEarlyLoad + kLeave + kUse + "A: st.global.f32 [%rd1], %f1;\nret;\n",
     true, false},
};

bool is_loaded_late(const ptx::Function& flat) {
  bool has_left = false;
  for (const ptx::Instruction& i : flat.code) {
    has_left |= i.opcode == ptx::Opcode::bra;
    if (i.opcode == ptx::Opcode::ld && i.space == ptx::Space::global) return has_left;
  }
  return false;
}

class LateLoads : public testing::TestWithParam<LateCase> {};

TEST_P(LateLoads, StandWhereTheMachineCodeHasThem) {
  const std::string ptx = guarded_kernel(GetParam().body);
  const Bench as_written(ptx);
  ASSERT_EQ(as_written.error(), "");
  const ptx::Function& written = as_written.kernel()->function();
  MachineAccesses machine;
  for (const ptx::Instruction& i : written.code)
    if (i.space == ptx::Space::global)
      machine.accesses.push_back({i.opcode == ptx::Opcode::st, i.ptx_line, 4, ptx::Space::global,
                                  i.opcode == ptx::Opcode::st || GetParam().behind_exit});
  const Bench bench(ptx, "", test_device(), &machine);
  const ptx::Function& flat = bench.kernel()->function();
  ASSERT_FALSE(is_loaded_late(written));
  EXPECT_EQ(is_loaded_late(flat), GetParam().moves);
  EXPECT_EQ(flat.code.size(), written.code.size());
}

INSTANTIATE_TEST_SUITE_P(MachineCode, LateLoads, testing::ValuesIn(kLateCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace warplens::emulator
