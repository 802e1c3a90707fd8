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
#include "engine/source/scan.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/types.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
using Value = std::optional<std::int64_t>;
constexpr std::int64_t kMostOfInt = std::numeric_limits<std::int32_t>::max();

// The largest values of a kernel's ints under the file's launch: what it passes, and indices of threads.
class LargestInts {
 public:
  LargestInts(const source::KernelSignature& kernel, const problem::FileLaunch& launch, std::string_view body)
      : kernel_(kernel), launch_(launch) {
    for (const char c : body)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) plain_ += c;
  }

  Value of(std::string_view name) const {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
      if (kernel_.parameters[p].name == name) return of_parameter(p);
    return of_index(std::string(name));
  }

 private:
  Value of_parameter(std::size_t p) const {
    const auto type = source::read_type(kernel_.parameters[p].type);
    const bool is_int =
        type && type->parts == 1 && type->base == "int32" && !kernel_.parameters[p].is_pointer;
    return is_int && p < launch_.values.size() ? launch_.values[p] : std::nullopt;
  }

  // Of "int i = blockIdx.x * blockDim.x + threadIdx.x;", guarded or not.
  Value of_index(const std::string& name) const {
    for (std::size_t d = 0; d < std::min(launch_.grid.size(), launch_.block.size()); ++d) {
      const std::string blocks = std::string("blockIdx.") + "xyz"[d],
                        threads = std::string("blockDim.") + "xyz"[d],
                        thread = std::string("threadIdx.") + "xyz"[d];
      for (const std::string& index :
           {blocks + "*" + threads + "+" + thread, threads + "*" + blocks + "+" + thread,
            thread + "+" + blocks + "*" + threads})
        for (const char* before : {"int", ","})
          if (plain_.find(before + name + "=" + index) != std::string::npos)
            return guarded(name, launch_.grid[d] * launch_.block[d] - 1);
    }
    return std::nullopt;
  }
  std::int64_t guarded(const std::string& name, std::int64_t most) const {
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p)
      for (const char* sign : {"<", ">="})
        if (const Value bound = of_parameter(p);
            bound && source::find_word(plain_, name) != source::kNowhere &&
            plain_.find(name + sign + kernel_.parameters[p].name) != std::string::npos)
          most = std::min(most, *bound - 1);
    return most;
  }

  const source::KernelSignature& kernel_;
  const problem::FileLaunch& launch_;
  std::string plain_;
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
    for (std::size_t at = text.find('*', function->body); at < function->end; at = text.find('*', at + 1)) {
      const auto factors = factors_at(text, at);
      const Value left = factors ? ints.of(factors->first) : std::nullopt,
                  right = factors ? ints.of(factors->second) : std::nullopt;
      if (!left || !right || *left <= 0 || *right <= 0 || *left <= kMostOfInt / *right) continue;
      Finding finding;
      finding.kind = Kind::out_of_bounds;
      finding.severity = check::Severity::warning;
      finding.file = job.plan.spec.path;
      finding.line = code.line_of(at);
      finding.message =
          fmt::format("{} * {} comes to {} at the sizes of the file, and an int holds {} at most",
                      factors->first, factors->second, grouped(static_cast<std::uint64_t>(*left * *right)),
                      grouped(static_cast<std::uint64_t>(kMostOfInt)));
      finding.fix = fmt::format("compute it in 64 bits: (size_t){} * {}", factors->first, factors->second);
      return {finding};
    }
  }
  return {};
}

}  // namespace warplens::run
