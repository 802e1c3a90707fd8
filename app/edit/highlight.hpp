// What the parts of CUDA C++ are, line by line: for colours, not for a compiler. A front matter is read as
// the TOML that it is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

enum class CodeKind : std::uint8_t {
  plain,
  keyword,
  type,
  cuda,  // threadIdx, __syncthreads, ...
  comment,
  number,
  text,  // strings and characters
  preprocessor,
  key,  // of the front matter
};

struct CodeSpan {
  std::size_t begin = 0, end = 0;  // bytes
  CodeKind kind = CodeKind::plain;
  bool operator==(const CodeSpan&) const = default;
};

// What a line begins in.
enum class CodeState : std::uint8_t { code, comment, front_matter, preprocessor, text };

// Spans in order; what lies between them is plain. state: of the line's beginning; becomes that of the next.
std::vector<CodeSpan> highlight(std::string_view line, CodeState& state);

// The states of all lines of a text.
std::vector<CodeState> states_of(std::span<const std::string> lines);

}  // namespace warplens::app
