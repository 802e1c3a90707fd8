#include "engine/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <new>
#include <optional>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/problem/kinds.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/source/signature.hpp"

namespace warplens::problem {
namespace {

// As other numbers are said, however many digits it has: "99,999,999,999".
std::string grouped_digits(std::string_view number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  std::string text;
  for (std::size_t at = 0; at < number.size(); ++at) {
    if (at > first && (number.size() - at) % 3 == 0) text += ',';
    text += number[at];
  }
  return text;
}

// Kernels count elements in int.
constexpr std::int64_t kLargestSize = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostElements = std::numeric_limits<std::int32_t>::max();

std::string format_bytes(double bytes) {
  constexpr std::array<std::string_view, 6> kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

double total_bytes(const Layout& layout) {
  double bytes = 0;
  for (const Buffer& buffer : layout.buffers) {
    bytes += static_cast<double>(buffer.elements) * static_cast<double>(size_in_bytes(buffer.type));
  }
  return bytes;
}

bool fits(const Layout& layout, std::uint64_t max_bytes) {
  const auto small = [](const Buffer& buffer) { return buffer.elements <= kMostElements; };
  return std::all_of(layout.buffers.begin(), layout.buffers.end(), small) &&
         total_bytes(layout) <= static_cast<double>(max_bytes);
}

class KindProblem final : public Problem {
 public:
  explicit KindProblem(Kind kind) : kind_(std::move(kind)) {}

  std::string_view name() const override { return kind_.name; }
  std::string_view signature() const override { return kind_.signature; }
  bool has_multiply_adds() const override { return kind_.multiply_adds; }
  std::string_view key() const override { return kind_.key.empty() ? kind_.name : kind_.key; }
  bool has_one_size() const override { return kind_.has_one_size; }
  std::string_view like() const override { return kind_.like; }
  bool has_gaps() const override { return kind_.has_gaps; }
  std::vector<std::string> size_names() const override {
    std::vector<std::string> names;
    for (const SizeName& size : kind_.sizes) names.emplace_back(size.name);
    return names;
  }
  Values default_sizes() const override {
    Values sizes;
    for (const SizeName& size : kind_.sizes) sizes.emplace(size.name, size.default_value);
    return sizes;
  }
  Result<std::shared_ptr<const Instance>> make(const Values& sizes, Pattern pattern, std::uint64_t seed,
                                               std::uint64_t max_bytes) const override {
    if (const auto error = check_names(sizes)) return *error;
    if (const auto error = check_range(sizes)) return *error;
    if (kind_.accepts)
      if (const Status accepted = kind_.accepts(sizes); !accepted) return accepted.error();
    Request request{sizes, kind_.layout(sizes), pattern, seed, kind_.signature};
    if (!fits(request.layout, max_bytes)) return too_large(request, max_bytes);
    try {
      return kind_.instance(std::move(request));
    } catch (const std::bad_alloc&) {
      return Error{
          fmt::format("{} has no memory for {}", kind_.name, text_of(sizes)), "choose a smaller size", {}};
    }
  }

 private:
  std::optional<Error> check_names(const Values& sizes) const {
    const std::vector<std::string> names = size_names();
    const bool all =
        std::all_of(names.begin(), names.end(), [&](const auto& name) { return sizes.contains(name); });
    if (all && sizes.size() == names.size()) return std::nullopt;
    return Error{
        fmt::format("{} has the sizes {}, not {}", kind_.name, fmt::join(names, ", "), text_of(sizes)),
        "give each of them once",
        {}};
  }

  std::optional<Error> check_range(const Values& sizes) const {
    for (const auto& [name, value] : sizes) {
      if (value >= 1 && value <= kLargestSize) continue;
      return Error{fmt::format("the size {}={} is {}", name, grouped_digits(std::to_string(value)),
                               value < 1 ? "below 1" : "more than an int holds"),
                   fmt::format("choose a whole number from 1 to {}", largest_square(std::uint64_t{1} << 34)),
                   {}};
    }
    return std::nullopt;
  }

  // "M=1, N=2, K=3" in the order of the problem; what it does not know comes last.
  std::string text_of(const Values& sizes) const {
    std::string text;
    const auto add = [&](std::string_view name, std::int64_t value) {
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    };
    for (const SizeName& size : kind_.sizes) {
      if (const auto found = sizes.find(size.name); found != sizes.end()) add(size.name, found->second);
    }
    for (const auto& [name, value] : sizes) {
      // clang 14 cannot capture a structured binding by itself.
      const auto known = [&, &unknown = name](const SizeName& size) { return size.name == unknown; };
      if (std::none_of(kind_.sizes.begin(), kind_.sizes.end(), known)) add(name, value);
    }
    return text.empty() ? "none" : text;
  }

  // The largest s for which all sizes = s fits, 0 where none does.
  std::int64_t largest_square(std::uint64_t max_bytes) const {
    std::int64_t good = 0, bad = kLargestSize + 1;
    while (bad - good > 1) {
      const std::int64_t middle = good + (bad - good) / 2;
      Values sizes;
      for (const SizeName& size : kind_.sizes) sizes.emplace(size.name, middle);
      (fits(kind_.layout(sizes), max_bytes) ? good : bad) = middle;
    }
    return good;
  }

  Error too_large(const Request& request, std::uint64_t max_bytes) const {
    const double bytes = total_bytes(request.layout);
    std::string message =
        fmt::format("{} at {} needs {}", kind_.name, text_of(request.sizes), format_bytes(bytes));
    if (bytes > static_cast<double>(max_bytes)) {
      message +=
          fmt::format(" of buffers, more than the {} allowed", format_bytes(static_cast<double>(max_bytes)));
    } else {
      message +=
          fmt::format(" in buffers of more than {} elements, which an int cannot count", kMostElements);
    }
    const std::int64_t largest = largest_square(max_bytes);
    if (largest == 0) return Error{message, "allow more memory", {}};
    return Error{
        message, fmt::format("the largest that fits is {}={}", fmt::join(size_names(), "="), largest), {}};
  }

  const Kind kind_;
};

std::string form_of(const Problem& problem) {
  const std::vector<std::string> names = problem.size_names();
  const std::string one = fmt::format("{}", problem.default_sizes().at(names.front()));
  if (names.size() == 1)
    return fmt::format("give {} as one whole number from 1 up, such as {}", names[0], one);
  return fmt::format("give {} as whole numbers from 1 up, such as {}, or one number for all, such as {}",
                     fmt::join(names, ","), names.size() == 3 ? "35,79,19" : "35,79", one);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  for (std::string_view& part : parts) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
  }
  return parts;
}

// Errors: what is wrong with the number, without a next step.
Result<std::int64_t> parse_size(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end == text.data() + text.size() && !text.empty();
  if (whole && code == std::errc::result_out_of_range) value = text.front() == '-' ? 0 : kLargestSize + 1;
  if (!whole || code == std::errc::invalid_argument) {
    return Error{
        text.empty() ? "a size is empty" : fmt::format("the size {} is not a whole number", text), "", {}};
  }
  if (value < 1) return Error{fmt::format("the size {} is below 1", text), "", {}};
  if (value > kLargestSize)
    return Error{fmt::format("the size {} is more than an int holds", grouped_digits(text)), "", {}};
  return value;
}

}  // namespace

std::span<const Problem* const> all_problems() {
#define WARPLENS_MAKE(name) KindProblem(name##_kind()),
  static const std::array kProblems{WARPLENS_PROBLEM_KINDS(WARPLENS_MAKE)};
#undef WARPLENS_MAKE
  static const auto kPointers = [] {
    std::array<const Problem*, kProblems.size()> pointers{};
    std::transform(kProblems.begin(), kProblems.end(), pointers.begin(),
                   [](const KindProblem& p) { return &p; });
    return pointers;
  }();
  return kPointers;
}

Result<const Problem*> find_problem(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Problem* problem : all_problems()) {
    if (problem->name() == name) return problem;
    names.push_back(problem->name());
  }
  for (const KindText& kind : kind_texts())
    if (std::find(names.begin(), names.end(), kind.name) == names.end()) names.push_back(kind.name);
  return Error{fmt::format("there is no problem {}", name),
               fmt::format("choose one of {}", fmt::join(names, ", ")),
               {}};
}

