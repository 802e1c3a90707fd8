#include "engine/source/tokens.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/source/scan.hpp"

namespace warplens::source {
namespace {

using Kind = Token::Kind;

std::string written(std::string_view code, Kind kind) {
  std::string all;
  Tokens tokens(code);
  for (auto token = tokens.next(); token; token = tokens.next())
    if (token->kind == kind) all += (all.empty() ? "" : " ") + std::string(tokens.text(*token));
  return all;
}

struct Case {
  const char* name;
  const char* code;
  Kind kind;
  const char* tokens;  // of this kind
};
const Case kCases[] = {
    {"Names", "__shared__ float a_1[3];", Kind::name, "__shared__ float a_1"},
    {"Numbers", "x = 1.5e-3f + 0x1F - 1'000 * .5;", Kind::number, "1.5e-3f 0x1F 1'000 .5"},
    {"Signs", "a<<<1>>>", Kind::sign, "< < < > > >"},
    {"Texts", "f(\"a \\\" b\", 'c', '\\'');", Kind::text, "\"a \\\" b\" 'c' '\\''"},
    {"RawTexts", "x = R\"m(a \" )\" b)m\";", Kind::text, "R\"m(a \" )\" b)m\""},
    {"NoRawText", "R\"a\"", Kind::name, "R"},
    {"TextsOfOneLine", "a = \"open\nb = 1", Kind::name, "a b"},
    {"Comments", "a /* b \n c */ d // e \\\n f\ng", Kind::comment, "/* b \n c */ // e \\\n f"},
    {"NoCommentInText", "\"// a\" b", Kind::comment, ""},
    {"Directives", "  # define A 1\nb # c\n#if A", Kind::directive, "# define #if"},
    {"DirectiveBehindComment", "/* a */ #if B", Kind::directive, "#if"},
    {"Headers", "#include <a/b.h>\nx <y> z", Kind::text, "<a/b.h>"},
};
class TokensOf : public testing::TestWithParam<Case> {};
TEST_P(TokensOf, AreOfTheirKind) { EXPECT_EQ(written(GetParam().code, GetParam().kind), GetParam().tokens); }
INSTANTIATE_TEST_SUITE_P(All, TokensOf, testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

TEST(Tokens, HaveTheirPlaces) {
  Tokens tokens("a /*\n*/ b\n  c");
  std::vector<std::pair<int, int>> places;
  for (auto token = tokens.next(); token; token = tokens.next())
    places.emplace_back(token->line, token->column);
  EXPECT_EQ(places, (std::vector<std::pair<int, int>>{{1, 1}, {1, 3}, {2, 4}, {3, 3}}));
}

struct Line {
  const char* name;
  const char* line;
  Within before, behind;
};
const Line kLines[] = {
    {"Code", "a = 1;", Within::code, Within::code},
    {"CommentOpens", "a /* b", Within::code, Within::comment},
    {"CommentGoesOn", "b", Within::comment, Within::comment},
    {"CommentGoesOnOverNothing", "", Within::comment, Within::comment},
    {"CommentCloses", "b */ c", Within::comment, Within::code},
    {"DirectiveGoesOn", "#define A \\", Within::code, Within::directive},
    {"DirectiveEnds", "1", Within::directive, Within::code},
    {"TextGoesOn", "a = \"b \\", Within::code, Within::text},
    {"TextCloses", "b\"; c", Within::text, Within::code},
    {"TextIsForgotten", "a = \"b", Within::code, Within::code},
};
class LineByLine : public testing::TestWithParam<Line> {};
TEST_P(LineByLine, IsWithinTheSame) {
  Tokens tokens(GetParam().line, GetParam().before);
  while (tokens.next()) {
  }
  EXPECT_EQ(tokens.within(), GetParam().behind);
}
INSTANTIATE_TEST_SUITE_P(All, LineByLine, testing::ValuesIn(kLines),
                         [](const auto& one) { return one.param.name; });

TEST(Directives, AreJoinedAndWithoutComments) {
  const std::string code =
      "a\n#define T(x) /* one\n more */ x + \\\r\n  1 // end\n# if defined(A)\n/*\n#else\n*/\n#endif";
  const auto directives = directives_of(code);
  ASSERT_EQ(directives.size(), 3u);
  EXPECT_EQ(directives[0].word, "define");
  EXPECT_EQ(directives[0].rest, "T(x) x + 1");
  EXPECT_EQ(code.substr(directives[0].end, 6), "\n# if ");
  EXPECT_EQ(directives[1].rest, "defined(A)");
  EXPECT_EQ(directives[2].word, "endif");
  const Definition definition = definition_of(directives[0].rest);
  EXPECT_EQ(definition.name, "T");
  EXPECT_EQ(definition.parameters, "x");
  EXPECT_EQ(definition.body, "x + 1");
  EXPECT_FALSE(definition_of("T (x)").takes_arguments);
}

TEST(Blanked, KeepsEveryPlace) {
  EXPECT_EQ(blanked("k<< <g, b>> >(a, A<B<C>> >)"), "k<<< g, b>>> (a, A<B<C>> >)");
  EXPECT_EQ(blanked("a // b\n#if c\nd(\"e\", 'f'); /* g */ h"), "a     \n     \nd(\" \", ' ');         h");
}

TEST(Scan, FindsWordsAndBrackets) {
  EXPECT_EQ(find_word("an n", "n"), 3u);
  EXPECT_EQ(find_word("an n", "n", 0, 3), kNowhere);
  EXPECT_EQ(word_before("int name", 8), "name");
  EXPECT_EQ(behind_bracket("f(a[1], {2}) + 3", 1), 12u);
  EXPECT_EQ(behind_bracket("f(a[1], {2}) + 3", 1, 5), kNowhere);
  EXPECT_EQ(behind_bracket("a < b; c > d", 2), kNowhere);
  EXPECT_EQ(initializer("f(a, b) + 1, c"), "f(a, b) + 1");
  EXPECT_THAT(parts_of("A<a, b> c, d"), testing::SizeIs(3));
  EXPECT_THAT(parts_of("A<a, b> c, d", true), testing::ElementsAre("A<a, b> c", "d"));
}

}  // namespace
}  // namespace warplens::source
