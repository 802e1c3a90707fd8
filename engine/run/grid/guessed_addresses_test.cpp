#include "engine/run/grid/guessed_addresses.hpp"

#include <gtest/gtest.h>

#include "engine/ptx/parser.hpp"

namespace warplens::run {
namespace {

// Stores at y[%r1], line 9, behind a loop that goes on by `more`, in line 5.
DataUse use_in_loop(const std::string& more) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
      ".visible .entry kernel(.param .u64 x, .param .u64 y)\n{\n"
      ".reg .b32 %r<10>;\n.reg .f32 %f<4>;\n.reg .b64 %d<8>;\n.reg .pred %p<4>;\n"
      ".loc 1 1 0\nld.param.u64 %d1, [x];\nld.param.u64 %d2, [y];\nld.global.f32 %f1, [%d1];\n"
      "cvt.rzi.s32.f32 %r2, %f1;\nmov.u32 %r1, 0;\nsetp.lt.s32 %p1, %r2, 4;\n@%p1 bra REST;\n"
      "TURN:\n.loc 1 5 0\nadd.s32 %r1, %r1, 4;\n" +
      more +
      "@%p2 bra TURN;\nREST:\n.loc 1 9 0\nmul.wide.s32 %d3, %r1, 4;\nadd.s64 %d4, %d2, %d3;\n"
      "st.global.u32 [%d4], %r1;\nret;\n}\n";
  const ptx::Parsed parsed = ptx::parse(text);
  EXPECT_TRUE(parsed.errors.empty());
  const ptx::Function& function = parsed.program.functions[0];
  std::vector<int> lines;
  for (const ptx::Instruction& i : function.code)
    lines.push_back(i.location < 0 ? 0 : function.locations[static_cast<std::size_t>(i.location)].line);
  return use_of_data(function, lines, {{0, 0, "x"}, {1, 0, "y"}});
}

TEST(DataUse, WhatALoopCountsIsNoSearch) {
  const DataUse counts = use_in_loop("setp.lt.s32 %p2, %r1, %r2;\n");
  EXPECT_FALSE(counts.searched.has(9, "y"));
  const DataUse searches = use_in_loop(
      "mul.wide.s32 %d5, %r1, 4;\nadd.s64 %d6, %d1, %d5;\nld.global.f32 %f2, [%d6];\nsetp.lt.f32 %p2, %f2, "
      "%f1;\n");
  EXPECT_TRUE(searches.searched.has(9, "y"));
  EXPECT_FALSE(searches.searched.has(9, "x"));
}

}  // namespace
}  // namespace warplens::run
