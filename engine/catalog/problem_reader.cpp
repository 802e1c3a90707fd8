// The [problem] table of a front matter -> ProblemText.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "engine/base/toml_parsing.hpp"
#include "engine/catalog/expression.hpp"
#include "engine/catalog/near.hpp"
#include "engine/catalog/toml_reading.hpp"
#include "engine/source/types.hpp"

namespace warplens::catalog {
namespace {

constexpr std::array<std::string_view, 10> kProblemKeys{
    "kind", "sizes", "buffers", "scalars", "order", "check", "like", "none", "tolerance", "operations"};
constexpr std::array<std::string_view, 10> kBufferKeys{"name", "type",  "parts", "count",  "shape",
                                                       "fill", "first", "gaps",  "output", "also"};
constexpr std::array<std::string_view, 4> kScalarKeys{"name", "type", "value", "also"};
constexpr std::array<std::string_view, 2> kSizeKeys{"value", "also"};

bool is_name(std::string_view text) {
  const auto of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), of_name);
}

class ProblemReader {
 public:
  ProblemReader(const toml::table& table, TomlReading& reading) : table_(table), reading_(reading) {
    text_.line = reading.line_of(table);
    std::ostringstream identity;
    identity << table;
    text_.identity = identity.str();
  }

  ProblemText read() {
    reading_.check_keys(table_, "[problem]", kProblemKeys);
    text_.kind = text_at(table_, "kind");
    read_sizes();
    read_buffers();
    read_scalars();
    read_goal();
    if (const toml::node* node = table_.get("operations")) text_.operations = expression(*node, "operations");
    if (const toml::node* node = table_.get("order")) {
      for (const std::string& name : texts(*node, "order"))
        text_.order.push_back({name, reading_.line_of(*node)});
    }
    check_order();
    return std::move(text_);
  }

 private:
  std::string text_at(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return "";
    if (const auto text = node->value_exact<std::string>()) return *text;
    reading_.wrong_type(*node, key, "a string");
    return "";
  }

  // A string, or a list of strings.
  std::vector<std::string> texts(const toml::node& node, std::string_view what) {
    if (const auto text = node.value_exact<std::string>()) return {*text};
    std::vector<std::string> list;
    if (!node.is_array()) reading_.wrong_type(node, what, "a list of strings");
    if (!node.is_array()) return list;
    for (const toml::node& entry : *node.as_array()) {
      if (const auto text = entry.value_exact<std::string>())
        list.push_back(*text);
      else
        reading_.wrong_type(entry, fmt::format("an entry of {}", what), "a string");
    }
    return list;
  }

  std::vector<std::string> also(const toml::table& table) {
    const toml::node* node = table.get("also");
    return node == nullptr ? std::vector<std::string>() : texts(*node, "also");
  }

  // A number with a fraction is an expression here too.
  Written expression(const toml::node& node, std::string_view what) {
    if (const auto number = node.value_exact<double>())
      return {fmt::format("{}", *number), reading_.line_of(node)};
    return {reading_.expression_text(node, what).value_or(""), reading_.line_of(node)};
  }

  bool take_name(const std::string& name, std::string_view what, int line) {
    if (!is_name(name)) {
      reading_.complain(line,
                        name.empty() ? fmt::format("{} has no name", what)
                                     : fmt::format("{} cannot be the name of {}", name, what),
                        "name it as the kernel does, such as N or in");
      return false;
    }
    if (is_reserved_name(name) || std::find(names_.begin(), names_.end(), name) != names_.end()) {
      reading_.complain(line, fmt::format("{} is the name of two things in [problem]", name),
                        "give each size, buffer and scalar a name of its own");
      return false;
    }
    names_.push_back(name);
    return true;
  }

