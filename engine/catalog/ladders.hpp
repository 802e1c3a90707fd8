// The ladders as they are taught: kernels/ladders.toml, which says what may stand in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

// What the steps of a ladder are compared by, where no speeds are known of it.
enum class Measure : std::uint8_t { sectors, instructions, time, error };

// What is said of one step alone; of others, and where it is empty, the ladder's own holds.
struct TaughtStep {
  std::optional<std::size_t> against;  // number from 1, where it is not judged against the step before it
  std::string turn, turns, opens;      // as those of a ladder
  std::string show;                    // as KernelSpec::show, where its file does not say it
  About about = About::anything;       // KernelSpec::about
};
struct Ladder {
  std::string name;  // "matmul"
  Measure measure = Measure::sectors;
  std::string opens = "access";  // the figure that its steps open on
  std::string turn, turns;       // "load", and how often all threads do it: an expression; may be empty
  std::map<std::size_t, TaughtStep> steps = {};  // by number, from 1

  const std::string& opens_of(std::size_t number) const;
  const std::string& turn_of(std::size_t number) const;
  const std::string& turns_of(std::size_t number) const;
};

struct Ladders {
  std::vector<Ladder> order;  // as they are listed; others follow by name
  const Ladder* find(std::string_view name) const;
  // Of one that is not listed: as where nothing is said.
  const Ladder& of(std::string_view name) const;
  std::size_t rank(std::string_view name) const;  // where it is listed
};
// Errors have the file's line: no TOML, keys and measures that are not known, a step without a number.
Result<Ladders> parse_ladders(std::string_view text, std::string_view file = {});
// None where there is no such file, or it cannot be read. folder: of the kernels.
Ladders read_ladders_in(const std::filesystem::path& folder);
Ladders read_ladders(const std::filesystem::path& home);
// What a kernel's file leaves to the ladders.
void teach(KernelSpec& spec, const Ladders& ladders);

// What the step at this index is judged against, as an index. Nothing where there is none, or that solves
// another problem.
std::optional<std::size_t> judged_against(const Ladders& ladders, const std::string& ladder,
                                          const std::vector<const KernelSpec*>& steps, std::size_t index);

// What a step does again and again, and how often all its threads together do it with such parameters and
// sizes.
struct Turns {
  std::string name;  // "load"
  double count = 0;
};
// Nothing where the ladder says nothing of it, or the expression has no value above 0.
std::optional<Turns> turns_of(const Ladder& ladder, std::size_t number, const Values& parameters,
                              const Values& sizes);

}  // namespace warplens::catalog
