// Loads from global memory that machine code leaves out: PTX, which of its loads have an instruction of their
// own, and which are counted.
#include "engine/emulator/flow/repeated_loads.hpp"

#include <gtest/gtest.h>

#include "engine/emulator/testing/shared_probe.hpp"

namespace warplens::emulator {
namespace {

std::string global_load(int f, const std::string& address, const std::string& guard = "") {
  return guard + " ld.global.f32 %f" + std::to_string(f) + ", [" + address + "];\n";
}
const std::string kAddress = "mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n";
const std::string kVote = "vote.sync.ballot.b32 %r20, %p1, -1;\n";

struct RepeatedCase {
  const char* name;
  std::string body;
  std::vector<bool> has_instruction;  // of each load of the body in turn
  std::vector<bool> is_counted;
};

const RepeatedCase kRepeatedCases[] = {
    {"OverVotes",
     kAddress + global_load(1, "%rd3") + kVote + global_load(2, "%rd3") + kVote + global_load(3, "%rd3"),
     {true, false, false},
     {true, false, false}},
    {"AllIssued",
     kAddress + global_load(1, "%rd3") + kVote + global_load(2, "%rd3"),
     {true, true},
     {true, true}},
    {"OtherElement",
     kAddress + global_load(1, "%rd3") + global_load(2, "%rd3+4"),
     {true, false},
     {true, true}},
    {"OfALaterOne", kAddress + global_load(1, "%rd3") + global_load(2, "%rd3"), {false, true}, {true, true}},
    {"OfAPathThatIsNotTaken",
     kAddress + "@%p1 bra A;\n" + global_load(1, "%rd3") + "A:\n" + global_load(2, "%rd3"),
     {true, false},
     {true, true}},
    {"OfADominatingBlock",
     kAddress + global_load(1, "%rd3") + "@%p1 bra A;\n" + global_load(2, "%rd3") + "A:\n",
     {true, false},
     {true, false}},
    {"OfAGuardedOne",
     kAddress + global_load(1, "%rd3", "@%p1") + global_load(2, "%rd3"),
     {true, false},
     {true, true}},
    {"OfAnAddressThatChanged",
     kAddress + global_load(1, "%rd3") + "add.s64 %rd3, %rd3, 4;\n" + global_load(2, "%rd3"),
     {true, false},
     {true, true}},
};

std::vector<IssuedAccess> issued_with(const Kernel& kernel, const std::vector<bool>& has_instruction) {
  std::vector<IssuedAccess> issued;
  std::size_t next = 0;
  for (const ptx::Instruction& i : kernel.function().code)
    if (i.opcode == ptx::Opcode::ld && i.space == ptx::Space::global && has_instruction.at(next++))
      issued.push_back({false, i.ptx_line, 4, ptx::Space::global});
  EXPECT_EQ(next, has_instruction.size());
  return issued;
}

std::vector<bool> counted(const Kernel& kernel) {
  std::vector<bool> counted;
  for (std::uint32_t pc = 0; pc < kernel.function().code.size(); ++pc) {
    const ptx::Instruction& i = kernel.function().code[pc];
    if (i.opcode == ptx::Opcode::ld && i.space == ptx::Space::global)
      counted.push_back(kernel.shared_accesses()[pc].leader == pc);
  }
  return counted;
}

class RepeatedLoads : public testing::TestWithParam<RepeatedCase> {};

TEST_P(RepeatedLoads, AreNotCounted) {
  const std::string ptx = kernel_of(GetParam().body);
  const Bench without(ptx);
  ASSERT_EQ(without.error(), "");
  const auto issued = issued_with(*without.kernel(), GetParam().has_instruction);
  const MachineAccesses machine{issued, {}};
  const Bench bench(ptx, "", test_device(), &machine);
  EXPECT_EQ(counted(*bench.kernel()), GetParam().is_counted);
  EXPECT_TRUE(are_issued(bench.kernel()->function(), bench.kernel()->shared_accesses(), issued));
  EXPECT_EQ(are_issued(without.kernel()->function(), without.kernel()->shared_accesses(), issued),
            counted(*without.kernel()) == GetParam().is_counted);
}

TEST_P(RepeatedLoads, AreCountedWhereALineIsNotKnown) {
  const std::string ptx = kernel_of(GetParam().body);
  auto issued = issued_with(*Bench(ptx).kernel(), GetParam().has_instruction);
  issued.push_back({false, 0, 4, ptx::Space::global});
  const MachineAccesses machine{issued, {}};
  const Bench bench(ptx, "", test_device(), &machine);
  EXPECT_EQ(counted(*bench.kernel()), std::vector<bool>(GetParam().is_counted.size(), true));
}

INSTANTIATE_TEST_SUITE_P(MachineCode, RepeatedLoads, testing::ValuesIn(kRepeatedCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace warplens::emulator
