#include "engine/catalog/front_matter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {
namespace {

// Line 1 is the opening mark.
const std::string kGood = R"cu(/*---
title   = "Shared-memory tiling"
problem = "sgemm"
idea    = "Each block loads a tile once."
watch   = "Sectors fall by TILE."
source  = "CUDA C++ Programming Guide, shared memory"
[params]
TILE = { default = 32, values = [8, 16, 32], meaning = "tile edge" }
PAD  = { default = 0, values = [0, 1] }
[launch]
block   = ["TILE", "TILE"]
grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared  = "TILE * (TILE + PAD) * 4"
require = ["TILE * TILE <= 1024", { test = "K >= 1", reason = "there must be work" }]
---*/
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {}
)cu";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto spec = parse_kernel(text, "matmul/x", "x.cu");
  return spec ? "parsed" : to_line(spec.error());
}

TEST(ParseKernel, ReadsTheWholeFrontMatter) {
  const auto spec = parse_kernel(kGood, "matmul/x", "kernels/matmul/x.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  EXPECT_EQ(spec->id, "matmul/x");
  EXPECT_EQ(spec->path, "kernels/matmul/x.cu");
  EXPECT_EQ(spec->title, "Shared-memory tiling");
  EXPECT_EQ(spec->problem, "sgemm");
  EXPECT_EQ(spec->idea, "Each block loads a tile once.");
  EXPECT_EQ(spec->watch, "Sectors fall by TILE.");
  EXPECT_EQ(spec->source, "CUDA C++ Programming Guide, shared memory");
  ASSERT_EQ(spec->params.size(), 2u);
  EXPECT_EQ(spec->params[0].name, "TILE");  // the file's order, not the alphabet's
  EXPECT_EQ(spec->params[0].default_value, 32);
  EXPECT_EQ(spec->params[0].values, (std::vector<std::int64_t>{8, 16, 32}));
  EXPECT_EQ(spec->params[0].meaning, "tile edge");
  EXPECT_EQ(spec->params[1].name, "PAD");
  EXPECT_EQ(spec->block, (std::vector<std::string>{"TILE", "TILE"}));
  EXPECT_EQ(spec->grid, (std::vector<std::string>{"ceil_div(N, TILE)", "ceil_div(M, TILE)"}));
  EXPECT_EQ(spec->shared, "TILE * (TILE + PAD) * 4");
  ASSERT_EQ(spec->require.size(), 2u);
  EXPECT_EQ(spec->require[0].expression, "TILE * TILE <= 1024");
  EXPECT_EQ(spec->require[0].reason, "");
  EXPECT_EQ(spec->require[1].reason, "there must be work");
  EXPECT_EQ(spec->require[1].line, 14);
  EXPECT_EQ(spec->problem_line, 3);
  EXPECT_EQ(spec->block_line, 11);
  EXPECT_EQ(spec->grid_line, 12);
  EXPECT_EQ(spec->code, kGood);
}

TEST(ParseKernel, NeedsOnlyTitleProblemAndLaunch) {
  const auto spec =
      parse_kernel("/*---\ntitle='a'\nproblem='sgemm'\n[launch]\nblock=[256]\ngrid=['M']\n---*/", "a", "a");
  ASSERT_TRUE(spec) << to_line(spec.error());
  EXPECT_TRUE(spec->params.empty());
  EXPECT_EQ(spec->block, (std::vector<std::string>{"256"}));
  EXPECT_EQ(spec->shared, "0");
}

TEST(ParseKernel, TakesWindowsLineEndsAMarkAndBlankLines) {
  std::string windows;
  for (const char c : kGood) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(error_of(windows), "parsed");
  EXPECT_EQ(error_of("\xEF\xBB\xBF\n\n" + kGood), "parsed");
  EXPECT_EQ(parse_kernel("\xEF\xBB\xBF" + kGood, "x", "x.cu")->code, kGood);
  EXPECT_EQ(error_of("\n\n" + replaced(kGood, "title ", "titel ")).substr(0, 7), "x.cu:4:");
  EXPECT_EQ(error_of(replaced(windows, "meaning", "meening")).substr(0, 7), "x.cu:8:");
}

TEST(ParseKernel, TakesLinesThatEndInCarriageReturnsAlone) {
  std::string old = kGood;
  std::replace(old.begin(), old.end(), '\n', '\r');
  EXPECT_EQ(parse_kernel(old, "x", "x.cu")->code, kGood);
}

TEST(FrontMatter, IsNoBanner) {
  EXPECT_TRUE(has_front_matter("\xEF\xBB\xBF\n/*--- \r\ntitle"));
  for (const char* text :
       {"/*--------\n * gaussian\n", "/*--- Gauss ---*/", "/*---*/", "int x;\n/*---\n", ""})
    EXPECT_FALSE(has_front_matter(text)) << text;
}

struct Bad {
  std::string name, from, to, line;
};
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

class BadKernel : public testing::TestWithParam<Bad> {};

TEST_P(BadKernel, IsOneLineWithItsPlace) {
  const Bad& bad = GetParam();
  EXPECT_EQ(error_of(replaced(kGood, bad.from, bad.to)), bad.line);
}

const Bad kBad[] = {
    {"no_front_matter", "/*---", "/*",
     "x.cu:1: the file does not begin with a front matter; "
     "open it with /*--- and close that with ---*/"},
    {"code_first", "/*---", "int x; /*---",
     "x.cu:1: the file does not begin with a front matter; "
     "open it with /*--- and close that with ---*/"},
    {"never_closed", "---*/", "",
     "x.cu:1: the front matter that opens here is never closed; add a line ---*/ after it"},
    {"closed_by_comment_end", "---*/", "*/",
     "x.cu:15: the comment of the front matter ends here without ---*/; "
     "close the front matter with ---*/ on a line of its own"},
    {"comment_end_in_a_text", "tile once", "tile */ once",
     "x.cu:4: the comment of the front matter ends here "
     "without ---*/; close the front matter with ---*/ on a line of its own"},
    {"unknown_key", "idea ", "aidea ",
     "x.cu:4: unknown key aidea in the front matter; did you mean idea? "
     "the keys here are title, problem, idea, watch, show, source, params, launch, registers, kernel, arch, "
     "maps"},
    {"unknown_launch_key", "block   =", "blocks  =",
     "x.cu:11: unknown key blocks in [launch]; did you mean block? the keys here are block, grid, shared, "
     "require"},
    {"unknown_launch_key_beside", "shared  =", "smem  =",
     "x.cu:13: unknown key smem in [launch]; "
     "the keys here are block, grid, shared, require"},
    {"unknown_parameter_key", "meaning", "label",
     "x.cu:8: unknown key label in TILE; "
     "the keys here are default, values, meaning"},
    {"unknown_require_key", "reason =", "why =",
     "x.cu:14: unknown key why in an entry of require; "
     "the keys here are test, reason"},
    {"no_title", "title   = \"Shared-memory tiling\"", "",
     "x.cu:1: the front matter has no title; "
     "add title = \"...\""},
    {"empty_problem", "\"sgemm\"", "\"\"", "x.cu:3: problem is empty; write one"},
    {"title_a_number", "\"Shared-memory tiling\"", "3",
     "x.cu:2: title is a whole number, not a string; "
     "make it a string"},
    {"no_grid", "grid ", "#grid ",
     "x.cu:10: the front matter has no launch.grid; add grid = [\"...\"] under [launch]"},
    {"lower_case_name", "PAD ", "pad ",
     "x.cu:9: pad cannot be a parameter's name; use two or more upper-case letters, "
     "digits and _, such as TILE; single letters are sizes"},
    {"one_letter_name", "PAD ", "P ",
     "x.cu:9: P cannot be a parameter's name; use two or more upper-case letters, "
     "digits and _, such as TILE; single letters are sizes"},
    {"a_constants_name", "PAD ", "WARP ",
     "x.cu:9: WARP is a constant of the expressions; choose another name"},
    {"parameter_a_number", "{ default = 0, values = [0, 1] }", "1",
     "x.cu:9: PAD is a whole number, "
     "not a table { default = ..., values = [...] }; make it a table { default = ..., values = [...] }"},
    {"no_default", "default = 0, ", "", "x.cu:9: the front matter has no PAD.default; add default = 32"},
    {"no_values", ", values = [0, 1]", "",
     "x.cu:9: the front matter has no PAD.values; add values = [8, 16, 32]"},
    {"empty_values", "[0, 1]", "[]", "x.cu:9: PAD.values is empty; give at least one value"},
    {"default_not_listed", "default = 0", "default = 2",
     "x.cu:9: PAD.default is 2, not one of its values; "
     "choose one of 0, 1"},
    {"default_a_fraction", "default = 0", "default = 0.5",
     "x.cu:9: PAD.default is a number with a fraction, "
     "not a whole number; make it a whole number"},
    {"values_descending", "[8, 16, 32]", "[8, 32, 16]",
     "x.cu:8: TILE.values has 16 after 32; "
     "list each value once, in ascending order"},
    {"values_twice", "[8, 16, 32]", "[8, 8, 32]",
     "x.cu:8: TILE.values has 8 twice; "
     "list each value once, in ascending order"},
    {"values_over_int", "[0, 1]", "[0, 3000000000]",
     "x.cu:9: PAD.values has 3000000000, which no int holds; "
     "use 32-bit values"},
    {"values_a_string", "[0, 1]", "[0, 'a']",
     "x.cu:9: an entry of PAD.values is a string, not a whole number; "
     "make it a whole number"},
    {"block_empty", "[\"TILE\", \"TILE\"]", "[]",
     "x.cu:11: block has 0 entries; give one to three: x, y and z"},
    {"block_of_four", "[\"TILE\", \"TILE\"]", "[1, 1, 1, 1]",
     "x.cu:11: block has 4 entries; "
     "give one to three: x, y and z"},
    {"block_a_string", "[\"TILE\", \"TILE\"]", "\"TILE\"",
     "x.cu:11: block is a string, "
     "not a list of one to three expressions; make it a list of one to three expressions"},
    {"expression_unreadable", "ceil_div(M, TILE)", "ceil_div(M, TILE",
     "x.cu:12: the '(' is not closed at position 9 of \"ceil_div(M, TILE\"; add a ')'"},
    {"expression_unknown_name", "\"TILE * TILE <= 1024\"", "\"TIEL <= 1024\"",
     "x.cu:14: unknown name TIEL in \"TIEL <= 1024\"; use TILE, PAD, a size such as M, or add it to "
     "[params]"},
    {"shared_unknown_name", "TILE * (TILE + PAD) * 4", "BYTES",
     "x.cu:13: unknown name BYTES in \"BYTES\"; "
     "use TILE, PAD, a size such as M, or add it to [params]"},
    {"default_illegal", "TILE * TILE <= 1024", "TILE * TILE < 1024",
     "x.cu:14: the default values break TILE * TILE < 1024: TILE is 32; choose other defaults"},
    {"require_a_number", "\"TILE * TILE <= 1024\"", "7",
     "x.cu:14: an entry of require is a whole number, "
     "not a string or { test = \"...\", reason = \"...\" }; make it a string or { test = \"...\", reason = "
     "\"...\" }"},
};
INSTANTIATE_TEST_SUITE_P(All, BadKernel, testing::ValuesIn(kBad),
                         [](const auto& bad) { return bad.param.name; });

// toml++ words these; the place and the shape are ours.
TEST(ParseKernel, BrokenTomlNamesTheLine) {
  const std::string brace = error_of(replaced(kGood, "\"tile edge\" }", "\"tile edge\""));
  EXPECT_EQ(brace.substr(0, 7), "x.cu:8:") << brace;
  EXPECT_NE(brace.find("of the front matter: "), std::string::npos);
  const std::string quote = error_of(replaced(kGood, "sgemm\"", "sgemm"));
  EXPECT_EQ(quote.substr(0, 7), "x.cu:3:") << quote;
  const std::string bracket = error_of(replaced(kGood, "[launch]", "[launch"));
  EXPECT_EQ(bracket.substr(0, 8), "x.cu:10:") << bracket;
  const std::string twice = error_of(replaced(kGood, "watch ", "idea "));
  EXPECT_EQ(twice.substr(0, 7), "x.cu:5:") << twice;
  for (const std::string& line : {brace, quote, bracket, twice})
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(ParseKernel, TellsTheFirstOfSeveralErrors) {
  const std::string text = replaced(replaced(kGood, "TILE * (TILE + PAD) * 4", "BYTES"), "watch ", "wacth ");
  EXPECT_EQ(error_of(text).substr(0, 30), "x.cu:5: unknown key wacth in t");
}

// Each is a slider, and what each means for the others takes time by the square of their number.
TEST(ParseKernel, TakesSoManyParametersAndNoMore) {
  const auto with = [](int count) {
    std::string more;
    for (int p = 1; p < count - 1; ++p)
      more += "P" + std::to_string(p) + "X = { default = 1, values = [1] }\n";
    return parse_kernel(replaced(kGood, "[launch]", more + "[launch]"), "a", "x.cu");
  };
  EXPECT_TRUE(with(256)) << to_line(with(256).error());
  const auto more = with(257);
  ASSERT_FALSE(more);
  EXPECT_EQ(to_line(more.error()),
            "x.cu:7: the file has 257 parameters; 256 are the most; let constants be constants of the code");
}

// Whatever the bytes: a value or an error, and no crash.
TEST(ParseKernel, EveryCutOfAGoodFileIsAnswered) {
  for (std::size_t length = 0; length < kGood.size(); ++length) {
    const auto spec = parse_kernel(std::string_view(kGood).substr(0, length), "a", "a.cu");
    const std::size_t closed = kGood.find("---*/") + 5;
    EXPECT_EQ(spec.has_value(), length >= closed) << length;
  }
}

// A number of a lecture, for a device that nobody compiles for any more.
TEST(FrontMatter, RegistersAreByComputeCapability) {
  const auto with = [](const std::string& registers) {
    return parse_kernel("/*---\ntitle = \"x\"\nproblem = \"sgemm\"\nregisters = " + registers +
                            "\n[launch]\nblock = [1]\ngrid = [1]\n---*/\n",
                        "x", "x.cu");
  };
  const auto spec = with("{ \"1.3\" = 21, \"10.0\" = 255 }");
  ASSERT_TRUE(spec) << to_line(spec.error());
  EXPECT_EQ(spec->registers, (std::map<int, int>{{13, 21}, {100, 255}}));
  for (const char* bad :
       {"{ old = 21 }", "{ \"1.3\" = 0 }", "{ \"1.3\" = 256 }", "{ \"1.3\" = \"21\" }", "21"}) {
    const auto none = with(bad);
    ASSERT_FALSE(none) << bad;
    EXPECT_EQ(none.error().place.line, 4) << bad;
  }
}

}  // namespace
}  // namespace warplens::catalog
