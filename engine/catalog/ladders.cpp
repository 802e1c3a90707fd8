#include "engine/catalog/ladders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/expression.hpp"
#include "engine/catalog/toml_reading.hpp"

namespace warplens::catalog {
namespace {

constexpr std::array<std::string_view, 1> kFileKeys{"ladder"};
constexpr std::array<std::string_view, 6> kLadderKeys{"name", "measure", "opens", "turn", "turns", "steps"};
constexpr std::array<std::string_view, 6> kStepKeys{"against", "turn", "turns", "opens", "show", "about"};
// By Measure.
constexpr std::array<std::string_view, 4> kMeasures{"sectors", "instructions", "time", "error"};
// By About.
constexpr std::array<std::string_view, 9> kAbout{"",         "place", "guard",   "bytes",     "loads",
                                                 "barriers", "loop",  "sectors", "wavefronts"};

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? std::optional(number)
                                                                                : std::nullopt;
}

class LaddersReader : private TomlReading {
 public:
  explicit LaddersReader(std::string_view file) : TomlReading(std::string(file), 1) {}

  Result<Ladders> read(const toml::table& root) {
    check_keys(root, "the file", kFileKeys);
    Ladders ladders;
    if (const toml::node* list = root.get("ladder"); list != nullptr && list->is_array()) {
      for (const toml::node& node : *list->as_array())
        if (const toml::table* table = node.as_table())
          ladders.order.push_back(read_ladder(*table));
        else
          wrong_type(node, "ladder", "a table");
    } else if (list != nullptr) {
      wrong_type(*list, "ladder", "a list of tables");
    }
    if (auto error = first_error()) return *std::move(error);
    return ladders;
  }

 private:
  void read_text(const toml::table& table, std::string_view key, std::string& to) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    if (const auto text = node->value_exact<std::string>(); text && !text->empty())
      to = *text;
    else
      wrong_type(*node, key, "a text");
  }

  template <class Names, class Value>
  void read_one_of(const toml::table& table, std::string_view key, const Names& names, std::string_view fix,
                   Value& to) {
    std::string text;
    read_text(table, key, text);
    if (text.empty()) return;
    const auto known = std::ranges::find(names, text);
    if (known == names.end())
      complain(line_of(*table.get(key)), fmt::format("there is no {} '{}'", key, text), std::string(fix));
    else
      to = static_cast<Value>(known - names.begin());
  }

  Ladder read_ladder(const toml::table& table) {
    check_keys(table, "a ladder", kLadderKeys);
    Ladder ladder;
    if (table.get("name") == nullptr) missing(line_of(table), "name", "name = \"matmul\"");
    read_text(table, "name", ladder.name);
    read_one_of(table, "measure", kMeasures, "write sectors, instructions, time or error", ladder.measure);
    read_text(table, "opens", ladder.opens);
    read_text(table, "turn", ladder.turn);
    read_text(table, "turns", ladder.turns);
    if (const toml::table* steps = table_at(table, "steps"))
      for (const auto& [key, node] : in_file_order(*steps)) read_step(*key, *node, ladder);
    return ladder;
  }

  void read_step(const toml::key& key, const toml::node& node, Ladder& ladder) {
    const auto number = number_of(key.str());
    const toml::table* table = node.as_table();
    if (!number || table == nullptr) {
      complain(line_of(key.source()), fmt::format("'{}' is no step", key.str()),
               "write its number, as in steps.3.against = 1");
      return;
    }
    check_keys(*table, "a step", kStepKeys);
    TaughtStep& step = ladder.steps[*number];
    read_text(*table, "turn", step.turn);
    read_text(*table, "turns", step.turns);
    read_text(*table, "opens", step.opens);
    read_text(*table, "show", step.show);
    read_one_of(*table, "about", kAbout,
                "write place, guard, bytes, loads, barriers, loop, sectors or wavefronts", step.about);
    const toml::node* against = table->get("against");
    if (against == nullptr) return;
    if (const auto other = against->value_exact<std::int64_t>(); other && *other > 0)
      step.against = static_cast<std::size_t>(*other);
    else
      wrong_type(*against, "against", "the number of a step");
  }
};

