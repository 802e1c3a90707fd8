#include "engine/run/checked/source/source_code.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/code_text.hpp"
#include "engine/run/checked/source/source_walk.hpp"
#include "engine/source/c_expression.hpp"
#include "engine/source/pieces.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/signature.hpp"
#include "engine/source/tokens.hpp"
#include "engine/source/types.hpp"

namespace warplens::run {
namespace {

constexpr int kDeepest = 12;

// The name of the kernel that runs; the arguments of its template and whole numbers that it takes by name.
std::string chosen_kernel(const Job& job, SourceCode::Known& constants) {
  const auto kernels = source::kernel_signatures(job.plan.spec.code);
  if (kernels.empty()) return "";
  const std::string& asked = job.plan.spec.kernel;
  const std::string name = asked.empty() ? kernels.back().name : asked.substr(0, asked.find('<'));
  const auto kernel =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& one) { return one.name == name; });
  const auto& arguments = job.instance->arguments();
  for (std::size_t p = 0;
       kernel != kernels.end() && p < std::min(kernel->parameters.size(), arguments.size()); ++p)
    if (const auto type = source::read_type(kernel->parameters[p].type);
        type && type->parts == 1 && !kernel->parameters[p].is_pointer && type->base.ends_with("int32"))
      constants[kernel->parameters[p].name] =
          static_cast<std::int32_t>(problem::number_of(arguments[p]).bits);
  std::size_t at = asked.find('<');
  for (std::size_t t = 0;
       kernel != kernels.end() && at != std::string::npos && t < kernel->of_template.size(); ++t) {
    const std::size_t end = std::min(asked.find_first_of(",>", at + 1), asked.size());
    const std::string argument(trimmed(std::string_view(asked).substr(at + 1, end - at - 1)));
    if (!argument.empty() && argument.find_first_not_of("0123456789") == std::string::npos)
      constants[kernel->of_template[t].name] = std::atof(argument.c_str());
    at = end;
  }
  return name;
}

void add_edges(SourceCode::Known& known, const std::string& name, const std::array<std::uint32_t, 3>& shape) {
  for (std::size_t d = 0; d < 3; ++d) known[name + "." + "xyz"[d]] = shape[d];
}

}  // namespace

SourceCode::SourceCode(const Job& job) : macros_(source::macros_of_compiler()) {
  for (const auto& [name, value] : job.plan.parameters) macros_[name] = std::to_string(value);
  text_ = source::blanked(source::taken_branches(job.plan.spec.code, macros_));
  for (const auto& [name, value] : job.plan.parameters) macros_[name] = std::to_string(value);
  for (const auto& [name, value] : job.plan.sizes) constants_[name] = static_cast<double>(value);
  add_edges(constants_, "blockDim", job.plan.launch.block);
  add_edges(constants_, "gridDim", job.plan.launch.grid);
  add_edges(constants_, "blockIdx", {0, 0, 0});
  const std::string kernel = chosen_kernel(job, constants_);
  const auto pieces = source::pieces_of(text_);
  std::set<std::string> wanted{kernel};
  std::vector<bool> is_taken(pieces.size());
  for (bool more = true; std::exchange(more, false);)
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const source::Piece& piece = pieces[p];
      if (is_taken[p] || piece.what != source::Piece::What::function ||
          !wanted.contains(*piece.names.begin()))
        continue;
      is_taken[p] = more = true;
      const std::string_view body = text().substr(piece.begin, piece.end - piece.begin);
      const source::Names called = source::words_of(body).called;
      wanted.insert(called.begin(), called.end());
      functions_.push_back({piece.begin + std::min(body.find('{'), body.size() - 1), piece.end});
    }
}

int SourceCode::line_of(std::size_t place) const { return source::line_of(text_, place); }

const std::string& SourceCode::definition(std::string_view name, std::size_t from, std::size_t end) const {
  const auto [known, is_new] = definitions_.try_emplace({std::string(name), from});
  if (!is_new || is_changed(text_, name, from, end)) return known->second;
  int declared = 0;
  std::string first;
  for (std::size_t at = source::find_word(text_, name, from, end); at != std::string_view::npos;
       at = source::find_word(text_, name, at + 1, end)) {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at + name.size());
    const std::size_t last = at == 0 ? std::string::npos : text_.find_last_not_of(" \t\r\n", at - 1);
    if (next == std::string::npos || last == std::string::npos) continue;
    const bool is_set = text_[next] == '=' && text_.compare(next, 2, "==") != 0;
    if (!is_set || !(is_of_name(text_[last]) || text_[last] == ',')) continue;
    ++declared;
    first = trimmed(source::initializer(std::string_view(text_).substr(next + 1, end - next - 1)));
  }
  if (declared == 1) known->second = first;
  return known->second;
}

std::optional<double> SourceCode::value_of(std::string_view name, const SourceFunction& function,
                                           const Known& known, int depth) const {
  if (depth > kDeepest) return std::nullopt;
  if (const auto one = known.find(name); one != known.end()) return one->second;
  // A name of the function's own hides those outside.
  if (const std::string& own = definition(name, function.body, function.end); !own.empty())
    return number(own, function, known, depth + 1);
  if (const auto macro = macros_.find(name); macro != macros_.end())
    return number(macro->second, function, known, depth + 1);
  if (const auto one = constants_.find(name); one != constants_.end()) return one->second;
  if (source::find_word(text_, name, function.body, function.end) == std::string_view::npos)
    return std::nullopt;
  const std::string& outside = definition(name, 0, text_.size());
  return outside.empty() ? std::nullopt : number(outside, function, known, depth + 1);
}

std::optional<double> SourceCode::number(std::string_view expression, const SourceFunction& function,
                                         const Known& known, int depth) const {
  const source::CNames names{
      [&](std::string_view name) -> std::optional<source::CNumber> {
        const auto value = value_of(name, function, known, depth);
        return value ? std::optional(source::CNumber{*value, *value == std::floor(*value)}) : std::nullopt;
      },
      {}};
  if (expression.find('?') != std::string_view::npos) return std::nullopt;  // takes one where none is known
  const auto value = source::evaluate_c(expression, names);
  return value ? std::optional(value->value) : std::nullopt;
}

std::optional<std::int64_t> SourceCode::value(std::string_view expression, const SourceFunction& function,
                                              const Known& known) const {
  const auto value = number(expression, function, known, 0);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

bool SourceCode::depends_on_thread(std::string_view expression, const SourceFunction& function) const {
  std::vector<std::string> next{std::string(expression)};
  std::set<std::string> seen;
  while (!next.empty() && seen.size() < 100) {
    const std::string one = std::move(next.back());
    next.pop_back();
    for (const std::string& word : source::words_of(one).all) {
      if (word == "threadIdx") return true;
      if (!seen.insert(word).second) continue;
      if (const std::string& own = definition(word, function.body, function.end); !own.empty())
        next.push_back(own);
      if (const auto macro = macros_.find(word); macro != macros_.end()) next.push_back(macro->second);
    }
  }
  return false;
}

}  // namespace warplens::run
