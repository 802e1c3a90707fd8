// Reads a TOML table by rows of key and what to do with its value; keeps the first error, with its place.
#pragma once

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

class TomlReader {
 public:
  explicit TomlReader(std::string_view file) : file_(file) {}
  using Row = std::pair<std::string_view, std::function<void(const toml::node&)>>;

  void table(const toml::table& table, const std::vector<Row>& rows) {
    for (const auto& [key, node] : table) {
      const auto row =
          std::find_if(rows.begin(), rows.end(), [&, &name = key](const Row& r) { return r.first == name; });
      if (row == rows.end()) {
        fail(node, fmt::format("unknown key '{}'", key.str()), "remove it, or correct its name");
      } else {
        row->second(node);
      }
    }
  }
  auto text(std::string& to) {
    return [this, &to](const toml::node& node) {
      if (const auto value = node.value_exact<std::string>())
        to = *value;
      else
        fail(node, "this is not a text", "put it in quotes");
    };
  }
  auto flag(bool& to) {
    return [this, &to](const toml::node& node) {
      if (const auto value = node.value_exact<bool>())
        to = *value;
      else
        fail(node, "this is neither true nor false", "write true or false");
    };
  }
  template <class Whole>
  auto whole(Whole& to, std::int64_t low, std::int64_t high) {
    return [this, &to, low, high](const toml::node& node) {
      const auto value = node.value_exact<std::int64_t>();
      if (value && *value >= low && *value <= high)
        to = static_cast<Whole>(*value);
      else
        fail(node, fmt::format("this is not a whole number from {} to {}", low, high), "correct it");
    };
  }
  auto number(double& to, double low, double high) {
    return [this, &to, low, high](const toml::node& node) {
      const auto value = node.value<double>();
      if (value && *value >= low && *value <= high)
        to = *value;
      else
        fail(node, fmt::format("this is not a number from {} to {}", low, high), "correct it");
    };
  }
  template <class Value, std::size_t count>
  auto one_of(Value& to, const std::array<std::pair<Value, std::string_view>, count>& table) {
    return [this, &to, &table](const toml::node& node) {
      const auto name = node.value_exact<std::string>();
      std::string all;
      for (const auto& [value, text] : table) {
        if (name && *name == text) return void(to = value);
        all += (all.empty() ? "" : ", ") + std::string(text);
      }
      fail(node, "this is none of " + all, "choose one of them");
    };
  }
  auto values(catalog::Values& to) {
    return [this, &to](const toml::node& node) {
      const toml::table* table = node.as_table();
      if (table == nullptr) return fail(node, "this is not a table", "write it as NAME = VALUE lines");
      for (const auto& [key, value] : *table) {
        const auto whole = value.value_exact<std::int64_t>();
        if (!whole) return fail(value, fmt::format("{} is not a whole number", key.str()), "correct it");
        to.insert_or_assign(std::string(key.str()), *whole);
      }
    };
  }
  auto rows(std::vector<Row> inner) {
    return [this, inner = std::move(inner)](const toml::node& node) {
      if (const toml::table* below = node.as_table())
        table(*below, inner);
      else
        fail(node, "this is not a table", "write it as NAME = VALUE lines");
    };
  }
  void fail(const toml::node& node, std::string message, std::string next_step) {
    if (error) return;
    const auto at = node.source().begin;
    error = Error{std::move(message), std::move(next_step),
                  Place{std::string(file_), static_cast<int>(at.line), static_cast<int>(at.column)}};
  }

  std::optional<Error> error;

 private:
  std::string_view file_;
};

}  // namespace warplens::app
