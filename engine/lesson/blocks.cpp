#include "engine/lesson/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "engine/base/code_text.hpp"
#include "engine/base/text.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/catalog/near.hpp"
#include "engine/lesson/evaluator.hpp"
#include "engine/lesson/grade.hpp"
#include "engine/lesson/prose.hpp"

namespace warplens::lesson {
namespace {

constexpr std::size_t kMostChoices = 9;  // each has a key

// One table of TOML: its keys are taken one by one; those that are left are unknown.
class Fields {
 public:
  Fields(std::string_view text, int line, std::vector<Error>& errors) : line_(line), errors_(errors) {
    try {
      table_ = warplens::parse_toml(text);
    } catch (const toml::parse_error& error) {
      fail(static_cast<int>(error.source().begin.line), std::string(error.description()),
           "correct this line; texts stand in quotes");
      broken_ = true;
    }
  }

  bool is_broken() const { return broken_; }
  void fail(int line, std::string message, std::string next_step) {
    errors_.push_back({std::move(message), std::move(next_step), {"", line + line_ - 1, 0}});
  }
  static int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
  int place_of(std::string_view key) const {
    return (table_.contains(key) ? line_of(*table_.get(key)) : 1) + line_ - 1;
  }

  // Null where the key is not there.
  const toml::node* take(std::string_view key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  std::string text(std::string_view key, bool needed) {
    const toml::node* node = take(key);
    const auto value = node == nullptr ? std::nullopt : node->value_exact<std::string>();
    if (node != nullptr && !value)
      fail(line_of(*node), fmt::format("{} is no text", key), "put it in quotes");
    if (!broken_ && needed && node == nullptr) missing_.emplace_back(key, "\"...\"");
    if (value && needed && trimmed(*value).empty())
      fail(line_of(*node), fmt::format("{} is missing", key), fmt::format("add {} = \"...\"", key));
    return value.value_or("");
  }
  double number(std::string_view key, double otherwise, double low, double high) {
    const toml::node* node = take(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value<double>();
    if (value && *value >= low && *value <= high) return *value;
    fail(line_of(*node), fmt::format("{} is no number from {} to {}", key, low, high), "correct it");
    return otherwise;
  }
  // A text, or a number or truth as one.
  std::string expression(std::string_view key, bool needed) {
    if (const toml::node* node = table_.get(key);
        node != nullptr && (node->is_number() || node->is_boolean())) {
      known_.emplace_back(key);
      return node->is_boolean() ? (node->value_or(false) ? "true" : "false")
                                : fmt::format("{}", node->value_or(0.0));
    }
    return text(key, needed);
  }
  // A key that has to be there.
  void need(std::string_view key, std::string_view example) {
    if (!broken_ && !table_.contains(key)) missing_.emplace_back(key, example);
  }
  // Keys that nobody took, and those that are missing: of a mistyped one only that it is.
  void refuse_others() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto near = catalog::near_names(name, known_, 1);
      fail(static_cast<int>(key.source().begin.line), fmt::format("unknown key '{}'", name),
           near.empty() ? fmt::format("choose among {}", fmt::join(known_, ", "))
                        : fmt::format("did you mean {}?", near.front()));
      if (!near.empty())
        std::erase_if(missing_, [&](const auto& each) { return each.first == near.front(); });
    }
    for (const auto& [key, example] : missing_)
      fail(1, fmt::format("{} is missing", key), fmt::format("add {} = {}", key, example));
  }
  // As expressions are written, told at their key's line.
  void check(std::string_view key, const Expression& expression) {
    if (!expression.is_empty() && expression.error())
      fail_expression(place_of(key), expression.text(), *expression.error());
  }
  void fail_expression(int line, const std::string& expression, const Error& why) {
    errors_.push_back({fmt::format("{}, in {} at character {}", why.message, expression, why.place.column),
                       why.next_step,
                       {"", line, 0}});
  }

