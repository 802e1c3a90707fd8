// For tests: kernels that load from and store to shared memory, and how wide that is done.
#pragma once

#include <string>

#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::emulator {

// %r10: array `s`, 16 bytes a thread; %r11: array `t` likewise; %p1 differs by thread.
inline std::string kernel_of(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p0, .param .u32 p1) {
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<8>; .reg .f64 %d<8>;
.shared .align 16 .b8 s[8192];
.shared .align 16 .b8 t[4096];
ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p1]; cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r3, %tid.x; mov.u32 %r7, s; mov.u32 %r8, t; shl.b32 %r9, %r3, 4;
add.s32 %r10, %r7, %r9; add.s32 %r11, %r8, %r9; setp.gt.s32 %p1, %r1, %r3;
mov.f32 %f9, 0f3F800000;
)" + body +
         R"(
st.global.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};
st.global.v2.f64 [%rd1+16], {%d1, %d2};
ret;
})";
}

inline std::string load(int f, const std::string& address, const std::string& guard = "") {
  return guard + " ld.shared.f32 %f" + std::to_string(f) + ", [" + address + "];\n";
}
inline std::string store(const std::string& address) { return "st.shared.f32 [" + address + "], %f9;\n"; }

// Of those that are issued, in the order of the PTX.
inline std::string widths(const Kernel& kernel, ptx::Opcode opcode) {
  std::string text;
  const auto& vectorized = kernel.shared_accesses();
  for (std::uint32_t pc = 0; pc < vectorized.size(); ++pc)
    if (vectorized[pc].width != 0 && vectorized[pc].leader == pc &&
        kernel.function().code[pc].opcode == opcode)
      text += (text.empty() ? "" : " ") + std::to_string(vectorized[pc].width);
  return text;
}

}  // namespace warplens::emulator
