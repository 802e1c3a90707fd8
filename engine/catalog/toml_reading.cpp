#include "engine/catalog/toml_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/catalog/near.hpp"

namespace warplens::catalog {

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or a time";
  }
}

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto it = table.cbegin(); it != table.cend(); ++it) entries.emplace_back(&it->first, &it->second);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const auto x = a.first->source().begin, y = b.first->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  return entries;
}

// A misspelt key is also a missing one: what is in the file is reported before what is missing.
std::optional<Error> TomlReading::first_error() {
  if (errors_.empty()) errors_.swap(missing_);
  if (errors_.empty()) return std::nullopt;
  const auto line = [](const Error& a, const Error& b) { return a.place.line < b.place.line; };
  return *std::min_element(errors_.begin(), errors_.end(), line);
}

void TomlReading::complain(int line, std::string message, std::string next_step) {
  errors_.push_back({std::move(message), std::move(next_step), {file_, line, 0}});
}

void TomlReading::wrong_type(const toml::node& node, std::string_view what, std::string_view wanted) {
  complain(line_of(node), fmt::format("{} is {}, not {}", what, kind_of(node), wanted),
           fmt::format("make it {}", wanted));
}

void TomlReading::missing(int line, std::string_view key, std::string_view example) {
  missing_.push_back(
      {fmt::format("the front matter has no {}", key), fmt::format("add {}", example), {file_, line, 0}});
}

void TomlReading::check_keys(const toml::table& table, std::string_view where,
                             std::span<const std::string_view> known) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, node] : in_file_order(table)) {
    if (std::find(known.begin(), known.end(), key->str()) != known.end()) continue;
    const std::vector<std::string> near = near_names(key->str(), names, 1);
    const std::string guess = near.empty() ? "" : "did you mean " + near.front() + "? ";
    complain(line_of(key->source()), fmt::format("unknown key {} in {}", key->str(), where),
             fmt::format("{}the keys here are {}", guess, fmt::join(names, ", ")));
  }
}

const toml::table* TomlReading::table_at(const toml::table& root, std::string_view key) {
  const toml::node* node = root.get(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) wrong_type(*node, key, "a table");
  return node->as_table();
}

std::optional<std::string> TomlReading::expression_text(const toml::node& node, std::string_view what) {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto text = node.value_exact<std::string>()) return *text;
  wrong_type(node, what, "a string with an expression");
  return std::nullopt;
}

}  // namespace warplens::catalog
