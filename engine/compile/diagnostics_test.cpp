#include "engine/compile/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::compile {
namespace {

using testing::ElementsAre, testing::HasSubstr;

Request request_named(const std::string& file_name) {
  Request request;
  request.file_name = file_name;
  request.source = "one\ntwo\nthree\n";
  return request;
}

// Logs as NVRTC 13.0 wrote them.
TEST(CompileError, IsTheFirstWithTheCountOfTheRest) {
  const Error error =
      compile_error(request_named("matmul/k.cu"),
                    "/k.cu(3): warning #177-D: variable \"q\" was declared but never referenced\n"
                    "/k.cu(1): error: identifier \"y\" is undefined\n"
                    "/k.cu(2): error: identifier \"z\" is undefined\n"
                    "2 errors detected in the compilation of \"/k.cu\".\n",
                    "");
  EXPECT_EQ(error.message, "identifier \"y\" is undefined (and 1 more)");
  EXPECT_EQ(error.place, (Place{"matmul/k.cu", 1, 0}));
}

TEST(CompileError, KnowsTheNameThatWasMeant) {
  const auto next_step = [](const std::string& name) {
    return compile_error(request_named("k.cu"),
                         "/k.cu(1): error: identifier \"" + name + "\" is undefined\n1 error detected.\n", "")
        .next_step;
  };
  EXPECT_THAT(next_step("__syncthread"), testing::StartsWith("did you mean __syncthreads? else declare it"));
  EXPECT_THAT(next_step("threadIDx"), testing::StartsWith("did you mean threadIdx?"));
  EXPECT_THAT(next_step("total"), testing::StartsWith("declare it"));
}

TEST(CompileError, NamesAConstantThatTakesTooLong) {
  const Error error = compile_error(request_named("k.cu"),
                                    "/k.cu(2): error: expression must have a constant value\n"
                                    "/k.cu(2): note #2431-D: expression not folded to a constant due to "
                                    "excessive constexpr function call complexity\n"
                                    "1 error detected in the compilation of \"/k.cu\".\n",
                                    "");
  EXPECT_EQ(error.message, "the value of this constexpr takes more steps than the compiler goes");
  EXPECT_THAT(error.next_step, HasSubstr("a recursion or a loop without an end"));
  EXPECT_EQ(error.code, ErrorCode::none) << "there is more to say than to correct the text";
  EXPECT_EQ(error.place, (Place{"k.cu", 2, 0}));
}

TEST(CompileError, ReadsNamesWithParentheses) {
  const Error error = compile_error(request_named("/warp lens/k(1).cu"),
                                    "/warp lens/k(1).cu(7): error: cannot call f(2): it takes none\n", "");
  EXPECT_EQ(error.place, (Place{"/warp lens/k(1).cu", 7, 0}));
  EXPECT_EQ(error.message, "cannot call f(2): it takes none");
  EXPECT_EQ(error.code, ErrorCode::kernel_text);
}

TEST(CompileError, AtTheEndIsTheLastLine) {
  const Error error = compile_error(request_named("k.cu"), "At end of source: error: expected a \"}\"\n", "");
  EXPECT_EQ(error.place, (Place{"k.cu", 3, 0}));
  EXPECT_NE(error.next_step.find("add the \"}\" that is missing"), std::string::npos) << error.next_step;
}

TEST(CompileError, OfPtxasIsTracedToTheSource) {
  const std::string ptx =
      "// a\n.visible .entry kernel(\n)\n{\n\t.loc\t1 2 2\n\tst.global.u32 [%rd2], %r1;\n\t.loc\t1 3 "
      "2\n\tfoo;\n";
  const Error error = compile_error(
      request_named("k.cu"),
      "ptxas application ptx input, line 8; error   : Not a name of any known instruction: 'foo'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n",
      ptx);
  EXPECT_EQ(error.place, (Place{"k.cu", 3, 0}));
  EXPECT_EQ(error.message, "Not a name of any known instruction: 'foo'");
}

TEST(CompileError, AnUnknownLogIsShownWhole) {
  const Error error =
      compile_error(request_named("k.cu"), "Command-line error: invalid macro definition: 1X=3\n", "");
  EXPECT_THAT(error.message, HasSubstr("invalid macro definition: 1X=3"));
  EXPECT_EQ(error.place.file, "k.cu");
}

TEST(Warnings, KeepTheirPlaceAndNumber) {
  const auto warnings =
      warnings_of(request_named("k.cu"),
                  "/k.cu(2): warning #187-D: use of \"=\"\n"
                  "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
                  "ptxas info    : 0 bytes gmem\n"
                  "ptxas warning : Value of threads per SM is out of range\n");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].place, (Place{"k.cu", 2, 0}));
  EXPECT_EQ(warnings[0].number, 187);
  EXPECT_EQ(to_line(warnings[0]), "k.cu:2: use of \"=\"");
  EXPECT_EQ(warnings[1].number, 0);
  EXPECT_EQ(to_line(warnings[1]), "k.cu: Value of threads per SM is out of range");
}

