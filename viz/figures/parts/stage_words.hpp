// How much a class has to read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/explain.hpp"
#include "viz/figures/parts/look.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::figures {

// All that is said on a stage at once: its headline and sentence, and the words in its picture.
inline constexpr int kMostStageWords = most_words(Look::stage);

// Numbers, signs, units and names of a single letter are no words: "33.1 B", "512 × 512", "A". "L1" is one,
// and "multiply-add".
int word_count(std::string_view text);

// What a picture says. A word that newcomers do not know has its key in it, or needs one beside it.
struct Drawn {
  int words = 0;
  bool says_wavefront = false, has_key = false;
  bool operator==(const Drawn&) const = default;
};
Drawn drawn_words(const scene::Scene& scene);

// Without so many of its last parts, "; meanwhile ...", ", ..." and ": ...", that no more words than these
// are left; the first part stays in any case. A full stop at its end stays too.
std::string cut_to(std::string_view sentence, int most_words);

// What a stage says around the picture of a step.
struct StageText {
  std::string place;     // small, above: "Matmul: Naive; 512"
  std::string headline;  // what it costs; the title where nothing is said of that
  std::string sentence;  // below: why
  bool operator==(const StageText&) const = default;
};
struct AroundPicture {
  std::string ladder, title, unit = {};  // unit: of the picture's numbers
  explain::Explanation said = {};
  // the step against another one: the longest form first; may be empty
  std::vector<std::string> against = {};
  explain::Verdict than_other = explain::Verdict::neutral;  // the step, against that one
  bool names_cause = false;                                 // of the difference, in `against`
  bool is_point = false;                     // the shortest form of it says the number that the step is about
  std::vector<std::string> other_says = {};  // the pictures of that one; empty: not known
  bool is_of_access = false;                 // the picture: of one, not of the whole step
  std::string more = {};                     // behind the sentence; may be empty

  // Whether the comparison is the headline: the picture of an access says what one of the other step says, or
  // less than the reason why the step is quicker than that one.
  bool is_about_other() const;
  // Whether the headline says what the picture does, perhaps still: its colour is that of this.
  bool is_of_picture() const { return !is_about_other() && !said.what.empty(); }
  // What the stage says below, without `more`: the longest form first.
  std::vector<std::string> reasons() const;
};
// What a page says around it: the same without a budget, and without `more`.
StageText page_text(const AroundPicture& around);
// The longest of it that leaves a stage kMostStageWords where the picture has so many: the ladder and what
// explains the title go where that leaves the sentence whole in one of its forms, else the sentence loses its
// last parts, then the headline its own. A stage that speaks of wavefronts says what one is, where its
// picture does not: in a sentence of its own, or in a word. Where the picture alone has more, only the
// sentence gives way.
StageText stage_text(const AroundPicture& around, const Drawn& drawn);

}  // namespace warplens::figures
