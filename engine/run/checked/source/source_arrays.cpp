#include <algorithm>
#include <array>
#include <cctype>

#include "engine/base/code_text.hpp"
#include "engine/check/scene.hpp"
#include "engine/run/checked/source/source_checks.hpp"
#include "engine/run/checked/source/source_code.hpp"
#include "engine/run/checked/source/source_walk.hpp"
#include "engine/source/scan.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
constexpr std::int64_t kMostTries = 6000, kMostOfRun = 60'000;  // evaluations of one access, and of all

struct Array {
  std::string name;
  std::vector<std::int64_t> extents;
  std::size_t from = 0, end = 0;  // where it is known by its name
  bool is_shared = false;
};

struct Brackets {
  std::vector<std::string_view> inside;
  std::size_t end = 0;
};
Brackets brackets_at(std::string_view text, std::size_t at) {
  Brackets found{{}, at};
  for (;;) {
    const std::size_t open = text.find_first_not_of(" \t\r\n", found.end);
    if (open == std::string_view::npos || text[open] != '[') return found;
    const std::size_t end = source::behind_bracket(text, open);
    if (end == std::string_view::npos) return found;
    found.inside.push_back(trimmed(text.substr(open + 1, end - open - 2)));
    found.end = end;
  }
}

// Whether "__shared__ float" or "float w[4]," is what a declaration begins with.
bool begins_declaration(std::string_view before) {
  before = trimmed(before);
  if (before.empty() || std::isdigit(static_cast<unsigned char>(before.front())) != 0) return false;
  if (source::has_word(before, {"return", "else", "case", "delete", "goto", "do", "typedef", "using"}))
    return false;
  const std::string_view type = before.substr(0, before.find_first_of("[,"));
  if (type.find_first_of("=+-/!?|&.();%^") != std::string_view::npos) return false;
  if (before.find('=') != std::string_view::npos) return false;
  if (before.size() == type.size()) return is_of_name(type.back()) || type.back() == '>';
  // An element, or a comma between two expressions, follows one word; a declaration has its type before it.
  return before.back() == ',' && trimmed(type).find_first_of(" \t\n>") != std::string_view::npos;
}

std::vector<Array> arrays_of(const SourceCode& code, const SourceFunction& function) {
  std::vector<Array> arrays;
  const std::string_view text = code.text();
  for (std::size_t at = text.find('[', function.body); at < function.end; at = text.find('[', at + 1)) {
    const std::size_t begin = at - source::word_before(text, at).size();
    const std::size_t start = text.find_last_of(";{}(", begin) + 1;
    if (begin == at || !begins_declaration(text.substr(start, begin - start))) continue;
    const Brackets found = brackets_at(text, at);
    Array array{std::string(text.substr(begin, at - begin)), {}, found.end, 0, false};
    for (const std::string_view extent : found.inside) {
      const auto value = code.value(extent, function, {});
      if (value && *value > 0) array.extents.push_back(*value);
    }
    if (array.extents.size() != found.inside.size()) continue;
    array.is_shared = source::find_word(text, "__shared__", start, begin) != std::string_view::npos;
    array.end = source::behind_bracket(text, block_around(text, function.body, begin));
    arrays.push_back(std::move(array));
  }
  return arrays;
}

// Accesses of one array whose place is certain, by all threads of block 0.
class ArrayTrials {
 public:
  ArrayTrials(const Job& job, const SourceCode& code, const SourceFunction& function)
      : job_(job), code_(code), function_(function) {}
  std::int64_t tries = 0;
  std::vector<std::int64_t> indices;  // of the access that is beyond
  std::array<std::uint32_t, 3> thread{};

