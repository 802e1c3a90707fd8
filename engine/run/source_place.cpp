#include "engine/run/source_place.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "engine/base/ptx_file_name.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : text.substr(first);
}

// The number that `text` begins with, taken off; 0 where it begins with none.
int take_number(std::string_view& text) {
  text = without_blanks(text);
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return code == std::errc() ? number : 0;
}

// What follows `directive` in the line; empty if the line is another.
bool take(std::string_view& line, std::string_view directive) {
  line = without_blanks(line);
  if (!line.starts_with(directive)) return false;
  line.remove_prefix(directive.size());
  return true;
}

// `.file 1 "kernel.cu"`
std::string file_named(const Lines& lines, int number) {
  for (std::string_view line : lines) {
    if (!take(line, ".file") || take_number(line) != number) continue;
    const auto open = line.find('"'), close = line.rfind('"');
    if (open < close) return file_of_ptx_name(line.substr(open + 1, close - open - 1));
  }
  return "";
}

struct Line {
  int file = 0, number = 0;
  bool operator==(const Line&) const = default;
};

// `.loc 2 30 5, function_name $L__info_string0, inlined_at 1 14 3`: of a line that is not a .loc, or that
// is of no line of a source, number is 0.
struct Location {
  Line line, inlined_at;
};

Location location_in(std::string_view text) {
  Location location;
  if (!take(text, ".loc")) return location;
  location.line.file = take_number(text);
  location.line.number = take_number(text);
  constexpr std::string_view inlined = "inlined_at";
  const auto at = text.find(inlined);
  if (at == std::string_view::npos) return location;
  text.remove_prefix(at + inlined.size());
  location.inlined_at.file = take_number(text);
  location.inlined_at.number = take_number(text);
  return location;
}

// The line and the calls that it was inlined from, the kernel's own last. Each call has a .loc before it.
std::vector<Line> call_chain(const Lines& lines, std::size_t at) {
  constexpr std::size_t most_calls = 64;
  Location now = location_in(lines[at]);
  std::vector<Line> chain{now.line};
  while (now.inlined_at.number > 0 && chain.size() < most_calls) {
    const Line call = now.inlined_at;
    chain.push_back(call);
    now = {};
    while (at > 0 && now.line != call) now = location_in(lines[--at]);
    if (now.line != call) break;
  }
  return chain;
}

}  // namespace

Place source_place(std::string_view ptx, int line) {
  const auto lines = lines_of(ptx);
  for (int at = std::min(line, static_cast<int>(lines.size())); at > 0; --at) {
    const auto index = static_cast<std::size_t>(at - 1);
    if (location_in(lines[index]).line.number <= 0) continue;
    // A function of another file, such as the compiler's own header, counts as the line that calls it.
    const auto chain = call_chain(lines, index);
    const auto own =
        std::find_if(chain.begin(), chain.end(), [&](const Line& l) { return l.file == chain.back().file; });
    return {file_named(lines, own->file), own->number, 0};
  }
  return {file_named(lines, 1), 0, 0};
}

}  // namespace warplens::run
