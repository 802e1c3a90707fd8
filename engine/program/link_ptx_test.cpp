#include "engine/program/link_ptx.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/device/testing/project_table.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/ptx/parser.hpp"

namespace warplens::program {
namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";
constexpr const char* kMain = R"(
.extern .func (.param .b32 r) twice (.param .b32 a);
.extern .global .align 4 .u32 offset;
.global .align 1 .b8 $str[2] = {65, 0};
.visible .entry k(.param .u64 to) {
  .reg .b32 %r<4>;
  .reg .b64 %d<3>;
  .param .b32 a;
  .param .b32 r;
  ld.param.u64 %d1, [to];
  mov.u32 %r1, 21;
  st.param.b32 [a], %r1;
  call.uni (r), twice, (a);
  ld.param.b32 %r2, [r];
  ld.global.u32 %r3, [offset];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%d1], %r2;
  ret;
})";
constexpr const char* kOther = R"(
.global .align 1 .b8 $str[2] = {66, 0};
.visible .global .align 4 .u32 offset = 100;
.visible .func (.param .b32 r) twice (.param .b32 a) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [a];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [r], %r2;
  ret;
})";

ptx::Program parsed(const std::string& text) {
  auto all = ptx::parse(std::string(kHead) + text);
  EXPECT_TRUE(all.errors.empty()) << (all.errors.empty() ? "" : to_line(all.errors.front()));
  return std::move(all.program);
}

std::uint32_t result_of(std::vector<ptx::Program> parts) {
  const auto whole = std::make_shared<const ptx::Program>(link(std::move(parts)));
  const auto kernel = emulator::Kernel::prepare(whole, "k", *device::project_table()->find("h100"));
  if (!kernel) {
    ADD_FAILURE() << to_line(kernel.error());
    return 0;
  }
  auto memory = *emulator::GlobalMemory::create(1 << 24);
  const auto to = *memory.allocate("to", 4);
  emulator::Launch launch;
  launch.arguments.resize(8);
  std::memcpy(launch.arguments.data(), &to.address, 8);
  const auto outcome = (*kernel)->run(launch, memory);
  EXPECT_TRUE(outcome && !outcome->fault);
  std::uint32_t value = 0;
  std::memcpy(&value, memory.bytes(to).data(), 4);
  return value;
}

TEST(LinkPtx, DeclarationsMeetDefinitionsInEitherOrder) {
  EXPECT_EQ(result_of({parsed(kMain), parsed(kOther)}), 142u);
  EXPECT_EQ(result_of({parsed(kOther), parsed(kMain)}), 142u);
}

TEST(LinkPtx, TextsOfTheSameNameStayApart) {
  const ptx::Program whole = link({parsed(kMain), parsed(kOther)});
  const auto texts = std::ranges::count(whole.variables, std::string("$str"), &ptx::Variable::name);
  EXPECT_EQ(texts, 2);
  EXPECT_EQ(std::ranges::count(whole.variables, std::string("offset"), &ptx::Variable::name), 1);
}

}  // namespace
}  // namespace warplens::program