  // Whether some thread is beyond an extent.
  bool is_beyond(const Array& array, const std::vector<std::string_view>& inside, const Way& way) {
    const auto& block = job_.plan.launch.block;
    std::string all;
    for (const std::string_view index : inside) all += std::string(index) + " ";
    for (const Guard& guard : way.guards) all += guard.condition + " ";
    for (const SourceLoop& loop : way.loops) all += loop.first + " " + loop.condition + " " + loop.step + " ";
    const std::uint32_t threads =
        code_.depends_on_thread(all, function_) ? block[0] * block[1] * block[2] : 1;
    const std::int64_t most = tries + kMostTries;
    for (std::uint32_t t = 0; t < threads && tries < most; ++t) {
      thread = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]};
      known_ = {{"threadIdx.x", thread[0]}, {"threadIdx.y", thread[1]}, {"threadIdx.z", thread[2]}};
      if (in_loop(array, inside, way, 0)) return true;
    }
    return false;
  }

 private:
  bool in_loop(const Array& array, const std::vector<std::string_view>& inside, const Way& way,
               std::size_t depth) {
    if (depth == way.loops.size()) return is_reached(way) && try_indices(array, inside);
    const SourceLoop& loop = way.loops[depth];
    for (const std::int64_t value : turns_of(loop)) {
      known_[loop.variable] = static_cast<double>(value);
      if (in_loop(array, inside, way, depth + 1)) return true;
    }
    known_.erase(loop.variable);
    return false;
  }

  // The first turn and the last one; none where they are not known.
  std::vector<std::int64_t> turns_of(const SourceLoop& loop) {
    const auto first = code_.value(loop.first, function_, known_);
    if (!first) return {};
    const std::string_view step = loop.step;
    const std::size_t equals = step.find('=');
    const auto by = equals == std::string_view::npos
                        ? std::optional<std::int64_t>(1)
                        : code_.value(step.substr(equals + 1), function_, known_);
    const bool up = step.find('+') != std::string_view::npos, down = step.find('-') != std::string_view::npos;
    std::vector<std::int64_t> turns;
    std::int64_t value = *first;
    for (int turn = 0; turn < 4096; ++turn) {
      known_[loop.variable] = static_cast<double>(value);
      ++tries;
      const auto goes_on = code_.value(loop.condition, function_, known_);
      if (!goes_on) return {};
      if (*goes_on == 0) break;
      if (turns.size() < 2)
        turns.push_back(value);
      else
        turns.back() = value;
      if (loop.may_leave || !by || *by == 0 || up == down) break;  // of others the first turn is certain
      value += up ? *by : -*by;
    }
    return turns;
  }

  bool is_reached(const Way& way) {
    return std::all_of(way.guards.begin(), way.guards.end(), [&](const Guard& guard) {
      ++tries;
      const auto value = code_.value(guard.condition, function_, known_);
      return value && (*value != 0) == guard.holds;
    });
  }

  bool try_indices(const Array& array, const std::vector<std::string_view>& inside) {
    indices.clear();
    bool is_beyond = false;
    for (std::size_t d = 0; d < inside.size(); ++d) {
      ++tries;
      const auto value = code_.value(inside[d], function_, known_);
      if (!value) return false;
      // Numbers below 0 may be unsigned and then something else.
      if (*value < 0 && inside[d].find_first_of("%/&|>") != std::string_view::npos) return false;
      is_beyond |= *value < 0 || *value >= array.extents[d];
      indices.push_back(*value);
    }
    return is_beyond;
  }

  const Job& job_;
  const SourceCode& code_;
  const SourceFunction& function_;
  SourceCode::Known known_;
};

Finding finding_of(const Job& job, const Array& array, const ArrayTrials& trials, bool writes, int line) {
  std::string element = array.name;
  std::size_t beyond = 0;
  for (std::size_t d = 0; d < trials.indices.size(); ++d) {
    element += "[" + std::to_string(trials.indices[d]) + "]";
    if (trials.indices[d] < 0 || trials.indices[d] >= array.extents[d]) beyond = d;
  }
  const auto& launch = job.plan.launch;
  Finding finding;
  finding.kind = Kind::out_of_array;
  finding.file = job.plan.spec.path;
  finding.line = line;
  finding.at = {true, trials.thread, {0, 0, 0}};
  finding.address = element;
  finding.memory = array.is_shared ? check::Memory::shared : check::Memory::local;
  const std::string extent = std::to_string(array.extents[beyond]);
  finding.message = check::thread_words(trials.thread, {0, 0, 0}, launch.block, launch.grid) +
                    (writes ? " writes " : " reads ") + element + ", but " +
                    (array.extents.size() == 1 ? array.name + " has " + extent + " elements"
                     : beyond == 0             ? array.name + " has " + extent + " rows"
                                               : "a row of " + array.name + " has " + extent + " elements");
  finding.fix = "check the index against the size of " + array.name;
  return finding;
}

bool is_written(std::string_view text, std::size_t end) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  return next != std::string_view::npos && text[next] == '=' && text.substr(next, 2) != "==";
}

}  // namespace

check::Findings overruns_in_source(const Job& job) {
  check::Findings findings;
  const SourceCode code(job);
  const std::string_view text = code.text();
  std::int64_t tries = 0;
  for (const SourceFunction& function : code.functions()) {
    const std::vector<Array> arrays = arrays_of(code, function);
    for (const Array& array : arrays) {
      // Of two by one name in one function it is not looked at which is meant.
      if (std::count_if(arrays.begin(), arrays.end(),
                        [&](const Array& other) { return other.name == array.name; }) > 1)
        continue;
      for (std::size_t at = source::find_word(text, array.name, array.from, array.end);
           at != std::string_view::npos && tries < kMostOfRun;
           at = source::find_word(text, array.name, at + 1, array.end)) {
        const Brackets found = brackets_at(text, at + array.name.size());
        const std::string_view ahead = trimmed(text.substr(0, at));
        if (found.inside.empty() || found.inside.size() > array.extents.size()) continue;
        if ((ahead.ends_with("&") && !ahead.ends_with("&&")) || ahead.ends_with(".") || ahead.ends_with("->"))
          continue;  // an address, or a member
        const auto way = way_to(text, function.body, at);
        if (!way) continue;
        ArrayTrials trials(job, code, function);
        const bool is_beyond = trials.is_beyond(array, found.inside, *way);
        tries += trials.tries;
        if (is_beyond)
          findings.push_back(finding_of(job, array, trials, is_written(text, found.end), code.line_of(at)));
      }
    }
  }
  return findings;
}

}  // namespace warplens::run
