#include "engine/exercise/assignment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/near.hpp"
#include "engine/lesson/blocks.hpp"
#include "engine/run/run.hpp"

namespace warplens::exercise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHole = "@@@";

// A table whose keys are taken one by one. The first mistake is kept, in the order in which they are asked for.
class Keys {
 public:
  Keys(const toml::table& table, const std::string& file, std::optional<Error>& error)
      : table_(table), file_(file), error_(error) {}

  void fail(const toml::node& node, std::string message, std::string next_step) {
    fail(static_cast<int>(node.source().begin.line), std::move(message), std::move(next_step));
  }
  void fail(int line, std::string message, std::string next_step) {
    if (!error_) error_ = Error{std::move(message), std::move(next_step), {file_, line, 0}};
  }
  int line() const { return static_cast<int>(table_.source().begin.line); }

  const toml::node* take(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  std::string text(std::string_view key, bool needed = false) {
    const toml::node* node = take(key);
    if (node == nullptr && needed)
      fail(line(), fmt::format("{} is missing", key), fmt::format("add {} = \"...\"", key));
    return node == nullptr ? "" : text_of(*node, key);
  }
  std::string text_of(const toml::node& node, std::string_view key) {
    if (const auto text = node.value_exact<std::string>()) return *text;
    fail(node, fmt::format("{} is no text", key), "put it in quotes");
    return "";
  }
  // A text alone is a list of one.
  std::vector<std::string> texts(std::string_view key) {
    const toml::node* node = take(key);
    return node == nullptr ? std::vector<std::string>() : texts_of(*node, key);
  }
  std::vector<std::string> texts_of(const toml::node& node, std::string_view key) {
    std::vector<std::string> list;
    if (const toml::array* array = node.as_array())
      for (const toml::node& each : *array) list.push_back(text_of(each, key));
    else
      list.push_back(text_of(node, key));
    return list;
  }
  double number(std::string_view key, double otherwise, double low, double high) {
    const toml::node* node = take(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value<double>();
    if (value && *value >= low && *value <= high) return *value;
    fail(*node, fmt::format("{} is no number from {} to {}", key, low, high), "correct it");
    return otherwise;
  }
  std::int64_t whole(const toml::node& node, std::string_view what) {
    if (const auto value = node.value_exact<std::int64_t>()) return *value;
    fail(node, fmt::format("{} is no whole number", what), "correct it");
    return 1;
  }
  catalog::Values values(const toml::node& node, std::string_view what) {
    catalog::Values values;
    if (const toml::table* table = node.as_table())
      for (const auto& [key, value] : *table) values[std::string(key.str())] = whole(value, key.str());
    else
      fail(node, fmt::format("{} is no table", what), "write such as { TILE = 16 }");
    return values;
  }
  void refuse_others() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::ranges::find(known_, name) != known_.end()) continue;
      const auto near = catalog::near_names(name, known_, 1);
      fail(static_cast<int>(key.source().begin.line), fmt::format("unknown key '{}'", name),
           near.empty() ? fmt::format("choose among {}", fmt::join(known_, ", "))
                        : fmt::format("did you mean {}?", near.front()));
    }
  }

 private:
  const toml::table& table_;
  const std::string& file_;
  std::optional<Error>& error_;
  std::vector<std::string> known_;
};

class Reader {
 public:
  explicit Reader(const std::string& file) { assignment_.file = file; }

  Result<Assignment> read(const toml::table& table) {
    Keys keys(table, assignment_.file, error_);
    assignment_.title = keys.text("title", true);
    assignment_.task = keys.text("task", true);
    assignment_.hints = keys.texts("hints");
    if (assignment_.hints.size() > kMostHints)
      keys.fail(keys.line(), fmt::format("there are more than {} hints", kMostHints), "leave some out");
    read_kernels(keys);
    read_free(keys);
    read_sizes(keys);
    assignment_.device = table.contains("device") ? keys.text("device") : (keys.take("device"), "h100");
    assignment_.seconds = static_cast<int>(keys.number("seconds", kMostSeconds, 1, kMostSeconds));
    read_warnings(keys);
    read_points(keys);
    each_table(keys, "goal", [&](const toml::table& goal) { read_goal(goal); });
    each_table(keys, "question", [&](const toml::table& question) { read_question(question); });
    keys.refuse_others();
    if (error_) return *error_;
    return std::move(assignment_);
  }

