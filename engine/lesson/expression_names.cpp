#include "engine/lesson/expression_names.hpp"

#include <fmt/format.h>

namespace warplens::lesson {
namespace {

Error wrong_at(std::size_t place, std::string message, std::string next_step) {
  return {std::move(message), std::move(next_step), Place{"", 0, static_cast<int>(place) + 1}};
}

// run(...), of which something must be said behind a dot.
bool is_record(const Node& node) {
  return node.kind == Node::Kind::call && node.of.empty() && side_of(node.text).has_value();
}

// is_argument: of a call, where `access` is a name. is_asked: something is said of it behind a dot.
Status check_node(const Node& node, bool is_argument, bool is_asked);

Status check_parts(const Node& node, bool is_argument) {
  for (const Node& part : node.parts)
    if (Status known = check_node(part, is_argument || node.kind == Node::Kind::call, false); !known)
      return known;
  for (const auto& [name, value] : node.named)
    if (Status known = check_node(value, is_argument, false); !known) return known;
  return Done{};
}

Status check_record(const Node& record) {
  if (Status known = check_node(record, false, true); !known) return known;
  if (is_record(record)) return Done{};
  return wrong_at(
      record.end, "there is nothing behind a '.' here",
      "only run(), recorded(), tuned(), predicted() and what is measured of transfers have parts");
}

Status check_own(const Node& node, bool is_argument) {
  const Side side = node.of.empty() ? Side::own : *side_of(node.of[0].text);
  if (node.kind == Node::Kind::call) return check_call(side, node);
  if (is_argument && node.text == "access") return Done{};
  return check_name(side, node.text);
}

Status check_node(const Node& node, bool is_argument, bool is_asked) {
  if (!node.of.empty())
    if (Status known = check_record(node.of[0]); !known) return known;
  if (Status known = check_parts(node, is_argument); !known) return known;
  if (node.kind != Node::Kind::name && node.kind != Node::Kind::call) return Done{};
  if (const Status known = check_own(node, is_argument); !known)
    return wrong_at(node.sign, known.error().message, known.error().next_step);
  if (is_asked || !is_record(node)) return Done{};
  return wrong_at(node.end, fmt::format("{}() is no number by itself", node.text),
                  fmt::format("say what of it: {}(...).{}", node.text,
                              side_of(node.text) == Side::run ? "blocks" : "seconds"));
}

}  // namespace

Status check_names(const Node& root) { return check_node(root, false, false); }

}  // namespace warplens::lesson
