// Words, brackets and lists in code without comments and texts (blanked()): what readers look for between tokens.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace warplens::source {

inline constexpr std::size_t kNowhere = std::string_view::npos;

// The next place in [from, end) where a name begins that is this word, not a part of a longer one.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0,
                      std::size_t end = kNowhere);
bool has_word(std::string_view code, std::initializer_list<std::string_view> words);
// Whether this word begins there.
bool is_word_at(std::string_view code, std::size_t at, std::string_view word);
// The name that begins there, and the one that ends right before `end`; empty: none does.
std::string_view word_at(std::string_view code, std::size_t at);
std::string_view word_before(std::string_view code, std::size_t end);
// The next place that is no blank; the size of the code where there is none.
std::size_t behind_blanks(std::string_view code, std::size_t at);
// Behind the last place before `end` that is no blank.
std::size_t before_blanks(std::string_view code, std::size_t end);
// Behind the bracket of any kind that closes the one at `open`, less than `most` characters on. kNowhere: none
// does; of "<" too where a statement ends before.
std::size_t behind_bracket(std::string_view code, std::size_t open, std::size_t most = kNowhere);
// Up to the comma, semicolon or bracket that ends what a name is set to.
std::string_view initializer(std::string_view code);
// At commas that are in no brackets, without blanks; the last part too where a comma is before it. Whether "<" is
// a bracket is for who asks to know.
std::vector<std::string_view> parts_of(std::string_view code, bool has_templates = false);
// Where a line begins that is counted from 1; the size of the code where there are fewer.
std::size_t begin_of_line(std::string_view code, int line);
// From 1.
int line_of(std::string_view code, std::size_t place);

}  // namespace warplens::source
