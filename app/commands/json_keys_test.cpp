// The keys that programs read: testdata/json_keys.txt has commands, and below each every key of its --json
// with the type of its value. A key that is added is a new line there (WARPLENS_WRITE_GOLDEN=1 writes it); one that
// is renamed or gone breaks a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {
namespace {

using Lines = std::vector<std::string>;  // each once, in the order of the JSON

// "counts.global_load.sectors integer"; of a list what each of its elements has: "grid[] integer".
void add_keys(const Json& value, const std::string& path, Lines& lines) {
  if (value.is_object())
    for (const auto& [key, inner] : value.items())
      add_keys(inner, path.empty() ? key : path + "." + key, lines);
  else if (value.is_array())
    for (const Json& element : value) add_keys(element, path + "[]", lines);
  else if (const auto line = path + " " + (value.is_number_integer() ? "integer" : value.type_name());
           std::ranges::find(lines, line) == lines.end())
    lines.push_back(line);
}

struct Command {
  std::string words;
  Lines keys;
};

std::string golden_path() { return source_path("app/testdata/json_keys.txt"); }
bool writes_golden() { return std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr; }

std::vector<Command> golden() {
  std::ifstream file(golden_path());
  std::vector<Command> commands;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("warplens "))
      commands.push_back({line, {}});
    else if (!line.empty() && !commands.empty())
      commands.back().keys.push_back(line);
  }
  return commands;
}

Json answer_to(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word.starts_with("app/") ? source_path(word) : word);
  words.front() = program_path("warplens");
  const ChildResult result = run_child(words, {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", ""}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(JsonKeys, AreThoseThatProgramsRead) {
  if (!compile::Compiler(compile::Compiler::Options{}).available()) GTEST_SKIP() << "no NVRTC";
  const auto commands = golden();
  ASSERT_GE(commands.size(), 6u);
  std::string now;
  for (const Command& command : commands) {
    Lines keys;
    add_keys(answer_to(command.words), "", keys);
    now += (now.empty() ? "" : "\n") + command.words + "\n";
    for (const std::string& key : keys) now += key + "\n";
    if (writes_golden()) continue;
    EXPECT_THAT(keys, ::testing::UnorderedElementsAreArray(command.keys)) << command.words;
  }
  if (writes_golden()) std::ofstream(golden_path()) << now;
}

}  // namespace
}  // namespace warplens::app
