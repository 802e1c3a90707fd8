#include <algorithm>
#include <set>

#include "engine/base/code_text.hpp"
#include "engine/run/checked/source/source_checks.hpp"
#include "engine/run/checked/source/source_code.hpp"
#include "engine/run/checked/source/source_walk.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/types.hpp"

namespace warplens::run {
namespace {

using source::kNowhere;

// A vector of CUDA's, or a struct of the file whose members are no more than declared: nothing gives them
// values but what is written.
bool is_plain(std::string_view text, std::string_view type) {
  if (const auto known = source::read_type(type); known && known->parts > 1) return true;
  const std::size_t name = source::find_word(text, std::string(type), 0, text.size());
  if (name == kNowhere || !trimmed(text.substr(0, name)).ends_with("struct")) return false;
  const std::size_t open = text.find_first_not_of(" \t\r\n", name + type.size());
  if (open == kNowhere || text[open] != '{') return false;
  const std::size_t close = text.find('}', open);
  return close != kNowhere && text.substr(open + 1, close - open - 1).find_first_of("({=") == kNowhere;
}

enum class Use : std::uint8_t { sets, reads, unknown };

// What is done with the member that ends at `end`, of a variable that begins at `begin`.
Use use_of(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  const std::size_t last = text.find_last_not_of(" \t\r\n", begin - 1);
  if (next == kNowhere || last == kNowhere) return Use::unknown;
  const std::string_view behind = text.substr(next, 2);
  if (behind.front() == '=' && behind != "==") return Use::sets;
  const std::string_view before = text.substr(last == 0 ? 0 : last - 1, 2);
  if (behind == "++" || behind == "--" || before == "++" || before == "--") return Use::reads;
  constexpr std::string_view kOperators = "+-*/%<>";
  const bool is_operand = kOperators.find(behind.front()) != kNowhere ||
                          (kOperators.find(text[last]) != kNowhere && before != "->" && before != ">>");
  return is_operand ? Use::reads : Use::unknown;
}

// The first place where a member is read that nothing sets; empty if there is none that is certain.
struct Unset {
  std::string member;
  std::size_t use = 0;
};
std::optional<Unset> unset_member(std::string_view text, const std::string& variable, std::size_t from,
                                  std::size_t end) {
  std::set<std::string> touched;  // set, or perhaps
  std::vector<Unset> read;
  for (std::size_t at = source::find_word(text, variable, from, end); at != kNowhere;
       at = source::find_word(text, variable, at + 1, end)) {
    if (text[at - 1] == '.' || text[at - 1] == '>') continue;  // a member of that name
    const std::size_t dot = at + variable.size();
    if (dot >= text.size() || text[dot] != '.') return std::nullopt;  // all of it
    const std::string member(source::word_at(text, dot + 1));
    const Use use = use_of(text, at, dot + 1 + member.size());
    if (use == Use::reads)
      read.push_back({member, at});
    else
      touched.insert(member);
  }
  for (const Unset& one : read)
    if (!touched.contains(one.member)) return one;
  return std::nullopt;
}

}  // namespace

check::Findings unset_members_in_source(const Job& job) {
  check::Findings findings;
  const SourceCode code(job);
  const std::string_view text = code.text();
  for (const SourceFunction& function : code.functions())
    for (std::size_t end = text.find(';', function.body); end < function.end; end = text.find(';', end + 1)) {
      const std::size_t begin = text.find_last_of(";{}", end - 1) + 1;
      const std::string_view statement = trimmed(text.substr(begin, end - begin));  // "Sum s"
      const std::string_view type = source::word_at(statement, 0);
      const std::string_view name = trimmed(statement.substr(type.size()));
      if (name.empty() || name != source::word_at(name, 0) || !is_plain(text, type)) continue;
      const std::size_t block = block_around(text, function.body, begin);
      const std::size_t close = std::min(source::behind_bracket(text, block), function.end);
      const auto unset = unset_member(text, std::string(name), end, close);
      if (!unset) continue;
      check::Finding finding;
      finding.kind = check::Kind::uninitialized_local;
      finding.severity = check::Severity::warning;
      finding.file = job.plan.spec.path;
      finding.line = code.line_of(unset->use);
      finding.address = std::string(name) + "." + unset->member;
      finding.message = finding.address + " is read, and nothing sets it";
      finding.fix = "set " + finding.address + " where " + std::string(name) + " is declared";
      findings.push_back(std::move(finding));
    }
  return findings;
}

}  // namespace warplens::run
