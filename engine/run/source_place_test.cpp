#include "engine/run/source_place.hpp"

#include <gtest/gtest.h>

namespace warplens::run {
namespace {

constexpr std::string_view text = R"(.version 9.0
.entry kernel()
{
	.loc	1 12 3
	mov.u32 %r1, 0;
	.loc	2 0 0
	tex.1d.v4.f32.s32 %f1;
	.loc	2 30 5, function_name $L__info_string0, inlined_at 1 14 3
	.loc	1 40 5, function_name $L__info_string1, inlined_at 1 14 3
	ret;
}
	.file	1 "/kernels/a.cu"
	.file	2 "b.cuh"
)";

TEST(SourcePlace, IsThatOfTheLastLocBefore) {
  EXPECT_EQ(source_place(text, 5), (Place{"/kernels/a.cu", 12, 0}));
  EXPECT_EQ(source_place(text, 10), (Place{"/kernels/a.cu", 40, 0}));
}

TEST(SourcePlace, OfAnotherFilesFunctionIsTheCall) {
  EXPECT_EQ(source_place(text, 8), (Place{"/kernels/a.cu", 14, 0}));
}

// As NVRTC writes a function of its header that calls another one there.
TEST(SourcePlace, OfCallsInAnotherFileIsTheKernelsOwn) {
  constexpr std::string_view nested = R"(
	.loc	1 12 1
	.loc	2 4791 1, function_name $L__info_string0, inlined_at 1 12 1
	.loc	2 4785 1, function_name $L__info_string1, inlined_at 2 4791 1
	tex.1d.v4.f32.s32 	{%f1, %f2, %f3, %f4}, [%rd3, {%r1}];
	.file	1 "a.cu"
	.file	2 "header.h"
)";
  EXPECT_EQ(source_place(nested, 5), (Place{"a.cu", 12, 0}));
}

// `.loc 2 0` says that the compiler made the line up.
TEST(SourcePlace, PassesOverLinesThatStandForNone) {
  EXPECT_EQ(source_place(text, 7), (Place{"/kernels/a.cu", 12, 0}));
}

TEST(SourcePlace, IsTheFileAloneBeforeTheFirstLoc) {
  EXPECT_EQ(source_place(text, 2), (Place{"/kernels/a.cu", 0, 0}));
}

TEST(SourcePlace, IsEmptyWithoutDirectives) {
  for (const std::string_view bare : {"", "\n\n", ".loc", ".file 1 \"", ".version 9.0\nret;"})
    for (const int line : {-1, 0, 1, 99}) EXPECT_EQ(source_place(bare, line).file, "") << bare;
}

}  // namespace
}  // namespace warplens::run
