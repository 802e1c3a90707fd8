#include "engine/run/checked/early_return.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "engine/catalog/signature.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t place_of_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end])))
      return at;
  }
  return std::string_view::npos;
}

// Behind the bracket that closes the one there.
std::size_t behind_bracket(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

// The statement, or the block, behind the condition of an if.
std::string_view body_of_if(std::string_view text) {
  const std::size_t open = std::min(text.find('('), text.size());
  std::size_t start = behind_bracket(text, open, '(', ')');
  while (start < text.size() && std::isspace(static_cast<unsigned char>(text[start])) != 0) ++start;
  if (start == text.size()) return {};
  const std::size_t end = text[start] == '{' ? behind_bracket(text, start, '{', '}')
                                             : std::min(text.find(';', start), text.size());
  return text.substr(start, end - start);
}

}  // namespace

bool returns_at(std::string_view code, int line) {
  if (line < 1) return false;
  const std::string blank = catalog::blanked(code);
  std::string_view text = blank;
  for (int l = 1; l < line && !text.empty(); ++l)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::string_view own = text.substr(0, text.find('\n'));
  if (place_of_word(own, "return") != std::string_view::npos) return true;
  const std::size_t condition = place_of_word(own, "if");
  return condition != std::string_view::npos &&
         place_of_word(body_of_if(text.substr(condition)), "return") != std::string_view::npos;
}

bool returns_before(std::string_view code, int line) {
  const std::string blank = catalog::blanked(code);
  std::size_t end = 0;
  for (int l = 1; l < line && end < blank.size(); ++l)
    end = std::min(blank.find('\n', end), blank.size() - 1) + 1;
  const std::string_view before = std::string_view(blank).substr(0, end);
  const std::size_t kernel = before.rfind("__global__");
  return kernel != std::string_view::npos &&
         place_of_word(before.substr(kernel), "return") != std::string_view::npos;
}

void judge_missing(check::Findings& findings, std::string_view code, bool is_wrong) {
  for (Finding& finding : findings) {
    if (finding.kind != Kind::divergent_barrier || finding.severity != Severity::information) continue;
    const bool goes_around = !returns_at(code, finding.other_line) && !returns_before(code, finding.line);
    if (goes_around || is_wrong) finding.severity = Severity::warning;
    if (!goes_around) continue;
    finding.message += "; nothing is promised of threads that only go around it";
    finding.fix = "move __syncthreads() out of the condition, so that every thread of the block reaches it";
  }
}

}  // namespace warplens::run
