// What each language takes, as trees: (+ 1 (* 2 3)); and what it refuses, with the place.
#include "engine/expression/dialects.hpp"

#include <gtest/gtest.h>

#include "engine/expression/parser.hpp"

namespace warplens::expression {
namespace {

bool is_type(std::string_view text) { return text == "int" || text == "float" || text == "unsigned int"; }

std::string shown(const Node& node);
std::string all(std::string head, const Node& node) {
  for (const Node& part : node.parts) head += " " + shown(part);
  for (const auto& [name, value] : node.named) head += fmt::format(" {}={}", name, shown(value));
  return "(" + head + ")";
}
std::string without_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::number:
      return node.whole != 0 ? std::to_string(node.whole) : fmt::format("{}", node.number);
    case Node::Kind::text:
      return "'" + node.text + "'";
    case Node::Kind::name:
      return node.text;
    case Node::Kind::call:
      return all(node.text + "()", node);
    case Node::Kind::element:
      return all("[]", node);
    case Node::Kind::choose:
      return all("?", node);
    case Node::Kind::cast:
      return all("cast " + node.text, node);
    default:
      return all(node.text, node);
  }
}
std::string shown(const Node& node) {
  return (node.of.empty() ? "" : shown(node.of[0]) + ".") + without_of(node);
}

struct Row {
  std::string_view text, tree;
};
struct Refused {
  std::string_view text;
  int column;
  std::string_view line;
};

void check(const Dialect& dialect, std::span<const Row> rows) {
  for (const Row& row : rows) {
    const auto tree = parse(row.text, dialect);
    EXPECT_EQ(tree ? shown(*tree) : to_line(tree.error()), row.tree) << row.text;
  }
}
void check(const Dialect& dialect, std::span<const Refused> rows) {
  for (const Refused& row : rows) {
    const auto tree = parse(row.text, dialect);
    ASSERT_FALSE(tree) << row.text;
    EXPECT_EQ(tree.error().place.column, row.column) << row.text;
    EXPECT_FALSE(tree.error().next_step.empty()) << row.text;
    EXPECT_EQ(to_line({tree.error().message, tree.error().next_step}).substr(0, row.line.size()), row.line)
        << row.text;
  }
}

constexpr Row kOfAll[] = {
    {" 1 ", "1"},
    {"1 + 2 * 3", "(+ 1 (* 2 3))"},
    {"(1 + 2) * 3", "(* (+ 1 2) 3)"},
    {"10 - 4 - 3", "(- (- 10 4) 3)"},
    {"7 % 4 * 2", "(* (% 7 4) 2)"},
    {"-a * -b", "(* (- a) (- b))"},
    {"2--1", "(- 2 (- 1))"},
    {"-(2 + 3)", "(- (+ 2 3))"},
    {"a < b", "(< a b)"},
    {"a+1 != b*2", "(!= (+ a 1) (* b 2))"},
    {"a ? b : c ? d : e", "(? a b (? c d e))"},
    {"a ? b ? 1 : 2 : c", "(? a (? b 1 2) c)"},
    {"a < b ? c : d + 1", "(? (< a b) c (+ d 1))"},
    {"(a)", "a"},
};
constexpr Refused kRefusedByAll[] = {
    {"", 1, "the expression is empty; for example "},
    {" \t", 3, "the expression is empty"},
    {"1 +", 4, "the expression ends too early; for example "},
    {"(1", 1, "the '(' is not closed; add a ')'"},
    {"(1 2)", 4, "'2' is not understood; remove it, or put an operator before it"},
    {"1)", 2, "')' is not understood; remove it, or open it with a '('"},
    {"()", 2, "')' is not understood; write a number, a name or a parenthesis"},
    {"a bc", 3, "'bc' is not understood; remove it, or put an operator before it"},
    {"1, 2", 2, "',' is not understood; a comma stands between the arguments of a function alone"},
    {"a = 2", 3, "'=' is not understood; a single = compares nothing, write =="},
    {"1 +* 2", 4, "'*' has nothing before it; complete it, or remove it"},
    {"== 1", 1, "'==' has nothing before it"},
    {"a ? b", 6, "a ':' is missing; write it as a ? b : c"},
    {"1 # 2", 3, "'#' is not understood"},
    {"1 \x01", 3, "this character is not understood"},
    {"12abc", 1, "'12abc' is no number"},
};

TEST(Dialects, HaveTheirCommonPart) {
  for (const Dialect& dialect :
       {front_matter_dialect(), index_dialect(), element_dialect(), lesson_dialect(), c_dialect(is_type)}) {
    SCOPED_TRACE(dialect.example);
    check(dialect, kOfAll);
    check(dialect, kRefusedByAll);
  }
}

