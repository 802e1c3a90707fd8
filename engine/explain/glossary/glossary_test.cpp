#include "engine/explain/glossary/glossary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

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

// A word that a class looks up is found without reading all of them.
TEST(Glossary, IsInTheOrderOfTheAlphabet) {
  std::vector<std::string> words;
  for (const Term& each : glossary()) {
    words.emplace_back(each.word);
    std::ranges::transform(words.back(), words.back().begin(),
                           [](unsigned char c) { return std::tolower(c); });
  }
  EXPECT_TRUE(std::ranges::is_sorted(words)) << *std::ranges::is_sorted_until(words);
}

// Else the word would mean the one in one text and the other in the next.
TEST(Glossary, AFormIsOfOneTerm) {
  std::map<std::string, std::string_view> owners;
  for (const Term& each : glossary()) {
    std::istringstream forms{std::string(each.forms)};
    for (std::string form; std::getline(forms, form, ',');)
      EXPECT_TRUE(owners.emplace(form, each.word).second)
          << form << " of " << each.word << " and " << owners[form];
  }
}

// What the lessons on races, tensor cores and copies say to a class.
TEST(Glossary, HasTheWordsOfTheField) {
  for (const char* word : {"race", "barrier", "register", "padding", "swizzle", "tensor core", "fragment",
                           "TMA", "wgmma", "L2", "cluster", "ldmatrix", "mbarrier", "latency", "tile"})
    EXPECT_EQ(terms_in(word).size(), 1u) << word;
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
