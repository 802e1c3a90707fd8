// For whom a figure is drawn. One value says what stands in the picture itself, how large its type is, and how
// many words there are: figures ask it for these and never for whom they are drawn, so that a look is defined here alone.
#pragma once

#include <cstdint>

namespace warplens::figures {

enum class Look : std::uint8_t {
  file,   // alone, in a file or beside another one: it says all that is to be said of it
  page,   // in the window: a headline above it says what it costs and why, a drawer has its numbers
  stage,  // from the last row of a hall: as on a page, in larger type, with as few words as a class reads
};

constexpr bool is_on_stage(Look look) { return look == Look::stage; }
// Whether the picture has the words that explain it; else a headline does.
constexpr bool has_words(Look look) { return look == Look::file; }
// Whether words are few: titles, and what a headline or somebody who speaks says, are left out, others are short.
constexpr bool is_brief(Look look) { return look == Look::stage; }
// Whether type and marks are large, and what would be small in them is left out.
constexpr bool is_large(Look look) { return look == Look::stage; }
// Whether only that is drawn which the picture is about: of many arrays, lines and kinds the ones that matter.
constexpr bool is_sparse(Look look) { return look == Look::stage; }
// All that is said around a picture and in it at once; 0: as many as there are.
constexpr int most_words(Look look) { return look == Look::stage ? 25 : 0; }

}  // namespace warplens::figures
