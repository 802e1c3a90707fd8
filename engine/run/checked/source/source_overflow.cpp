#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string>

#include "engine/base/code_text.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/file_launch.hpp"
#include "engine/run/checked/source/source_checks.hpp"
#include "engine/run/checked/source/source_code.hpp"
#include "engine/source/c_expression.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/types.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
using Value = std::optional<std::int64_t>;
constexpr std::int64_t kMostOfInt = std::numeric_limits<std::int32_t>::max();

// The largest values of a kernel's ints under the file's launch: what it passes, and what follows from that and from the
// indices of threads by sums and products.
class LargestInts {
 public:
  LargestInts(const source::KernelSignature& kernel, const problem::FileLaunch& launch, std::string_view body)
      : kernel_(kernel), launch_(launch), body_(body) {
    for (const char c : body)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) plain_ += c;
  }

  Value of(std::string_view name) const { return of(name, 0); }
  // Of sums and products of such names and numbers, less what would be lost of it in an int.
  Value of_expression(std::string_view text) const { return of_expression(text, 0); }

 private:
  static constexpr int kDeepest = 6;

  Value of(std::string_view name, int depth) const {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
      if (kernel_.parameters[p].name == name) return of_parameter(p);
    if (const Value own = of_launch(name)) return own;
    const std::string_view definition = depth < kDeepest ? definition_of(name) : std::string_view();
    const Value most = definition.empty() ? std::nullopt : of_expression(definition, depth + 1);
    return most ? Value(guarded(std::string(name), *most)) : most;
  }

  Value of_expression(std::string_view text, int depth) const {
    std::string words;
    for (const char c : text) {
      const bool is_known = is_of_name(c) || std::isspace(static_cast<unsigned char>(c)) != 0 ||
                            std::string_view("+*().").find(c) != std::string_view::npos;
      if (!is_known) return std::nullopt;
      words += c == '.' ? '_' : c;  // blockIdx.x
    }
    const auto value =
        source::evaluate_c(words, {.value = [&](std::string_view name) -> std::optional<source::CNumber> {
                             const Value of_name = of(name, depth);
                             if (!of_name) return std::nullopt;
                             return source::CNumber{static_cast<double>(*of_name), true};
                           }});
    if (!value || !value->is_whole || !(value->value < 0x1p62)) return std::nullopt;
    return static_cast<std::int64_t>(value->value);
  }

  Value of_parameter(std::size_t p) const {
    const auto type = source::read_type(kernel_.parameters[p].type);
    const bool is_int =
        type && type->parts == 1 && type->base == "int32" && !kernel_.parameters[p].is_pointer;
    return is_int && p < launch_.values.size() ? launch_.values[p] : std::nullopt;
  }

  Value of_launch(std::string_view name) const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (name.empty() || name.back() != "xyz"[d]) continue;
      const std::int64_t blocks = d < launch_.grid.size() ? launch_.grid[d] : 1,
                         threads = d < launch_.block.size() ? launch_.block[d] : 1;
      const std::string_view axis = name.substr(0, name.size() - 1);
      if (launch_.grid.empty() || launch_.block.empty()) return std::nullopt;
      if (axis == "blockIdx_") return blocks - 1;
      if (axis == "threadIdx_") return threads - 1;
      if (axis == "blockDim_") return threads;
      if (axis == "gridDim_") return blocks;
    }
    return std::nullopt;
  }

  // What an int begins as, where nothing else is put into it; empty: it is none.
  std::string_view definition_of(std::string_view name) const {
    std::string_view found;
    for (std::size_t at = source::find_word(body_, name); at != source::kNowhere;
         at = source::find_word(body_, name, at + 1)) {
      const std::size_t next = source::behind_blanks(body_, at + name.size());
      const std::string_view behind = body_.substr(next, 2), before = trimmed(body_.substr(0, at));
      const bool is_set = behind.starts_with("=") && behind != "==";
      const bool is_changed = behind == "+=" || behind == "-=" || behind == "*=" || behind == "++" ||
                              behind == "--" || behind == "/=" || before.ends_with("++") ||
                              before.ends_with("--");
      if (is_changed || (is_set && !found.empty())) return {};
      if (!is_set) continue;
      const std::size_t statement = body_.find_last_of(";{}(", at);
      const std::string_view start = trimmed(body_.substr(statement == body_.npos ? 0 : statement + 1));
      const std::string_view type = start.starts_with("const ") ? trimmed(start.substr(6)) : start;
      if (!source::is_word_at(type, 0, "int")) return {};
      int depth = 0;
      std::size_t end = next + 1;
      for (; end < body_.size() && body_[end] != ';' && (body_[end] != ',' || depth > 0); ++end)
        depth += body_[end] == '(' ? 1 : body_[end] == ')' ? -1 : 0;
      found = body_.substr(next + 1, end - next - 1);
    }
    return found;
  }

  std::int64_t guarded(const std::string& name, std::int64_t most) const {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
      for (const char* sign : {"<", ">="})
        if (const Value bound = of_parameter(p);
            bound && plain_.find(name + sign + kernel_.parameters[p].name) != std::string::npos)
          most = std::min(most, *bound - 1);
    return most;
  }

  const source::KernelSignature& kernel_;
  const problem::FileLaunch& launch_;
  std::string_view body_;
  std::string plain_;  // of it, without blanks
};