  void read_sizes() {
    const toml::table* sizes = reading_.table_at(table_, "sizes");
    if (sizes == nullptr) {
      if (text_.kind.empty() && !table_.contains("sizes"))
        reading_.missing(text_.line, "problem.sizes", "sizes = { N = 1000003 }");
      return;
    }
    for (const auto& [key, node] : in_file_order(*sizes)) {
      SizeText size{std::string(key->str()), 0, {}, reading_.line_of(key->source())};
      take_name(size.name, "a size", size.line);
      const toml::node* value = node;
      if (const toml::table* table = node->as_table()) {
        reading_.check_keys(*table, size.name, kSizeKeys);
        size.also = also(*table);
        value = table->get("value");
      }
      const auto number = value == nullptr ? std::nullopt : value->value_exact<std::int64_t>();
      if (!number || *number < 1)
        reading_.complain(size.line, fmt::format("the size {} is no whole number from 1 up", size.name),
                          fmt::format("write the size that opens first, such as {} = 1000003", size.name));
      size.value = number.value_or(1);
      text_.sizes.push_back(std::move(size));
    }
    if (text_.sizes.empty() && text_.kind.empty())
      reading_.complain(text_.line, "problem.sizes has no size",
                        "give at least one: sizes = { N = 1000003 }");
  }

  // The tables of a list, each with its line.
  std::vector<const toml::table*> tables(std::string_view key, std::string_view form) {
    std::vector<const toml::table*> list;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return list;
    if (!node->is_array()) reading_.wrong_type(*node, key, "a list of tables " + std::string(form));
    if (!node->is_array()) return list;
    for (const toml::node& entry : *node->as_array()) {
      if (entry.is_table())
        list.push_back(entry.as_table());
      else
        reading_.wrong_type(entry, fmt::format("an entry of {}", key), "a table " + std::string(form));
    }
    return list;
  }

  void check_type(const std::string& type, const std::string& name, int line, bool of_scalar) {
    const auto known = source::read_type(type);
    if (type.empty()) return;
    if (known && (!of_scalar || known->parts == 1)) return;
    reading_.complain(line,
                      fmt::format("{} has the type {}, which {} cannot have", name, type,
                                  of_scalar ? "a scalar" : "a buffer"),
                      fmt::format("use one of {}{}", fmt::join(source::element_types(), ", "),
                                  of_scalar ? "" : ", or a vector of them such as float4"));
  }

  void read_buffers() {
    for (const toml::table* table : tables("buffers", "{ name = \"in\", type = \"float\", count = \"N\" }"))
      read_buffer(*table);
    // buffers = []: a kernel that only prints, or has its own data
    const bool has_none = table_.contains("buffers");
    if (text_.buffers.empty() && text_.kind.empty() && !has_none && reading_.is_fine())
      reading_.missing(text_.line, "problem.buffers",
                       "buffers = [{ name = \"in\", type = \"float\", count = \"N\" }]");
  }

  void read_buffer(const toml::table& table) {
    BufferText buffer;
    buffer.line = reading_.line_of(table);
    reading_.check_keys(table, "a buffer", kBufferKeys);
    buffer.name = text_at(table, "name");
    if (!take_name(buffer.name, "a buffer", buffer.line)) return;
    if (table.contains("type")) buffer.type = text_at(table, "type");
    check_type(buffer.type, buffer.name, buffer.line, false);
    if (const toml::node* node = table.get("parts")) buffer.parts = parts(*node, buffer);
    if (const toml::node* node = table.get("count")) buffer.count = expression(*node, "count");
    if (const toml::node* node = table.get("shape")) read_shape(*node, buffer);
    if (buffer.count.text.empty() && buffer.shape.empty() && reading_.is_fine())
      reading_.complain(buffer.line, fmt::format("the buffer {} has no count", buffer.name),
                        "say how many elements it has: count = \"N\", or shape = [\"M\", \"N\"]");
    if (const toml::node* node = table.get("fill")) buffer.fill = expression(*node, "fill");
    if (const toml::node* node = table.get("gaps")) buffer.gaps = expression(*node, "gaps");
    if (const toml::node* node = table.get("first")) buffer.first = expression(*node, "first");
    if (const toml::node* node = table.get("output")) {
      if (!node->is_boolean()) reading_.wrong_type(*node, "output", "true or false");
      buffer.is_output = node->value_or(false);
    }
    buffer.also = also(table);
    text_.buffers.push_back(std::move(buffer));
  }

