#include "app/window/model/lesson/lesson_progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <array>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

using Stops = std::set<std::size_t>;

constexpr std::int64_t kMostStops = 10'000;

constexpr std::array<std::pair<std::string_view, Stops LessonProgress::*>, 5> kLists = {
    {{"seen", &LessonProgress::seen},
     {"bookmarks", &LessonProgress::bookmarks},
     {"right", &LessonProgress::right},
     {"wrong", &LessonProgress::wrong},
     {"done", &LessonProgress::done}}};

std::optional<std::size_t> stop_of(const toml::node& node) {
  const auto number = node.value_exact<std::int64_t>();
  if (!number || *number < 1 || *number > kMostStops) return std::nullopt;
  return static_cast<std::size_t>(*number - 1);
}

bool read_list(const toml::table& table, std::string_view key, Stops& to) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return true;
  const toml::array* list = node->as_array();
  if (list == nullptr) return false;
  for (const toml::node& entry : *list) {
    const auto stop = stop_of(entry);
    if (!stop) return false;
    to.insert(*stop);
  }
  return true;
}

std::optional<LessonProgress> read_one(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) return std::nullopt;
  LessonProgress progress;
  if (const toml::node* stop = table->get("stop")) {
    const auto number = stop_of(*stop);
    if (!number) return std::nullopt;
    progress.stop = *number;
  }
  for (const auto& [key, list] : kLists)
    if (!read_list(*table, key, progress.*list)) return std::nullopt;
  return progress;
}

}  // namespace

std::string to_toml(const AllProgress& all) {
  std::string text;
  for (const auto& [name, progress] : all) {
    std::string quoted;
    for (const char c : name) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    text += fmt::format("[\"{}\"]\nstop = {}\n", quoted, progress.stop + 1);
    for (const auto& [key, list] : kLists) {
      std::vector<std::size_t> stops;
      for (const std::size_t stop : progress.*list) stops.push_back(stop + 1);
      if (!stops.empty()) text += fmt::format("{} = [{}]\n", key, fmt::join(stops, ", "));
    }
  }
  return text;
}

Result<AllProgress> parse_progress(std::string_view text, const std::string& file) {
  AllProgress all;
  try {
    for (const auto& [name, node] : warplens::parse_toml(text, file)) {
      auto progress = read_one(node);
      if (!progress)
        return Error{"this is not the progress in a lesson", "remove the file: it is made again",
                     Place{file, static_cast<int>(node.source().begin.line), 0}};
      all.emplace(std::string(name.str()), *std::move(progress));
    }
  } catch (const toml::parse_error& error) {
    return Error{std::string(error.description()), "remove the file: it is made again",
                 Place{file, static_cast<int>(error.source().begin.line), 0}};
  }
  return all;
}

Result<AllProgress> read_progress(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return AllProgress{};
  const auto text = read_whole_file(file);
  return text ? parse_progress(*text, file.string()) : Result<AllProgress>(text.error());
}

Status write_progress(const std::filesystem::path& file, const AllProgress& progress) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  return write_whole_file(file, to_toml(progress));
}

}  // namespace warplens::app
