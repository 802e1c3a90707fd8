#include "engine/run/checked/other_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/catalog/problem_text.hpp"
#include "engine/run/checked/odd_sizes.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
using problem::ElementType, problem::Pattern;

// Beyond what 16 bits count, and no multiple of anything.
constexpr std::int64_t kBeyond16Bits = 131'101, kBeyond16BitsOfOne = 66'001, kLongRow = 2'053;
constexpr std::int64_t kOthers[] = {3, 64};  // of the others; some kernels take whole tiles

// One size is large, the others small.
struct Large {
  std::string name;
  std::int64_t others = 0;

  catalog::Values with(const Trials& trials, std::int64_t value) const {
    catalog::Values sizes = trials.job().plan.sizes;
    for (auto& [each, size] : sizes) {
      if (trials.fixed().contains(each)) continue;
      size = each == name || trials.job().plan.problem->has_one_size() ? value : std::min(size, others);
    }
    return sizes;
  }
};

// Waits for other threads take a turn each.
bool has_lock(const ptx::Function& function) {
  return std::any_of(function.code.begin(), function.code.end(), [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::atom &&
           (i.atomic == ptx::AtomicOp::cas || i.atomic == ptx::AtomicOp::exch);
  });
}

// Of the values of a size that are tried between two, of which the one is right and the other wrong, the
// largest that is right. wrong, first_wrong: the least that is not.
std::int64_t last_right(const Trials& trials, const Large& large, std::int64_t right, std::int64_t& wrong,
                        Trial& first_wrong) {
  while (wrong - right > 1) {
    const std::int64_t middle = right + (wrong - right) / 2;
    Trial trial = trials.search_at(large.with(trials, middle));
    if (!trial.possible) return right;
    if (trial.right)
      right = middle;
    else
      wrong = middle, first_wrong = std::move(trial);
  }
  return right;
}

// The last element is that of the last thread, or of the last of a few turns: it is the grid that ends there.
bool is_all_of_the_grid(const Trials& trials, std::int64_t last) {
  const auto threads = static_cast<std::int64_t>(threads_of(trials.job().plan.launch));
  for (const std::int64_t each : {1, 2, 4, 8})
    if (std::abs(last - each * threads) <= 1) return true;
  return false;
}

struct Answer {
  bool is_known = false;
  std::optional<Finding> finding = {};
};

Answer answer_at(const Trials& trials, const std::string& name, std::int64_t value) {
  for (const std::int64_t others : kOthers) {
    const Large large{name, others};
    Trial trial = trials.cheap_at(large.with(trials, value));
    if (!trial.possible) continue;
    if (trial.right) return {true};
    const std::int64_t little = std::min<std::int64_t>(trials.job().plan.sizes.at(name), value - 1);
    const Trial before = trials.cheap_at(large.with(trials, little));
    if (!before.possible) continue;
    if (!before.right && !trials.job().plan.spec.guessed.empty())
      continue;  // the others may have a least size
    if (!before.right)
      return {true, trials.finding(
                        trial, Kind::wrong_at_odd_size, wrong_at(large.with(trials, value), trial.what, {}),
                        "guard what there is less of than threads, or say in `require` what sizes it takes")};
    std::int64_t first_wrong = value;
    const std::int64_t last = last_right(trials, large, little, first_wrong, trial);
    if (trials.is_as_launched() && is_all_of_the_grid(trials, last)) return {true};
    return {true,
            trials.finding(trial, Kind::wrong_at_odd_size,
                           wrong_at(large.with(trials, first_wrong), trial.what,
                                    fmt::format("right up to {} = {}", name, last)),
                           "look for a number of too few bits, or for threads that do one element each where "
                           "there are more")};
  }
  return {};
}

struct Data {
  Pattern pattern;
  const char* name;
  const char* words;
  const char* within_bounds;  // the same of a file's own table, where they are from -1 to 1
  bool grows;                 // leaves the bounds that the problem's data has
};
constexpr Data kData[] = {
    {Pattern::equal, "equal", "equal values", "equal values", false},
    {Pattern::zero, "zero", "zeros", "zeros", false},
    {Pattern::large, "large", "values from -100 to 100", "", true},
    {Pattern::negative, "negative", "values from -301 to -201", "values from -1 to 0", true},
    {Pattern::gaps, "gaps", "every second row empty", "every second row empty", false}};

