// What went wrong, where, and what to do next: the one error type of every engine library.
// Libraries return errors as values; they never print, exit or abort.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

// A position in a text the user can open. line and column count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Place&) const = default;
};

// "file:line:column", leaving out what is unknown; empty for an unknown file.
std::string to_string(const Place& place);

// What an error is to those who act on it: they ask for this and never for words of its text.
enum class ErrorCode : std::uint8_t {
  none,           // nobody acts on it
  kernel_text,    // the compiler refuses the kernel's text: to correct that is the whole next step
  out_of_memory,  // the compiler found no memory
};

struct [[nodiscard]] Error {
  std::string message;    // what is wrong, one clause, no full stop
  std::string next_step;  // what the reader can do about it, imperative; may be empty
  Place place = {};       // where; may be empty
  ErrorCode code = ErrorCode::none;
  bool operator==(const Error&) const = default;
};

// One line: "file:line: message; next step". Newlines inside are turned into spaces.
std::string to_line(const Error& error);

}  // namespace warplens