  int parts(const toml::node& node, const BufferText& buffer) {
    constexpr std::int64_t kMost = 1 << 16;
    const auto number = node.value_exact<std::int64_t>();
    if (number && *number >= 1 && *number <= kMost) return static_cast<int>(*number);
    reading_.complain(reading_.line_of(node),
                      fmt::format("the parts of {} are no whole number from 1 to {}", buffer.name, kMost),
                      "say of how many elements one of it is, such as parts = 4 of a struct of four floats");
    return 1;
  }

  void read_shape(const toml::node& node, BufferText& buffer) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != 2)
      return reading_.complain(reading_.line_of(node),
                               fmt::format("the shape of {} is not two expressions", buffer.name),
                               "give rows and columns, such as shape = [\"M\", \"N\"]; vectors have a count");
    for (const toml::node& entry : *list) buffer.shape.push_back(expression(entry, "an entry of shape"));
  }

  void read_scalars() {
    for (const toml::table* table :
         tables("scalars", "{ name = \"alpha\", type = \"float\", value = 2.0 }")) {
      ScalarText scalar;
      scalar.line = reading_.line_of(*table);
      reading_.check_keys(*table, "a scalar", kScalarKeys);
      scalar.name = text_at(*table, "name");
      if (!take_name(scalar.name, "a scalar", scalar.line)) continue;
      if (table->contains("type")) scalar.type = text_at(*table, "type");
      check_type(scalar.type, scalar.name, scalar.line, true);
      if (const toml::node* node = table->get("value"))
        scalar.value = expression(*node, "value");
      else
        reading_.complain(scalar.line, fmt::format("the scalar {} has no value", scalar.name),
                          "give it one: value = 2.0, or an expression such as \"N\"");
      scalar.also = also(*table);
      text_.scalars.push_back(std::move(scalar));
    }
  }

  // How the result is judged.
  void read_goal() {
    if (const toml::node* node = table_.get("check")) {
      for (const std::string& text : texts(*node, "check"))
        text_.check.push_back({text, reading_.line_of(*node)});
    }
    text_.like = text_at(table_, "like");
    text_.none = text_at(table_, "none");
    if (const toml::node* node = table_.get("tolerance")) {
      if (!node->is_number() || node->value_or(0.0) < 0)
        reading_.wrong_type(*node, "tolerance", "a number such as 1e-3");
      text_.tolerance = node->value_or(0.0);
    }
    const int ways = int{!text_.check.empty()} + int{!text_.like.empty()} + int{!text_.none.empty()};
    if (ways > 1)
      reading_.complain(text_.line, "[problem] says in two ways what is right",
                        "keep one of check, like and none");
    if (ways == 0 && text_.kind.empty())
      reading_.missing(text_.line, "problem.check",
                       "check = \"out[i] == in[i] + 1\", like = \"01_naive\" for another kernel's result, or "
                       "none = \"why it is not checked\"");
  }

  void check_order() {
    for (const Written& entry : text_.order) {
      if (!text_.kind.empty() || std::find(names_.begin(), names_.end(), entry.text) != names_.end())
        continue;
      reading_.complain(entry.line, fmt::format("order has {}, which [problem] does not", entry.text),
                        fmt::format("use each of {} that the kernel takes", fmt::join(names_, ", ")));
    }
  }

  const toml::table& table_;
  TomlReading& reading_;
  ProblemText text_;
  std::vector<std::string> names_;
};

}  // namespace

ProblemText read_problem(const toml::table& table, TomlReading& reading) {
  return ProblemReader(table, reading).read();
}

Result<ProblemText> parse_problem(std::string_view text) {
  try {
    const toml::table root = warplens::parse_toml(text);
    TomlReading reading("", 1);
    ProblemText problem = read_problem(root, reading);
    if (auto error = reading.first_error()) return *std::move(error);
    return problem;
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("the problem is not TOML: {}", error.description()),
                 "check its brackets and quotes",
                 {"", static_cast<int>(error.source().begin.line), 0}};
  }
}

}  // namespace warplens::catalog
