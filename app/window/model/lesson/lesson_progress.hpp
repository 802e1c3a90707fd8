// How far somebody has come in each lesson, kept between starts of the program as one TOML file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/base/result.hpp"

namespace warplens::app {

// Stops count from 0 here, from 1 in the file.
struct LessonProgress {
  std::size_t stop = 0;  // that was open last
  std::set<std::size_t> seen, bookmarks;
  std::set<std::size_t> right, wrong;  // of questions: whether the first guess was right
  std::set<std::size_t> done;          // exercises
  bool operator==(const LessonProgress&) const = default;
};

// By the names of lessons.
using AllProgress = std::map<std::string, LessonProgress, std::less<>>;

std::string to_toml(const AllProgress& progress);
// Errors have the file's line: no TOML, what is no list of whole numbers from 1.
Result<AllProgress> parse_progress(std::string_view text, const std::string& file);
// Empty where there is no such file.
Result<AllProgress> read_progress(const std::filesystem::path& file);
Status write_progress(const std::filesystem::path& file, const AllProgress& progress);

}  // namespace warplens::app
