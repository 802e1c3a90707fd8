// assets/tour/*.toml: the states that the tour of figures is drawn from. `warplens screenshot` and the window
// open the same files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/export_options.hpp"
#include "app/state/state.hpp"

namespace warplens::app {

struct TourStop {
  std::string name;  // of the file, without its ending
  ExportOptions options;
};

// What `warplens export` draws for a state: the open figure, of the chosen access. Error: sizes or parameters
// that are not legal.
Result<ExportOptions> export_options(const State& state, const catalog::Catalog& catalog);

// The stops in the order of their names. Errors: no such folder, a file that cannot be read, as
// parse_state.
Result<std::vector<TourStop>> read_tour(const std::filesystem::path& folder, const KnownNames& known);

}  // namespace warplens::app
