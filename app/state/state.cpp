#include "app/state/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "app/base/workspace.hpp"
#include "app/state/state_fields.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/catalog/near.hpp"

namespace warplens::app {
namespace {

// Other names of keys: a short file says an access of its own, and how a figure is drawn, without a table. ""
// is the head of the file: such a table is nothing but a heading.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kAliases = {
    {{"selection", ""},
     {"view", ""},
     {"view.width", "window_width"},
     {"view.height", "window_height"},
     {"index", "playground.index"},
     {"op", "playground.op"},
     {"bytes", "playground.width"},
     {"colors", "drawing.colors"},
     {"whole", "drawing.whole"},
     {"per", "drawing.per"},
     {"over", "drawing.over"},
     {"others", "drawing.others"},
     {"cycles", "drawing.cycles"},
     {"cursor", "drawing.cursor"},
     {"width", "drawing.width"},
     {"height", "drawing.height"}}};

std::string_view table_of(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == std::string_view::npos ? "" : key.substr(0, dot);
}

bool has_table(const std::vector<Field>& fields, std::string_view name) {
  return name.empty() || std::any_of(fields.begin(), fields.end(),
                                     [&](const Field& field) { return table_of(field.key) == name; });
}

// What to do about a key that no field of this table has.
std::string instead_of(std::string_view name, std::string_view prefix, const std::vector<Field>& fields) {
  std::vector<std::string> keys;
  for (const Field& field : fields)
    if (field.key.starts_with(prefix)) keys.push_back(field.key.substr(prefix.size()));
  const auto near = catalog::near_names(name, keys, 1);
  return near.empty() ? "remove it, or correct its name" : fmt::format("did you mean {}?", near.front());
}

}  // namespace

void StateReader::read_table(const toml::table& table, const std::string& written, const std::string& prefix,
                             const std::vector<Field>& fields) {
  for (const auto& [own_name, node] : table) {
    const std::string name(own_name.str());
    const auto alias = std::find_if(kAliases.begin(), kAliases.end(),
                                    [&](const auto& a) { return a.first == written + name; });
    const std::string key = alias == kAliases.end() ? prefix + name : std::string(alias->second);
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
    const toml::table* inner = node.as_table();
    if (field == fields.end() && !has_table(fields, key))
      return fail(node, fmt::format("unknown key '{}'", name), instead_of(name, prefix, fields));
    if (!nodes_.emplace(key, &node).second && !key.empty())
      return fail(node, fmt::format("'{}' is given twice", name), "remove one of them");
    if (field != fields.end()) {
      if (inner != nullptr)
        for (const auto& [below, value] : *inner)
          nodes_.emplace(fmt::format("{}.{}", key, below.str()), &value);
      field->read(*this, node);
    } else if (inner != nullptr) {
      read_table(*inner, written + name + ".", key.empty() ? "" : key + ".", fields);
    } else {
      return fail(node, "this is not a table", "write it as NAME = VALUE lines");
    }
  }
}

const toml::node& StateReader::at(std::string_view key) const {
  for (; !key.empty(); key = table_of(key))
    if (const auto found = nodes_.find(key); found != nodes_.end()) return *found->second;
  return root_;
}

void StateReader::fail(const toml::node& node, std::string message, std::string next_step) {
  if (error) return;
  const auto at = node.source().begin;
  error = Error{std::move(message), std::move(next_step),
                Place{std::string(file_), static_cast<int>(at.line), static_cast<int>(at.column)}};
}

// What differs from a state that nobody touched, and the kernel.
std::string to_toml(const State& state) {
  State copy = state, untouched;
  const auto fields = state_fields(copy), defaults = state_fields(untouched);
  std::string text, table;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string value = fields[i].write(), above(table_of(fields[i].key));
    if (value == defaults[i].write() && fields[i].key != "kernel") continue;
    if (above != table) text += fmt::format("\n[{}]\n", table = above);
    text += fmt::format("{} = {}\n", fields[i].key.substr(above.empty() ? 0 : above.size() + 1), value);
  }
  return text;
}

Result<State> state_of(const toml::table& table, std::string_view file, const KnownNames* known) {
  State state;
  // An access of its own opens the playground, and the figure says which memory it is to.
  const bool own_access = table.contains("index");
  if (own_access) state.view.page = Page::playground;
  StateReader reader(file, table);
  reader.read(state_fields(state));
  if (!own_access && !table.contains("playground") && state.view.page != Page::playground) {
    if (const toml::node* width = table.get("bytes"))
      reader.fail(*width, "'bytes' is the width of an access of one's own, and there is no 'index'",
                  "add index = \"lane\", or remove it");
  }
  if (own_access && !table.contains("playground"))
    state.playground.memory = state.view.figure == "banks" ? Memory::shared : Memory::global;
  if (known != nullptr)
    check_names(reader, *known, state);
  else
    refuse_without_names(reader);
  if (reader.error) return *reader.error;
  return state;
}

Result<State> parse_state(std::string_view text, std::string_view file, const KnownNames* known) {
  try {
    return state_of(warplens::parse_toml(text, file), file, known);
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return Error{std::string(error.description()), "correct this line",
                 Place{std::string(file), static_cast<int>(at.line), static_cast<int>(at.column)}};
  }
}

Result<State> read_state(const std::filesystem::path& file, const KnownNames* known) {
  const auto text = read_whole_file(file);
  if (!text) return text.error();
  return parse_state(*text, file.string(), known);
}

Result<State> read_named_state(const CommonOptions& common, const std::filesystem::path& file) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto catalog = workspace->catalog();
  if (!catalog) return catalog.error();
  const auto devices = workspace->devices();
  if (!devices) return devices.error();
  const KnownNames known{*catalog, *devices};
  return read_state(file, &known);
}

Status write_state(const std::filesystem::path& file, const State& state) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), code);
  return write_whole_file(file, to_toml(state));
}

}  // namespace warplens::app
