// How much a class has to read.
#pragma once

#include <string>
#include <string_view>

#include "viz/scene/scene.hpp"

namespace warplens::figures {

// All that is said on a stage at once: its headline and sentence, and the words in its picture.
inline constexpr int kMostStageWords = 25;

// Numbers, signs, units and names of a single letter are no words: "33.1 B", "512 × 512", "A". "L1" is one,
// and "multiply-add".
int word_count(std::string_view text);
int word_count(const scene::Scene& scene);

// Without so many of its last parts, "; meanwhile ..." and ", ...", that no more words than these are left;
// the first part stays in any case. A full stop at its end stays too.
std::string cut_to(std::string_view sentence, int most_words);

}  // namespace warplens::figures
