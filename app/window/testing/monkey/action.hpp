// What the monkey does, as values: a list of actions follows from a seed, can be written down, played again
// and shortened. An action is a row of a table and one number, from which the row takes all that it needs: a
// number means something whatever is on screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::app::monkey {

class World;

struct Kind {
  std::string_view name;
  // How often it is chosen, against the others, by one who tries everything, and by one who gives lessons; 0,
  // 0: by tests alone.
  int weight, in_lessons;
  void (*act)(World&, std::uint32_t number);
};
std::span<const Kind> kinds();

struct Action {
  const Kind* kind;  // a row of kinds()
  std::uint32_t number = 0;
  bool operator==(const Action&) const = default;
};
using Actions = std::vector<Action>;

// Every third seed gives lessons.
Actions actions_of(std::uint64_t seed, std::size_t count);

// One a line: "press 41". Behind the number may stand words for people.
std::string to_text(const Action& action);
std::string to_text(const Actions& actions);
// Error: the line that names no row.
Result<Actions> parse_actions(std::string_view text);

}  // namespace warplens::app::monkey
