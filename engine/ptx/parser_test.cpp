// Directives, declarations, scopes, immediates, errors and limits of the reader.
#include "engine/ptx/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/ptx/literal.hpp"
#include "engine/ptx/print.hpp"
#include "engine/ptx/testing/check.hpp"

namespace warplens::ptx {
namespace {

using testing::ElementsAre, testing::HasSubstr;

constexpr std::string_view kModuleHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

Parsed parse_module(std::string_view text) {
  Parsed parsed = parse(std::string(kModuleHead) + std::string(text));
  EXPECT_EQ(find_broken_index(parsed.program), "");
  return parsed;
}

// The body begins on the fourth line of the text.
Parsed parse_body(std::string_view body) { return parse_module(".entry k() {" + std::string(body) + "}"); }

std::vector<std::string> printed(const Parsed& parsed) {
  EXPECT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  std::vector<std::string> lines;
  for (const Function& function : parsed.program.functions)
    for (const Instruction& instruction : function.code)
      lines.push_back(print(instruction, function, parsed.program));
  return lines;
}

TEST(Parser, ReadsVersionAndTarget) {
  const Parsed parsed = parse(".version 8.7\n.target sm_90a, debug\n.address_size 64\n");
  EXPECT_TRUE(parsed.errors.empty());
  EXPECT_EQ(parsed.program.isa_version, 87);
  EXPECT_EQ(parsed.program.target, 90);
  EXPECT_EQ(parse(".target sm_121").program.target, 121);
}

TEST(Parser, NamesRegistersWhenTheyAreUsed) {
  const Parsed parsed =
      parse_body(".reg .b32 %r<1000000>; .reg .pred p, q; mov.u32 %r999999, %r7; mov.pred p, q;");
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  std::vector<std::string> names;
  for (const Register& each : parsed.program.functions[0].registers) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("p", "q", "%r999999", "%r7"));
}

TEST(Parser, KnowsTheEndsOfARange) {
  EXPECT_THAT(parse_body(".reg .b32 %r<2>; mov.u32 %r1, %r2;").errors.at(0).message, HasSubstr("'%r2'"));
  EXPECT_THAT(parse_body(".reg .b32 %r<2>; mov.u32 %r01, %r1;").errors.at(0).message, HasSubstr("'%r01'"));
  EXPECT_THAT(parse_body(".reg .b32 %r<2>; mov.u32 %r, %r1;").errors.at(0).message, HasSubstr("'%r'"));
}

TEST(Parser, AnInnerScopeHidesTheOuter) {
  const Parsed parsed = parse_body(R"(.reg .b32 %r<4>; .reg .b64 x;
    { .reg .b32 x; mov.u32 x, %r1; { .reg .f32 %r<3>; mov.f32 %r1, 0f00000000; mov.u32 %r3, 5; } mov.u32 %r1, x; }
    mov.u64 x, 1;)");
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  const Function& function = parsed.program.functions[0];
  const auto written = [&](std::size_t i) { return function.code[i].operands[0].register_id; };
  EXPECT_EQ(function.registers[written(0)].type, Type::b32);
  EXPECT_EQ(function.registers[written(1)].type, Type::f32);
  EXPECT_EQ(function.registers[written(2)].type, Type::b32);
  EXPECT_EQ(function.code[0].operands[1].register_id, written(3));
  EXPECT_EQ(function.registers[written(4)].type, Type::b64);
  EXPECT_THAT(parse_body("{ .reg .b32 x; } mov.u32 x, 1;").errors.at(0).message,
              HasSubstr("unknown name 'x'"));
}

TEST(Parser, LabelsBelongToTheirScope) {
  const Parsed parsed = parse_body(R"(
    L1: bra L1;
    { bra L1; bra END; L1: exit; }
    { L1: bra L1; }
    END: )");
  EXPECT_THAT(printed(parsed), ElementsAre("bra L0", "bra L3", "bra L5", "exit", "bra L4"));
  EXPECT_THAT(parse_body("{ L1: exit; }\nbra L1;").errors.at(0).message, HasSubstr("unknown label 'L1'"));
  EXPECT_THAT(parse_body("L1: exit; L1: exit;").errors.at(0).message, HasSubstr("twice"));
}

TEST(Parser, ReadsBranchTables) {
  const Parsed parsed = parse_body(R"(.reg .b32 %r<2>;
    A: exit;
    table: .branchtargets A, B, END;
    brx.idx.uni %r1, table;
    B: trap;
    END: )");
  EXPECT_THAT(printed(parsed), ElementsAre("exit", "brx.idx.uni %r1, T0", "trap"));
  EXPECT_THAT(parsed.program.functions[0].branch_tables.at(0).targets, ElementsAre(0, 2, 3));
}

TEST(Parser, ReadsGuards) {
  EXPECT_THAT(printed(parse_body(".reg .pred p; @p ret; @!p exit;")), ElementsAre("@p ret", "@!p exit"));
  EXPECT_THAT(parse_body(".reg .b32 r; @r ret;").errors.at(0).message, HasSubstr("'r' guards"));
}

TEST(Parser, ReadsCalls) {
  const Parsed parsed = parse_module(R"(
    .extern .func (.param .b32 out) vprintf (.param .b64 a, .param .b64 b);
    .func (.param .align 8 .b8 r[16]) f (.param .align 8 .b8 a[24], .param .b32 n);
    .entry k() { .reg .b64 %rd<2>;
      { // callseq 0
      .param .align 8 .b8 param0[24]; .param .b32 param1; .param .align 8 .b8 retval0[16];
      st.param.f64 [param0+16], 0d3FF0000000000000;
      call.uni (retval0), f, (param0, param1);
      ld.param.b32 %rd1, [retval0+4];
      }
      { .param .b64 param0; .param .b32 param1; call (param1), vprintf, (param0, param0); }
    }
    .func (.param .align 8 .b8 r[16]) f (.param .align 8 .b8 a[24], .param .b32 n) { ret; })");
  EXPECT_THAT(printed(parsed),
              ElementsAre("ret", "st.param.f64 [param0+16], 0d3FF0000000000000",
                          "call.uni (retval0), f, (param0, param1)", "ld.param.b32 %rd1, [retval0+4]",
                          "call (param1), vprintf, (param0, param0)"));
  EXPECT_TRUE(parsed.program.functions[0].is_external);
  EXPECT_FALSE(parsed.program.functions[1].is_external);
  EXPECT_EQ(parsed.program.functions[2].variables.size(), 5u);
  const Parsed wrong =
      parse_module(".func f(.param .b32 a) { ret; } .entry k() { .param .b32 x; call f, (x, x); call g; }");
  ASSERT_EQ(wrong.errors.size(), 2u);
  EXPECT_THAT(wrong.errors[0].message, HasSubstr("with 2 arguments and has 1"));
  EXPECT_THAT(wrong.errors[1].message, HasSubstr("unknown name 'g'"));
}

TEST(Parser, ReadsThePointerDialect) {
  const Parsed parsed = parse_module(
      ".entry k(.param .u64 .ptr .global .align 4 a, .param .u64 .ptr .align 1 b, .param .u8 c) { ret; }");
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  const auto& parameters = parsed.program.functions[0].parameters;
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0].alignment, 8u);
  EXPECT_EQ(parameters[2].offset, 16u);
  EXPECT_EQ(parameters[2].size, 1u);
}

