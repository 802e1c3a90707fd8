// A kernel file's front matter -> KernelSpec. Everything wrong is gathered, and the first place in the file
// is told.
#include "engine/catalog/front_matter.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/catalog/expression.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/catalog/near.hpp"
#include "engine/catalog/rules.hpp"
#include "engine/catalog/toml_reading.hpp"

namespace warplens::catalog {
namespace {

struct TextField {
  std::string_view key;
  std::string KernelSpec::*text;
  bool needed;
};
constexpr std::array<TextField, 8> kTextFields{{{"title", &KernelSpec::title, true},
                                                {"problem", &KernelSpec::problem, true},
                                                {"idea", &KernelSpec::idea, false},
                                                {"watch", &KernelSpec::watch, false},
                                                {"show", &KernelSpec::show, false},
                                                {"source", &KernelSpec::source, false},
                                                {"kernel", &KernelSpec::kernel, false},
                                                {"arch", &KernelSpec::arch, false}}};
const std::array<std::string_view, 12> kTopKeys{"title",  "problem", "idea",      "watch",  "show", "source",
                                                "params", "launch",  "registers", "kernel", "arch", "maps"};
const std::array<std::string_view, 5> kMapKeys{"name", "of", "box", "shape", "swizzle"};
const std::array<std::string_view, 4> kLaunchKeys{"block", "grid", "shared", "require"};
const std::array<std::string_view, 3> kParameterKeys{"default", "values", "meaning"};
const std::array<std::string_view, 2> kRequireKeys{"test", "reason"};

// Each is a slider, and what a value of one means for the others is asked of all of them.
constexpr std::size_t kMostParameters = 256;
constexpr std::int64_t kMostRegisters = 255;  // that code can name, on any device

// 13 of "1.3".
std::optional<int> capability_of(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > 2 || text.size() != dot + 2) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c == '.') continue;
    if (!is_digit(c)) return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number;
}

bool is_parameter_name(std::string_view name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto later = [&](char c) { return upper(c) || c == '_' || (c >= '0' && c <= '9'); };
  return name.size() >= 2 && upper(name.front()) && std::all_of(name.begin(), name.end(), later);
}