 private:
  // Beside the assignment's own file.
  std::string file_text(Keys& keys, const toml::node& node, const std::string& name) {
    const auto text = read_whole_file(fs::path(assignment_.file).parent_path() / name);
    if (text) return *text;
    keys.fail(node, text.error().message, "name a .cu file beside this one");
    return "";
  }

  // Either files of their own, or one text with holes and what stands in them.
  void read_kernels(Keys& keys) {
    const toml::node *start = keys.take("start"), *solution = keys.take("solution"),
                     *wrong = keys.take("wrong");
    const std::string code = keys.text("code");
    const std::vector<std::string> empty = keys.texts("empty");
    if ((start == nullptr) == code.empty())
      keys.fail(keys.line(), "there must be a kernel to begin with",
                "add start = \"FILE.cu\", or code with a line @@@ where the answer goes");
    const auto kernel = [&](const toml::node& node) {
      return code.empty() ? file_text(keys, node, keys.text_of(node, "a kernel file"))
                          : filled(code, keys.texts_of(node, "what stands in the holes"));
    };
    if (start != nullptr) assignment_.start = kernel(*start);
    if (!code.empty()) assignment_.start = filled(code, empty);
    if (solution != nullptr) assignment_.solution = kernel(*solution);
    if (wrong == nullptr) return;
    if (const toml::array* list = wrong->as_array())
      for (const toml::node& each : *list) assignment_.wrong.push_back(kernel(each));
    else
      keys.fail(*wrong, "wrong is no list", "write such as wrong = [\"...\"]");
  }

  void read_free(Keys& keys) {
    for (const std::string& part : keys.texts("free")) {
      if (part == "launch") assignment_.launch_is_free = true;
      if (part == "parameters") assignment_.parameters_are_free = true;
      if (part != "launch" && part != "parameters")
        keys.fail(keys.line(), fmt::format("'{}' cannot be free", part), "write launch or parameters");
    }
  }

  void read_sizes(Keys& keys) {
    const auto each = [&](std::string_view key, auto&& add) {
      const toml::node* node = keys.take(key);
      if (node == nullptr) return;
      if (node->as_array() == nullptr || node->as_array()->empty())
        return keys.fail(*node, fmt::format("{} is no list", key), "write it in brackets");
      for (const toml::node& one : *node->as_array()) add(one);
    };
    each("sizes", [&](const toml::node& one) {
      if (one.is_table())
        assignment_.sizes.push_back({.some = keys.values(one, "a size")});
      else
        assignment_.sizes.push_back({.all = keys.whole(one, "a size")});
    });
    if (assignment_.sizes.empty()) assignment_.sizes.emplace_back();  // the problem's own
    each("parameters",
         [&](const toml::node& one) { assignment_.parameters.push_back(keys.values(one, "parameters")); });
  }

  void read_warnings(Keys& keys) {
    const std::string warnings = keys.text("warnings");
    assignment_.takes_warnings = warnings == "pass";
    if (!warnings.empty() && warnings != "fail" && warnings != "pass")
      keys.fail(keys.line(), fmt::format("warnings cannot be '{}'", warnings), "write pass or fail");
  }

  void read_points(Keys& keys) {
    const toml::node* node = keys.take("points");
    if (node == nullptr) return;
    if (node->as_table() == nullptr)
      return keys.fail(*node, "points is no table", "write points = { right = 4, findings = 2 }");
    Keys points(*node->as_table(), assignment_.file, error_);
    assignment_.points_right = points.number("right", 1, 0, 1000);
    assignment_.points_findings = points.number("findings", 1, 0, 1000);
    points.refuse_others();
  }

  template <class Read>
  static void each_table(Keys& keys, std::string_view key, Read read) {
    const toml::node* node = keys.take(key);
    if (node == nullptr) return;
    if (node->as_array() == nullptr)
      return keys.fail(*node, fmt::format("{} is no list of tables", key), fmt::format("write [[{}]]", key));
    for (const toml::node& each : *node->as_array()) {
      if (each.as_table() == nullptr)
        return keys.fail(each, fmt::format("this {} is no table", key), fmt::format("write [[{}]]", key));
      read(*each.as_table());
    }
  }

