#include "engine/run/checked/guesses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/check/scene.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/source/scan.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// What may be wrong in the place of the kernel.
std::string blame_of(const GuessedParts& guessed) {
  return fmt::format(
      "that may be the guess and not the kernel: put the guessed head at the top of the file and correct {}",
      guessed.words);
}

std::string single_spaced(const std::string& line) {
  std::string words;
  for (const char c : line)
    if (c != ' ' || words.empty() || words.back() != ' ') words += c;
  return words;
}

// Of an access outside of its array.
bool place_depends_on(const Finding& finding, const GuessedParts& guessed, const Circumstances& found) {
  // Data may be indices, in shared and local memory as well, and the host fills them otherwise.
  if (found.may_be_of_data(finding) && guessed.data_are_indices) return true;
  // An array of the kernel's own is as large as it says; how far the kernel goes in it may be a size.
  if (finding.memory == check::Memory::local) return found.decided_by_sizes.contains(finding.line);
  if (guessed.arguments || guessed.block) return true;
  const bool has_guessed_extent = finding.memory == check::Memory::shared ? guessed.shared : guessed.grid;
  return has_guessed_extent || !guessed.has_sizes_of_file;
}

bool is_of_addresses(Kind kind) {
  return kind == Kind::race_shared || kind == Kind::race_warp || kind == Kind::race_async ||
         kind == Kind::race_global || kind == Kind::out_of_bounds || kind == Kind::misaligned;
}

// Whether another guess could make it go away.
bool depends_on(const Finding& finding, const GuessedParts& guessed, const Circumstances& found) {
  if (finding.is_certain) return false;
  if (is_of_addresses(finding.kind) && found.has_guessed_address(finding)) return true;
  const bool has_elements = is_of_addresses(finding.kind) || finding.kind == Kind::uninitialized_shared;
  if (has_elements && guessed.data_are_indices && found.is_searched(finding)) return true;
  if (finding.kind == Kind::invalid_operand) return guessed.arguments || guessed.block;
  switch (finding.kind) {
    case Kind::uninitialized_local:  // of an element that data may choose
      return guessed.data_are_indices && found.may_be_of_data(finding);
    case Kind::uninitialized_register:
    case Kind::use_after_scope:
    case Kind::launch_instruction:
    case Kind::missing_proxy_fence:
    case Kind::register_in_flight:
    case Kind::printf_format:
    case Kind::no_effect:
      return false;
    case Kind::race_shared:
    case Kind::race_async:
    case Kind::divergent_barrier:
      return guessed.arguments || guessed.block || guessed.shared;
    case Kind::endless_loop:
      if (finding.endless == check::Endless::no_condition) return false;
      if (found.reads_whole_numbers && guessed.data_are_indices) return true;  // a list that is a circle
      return finding.endless == check::Endless::may_end;                       // or takes long
    case Kind::wrong_result:
    case Kind::unwritten_output:
      return !found.grid_is_short || guessed.grid;
    case Kind::race_warp:
    case Kind::mask_without_caller:
    case Kind::inactive_source_lane:
    case Kind::uninitialized_shared:
    case Kind::launch_bounds:
    case Kind::launch_registers:
    case Kind::launch_cluster:
    case Kind::launch_cooperative:
    case Kind::deadlock:
    case Kind::transaction_bytes:
    case Kind::register_pool:
    case Kind::partial_warp_group:
      return guessed.arguments || guessed.block || guessed.shared;  // what happens within a block
    case Kind::out_of_bounds:
    case Kind::misaligned:
      return place_depends_on(finding, guessed, found);
    default:
      return guessed.problem || guessed.block || guessed.grid;
  }
}

bool waits(const Finding& finding) {
  return finding.kind == Kind::deadlock || finding.kind == Kind::endless_loop;
}

void leave_to_host(Finding& finding) {
  finding.message += "; host code may change it while the kernel runs, and here none runs";
  finding.fix = "run the whole program on a GPU, or let nobody wait for the host";
}

bool is_in_shared(const Finding& finding) {
  return finding.kind == Kind::race_shared || finding.kind == Kind::race_warp ||
         finding.kind == Kind::race_async || finding.kind == Kind::uninitialized_shared ||
         finding.memory == check::Memory::shared;
}

// At one of its two lines.
bool is_at(const Finding& finding, const AccessPlaces& places) {
  const std::string array = is_in_shared(finding) ? kAnyShared : check::array_of(finding);
  return places.has(finding.line, array) || places.has(finding.other_line, array);
}

