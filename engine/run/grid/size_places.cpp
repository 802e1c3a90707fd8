#include "engine/run/grid/size_places.hpp"

namespace warplens::run {
namespace {

// The arguments that have this number, as themselves or within structs.
std::vector<ParameterName> places_of_number(const std::vector<problem::Argument>& arguments,
                                            std::int64_t value) {
  std::vector<ParameterName> places;
  const auto add = [&](std::size_t a, std::uint64_t offset, std::uint64_t bits) {
    if (bits == static_cast<std::uint64_t>(value)) places.push_back({a, offset, ""});
  };
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    if (const auto* object = std::get_if<problem::StructArgument>(&arguments[a])) {
      for (const auto& member : object->members)
        if (const auto* number = std::get_if<problem::ScalarArgument>(&member.value))
          add(a, member.offset, number->bits);
    } else if (std::holds_alternative<problem::IntArgument>(arguments[a]) ||
               std::holds_alternative<problem::ScalarArgument>(arguments[a])) {
      add(a, 0, problem::number_of(arguments[a]).bits);
    }
  }
  return places;
}

}  // namespace

std::map<std::string, std::vector<ParameterName>> places_of_sizes(const problem::Problem& problem,
                                                                  std::uint64_t max_bytes) {
  catalog::Values apart;  // so that each number among the arguments is of one size
  std::int64_t next = 41;
  for (const std::string& name : problem.size_names()) apart[name] = next, next += 2;
  const auto instance = problem.make(apart, problem::Pattern::ones, 1, max_bytes);
  std::map<std::string, std::vector<ParameterName>> places;
  if (!instance) return places;
  for (const auto& [name, value] : apart) places[name] = places_of_number((*instance)->arguments(), value);
  return places;
}

}  // namespace warplens::run