bool fits_int(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

class FrontMatterReader : private TomlReading {
 public:
  FrontMatterReader(KernelSpec& spec, int first_line) : TomlReading(spec.path, first_line), spec_(spec) {}

  std::optional<Error> read(const toml::table& root) {
    check_keys(root, "the front matter", kTopKeys);
    for (const TextField& field : kTextFields) read_text(root, field);
    read_params(root);
    read_launch(root);
    read_registers(root);
    read_maps(root);
    check_arch(root);
    check_expressions();
    if (errors_.empty() && missing_.empty()) check_defaults();
    return first_error();
  }

 private:
  void read_text(const toml::table& root, const TextField& field) {
    const toml::node* node = root.get(field.key);
    if (node == nullptr) {
      if (field.needed) missing(first_line_, field.key, fmt::format("{} = \"...\"", field.key));
      return;
    }
    if (field.text == &KernelSpec::problem && node->is_table()) return read_own_problem(*node->as_table());
    const auto text = node->value_exact<std::string>();
    if (!text) return wrong_type(*node, field.key, "a string");
    if (field.needed && text->empty())
      complain(line_of(*node), fmt::format("{} is empty", field.key), "write one");
    spec_.*field.text = *text;
    if (field.text == &KernelSpec::problem) spec_.problem_line = line_of(*node);
  }

  // Kernels with the same table solve the same problem.
  void read_own_problem(const toml::table& table) {
    ProblemText own = read_problem(table, *this);
    spec_.problem = (own.kind.empty() ? "own" : own.kind) + "-" + fingerprint(own.identity).substr(0, 8);
    spec_.problem_line = own.line;
    spec_.own = std::make_shared<const ProblemText>(std::move(own));
  }

  void read_registers(const toml::table& root) {
    const toml::table* registers = table_at(root, "registers");
    if (registers == nullptr) return;
    for (const auto& [key, node] : in_file_order(*registers)) {
      const auto capability = capability_of(key->str());
      if (!capability)
        complain(line_of(key->source()), fmt::format("{} in registers is no compute capability", key->str()),
                 "write it in quotes, as in registers = { \"1.3\" = 21 }");
      const auto count = node->value_exact<std::int64_t>();
      if (!count || *count < 1 || *count > kMostRegisters)
        complain(line_of(*node),
                 fmt::format("registers of {} are no whole number from 1 to {}", key->str(), kMostRegisters),
                 "give those of one thread");
      else if (capability)
        spec_.registers[*capability] = static_cast<int>(*count);
    }
  }

  void read_maps(const toml::table& root) {
    const toml::node* node = root.get("maps");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return wrong_type(*node, "maps", "a list");
    for (const toml::node& entry : *list) {
      if (!entry.is_table())
        wrong_type(entry, "an entry of maps",
                   "a table { name = \"A_map\", of = \"A\", box = [\"BK\", \"BM\"] }");
      else
        read_map(*entry.as_table());
    }
  }

  void read_map(const toml::table& table) {
    check_keys(table, "an entry of maps", kMapKeys);
    TensorMapText map;
    map.line = line_of(table);
    for (const auto& [key, text] : {std::pair{"name", &map.name}, std::pair{"of", &map.of}}) {
      const toml::node* node = table.get(key);
      if (node == nullptr) return missing(map.line, fmt::format("{} in an entry of maps", key), "of = \"A\"");
      const auto words = node->value_exact<std::string>();
      if (!words) return wrong_type(*node, key, "a string");
      *text = *words;
    }
    read_extents(table, "box", map.box);
    read_extents(table, "shape", map.shape);
    if (map.box.empty()) missing(map.line, "box in an entry of maps", "box = [\"BK\", \"BM\"]");
    if (const toml::node* node = table.get("swizzle")) read_swizzle(*node, map.swizzle);
    spec_.maps.push_back(std::move(map));
  }

  // One to five expressions, the innermost dimension first.
  void read_extents(const toml::table& table, std::string_view key, std::vector<std::string>& extents) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty() || list->size() > 5)
      return wrong_type(*node, key, "a list of one to five expressions");
    for (const toml::node& entry : *list)
      if (const auto text = expression_text(entry, fmt::format("an entry of {}", key))) {
        extents.push_back(*text);
        expressions_.push_back({*text, line_of(entry)});
      }
  }

  void read_swizzle(const toml::node& node, tensor::Swizzle& swizzle) {
    const std::string text = node.value_exact<std::string>().value_or("");
    const auto found = std::ranges::find(tensor::kSwizzles, text, &tensor::SwizzleRow::name);
    if (found == tensor::kSwizzles.end())
      return wrong_type(node, "swizzle", "\"none\", \"32B\", \"64B\" or \"128B\"");
    swizzle = found->swizzle;
  }

  // Digits, and the letter of code for one architecture or family alone.
  void check_arch(const toml::table& root) {
    if (spec_.arch.empty()) return;
    std::string_view digits = spec_.arch;
    if (digits.back() == 'a' || digits.back() == 'f') digits.remove_suffix(1);
    const bool fits = (digits.size() == 2 || digits.size() == 3) &&
                      digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!fits)
      complain(line_of(*root.get("arch")), fmt::format("arch is {}", spec_.arch),
               "write a compute capability without its dot, as in arch = \"90a\"");
  }

  void read_params(const toml::table& root) {
    const toml::table* params = table_at(root, "params");
    if (params == nullptr) return;
    if (params->size() > kMostParameters) {
      complain(line_of(*params), fmt::format("the file has {} parameters", params->size()),
               fmt::format("{} are the most; let constants be constants of the code", kMostParameters));
      return;
    }
    for (const auto& [key, node] : in_file_order(*params)) read_parameter(*key, *node);
  }

  void read_parameter(const toml::key& key, const toml::node& node) {
    const std::string name(key.str());
    const int line = line_of(key.source());
    if (!is_parameter_name(name)) {
      complain(line, fmt::format("{} cannot be a parameter's name", name),
               "use two or more upper-case letters, digits and _, such as TILE; single letters are sizes");
    } else if (is_reserved_name(name)) {
      complain(line, fmt::format("{} is a constant of the expressions", name), "choose another name");
    }
    if (!node.is_table()) return wrong_type(node, name, "a table { default = ..., values = [...] }");
    check_keys(*node.as_table(), name, kParameterKeys);
    Parameter parameter;
    parameter.name = name;
    read_values(*node.as_table(), parameter, line);
    read_default(*node.as_table(), parameter, line);
    if (const toml::node* meaning = node.as_table()->get("meaning")) {
      const auto text = meaning->value_exact<std::string>();
      if (!text) wrong_type(*meaning, name + ".meaning", "a string");
      parameter.meaning = text.value_or("");
    }
    spec_.params.push_back(std::move(parameter));
  }

  void read_values(const toml::table& table, Parameter& parameter, int line) {
    const toml::node* node = table.get("values");
    if (node == nullptr) return missing(line, parameter.name + ".values", "values = [8, 16, 32]");
    const toml::array* list = node->as_array();
    if (list == nullptr) return wrong_type(*node, parameter.name + ".values", "a list of whole numbers");
    if (list->empty())
      complain(line_of(*node), parameter.name + ".values is empty", "give at least one value");
    for (const toml::node& entry : *list) {
      const auto value = entry.value_exact<std::int64_t>();
      if (!value) return wrong_type(entry, "an entry of " + parameter.name + ".values", "a whole number");
      read_value(entry, parameter, *value);
    }
  }

  void read_value(const toml::node& entry, Parameter& parameter, std::int64_t value) {
    if (!fits_int(value)) {
      complain(line_of(entry), fmt::format("{}.values has {}, which no int holds", parameter.name, value),
               "use 32-bit values");
    }
    if (!parameter.values.empty() && value <= parameter.values.back()) {
      const bool twice = value == parameter.values.back();
      complain(line_of(entry),
               twice
                   ? fmt::format("{}.values has {} twice", parameter.name, value)
                   : fmt::format("{}.values has {} after {}", parameter.name, value, parameter.values.back()),
               "list each value once, in ascending order");
    }
    parameter.values.push_back(value);
  }

  void read_default(const toml::table& table, Parameter& parameter, int line) {
    const toml::node* node = table.get("default");
    if (node == nullptr) return missing(line, parameter.name + ".default", "default = 32");
    const auto value = node->value_exact<std::int64_t>();
    if (!value) return wrong_type(*node, parameter.name + ".default", "a whole number");
    parameter.default_value = *value;
    const auto& list = parameter.values;
    if (!list.empty() && std::find(list.begin(), list.end(), *value) == list.end()) {
      complain(line_of(*node), fmt::format("{}.default is {}, not one of its values", parameter.name, *value),
               fmt::format("choose one of {}", fmt::join(list, ", ")));
    }
  }

  void read_launch(const toml::table& root) {
    if (root.get("launch") == nullptr) {
      return missing(first_line_, "[launch]", "[launch] with block = [...] and grid = [...]");
    }
    const toml::table* launch = table_at(root, "launch");
    if (launch == nullptr) return;
    check_keys(*launch, "[launch]", kLaunchKeys);
    spec_.block_line = read_edges(*launch, "block", spec_.block);
    spec_.grid_line = read_edges(*launch, "grid", spec_.grid);
    if (const toml::node* shared = launch->get("shared")) {
      spec_.shared_line = line_of(*shared);
      if (const auto text = expression_text(*shared, "shared")) spec_.shared = *text;
    }
    read_require(*launch);
  }

  int read_edges(const toml::table& launch, std::string_view key, std::vector<std::string>& edges) {
    const toml::node* node = launch.get(key);
    if (node == nullptr) {
      missing(line_of(launch), fmt::format("launch.{}", key),
              fmt::format("{} = [\"...\"] under [launch]", key));
      return 0;
    }
    const int line = line_of(*node);
    const toml::array* list = node->as_array();
    if (list == nullptr) {
      wrong_type(*node, key, "a list of one to three expressions");
      return line;
    }
    if (list->empty() || list->size() > 3) {
      complain(line, fmt::format("{} has {} entries", key, list->size()), "give one to three: x, y and z");
    }
    for (const toml::node& entry : *list) {
      if (const auto text = expression_text(entry, fmt::format("an entry of {}", key))) {
        edges.push_back(*text);
        expressions_.push_back({*text, line_of(entry)});
      }
    }
    return line;
  }

  void read_require(const toml::table& launch) {
    const toml::node* node = launch.get("require");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return wrong_type(*node, "require", "a list");
    for (const toml::node& entry : *list) {
      if (const auto text = entry.value_exact<std::string>()) {
        spec_.require.push_back({*text, "", line_of(entry)});
      } else if (const toml::table* table = entry.as_table()) {
        read_requirement(*table);
      } else {
        wrong_type(entry, "an entry of require", "a string or { test = \"...\", reason = \"...\" }");
      }
    }
  }

  void read_requirement(const toml::table& table) {
    check_keys(table, "an entry of require", kRequireKeys);
    Requirement requirement{"", "", line_of(table)};
    const toml::node* test = table.get("test");
    if (test == nullptr)
      return missing(requirement.line, "test in an entry of require", "test = \"TILE <= 32\"");
    const auto text = test->value_exact<std::string>();
    if (!text) return wrong_type(*test, "test", "a string");
    requirement.expression = *text;
    if (const toml::node* reason = table.get("reason")) {
      const auto words = reason->value_exact<std::string>();
      if (!words) return wrong_type(*reason, "reason", "a string");
      requirement.reason = *words;
    }
    spec_.require.push_back(std::move(requirement));
  }

  // The sizes are the problem's, which is not known here: any single upper-case letter may be one.
  void check_expressions() {
    Scope scope;
    const bool has_sizes = spec_.own != nullptr && spec_.own->kind.empty();
    for (char size = 'A'; size <= 'Z' && !has_sizes; ++size) scope.set(std::string_view(&size, 1), 1);
    if (spec_.own != nullptr)
      for (const SizeText& size : spec_.own->sizes) scope.set(size.name, 1);
    for (const Parameter& parameter : spec_.params) scope.set(parameter.name, parameter.default_value);
    for (const Requirement& requirement : spec_.require) {
      expressions_.push_back({requirement.expression, requirement.line});
    }
    expressions_.push_back({spec_.shared, spec_.shared_line});
    const std::string use = has_sizes ? "" : names_to_use();
    for (const auto& [text, line] : expressions_) {
      const auto expression = Expression::compile(text, scope, use);
      if (!expression) complain(line, expression.error().message, expression.error().next_step);
    }
  }

  // The scope's own list would name all 26 letters.
  std::string names_to_use() const {
    const std::vector<std::string> names = parameter_names(spec_);
    if (names.empty()) return "use a size such as M, or add it to [params]";
    return fmt::format("use {}, a size such as M, or add it to [params]", fmt::join(names, ", "));
  }

  // What needs no size can be judged now: the file must not open with invalid values.
  void check_defaults() {
    Scope scope;
    for (const Parameter& parameter : spec_.params) scope.set(parameter.name, parameter.default_value);
    for (const Requirement& requirement : spec_.require) {
      const auto test = Expression::compile(requirement.expression, scope);
      if (!test) continue;  // it uses a size
      const double value = test->evaluate();
      if (value == value && value != 0) continue;
      const std::string values = test->values_now();
      complain(requirement.line,
               fmt::format("the default values break {}{}", requirement.expression,
                           values.empty() ? "" : ": " + values),
               "choose other defaults");
    }
  }

  KernelSpec& spec_;
  std::vector<Written> expressions_;
};

