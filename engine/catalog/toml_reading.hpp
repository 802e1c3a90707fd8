// Reading the TOML of a kernel file: what is wrong is gathered with its line, and the first of it is told.
// For the sources of this folder only.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/problem_text.hpp"

namespace warplens::catalog {

std::string_view kind_of(const toml::node& node);  // "a list"

// toml++'s tables are sorted by key; the file's order is in the keys' places.
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

class TomlReading {
 public:
  TomlReading(std::string file, int first_line) : file_(std::move(file)), first_line_(first_line) {}

  std::optional<Error> first_error();
  bool is_fine() const { return errors_.empty() && missing_.empty(); }

  int line_of(const toml::source_region& source) const {
    return first_line_ + static_cast<int>(source.begin.line == 0 ? 1 : source.begin.line) - 1;
  }
  int line_of(const toml::node& node) const { return line_of(node.source()); }

  void complain(int line, std::string message, std::string next_step);
  void wrong_type(const toml::node& node, std::string_view what, std::string_view wanted);
  void missing(int line, std::string_view key, std::string_view example);
  void check_keys(const toml::table& table, std::string_view where, std::span<const std::string_view> known);
  // Null, with an error where one is owed, unless there is a table of that name.
  const toml::table* table_at(const toml::table& root, std::string_view key);
  // An expression is a string; a plain number is one too.
  std::optional<std::string> expression_text(const toml::node& node, std::string_view what);

 protected:
  std::string file_;
  int first_line_;
  std::vector<Error> errors_, missing_;
};

// The [problem] table. where: of its key. Errors are gathered in `reading`.
ProblemText read_problem(const toml::table& table, TomlReading& reading);

}  // namespace warplens::catalog
