#include "engine/source/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/code_text.hpp"
#include "engine/source/aliases.hpp"
#include "engine/source/conditionals.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::source {
namespace {

KernelParameter parameter_of(std::string_view text, const Aliases& aliases) {
  KernelParameter parameter;
  text = trimmed(text.substr(0, text.find('=')));
  std::vector<std::string> words = parts_of_type(text);
  if (const auto bracket = std::find(words.begin(), words.end(), "["); bracket != words.end()) {
    parameter.is_pointer = true;
    words.erase(bracket, words.end());
  }
  std::vector<std::string> type;
  for (const std::string& word : words) {
    static constexpr std::array<std::string_view, 8> kPassedOver{
        "volatile", "__restrict__", "__restrict", "restrict", "__grid_constant__", "struct", "&", "typename"};
    if (std::find(kPassedOver.begin(), kPassedOver.end(), word) != kPassedOver.end()) continue;
    if (word == "*")
      parameter.is_pointer = true;
    else if (word == "const")
      parameter.is_const = parameter.is_const || !parameter.is_pointer;
    else
      type.push_back(word);
  }
  if (type.size() > 1 && is_of_name(type.back().front())) {
    parameter.name = type.back();
    type.pop_back();
  }
  for (const std::string& word : type) parameter.type += (parameter.type.empty() ? "" : " ") + word;
  for (int times = 0; times < 4; ++times) {
    const auto alias = aliases.find(parameter.type);
    if (alias == aliases.end()) break;
    KernelParameter inner = parameter_of(alias->second + " x", Aliases());
    parameter.type = inner.type;
    parameter.is_pointer = parameter.is_pointer || inner.is_pointer;
    parameter.is_const = parameter.is_const || inner.is_const;
  }
  return parameter;
}

}  // namespace

std::vector<TemplateParameter> template_of(std::string_view text) {
  std::vector<TemplateParameter> list;
  for (const std::string_view part : parts_of(text, true)) {
    TemplateParameter parameter;
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) parameter.fallback = trimmed(part.substr(equals + 1));
    for (const std::string& word : parts_of_type(part.substr(0, equals))) {
      if (word == "const" || word == "class" || word == "typename") {
        if (word != "const") parameter.type = "typename";
        continue;
      }
      if (!parameter.name.empty()) parameter.type += (parameter.type.empty() ? "" : " ") + parameter.name;
      parameter.name = word;
    }
    list.push_back(std::move(parameter));
  }
  return list;
}

std::string_view template_before(std::string_view plain, std::size_t at) {
  const std::size_t before = plain.find_last_of(";{}", at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t found = plain.find("template", begin);
  if (found == std::string_view::npos || found > at) return {};
  const std::size_t open = plain.find('<', found);
  if (open == std::string_view::npos || open > at) return {};
  const std::size_t end = behind_bracket(plain, open);
  return end == std::string_view::npos || end > at ? std::string_view()
                                                   : plain.substr(open + 1, end - open - 2);
}

std::string with_given(std::string_view text, const std::vector<TemplateParameter>& of_template,
                       const std::vector<std::string_view>& given) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = word_at(text, at);
    std::string_view part = word.empty() ? text.substr(at, 1) : word;
    at += part.size();
    for (std::size_t t = 0; t < of_template.size() && !word.empty(); ++t) {
      if (of_template[t].name != word) continue;
      if (t < given.size())
        part = given[t];
      else if (!of_template[t].fallback.empty())
        part = of_template[t].fallback;
    }
    result += part;
  }
  return result;
}

KernelSignature with_arguments(KernelSignature kernel, std::string_view arguments) {
  const auto given = parts_of(arguments, true);
  std::vector<TemplateParameter> without_defaults = kernel.of_template;
  for (TemplateParameter& parameter : without_defaults) parameter.fallback.clear();
  for (KernelParameter& parameter : kernel.parameters) {
    const std::string type = with_given(parameter.type, without_defaults, given);
    if (type == parameter.type) continue;
    const KernelParameter resolved = parameter_of(type + " x", Aliases());  // "const float*" of an iterator
    parameter.type = resolved.type;
    parameter.is_pointer |= resolved.is_pointer, parameter.is_const |= resolved.is_const;
  }
  return kernel;
}

std::vector<KernelSignature> kernel_signatures(std::string_view code, const std::string& folder) {
  Macros macros = macros_of_compiler();
  const std::string included = folder.empty() ? "" : included_text(code, folder, macros);
  const std::string plain = blanked(taken_branches(code, macros));
  Aliases aliases = aliases_of(macros);
  add_aliases(plain, aliases);
  add_aliases(blanked(included), aliases);
  std::vector<KernelSignature> kernels;
  std::vector<std::string> instantiations;  // "template __global__ void k<256>(...);"
  constexpr std::string_view kMark = "__global__";
  for (std::size_t at = plain.find(kMark); at != std::string::npos; at = plain.find(kMark, at + 1)) {
    // The first name before a bracket that is no attribute of the launch.
    std::size_t open = at, begin = at, end = at;
    std::string name;
    for (open = plain.find_first_of("(;{", at); open != std::string::npos && plain[open] == '(';) {
      end = before_blanks(plain, open);
      begin = end - word_before(plain, end).size();
      if (begin == end && end > 0 && plain[end - 1] == '>') {  // k<256>
        const std::size_t less = plain.rfind('<', end);
        if (less != std::string::npos) instantiations.emplace_back(word_before(plain, less));
      }
      name = plain.substr(begin, end - begin);
      if (!name.starts_with("__")) break;
      open = behind_bracket(plain, open);
      if (open != std::string::npos) open = plain.find_first_of("(;{", open);
      name.clear();
    }
    if (open == std::string::npos || plain[open] != '(' || name.empty()) continue;
    const std::size_t close = behind_bracket(plain, open);
    if (close == std::string::npos) continue;
    const std::size_t next = behind_blanks(plain, close);
    if (next == plain.size() || plain[next] != '{') continue;  // a declaration or an instantiation
    KernelSignature kernel;
    kernel.name = name;
    kernel.line = line_of(plain, begin);
    for (const std::string_view part :
         parts_of(std::string_view(plain).substr(open + 1, close - open - 2), true)) {
      if (part == "void") continue;
      kernel.parameters.push_back(parameter_of(part, aliases));
      if (std::string& own = kernel.parameters.back().name; own.empty())
        own = fmt::format("unnamed{}", kernel.parameters.size());
    }
    if (const auto text = template_before(plain, at); !text.empty()) kernel.of_template = template_of(text);
    kernels.push_back(std::move(kernel));
  }
  for (KernelSignature& kernel : kernels)
    kernel.is_instantiated =
        std::find(instantiations.begin(), instantiations.end(), kernel.name) != instantiations.end();
  return kernels;
}

}  // namespace warplens::source