TEST(Parser, ReadsArraysOfSeveralDimensions) {
  const Parsed parsed = parse_module(
      ".global .u16 a[2][3] = {{1}, {2, 3}}; .global .b8 b[] = {1, 2, 3}; .global .v4 .f32 v = {1, 2};");
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  const auto& variables = parsed.program.variables;
  EXPECT_EQ(variables[0].initial.size(), 12u);
  EXPECT_EQ(variables[0].initial[0], std::byte{1});
  EXPECT_EQ(variables[0].initial[6], std::byte{2});
  EXPECT_EQ(variables[0].initial[8], std::byte{3});
  EXPECT_EQ(variables[1].size, 3u);
  EXPECT_EQ(variables[2].size, 16u);
  EXPECT_EQ(variables[2].alignment, 16u);
  EXPECT_EQ(variables[2].initial[7], std::byte{0x40});  // 2.f
}

TEST(Parser, ReadsSeveralNamesOfOneType) {
  const Parsed parsed = parse_body(
      ".shared .align 8 .f32 a[4], b; .reg .f32 f, g; ld.shared.f32 f, [a+4]; st.shared.f32 [b], f;");
  EXPECT_THAT(printed(parsed), ElementsAre("ld.shared.f32 f, [a+4]", "st.shared.f32 [b], f"));
  EXPECT_EQ(parsed.program.functions[0].variables.at(0).size, 16u);
  EXPECT_EQ(parsed.program.functions[0].variables.at(1).size, 4u);
  EXPECT_EQ(parsed.program.functions[0].variables.at(1).alignment, 8u);
}

