#include "app/state/topics.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <utility>

#include "app/state/state_fields.hpp"
#include "engine/base/toml_parsing.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

struct TextKey {
  std::string_view key;
  std::string Topic::*to;
};
constexpr std::array kTexts = {TextKey{"title", &Topic::title}, TextKey{"words", &Topic::words},
                               TextKey{"slider", &Topic::slider}, TextKey{"hint", &Topic::hint}};

class TopicsReader {
 public:
  TopicsReader(const fs::path& file, const KnownNames& known) : file_(file), known_(known) {}

  Result<std::vector<Topic>> read(toml::table& root) {
    std::vector<Topic> topics;
    toml::array* list = root.get_as<toml::array>("topic");
    if (root.size() != 1 || list == nullptr)
      return error(root, "this is no list of topics", "begin each with [[topic]], and write nothing else");
    for (toml::node& node : *list) {
      toml::table* table = node.as_table();
      if (table == nullptr) return error(node, "a topic is a table", "begin it with [[topic]]");
      auto topic = read_topic(*table);
      if (!topic) return topic.error();
      topics.push_back(*std::move(topic));
    }
    return topics;
  }

 private:
  Error error(const toml::node& node, std::string message, std::string next_step) const {
    return {std::move(message),
            std::move(next_step),
            {file_.string(), static_cast<int>(node.source().begin.line), 0}};
  }

  Result<Topic> read_topic(toml::table& table) const {
    Topic topic;
    for (const auto& [key, node] : table) {
      const auto text = std::ranges::find(kTexts, key.str(), &TextKey::key);
      if (key.str() == "state") continue;
      if (text == kTexts.end())
        return error(node, fmt::format("a topic has no key '{}'", key.str()), "remove it");
      const auto value = node.value_exact<std::string>();
      if (!value) return error(node, fmt::format("{} is no text", key.str()), "put it in quotes");
      topic.*text->to = *value;
    }
    toml::table* state = table.get_as<toml::table>("state");
    if (topic.title.empty() || state == nullptr)
      return error(table, "a topic needs a title and a state", "write state = { kernel = \"matmul\" }");
    if (auto* kernel = state->get_as<std::string>("kernel");
        kernel != nullptr && kernel->get().ends_with(".cu"))
      *kernel = (file_.parent_path() / kernel->get()).string();
    auto read = state_of(*state, file_.string(), &known_);
    if (!read) return read.error();
    topic.state = *std::move(read);
    return topic;
  }

  const fs::path& file_;
  const KnownNames& known_;
};

}  // namespace

Result<std::vector<Topic>> read_topics(const fs::path& home, const KnownNames& known) {
  const fs::path file = home / "assets" / "topics" / "topics.toml";
  if (std::error_code failed; !fs::exists(file, failed)) return std::vector<Topic>();
  const auto text = read_whole_file(file);
  if (!text) return text.error();
  try {
    toml::table root = warplens::parse_toml(*text);
    return TopicsReader(file, known).read(root);
  } catch (const toml::parse_error& error) {
    return Error{std::string(error.description()),
                 "correct the line",
                 {file.string(), static_cast<int>(error.source().begin.line), 0}};
  }
}

State looking_at(const State& chosen, const State& now) {
  State next = now;
  next.kernel = chosen.kernel, next.params = chosen.params, next.size = chosen.size;
  next.selection = chosen.selection, next.occupancy = chosen.occupancy;
  next.edit = {}, next.lesson = chosen.lesson;
  next.drawing = chosen.drawing;
  next.drawing.colors = now.drawing.colors;
  if (chosen.view.page == Page::compare) next.compare = chosen.compare;
  if (chosen.view.page == Page::playground) next.playground = chosen.playground;
  View& view = next.view;
  view.page = chosen.view.page, view.figure = chosen.view.figure;
  view.code = chosen.view.code, view.counter = chosen.view.counter, view.steps_by = chosen.view.steps_by;
  return next;
}

}  // namespace warplens::app