// The names on both sides of a sign, where they stand alone: no members, elements, calls or casts.
std::optional<std::pair<std::string_view, std::string_view>> factors_at(std::string_view text,
                                                                        std::size_t sign) {
  const std::string_view left = source::word_before(text, source::before_blanks(text, sign));
  const std::size_t next = source::behind_blanks(text, sign + 1);
  const std::string_view right = source::word_at(text, next);
  if (left.empty() || right.empty()) return std::nullopt;
  const std::string_view ahead = trimmed(text.substr(0, source::before_blanks(text, sign) - left.size())),
                         behind = trimmed(text.substr(next + right.size()).substr(0, 20));
  const bool is_alone =
      !ahead.empty() && std::string_view(").>*/").find(ahead.back()) == std::string_view::npos &&
      (behind.empty() || std::string_view(".[(").find(behind.front()) == std::string_view::npos);
  return is_alone ? std::optional(std::pair(left, right)) : std::nullopt;
}

}  // namespace

check::Findings overflows_in_source(const Job& job) {
  const auto launch = job.plan.spec.guessed.empty() ? std::nullopt : problem::file_launch(job.plan.spec);
  if (!launch) return {};
  const SourceCode code(job);
  const auto kernels = source::kernel_signatures(job.plan.spec.code);
  const std::string name = job.plan.spec.kernel.substr(0, job.plan.spec.kernel.find('<'));
  for (const source::KernelSignature& kernel : kernels) {
    if (kernel.name != (name.empty() ? kernels.back().name : name)) continue;
    const auto function = std::ranges::find_if(code.functions(), [&](const SourceFunction& one) {
      const int line = code.line_of(one.body);
      return line >= kernel.line && line < kernel.line + 8;
    });
    if (function == code.functions().end()) return {};
    const std::string_view text = code.text();
    const LargestInts ints(kernel, *launch, text.substr(function->body, function->end - function->body));
    const auto overflow = [&](std::size_t at, std::string_view words, std::int64_t value,
                              std::string_view wide) {
      Finding finding;
      finding.kind = Kind::out_of_bounds;
      finding.severity = check::Severity::warning;
      finding.file = job.plan.spec.path;
      finding.line = code.line_of(at);
      finding.message = fmt::format("{} comes to {} at the sizes of the file, and an int holds {} at most",
                                    words, grouped(static_cast<std::uint64_t>(value)),
                                    grouped(static_cast<std::uint64_t>(kMostOfInt)));
      finding.fix = fmt::format("compute it in 64 bits: {}", wide);
      return finding;
    };
    for (std::size_t at = text.find('*', function->body); at < function->end; at = text.find('*', at + 1)) {
      const auto factors = factors_at(text, at);
      const Value left = factors ? ints.of(factors->first) : std::nullopt,
                  right = factors ? ints.of(factors->second) : std::nullopt;
      if (!left || !right || *left <= 0 || *right <= 0 || *left <= kMostOfInt / *right) continue;
      return {overflow(at, fmt::format("{} * {}", factors->first, factors->second), *left * *right,
                       fmt::format("(size_t){} * {}", factors->first, factors->second))};
    }
    // "int at = (z * ny + y) * nx + x;"
    for (std::size_t at = source::find_word(text, "int", function->body); at < function->end;
         at = source::find_word(text, "int", at + 1)) {
      const std::string_view statement = text.substr(at, text.find(';', at) - at);
      for (const std::string_view part : source::parts_of(statement.substr(3))) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view words = trimmed(part.substr(equals + 1));
        const Value value = ints.of_expression(words);
        if (value.value_or(0) > kMostOfInt)
          return {overflow(static_cast<std::size_t>(words.data() - text.data()), words, *value,
                           fmt::format("size_t {} = (size_t)...", trimmed(part.substr(0, equals))))};
      }
    }
  }
  return {};
}

}  // namespace warplens::run