// Of the step where it says it, else of the ladder.
const std::string& told(const Ladder& ladder, std::size_t number, std::string TaughtStep::*by_step,
                        std::string Ladder::*by_ladder) {
  const auto step = ladder.steps.find(number);
  return step == ladder.steps.end() || (step->second.*by_step).empty() ? ladder.*by_ladder
                                                                       : step->second.*by_step;
}

}  // namespace

const std::string& Ladder::opens_of(std::size_t number) const {
  return told(*this, number, &TaughtStep::opens, &Ladder::opens);
}
const std::string& Ladder::turn_of(std::size_t number) const {
  return told(*this, number, &TaughtStep::turn, &Ladder::turn);
}
const std::string& Ladder::turns_of(std::size_t number) const {
  return told(*this, number, &TaughtStep::turns, &Ladder::turns);
}

const Ladder* Ladders::find(std::string_view name) const {
  const auto found = std::ranges::find(order, name, &Ladder::name);
  return found == order.end() ? nullptr : &*found;
}

const Ladder& Ladders::of(std::string_view name) const {
  static const Ladder plain;
  const Ladder* found = find(name);
  return found == nullptr ? plain : *found;
}

std::size_t Ladders::rank(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::find(order, name, &Ladder::name) - order.begin());
}

Result<Ladders> parse_ladders(std::string_view text, std::string_view file) {
  try {
    return LaddersReader(file).read(parse_toml(text));
  } catch (const toml::parse_error& error) {
    return Error{std::string(error.description()),
                 "correct the line",
                 {std::string(file), static_cast<int>(error.source().begin.line), 0}};
  }
}

void teach(KernelSpec& spec, const Ladders& ladders) {
  const std::size_t slash = spec.id.find('/');
  const Ladder* ladder = slash == std::string::npos ? nullptr : ladders.find(spec.id.substr(0, slash));
  if (ladder == nullptr) return;
  // A file's name begins with the number of its step.
  const std::string_view name = std::string_view(spec.id).substr(slash + 1);
  std::size_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  const auto step = ladder->steps.find(number);
  if (step == ladder->steps.end()) return;
  spec.about = step->second.about;
  if (spec.show.empty()) spec.show = step->second.show;
}

Ladders read_ladders(const std::filesystem::path& home) { return read_ladders_in(home / "kernels"); }

Ladders read_ladders_in(const std::filesystem::path& folder) {
  const std::string file = (folder / "ladders.toml").string();
  const auto text = read_whole_file(file);
  auto ladders = text ? parse_ladders(*text, file) : text.error();
  return ladders ? *std::move(ladders) : Ladders{};
}

std::optional<std::size_t> judged_against(const Ladders& ladders, const std::string& ladder,
                                          const std::vector<const KernelSpec*>& steps, std::size_t index) {
  if (index == 0 || index >= steps.size()) return std::nullopt;
  const auto& taught = ladders.of(ladder).steps;
  const auto named = taught.find(index + 1);
  const std::size_t other =
      named != taught.end() && named->second.against ? *named->second.against - 1 : index - 1;
  if (other >= steps.size() || other == index || steps[other]->problem != steps[index]->problem)
    return std::nullopt;
  return other;
}

std::optional<Turns> turns_of(const Ladder& ladder, std::size_t number, const Values& parameters,
                              const Values& sizes) {
  const std::string& text = ladder.turns_of(number);
  if (text.empty()) return std::nullopt;
  Scope scope;
  for (const Values* values : {&parameters, &sizes})
    for (const auto& [name, value] : *values) scope.set(name, value);
  const auto expression = Expression::compile(text, scope);
  const double count = expression ? expression->evaluate() : 0;
  if (!(count > 0)) return std::nullopt;
  return Turns{ladder.turn_of(number), count};
}

}  // namespace warplens::catalog
