// Whole numbers that a program's file gives its kernels by a name: macros, constants at file level, and template arguments of
// launches. Read from the text: a value that is computed, or given under #if twice, is none of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::program {

struct SourceValue {
  enum class Kind : std::uint8_t { macro, constant, template_argument };
  std::string
      key;  // no other value of the file has it: "TILE"; of a template's argument "TILE@57", with its line
  std::string name;  // "TILE"
  Kind kind = Kind::macro;
  std::int64_t value = 0;
  int line = 0;                    // where it stands, from 1
  std::size_t begin = 0, end = 0;  // the number, with its sign: bytes of the text
};
using SourceValues = std::map<std::string, std::int64_t, std::less<>>;  // by their keys

// Those that this kernel, what it calls, or a launch of it uses, in the order of the text. kernel: without template arguments. line: of
// the launch, whose template arguments alone are meant; 0: of any.
std::vector<SourceValue> values_of_kernel(std::string_view code, std::string_view kernel, int line);
// The text with these numbers in place of its own; its lines stay where they are. Keys that it has not are passed over.
std::string with_values(std::string_view code, const SourceValues& values);
// What a value may be tried at: the powers of two from an eighth of it to eight times it, and those beside it; ascending.
std::vector<std::int64_t> values_near(std::int64_t value);

}  // namespace warplens::program