TEST(Parser, SkipsDebugSections) {
  const Parsed parsed = parse_module(R"(
    .file 1 "a.cu"
    .entry k() { $L__func_begin0: .loc 1 5 2
      ret; .loc 1 0 0
      exit; }
    .section .debug_info { .b8 1, 2 .b32 .debug_abbrev .b64 $L__tmp1 }
    .section .debug_str
    {
      $L__info_string0: .b8 95,90,0
    }
    .file 7 "b.cu", 12345, 678)");
  EXPECT_THAT(printed(parsed), ElementsAre("ret", "exit"));
  EXPECT_THAT(parsed.program.files, ElementsAre("a.cu", "b.cu"));
  const Function& function = parsed.program.functions[0];
  EXPECT_EQ(function.locations.at(0), (SourceLocation{0, 5, 2, -1}));
  EXPECT_EQ(function.code[0].location, 0);
  EXPECT_EQ(function.code[1].location, -1);
}

TEST(Parser, ReadsPerformanceDirectives) {
  const Parsed parsed =
      parse_module(".entry k() .reqntid 32, 4 .minnctapersm 2 .maxnreg 64 { .pragma \"nounroll\"; ret; }");
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  EXPECT_THAT(parsed.program.functions[0].required_threads, ElementsAre(32, 4, 1));
  EXPECT_THAT(parsed.program.functions[0].maximum_threads, ElementsAre(0, 0, 0));
}

TEST(Literals, TakeTheBitsOfTheirType) {
  const auto bits = [](std::string_view text, Type type, bool negative = false) {
    Literal literal;
    EXPECT_TRUE(parse_literal(text, negative, literal)) << text;
    return to_bits(literal, type);
  };
  EXPECT_EQ(bits("1", Type::s32, true), ~std::uint64_t{0});
  EXPECT_EQ(bits("1", Type::u32, true), 0xFFFFFFFFu);
  EXPECT_EQ(bits("0xFFFF", Type::s16), ~std::uint64_t{0});
  EXPECT_EQ(bits("18446744073709551615", Type::u64), ~std::uint64_t{0});
  EXPECT_EQ(bits("0x80000000U", Type::b32), 0x80000000u);
  EXPECT_EQ(bits("0f7FC00001", Type::f32), 0x7FC00001u);
  EXPECT_EQ(bits("0f3F800000", Type::f64), 0x3FF0000000000000u);
  EXPECT_EQ(bits("0d3FF8000000000000", Type::f32), 0x3FC00000u);
  EXPECT_EQ(bits("2.5e-1", Type::f32), 0x3E800000u);
  EXPECT_EQ(bits("1.5", Type::f16), 0x3E00u);
  EXPECT_EQ(bits("65520.0", Type::f16), 0x7C00u);
  EXPECT_EQ(bits("65519.0", Type::f16), 0x7BFFu);
  EXPECT_EQ(bits("5.960464477539063e-8", Type::f16), 0x0001u);
  EXPECT_EQ(bits("6.103e-5", Type::f16), 0x0400u);
  EXPECT_EQ(bits("1.0", Type::bf16, true), 0xBF80u);
  EXPECT_EQ(bits("0x3C00", Type::f16), 0x3C00u);
  EXPECT_EQ(bits("2", Type::pred), 1u);
  Literal literal;
  for (const std::string_view bad : {"0f12", "0x", "09", "1a", "18446744073709551616", "0b2", "1.5.2", "0d1"})
    EXPECT_FALSE(parse_literal(bad, false, literal)) << bad;
}