  void read_goal(const toml::table& table) {
    Keys keys(table, assignment_.file, error_);
    Goal goal;
    goal.says = keys.text("says", true);
    goal.holds = lesson::Expression(keys.text("holds", true));
    goal.points = keys.number("points", 1, 0, 1000);
    goal.line = keys.line();
    if (const auto& error = goal.holds.error(); error && !goal.holds.is_empty())
      keys.fail(
          goal.line,
          fmt::format("{}, in {} at character {}", error->message, goal.holds.text(), error->place.column),
          error->next_step);
    keys.refuse_others();
    assignment_.goals.push_back(std::move(goal));
  }

  // As the lessons' questions are written, with points.
  void read_question(const toml::table& table) {
    Keys keys(table, assignment_.file, error_);
    const double points = keys.number("points", 1, 0, 1000);
    toml::table ask = table;
    ask.erase("points");
    std::ostringstream text;
    text << toml::toml_formatter(ask);
    auto block = lesson::read_fenced("ask", text.str(), keys.line());
    for (const Error& error : block.errors) keys.fail(keys.line(), error.message, error.next_step);
    if (block.part) assignment_.questions.push_back({std::get<lesson::Ask>(*block.part), points});
  }

  Assignment assignment_;
  std::optional<Error> error_;
};

}  // namespace

std::optional<WrittenLines> written_lines(const Assignment& assignment, std::string_view text) {
  if (assignment.solution.empty()) return std::nullopt;
  const run::Lines start = run::lines_of(assignment.start), solution = run::lines_of(assignment.solution),
                   now = run::lines_of(text);
  const std::size_t least = std::min(start.size(), solution.size());
  const auto head = static_cast<std::size_t>(
      std::mismatch(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(least), solution.begin())
          .first -
      start.begin());
  const auto rest = static_cast<std::ptrdiff_t>(least - head);
  const auto tail = static_cast<std::size_t>(
      std::mismatch(start.rbegin(), start.rbegin() + rest, solution.rbegin()).first - start.rbegin());
  if (now.size() < head + tail ||
      !std::equal(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(head), start.begin()) ||
      !std::equal(now.rbegin(), now.rbegin() + static_cast<std::ptrdiff_t>(tail), start.rbegin()))
    return std::nullopt;
  return WrittenLines{static_cast<int>(head) + 1, static_cast<int>(now.size() - head - tail)};
}

std::string filled(std::string_view code, const std::vector<std::string>& parts) {
  std::string text;
  std::size_t part = 0;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    if (trimmed(line) != kHole) {
      text += std::string(line) + "\n";
      continue;
    }
    const std::string_view in = part < parts.size() ? std::string_view(parts[part]) : std::string_view();
    ++part;
    text += std::string(in);
    if (!in.empty() && in.back() != '\n') text += '\n';
  }
  return text;
}

Result<Assignment> parse(std::string_view text, const std::string& file) {
  try {
    return Reader(file).read(warplens::parse_toml(text, file));
  } catch (const toml::parse_error& error) {
    return Error{std::string(error.description()),
                 "correct this line; texts stand in quotes",
                 {file, static_cast<int>(error.source().begin.line), 0}};
  }
}

Result<Assignment> read(const fs::path& path) {
  std::error_code failed;
  if (const auto bytes = fs::file_size(path, failed); !failed && bytes > kMostBytes)
    return Error{"the assignment is larger than 1 MiB", "name its own file", {path.string(), 0, 0}};
  const auto text = read_whole_file(path);
  return text ? parse(*text, path.string()) : text.error();
}

std::string handed_out(const Assignment& assignment, const std::string& start_file) {
  toml::table table = warplens::parse_toml(read_whole_file(assignment.file).value());
  for (const char* key : {"code", "empty", "solution", "wrong"}) table.erase(key);
  table.insert_or_assign("start", start_file);
  std::ostringstream text;
  text << table << "\n";
  return text.str();
}

std::vector<fs::path> assignment_files(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace warplens::exercise