 private:
  toml::table table_;
  int line_;
  std::vector<Error>& errors_;
  bool broken_ = false;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> missing_;  // with how it is written
};

std::string number_text(double number) { return to_string(Value(number)); }

Choice choice_of(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return {*text, number_in(*text), ""};
  if (!node.is_number()) return {};
  const double number = node.value_or(0.0);
  return {number_text(number), number, ""};
}

void read_choices(Fields& fields, Ask& ask) {
  const toml::node* node = fields.take("choices");
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr || list->size() < 2 || list->size() > kMostChoices)
    return fields.fail(Fields::line_of(*node), fmt::format("choices are no list of 2 to {}", kMostChoices),
                       "write such as choices = [1, 4, 16]");
  for (const toml::node& each : *list) {
    Choice choice = choice_of(each);
    if (choice.text.empty())
      fields.fail(Fields::line_of(each), "this choice is neither a number nor a text", "correct it");
    const auto same = [&](const Choice& other) { return other.text == choice.text; };
    if (std::any_of(ask.choices.begin(), ask.choices.end(), same))
      fields.fail(Fields::line_of(each), fmt::format("the choice '{}' is there twice", choice.text),
                  "remove one of them");
    ask.choices.push_back(std::move(choice));
  }
}

// { 4 = "...", "10 times" = "..." }
void read_wrong(Fields& fields, Ask& ask) {
  const toml::node* node = fields.take("wrong");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr)
    return fields.fail(Fields::line_of(*node), "wrong is no table",
                       "write such as wrong = { 4 = \"the reason\" }");
  for (const auto& [key, value] : *table) {
    const std::string name(key.str());
    const auto number = number_in(name);
    const auto meant = std::find_if(ask.choices.begin(), ask.choices.end(), [&](const Choice& choice) {
      return choice.text == name || (number && number_text(*number) == choice.text);
    });
    if (meant == ask.choices.end())
      fields.fail(static_cast<int>(key.source().begin.line),
                  fmt::format("'{}' is no choice of this question", name),
                  "write the choice as it stands in choices");
    else if (const auto reason = value.value_exact<std::string>())
      meant->wrong = *reason;
    else
      fields.fail(Fields::line_of(value), fmt::format("the reason of '{}' is no text", name),
                  "put it in quotes");
  }
}

Part read_ask(Fields& fields, int line) {
  Ask ask;
  ask.line = line;
  ask.question = fields.text("question", true);
  read_choices(fields, ask);
  const std::string type = fields.text("type", false);
  if (!type.empty() && type != "number")
    fields.fail(1, fmt::format("unknown type '{}'", type), "write type = \"number\", or choices");
  if (type.empty()) fields.need("choices", "[1, 4, 16], or type = \"number\"");
  if (!ask.choices.empty() && !type.empty())
    fields.fail(1, "the question has choices and a type", "give choices = [...], or type = \"number\"");
  if (fields.take("tolerance") != nullptr) ask.tolerance = fields.number("tolerance", 0, 0, 1e12);
  ask.answer = Expression(fields.expression("answer", true));
  ask.answer_line = fields.place_of("answer");
  read_wrong(fields, ask);
  if (!answer_is_a_choice(ask)) fields.check("answer", ask.answer);
  return ask;
}

Part read_try(Fields& fields, int line) {
  Try exercise;
  exercise.line = line;
  exercise.task = fields.text("task", true);
  exercise.goal = Expression(fields.expression("goal", true));
  exercise.best = Expression(fields.expression("best", false));
  exercise.hint = fields.text("hint", false);
  exercise.goal_line = fields.place_of("goal");
  exercise.best_line = fields.place_of("best");
  fields.check("goal", exercise.goal);
  fields.check("best", exercise.best);
  return exercise;
}

// A name alone: it leads to no other folder.
Part read_write(Fields& fields, int line) {
  Write write{fields.text("exercise", true), line};
  if (!std::ranges::all_of(write.exercise, [](char c) { return is_of_name(c); }))
    fields.fail(1, fmt::format("'{}' is no name of an exercise", write.exercise),
                "write the name of a file in exercises/ without its ending");
  return write;
}

