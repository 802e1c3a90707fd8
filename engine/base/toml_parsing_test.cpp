#include "engine/base/toml_parsing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace warplens {
namespace {

std::string times(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

TEST(TomlDepth, FindsNamesOfVeryManyParts) {
  EXPECT_EQ(line_of_deep_name("a = 1\n[b" + times(300, ".b") + "]\n"), 2);
  EXPECT_EQ(line_of_deep_name("a" + times(300, " . \"a\"") + " = 1"), 1);
  EXPECT_EQ(line_of_deep_name("x = { a" + times(300, ".a") + " = 1 }"), 1);
}

TEST(TomlDepth, LeavesTextsNumbersAndListsAlone) {
  EXPECT_EQ(line_of_deep_name("a = \"" + times(300, ".") + "\"\n"), 0);
  EXPECT_EQ(line_of_deep_name("a = '''\n" + times(300, ".\n") + "'''\n"), 0);
  EXPECT_EQ(line_of_deep_name("a = [" + times(300, "1.5, ") + "]\n"), 0);
  EXPECT_EQ(line_of_deep_name("# " + times(300, ".") + "\n" + times(300, "a.b = 1\n")), 0);
  EXPECT_EQ(line_of_deep_name("a = \"no end " + times(300, ".") + "\nb = 1"), 0);
}

TEST(TomlDepth, FindsTablesWithoutAName) {
  EXPECT_EQ(line_of_nameless_table("a = 1\n[*]\n"), 2);
  EXPECT_EQ(line_of_nameless_table("[a]\nb = \"\"\"\n[\n\"\"\"\n  [[ .x]]\n"), 5);
  EXPECT_EQ(line_of_nameless_table("[a\n[#]\n"), 2);
  EXPECT_EQ(line_of_nameless_table("[]"), 1);
}

TEST(TomlDepth, LeavesListsOfListsAlone) {
  for (const char* fine :
       {"[a]\n[ b.c ]\n[[\"d\"]]\n['e']\n", "a = [\n[+1],\n[\n{ x = [*] }], # ]\n[.5]]\n[b]\n",
        "a = \"[*]\"\n# [*]\nb = '''\n[*]'''\n", "a = [1]\n[b]\nc = {d = [[2]]}\n[e]\n", "["})
    EXPECT_EQ(line_of_nameless_table(fine), 0) << fine;
}

}  // namespace
}  // namespace warplens