constexpr std::string_view kOpen = "/*---", kClose = "---*/";

int lines_before(std::string_view text, std::size_t at) {
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// The length of the mark that some editors write first; NVRTC stumbles over it.
std::size_t byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? kMark.size() : 0;
}

// Of the opening mark; npos: the text does not begin with one.
std::size_t opening_of(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n", byte_order_mark(text)), text.size());
  if (!text.substr(begin).starts_with(kOpen)) return std::string_view::npos;
  const std::size_t next = text.find_first_not_of(" \t", begin + kOpen.size());
  const bool ends_line = next == std::string_view::npos || text[next] == '\n' || text[next] == '\r';
  return ends_line ? begin : std::string_view::npos;
}

struct FrontMatter {
  std::string_view toml;  // between the marks; begins on the line of the opening one
  int line = 1;           // of the opening mark in the file, from 1
};

// Errors have the file and the line: no opening mark, no closing one, a comment that ends before it.
Result<FrontMatter> find_front_matter(std::string_view text, std::string_view path) {
  const std::string file(path);
  std::size_t begin = opening_of(text);
  const bool is_there = begin != std::string_view::npos;
  if (!is_there) begin = std::min(text.find_first_not_of(" \t\r\n", byte_order_mark(text)), text.size());
  const int line = lines_before(text, begin) + 1;
  if (!is_there) {
    return Error{"the file does not begin with a front matter",
                 "open it with /*--- and close that with ---*/",
                 {file, line, 0}};
  }
  begin += kOpen.size();
  const std::size_t end = text.find(kClose, begin);
  const std::size_t comment_end = text.find("*/", begin);
  if (comment_end != std::string_view::npos && (end == std::string_view::npos || comment_end < end)) {
    return Error{"the comment of the front matter ends here without ---*/",
                 "close the front matter with ---*/ on a line of its own",
                 {file, lines_before(text, comment_end) + 1, 0}};
  }
  if (end == std::string_view::npos) {
    return Error{
        "the front matter that opens here is never closed", "add a line ---*/ after it", {file, line, 0}};
  }
  return FrontMatter{text.substr(begin, end - begin), line};
}

}  // namespace