TEST(ResourceLog, BelongsToOneKernel) {
  const std::string log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
      "ptxas info    : Function properties for other\n"
      "ptxas         .     8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
      "ptxas info    : Used 4 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"
      "ptxas info    : Function properties for kernel\n"
      "ptxas         .     880 bytes stack frame, 1192 bytes spill stores, 1216 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 880 bytes cumulative stack size, 512 bytes smem, "
      "364 bytes cmem[0]\n"
      "ptxas info    : Function properties for _Z1ff\n"
      "ptxas         .     5 bytes stack frame, 6 bytes spill stores, 7 bytes spill loads\n";
  const ResourceLog kernel = read_resource_log(log, "kernel");
  EXPECT_EQ(kernel.registers, 32);
  EXPECT_EQ(kernel.stack_bytes, 880);
  EXPECT_EQ(kernel.spill_store_bytes, 1192);
  EXPECT_EQ(kernel.spill_load_bytes, 1216);
  EXPECT_EQ(kernel.static_shared_bytes, 512);
  EXPECT_EQ(read_resource_log(log, "other").static_shared_bytes, 0);
  EXPECT_EQ(read_resource_log(log, "third").registers, -1);
}

TEST(FindEntry, WantsExactlyOneWithACName) {
  const Request request = request_named("k.cu");
  EXPECT_EQ(*find_entry(request, "\t// .globl\tmine\n.visible .entry mine(\n)\n"), "mine");
  EXPECT_THAT(find_entry(request, "// nothing\n").error().message, HasSubstr("no kernel"));
  const Error two =
      find_entry(request, ".visible .entry a(\n)\n\t.loc 1 4 0\n.visible .entry b(\n)\n\t.loc\t1 9 0\n")
          .error();
  EXPECT_THAT(two.message, HasSubstr("2 kernels, a and b"));
  EXPECT_EQ(two.place, (Place{"k.cu", 9, 0}));
  EXPECT_EQ(*find_entry(request, ".visible .entry _Z6kernelPf(\n)\n\t.loc\t1 5 0\n"), "_Z6kernelPf");
  Request named = request_named("k.cu");
  const std::string of_template =
      ".visible .entry _Z1kILi128EEvPf(\n)\n.visible .entry _Z1kILi256EEvPf(\n)\n";
  named.kernel = "k<256>";
  EXPECT_EQ(*find_entry(named, of_template), "_Z1kILi256EEvPf");
  named.kernel = "k<64>";
  EXPECT_THAT(find_entry(named, of_template).error().message, HasSubstr("no kernel k<64>"));
  // Of an enumerator only its number is there, and names of namespaces are not asked for.
  named.kernel = "k<Mode::fast>";
  EXPECT_EQ(*find_entry(named, ".visible .entry _ZN12_GLOBAL__N_11kILNS_4ModeE1EEEvPf(\n)\n"),
            "_ZN12_GLOBAL__N_11kILNS_4ModeE1EEEvPf");
  // Nor of a typedef its name.
  const std::string of_types = ".visible .entry _Z1kIfhEvPT_(\n)\n.visible .entry _Z1kIfjEvPT_(\n)\n";
  named.kernel = "k<float, uint8_t>";
  EXPECT_EQ(*find_entry(named, of_types), "_Z1kIfhEvPT_");
  named.kernel = "k<float, std::uint32_t>";
  EXPECT_EQ(*find_entry(named, of_types), "_Z1kIfjEvPT_");
  named.kernel = "k<Real>";
  EXPECT_EQ(*find_entry(named, ".visible .entry _Z1kIfEvPT_(\n)\n"), "_Z1kIfEvPT_");
  named.kernel = "k";
  EXPECT_EQ(*find_entry(named, ".visible .entry _ZN5tools1kEPf(\n)\n"), "_ZN5tools1kEPf");
}

}  // namespace
}  // namespace warplens::compile