struct Wrong {
  std::string_view body;
  std::string_view message;
};
class Errors : public testing::TestWithParam<Wrong> {};

// One malformed statement is one error with its line, and the statements around it are read.
TEST_P(Errors, NameTheLineAndReadingGoesOn) {
  const std::string head =
      ".reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<5>; .reg .f64 "
      "%fd<3>;";
  const Parsed parsed =
      parse_body(head + "mov.u32 %r1, 1;\n" + std::string(GetParam().body) + "\nmov.u32 %r1, 2;\n");
  ASSERT_EQ(parsed.errors.size(), 1u) << to_line(parsed.errors.at(1));
  EXPECT_THAT(parsed.errors[0].message, HasSubstr(GetParam().message));
  EXPECT_EQ(parsed.errors[0].place.line, 5);
  EXPECT_FALSE(parsed.errors[0].next_step.empty());
  EXPECT_EQ(parsed.program.functions[0].code.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Errors,
    testing::Values(
        Wrong{"frobnicate.u32 %r1, %r2;", "unknown instruction 'frobnicate.u32'"},
        Wrong{"add.frob.u32 %r1, %r2, %r3;", "unknown modifier 'frob' on add"},
        Wrong{"add %r1, %r2, %r3;", "has no type"},
        Wrong{"add.pred %p1, %p2, %p0;", "does not take the type .pred"},
        Wrong{"cvt.u32 %r1, %r2;", "too few types"}, Wrong{"mul.lo.u32.u32 %r1, %r2, %r3;", "too many types"},
        Wrong{"add.rn.rz.f32 %f1, %f2, %f3;", "follows another of its kind"},
        Wrong{"setp.u32 %p1, %r1, %r2;", "lacks a modifier"},
        Wrong{"add.u32 %r1, %r2, %nothing;", "unknown name '%nothing'"},
        Wrong{"add.u32 %r1, %r2, %rd1;", "a register of type .b64 where .u32 belongs"},
        Wrong{"add.u32 %p1, %r2, %r3;", "a register of type .pred"},
        Wrong{"add.u32 5, %r2, %r3;", "a destination that is no register"},
        Wrong{"add.u32 %r1|%p1, %r2, %r3;", "a second destination"},
        Wrong{"add.u32 %r1, _, %r3;", "'_' where a value is read"},
        Wrong{"add.u32 %r1, !%r2, %r3;", "'!' before"},
        Wrong{"add.u32 %r1, [%rd1], %r3;", "does not belong here"},
        Wrong{"add.u32 %r1, {%r2, %r3}, %r3;", "braces where one value"},
        Wrong{"add.u32 %r1, {%r2, %r3;", "expected '}'"},
        Wrong{"ld.global.u32 %r1, %rd1;", "expected an address in brackets"},
        Wrong{"ld.global.v4.u32 {%r1, %r2}, [%rd1];", "2 registers for .v4"},
        Wrong{"ld.global.v2.u32 %rd1, [%rd1];", "expected 2 registers in braces"},
        Wrong{"ld.global.u64 %r1, [%rd1];", "a register of type .b32"},
        Wrong{"ld.global.u32 %r1, [%h1];", "an address in a register"},
        Wrong{"ld.global.u32 %r1, [%rd1+%rd2];", "expected a number"},
        Wrong{"mov.b64 {%r1, %r2, %r3}, %rd1;", "mov packs 2 or 4"},
        Wrong{"mov.u32 %r1, 0x1FFFFFFFFFFFFFFFF;", "bad number"}, Wrong{"bra;", "expected a label"},
        Wrong{"bra 5;", "expected a label"}, Wrong{"@%r1 ret;", "'%r1' guards"},
        Wrong{"?;", "expected a statement"}, Wrong{".frob 3;", "unknown directive '.frob'"},
        Wrong{".reg .b99 %x;", "unknown register type '.b99'"},
        Wrong{".reg .b32 %big<4000000000>;", "4000000000 registers"},
        Wrong{".shared .b8 x[9000000];", "has 9000000 bytes"},
        Wrong{".local .b32 y[8589934592][8589934592];", "too large to count"},
        Wrong{".shared .align 3 .b8 z[4];", "bad alignment 3"},
        Wrong{".shared .b8 w[4] = {1};", "cannot have an initial value"},
        Wrong{".reg .b32 %q; .reg .b32 %q;", "declared twice"},
        Wrong{"st.global.u32 [%rd1] %r1;", "expected ',' or ';'"}, Wrong{"ret 5;", "ret with 1 operands"}));

TEST(Parser, StopsAtAHundredErrors) {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "nothing;\n";
  EXPECT_EQ(parse_body(body).errors.size(), 100u);
}

TEST(Parser, LosesOnlyTheFunctionWhoseHeadIsWrong) {
  const Parsed parsed =
      parse_module(".func f(.reg .b32 a) { add.u32 a, a, a; { ret; } }\n.entry k() { ret; }");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("a parameter in a register"));
  ASSERT_EQ(parsed.program.functions.size(), 1u);
  EXPECT_EQ(parsed.program.functions[0].code.size(), 1u);
}

