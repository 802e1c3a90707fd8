// What the buffers of a kernel without a front matter hold at first: what its host code puts there, else numbers that are
// indices where the kernel takes them for such.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/guess_buffers.hpp"
#include "engine/source/shared.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

// The array whose index a place is part of, and the index: of "x[at[i] * 4]" at the place of "at" x and "at[i] * 4".
struct Index {
  std::string_view array, inside;
};
Index index_around(std::string_view text, std::size_t place) {
  int depth = 0;
  for (std::size_t at = place; at-- > 0;) {
    const char c = text[at];
    if (c == ';' || c == '{' || c == '}') return {};
    depth += c == ']' || c == ')' ? 1 : 0;
    if (c == '(' && depth > 0) --depth;
    if (c != '[' || depth-- > 0) continue;
    const std::size_t close = source::behind_bracket(text, at);
    if (close == source::kNowhere) return {};
    return {source::word_before(text, source::before_blanks(text, at)), text.substr(at + 1, close - at - 2)};
  }
  return {};
}

// The variable that the statement around a place gives the element there: of "int v = at[i];" v.
std::string_view set_to(std::string_view text, std::size_t place) {
  std::size_t at = source::before_blanks(text, place);
  if (at > 0 && text[at - 1] == '&') {  // __ldg(&at[i])
    at = source::before_blanks(text, at - 1);
    if (at == 0 || text[at - 1] != '(') return {};
    at = source::before_blanks(text, at - 1 - source::word_before(text, at - 1).size());
  }
  if (at < 2 || text[at - 1] != '=' ||
      std::string_view("=!<>+-*/").find(text[at - 2]) != std::string_view::npos)
    return {};
  return source::word_before(text, source::before_blanks(text, at - 1));
}

}  // namespace

// What it holds at first, as far as the host or the kernel says.
std::string GuessedBuffers::fill_of(const Guess& guess, std::size_t p) const {
  const bool is_launched = launch_ && p < launch_->arguments.size();
  const auto type = source::read_type(kernel_.parameters[p].type);
  const auto byte = is_launched ? host_.byte_set(launch_->arguments[p], launch_->at) : std::nullopt;
  // Zeros that a kernel only reads are there because something has to be: they would hide what other numbers show.
  const bool is_real = type && (type->base == "float" || type->base == "double");
  if (byte && *byte % 256 == 0 && (is_output(p) || !is_real)) return ", fill = \"zero\"";
  if (byte && (*byte & 0xff) == 0xff && type && type->base.starts_with("int")) return ", fill = \"-1\"";
  std::string text = host_fill_of(guess, p);
  if (text.empty() && !uses_[p].is_written) text = index_fill_of(guess, p);
  if (!text.empty()) return fmt::format(", fill = \"{}\"", text);
  // A kernel that writes nothing only looks at what others filled.
  if (!is_output(p)) return has_output() ? "" : ", fill = \"random\"";
  if (uses_[p].is_read || is_host_filled(p)) return ", fill = \"random\"";
  // Kernels that write a part of each struct leave the rest as it was, unless it never had a value.
  const auto own = host_struct(p);
  const bool has_parts = own || parts_of_type(p) > 1;
  if (has_parts && (!is_never_set(p) || (own && own->used < own->bytes))) return ", fill = \"random\"";
  return uses_[p].is_passed_on || uses_[p].is_added_to ? ", fill = \"zero\"" : "";
}

std::string GuessedBuffers::host_fill_of(const Guess& guess, std::size_t p) const {
  const auto type = source::read_type(kernel_.parameters[p].type);
  const bool is_whole = type && type->parts == 1 && type->base.find("int") != std::string::npos;
  if (!is_whole || !launch_ || p >= launch_->arguments.size()) return "";
  const auto named = [&](std::string_view word) -> std::optional<std::string> {
    for (const SizeGuess& size : guess.sizes)
      if (size.host_text == word && size.in_host) return size.name;
    return std::nullopt;
  };
  const std::string text = host_.fill_text(launch_->arguments[p], launch_->at, named).value_or("");
  // One number everywhere says little of an input, and much of what a kernel changes.
  const bool is_constant =
      text.find("random") == std::string::npos && find_word(text, "i") == std::string::npos;
  return is_constant && !is_output(p) ? "" : text;
}