SharedProblem make_problem(Kind kind) { return std::make_shared<KindProblem>(std::move(kind)); }

namespace {

// A kernel whose file names the problem and that takes fewer buffers: a mistake, which is said when it is
// run, and no kernel to bind by names. A guess names the problem for a file that did not.
bool leaves_out_buffers(const catalog::KernelSpec& spec, const Problem& problem) {
  const auto kernels = source::kernel_signatures(spec.code);
  if (!spec.guessed.empty() || kernels.size() != 1) return false;
  const auto& parameters = kernels[0].parameters;
  return std::count_if(parameters.begin(), parameters.end(), [](const auto& p) { return p.is_pointer; }) <
         std::ranges::count(problem.signature(), '*');
}

}  // namespace

Result<SharedProblem> find_problem(const catalog::KernelSpec& spec, const Values& parameters) {
  if (recorded_launch(spec) != nullptr) return make_recorded_problem(spec.own->recorded);
  if (spec.own != nullptr) return make_own_problem(spec, parameters);
  const auto found = find_problem(spec.problem);
  const bool as_declared =
      found && (has_signature(spec, (*found)->signature()) || leaves_out_buffers(spec, **found));
  if (!as_declared && find_kind_text(spec.problem) != nullptr) {
    auto own = make_own_problem(spec, parameters);
    if (own || !found) return own;
  }
  if (found) return SharedProblem(SharedProblem(), *found);
  Error error = found.error();
  error.place = {spec.path, spec.problem_line, 0};
  return error;
}

bool has_multiply_adds(const catalog::KernelSpec& spec) {
  const auto problem = find_problem(spec);
  return problem && (*problem)->has_multiply_adds();
}

Result<Values> parse_sizes(const Problem& problem, std::string_view text) {
  const std::vector<std::string> names = problem.size_names();
  const std::vector<std::string_view> parts = split(text);
  if (parts.size() != 1 && parts.size() != names.size()) {
    return Error{fmt::format("{} takes {} size{}, not the {} of \"{}\"", problem.name(), names.size(),
                             names.size() == 1 ? "" : "s", parts.size(), text),
                 form_of(problem),
                 {}};
  }
  Values sizes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto size = parse_size(parts[parts.size() == 1 ? 0 : i]);
    if (!size) return Error{size.error().message, form_of(problem), {}};
    sizes[names[i]] = *size;
  }
  return sizes;
}

}  // namespace warplens::problem
