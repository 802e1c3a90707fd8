// The problems that a course uses, as [problem] tables: what each computes, and a plain kernel of it. Each is a
// file of assets/problems.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/catalog/catalog.hpp"

namespace warplens::problem {

// What a guessed front matter says behind its sizes of whole numbers that the host code does not say and the grid does
// not cover, "bits, r": any other value may be meant.
inline constexpr std::string_view kNoMoreThanAGuess = "no more than a guess: ";

struct KindText {
  std::string_view name = {}, title = {};
  std::string_view what = {};     // "C = A + B, element by element"
  std::string_view problem = {};  // TOML
  std::string_view launch = {};   // TOML: [params] and [launch]
  std::string_view code = {};     // a kernel that is right at any size
  bool multiply_adds = false;
  std::string_view own_check = {};  // TOML: where the problem does not say what is right, what this code does
};
std::span<const KindText> kind_texts();
const KindText* find_kind_text(std::string_view name);  // null: none of that name

// A kernel file of that kind, ready to run.
std::string kernel_file_of(const KindText& kind);

// For a file that has none: TOML, to be read over; empty where it has no kernel.
std::string guessed_front_matter(std::string_view code);
// Of one of its kernels; empty: the file has none of this name.
std::string guessed_front_matter(std::string_view code, std::string_view kernel);
// The same of the whole file, or why no device runs it as it is.
catalog::GuessedText guessed(std::string_view code);

}  // namespace warplens::problem