TEST(Parser, RefusesWrongModules) {
  const auto first = [](std::string_view text) {
    const Parsed parsed = parse_module(text);
    return parsed.errors.empty() ? std::string() : parsed.errors[0].message;
  };
  EXPECT_THAT(first(".address_size 32"), HasSubstr("32 bits"));
  EXPECT_THAT(first(".version 8"), HasSubstr("bad version"));
  EXPECT_THAT(first("hello"), HasSubstr("expected a directive"));
  EXPECT_THAT(first(".entry k() { ret;"), HasSubstr("no closing brace"));
  EXPECT_THAT(first(".entry k() { ret; } .entry k() { ret; }"), HasSubstr("defined twice"));
  EXPECT_THAT(first(".func f(.param .b32 a); .func f() { ret; }"), HasSubstr("differs from its declaration"));
  EXPECT_THAT(first(".entry k() .frob 3 { ret; }"), HasSubstr("unknown function directive"));
  EXPECT_THAT(first(".global .b8 a[4] = {1,2,3,4,5};"), HasSubstr("more values"));
  EXPECT_THAT(first(".global .u64 a = nothing;"), HasSubstr("unknown name 'nothing'"));
  EXPECT_THAT(first(".global .b8 b; .global .b8 a[8] = {0xFF00(generic(b))};"),
              HasSubstr("without those before"));
  EXPECT_THAT(first(".global .b8 b; .global .u32 a = b;"), HasSubstr("an address in 4 bytes"));
  EXPECT_THAT(first(".global .b8 a[300000000000];"), HasSubstr("bytes"));
  EXPECT_THAT(first(".global .b8 a[100000000] = {1};"), HasSubstr("64 MiB"));
  EXPECT_THAT(first(".global .b8 a; .global .b8 a;"), HasSubstr("defined twice"));
}

TEST(Parser, TakesDeepNestingWithoutRecursion) {
  EXPECT_THAT(parse_body(std::string(100000, '{')).errors.at(0).message, HasSubstr("nested deeper"));
  EXPECT_FALSE(parse_module(".global .b8 a[4] = " + std::string(100000, '{')).errors.empty());
  EXPECT_FALSE(parse_module(std::string(100000, '{')).errors.empty());
}

}  // namespace
}  // namespace warplens::ptx