// What nobody wrote, where a write may have been left out somewhere.
bool is_of_missing_value(Kind kind) {
  return kind == Kind::uninitialized_shared || kind == Kind::uninitialized_global ||
         kind == Kind::uninitialized_local || kind == Kind::uninitialized_register ||
         kind == Kind::wrong_result || kind == Kind::unwritten_output;
}

}  // namespace

bool Circumstances::may_be_of_data(const Finding& finding) const {
  if (check::is_race(finding.kind) ? !reads_whole_numbers : !has_whole_numbers) return false;
  if (is_of_missing_value(finding.kind) && data.decides_paths) return true;
  return data.decided.contains(finding.line) || data.decided.contains(finding.other_line) ||
         is_at(finding, data.addresses);
}

bool Circumstances::is_searched(const Finding& finding) const { return is_at(finding, data.searched); }

bool Circumstances::has_guessed_address(const Finding& finding) const {
  return is_at(finding, guessed_addresses);
}

GuessedParts guessed_parts(const std::string& front_matter) {
  GuessedParts guessed;
  for (std::size_t at = 0; at < front_matter.size();) {
    const std::size_t end = std::min(front_matter.find('\n', at), front_matter.size());
    std::string line = front_matter.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("problem") || line.starts_with("kind"))
      guessed.data_are_indices =
          line.find("\"histogram\"") != std::string::npos || line.find("\"spmv\"") != std::string::npos;
    guessed.has_sizes_of_file |=
        line.starts_with("sizes") && line.find("# as in the file") != std::string::npos;
    if (const std::size_t at_names = line.find(problem::kNoMoreThanAGuess); at_names != std::string::npos) {
      std::string names = line.substr(at_names + problem::kNoMoreThanAGuess.size());
      for (const std::string_view name : source::parts_of(names)) guessed.integers.emplace(name);
    }
    const std::size_t mark = line.find("  # guessed");
    if (mark == std::string::npos) continue;
    line.resize(mark);
    guessed.problem |= line.starts_with("[problem]") || line.starts_with("problem");
    guessed.arguments |= line.starts_with("kernel");
    guessed.block |= line.starts_with("block");
    guessed.grid |= line.starts_with("grid");
    guessed.shared |= line.starts_with("shared");
    if (line == "[problem]")  // with what it begins with
      line += " " + front_matter.substr(at, std::min(front_matter.find('\n', at), front_matter.size()) - at);
    guessed.words += (guessed.words.empty() ? "" : ", ") + single_spaced(line);
  }
  return guessed;
}

bool is_grid_of_file(const std::string& guessed_text) {
  return !guessed_text.empty() && !guessed_parts(guessed_text).grid;
}

void own_up(Report& report, const std::string& guessed_text, const Circumstances& found) {
  if (guessed_text.empty()) return;
  const GuessedParts guessed = guessed_parts(guessed_text);
  std::string first, first_message;
  bool is_first_for_host = false;
  for (Finding& finding : report.findings) {
    const bool is_error = finding.severity == Severity::error;
    const bool is_for_host = is_error && found.host_takes_part && waits(finding);
    const bool is_demoted = is_for_host || (is_error && depends_on(finding, guessed, found));
    const bool is_of_sizes = finding.kind == Kind::wrong_at_odd_size && (guessed.grid || guessed.problem);
    const std::string message = finding.message;
    if (is_for_host)
      leave_to_host(finding);
    else if (is_demoted || is_of_sizes)
      finding.fix += "; or correct the guess (sizes, launch and data), if it is wrong";
    if (!is_demoted) continue;
    finding.severity = Severity::warning;
    if (first.empty()) {
      first_message = message;
      is_first_for_host = is_for_host;
      first = finding.line > 0 ? fmt::format("line {}: {}", finding.line, finding.message) : finding.message;
    }
  }
  const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
  if (std::stable_partition(report.findings.begin(), report.findings.end(), is_error) !=
      report.findings.begin()) {
    if (report.explanation == first_message) report.explanation = report.findings.front().message;
    return;
  }
  if (first.empty() && !report.is_wrong()) return;
  if (first.empty()) first = report.explanation;
  report.not_checked = is_first_for_host ? first : fmt::format("{}; {}", first, blame_of(guessed));
  report.verified = false;
  report.explanation.clear();
}

Error with_guess(Error error, const std::string& guessed_text) {
  if (guessed_text.empty()) return error;
  const GuessedParts guessed = guessed_parts(guessed_text);
  error.next_step = blame_of(guessed);
  error.code = ErrorCode::none;
  return error;
}

}  // namespace warplens::run