// How many elements the array of an index has, in a front matter's words; where the kernel multiplies the index by a size, how
// many times that is in it: of "x[at[i] * columns + c]" the rows. Empty: nobody knows, or the kernel keeps it inside itself.
std::string GuessedBuffers::extent_of_index(const Guess& guess, std::string_view array,
                                            std::string_view inside) const {
  if (inside.find_first_of("<>%&/") != std::string_view::npos) return "";
  std::string extent;
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
    if (kernel_.parameters[p].is_pointer && kernel_.parameters[p].name == array) extent = count_of(guess, p);
  for (const auto& declaration : source::shared_declarations(body_))
    for (const auto& one : declaration.arrays) {
      const auto size = one.name == array && one.extents.size() == 1 ? host_.value(one.extents[0]) : Number();
      if (size && *size > 0) extent = std::to_string(*size);
    }
  const std::size_t times = inside.find('*');
  if (extent.empty() || times == std::string_view::npos) return extent;
  const std::string_view factor = source::word_at(inside, source::behind_blanks(inside, times + 1));
  const auto number = host_.value(factor);
  for (const SizeGuess& size : guess.sizes)
    if (size.name == factor) return fmt::format("floor(({}) / {})", extent, factor);
  return number && *number > 0 ? fmt::format("floor(({}) / {})", extent, *number) : "1";
}

// Where each row begins, as of a sparse matrix: "for (int e = rows[v]; e < rows[v + 1]; ++e)".
bool GuessedBuffers::is_of_offsets(std::size_t p) const {
  std::string plain;
  for (const char c : body_)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
  const std::string first = "=" + kernel_.parameters[p].name + "[";
  for (std::size_t at = plain.find(first); at != std::string::npos; at = plain.find(first, at + 1)) {
    const std::size_t open = at + first.size() - 1, behind = source::behind_bracket(plain, open);
    if (behind == source::kNowhere) continue;
    const std::string row = plain.substr(open + 1, behind - open - 2);
    if (plain.find("<" + kernel_.parameters[p].name + "[" + row + "+1]") != std::string::npos) return true;
  }
  return false;
}

bool GuessedBuffers::is_only_written(std::string_view array) const {
  for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
    if (kernel_.parameters[p].name == array)
      return uses_[p].is_written && !uses_[p].is_read && !uses_[p].is_added_to;
  return false;
}

std::string GuessedBuffers::part_of_place(std::size_t p, std::string_view inside) const {
  const auto is_of_blocks = [&](std::string_view array) {
    const std::size_t at = find_word(inside, array), open = at + array.size();
    return at != std::string_view::npos && inside.substr(open).starts_with("[blockIdx.x]");
  };
  if (inside.find('+') == std::string_view::npos) return "";
  if (is_of_blocks(kernel_.parameters[p].name)) return fmt::format("i * {}", threads());
  for (std::size_t other = 0; other < kernel_.parameters.size(); ++other)
    if (other != p && kernel_.parameters[other].is_pointer && is_of_blocks(kernel_.parameters[other].name))
      return fmt::format("i % {}", threads());
  return "";
}

// Whole numbers that a kernel takes for indices of another array: "x[at[i]]", or "int v = at[i];" and "x[v]".
std::string GuessedBuffers::index_fill_of(const Guess& guess, std::size_t p) const {
  const auto type = source::read_type(kernel_.parameters[p].type);
  const std::string& name = kernel_.parameters[p].name;
  if (!type || type->parts > 1 || type->base.find("int") == std::string::npos) return "";
  const std::string_view statements = body_.substr(std::min(body_.find('{'), body_.size()));
  for (std::size_t at = find_word(statements, name); at != std::string_view::npos;
       at = find_word(statements, name, at + 1)) {
    Index index = index_around(statements, at);
    const std::string_view variable = index.array.empty() ? set_to(statements, at) : std::string_view();
    for (std::size_t use = variable.empty() ? std::string_view::npos : find_word(statements, variable, at);
         use != std::string_view::npos && index.array.empty(); use = find_word(statements, variable, use + 1))
      index = index_around(statements, use);
    if (index.array.empty()) continue;
    // Places within a block and where the places of each block begin, as running sums have it: "to[place[i] + begin[block]]".
    if (const std::string text = part_of_place(p, index.inside);
        !text.empty() && is_only_written(index.array))
      return text;
    const std::string extent = extent_of_index(guess, index.array, index.inside);
    if (extent.empty()) continue;
    if (is_of_offsets(p)) return fmt::format("floor(i * ({}) / ({}))", extent, count_of(guess, p));
    // Where results go each has its own place.
    return is_only_written(index.array) ? fmt::format("({0}) - 1 - i % ({0})", extent)
                                        : fmt::format("random(0, {})", extent);
  }
  return "";
}

}  // namespace warplens::problem