bool is_real(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }
bool is_of_16_bits(ElementType type) { return type == ElementType::f16 || type == ElementType::bf16; }

bool keeps_bounds(const Trials& trials) {
  const auto& own = trials.job().plan.spec.own;
  return own != nullptr && own->kind.empty();
}

// Whether there are numbers of which a file's own problem says no bounds.
bool has_free_numbers(const catalog::ProblemText& own, const problem::Instance& instance) {
  return std::any_of(own.buffers.begin(), own.buffers.end(), [&](const catalog::BufferText& text) {
    const auto& buffers = instance.buffers();
    const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                     [&](const problem::Buffer& one) { return one.name == text.name; });
    const bool is_free = text.fill.text == "random" || (text.fill.text.empty() && !text.is_output);
    return is_free && buffer != buffers.end() && is_real(buffer->type);
  });
}

// Sums of equal values end early in 16 bits.
bool fits(const Data& data, const Trials& trials) {
  const auto& buffers = trials.job().instance->buffers();
  const auto has = [&](bool (*is)(ElementType)) {
    return std::any_of(buffers.begin(), buffers.end(), [&](const auto& buffer) { return is(buffer.type); });
  };
  if (data.pattern == Pattern::gaps) return trials.job().plan.problem->has_gaps();
  if (has(is_of_16_bits) && data.pattern != Pattern::zero) return false;
  if (!data.grows) return true;
  if (!keeps_bounds(trials)) return has(is_real);
  return data.pattern == Pattern::negative &&
         has_free_numbers(*trials.job().plan.spec.own, *trials.job().instance);
}

// Those of the run where it takes a moment, else small ones with which it is right.
std::optional<catalog::Values> sizes_for_data(const Trials& trials) {
  const auto is_right = [&](const catalog::Values& sizes) {
    const Trial trial = trials.quick_at(sizes);
    return trial.possible && trial.right;
  };
  if (is_right(trials.job().plan.sizes)) return trials.job().plan.sizes;
  for (const std::int64_t unit : {1, 32, 256})
    if (const catalog::Values sizes = small_sizes(trials, unit); is_right(sizes)) return sizes;
  return std::nullopt;
}

}  // namespace

std::optional<Finding> finding_at_large_sizes(const Trials& trials) {
  if (trials.free() == 0 || !trials.may_grow() || has_lock(trials.kernel().function())) return std::nullopt;
  if (trials.is_of_unknown() && trials.free() > 1) return std::nullopt;
  const bool one = is_of_one_dimension(trials);
  for (const auto& [name, asked] : trials.job().plan.sizes) {
    if (trials.fixed().contains(name)) continue;
    for (const std::int64_t value : {one ? kBeyond16Bits : kBeyond16BitsOfOne, kLongRow}) {
      if (asked >= value) break;
      if (auto answer = answer_at(trials, name, value); answer.finding || answer.is_known) {
        if (answer.finding) return std::move(answer.finding);
        break;
      }
    }
    if (trials.job().plan.problem->has_one_size()) break;
  }
  return std::nullopt;
}

std::optional<Finding> finding_with_other_data(const Trials& trials, std::vector<std::string>& data) {
  if (trials.is_of_unknown() || trials.job().instance->wants_reference()) return std::nullopt;
  std::optional<catalog::Values> sizes;
  for (const Data& one : kData) {
    if (!fits(one, trials)) continue;
    if (!sizes && !(sizes = sizes_for_data(trials))) return std::nullopt;
    const Trial trial = trials.quick_at(*sizes, one.pattern);
    if (!trial.possible) continue;
    data.emplace_back(one.name);
    if (trial.right) continue;
    return trials.finding(
        trial, Kind::wrong_with_other_data,
        fmt::format("right with random data and wrong with {}: at {}, {}",
                    keeps_bounds(trials) ? one.within_bounds : one.words, value_words(*sizes), trial.what),
        fmt::format("see it with --pattern {}", one.name));
  }
  return std::nullopt;
}

}  // namespace warplens::run
