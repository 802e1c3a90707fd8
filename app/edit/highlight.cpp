#include "app/edit/highlight.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/code_text.hpp"

namespace warplens::app {
namespace {

// Sorted, for a binary search. ISO C++20 [lex.key].
constexpr auto kKeywords = std::to_array<std::string_view>({"alignas",     "alignof",    "asm",
                                                            "auto",        "break",      "case",
                                                            "catch",       "class",      "concept",
                                                            "const",       "const_cast", "constexpr",
                                                            "continue",    "decltype",   "default",
                                                            "delete",      "do",         "dynamic_cast",
                                                            "else",        "enum",       "explicit",
                                                            "extern",      "false",      "for",
                                                            "friend",      "goto",       "if",
                                                            "inline",      "mutable",    "namespace",
                                                            "new",         "noexcept",   "nullptr",
                                                            "operator",    "private",    "protected",
                                                            "public",      "register",   "reinterpret_cast",
                                                            "requires",    "restrict",   "return",
                                                            "sizeof",      "static",     "static_assert",
                                                            "static_cast", "struct",     "switch",
                                                            "template",    "this",       "throw",
                                                            "true",        "try",        "typedef",
                                                            "typeid",      "typename",   "union",
                                                            "using",       "virtual",    "volatile",
                                                            "while"});

constexpr auto kTypes = std::to_array<std::string_view>(
    {"__half", "__half2",  "__nv_bfloat16", "__nv_bfloat162", "bool",    "char",      "char4",    "dim3",
     "double", "double2",  "float",         "float2",         "float3",  "float4",    "half",     "half2",
     "int",    "int16_t",  "int2",          "int3",           "int32_t", "int4",      "int64_t",  "int8_t",
     "long",   "short",    "signed",        "size_t",         "uchar4",  "uint",      "uint16_t", "uint2",
     "uint3",  "uint32_t", "uint4",         "uint64_t",       "uint8_t", "uintptr_t", "unsigned", "void"});

// CUDA C++ Programming Guide: built-in variables, and what begins with two underscores.
constexpr auto kCuda =
    std::to_array<std::string_view>({"blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"});

template <std::size_t count>
bool holds(const std::array<std::string_view, count>& sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

CodeKind kind_of(std::string_view word) {
  if (holds(kKeywords, word)) return CodeKind::keyword;
  if (holds(kTypes, word)) return CodeKind::type;
  if (holds(kCuda, word) || word.starts_with("__") || word.starts_with("atomic")) return CodeKind::cuda;
  return CodeKind::plain;
}

class LineReader {
 public:
  LineReader(std::string_view line, CodeState& state) : line_(line), state_(state) {}

  std::vector<CodeSpan> read() {
    if (state_ == CodeState::comment)
      read_comment(0, 0);
    else if (state_ == CodeState::text)
      read_text(0, '"');
    else if (state_ == CodeState::preprocessor)
      is_directive_ = true;
    const std::size_t code = line_.find_first_not_of(" \t");
    if (state_ == CodeState::code && at_ == 0 && code != std::string_view::npos && line_[code] == '#')
      read_directive(code);
    while (at_ < line_.size()) read_next();
    if (is_directive_) state_ = goes_on() ? CodeState::preprocessor : CodeState::code;
    return std::move(spans_);
  }

 private:
  bool goes_on() const { return line_.ends_with('\\'); }
  char peek(std::size_t ahead = 1) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

  void add(std::size_t begin, std::size_t end, CodeKind kind) {
    if (end > begin && kind != CodeKind::plain) spans_.push_back({begin, end, kind});
    at_ = end;
  }

  // from: where to look for its end.
  void read_comment(std::size_t begin, std::size_t from) {
    const std::size_t close = line_.find("*/", from);
    state_ = close == std::string_view::npos ? CodeState::comment : CodeState::code;
    add(begin, close == std::string_view::npos ? line_.size() : close + 2, CodeKind::comment);
  }

  // Behind the opening quote where there is one in this line.
  void read_text(std::size_t from, char quote) {
    const std::size_t begin = at_;
    std::size_t end = from;
    while (end < line_.size() && line_[end] != quote) end += line_[end] == '\\' ? 2 : 1;
    const bool is_closed = end < line_.size();
    state_ = !is_closed && quote == '"' && goes_on() ? CodeState::text : CodeState::code;
    add(begin, std::min(end + 1, line_.size()), CodeKind::text);
  }

  void read_directive(std::size_t hash) {
    is_directive_ = true;
    std::size_t end = line_.find_first_not_of(" \t", hash + 1);
    end = std::min(end, line_.size());
    const std::size_t name = end;
    while (end < line_.size() && is_of_name(line_[end])) ++end;
    const bool is_include = line_.substr(name, end - name) == "include";
    add(hash, end, CodeKind::preprocessor);
    if (const std::size_t open = line_.find('<', end); is_include && open != std::string_view::npos)
      add(open, std::min(line_.find('>', open), line_.size() - 1) + 1, CodeKind::text);
  }

  void read_number() {
    std::size_t end = at_;
    while (end < line_.size() &&
           (is_of_name(line_[end]) || line_[end] == '.' || line_[end] == '\'' ||
            ((line_[end] == '+' || line_[end] == '-') &&
             (line_[end - 1] == 'e' || line_[end - 1] == 'E' || line_[end - 1] == 'p'))))
      ++end;
    add(at_, end, CodeKind::number);
  }

  void read_next() {
    const char c = line_[at_];
    if (c == '/' && peek() == '/') return add(at_, line_.size(), CodeKind::comment);
    if (c == '/' && peek() == '*') return read_comment(at_, at_ + 2);
    if (c == '"' || c == '\'') return read_text(at_ + 1, c);
    if (is_digit(c) || (c == '.' && is_digit(peek()))) return read_number();
    if (!is_of_name(c)) return void(++at_);
    std::size_t end = at_;
    while (end < line_.size() && is_of_name(line_[end])) ++end;
    add(at_, end, kind_of(line_.substr(at_, end - at_)));
  }

  std::string_view line_;
  CodeState& state_;
  std::vector<CodeSpan> spans_;
  std::size_t at_ = 0;
  bool is_directive_ = false;
};

// NAME = "text" # comment
std::vector<CodeSpan> highlight_toml(std::string_view line) {
  std::vector<CodeSpan> spans;
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return spans;
  if (line[first] == '[' && line.find('=') == std::string_view::npos)
    return {{first, line.size(), CodeKind::keyword}};
  for (std::size_t at = first; at < line.size();) {
    const char c = line[at];
    std::size_t end = at + 1;
    CodeKind kind = CodeKind::plain;
    if (c == '#') {
      end = line.size(), kind = CodeKind::comment;
    } else if (c == '"' || c == '\'') {
      while (end < line.size() && line[end] != c) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size()), kind = CodeKind::text;
    } else if (is_of_name(c)) {
      while (end < line.size() && is_of_name(line[end])) ++end;
      const std::size_t next = line.find_first_not_of(" \t", end);
      const bool is_key = next != std::string_view::npos && line[next] == '=' && line.substr(next, 2) != "==";
      kind = is_key ? CodeKind::key : is_digit(c) ? CodeKind::number : CodeKind::plain;
    }
    if (kind != CodeKind::plain) spans.push_back({at, end, kind});
    at = end;
  }
  return spans;
}

}  // namespace

std::vector<CodeSpan> highlight(std::string_view line, CodeState& state) {
  if (state == CodeState::code && line.starts_with("/*---") &&
      line.find_first_not_of(" \t\r", 5) == std::string_view::npos) {
    state = CodeState::front_matter;
    return {{0, line.size(), CodeKind::comment}};
  }
  if (state != CodeState::front_matter) return LineReader(line, state).read();
  if (line.find("*/") == std::string_view::npos) return highlight_toml(line);
  state = CodeState::code;
  return {{0, line.size(), CodeKind::comment}};
}

namespace {

// Whether a line can end in another state than it begins in, without reading its parts.
bool may_change(std::string_view line, CodeState state) {
  if (state == CodeState::code) return line.ends_with('\\') || line.find("/*") != std::string_view::npos;
  if (state == CodeState::comment || state == CodeState::front_matter)
    return line.find("*/") != std::string_view::npos;
  return true;
}

}  // namespace

std::vector<CodeState> states_of(std::span<const std::string> lines) {
  std::vector<CodeState> states;
  states.reserve(lines.size());
  CodeState state = CodeState::code;
  for (const std::string& line : lines) {
    states.push_back(state);
    if (may_change(line, state)) highlight(line, state);
  }
  return states;
}

}  // namespace warplens::app
