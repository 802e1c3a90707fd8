// The short form of a state, in which assets/tour/*.toml are written: the keys of the selection and of the
// figure stand at the top, and the file may leave to its kernel what only that can tell.
#pragma once

#include <vector>

#include "app/state/state.hpp"
#include "app/state/toml_reader.hpp"

namespace warplens::app {

// What is read once the kernel is known; null where the file does not have it. The nodes are of the table
// that is read.
struct ShortForm {
  const toml::node *size = nullptr, *block = nullptr;
};

// figure, block, warp, step, lane, theme; index, op, bytes of an access that no kernel makes; colors, whole,
// width, height of an exported figure.
std::vector<TomlReader::Row> short_rows(TomlReader& reader, State& state, ShortForm& form);
// A whole number, or "512" or "35,79,19" in the order of the problem; a table goes on as ever.
void read_size(TomlReader& reader, const toml::node& node, State& state, ShortForm& form);
// Checks kernel, device and parameters, and names the sizes and the block. `table` is what was read.
void spell_out(TomlReader& reader, const toml::table& table, const ShortForm& form, const KnownNames& known,
               State& state);
// Where nothing is known of the kernels: the short forms that need one are errors.
void refuse_short(TomlReader& reader, const ShortForm& form);

}  // namespace warplens::app