TEST(Dialects, RefuseWhatIsTooDeep) {
  for (const Dialect& dialect :
       {front_matter_dialect(), index_dialect(), element_dialect(), lesson_dialect(), c_dialect(is_type)}) {
    std::string choices, sum = "1";
    for (int i = 0; i < 100'000; ++i) choices += "1?1:", sum += "+1";
    for (const std::string& text :
         {std::string(100'000, '('), std::string(100'000, '-') + "1", choices, std::string(201, '-') + "1"}) {
      const auto tree = parse(text, dialect);
      ASSERT_FALSE(tree);
      EXPECT_EQ(tree.error().message, "this is nested too deeply");
    }
    EXPECT_TRUE(parse(std::string(150, '(') + "1" + std::string(150, ')'), dialect));
    EXPECT_TRUE(parse(sum.substr(0, 999), dialect));
    EXPECT_EQ(parse(sum, dialect).error().message, "the expression has too many operations");
  }
}

TEST(Dialects, FrontMatterIsOfNumbers) {
  constexpr Row kRows[] = {
      {"2 ^ 3 ^ 2", "(^ 2 (^ 3 2))"},
      {"-2 ^ 2", "(- (^ 2 2))"},
      {"2 ^ -1 * 3", "(* (^ 2 (- 1)) 3)"},
      {"!a == b", "(== (! a) b)"},
      {"a != !b", "(!= a (! b))"},
      {"a && b || c && d", "(|| (&& a b) (&& c d))"},
      {"1 < 2 < 3", "(< (< 1 2) 3)"},
      {"+1.5 + .5 + 5. + 2e3", "(+ (+ (+ 1.5 0.5) 5) 2000)"},
      {"ceil_div(N, TILE)", "(ceil_div() N TILE)"},
      {"min (1, 2, max(3))", "(min() 1 2 (max() 3))"},
      {"f()", "(f())"},
  };
  constexpr Refused kRefused[] = {
      {"1 | 2", 3, "'|' is not understood"},  {"1 << 3", 4, "'<' has nothing before it"},
      {"~N", 1, "'~' is not understood"},     {"1 and 0", 3, "'and' is not understood"},
      {"0x10", 1, "'0x10' is no number"},     {"1e", 1, "'1e' is no number"},
      {"1.5f", 1, "'1.5f' is no number"},     {"\"a\"", 1, "'\"' is not understood"},
      {"a[1]", 2, "'[' is not understood"},   {"a.b", 2, "'.' is not understood"},
      {"f(1,)", 5, "')' is not understood"},  {"f(,1)", 3, "',' is not understood"},
      {"f(1 2)", 5, "'2' is not understood"}, {"f(a = 1)", 5, "'=' is not understood"},
      {"1e999", 1, "'1e999' is no number"},   {"f(1", 2, "the '(' is not closed"},
  };
  check(front_matter_dialect(), kRows);
  check(front_matter_dialect(), kRefused);
}

TEST(Dialects, IndexIsOfWholeNumbers) {
  constexpr Row kRows[] = {
      {"lane ^ lane >> 2", "(^ lane (>> lane 2))"},
      {"1 << 2 + lane % 3", "(<< 1 (+ 2 (% lane 3)))"},
      {"a & 3 == 3", "(& a (== 3 3))"},
      {"a | 16 ^ 5 & 7", "(| a (^ 16 (& 5 7)))"},
      {"a < b == c", "(== (< a b) c)"},
      {"~a & !b + +c", "(& (~ a) (+ (! b) c))"},
      {"a || b && c", "(|| a (&& b c))"},
      {"0x1F + 0XA + 9223372036854775807", "(+ (+ 31 10) 9223372036854775807)"},
  };
  constexpr Refused kRefused[] = {
      {"lane*1.5", 7, "'.' is not understood"}, {"1e3", 1, "'1e3' is no number; write a whole number"},
      {".5", 1, "'.' is not understood"},       {"9223372036854775808", 1, "'9223372036854775808' is no"},
      {"0x", 1, "'0x' is no number"},           {"2 ** 3", 4, "'*' has nothing before it"},
      {"10u", 1, "'10u' is no number"},
  };
  check(index_dialect(), kRows);
  check(index_dialect(), kRefused);
}

TEST(Dialects, ElementsAreOfArrays) {
  constexpr Row kRows[] = {
      {"in[i] + 0.5f", "(+ ([] in i) 0.5)"},
      {"A[row, k] * B[k][2]", "(* ([] A row k) ([] B k 2))"},
      {"old(C)[i]", "([] (old() C) i)"},
      {"sum(k, 0, K, in[k])", "(sum() k 0 K ([] in k))"},
      {"a and b or not c", "(or (and a b) (not c))"},
      {"1 + not a == b", "(== (+ 1 (not a)) b)"},
      {"a && !b || c", "(|| (&& a (! b)) c)"},
      {"-2 ^ 2 ^ -1", "(- (^ 2 (^ 2 (- 1))))"},
      {"android", "android"},
  };
  constexpr Refused kRefused[] = {
      {"1 < 2 < 3", 7, "two comparisons stand in a row; join them with &&"},
      {"a == b != c", 8, "two comparisons stand in a row"},
      {"in[", 4, "the expression ends too early"},
      {"in[i", 3, "the '[' is not closed; add a ']'"},
      {"in[]", 4, "']' is not understood"},
      {"(in)[i]", 5, "'[' is not understood"},
      {"and 1", 1, "'and' has nothing before it"},
      {"'a'", 1, "''' is not understood"},
      {"0x10", 1, "'0x10' is no number"},
  };
  check(element_dialect(), kRows);
  check(element_dialect(), kRefused);
}

TEST(Dialects, LessonsAskAboutRuns) {
  constexpr Row kRows[] = {
      {"run('a', size = N / 2, T = 4).sectors('A', \"ld\")",
       "(run() 'a' size=(/ N 2) T=4).(sectors() 'A' 'ld')"},
      {"recorded('a', 4).speed / 2", "(/ (recorded() 'a' 4).speed 2)"},
      {"not a == b and not not c or d", "(or (and (not (== a b)) (not (not c))) d)"},
      {"f(a == 1)", "(f() (== a 1))"},
      {"2 ^ 3 ^ 2", "(^ 2 (^ 3 2))"},
      {"a . b", "a.b"},
  };
  constexpr Refused kRefused[] = {
      {"1 + not 2", 5, "'not' is not understood"},
      {"- not 1", 3, "'not' is not understood"},
      {"1 < 2 < 3", 7, "two comparisons stand in a row; join them with 'and'"},
      {"'abc", 1, "a text has no end; close its quotes"},
      {"a && b", 3, "'&' is not understood"},
      {"!a", 1, "'!' is not understood"},
      {"+1", 1, "'+' has nothing before it"},
      {"run('a').", 10, "a name is missing behind the '.'"},
      {"(a).b", 4, "'.' is not understood"},
      {"f(a = )", 7, "')' is not understood"},
      {"1,024", 2, "',' is not understood"},
      {"4kB", 1, "'4kB' is no number; write numbers without separators and units"},
  };
  check(lesson_dialect(), kRows);
  check(lesson_dialect(), kRefused);
}

TEST(Dialects, CIsAsHostCodeHasIt) {
  constexpr Row kRows[] = {
      {"(float)N / 3", "(/ (cast float N) 3)"},
      {"( unsigned int ) -N", "(cast unsigned int (- N))"},
      {"(int)(7.9) % 4", "(% (cast int 7.9) 4)"},
      {"static_cast<int>(a + b)", "(cast int (+ a b))"},
      {"sizeof(float) * sizeof(Real)", "(* (sizeof() 'float') (sizeof() 'Real'))"},
      {"std::min(block.x, 0x100u)", "(std::min() block.x 256)"},
      {"args.grid.n + 1", "(+ args.grid.n 1)"},
      {"edge[0] / 2", "(/ ([] edge 0) 2)"},
      {"1.5f + 10ull << 1e2", "(<< (+ 1.5 10) 100)"},
      {"(N) -1", "(- N 1)"},
      {"f() + (a ? g(1) : 2)", "(+ (f()) (? a (g() 1) 2))"},
  };
  constexpr Refused kRefused[] = {
      {"~1", 1, "'~' is not understood"},           {"argv[", 6, "the expression ends too early"},
      {"s.", 2, "'.' is not understood"},           {"sizeof N", 8, "sizeof has no type"},
      {"static_cast<Q>(1)", 13, "this is no cast"}, {"(float)", 8, "the expression ends too early"},
      {"'a'", 1, "''' is not understood"},
  };
  check(c_dialect(is_type), kRows);
  check(c_dialect(is_type), kRefused);
}

TEST(Dialects, ErrorsNameTheirPlaceInWords) {
  const auto said = [](std::string_view text) {
    return in_words(parse(text, front_matter_dialect()).error(), text).message;
  };
  EXPECT_EQ(said("N 256"), "'256' is not understood at position 3 of \"N 256\"");
  EXPECT_EQ(said(" "), "the expression is empty");
}

}  // namespace
}  // namespace warplens::expression