Part read_teach(Fields& fields, int line) {
  Teach teach{fields.text("board", false), fields.text("trap", false), line};
  if (teach.board.empty() && teach.trap.empty() && !fields.is_broken())
    fields.fail(1, "this block says nothing to the teacher", "add board = \"...\" or trap = \"...\"");
  return teach;
}

// Without what stands behind a '#' that is in no text.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (quote == 0 && line[at] == '#') return line.substr(0, at);
    if (line[at] == '\'' || line[at] == '"') quote = quote == 0 ? line[at] : quote == line[at] ? '\0' : quote;
  }
  return line;
}

Part read_claims(std::string_view text, int line, std::vector<Error>& errors) {
  Claims claims{{}, line};
  for (; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string claim(trimmed(without_comment(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (claim.empty()) continue;
    const Expression expression(claim);
    if (const auto& error = expression.error())
      errors.push_back({fmt::format("{}, at character {}", error->message, error->place.column),
                        error->next_step,
                        {"", line, 0}});
    else
      claims.claims.push_back({expression, line});
  }
  if (claims.claims.empty() && errors.empty())
    errors.push_back(
        {"this block claims nothing", "write an expression, or remove it", {"", claims.line, 0}});
  return claims;
}

// Its lines are one paragraph.
Part read_on_stage(std::string_view text, int line, std::vector<Error>& errors) {
  OnStage on_stage{std::string(trimmed(text)), line};
  std::ranges::replace(on_stage.text, '\n', ' ');
  if (on_stage.text.empty())
    errors.push_back({"this block says nothing", "write a sentence or two, or remove it", {"", line, 0}});
  return on_stage;
}

// The blocks that are one table of TOML.
struct TableBlock {
  std::string_view name;
  Part (*read)(Fields& fields, int line);
};
constexpr auto kTables = std::to_array<TableBlock>(
    {{"ask", read_ask}, {"try", read_try}, {"write", read_write}, {"teach", read_teach}});
const std::vector<std::string> kNames = {"state", "ask", "claim", "try", "write", "teach", "stage"};

}  // namespace

std::vector<Error> read_front_matter(std::string_view toml, int line, Lesson& lesson) {
  std::vector<Error> errors;
  Fields fields(toml, line, errors);
  lesson.title = fields.text("title", true);
  lesson.summary = fields.text("summary", true);
  lesson.source = fields.text("source", false);
  fields.need("minutes", "30");
  lesson.minutes = static_cast<int>(fields.number("minutes", 0, 1, 600));
  if (const toml::node* node = fields.take("exhibits")) {
    const toml::array* list = node->as_array();
    if (list == nullptr)
      fields.fail(Fields::line_of(*node), "exhibits are no list",
                  "write such as exhibits = [\"N1\", \"P2\"]");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const auto name = list->get(i)->value_exact<std::string>())
        lesson.exhibits.push_back(*name);
      else
        fields.fail(Fields::line_of(*list->get(i)), "this exhibit is no text", "put it in quotes");
    }
  }
  fields.refuse_others();
  return errors;
}

FencedBlock read_fenced(const std::string& name, const std::string& text, int line) {
  FencedBlock block;
  if (name == "claim") {
    block.part = read_claims(text, line, block.errors);
    return block;
  }
  if (name == "state") {
    block.part = StateBlock{text, line};
    return block;
  }
  if (name == "stage") {
    block.part = read_on_stage(text, line, block.errors);
    return block;
  }
  const auto row = std::ranges::find(kTables, name, &TableBlock::name);
  if (row == kTables.end()) {
    const auto near = catalog::near_names(name, kNames, 1);
    block.errors.push_back({name.empty() ? "this block has no name" : fmt::format("unknown block '{}'", name),
                            near.empty() ? "choose state, ask, claim, try, write, teach or stage"
                                         : fmt::format("did you mean {}?", near.front()),
                            {"", line - 1, 0}});
    return block;
  }
  Fields fields(text, line, block.errors);
  block.part = row->read(fields, line);
  fields.refuse_others();
  if (fields.is_broken()) block.part.reset();
  return block;
}

}  // namespace warplens::lesson
