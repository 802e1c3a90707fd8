// A state file as one table of fields: each row says how a key is read and how it is written.
#pragma once

#include <toml++/toml.h>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.hpp"
#include "engine/base/error.hpp"

namespace warplens::app {

class StateReader;

struct Field {
  std::string key;  // "left" of the table "compare" is "compare.left"
  std::function<void(StateReader&, const toml::node&)> read;
  std::function<std::string()> write;  // the value as TOML; empty: nothing to write
};
// In the order in which they are written. They refer to `state`.
std::vector<Field> state_fields(State& state);

// Keeps the first error, with its place, and where each key is.
class StateReader {
 public:
  StateReader(std::string_view file, const toml::table& root) : file_(file), root_(root) {}

  void read(const std::vector<Field>& fields) { read_table(root_, "", "", fields); }
  bool has(std::string_view key) const { return nodes_.contains(key); }
  // Where `key` or the "M" of "size.M" is; where it is left out its table, or the whole file.
  const toml::node& at(std::string_view key) const;
  void fail(const toml::node& node, std::string message, std::string next_step);
  void fail(std::string_view key, const Error& why) { fail(at(key), why.message, why.next_step); }

  std::optional<Error> error;

 private:
  // A table whose keys stand in the file as `written` + key, and in the fields as `prefix` + key.
  void read_table(const toml::table& table, const std::string& written, const std::string& prefix,
                  const std::vector<Field>& fields);

  std::string_view file_;
  const toml::table& root_;
  std::map<std::string, const toml::node*, std::less<>> nodes_;
};

// What a table of TOML says, as parse_state() reads it. Nodes without a place in a file have line 0 in
// errors.
Result<State> state_of(const toml::table& table, std::string_view file, const KnownNames* known);

// Whether what the state names is there, and what its file leaves to the kernel: the names of its sizes, the
// number of its block, the first kernel of a ladder. Errors are kept in the reader, which read `state`.
void check_names(StateReader& reader, const KnownNames& known, State& state);
// Where nothing is known of the kernels, what only they can tell is an error.
void refuse_without_names(StateReader& reader);

}  // namespace warplens::app
