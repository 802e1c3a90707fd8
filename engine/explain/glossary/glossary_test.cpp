#include "engine/explain/glossary/glossary.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warplens::explain {
namespace {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (const TermPlace& place : terms_in(text))
    words.push_back(std::string(place.term->word) + "@" + std::to_string(place.at));
  return words;
}

TEST(Glossary, SaysEachWordOnceInOneSentence) {
  std::set<std::string_view> seen;
  for (const Term& each : glossary()) {
    EXPECT_TRUE(seen.insert(each.word).second) << each.word;
    EXPECT_FALSE(each.meaning.ends_with('.')) << each.word;
    EXPECT_FALSE(each.forms.empty()) << each.word;
  }
  for (const char* word : {"Sector", "Wavefront", "Ideal", "Bank", "Occupancy"})
    EXPECT_TRUE(seen.contains(word));
}

TEST(Glossary, FindsWholeWordsAtTheirFirstPlace) {
  EXPECT_EQ(words_in("32 sectors, ideal 4; sectors again"),
            (std::vector<std::string>{"Sector@3", "Ideal@12"}));
  EXPECT_TRUE(words_in("bankrupt, idealist, sectoral").empty());
}

TEST(Glossary, TheLongerTermIsMeant) {
  EXPECT_EQ(words_in("2 bank conflicts"), std::vector<std::string>{"Bank conflict@2"});
}

}  // namespace
}  // namespace warplens::explain