bool has_front_matter(std::string_view text) { return opening_of(text) != std::string_view::npos; }

std::string usual_text(std::string_view text) {
  std::string usual(text.substr(byte_order_mark(text)));
  for (std::size_t at = usual.find('\r'); at != std::string::npos; at = usual.find('\r', at + 1))
    if (at + 1 == usual.size() || usual[at + 1] != '\n') usual[at] = '\n';
  return usual;
}

std::size_t first_code_line(std::span<const std::string_view> lines) {
  std::size_t at = 0;
  while (at < lines.size() && lines[at].find("---*/") == std::string_view::npos) ++at;
  if (at == lines.size()) return 0;
  do ++at;
  while (at < lines.size() && lines[at].empty());
  return at;
}

Result<KernelSpec> parse_kernel(std::string_view whole, std::string_view id, std::string_view path) {
  const std::string text = usual_text(whole);
  const auto front = find_front_matter(text, path);
  if (!front) return front.error();
  KernelSpec spec;
  spec.id = id;
  spec.path = path;
  spec.code = text;
  try {
    const toml::table root = warplens::parse_toml(front->toml);
    if (const auto error = FrontMatterReader(spec, front->line).read(root)) return *error;
    return spec;
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    const std::string why(error.description());
    return Error{fmt::format("line {} of the front matter: {}", static_cast<int>(where.line),
                             why.find("expected '='") != std::string::npos ? "expected `name = value`" : why),
                 "check the equals sign, brackets, braces and quotes of this line and the one before",
                 {spec.path, front->line + static_cast<int>(where.line) - 1, static_cast<int>(where.column)}};
  } catch (const std::exception& error) {
    return Error{
        fmt::format("the front matter cannot be read: {}", error.what()), "", {spec.path, front->line, 0}};
  }
}

}  // namespace warplens::catalog
